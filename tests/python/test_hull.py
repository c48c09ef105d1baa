"""Hulls of points in code: mass and vertices as SciPy's Qhull has them, and bodies that come to rest."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

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
