"""Flat floors as files have them: a box that slides over them without friction keeps its velocity. Above the floor the
mesh has a roof, so that no plane keeps the box out of its hull."""

import itertools

import numpy as np
import pytest
from solids import box_triangles

import stiction

HALF, DEEP = 0.5, 0.1


def joined(*parts):
    vertices, triangles, count = [], [], 0
    for v, t in parts:
        vertices.append(v)
        triangles.append(t + count)
        count += len(v)
    return np.vstack(vertices), np.vstack(triangles)


def unwelded(v, t, offsets):
    corners = v[t.ravel()]
    return corners + offsets(corners.shape), np.arange(3 * len(t)).reshape(-1, 3)


def t_junctions():
    """One of the two triangles of the floor cut at three places of their common side."""
    v, t = box_triangles((-HALF, -HALF, -DEEP), (HALF, HALF, 0))
    top = [k for k, corners in enumerate(t) if (v[corners][:, 2] == 0).all()]
    a, b, c = t[top[0]]
    shared = [x for x in (a, b, c) if x in t[top[1]]]
    k = next(k for k in range(3) if {t[top[0]][k], t[top[0]][(k + 1) % 3]} == set(shared))
    a, b, c = np.roll(t[top[0]], -k)
    places = [v[a] + share * (v[b] - v[a]) for share in (0.21, 0.5, 0.83)]
    chain = [a, *range(len(v), len(v) + 3), b]
    cut = [(p, q, c) for p, q in itertools.pairwise(chain)]
    return np.vstack([v, places]), np.vstack([np.delete(t, top[0], axis=0), cut])


def touching():
    return joined(box_triangles((-HALF, -HALF, -DEEP), (0, HALF, 0)), box_triangles((0, -HALF, -DEEP), (HALF, HALF, 0)))


def rounding(size):
    rng = np.random.default_rng(2)
    return lambda shape: rng.normal(size=shape) * size


FLOORS = {
    "whole": box_triangles((-HALF, -HALF, -DEEP), (HALF, HALF, 0)),
    "T-junctions": t_junctions(),
    "T-junctions, unwelded": unwelded(*t_junctions(), np.zeros),
    "solids that touch": touching(),
    "unwelded and rounded": unwelded(*box_triangles((-HALF, -HALF, -DEEP), (HALF, HALF, 0)), rounding(1e-10)),
}


@pytest.mark.parametrize("timestep", [2e-3, 1e-2])
@pytest.mark.parametrize("floor", FLOORS)
def test_a_box_keeps_its_velocity_on_a_flat_floor(floor, timestep):
    roof = box_triangles((-HALF, -HALF, 0.3), (HALF, HALF, 0.35))
    builder = stiction.Builder("floor", timestep=timestep, integrator="euler")
    builder.add_shape_mesh(0, stiction.TriangleMesh(*joined(FLOORS[floor], roof)), friction=0)
    builder.add_joint_free(builder.add_body("box"))
    builder.add_shape_box(1, (0.05, 0.03, 0.02), friction=0)
    sim = stiction.Simulation(builder.build())
    for place, velocity in (((-0.35, -0.13), (2, 0.7)), ((-0.3, 0.3), (1.5, -1.7)), ((0.05, -0.4), (-0.2, 2.3))):
        sim.reset()
        sim.state.q[:] = (*place, 0.02, 1, 0, 0, 0)
        sim.state.u[:2] = velocity
        for _ in range(round(0.3 / timestep)):
            assert sim.step().ok, sim.describe()
            assert sim.state.u[:2] == pytest.approx(velocity, abs=1e-6), sim.state.q[:3]
            assert abs(sim.state.u[2:]).max() < 1e-6
