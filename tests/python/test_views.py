"""State, control and model are views without copies, and they keep what they look at alive."""

import gc

import numpy as np
import pytest

import stiction


def test_state_is_a_view(box):
    q, u = box.state.q, box.state.u
    assert np.shares_memory(q, box.state.q)
    u[0] = 1.5
    assert box.state.u[0] == 1.5
    before = q.copy()
    box.step()
    # q⁺ = q + h (u + u⁺)/2, seen through the old view
    assert q[0] == pytest.approx(before[0] + 0.002 * (1.5 + u[0]) / 2, abs=1e-15)
    assert np.array_equal(q, box.state.q)


def test_views_stay_views_through_reset_and_assignment(box):
    q = box.state.q
    saved = box.state.copy()
    box.state.u[0] = 1
    box.step(10)
    assert q[0] > 0
    box.reset()
    assert np.array_equal(q, box.model.q_reference)
    box.step(10)
    box.state = saved
    assert np.array_equal(q, saved.q) and np.shares_memory(q, box.state.q)


def test_a_saved_state_continues_bit_by_bit(box):
    box.state.u[:2] = 1, 0.3
    box.step(50)
    saved = box.state.copy()
    box.step(100)
    first = box.state.copy()
    box.state = saved
    box.step(100)
    assert np.array_equal(first.q, box.state.q) and np.array_equal(first.u, box.state.u)
    assert first.time == box.state.time and first.steps == box.state.steps


def test_views_outlive_the_simulation(box_model):
    sim = stiction.Simulation(box_model)
    sim.step()
    q, wrench, force = sim.state.q, sim.control.wrench, sim.contacts.force
    mass, expected, forces = box_model.body_mass, sim.state.q.copy(), force.copy()
    del sim, box_model
    gc.collect()
    assert np.array_equal(q, expected)
    assert wrench.shape == (2, 6) and not wrench.any()
    assert np.array_equal(force, forces)
    assert mass[1] == pytest.approx(4)


def test_assignment_copies_into_the_same_memory(box):
    q = box.state.q
    box.state.q = [1, 2, 3, 1, 0, 0, 0]
    assert list(q) == [1, 2, 3, 1, 0, 0, 0]
    box.state.q += 1  # reads the view, adds in place, assigns it to itself
    assert list(q) == [2, 3, 4, 2, 1, 1, 1]


def test_a_wrong_shape_is_an_error_that_names_the_array(box):
    with pytest.raises(stiction.Error, match=r"^q must have the shape \(7,\), not \(6,\)$"):
        box.state.q = np.zeros(6)
    with pytest.raises(stiction.Error, match=r"wrench must have the shape \(2, 6\), not \(12,\)"):
        box.control.wrench = np.zeros(12)
    with pytest.raises(stiction.Error, match="u: not an array of float64"):
        box.state.u = ["fast"] * 6


def test_model_arrays_are_read_only(box_model):
    with pytest.raises(ValueError, match="read-only"):
        box_model.body_mass[1] = 2
    with pytest.raises(AttributeError):
        box_model.body_mass = [0, 2]


def test_shapes_of_model_arrays(box_model):
    m = box_model
    assert (m.nq, m.nv, m.nbody, m.nshape, m.nkey) == (7, 6, 2, 2, 0)
    assert m.body_name == ["world", "box"]
    assert m.body_mass.shape == (2,) and m.body_com.shape == (2, 3) and m.body_pose.shape == (2, 7)
    assert m.shape_colour.shape == (2, 4) and m.key_q.shape == (0, 7)
    assert m.joint_type[0] == stiction.JointType.free
    assert list(m.body_inertia[1]) == pytest.approx([4 * (0.04 + 0.01) / 12, 4 * (0.04 + 0.01) / 12, 4 * 0.08 / 12])


def test_an_applied_wrench_accelerates_the_body(box):
    box.control.wrench[1] = 0, 0, 0, 2.0, 0, 4 * 9.81 + 8.0  # torque, then force at the centre of mass
    box.step(100)
    assert box.state.u[:3] == pytest.approx([0.2 * 2 / 4, 0, 0.2 * 8 / 4], abs=1e-12)  # u = (F / m + g) t


def test_replace_makes_another_model(box_model):
    bouncy = box_model.replace(shape_restitution=[0, 1], shape_name=["a", "b"])
    assert list(bouncy.shape_restitution) == [0, 1] and list(box_model.shape_restitution) == [0, 0]
    assert bouncy.shape("b") == 1
    with pytest.raises(stiction.Error, match="no array 'restitution'"):
        box_model.replace(restitution=[0, 1])
    with pytest.raises(stiction.Error, match=r"body 'box'.*mass"):
        box_model.replace(body_mass=[0, -1])
