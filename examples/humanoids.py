"""A crowd that runs in place: 400 humanoids of 13 bodies (Macklin et al. 2019, section 10.1.7, without the learning).

    python3 examples/humanoids.py                       400 of them for 1 s
    python3 examples/humanoids.py --count 4 --maximal   four, in maximal coordinates

Every joint follows a profile over the phase of the stride; nothing balances, the feet are wide enough.
"""

import argparse

import numpy as np
from measure import measure

import stiction

LEG = 0.39  # [m] length of thigh and of shin
HIP, ANKLE = 2 * LEG + 0.08, 0.08  # [m] heights of the joints
LIFT, SWING = 0.45, 0.5  # [rad] of the hip that lifts a foot, of the shoulder
STRIDES = 1.5  # per second: three steps
SAMPLES = 2 * np.pi * np.arange(24) / 24
Y = (0, 1, 0)


def lift(phase):
    """Bend of a leg: up and down again over the first half of the stride, straight over the second."""
    return np.where(np.sin(phase) > 0, LIFT * np.sin(phase) ** 2, 0.0)


def profiles():
    """Angle of each hinge over the phase. A bent leg keeps its foot level, and below the hip."""
    left = {"hip": -lift(SAMPLES), "knee": 2 * lift(SAMPLES), "ankle": -lift(SAMPLES)}
    left |= {"shoulder": SWING * np.sin(SAMPLES), "elbow": np.full_like(SAMPLES, -1.2)}
    half = len(SAMPLES) // 2
    sides = {f"left_{joint}": f for joint, f in left.items()}
    sides |= {f"right_{joint}": np.roll(f, half) for joint, f in left.items()}
    return sides | {"waist": 0.1 * np.sin(SAMPLES), "chest": np.full_like(SAMPLES, 0.05)}


def add_humanoid(builder, name, x, y):
    """13 bodies on 12 hinges; returns the phase motors by joint."""
    joints = {}

    def link(body, parent, place, joint=None, axis=Y):
        made = builder.add_body(f"{name}_{body}", place, parent=parent)
        if joint is None:
            builder.add_joint_free(made)
        else:
            joints[joint] = builder.add_joint(made, stiction.JointType.hinge, axis, name=f"{name}_{joint}")
        return made

    pelvis = link("pelvis", 0, (x, y, HIP))
    builder.add_shape_box(pelvis, (0.07, 0.12, 0.05), (0, 0, 0.03), friction=0.8)
    abdomen = link("abdomen", pelvis, (0, 0, 0.1), "waist", (0, 0, 1))
    builder.add_shape_box(abdomen, (0.07, 0.1, 0.06), (0, 0, 0.06), friction=0.8)
    chest = link("chest", abdomen, (0, 0, 0.14), "chest")
    builder.add_shape_box(chest, (0.08, 0.14, 0.13), (0, 0, 0.15), friction=0.8)
    builder.add_shape_sphere(chest, 0.09, (0, 0, 0.4), friction=0.8)
    for side, s in (("left", 1), ("right", -1)):
        thigh = link(f"{side}_thigh", pelvis, (0, 0.1 * s, 0), f"{side}_hip")
        builder.add_shape_capsule(thigh, 0.06, LEG / 2 - 0.06, (0, 0, -LEG / 2), friction=0.8)
        shin = link(f"{side}_shin", thigh, (0, 0, -LEG), f"{side}_knee")
        builder.add_shape_capsule(shin, 0.05, LEG / 2 - 0.06, (0, 0, -LEG / 2), friction=0.8)
        foot = link(f"{side}_foot", shin, (0, 0, -LEG), f"{side}_ankle")
        for middle, half in ((-0.075, 0.035), (0.035, 0.035), (0.125, 0.03)):  # heel, ball, toes
            builder.add_shape_box(foot, (half, 0.07, 0.03), (middle, 0, 0.03 - ANKLE), friction=0.8)
        arm = link(f"{side}_arm", chest, (0, 0.21 * s, 0.24), f"{side}_shoulder")
        builder.add_shape_capsule(arm, 0.04, 0.1, (0, 0, -0.14), friction=0.8)
        forearm = link(f"{side}_forearm", arm, (0, 0, -0.28), f"{side}_elbow")
        builder.add_shape_capsule(forearm, 0.035, 0.1, (0, 0, -0.13), friction=0.8)
    return joints


def crowd(count, timestep=0.0083):
    """A model of `count` humanoids on a square grid, a metre apart, each with twelve phase motors."""
    builder = stiction.Builder(f"{count} humanoids", timestep=timestep)
    builder.add_shape_plane(0, friction=0.8)
    side, table = int(np.ceil(np.sqrt(count))), profiles()
    for i in range(count):
        row, column = divmod(i, side)
        joints = add_humanoid(builder, f"h{i}", column - (side - 1) / 2, row - (side - 1) / 2)
        for joint, number in joints.items():
            builder.add_phase_motor(number, list(table[joint]), 0, kp=3000, kd=60, name=f"h{i}_{joint}")
    return builder.build()


def start(model, count, seed=400):
    """The reduced state in which each humanoid is in a phase of its own, its joints on their profiles."""
    simulation = stiction.Simulation(model)
    phases = np.random.default_rng(seed).uniform(0, 2 * np.pi, count)
    table = profiles()
    for i, phase in enumerate(phases):
        for joint, samples in table.items():
            simulation.state.activation[model.actuator_activation[model.actuator(f"h{i}_{joint}")]] = phase
            angle = np.interp(phase, np.append(SAMPLES, 2 * np.pi), np.append(samples, samples[0]))
            simulation.state.q[model.joint_q[model.joint(f"h{i}_{joint}")]] = angle
    return simulation.state.copy()


def make(count, maximal=False, **options):
    """A simulation of the crowd in its start."""
    model = crowd(count)
    state = start(model, count)
    if maximal:
        held = stiction.to_maximal(model)
        state, model = stiction.to_maximal(model, held, state), held
    simulation = stiction.Simulation(model, **options)
    simulation.state = state
    simulation.control.input[:] = 2 * np.pi * STRIDES
    return simulation


def heads(simulation, count):
    """Height of each chest's top and how upright it is."""
    poses = [simulation.body_pose(f"h{i}_chest") for i in range(count)]
    return np.array([p.position[2] for p in poses]), np.array([p.rotation[2][2] for p in poses])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--maximal", action="store_true")
    args = parser.parse_args()
    simulation = make(args.count, args.maximal)
    measure(simulation, args.seconds)
    _, upright = heads(simulation, args.count)
    print(f"{(upright > 0.9).sum()} of {args.count} upright")


if __name__ == "__main__":
    main()
