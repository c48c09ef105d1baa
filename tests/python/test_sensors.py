"""Sensors and servos of a small robot, read and driven by name."""

import numpy as np
import pytest

import stiction

ARM = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="arm">
      <joint name="elbow" axis="0 1 0" damping="0.1"/>
      <geom name="rod" type="capsule" size="0.05 0.2" pos="0 0 -0.3"/>
      <site name="tip" pos="0 0 -0.5"/>
    </body>
    <body name="target" mocap="true"><geom size="0.01" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator>
    <position name="servo" joint="elbow" kp="1e6" kv="1e3"/>
    <general name="lag" joint="elbow" dyntype="filterexact" dynprm="0.1" gainprm="0"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/>
    <framepos name="tip" objtype="site" objname="tip"/>
    <accelerometer name="imu" site="tip"/>
    <framepos name="target" objtype="xbody" objname="target"/>
  </sensor>
</mujoco>
"""


@pytest.fixture
def sim(tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    return stiction.Simulation(stiction.load(path))


def test_a_stiff_servo_goes_to_its_target_and_sensors_show_it(sim):
    sim.control.input[sim.model.actuator("servo")] = 0.5
    assert sim.step(300).ok
    # The servo carries the weight of the arm with an error of τ/kp.
    assert sim.sensor("angle") == pytest.approx([0.5], abs=1e-5)
    angle = sim.sensor("angle")[0]
    assert sim.sensor("tip") == pytest.approx([-0.5 * np.sin(angle), 0, -0.5 * np.cos(angle)])
    # At rest the accelerometer shows g upwards, in the axes of the turned arm.
    assert sim.sensor("imu") == pytest.approx([-9.81 * np.sin(angle), 0, 9.81 * np.cos(angle)], abs=1e-6)


def test_sensor_data_holds_all_sensors_in_order(sim):
    sim.step(3)
    data, first = sim.sensor_data, sim.model.sensor_data
    assert data.shape == (sim.model.nsensordata,) == (10,)
    for name in sim.model.sensor_name:
        s = sim.model.sensor(name)
        assert np.array_equal(data[first[s] : first[s + 1]], sim.sensor(name))
    data[:] = 0
    assert sim.sensor("imu").any()  # a copy: writing to it changes nothing


def test_mocap_poses_and_activations_are_views(sim):
    sim.control.mocap_pose[0, :3] = (1, 2, 3)
    assert sim.sensor("target") == pytest.approx([1, 2, 3])
    assert sim.body_pose("target").position == pytest.approx([1, 2, 3])
    sim.state.activation[0] = 4
    sim.step()
    assert sim.state.activation[0] == pytest.approx(4 * np.exp(-0.01 / 0.1))


def test_an_unknown_sensor_names_the_near_ones(sim):
    with pytest.raises(stiction.Error, match="'angle'"):
        sim.sensor("angel")
