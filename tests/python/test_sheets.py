"""Open bodies on an open sheet: nothing inside tells which side they are on."""

import numpy as np
import pytest

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
    w, v = state.q[3], state.q[4:7]
    x = np.array(mesh.vertices)
    return (x + 2 * np.cross(v, np.cross(v, x) + w * x))[:, 2].min() + state.q[2]


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
