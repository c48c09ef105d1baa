"""The flexible beam of Macklin et al. 2019, section 10.1.2, that a Fetch-like arm inserts into a hole."""

from fetch_arm import GRIPPER, LINKS, SERVO, TORSO, reach
from scene_text import COLOURS, LIGHT, SKY, camera, floor, numbers, scene

PIECES, PIECE, HALF = 16, 0.04, 0.01  # bodies of the beam, length of one, half its thickness [m]
STIFFNESS = 250  # [N m/rad] of each joint of the beam
START, END, SECONDS = (0.8, 0, 1), (0.98, 0.005, 1.005), 1.8  # the way of the gripper [m], [s]
ROLLS = (0.5, 0.4)  # [rad] of the upper arm at start and end: keeps the way between them straight
GRIP, BEHIND = 0.03, 0.03  # [m] where the beam begins behind the middle of the fingers; from its tip to the wall
WALL, GAP = 0.1, 0.002  # [m] thickness of the wall, clearance on each side of the beam
HEAD = """
Flexible beam of 16 bodies that a Fetch-like arm pushes into a hole
Macklin et al. 2019, section 10.1.2: bodies of 0.003 kg, 250 N m/rad of bending (and torsional) stiffness between two of
them. The arm has the masses, lengths, limits and efforts of the Fetch robot, which compensates its own weight; two
fingers hold the beam by friction alone, 30 N each. The joints run at constant speeds between two configurations that
inverse kinematics gives (tools/fetch_arm.py): the gripper moves 0.18 m in 1.8 s on a line that is straight to 2.4 mm
and ends 5 mm aside and 5 mm higher, which bends the beam once it is in. The hole leaves 2 mm on each side. Goal: the
tip comes out of the far side of the wall, and the fingers still hold the other end.
"""


def indented(lines):
    return [f"  {line}" for line in lines]


def link(name, joint_at, axis, bounds, mass, centre, inertia, low, high, inside):
    """A link of the arm: its inertia, the box around its mesh, and what hangs on it."""
    limits = f'range="{numbers(*bounds)}"' if bounds else 'limited="false"'
    middle, half = [(a + b) / 2 for a, b in zip(low, high)], [(b - a) / 2 for a, b in zip(low, high)]
    box = f'type="box" pos="{numbers(*(round(m, 6) for m in middle))}" size="{numbers(*(round(s, 6) for s in half))}"'
    return [
        f'<body name="{name}" pos="{numbers(joint_at[0], 0, joint_at[1])}" gravcomp="1">',
        f'  <joint name="{name}" axis="{axis}" {limits}/>',
        f'  <inertial pos="{numbers(*centre)}" mass="{numbers(mass)}" fullinertia="{numbers(*inertia)}"/>',
        f'  <geom class="arm" {box}/>',
        *indented(inside),
        "</body>",
    ]


def gripper():
    """The gripper with two fingers that slide along y; their inner faces meet at 0."""
    lines = [f'<body name="gripper" pos="{numbers(GRIPPER, 0, 0)}" gravcomp="1">']
    lines.append('  <inertial pos="-0.09 -0.0001 -0.0017" mass="1.5175" fullinertia="0.0013 0.0019 0.0024 0 0 0"/>')
    lines.append('  <geom class="arm" type="box" pos="-0.093 0 0" size="0.061 0.063 0.0398"/>')
    for name, side in (("left", 1), ("right", -1)):
        lines += [
            f'  <body name="{name}_finger" gravcomp="1">',
            f'    <joint name="{name}_finger" type="slide" axis="0 {side} 0" range="0 0.05"/>',
            f'    <geom class="arm" type="box" pos="0.001 {side * 0.0072} 0" size="0.03 0.0072 0.0132" mass="0.0798"'
            ' friction="0.8" priority="1"/>',
            "  </body>",
        ]
    return [*lines, "</body>"]


def arm():
    inside = gripper()
    for name, at, axis, bounds, _, mass, centre, inertia, low, high in reversed(LINKS):
        inside = link(name, at, axis, bounds, mass, centre, inertia, low, high, inside)
    torso = [f'<body name="torso" pos="{numbers(TORSO[0], 0, TORSO[1])}">']
    torso.append('  <geom type="box" pos="0 0 0.3" size="0.1 0.15 0.3" contype="0" conaffinity="0"/>')
    return [*torso, *indented(inside), "</body>"]


def beam():
    """Boxes along x, the last one rounded; each hangs on the one before by a ball joint with a spring."""
    inside = []
    for i in reversed(range(PIECES)):
        first, last = i == 0, i == PIECES - 1
        joint = "<freejoint/>" if first else f'<joint type="ball" stiffness="{STIFFNESS}"/>'
        place = (START[0] - GRIP, START[1], START[2]) if first else (PIECE, 0, 0)
        tip = f'type="capsule" fromto="{numbers(HALF, 0, 0, PIECE - HALF, 0, 0)}" size="{HALF}"'
        shape = tip if last else f'type="box" pos="{numbers(PIECE / 2, 0, 0)}" size="{numbers(PIECE / 2, HALF, HALF)}"'
        geom = f'<geom name="{"tip" if last else f"piece{i}"}" {shape} mass="0.003" rgba="{COLOURS[i % 2]}"/>'
        inside = [f'<body name="beam{i}" pos="{numbers(*place)}">', *indented([joint, geom, *inside]), "</body>"]
    return inside


def wall():
    """Four blocks around a square hole on the line of the beam."""
    x = START[0] - GRIP + PIECES * PIECE + BEHIND + WALL / 2
    hole, block = HALF + GAP, 0.15
    lines = []
    for name, y, z in (("left", 1, 0), ("right", -1, 0), ("over", 0, 1), ("under", 0, -1)):
        at = (x, y * (hole + block), START[2] + z * (hole + block))
        half = (WALL / 2, block if y else hole, block if z else 2 * block + hole)
        rounded = [numbers(*(round(v, 6) for v in values)) for values in (at, half)]
        lines.append(f'<geom name="{name}" type="box" pos="{rounded[0]}" size="{rounded[1]}" rgba="0.6 0.6 0.6 0.4"/>')
    return lines


def beam_16():
    start = reach(START, [0.3, 0.8, ROLLS[0], -2, 0.1, 1.2, -0.4], ROLLS[0])
    end = reach(END, start, ROLLS[1])
    view = camera((1.2, -1.5, 1.5), (0.85, 0, 0.95))
    before = [*SKY, '<compiler angle="radian"/>', "<default>", '  <geom conaffinity="3"/>', '  <default class="arm">']
    before += ['    <geom contype="2" conaffinity="0" rgba="0.7 0.72 0.75 1"/>', "  </default>", "</default>"]
    after = ["<equality>", '  <joint joint1="left_finger" joint2="right_finger"/>', "</equality>", "<actuator>"]
    for (name, _, _, _, effort, *_), a, b in zip(LINKS, start, end):
        limits = f'actrange="{numbers(min(a, b), max(a, b))}" forcerange="{numbers(-effort, effort)}"'
        after.append(f'  <intvelocity name="{name}" joint="{name}" {SERVO} {limits}/>')
    for finger in ("left_finger", "right_finger"):
        after.append(f'  <motor name="{finger}" joint="{finger}" ctrlrange="-60 60"/>')
    speeds = [round((b - a) / SECONDS, 7) for a, b in zip(start, end)]
    pose = [START[0] - GRIP, START[1], START[2], 1, 0, 0, 0] + (PIECES - 1) * [1, 0, 0, 0]
    after += ["</actuator>", "<sensor>", '  <framepos name="tip" objtype="geom" objname="tip"/>', "</sensor>"]
    key = f'qpos="{numbers(*start, HALF, HALF, *pose)}" ctrl="{numbers(*speeds, -30, -30)}" act="{numbers(*start)}"'
    after += ["<keyframe>", f'  <key name="start" {key}/>', "</keyframe>"]
    return scene("beam_16", HEAD, 0.3, [LIGHT, view, floor(3), *wall(), *arm(), *beam()], 0.0083, before, after)
