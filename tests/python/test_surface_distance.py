"""Distances of meshes, height fields and tetrahedral surfaces beside those of Coal's hierarchies of boxes.

Every disagreement is judged by the witness points of both. Skipped where Coal is absent.

Poses for each pair: 2,000, or STICTION_POSES (make test-nightly: 100,000, which prints what it finds).
"""

import os

import numpy as np
import pytest

import stiction

coal = pytest.importorskip("coal")

from convex_pairs import rotations  # noqa: E402
from surface_pairs import CAPSULE, FIELD, PAIRS, RADIUS, hills, hills_as_triangles, shapes, torus  # noqa: E402

POSES = int(os.environ.get("STICTION_POSES", "2000"))
# Triangles have closed forms; Coal searches where one of these is met.
SEARCHED = {"box", "cylinder", "ellipsoid"}


def draw(rng, count):
    """Poses of two bodies from deep in each other to four radii apart."""
    poses = rng.normal(size=(2, count, 7))
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    direction = poses[1, :, :3] / np.linalg.norm(poses[1, :, :3], axis=-1, keepdims=True)
    poses[0, :, :3], poses[1, :, :3] = 0, direction * rng.uniform(0, 6, size=(count, 1)) * RADIUS
    return poses


def ask_coal(a, b, poses):
    """Distances and nearest points."""
    request = coal.DistanceRequest()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-12, 1000
    distance, points = np.zeros(POSES), np.zeros((2, POSES, 3))
    frames = [[coal.Transform3s(R, p) for R, p in zip(rotations(x[:, 3:]), x[:, :3])] for x in poses]
    for i, (X, Y) in enumerate(zip(*frames)):
        result = coal.DistanceResult()
        distance[i] = coal.distance(a, X, b, Y, request, result)
        points[:, i] = result.getNearestPoint1(), result.getNearestPoint2()
    return distance, points


def farthest_off(made, pair, poses, points):
    """[m] how far the worse of two points is off its shape."""
    own = [np.einsum("nij,ni->nj", rotations(at[:, 3:]), x - at[:, :3]) for at, x in zip(poses, points)]
    return np.maximum(*(made[name][2](x) for name, x in zip(pair, own)))


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]} and {pair[1]}")
def test_distance_is_that_of_coal(pair, capsys):
    bar = 1e-6 if SEARCHED & set(pair) else 1e-10
    agree = bar * RADIUS  # [m]
    made = shapes()
    builder = stiction.Builder()
    for name in pair:
        made[name][0](builder, builder.add_body(""))
    query = stiction.Query(builder.build())
    poses = draw(np.random.default_rng(5), POSES)
    found = query.distances_at(0, 1, *poses)
    d, points = found["distance"], np.stack([found["point_a"], found["point_b"]])
    expected, theirs = ask_coal(*(made[name][1] for name in pair), poses)

    # Who overlaps: Coal's surfaces are shells, so a body inside one counts as apart; none of these fits into another.
    apart = expected > agree
    assert apart.sum() > POSES / 2 and (expected <= 0).sum() > POSES / 50
    assert np.isfinite(d).all() and (d[expected <= 0] <= 0).all() and (d[apart] > 0).all()
    assert abs(np.linalg.norm(found["normal"], axis=1) - 1).max() < 1e-12
    between = points[1] - points[0] - d[:, None] * found["normal"]
    assert np.linalg.norm(between, axis=1).max() < 1e-9

    # Our points lie on the shapes: no distance is too small.
    proven = np.flatnonzero(apart)[:2000]
    assert farthest_off(made, pair, poses[:, proven], points[:, proven]).max() < 1e-9
    # Where the two differ, Coal's is too large beside our points, or its points are not those of the shapes.
    differ = np.flatnonzero(apart & (abs(d - expected) > agree))
    too_large = differ[d[differ] < expected[differ]]
    too_small = differ[d[differ] > expected[differ]]
    if len(too_large):
        assert farthest_off(made, pair, poses[:, too_large], points[:, too_large]).max() < 1e-9
    if len(too_small):
        off = farthest_off(made, pair, poses[:, too_small], theirs[:, too_small])
        assert (off > (d - expected)[too_small] / 4).all()
    assert len(differ) <= 2e-3 * POSES
    if "STICTION_POSES" in os.environ:
        worst = abs(d - expected)[apart].max() / RADIUS
        with capsys.disabled():
            print(
                f"\n{pair[0]} and {pair[1]}: {POSES} poses, {apart.sum()} apart, "
                f"worst disagreement {worst:.1e} of the size, above {bar:.0e}: {len(differ)}, "
                f"of which our points prove Coal too large {len(too_large)}, "
                f"Coal's points are off the shapes {len(too_small)}; who overlaps: all agree"
            )


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]} and {pair[1]}")
def test_normal_is_the_gradient_of_the_depth(pair):
    """Moved along the normal by 1e-7 m, bodies in each other come out by as much."""
    made = shapes()
    builder = stiction.Builder()
    for name in pair:
        made[name][0](builder, builder.add_body(""))
    query = stiction.Query(builder.build())
    before = draw(np.random.default_rng(8), 400)
    found = query.distances_at(0, 1, *before)
    after = before.copy()
    after[1, :, :3] += 1e-7 * found["normal"]
    moved = query.distances_at(0, 1, *after)["distance"] - found["distance"]
    deep = found["distance"] < -1e-6
    if pair[0] == "capsule":
        # A core that passes through a wall is as deep as its radius wherever it does.
        deep &= abs(found["distance"] + CAPSULE[0]) > 1e-6
    assert deep.sum() > 40 and (abs(moved[deep] / 1e-7 - 1) < 1e-3).all()


def cube(half, closed=True):
    """A cube as triangles; open without its lid."""
    corner = half * np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)], dtype=float)
    sides = [[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]] + [[4, 5, 7, 6]] * closed
    return stiction.TriangleMesh(corner, [t for a, b, c, d in sides for t in ([a, b, c], [a, c, d])])


def test_signed_distance_to_a_cube_of_triangles_is_that_of_the_box():
    builder = stiction.Builder()
    builder.add_shape_sphere(builder.add_body(""), 0.05)
    builder.add_shape_mesh(builder.add_body(""), cube(RADIUS))
    builder.add_shape_box(builder.add_body(""), [RADIUS] * 3)
    query = stiction.Query(builder.build())
    poses = draw(np.random.default_rng(9), 500)
    poses[1, :, :3] /= 3  # most centres inside
    mesh, box = (query.distances_at(0, shape, *poses) for shape in (1, 2))
    assert (box["distance"] < -0.05).sum() > 100
    np.testing.assert_allclose(mesh["distance"], box["distance"], rtol=0, atol=1e-15)
    np.testing.assert_allclose(mesh["normal"], box["normal"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", shapes())
@pytest.mark.parametrize("closed", [True, False])
def test_what_a_closed_mesh_holds_overlaps_it(name, closed):
    """A body of 0.1 m in the middle of a cube of 2 m: a box without its lid does not hold it."""
    builder = stiction.Builder()
    shapes()[name][0](builder, builder.add_body("held"))
    builder.add_shape_mesh(builder.add_body("holder"), cube(1.0, closed))
    query = stiction.Query(builder.build())
    assert query.overlap(0, 1) == closed
    found = query.distance(0, 1)
    # The nearest wall is 0.9 m from what sticks out most.
    assert found.distance < -0.899 if closed else 0.8 < found.distance < 1.0


@pytest.mark.parametrize("name", ["mesh", "height field"])
def test_distance_to_a_plane_is_that_of_the_lowest_vertex(name):
    builder = stiction.Builder()
    builder.add_shape_plane(0)
    shapes()[name][0](builder, builder.add_body(""))
    vertices = torus()[0] if name == "mesh" else hills_as_triangles(hills(), *FIELD)[0]
    rng = np.random.default_rng(6)
    at = np.zeros((POSES, 7))
    at[:, 3] = 1
    placed = rng.normal(size=(POSES, 7))
    placed[:, 3:] /= np.linalg.norm(placed[:, 3:], axis=1, keepdims=True)
    found = stiction.Query(builder.build()).distances_at(0, 1, at, placed)
    up = rotations(placed[:, 3:])[:, 2]
    heights = placed[:, 2] + (vertices @ up.T).min(axis=0)
    apart = heights > 0
    assert apart.sum() > POSES / 4
    np.testing.assert_allclose(found["distance"][apart], heights[apart], rtol=0, atol=1e-12)


def test_depth_does_not_depend_on_the_order():
    """A closed box of triangles in an open sheet of waves: the four ways to ask agree."""
    rng = np.random.default_rng(3)
    n, half = 9, np.array([0.05, 0.03, 0.02])
    x, y = np.meshgrid(np.linspace(-0.1, 0.1, n), np.linspace(-0.1, 0.1, n), indexing="ij")
    vertices = np.stack([x, y, 0.01 * np.sin(60 * x)], axis=-1).reshape(-1, 3)
    cells = [
        (i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1) for i in range(n - 1) for j in range(n - 1)
    ]
    sheet = stiction.TriangleMesh(vertices, [t for a, b, c, d in cells for t in ((a, b, c), (a, c, d))])
    corners = np.array([[i, j, k] for k in (-1, 1) for j in (-1, 1) for i in (-1, 1)]) * half
    quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
    closed = stiction.TriangleMesh(corners, [t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])])

    def ask(first, second, poses, swapped):
        builder = stiction.Builder()
        for kind in (first, second):
            body = builder.add_body(kind)
            builder.add_joint_free(body)
            builder.set_inertia(body, 1, (0, 0, 0), (1, 1, 1))
            if kind == "box":
                builder.add_shape_box(body, half)
            else:
                builder.add_shape_mesh(body, sheet if kind == "sheet" else closed)
        here = np.tile([0.0, 0, 0, 1, 0, 0, 0], (len(poses), 1))
        return stiction.Query(builder.build()).distances_at(0, 1, *((poses, here) if swapped else (here, poses)))

    turns = rng.normal(size=(300, 4))
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    poses = np.hstack([rng.normal(size=(300, 3)) * 0.05, turns])
    one = ask("sheet", "box", poses, False)["distance"]
    assert (one < -1e-3).sum() > 100
    for first, second, swapped in (("box", "sheet", True), ("sheet", "mesh", False), ("mesh", "sheet", True)):
        assert ask(first, second, poses, swapped)["distance"] == pytest.approx(one, abs=1e-9)
