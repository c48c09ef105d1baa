"""Distances of meshes and height fields beside those of Coal's hierarchies of boxes (skipped where Coal is absent).

Penetrating poses are left out: a depth of surfaces that are not convex is a matter of definition.
Poses for each pair: 2,000, or STICTION_POSES (make test-nightly: 100,000).
"""

import os

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import stiction

coal = pytest.importorskip("coal")

POSES = int(os.environ.get("STICTION_POSES", "2000"))
RADIUS = 0.1  # [m] about that of every shape
BOX, CYLINDER, ELLIPSOID = (0.1, 0.07, 0.05), (0.06, 0.08), (0.1, 0.07, 0.05)


def torus(around=12, across=8):
    ring, tube = 0.07, 0.03
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = 2 * np.pi * u / around, 2 * np.pi * v / across
    reach = ring + tube * np.cos(b)
    vertices = np.stack([reach * np.cos(a), reach * np.sin(a), tube * np.sin(b)], axis=-1).reshape(-1, 3)
    index = u * across + v
    right, up = np.roll(index, -1, 0), np.roll(index, -1, 1)
    both = np.roll(right, -1, 1)
    faces = np.concatenate([np.stack([index, right, both], -1), np.stack([index, both, up], -1)]).reshape(-1, 3)
    return vertices, faces


def hills(rows=5, columns=7):
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return 0.03 * np.cos(5 * x) * np.cos(4 * y)


def hills_as_triangles(heights, half_x, half_y, base):
    """The solid under the heights, cells split from (-x, -y) to (x, y)."""
    rows, columns = heights.shape
    y, x = np.meshgrid(np.linspace(-half_y, half_y, rows), np.linspace(-half_x, half_x, columns), indexing="ij")
    top = np.stack([x, y, heights], -1).reshape(-1, 3)
    low = np.stack([x, y, np.full_like(heights, -base)], -1).reshape(-1, 3)
    index, faces = np.arange(rows * columns).reshape(rows, columns), []
    n = rows * columns
    for r in range(rows - 1):
        for c in range(columns - 1):
            a, b, d, e = index[r, c], index[r, c + 1], index[r + 1, c + 1], index[r + 1, c]
            faces += [[a, b, d], [a, d, e], [n + a, n + d, n + b], [n + a, n + e, n + d]]
    rim = [*index[0], *index[1:, -1], *index[-1, -2::-1], *index[-2:0:-1, 0]]
    for a, b in zip(rim, [*rim[1:], rim[0]], strict=True):
        faces += [[a, n + a, n + b], [a, n + b, b]]
    return np.concatenate([top, low]), np.array(faces)


def coal_mesh(vertices, faces):
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(faces), len(vertices))
    for a, b, c in vertices[faces]:
        mesh.addTriangle(a, b, c)
    mesh.endModel()
    return mesh


def corners():
    points = np.random.default_rng(3).normal(size=(12, 3)) * [1, 0.7, 0.5]
    return RADIUS * points / np.linalg.norm(points, axis=1, keepdims=True)


def shapes():
    """name: (adds itself to a builder, Coal's shape)"""
    vertices, faces = torus()
    hull = corners()
    heights = hills()
    solid = hills_as_triangles(heights, 0.1, 0.08, 0.05)
    mesh = stiction.TriangleMesh(vertices, faces)
    return {
        "mesh": (lambda b, i: b.add_shape_mesh(i, mesh), coal_mesh(vertices, faces)),
        "height field": (lambda b, i: b.add_shape_height_field(i, heights, 0.1, 0.08, 0.05), coal_mesh(*solid)),
        "sphere": (lambda b, i: b.add_shape_sphere(i, RADIUS), coal.Sphere(RADIUS)),
        "capsule": (lambda b, i: b.add_shape_capsule(i, 0.05, 0.06), coal.Capsule(0.05, 0.12)),
        "box": (lambda b, i: b.add_shape_box(i, BOX), coal.Box(*(2 * s for s in BOX))),
        "cylinder": (lambda b, i: b.add_shape_cylinder(i, *CYLINDER), coal.Cylinder(CYLINDER[0], 2 * CYLINDER[1])),
        "hull": (lambda b, i: b.add_shape_hull(i, hull), coal_mesh(hull, ConvexHull(hull).simplices)),
        "ellipsoid": (lambda b, i: b.add_shape_ellipsoid(i, ELLIPSOID), coal.Ellipsoid(*ELLIPSOID)),
    }


SURFACES = ["mesh", "height field"]
PAIRS = [(a, b) for a in shapes() for b in SURFACES if a not in SURFACES or SURFACES.index(a) <= SURFACES.index(b)]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair[0]} and {pair[1]}")
def test_distance_is_that_of_coal(pair):
    made = shapes()
    builder = stiction.Builder()
    for name in pair:
        made[name][0](builder, builder.add_body(""))
    query = stiction.Query(builder.build())
    rng = np.random.default_rng(5)
    poses = rng.normal(size=(2, POSES, 7))
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    direction = poses[1, :, :3] / np.linalg.norm(poses[1, :, :3], axis=-1, keepdims=True)
    poses[0, :, :3], poses[1, :, :3] = 0, direction * rng.uniform(1, 6, size=(POSES, 1)) * RADIUS
    found = query.distances_at(0, 1, poses[0], poses[1])
    request = coal.DistanceRequest()
    request.gjk_tolerance, request.gjk_max_iterations = 1e-12, 1000
    compared = 0
    for i in range(POSES):
        place = [coal.Transform3s(coal.Quaternion(*p[3:]), p[:3]) for p in poses[:, i]]
        a, b = (made[name][1] for name in pair)
        expected = coal.distance(a, place[0], b, place[1], request, coal.DistanceResult())
        if expected <= 1e-6:
            continue
        compared += 1
        assert found["distance"][i] == pytest.approx(expected, abs=1e-6 * RADIUS), f"pose {i}"
        # The two points prove that it is no less than what is there.
        apart = found["point_b"][i] - found["point_a"][i]
        assert np.linalg.norm(apart - found["distance"][i] * found["normal"][i]) < 1e-9
    assert compared > POSES / 2


@pytest.mark.parametrize("name", SURFACES)
def test_distance_to_a_plane_is_that_of_the_lowest_vertex(name):
    builder = stiction.Builder()
    builder.add_shape_plane(0)
    shapes()[name][0](builder, builder.add_body(""))
    vertices = torus()[0] if name == "mesh" else hills_as_triangles(hills(), 0.1, 0.08, 0.05)[0]
    rng = np.random.default_rng(6)
    at = np.zeros((POSES, 7))
    at[:, 3] = 1
    placed = rng.normal(size=(POSES, 7))
    placed[:, 3:] /= np.linalg.norm(placed[:, 3:], axis=1, keepdims=True)
    found = stiction.Query(builder.build()).distances_at(0, 1, at, placed)
    w, x, y, z = placed[:, 3:].T
    up = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=-1)  # last row of R
    heights = placed[:, 2] + (vertices @ up.T).min(axis=0)
    apart = heights > 0
    assert apart.sum() > POSES / 4
    np.testing.assert_allclose(found["distance"][apart], heights[apart], rtol=0, atol=1e-12)
