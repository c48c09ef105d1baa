"""Robots that open and close drawers by friction alone (Macklin et al. 2019, section 10.1.7, without the learning).

    python3 examples/yumis.py                       100 of them for 1 s: 6,400 bodies
    python3 examples/yumis.py --count 2 --maximal   two, in maximal coordinates

Each robot has two arms of seven joints with two-finger grippers, as ABB's Yumi; its cabinet has 18 drawers with handles
and carries six boxes. The joints follow profiles that inverse kinematics gives for the way of a handle.
"""

import argparse

import numpy as np
from measure import measure

import stiction

# Axis of each joint, and the length of its link [m]; the upper arm has 0.25 m, the forearm 0.265 m, the hand 0.14 m.
ARM = [("z", 0.05), ("y", 0.13), ("x", 0.12), ("y", 0.14), ("x", 0.125), ("y", 0.04), ("x", 0.1)]
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
SHOULDER, ELBOWS = (0.05, 0.18, 0.45), (0.3, -0.9, 0.3, 1.6, 0.1, -0.7, 0.0)  # [m]; angles from which the search starts
HANDLE, BAR, PULL = (0.6, 0.25, 0.45), 0.008, 0.12  # [m] its middle, half its width, how far the drawer comes
GRIP, RATE = 15.0, 0.5  # [N] of each finger, turns of the phase a second
SAMPLES = 2 * np.pi * np.arange(24) / 24
ALONG_X = (0.5**0.5, 0, 0.5**0.5, 0)
ARM_FILTER, CABINET_FILTER = {"contype": 2, "conaffinity": 0}, {"contype": 1, "conaffinity": 3}
DRAWER_FILTER = {"contype": 4, "conaffinity": 3}  # slides keep drawers apart


def add_arm(builder, torso, name, side):
    """Seven links of 2 kg, a gripper of 0.2 kg and two fingers of 0.01 kg; returns the numbers of its joints."""
    parent, place, joints = torso, (SHOULDER[0], side * SHOULDER[1], SHOULDER[2]), []
    for i, (axis, length) in enumerate(ARM):
        link = builder.add_body(f"{name}_link{i + 1}", place, parent=parent)
        joints.append(builder.add_joint(link, stiction.JointType.hinge, AXES[axis], name=f"{name}_{i + 1}"))
        tube = min(length, 0.02) if i == 6 else length  # the last one ends before the fingers
        volume = np.pi * 0.03**2 * (tube + 4 / 3 * 0.03)
        settings = {"density": 2 / volume, **ARM_FILTER}
        builder.add_shape_capsule(link, 0.03, tube / 2, (tube / 2, 0, 0), ALONG_X, **settings)
        parent, place = link, (length, 0, 0)
    hand = builder.add_body(f"{name}_hand", (0, 0, 0), parent=parent)
    builder.add_shape_box(hand, (0.02, 0.04, 0.02), (0.05, 0, 0), density=0.2 / 1.28e-4, **ARM_FILTER)
    fingers = []
    for finger, s in (("left", 1), ("right", -1)):
        body = builder.add_body(f"{name}_{finger}", place, parent=hand)
        joint = builder.add_joint(body, stiction.JointType.slide, (0, s, 0), name=f"{name}_{finger}")
        builder.set_joint(joint, lower=0, upper=0.025, armature=0.1)
        builder.add_shape_box(
            body, (0.02, 0.004, 0.01), (0, 0.004 * s, 0), density=0.01 / 6.4e-6, friction=0.8, **ARM_FILTER
        )
        builder.add_motor(stiction.ActuatorTarget.joint, joint, name=f"{name}_{finger}")
        fingers.append(joint)
    builder.add_equality_joint(fingers[0], fingers[1], [0, 1])
    return joints


def add_cabinet(builder, name, x, y):
    """18 drawers on slides with dry friction, a bar before each as handle, and six boxes on the top."""
    carcass = builder.add_body(f"{name}_carcass", (x + HANDLE[0] + 0.04, y, 0))
    builder.add_shape_box(carcass, (0.02, 0.4, 0.4), (0.34, 0, 0.4), **CABINET_FILTER)
    builder.add_shape_box(carcass, (0.18, 0.4, 0.02), (0.18, 0, 0.82), **CABINET_FILTER)
    for row in range(6):
        for column in (-1, 0, 1):
            tag = f"{name}_{row}{'rml'[column + 1]}"
            height = HANDLE[2] + (row - 3) * 0.13
            drawer = builder.add_body(f"{tag}_drawer", (0, HANDLE[1] * column, height), parent=carcass)
            slide = builder.add_joint(drawer, stiction.JointType.slide, (-1, 0, 0), name=f"{tag}_drawer")
            builder.set_joint(slide, lower=0, upper=0.25, friction=2)
            builder.add_shape_box(drawer, (0.01, 0.11, 0.055), (0.01, 0, 0), density=600, **DRAWER_FILTER)
            builder.add_shape_box(drawer, (0.13, 0.1, 0.004), (0.15, 0, -0.05), density=600, **DRAWER_FILTER)
            handle = builder.add_body(f"{tag}_handle", (-0.04, 0, 0), parent=drawer)
            builder.add_shape_box(handle, (BAR, BAR, 0.035), friction=0.8, **DRAWER_FILTER)
    for i in range(6):
        box = builder.add_body(f"{name}_box{i}", (x + HANDLE[0] + 0.2, y - 0.3 + 0.12 * i, 0.88))
        builder.add_joint_free(box)
        builder.add_shape_box(box, (0.05, 0.03, 0.04), density=300, friction=0.6, **CABINET_FILTER)


def way(dynamics, side):
    """Angles of an arm while its hand goes PULL towards the robot and back: damped least squares, sample by sample."""
    q = np.array(dynamics.model.q_reference)
    arm = "left" if side > 0 else "right"
    at = [dynamics.model.joint_q[dynamics.model.joint(f"r0_{arm}_{i + 1}")] for i in range(7)]
    q[at] = np.array(ELBOWS) * [side, 1, side, 1, side, 1, side]
    angles = []
    for phase in SAMPLES:
        goal = np.array([HANDLE[0] - PULL / 2 * (1 - np.cos(phase)), side * HANDLE[1], HANDLE[2]])
        for _ in range(200):
            pose = dynamics.body_pose(q, f"r0_{arm}_left")
            turn = np.array(pose.rotation)
            tilt = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
            offset = np.array([0, q[dynamics.model.joint_q[dynamics.model.joint(f"r0_{arm}_left")]], 0])
            error = np.concatenate([goal - (pose.position - turn @ offset), -tilt])
            jacobian = np.vstack(dynamics.frame_jacobian(q, f"r0_{arm}_hand"))[:, at]
            q[at] += jacobian.T @ np.linalg.solve(jacobian @ jacobian.T + 1e-6 * np.eye(6), 0.5 * error)
        if np.abs(error).max() > 1e-6:
            raise RuntimeError(f"the arm does not reach {goal}: {error}")
        angles.append(q[at].copy())
    return np.array(angles)


def add_robot(builder, name, x, y):
    """Torso, two arms and their cabinet; returns the joints of both arms."""
    torso = builder.add_body(f"{name}_torso", (x, y, 0))
    builder.add_shape_box(torso, (0.08, 0.12, 0.25), (-0.05, 0, 0.25), **ARM_FILTER)
    joints = {side: add_arm(builder, torso, f"{name}_{side}", s) for side, s in (("left", 1), ("right", -1))}
    add_cabinet(builder, name, x, y)
    return joints


def ways():
    """Profiles of the joints of both arms."""
    builder = stiction.Builder("one robot")
    add_robot(builder, "r0", 0, 0)
    dynamics = stiction.Dynamics(builder.build())
    return {side: way(dynamics, s) for side, s in (("left", 1), ("right", -1))}


def workshop(count, timestep=0.0083):
    """A model of `count` robots with their cabinets; the arms carry no weight, as those of a balanced robot."""
    builder = stiction.Builder(f"{count} robots at cabinets", timestep=timestep)
    builder.add_shape_plane(0, **CABINET_FILTER)
    columns, table = int(np.ceil(np.sqrt(count))), ways()
    for i in range(count):
        row, column = divmod(i, columns)
        for side, joints in add_robot(builder, f"r{i}", 2.0 * column, 1.5 * row).items():
            for k, joint in enumerate(joints):
                name = f"r{i}_{side}_{k + 1}"
                builder.add_phase_motor(joint, list(table[side][:, k]), 0, kp=3000, kd=60, name=name)
    model = builder.build()
    arms = [any(part in name for part in ("_left", "_right")) for name in model.body_name]
    return model.replace(body_gravity_compensation=np.array(arms, dtype=float)), table


def make(count, maximal=False, **options):
    """A simulation in which all hands hold their handles, the drawers closed; each robot works at a rate of its own."""
    model, table = workshop(count)
    simulation = stiction.Simulation(model)
    for i in range(count):
        for side in ("left", "right"):
            for k in range(7):
                simulation.state.q[model.joint_q[model.joint(f"r{i}_{side}_{k + 1}")]] = table[side][0, k]
            for finger in ("left", "right"):
                simulation.state.q[model.joint_q[model.joint(f"r{i}_{side}_{finger}")]] = BAR
    state = simulation.state.copy()
    if maximal:
        held = stiction.to_maximal(model)
        state, model = stiction.to_maximal(model, held, state), held
    simulation = stiction.Simulation(model, **options)
    simulation.state = state
    rates = 2 * np.pi * RATE * np.random.default_rng(100).uniform(0.8, 1.2, count)
    for a, name in enumerate(model.actuator_name):
        grip = name.endswith(("left", "right"))
        simulation.control.input[a] = -GRIP if grip else rates[int(name[1:].split("_")[0])]
    return simulation


def opened(simulation, count):
    """How far each of the two drawers of each robot is open [m]."""
    model = simulation.model
    closed = HANDLE[0] + 0.04 + np.array([2.0 * (i % int(np.ceil(np.sqrt(count)))) for i in range(count)])
    at = [[simulation.body_pose(model.body(f"r{i}_3{side}_drawer")).position[0] for side in "lr"] for i in range(count)]
    return closed[:, None] - np.array(at)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--maximal", action="store_true")
    args = parser.parse_args()
    simulation = make(args.count, args.maximal)
    measure(simulation, args.seconds)
    print(f"drawers open by {opened(simulation, args.count).min():.4f} m and more")


if __name__ == "__main__":
    main()
