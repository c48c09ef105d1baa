"""A hand of four fingers holds irregular objects while it is shaken (Macklin et al. 2019, section 10.1.3).

    python3 examples/grasp.py             all objects: close the hand, shake it along x, y and z with 2 g
    python3 examples/grasp.py --object jack

The hand is like the Allegro hand: 16 hinges, links of its lengths, 0.7 N m at most; the palm faces upwards. The
objects are not convex: a bumpy stone and an angle of triangles, and a jack of three rods.
"""

import argparse
import time

import numpy as np

import stiction

FRICTION, TORQUE = 0.8, 0.7  # torque: [N m] of each finger joint
LINKS, RADIUS = (0.054, 0.0384, 0.0437), 0.011  # [m] of the fingers
GRASP = (0.0, 0.8, 1.4, 1.2)  # [rad] where the joints would go: spread and three bends, beyond what they touch
BASES = {"index": (0.05, 0.03), "middle": (0.05, 0.0), "ring": (0.05, -0.03), "thumb": (-0.05, 0.0)}  # [m]
CLOSING, SHAKING, FREQUENCY = 0.6, 0.75, 4.0  # [s], [s] along each axis, [Hz]
STRENGTH = 2.02 * 9.81  # [m/s²] so that 2 g are reached where the object slips against the servos of the palm
TOP = 0.012  # [m] half the palm


def stone():
    """A ball of 27 mm with bumps and hollows."""
    around, across = 16, 9
    vertices, triangles = [[0, 0, -0.024], [0, 0, 0.026]], []
    for k in range(1, across):
        for i in range(around):
            u, v = 2 * np.pi * i / around, np.pi * k / across - np.pi / 2
            r = 0.027 * (1 + 0.22 * np.sin(3 * u + 1) * np.cos(v) ** 2 + 0.12 * np.cos(5 * v + 2 * u) * np.cos(v))
            vertices.append([r * np.cos(u) * np.cos(v), r * np.sin(u) * np.cos(v), 0.95 * r * np.sin(v)])

    def at(i, k):
        return 2 + (k - 1) * around + i % around

    for i in range(around):
        triangles += [[0, at(i + 1, 1), at(i, 1)], [1, at(i, across - 1), at(i + 1, across - 1)]]
        for k in range(1, across - 1):
            triangles += [[at(i, k), at(i + 1, k), at(i + 1, k + 1)], [at(i, k), at(i + 1, k + 1), at(i, k + 1)]]
    return vertices, triangles


def angle():
    """An L of 44 mm, 16 mm thick and 30 mm wide."""
    a, b, half = 0.022, 0.008, 0.015
    outline = [(-a, -a), (a, -a), (a, -a + 2 * b), (-a + 2 * b, -a + 2 * b), (-a + 2 * b, a), (-a, a)]
    cuts = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    vertices = [[x, y, z] for z in (-half, half) for x, y in outline]
    triangles = [[c, b, a] for a, b, c in cuts] + [[6 + a, 6 + b, 6 + c] for a, b, c in cuts]
    for i in range(6):
        j = (i + 1) % 6
        triangles += [[i, j, 6 + j], [i, 6 + j, 6 + i]]
    return vertices, triangles


def add_object(builder, kind):
    """The object on the palm; returns its body."""
    body = builder.add_body("object", (0, 0, TOP + 0.032))
    builder.add_joint_free(body)
    if kind == "jack":
        half = 0.5**0.5
        turns = {(1, 0, 0, 0): 0.026, (half, half, 0, 0): 0.018, (half, 0, half, 0): 0.022}
        for quaternion, length in turns.items():
            builder.add_shape_capsule(body, 0.008, length, (0, 0, 0), quaternion, density=2500, friction=FRICTION)
        return body
    mesh = stiction.TriangleMesh(*{"stone": stone, "angle": angle}[kind]())
    builder.add_shape_mesh(body, mesh, density=1500, friction=FRICTION)
    return body


def hand(kind, timestep=0.0083):
    """The model: a palm on three slides, four fingers of four hinges, and the object."""
    builder = stiction.Builder(f"grasp of a {kind}", timestep=timestep)
    palm = builder.add_body("palm")
    builder.add_shape_box(palm, (0.05, 0.045, TOP), density=1500, friction=FRICTION)
    for k, name in enumerate("xyz"):
        slide = builder.add_joint(palm, stiction.JointType.slide, np.eye(3)[k], name=f"palm_{name}")
        builder.add_position_servo(stiction.ActuatorTarget.joint, slide, 1e5, 100, name=f"palm_{name}")
    for finger, (x, y) in BASES.items():
        inwards = (0, -np.sign(x), 0)  # about it a finger that points up bends over the palm
        parent, place = palm, (x, y, TOP)
        axes = [(1, 0, 0), inwards, inwards, inwards]
        for k, axis in enumerate(axes):
            link = builder.add_body(f"{finger}{k}", place, parent=parent)
            joint = builder.add_joint(link, stiction.JointType.hinge, axis, name=f"{finger}{k}")
            builder.set_joint(joint, lower=-0.5, upper=1.7, damping=0.02, armature=1e-4)
            name = f"{finger}{k}"
            limits = {"force_lower": -TORQUE, "force_upper": TORQUE}
            builder.add_position_servo(stiction.ActuatorTarget.joint, joint, 10, 0.1, name=name, **limits)
            if k == 0:
                builder.add_shape_sphere(link, RADIUS, density=1500, friction=FRICTION)
                parent, place = link, (0, 0, 0)
                continue
            if k == 1:
                builder.exclude(palm, link)  # both turn about the knuckle, which lies inside the palm
            length = LINKS[k - 1]
            builder.add_shape_capsule(link, RADIUS, length / 2, (0, 0, length / 2), density=1500, friction=FRICTION)
            parent, place = link, (0, 0, length)
    add_object(builder, kind)
    return builder.build()


def palm_target(time):
    """Position of the palm [m]: still while the hand closes, then to and fro along x, y, z in turn."""
    place = np.zeros(3)
    axis, local = divmod(time - CLOSING, SHAKING)
    if 0 <= axis < 3:
        swell = np.sin(np.pi * local / SHAKING) ** 2
        rate = 2 * np.pi * FREQUENCY
        place[int(axis)] = STRENGTH / rate**2 * swell * np.sin(rate * local)
    return place


class Grasp:
    """The simulation with its controls; `close` false leaves the hand open."""

    def __init__(self, kind, close=True):
        self.simulation = stiction.Simulation(hand(kind))
        model = self.simulation.model
        self.fingers = [(model.actuator(f"{f}{k}"), GRASP[k] * close) for f in BASES for k in range(4)]
        self.palm = [model.actuator(f"palm_{axis}") for axis in "xyz"]
        self.steps = round((CLOSING + 3 * SHAKING + 0.3) / self.simulation.options.timestep)

    def step(self):
        now = self.simulation.state.time
        for actuator, goal in self.fingers:
            self.simulation.control.input[actuator] = goal * min(1.0, now / (0.6 * CLOSING))
        self.simulation.control.input[self.palm] = palm_target(now + self.simulation.options.timestep)
        return self.simulation.step()

    def palm_velocity(self):
        return self.simulation.state.u[:3].copy()

    def held(self):
        """Place of the object from the palm [m]."""
        return self.simulation.body_pose("object").position - self.simulation.body_pose("palm").position


def run(kind):
    """Closes and shakes; returns what was measured."""
    grasp = Grasp(kind)
    h = grasp.simulation.options.timestep
    contacts, factorisations, worst, missed, strongest, start = [], [], 0.0, 0, 0.0, None
    moved, velocity, begin = 0.0, grasp.palm_velocity(), time.process_time()
    for _ in range(grasp.steps):
        report = grasp.step()
        contacts.append(report.contacts)
        factorisations.append(report.factorisations)
        worst, missed = max(worst, report.certificate.residual), missed + (not report.ok)
        strongest = np.maximum(strongest, np.abs(grasp.palm_velocity() - velocity) / h)
        velocity = grasp.palm_velocity()
        if start is None and grasp.simulation.state.time > CLOSING:
            start = grasp.held()
        if start is not None:
            moved = max(moved, np.linalg.norm(grasp.held() - start))
    return {
        "steps": grasp.steps,
        "contacts": np.mean(contacts),
        "most contacts": max(contacts),
        "factorisations": np.mean(factorisations),
        "most factorisations": max(factorisations),
        "residual": worst,
        "missed": missed,
        "least acceleration": strongest.min(),
        "most acceleration": strongest.max(),
        "moved": moved,
        "milliseconds": 1e3 * (time.process_time() - begin) / grasp.steps,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--object", choices=["stone", "angle", "jack"])
    chosen = parser.parse_args().object
    for kind in [chosen] if chosen else ["stone", "angle", "jack"]:
        print(kind + ": " + ", ".join(f"{name} {value:.4g}" for name, value in run(kind).items()))


if __name__ == "__main__":
    main()
