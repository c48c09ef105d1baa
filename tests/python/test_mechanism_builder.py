"""Mechanisms built in Python: loops, tendons, actuators, sensors, motors that follow a profile."""

import math

import numpy as np
import pytest

import stiction

JOINT = stiction.ActuatorTarget.joint


def wheel(**options):
    builder = stiction.Builder("wheel", gravity=(0, 0, 0), **options)
    body = builder.add_body("wheel")
    joint = builder.add_joint(body, stiction.JointType.hinge, (0, 0, 1), name="axle")
    builder.set_inertia(body, 2, (0, 0, 0), (0.1, 0.1, 0.2))
    return builder, joint


def catmull_rom(samples, advance, phase):
    """f and f′ as docs/theory.md has them, written anew."""
    n = len(samples)
    turns = phase / (2 * math.pi)
    value, slope = advance * turns, advance / (2 * math.pi)
    if n:
        i, t = divmod((turns % 1.0) * n, 1.0)
        p = [samples[(int(i) + k) % n] for k in (-1, 0, 1, 2)]
        m0, m1 = (p[2] - p[0]) / 2, (p[3] - p[1]) / 2
        h = (2 * t**3 - 3 * t**2 + 1, t**3 - 2 * t**2 + t, -2 * t**3 + 3 * t**2, t**3 - t**2)
        d = (6 * t**2 - 6 * t, 3 * t**2 - 4 * t + 1, -6 * t**2 + 6 * t, 3 * t**2 - 2 * t)
        value += h[0] * p[1] + h[1] * m0 + h[2] * p[2] + h[3] * m1
        slope += (d[0] * p[1] + d[1] * m0 + d[2] * p[2] + d[3] * m1) * n / (2 * math.pi)
    return value, slope


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("coordinates", ["reduced", "maximal"])
def test_phase_motor_takes_the_implicit_step_towards_its_profile(coordinates, bounded):
    # I (v⁺ − v) = h (kp (f(α⁺) − q − h v⁺) + kd (f′ rate − v⁺)), α⁺ = α + h rate, q⁺ = q + h v⁺
    h, rate, kp, kd, inertia = 0.01, 3.0, 1e8, 1e5, 0.2
    samples, advance = [0.0, 0.4, -0.1, 0.3, 0.2], 2 * math.pi
    builder, joint = wheel(timestep=h)
    limits = {"force_lower": -1e9, "force_upper": 1e9} if bounded else {}
    builder.add_phase_motor(joint, samples, advance, name="drive", **limits)
    builder.add_sensor(stiction.SensorType.joint_position, stiction.SensorObject.joint, joint, "angle")
    model = builder.build()
    sim = stiction.Simulation(model if coordinates == "reduced" else stiction.to_maximal(model), integrator="euler")
    sim.control.input[:] = rate
    q = v = 0.0
    for i in range(400):
        assert sim.step().ok, sim.describe()
        target, slope = catmull_rom(samples, advance, (i + 1) * h * rate)
        v = (inertia * v + h * (kp * (target - q) + kd * slope * rate)) / (inertia + h * h * kp + h * kd)
        q += h * v
        assert sim.sensor("angle")[0] == pytest.approx(q, abs=1e-9)
    assert sim.state.activation[0] == pytest.approx(12.0)
    assert q == pytest.approx(target, abs=0.01)  # the stiff motor is where its profile says


def test_phase_motor_is_cut_at_its_force_range():
    builder, joint = wheel(timestep=0.01)
    builder.add_phase_motor(joint, [], 2 * math.pi, force_lower=-0.5, force_upper=0.5)
    sim = stiction.Simulation(builder.build())
    sim.control.input[:] = 10.0
    sim.step(10)
    assert sim.state.u[0] == pytest.approx(0.5 / 0.2 * 0.1, rel=1e-9)


@pytest.mark.parametrize("kp", [1.0, 1e4, 1e8])
@pytest.mark.parametrize("coordinates", ["reduced", "maximal"])
def test_servo_of_any_gain_is_stable_at_ten_milliseconds(kp, coordinates):
    builder, joint = wheel(timestep=0.01)
    builder.add_position_servo(JOINT, joint, kp, 0.1 * math.sqrt(kp))
    builder.add_sensor(stiction.SensorType.joint_position, stiction.SensorObject.joint, joint, "angle")
    model = builder.build()
    sim = stiction.Simulation(model if coordinates == "reduced" else stiction.to_maximal(model))
    sim.control.input[:] = 1.0
    angles = []
    for _ in range(2000):
        assert sim.step().ok
        angles.append(sim.sensor("angle")[0])
    assert max(angles) < 2.0  # an undamped step response overshoots to 2 at most
    assert angles[-1] == pytest.approx(1.0, abs=0.05 if kp == 1.0 else 1e-6)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ({"samples": [1.0, 2.0], "advance": 0.0}, "3 samples"),
        ({"samples": [], "advance": math.nan}, "finite"),
        ({"samples": [], "advance": 1.0, "kp": -1.0}, "negative"),
        ({"samples": [], "advance": 1.0, "joint": 7}, "joint 7"),
        ({"samples": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "advance": 0.0}, "not periodic"),
    ],
)
def test_bad_phase_motors_are_named(arguments, words):
    builder, joint = wheel()
    builder.add_phase_motor(**({"joint": joint, "name": "drive"} | arguments))
    with pytest.raises(stiction.Error, match=words):
        builder.build()


def test_a_crank_without_a_pin_is_named():
    builder = stiction.Builder("machine")
    crank = builder.add_body("crank", (0, 0, 1))
    joint = builder.add_joint(crank, stiction.JointType.ball, (0, 1, 0), name="loose")
    builder.add_shape_box(crank, (0.1, 0.1, 0.1))
    builder.add_phase_motor(joint=joint, samples=[], advance=2 * math.pi, name="drive")
    with pytest.raises(stiction.Error, match=r"'drive'.*needs a pin"):
        builder.build()


CRANK = """<mujoco><worldbody><body name="crank"><joint name="pin" type="{type}"/><geom size="0.1"/></body></worldbody>
<actuator><general name="drive" joint="pin" {dynamics} gainprm="1" biastype="affine" biasprm="0 -1e8 -1e5"/></actuator>
<custom><numeric name="phase_profile:{name}" data="{data}"/></custom></mujoco>"""
PHASE = {"type": "hinge", "dynamics": 'dyntype="integrator"', "name": "drive", "data": "6.2832 0 0.1 0.2 0.1"}


def test_files_give_motors_phase_profiles(tmp_path):
    path = tmp_path / "crank.xml"
    path.write_text(CRANK.format(**PHASE))
    sim = stiction.Simulation(stiction.load(path), timestep=0.01)
    sim.control.input[:] = 3.0
    for i in range(400):
        assert sim.step().ok, sim.describe()
        target, _ = catmull_rom([0, 0.1, 0.2, 0.1], 6.2832, (i + 1) * 0.03)
        assert sim.state.q[0] == pytest.approx(target, abs=0.01)
    assert sim.state.q[0] > 12


@pytest.mark.parametrize(
    "change, words",
    [
        ({"data": "0 0 1 2 3 4 5"}, "'drive'.*not periodic"),
        ({"data": "6.2832 0 1"}, "3 samples"),
        ({"name": "drve"}, "no actuator named 'drve'.*did you mean 'drive'"),
        ({"dynamics": ""}, r"numeric 'phase_profile:drive' \(line 3\).*no integrator.*dyntype"),
        ({"type": "ball"}, "'drive'.*needs a pin"),
    ],
)
def test_bad_phase_profiles_of_files_are_named(tmp_path, change, words):
    path = tmp_path / "crank.xml"
    path.write_text(CRANK.format(**(PHASE | change)))
    with pytest.raises(stiction.Error, match=words):
        stiction.load(path)


def test_loop_tendon_coupling_and_mocap():
    builder = stiction.Builder("mechanism", gravity=(0, 0, 0), timestep=0.002)
    hand = builder.add_body("hand", (0, 0, 1))
    builder.set_mocap(hand)
    bodies, joints = [], []
    for i in range(3):
        body = builder.add_body(f"body{i}", (i, 0, 0))
        joints.append(builder.add_joint(body, stiction.JointType.slide, (1, 0, 0), name=f"slide{i}"))
        builder.set_inertia(body, 1, (0, 0, 0), (0.1, 0.1, 0.1))
        bodies.append(body)
    builder.set_joint(joints[2], stiffness=10, damping=20)
    free = builder.add_body("free", (0, 0, 1))
    builder.add_joint_free(free)
    builder.set_inertia(free, 1, (0, 0, 0), (0.1, 0.1, 0.1))
    builder.add_equality_weld(hand, free)
    builder.add_equality_joint(joints[1], joints[0], [0, 2], "gear")
    near, far = builder.add_site(0, (0, 1, 0)), builder.add_site(bodies[2])
    path = [stiction.PathObject(stiction.WrapType.site, near), stiction.PathObject(stiction.WrapType.site, far)]
    string = builder.add_tendon_spatial(path, name="string", upper=3)
    cord = builder.add_tendon_fixed([(joints[0], 1.0)], name="cord", stiffness=1)
    builder.add_velocity_servo(JOINT, joints[0], 100)
    builder.add_motor(stiction.ActuatorTarget.tendon, string, gear=1)
    builder.add_sensor(stiction.SensorType.tendon_length, stiction.SensorObject.tendon, string, "length")
    builder.add_sensor(stiction.SensorType.tendon_length, stiction.SensorObject.tendon, cord, "cord")
    sim = stiction.Simulation(builder.build())
    sim.control.input[:] = 0.5, 0.0
    for i in range(200):
        sim.control.mocap_pose[0] = (0, 0, 1 + 1e-3 * i, 1, 0, 0, 0)
        assert sim.step().ok, sim.describe()
    assert sim.state.q[1] == pytest.approx(2 * sim.state.q[0], abs=1e-9)
    assert sim.sensor("cord")[0] == pytest.approx(sim.state.q[0])
    assert sim.sensor("length")[0] == pytest.approx(math.hypot(2 + sim.state.q[2], 1), abs=1e-9)
    assert sim.body_pose("free").position == pytest.approx([0, 0, 1.199], abs=1e-9)


def test_universal_and_planar_joints():
    builder = stiction.Builder("joints", gravity=(0, 0, 0))
    ball = builder.add_body("gimbal")
    builder.add_joint_universal(ball, (1, 0, 0), (0, 1, 0), name="cross")
    builder.set_inertia(ball, 1, (0, 0, 0), (0.1, 0.1, 0.1))
    puck = builder.add_body("puck", (1, 0, 0))
    builder.add_joint_planar(puck, (1, 0, 0), (0, 1, 0), name="plane")
    builder.set_inertia(puck, 1, (0, 0, 0), (0.1, 0.1, 0.1))
    model = builder.build()
    assert list(model.joint_name) == ["cross_1", "cross_2", "plane_x", "plane_y", "plane_turn"]
    sim = stiction.Simulation(model)
    sim.state.u[2:] = 1, 2, 3
    sim.step(100)
    assert sim.state.q[2:] == pytest.approx(np.array([0.2, 0.4, 0.6]), abs=1e-12)


@pytest.mark.parametrize("coordinates", ["reduced", "maximal"])
def test_constraints_show_what_holds_a_bar_on_its_limit(coordinates):
    """A bar that rests level on the limit of its hinge: the limit gives the torque m g l of its weight."""
    builder = stiction.Builder("bar", timestep=0.002)
    bar = builder.add_body("bar")
    hinge = builder.add_joint(bar, stiction.JointType.hinge, (0, 1, 0), name="hinge")
    builder.set_joint(hinge, lower=-1, upper=0)
    builder.set_inertia(bar, 2, (0.3, 0, 0), (0.01, 0.02, 0.02))
    model = builder.build()
    sim = stiction.Simulation(stiction.to_maximal(model) if coordinates == "maximal" else model)
    sim.step(10)
    rows = sim.constraints
    upper = [i for i, name in enumerate(rows.names) if name == "limit of joint 'hinge'" and rows.part[i] == 1]
    assert len(rows) == len(rows.force) == (6 if coordinates == "maximal" else 1)
    assert rows.force[upper] == pytest.approx([2 * 9.81 * 0.3], rel=1e-9)
    assert rows.gap[upper] == pytest.approx([0], abs=1e-9)
    kept = rows.force.copy()
    sim.control.generalized_force[-1] = -5
    sim.step()
    assert (rows.force == kept).all()  # as they were
