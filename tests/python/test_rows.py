"""Rows of loops and tendons as derivatives of what they hold, on random trees."""

import numpy as np
import pytest
from solids import rotated

import stiction

STEP = 1e-6  # [rad or m]


def random_mechanism(joints, seed):
    """A tree of hinges and slides with a tendon through four sites and a loop between two bodies."""
    random = np.random.default_rng(seed)
    builder = stiction.Builder("random", timestep=1e-3, gravity=(0, 0, 0))
    bodies = [0]
    for i in range(joints):
        parent = bodies[random.integers(max(1, i - 4), i + 1)] if i else 0
        body = builder.add_body(f"body{i}", random.uniform(-0.3, 0.3, 3), parent=parent)
        slides = random.random() < 0.2
        axis = random.normal(size=3)
        builder.add_joint(body, stiction.JointType.slide if slides else stiction.JointType.hinge, axis)
        builder.set_inertia(body, 1, (0, 0, 0), (0.1, 0.1, 0.1))
        bodies.append(body)
    chosen = random.choice(bodies[1:], 4, replace=joints < 4)
    sites = [builder.add_site(int(b), random.uniform(-0.2, 0.2, 3)) for b in chosen]
    tendon = builder.add_tendon_spatial([stiction.PathObject(stiction.WrapType.site, s) for s in sites], friction=1.0)
    builder.add_sensor(stiction.SensorType.tendon_length, stiction.SensorObject.tendon, tendon, "length")
    pair = int(bodies[-1]), int(bodies[max(1, joints // 2)])
    builder.add_equality_connect(*pair, (0.1, 0.2, -0.1))
    return builder.build(), pair, random


@pytest.mark.parametrize("joints", [4, 12, 30, 60])
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_loops_and_tendons_are_derivatives(joints, seed):
    model, (a, b), random = random_mechanism(joints, seed)
    sim = stiction.Simulation(model)
    # The anchor in both bodies, from where they meet at the reference.
    anchors = model.equality_frame_a[0][:3], model.equality_frame_b[0][:3]
    q = sim.state.q + random.uniform(-0.3, 0.3, model.nq)

    def held(position):
        sim.state.q[:] = position
        points = [pose.position + rotated(pose.quaternion, x) for pose, x in zip(map(sim.body_pose, (a, b)), anchors)]
        return np.concatenate([sim.sensor("length"), points[1] - points[0]])

    unit = np.eye(model.nv)
    expected = np.stack([(held(q + STEP * e) - held(q - STEP * e)) / (2 * STEP) for e in unit], axis=1)
    sim.state.q[:] = q
    sim.step()
    problem = sim.problem
    rows = np.asarray(problem.jacobian).reshape(-1, model.nv)
    assert 2 <= len(rows) <= 4  # of a loop those rows that its joints can move
    for row in rows:
        assert np.abs(expected - row).max(axis=1).min() < 1e-8 * max(1, np.abs(row).max())
    assert np.abs(expected[0] - rows[0]).max() < 1e-8
