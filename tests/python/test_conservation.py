"""What a step of first order does to energy and momentum, as docs/theory.md derives it, and one of second order."""

import numpy as np
import pytest

import stiction


def double_pendulum(h):
    builder = stiction.Builder("double pendulum", timestep=h)
    parent = 0
    for i in range(2):
        parent = builder.add_body(f"bar{i}", (0, 0, -0.5 if i else 0), parent=parent)
        builder.add_joint(parent, stiction.JointType.hinge, (0, 1, 0))
        builder.set_inertia(parent, 1 + i, (0, 0, -0.25), (0.03, 0.02, 0.01))
    return stiction.Simulation(builder.build(), integrator="euler")


def energy_error(h, duration):
    """Largest |E(t) − E(0) − h (−½ (M u)·a |₀ᵗ + ∫ T_q·a dt)|, and the largest |E(t) − E(0)|."""
    sim = double_pendulum(h)
    sim.state.q[:] = 1.2, 0.5
    dynamics = stiction.Dynamics(sim.model)
    zero = np.zeros(2)

    def measure():
        q, u = sim.state.q.copy(), sim.state.u.copy()
        a = dynamics.aba(q, u, zero)
        energy = dynamics.kinetic_energy(q, u) + dynamics.potential_energy(q)
        step = 1e-5
        slope = (dynamics.kinetic_energy(q + step * a, u) - dynamics.kinetic_energy(q - step * a, u)) / (2 * step)
        return energy, dynamics.crba(q) @ u @ a, slope

    start, boundary_start, last = measure()
    integral = worst = largest = 0.0
    for _ in range(round(duration / h)):
        assert sim.step().ok
        energy, boundary, slope = measure()
        integral += 0.5 * h * (slope + last)
        last = slope
        predicted = h * (-0.5 * (boundary - boundary_start) + integral)
        worst = max(worst, abs(energy - start - predicted))
        largest = max(largest, abs(energy - start))
    return worst, largest


def test_energy_of_a_double_pendulum_errs_by_what_the_theory_says():
    coarse, largest = energy_error(1e-3, 2.0)
    fine, half = energy_error(5e-4, 2.0)
    assert largest == pytest.approx(2 * half, rel=0.05)  # first order …
    assert coarse < 0.002 * largest  # … predicted but for 0.08 % (measured) …
    assert fine / coarse == pytest.approx(0.25, abs=0.01)  # … and the rest of second order


def flyer(h):
    """A free body with two arms of two joints each, motors on all, no weight."""
    builder = stiction.Builder("flyer", timestep=h, gravity=(0, 0, 0))
    base = builder.add_body("base")
    builder.add_joint_free(base)
    builder.set_inertia(base, 5, (0.02, 0, 0.01), (0.2, 0.25, 0.3))
    for side in (-1, 1):
        parent = base
        for i, axis in enumerate([(0, 1, 0), (1, 0, 0)]):
            parent = builder.add_body(f"arm{side}{i}", (0.3 * side, 0.1, 0), parent=parent)
            joint = builder.add_joint(parent, stiction.JointType.hinge, axis)
            builder.set_inertia(parent, 1, (0.15 * side, 0, 0), (0.01, 0.02, 0.02))
            builder.add_motor(stiction.ActuatorTarget.joint, joint)
    builder.add_sensor(stiction.SensorType.subtree_linear_velocity, stiction.SensorObject.body, base, "velocity")
    builder.add_sensor(stiction.SensorType.subtree_angular_momentum, stiction.SensorObject.body, base, "spin")
    return builder.build()


def momentum_drift(coordinates, h, integrator="euler", duration=1.0):
    """Largest change of momentum [N s] and angular momentum [N m s] while the motors work."""
    reduced = flyer(h)
    model = reduced if coordinates == "reduced" else stiction.to_maximal(reduced)
    start = stiction.Simulation(reduced)
    start.state.u[:6] = 0.3, -0.2, 0.1, 0.5, 0.8, -0.4
    sim = stiction.Simulation(model, integrator=integrator)
    sim.state = start.state if coordinates == "reduced" else stiction.to_maximal(reduced, model, start.state)
    sim.control.input[:] = 0.4, -0.3, 0.2, 0.5
    mass = reduced.body_mass.sum()

    def measure():
        return mass * sim.sensor("velocity"), sim.sensor("spin")

    before = measure()
    worst = np.zeros(2)
    for _ in range(round(duration / h)):
        assert sim.step().ok, sim.describe()
        worst = np.maximum(worst, [np.abs(a - b).max() for a, b in zip(measure(), before)])
    assert np.abs(sim.state.u).max() > 2  # the joints move
    return worst


def test_momentum_of_a_flying_robot_drifts_with_the_step_in_reduced_coordinates():
    coarse, fine = momentum_drift("reduced", 2e-3), momentum_drift("reduced", 1e-3)
    assert fine / coarse == pytest.approx([0.5, 0.5], abs=0.05)
    assert coarse.max() < 0.01  # measured 0.0034
    coarse_second, fine_second = (momentum_drift("reduced", h, "midpoint") for h in (2e-3, 1e-3))
    assert fine_second / coarse_second == pytest.approx([0.25, 0.25], abs=0.02)
    assert coarse_second.max() < 0.01 * coarse.max()


def test_momentum_of_a_flying_robot_is_kept_in_maximal_coordinates():
    # Joint forces are opposite and act at one point, up to the error of the joint, and bodies turn exactly: what is
    # left is Σ h |λ| · 3e-10 m at most, and rounding. Measured: 1.4e-14.
    assert momentum_drift("maximal", 2e-3).max() < 1e-12


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("timestep", [1e-3, 2e-3])
def test_a_ball_in_a_pipe_without_gravity_meets_the_tolerance(friction, timestep):
    """What closes on its facets does so by rounding errors of the velocity along them."""
    angles = 2 * np.pi * np.arange(24) / 24
    vertices = [(x, 0.06 * np.cos(a), 0.06 * np.sin(a)) for x in (-5, 5) for a in angles]
    triangles = [t for i in range(24) for j in [(i + 1) % 24] for t in ((i, j, 24 + j), (i, 24 + j, 24 + i))]
    builder = stiction.Builder("pipe", timestep=timestep, gravity=(0, 0, 0))
    builder.add_shape_mesh(0, stiction.TriangleMesh(vertices, triangles), friction=friction)
    builder.add_joint_free(builder.add_body("ball"))
    builder.add_shape_sphere(1, 0.01, friction=friction, density=1000)
    sim = stiction.Simulation(builder.build())
    for seed in range(10):
        rng = np.random.default_rng(seed)
        sim.reset()
        sim.state.q[:3] = (0, 0.02, 0.01)
        sim.state.u[:3] = (rng.normal() * 3, rng.normal(), -1)
        for _ in range(200):
            assert sim.step().ok, sim.describe()
