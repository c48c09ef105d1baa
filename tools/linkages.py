"""Planar linkages with one crank: dimensions as published, their assembly by circles, and scenes of them.

Points of a linkage follow from the crank angle by dyads: a new point lies on a circle about each of two known ones.
Lengths are in metres after multiplication by `scale`.
"""

import math


class Linkage:
    def __init__(self, name, head, scale, fixed, crank, dyads, links, loops, foot, extension=None):
        self.name, self.head, self.scale = name, head, scale
        self.fixed = fixed  # point -> (x, z)
        self.crank = crank  # (centre, radius, pin)
        self.dyads = dyads  # (new, p, length to p, q, length to q, side of the line from p to q)
        self.links = links  # link -> (what carries it, its hinge first and then its other points)
        self.loops = loops  # (point, link, link): pins that close the loops
        self.foot = foot  # (link, point)
        self.extension = extension  # (new, a, b, factor): new = a + factor (b − a)

    def points(self, angle):
        """Where all points are at a crank angle [rad]; (x, z) in metres."""
        centre, radius, pin = self.crank
        at = {name: complex(*xz) for name, xz in self.fixed.items()}
        at[pin] = at[centre] + radius * complex(math.cos(angle), math.sin(angle))
        for new, p, a, q, b, side in self.dyads:
            line = at[q] - at[p]
            length = abs(line)
            along = (a * a - b * b + length * length) / (2 * length)
            across = math.sqrt(a * a - along * along)
            at[new] = at[p] + line / length * complex(along, side * across)
        if self.extension:
            new, a, b, factor = self.extension
            at[new] = at[a] + factor * (at[b] - at[a])
        return {name: (self.scale * z.real, self.scale * z.imag) for name, z in at.items()}


FOUR_BAR = Linkage(
    "four_bar",
    """
Four-bar linkage: crank 0.1 m, coupler 0.35 m, rocker 0.25 m, ground 0.4 m, the crank driven at one turn a second
Shortest + longest = 0.5 m < 0.6 m (Grashof): the crank turns fully, the rocker swings. With the crank at θ and the
diagonal d² = a² + g² − 2 a g cos θ from the pin to the rocker's pivot, the rocker stands at
ψ = π − atan2(a sin θ, g − a cos θ) − acos((c² + d² − b²) / (2 c d)). Joints are hinges; `connect` closes the loop.
""",
    1,
    {"O": (0, 0), "R": (0.4, 0)},
    ("O", 0.1, "A"),
    [("B", "A", 0.35, "R", 0.25, 1)],
    {"crank": (None, "OA"), "coupler": ("crank", "AB"), "rocker": (None, "RB")},
    [("B", "coupler", "rocker")],
    ("rocker", "B"),
)

LAMBDA = Linkage(
    "chebyshev_lambda",
    """
Chebyshev's lambda linkage, driven at one turn a second: the end of the coupler goes straight for half of the turn
Ground 2 a, crank a, rocker and both halves of the coupler 2.5 a, a = 0.1 m. The foot's path is 4.7036 a wide; on its
flat side, at a height of 4 a, it deviates by less than 5 % of the step height over 65 % of the turn.
""",
    0.1,
    {"O": (0, 0), "R": (2, 0)},
    ("O", 1, "A"),
    [("B", "A", 2.5, "R", 2.5, 1)],
    {"crank": (None, "OA"), "coupler": ("crank", "ABE"), "rocker": (None, "RB")},
    [("B", "coupler", "rocker")],
    ("coupler", "E"),
    ("E", "A", "B", 2),
)

JANSEN = Linkage(
    "jansen",
    """
Leg of Theo Jansen's Strandbeest with his thirteen numbers, the crank driven at one turn a second
a 38, b 41.5, c 39.3, d 40.1, e 55.8, f 39.4, g 36.7, h 65.7, i 49, j 50, k 61.9, l 7.8, m 15, in centimetres. Seven
links on hinges, three loops closed by `connect`. The foot's path is 0.67908 m wide and 0.22457 m high, its lowest point
0.91834 m below the axle.
""",
    0.01,
    {"O": (0, 0), "B": (-38, -7.8)},
    ("O", 15, "A"),
    [
        ("C", "A", 50, "B", 41.5, -1),
        ("E", "A", 61.9, "B", 39.3, 1),
        ("D", "C", 55.8, "B", 40.1, -1),
        ("F", "D", 39.4, "E", 36.7, -1),
        ("G", "F", 65.7, "E", 49, -1),
    ],
    {
        "crank": (None, "OA"),
        "upper_rod": ("crank", "AC"),
        "lower_rod": ("crank", "AE"),
        "shoulder": (None, "BCD"),
        "hip": (None, "BE"),
        "strut": ("shoulder", "DF"),
        "leg": ("hip", "EFG"),
    },
    [("C", "upper_rod", "shoulder"), ("E", "lower_rod", "hip"), ("F", "strut", "leg")],
    ("leg", "G"),
)

KLANN = Linkage(
    "klann",
    """
Klann's leg after the example of US patent 6,260,862, the crank driven at one turn a second
Crank 0.268 about (1.599, 0.75), rockers 0.3206 about (1.009, 0.574) and 0.5177 about (1.366, 1.366), connecting rod
0.59, 0.5221, 1.1051, leg 0.8966, 0.8966, 1.732, in metres. Five links on hinges, two loops closed by `connect`. The
foot's path is 1.00867 m wide and 0.52728 m high.
""",
    1,
    {"M": (1.599, 0.75), "U": (1.366, 1.366), "L": (1.009, 0.574)},
    ("M", 0.268, "A"),
    [
        ("E", "A", 0.59, "L", 0.3206, -1),
        ("K", "A", 1.1051, "E", 0.5221, -1),
        ("H", "K", 0.8966, "U", 0.5177, 1),
        ("F", "K", 0.8966, "H", 1.732, -1),
    ],
    {
        "crank": (None, "MA"),
        "rod": ("crank", "AEK"),
        "lower_rocker": (None, "LE"),
        "upper_rocker": (None, "UH"),
        "leg": ("upper_rocker", "HKF"),
    },
    [("E", "rod", "lower_rocker"), ("K", "rod", "leg")],
    ("leg", "F"),
)

LINKAGES = (FOUR_BAR, LAMBDA, JANSEN, KLANN)


def number(value):
    text = repr(round(value, 12))
    return text[:-2] if text.endswith(".0") else text


def site_of_foot(x, z):
    return f'<site name="foot" pos="{number(x)} 0 {number(z)}"/>'


def link_lines(linkage, name, at, origin, colours, prefix="", y=0.0, radius=None, foot=site_of_foot):
    """The body of a link with all that it carries; `origin` is where its parent's frame stands, `foot` its foot."""
    hinge, *others = linkage.links[name][1]
    x, z = at[hinge]
    colour = colours[list(linkage.links).index(name) % len(colours)]
    size = number(radius or 0.02 * max(abs(c) for p in at.values() for c in p))
    lines = [
        f'<body name="{prefix}{name}" pos="{number(x - origin[0])} {number(y)} {number(z - origin[1])}">',
        f'  <joint name="{prefix}{name}" axis="0 -1 0"/>',
    ]
    ends = [hinge, *others]
    for i, a in enumerate(ends):
        for b in ends[i + 1 :]:
            ax, az, bx, bz = (number(u - v) for u, v in zip((*at[a], *at[b]), (x, z, x, z)))
            lines.append(f'  <geom type="capsule" size="{size}" fromto="{ax} 0 {az} {bx} 0 {bz}" rgba="{colour}"/>')
    if linkage.foot[0] == name:
        fx, fz = at[linkage.foot[1]]
        lines.append("  " + foot(fx - x, fz - z))
    for child, (parent, _) in linkage.links.items():
        if parent == name:
            inner = link_lines(linkage, child, at, (x, z), colours, prefix, 0.0, radius, foot)
            lines += ["  " + line for line in inner]
    return [*lines, "</body>"]


def linkage_scene(linkage, colours, light):
    at = linkage.points(0)
    world = [light]
    for name, (parent, _) in linkage.links.items():
        if parent is None:
            world += link_lines(linkage, name, at, (0, 0), colours)
    lines = ["<!--"] + [f"  {line}" for line in linkage.head.strip().splitlines()] + ["-->"]
    lines += [f'<mujoco model="{linkage.name}">', '  <option timestep="0.002" gravity="0 0 -9.81"/>', "  <default>"]
    lines += ['    <geom density="500" contype="0" conaffinity="0"/>', "  </default>", "  <worldbody>"]
    lines += [f"    {line}" for line in world] + ["  </worldbody>", "  <equality>"]
    for point, a, b in linkage.loops:
        x, z = (p - q for p, q in zip(at[point], at[linkage.links[a][1][0]]))
        lines.append(f'    <connect body1="{a}" body2="{b}" anchor="{number(x)} 0 {number(z)}"/>')
    lines += ["  </equality>", "  <actuator>", '    <velocity name="drive" joint="crank" kv="1e5"/>', "  </actuator>"]
    lines += ["  <sensor>", '    <framepos name="foot" objtype="site" objname="foot"/>']
    lines += ['    <jointpos name="crank" joint="crank"/>', "  </sensor>", "  <keyframe>"]
    lines += [f'    <key name="start" ctrl="{number(2 * math.pi)}"/>', "  </keyframe>", "</mujoco>"]
    return "\n".join(lines) + "\n"
