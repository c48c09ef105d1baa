"""The midpoint rule on mechanisms: of second order where the step of Euler is of first, against a solver of ordinary
differential equations; joints of maximal coordinates hold at the midpoints."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import stiction


def double_pendulum():
    builder = stiction.Builder("double pendulum")
    parent = 0
    for i in range(2):
        parent = builder.add_body(f"bar{i}", (0, 0, -0.5 if i else 0), parent=parent)
        builder.add_joint(parent, stiction.JointType.hinge, (0, 1, 0))
        builder.set_inertia(parent, 1 + i, (0, 0, -0.25), (0.03, 0.02, 0.01))
    return builder.build()


START = np.array([1.2, 0.5, -2.0, 3.0])  # angles [rad], rates [rad/s]
DURATION = 1.0


def exact(model):
    """q and u after DURATION, to 1e-11."""
    dynamics, zero = stiction.Dynamics(model), np.zeros(2)
    motion = solve_ivp(
        lambda _, x: np.concatenate([x[2:], dynamics.aba(x[:2], x[2:], zero)]),
        (0, DURATION),
        START,
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
    )
    return motion.y[:, -1]


def error(model, integrator, h, reference):
    sim = stiction.Simulation(model, timestep=h, integrator=integrator)
    sim.state.q[:], sim.state.u[:] = START[:2], START[2:]
    for _ in range(round(DURATION / h)):
        assert sim.step().ok, sim.describe()
    return np.abs(np.concatenate([sim.state.q, sim.state.u]) - reference).max()


def test_a_double_pendulum_errs_by_the_second_order_of_the_step():
    model = double_pendulum()
    reference = exact(model)
    coarse, fine = (error(model, "midpoint", h, reference) for h in (2e-3, 1e-3))
    assert coarse / fine == pytest.approx(4, rel=0.05)
    first = [error(model, "euler", h, reference) for h in (2e-3, 1e-3)]
    assert first[0] / first[1] == pytest.approx(2, rel=0.1)
    assert coarse < 0.02 * first[0]


def swinging(h, integrator):
    """Four rods that swing, each a free body."""
    builder = stiction.Builder("rods", timestep=h)
    parent = 0
    for i in range(4):
        parent = builder.add_body(f"rod{i}", (0.2 if i else 0, 0, 0), parent=parent)
        builder.add_joint(parent, stiction.JointType.hinge, (0, 1, 0))
        builder.set_inertia(parent, 0.5, (0.1, 0, 0), (1e-4, 2e-3, 2e-3))
    return stiction.Simulation(stiction.to_maximal(builder.build()), integrator=integrator)


def test_joints_in_maximal_coordinates_hold_at_the_midpoints():
    h = 0.002
    sim = swinging(h, "midpoint")
    fastest = 0.0
    for _ in range(300):
        report = sim.step()
        assert report.ok, sim.describe()
        assert report.certificate.joint_drift < 1e-9
        fastest = max(fastest, *(np.linalg.norm(sim.state.u[6 * i + 3 : 6 * i + 6]) for i in range(4)))
        # Between two midpoints a rod of the length l is off by the height of its arc, (h ω)² l / 8; two rods meet.
        for i in range(1, 4):
            end, begin = sim.body_pose(f"rod{i - 1}"), sim.body_pose(f"rod{i}")
            gap = np.linalg.norm(end.position + end.rotation @ (0.2, 0, 0) - begin.position)
            assert gap < 1e-9 + 4 * (h * fastest) ** 2 * 0.2 / 8
    assert fastest > 5
