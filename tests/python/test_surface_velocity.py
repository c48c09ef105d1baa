"""Belts of MJCF: the velocity of surfaces at contacts against MuJoCo's own, and what they do to bodies."""

import mujoco
import numpy as np
import pytest

import stiction

BELTS = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="ramp" type="box" size="1 1 0.1" euler="12 -8 30" friction="0.4" surfacevel="0.3 -0.2 0.1 0.5 0.2 1.5"/>
    <body name="crate" pos="0.1 0.05 0.35" euler="5 10 15">
      <freejoint/>
      <geom type="box" size="0.1 0.1 0.1" friction="0.4" condim="4" surfacevel="0.1 0 0 0 0 0.7"/>
    </body>
    <body name="ball" pos="-0.4 0.3 0.32">
      <freejoint/>
      <geom type="sphere" size="0.08" friction="0.4"/>
    </body>
  </worldbody>
</mujoco>
"""


def test_surfaces_move_as_in_mujoco(tmp_path):
    """Both engines at the same poses: components along MuJoCo's tangents and the spin about the normal."""
    file = tmp_path / "belts.xml"
    file.write_text(BELTS)
    simulation = stiction.Simulation(stiction.load(file), integrator="euler")  # contacts at the poses of the state
    peer = mujoco.MjModel.from_xml_string(BELTS)
    data = mujoco.MjData(peer)
    compared = 0
    for _ in range(400):
        data.qpos[:] = simulation.state.q
        mujoco.mj_forward(peer, data)
        simulation.step()
        contacts = simulation.contacts
        for k in range(len(contacts.gap)):
            for other in data.contact:
                # MuJoCo's geoms in our order, and the same point: both take the middle between the surfaces.
                if tuple(other.geom) != (contacts.shape_a[k], contacts.shape_b[k]):
                    continue
                if np.linalg.norm(other.pos - contacts.point[k]) > 1e-6:
                    continue
                frame = other.frame.reshape(3, 3)
                np.testing.assert_allclose(frame[1:] @ contacts.surface_velocity[k], other.surfacevel[:2], atol=1e-5)
                np.testing.assert_allclose(frame[0] @ contacts.surface_spin[k], other.surfacevel[2], atol=1e-5)
                compared += 1
    assert compared > 50


def test_a_box_on_a_belt_of_python():
    builder = stiction.Builder("belt")
    builder.add_shape_plane(0, friction=0.5, surface_velocity=(0, 0.25, 0))
    box = builder.add_body("box", (0, 0, 0.1))
    builder.add_joint_free(box)
    builder.add_shape_box(box, (0.1, 0.1, 0.1), friction=0.5)
    simulation = stiction.Simulation(builder.build())
    for _ in range(100):
        simulation.step()
    assert simulation.state.u[1] == pytest.approx(0.25, abs=1e-8)


def test_a_soft_ball_of_python_rests_at_its_weight_over_its_stiffness():
    builder = stiction.Builder("soft")
    builder.add_shape_plane(0)
    ball = builder.add_body("ball", (0, 0, 0.1))
    builder.add_joint_free(ball)
    builder.add_shape_sphere(ball, 0.1, density=1000, stiffness=1e4, damping=200)
    model = builder.build()
    simulation = stiction.Simulation(model)
    for _ in range(2000):
        simulation.step()
    assert 0.1 - simulation.state.q[2] == pytest.approx(model.body_mass[1] * 9.81 / 1e4, abs=1e-9)
    with pytest.raises(stiction.Error, match="stiffness"):
        builder.add_shape_sphere(ball, 0.1, stiffness=0)
