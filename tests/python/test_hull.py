"""Hulls of points in code: mass and vertices as SciPy's Qhull has them, and bodies that come to rest."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import stiction


def test_hull_has_the_volume_and_vertices_of_qhull():
    rng = np.random.default_rng(3)
    for count in (4, 20, 500):
        points = rng.normal(size=(count, 3)) * (0.1, 0.2, 0.05)
        builder = stiction.Builder()
        body = builder.add_body("stone")
        builder.add_joint_free(body)
        builder.add_shape_hull(body, points, density=700)
        model = builder.build()
        hull = ConvexHull(points)
        assert model.body_mass[body] == pytest.approx(700 * hull.volume, rel=1e-12)
        assert model.nhullvertex == len(hull.vertices)


def test_hull_of_a_mesh_comes_to_rest():
    """The floor carries its weight: Σ f_z = m g."""
    builder = stiction.Builder()
    builder.add_shape_plane(0, friction=0.5)
    body = builder.add_body("stone", (0, 0, 0.3))
    builder.add_joint_free(body)
    corners = np.array([[x, y, z] for x in (-0.1, 0.1) for y in (-0.2, 0.2) for z in (-0.05, 0.05)])
    builder.add_shape_hull(body, corners, density=500, friction=0.5)
    sim = stiction.Simulation(builder.build())
    for _ in range(1000):
        assert sim.step().ok, sim.describe()
    assert sim.state.q[2] == pytest.approx(0.05, abs=1e-7)
    assert sim.contacts.force[:, 2].sum() == pytest.approx(500 * 0.2 * 0.4 * 0.1 * 9.81, rel=1e-6)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], "four points"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "lie in a plane"),
        ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, float("nan")]], "point 3 is not finite"),
        ([0, 0, 0], "rows of three numbers"),
        ([[0, 0], [1, 0]], "points"),
    ],
)
def test_points_that_have_no_hull_are_refused(points, message):
    with pytest.raises(stiction.Error, match=message):
        stiction.Builder().add_shape_hull(0, points)


def test_depth_of_large_hulls_is_that_of_their_minkowski_difference():
    """Deep in each other every edge counts; the depth is the least distance of the origin from a face of A − B."""
    rng = np.random.default_rng(8)
    points = [rng.normal(size=(120, 3)) for _ in range(2)]
    points = [
        p / np.linalg.norm(p, axis=1, keepdims=True) * size
        for p, size in zip(points, ([1, 0.8, 0.6], [0.7, 0.9, 0.5]), strict=True)
    ]
    builder = stiction.Builder()
    for p in points:
        builder.add_shape_hull(builder.add_body(""), p)
    query = stiction.Query(builder.build())
    poses = rng.normal(size=(2, 20, 7)) * 0.2
    poses[..., 3:] /= np.linalg.norm(poses[..., 3:], axis=-1, keepdims=True)
    found = query.distances_at(0, 1, poses[0], poses[1])
    for i, (a, b) in enumerate(zip(*poses, strict=True)):
        placed = [Rotation.from_quat(p[[4, 5, 6, 3]]).apply(v) + p[:3] for p, v in zip((a, b), points, strict=True)]
        difference = ConvexHull((placed[0][:, None] - placed[1][None]).reshape(-1, 3))
        depth = difference.equations[:, 3].max()  # negative inside
        assert depth < -0.2
        assert found["distance"][i] == pytest.approx(depth, abs=1e-9), i
