"""The midpoint rule on mechanisms: of second order where the step of Euler is of first, of fourth where nothing acts on
them but weight, against a solver of ordinary differential equations; joints of maximal coordinates hold at the
midpoints."""

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
TORQUE = np.array([0.3, -0.2])


def exact(model, torque):
    """q and u after DURATION, to 1e-11."""
    dynamics = stiction.Dynamics(model)
    motion = solve_ivp(
        lambda _, x: np.concatenate([x[2:], dynamics.aba(x[:2], x[2:], torque)]),
        (0, DURATION),
        START,
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
    )
    return motion.y[:, -1]


def errors(integrator, torque, steps):
    """Errors at the end, for each length of the step."""
    model = double_pendulum()
    reference = exact(model, torque)
    out = []
    for h in steps:
        sim = stiction.Simulation(model, timestep=h, integrator=integrator)
        sim.state.q[:], sim.state.u[:] = START[:2], START[2:]
        sim.control.generalized_force = torque
        for _ in range(round(DURATION / h)):
            assert sim.step().ok, sim.describe()
        out.append(np.abs(np.concatenate([sim.state.q, sim.state.u]) - reference).max())
    return out


def test_a_driven_double_pendulum_errs_by_the_second_order_of_the_step():
    coarse, fine = errors("midpoint", TORQUE, (2e-3, 1e-3))
    assert coarse / fine == pytest.approx(4, rel=0.05)
    first = errors("euler", TORQUE, (2e-3, 1e-3))
    assert first[0] / first[1] == pytest.approx(2, rel=0.1)
    assert coarse < 0.02 * first[0]


def test_a_double_pendulum_left_to_its_weight_errs_by_the_fourth_order_of_the_step():
    coarse, fine = errors("midpoint", np.zeros(2), (1e-2, 5e-3))
    assert coarse / fine > 14
    assert coarse < 1e-2 * errors("midpoint", TORQUE, (1e-2,))[0]


def flyer():
    """Three bodies in flight, joined by a ball joint and a hinge."""
    builder = stiction.Builder("flyer", gravity=(0, 0, 0))
    trunk = builder.add_body("trunk", (0, 0, 0))
    builder.add_joint_free(trunk)
    builder.set_inertia(trunk, 2.0, (0.02, 0, 0.1), (0.02, 0.03, 0.01))
    arm = builder.add_body("arm", (0.1, 0, 0.3), parent=trunk)
    builder.add_joint(arm, stiction.JointType.ball, (0, 0, 1))
    builder.set_inertia(arm, 0.5, (0.1, 0, 0), (1e-3, 4e-3, 4e-3))
    hand = builder.add_body("hand", (0.2, 0, 0), parent=arm)
    builder.add_joint(hand, stiction.JointType.hinge, (0, 1, 0))
    builder.set_inertia(hand, 0.3, (0.05, 0, 0), (5e-4, 1e-3, 1e-3))
    return builder.build()


def test_a_body_of_several_links_in_flight_keeps_its_energy_to_the_fourth_order():
    model = flyer()
    dynamics = stiction.Dynamics(model)
    drift = []
    for h in (1e-2, 5e-3):
        sim = stiction.Simulation(model, timestep=h, integrator="midpoint")
        sim.state.u[:] = [0.1, -0.2, 0.3, 2, -1, 3, 1, 4, -2, 3]

        def energy(sim=sim):
            return sim.state.u @ dynamics.crba(sim.state.q) @ sim.state.u / 2

        start, turned = energy(), 1.0
        for _ in range(round(2 / h)):
            assert sim.step().ok, sim.describe()
            turned = min(turned, abs(sim.state.q[3]))
        assert turned < 0.2, "it must turn over, or the test shows nothing"
        np.testing.assert_allclose(np.linalg.norm(sim.state.q[[3, 4, 5, 6]]), 1, atol=1e-12)
        drift.append(abs(energy() / start - 1))
    assert drift[0] < 1e-5
    assert drift[1] < drift[0] / 12


def test_a_pendulum_that_swings_against_a_wall_stops_at_it():
    builder = stiction.Builder("pendulum", timestep=0.005)
    builder.add_shape_box(0, (0.1, 1, 1), (0.15, 0, -1))
    rod = builder.add_body("rod", (0, 0, 0))
    builder.add_joint(rod, stiction.JointType.hinge, (0, 1, 0))
    builder.add_shape_sphere(rod, 0.05, (0, 0, -1))
    sim = stiction.Simulation(builder.build(), integrator="midpoint")
    sim.state.q[0] = 1.0  # from the side away from the wall
    fastest = 0.0
    for _ in range(400):
        report = sim.step()
        assert report.ok, sim.describe()
        fastest = max(fastest, abs(sim.state.u[0]))
        assert np.sin(-sim.state.q[0]) + 0.05 < 0.05 + 1e-5
    assert fastest > 2
    assert abs(sim.state.u[0]) < 1e-6


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
