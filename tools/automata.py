"""Walking automata: a trunk on legs that are linkages, each with a crank of its own that turns relative to the trunk.

After Bharaj et al. 2015, "Computational Design of Walking Automata": one input crank per limb, all at one rate, the
gait given by the phases of the cranks and by profiles that their angles follow. Links are on hinges, loops closed by
`connect`; feet are bars across the way.
"""

import math
from dataclasses import dataclass

from linkages import JANSEN, KLANN, Linkage, link_lines, number

FOOT_RADIUS = 0.02  # [m]
LINK_RADIUS = 0.008  # [m]
SAMPLES = 16  # of a phase profile
CLEARANCE = 1e-6  # of the lowest foot at the start [m]


@dataclass
class Leg:
    name: str
    x: float  # of the crank's axle on the trunk [m]
    y: float
    phase: float  # crank angle at the start [turns]
    mirrored: bool = False  # the linkage points the other way; its crank turns the same way


@dataclass
class Automaton:
    name: str
    head: str
    linkage: Linkage
    scale: float  # of the linkage's own scale
    legs: list[Leg]
    trunk: list[str]  # geoms, in the frame of the axles
    turn: int = 1  # sense of the cranks
    foot_width: float = 0.08  # half [m]
    rate: float = 1.0  # turns a second
    haste: float = 0.0  # of the profile: by this share cranks turn faster …
    swift: float = 0.0  # … at this angle of the crank [turns], where the foot is in the air, and slower opposite to it


def leg_points(machine, leg):
    """Points of the leg at its phase, from its crank's axle [m]."""
    angle = 2 * math.pi * leg.phase
    at = machine.linkage.points(math.pi - angle if leg.mirrored else angle)
    x0, z0 = at[machine.linkage.crank[0]]
    side = -1 if leg.mirrored else 1
    return {p: (side * machine.scale * (x - x0), machine.scale * (z - z0)) for p, (x, z) in at.items()}


def profile(machine, leg):
    """What the crank's angle gains in a turn of the phase, and samples of the rest of its profile f [rad]:
    f(α) = s (α + a (sin(α + φ) − sin φ)), s the sense of the cranks, φ the crank's place against the swift one."""
    start = 2 * math.pi * machine.turn * (leg.phase - machine.swift)
    wave = [math.sin(start + 2 * math.pi * k / SAMPLES) - math.sin(start) for k in range(SAMPLES)]
    return [machine.turn * 2 * math.pi] + [machine.turn * machine.haste * w for w in wave]


def drive_lines(machine):
    """Actuators of the cranks and, where they follow profiles, these: motors of the paper's stiffness and damping."""
    if machine.haste == 0:
        return [f'    <velocity name="{leg.name}" joint="{leg.name}_crank" kv="1e5"/>' for leg in machine.legs], []
    motor = 'dyntype="integrator" gainprm="1" biastype="affine" biasprm="0 -1e8 -1e5"'
    actuators = [f'    <general name="{leg.name}" joint="{leg.name}_crank" {motor}/>' for leg in machine.legs]
    numbers = {leg.name: " ".join(number(x) for x in profile(machine, leg)) for leg in machine.legs}
    return actuators, [f'    <numeric name="phase_profile:{name}" data="{data}"/>' for name, data in numbers.items()]


def foot_of(machine, leg):
    """What the foot of a leg is, as link_lines asks for it."""

    def foot(x, z):
        ends = " ".join(f"{number(x)} {number(side * machine.foot_width)} {number(z)}" for side in (-1, 1))
        return f'<geom name="{leg.name}_foot" class="foot" fromto="{ends}" rgba="0.2 0.2 0.2 1"/>'

    return foot


def automaton_scene(machine, colours, light, timestep=0.002):
    """The MJCF of a machine that stands on its lowest feet."""
    points = {leg.name: leg_points(machine, leg) for leg in machine.legs}
    foot = machine.linkage.foot[1]
    height = FOOT_RADIUS + CLEARANCE - min(at[foot][1] for at in points.values())
    body = [f'<body name="trunk" pos="0 0 {number(height)}">', '  <freejoint name="trunk"/>']
    body += [f"  {line}" for line in machine.trunk]
    for leg in machine.legs:
        at = {p: (x + leg.x, z) for p, (x, z) in points[leg.name].items()}
        for name, (parent, _) in machine.linkage.links.items():
            if parent is None:
                lines = link_lines(
                    machine.linkage,
                    name,
                    at,
                    (0, 0),
                    colours,
                    f"{leg.name}_",
                    leg.y,
                    LINK_RADIUS,
                    foot_of(machine, leg),
                )
                body += ["  " + line for line in lines]
    lines = ["<!--"] + [f"  {line}" for line in machine.head.strip().splitlines()] + ["-->"]
    lines += [f'<mujoco model="{machine.name}">', f'  <option timestep="{number(timestep)}" gravity="0 0 -9.81"/>']
    lines += ["  <default>", '    <geom density="800" contype="0" conaffinity="0"/>', '    <default class="foot">']
    lines += [f'      <geom type="capsule" size="{FOOT_RADIUS}" contype="1" conaffinity="0" friction="0.9"/>']
    lines += ["    </default>", "  </default>", "  <worldbody>", f"    {light}"]
    lines += [
        '    <geom name="floor" type="plane" size="20 5 0.1" contype="0" conaffinity="1" rgba="0.75 0.75 0.7 1"/>'
    ]
    lines += [f"    {line}" for line in body] + ["    </body>", "  </worldbody>", "  <equality>"]
    for leg in machine.legs:
        for point, a, b in machine.linkage.loops:
            at = points[leg.name]
            x, z = (p - q for p, q in zip(at[point], at[machine.linkage.links[a][1][0]]))
            names = f'body1="{leg.name}_{a}" body2="{leg.name}_{b}"'
            lines.append(f'    <connect {names} anchor="{number(x)} 0 {number(z)}"/>')
    lines += ["  </equality>", "  <actuator>"]
    actuators, profiles = drive_lines(machine)
    lines += [*actuators, "  </actuator>"]
    if profiles:
        lines += ["  <custom>", *profiles, "  </custom>"]
    lines += ["  <sensor>", '    <framepos name="trunk" objtype="body" objname="trunk"/>']
    sense = machine.turn if machine.haste == 0 else 1  # profiles have the sense of the cranks
    rate = number(sense * 2 * math.pi * machine.rate)
    lines += ["  </sensor>", "  <keyframe>", f'    <key name="start" ctrl="{" ".join([rate] * len(machine.legs))}"/>']
    return "\n".join([*lines, "  </keyframe>", "</mujoco>"]) + "\n"


def trunk_box(x, z, half, extra=""):
    size = " ".join(number(v) for v in half)
    return f'<geom name="trunk" type="box" size="{size}" pos="{number(x)} 0 {number(z)}" rgba="0.8 0.75 0.6 1"{extra}/>'


def trot(names, front, rear, y, mirrored=False, offset=0.0):
    """Four legs: the feet on one diagonal move together, half a turn against the other two."""
    out = []
    for name, x, side, phase in zip(names, (front, front, rear, rear), (1, -1, 1, -1), (0, 0.5, 0.5, 0)):
        out.append(Leg(name, x, side * y, (phase + offset) % 1, mirrored and x == rear))
    return out


NAMES = ("left_front", "right_front", "left_rear", "right_rear")

WALKER = Automaton(
    "walker",
    """
Four-legged walker on Jansen's legs: walks along −x at one turn of its cranks a second
Two legs on either side point apart from their common axle, those on one side half a turn behind those on the other; 0.4
of the size of the scene `jansen`. The stride of a foot is 0.2716 m; twice in a turn the trunk moves by that part of it
that lies near the floor. The feet are so wide that the trunk does not rock from side to side.
""",
    JANSEN,
    0.4,
    [
        Leg("left_front", 0, 0.16, 0.0),
        Leg("left_rear", 0, 0.16, 0.0, True),
        Leg("right_front", 0, -0.16, 0.5),
        Leg("right_rear", 0, -0.16, 0.5, True),
    ],
    [trunk_box(0, 0, (0.2, 0.1, 0.03))],
    foot_width=0.14,
)

DOG = Automaton(
    "dog",
    """
Dog-like automaton on Klann's legs: trots along x at one turn of its cranks a second
Four equal legs, each with a crank of its own that follows a phase profile, swift where the foot is in the air; feet on
a diagonal move together. 0.2 of the size of the scene `klann`: the stride of a foot is 0.2017 m, almost straight over
half a turn, so that the trunk moves by nearly two in a turn.
""",
    KLANN,
    0.2,
    trot(NAMES, 0.42, 0.02, 0.1),
    [
        trunk_box(0.06, 0.12, (0.3, 0.06, 0.05)),
        '<geom name="head" type="box" size="0.07 0.04 0.04" pos="0.42 0 0.26" rgba="0.8 0.75 0.6 1"/>',
        '<geom name="tail" type="capsule" size="0.012" fromto="-0.24 0 0.16 -0.38 0 0.28" rgba="0.8 0.75 0.6 1"/>',
    ],
    haste=0.3,
    swift=0.5,
)

GIRAFFE = Automaton(
    "giraffe",
    """
Giraffe-like automaton on Jansen's legs: trots along −x at one turn of its cranks a second
Four equal legs, each with a crank of its own that follows a phase profile, swift where the foot is in the air; feet on
a diagonal move together. Half the size of the scene `jansen`, with a neck of 0.7 m: the stride of a foot is 0.3395 m.
""",
    JANSEN,
    0.5,
    trot(NAMES, 0.42, -0.18, 0.16),
    [
        trunk_box(-0.08, 0.05, (0.42, 0.1, 0.05)),
        '<geom name="neck" type="capsule" size="0.03" fromto="-0.46 0 0.1 -0.62 0 0.75" rgba="0.8 0.75 0.6 1"/>',
        '<geom name="head" type="box" size="0.09 0.04 0.04" pos="-0.68 0 0.78" rgba="0.8 0.75 0.6 1"/>',
    ],
    haste=0.3,
    swift=0.5,
)

AUTOMATA = (WALKER, DOG, GIRAFFE)
