"""Open sheets: of bodies that are open, too, nothing inside tells which side they are on."""

import numpy as np
import pytest
from solids import rotated

import stiction

FLOOR = 0.3


def sheet(half):
    corners = [(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)]
    return stiction.TriangleMesh(corners, [(0, 1, 2), (0, 2, 3)])


def tray(half, height):
    """A floor and four walls without thickness."""
    vertices = [(*corner[:2], z) for z in (0, height) for corner in sheet(half).vertices]
    walls = [t for i in range(4) for j in [(i + 1) % 4] for t in ((i, j, j + 4), (i, j + 4, i + 4))]
    return stiction.TriangleMesh(vertices, [(0, 2, 1), (0, 3, 2), *walls])


def height_of_lowest(mesh, state):
    return rotated(state.q[3:7], mesh.vertices)[:, 2].min() + state.q[2]


@pytest.mark.parametrize("integrator", ["euler", "midpoint"])
@pytest.mark.parametrize("timestep", [2e-3, 1e-2])
@pytest.mark.parametrize("body", [sheet(0.05), tray(0.05, 0.01), tray(0.05, 0.03)], ids=["sheet", "tray", "deep tray"])
def test_open_bodies_rest_on_an_open_sheet(body, timestep, integrator):
    rng = np.random.default_rng(3)
    size = 0.05 * 2**0.5
    for case in range(8):
        builder = stiction.Builder("sheets", timestep=timestep, integrator=integrator)
        builder.add_shape_mesh(0, sheet(FLOOR), friction=0.5)
        builder.add_joint_free(builder.add_body("body"))
        builder.add_shape_mesh(1, body, friction=0.5)
        builder.set_inertia(1, 0.1, (0, 0, 0), (1e-4, 1e-4, 2e-4))
        sim = stiction.Simulation(builder.build())
        if case < 2:  # laid down, or dropped
            angle = rng.uniform(0, np.pi)
            sim.state.q[:] = (*rng.uniform(-0.1, 0.1, 2), 1e-3, np.cos(angle), 0, 0, np.sin(angle))
        else:
            turn = rng.normal(size=4)
            sim.state.q[:] = (*rng.uniform(-0.1, 0.1, 2), 0.13, *(turn / np.linalg.norm(turn)))
            sim.state.u[2] = -0.5
            sim.state.u[3:] = rng.normal(size=3) * 3
        for _ in range(round(1.5 / timestep)):
            assert sim.step().ok, sim.describe()
            # Between two midpoints a body that turns is off by the height of an arc.
            arc = size * (timestep * np.linalg.norm(sim.state.u[3:])) ** 2 if integrator == "midpoint" else 0
            assert height_of_lowest(body, sim.state) > -2e-4 * size - arc, case
        assert abs(sim.state.u).max() < 0.1, case
        assert height_of_lowest(body, sim.state) < 2e-4 * size


SOLIDS = {
    "plane": lambda b: b.add_shape_plane(0),
    "box": lambda b: b.add_shape_box(0, (0.05, 0.05, 0.02), position=(0, 0, -0.02)),
    "cylinder": lambda b: b.add_shape_cylinder(0, 0.05, 0.02, position=(0, 0, -0.02)),
    "ellipsoid": lambda b: b.add_shape_ellipsoid(0, (0.05, 0.05, 0.02), position=(0, 0, -0.02)),
    "sphere": lambda b: b.add_shape_sphere(0, 0.05, position=(0, 0, -0.05)),
}


@pytest.mark.parametrize("lean", [0.5, 1.2])
@pytest.mark.parametrize("solid", SOLIDS)
def test_the_corner_of_a_sheet_in_a_solid_has_its_depth(solid, lean):
    side = 0.06
    corners = np.array([(0, 0, 0), (side, 0, 0), (side, side, 0), (0, side, 0)])
    builder = stiction.Builder("corner", timestep=1e-6, gravity=(0, 0, 0), integrator="euler")
    SOLIDS[solid](builder)
    builder.add_joint_free(builder.add_body("sheet"))
    builder.add_shape_mesh(1, stiction.TriangleMesh(corners, [(0, 1, 2), (0, 2, 3)]))
    builder.set_inertia(1, 0.05, (side / 2, side / 2, 0), (2e-5, 2e-5, 3e-5))
    sim = stiction.Simulation(builder.build())
    axis = np.array([1, -1, 0]) / 2**0.5  # across the diagonal, which rises from the corner
    for depth in (1e-6, 2e-5, 8e-5, 2e-4, 9e-4):
        sim.reset()
        sim.state.q[:] = (0, 0, -depth, np.cos(lean / 2), *(np.sin(lean / 2) * axis))
        assert sim.step().ok
        deepest = min(sim.contacts, key=lambda contact: contact.gap, default=None)
        assert deepest is not None, depth
        assert deepest.gap == pytest.approx(-depth, rel=1e-6, abs=1e-11)
        assert abs(deepest.normal[2]) == pytest.approx(1, abs=1e-6)
