"""Scenes of Macklin et al. 2019, Non-Smooth Newton Methods: rigid bodies (figure 14) and the flexible beam.

The paper gives masses, friction and the time step; shapes and sizes are ours.
"""

import math
import random

from fetch_beam import beam_16
from scene_text import COLOURS, LIGHT, SKY, body, camera, floor, numbers, scene

TIMESTEP = 0.0083  # [s] table 2


class Arch:
    """Stones between joints normal to the parabola z = RISE (1 − (2x/SPAN)²), BASE above the floor."""

    SPAN, RISE, BASE, DEPTH, DENSITY, STONES = 4.0, 2.0, 0.4, 0.25, 2400, 20
    CROWN, SPRINGING = 0.12331, 0.458917  # [m] thickness that gives stones of 15.0 and 110.0 kg

    def joint(self, i):
        """(x, z) of the inner and of the outer end of joint i, from the left."""
        u = 2 * i / self.STONES - 1
        slope = -4 * self.RISE * u / self.SPAN
        normal = (-slope / math.hypot(1, slope), 1 / math.hypot(1, slope))
        half = (self.CROWN + (self.SPRINGING - self.CROWN) * u * u) / 2
        middle = (u * self.SPAN / 2, self.BASE + self.RISE * (1 - u * u))
        return [tuple(m + side * half * n for m, n in zip(middle, normal)) for side in (-1, 1)]

    def mesh(self, name, outline, centre=(0, 0)):
        """The prism over an outline in x and z, relative to its body; the loader takes the convex hull."""
        points = [(x - centre[0], y, z - centre[1]) for x, z in outline for y in (-self.DEPTH / 2, self.DEPTH / 2)]
        return f'  <mesh name="{name}" vertex="{" ".join(numbers(*p) for p in points)}"/>'


def arch_20():
    head = """
Parabolic arch of 20 stones without mortar: it stands
Macklin et al. 2019, figure 14: masses 15 to 110 kg, μ = 0.6. The parabola spans 4 m and rises 2 m; the joints are
normal to it, the stones grow from 0.123 m at the crown to 0.459 m at the springings, where fixed abutments carry them.
A line of thrust fits inside the stones, and its angle to the joints needs less than μ (tests/python/test_scenes.py
finds such forces by a linear programme). Exact motion: 0. Meshes are read in single precision: joints flush to 1e-7 m.
"""
    arch = Arch()
    (inner, outer), far = arch.joint(0), 2.7
    abutment = [inner, outer, (-far, outer[1]), (-far, 0), (inner[0], 0)]
    meshes = [arch.mesh("left", abutment), arch.mesh("right", [(-x, z) for x, z in abutment])]
    fixed = 'rgba="0.6 0.6 0.6 1"'
    world = [LIGHT, camera((1, -5.5, 2.2), (0, 0, 1.2)), floor(4)] + [
        f'<geom name="{s}" type="mesh" mesh="{s}" {fixed}/>' for s in ("left", "right")
    ]
    for i in range(arch.STONES):
        (a, b), (c, d) = arch.joint(i), arch.joint(i + 1)
        centre = [sum(p[k] for p in (a, b, c, d)) / 4 for k in (0, 1)]
        meshes.append(arch.mesh(f"stone{i}", [a, b, c, d], centre))
        geom = f'type="mesh" mesh="stone{i}" density="{arch.DENSITY}"'
        world += body(f"stone{i}", (centre[0], 0, centre[1]), geom, i)
    return scene("arch_20", head, 0.6, world, TIMESTEP, [*SKY, "<asset>", *meshes, "</asset>"])


def stack_32768():
    head = """
Stack of five boxes of 8, 64, 512, 4096 and 32768 kg, light below: it does not sink
Macklin et al. 2019, figure 14: μ = 0.5. Cubes of 0.2 m, faces flush, centres on one vertical line. The joints carry the
weight above them: 367364.88 N at the floor, then 367286.4, 366658.56, 361635.84, 321454.08 N. Exact motion: 0.
"""
    world = [LIGHT, camera((0.6, -2.2, 1), (0, 0, 0.5)), floor(2)]
    for i in range(5):
        world += body(f"box{i}", (0, 0, (2 * i + 1) / 10), f'type="box" size="0.1 0.1 0.1" mass="{8 ** (i + 1)}"', i)
    return scene("stack_32768", head, 0.5, world, TIMESTEP, SKY)


def turned(rng, tilt):
    """A quaternion: up to `tilt` about a random horizontal axis, then any angle about the vertical."""
    yaw, lean, about = rng.uniform(0, math.pi), tilt * rng.uniform(0.3, 1) / 2, rng.uniform(0, 2 * math.pi)
    w, x, y = math.cos(lean), math.sin(lean) * math.cos(about), math.sin(lean) * math.sin(about)
    c, s = math.cos(yaw), math.sin(yaw)
    return [round(v, 6) for v in (c * w, c * x - s * y, c * y + s * x, s * w)]


def tables_54():
    head = """
Pile of 54 tables of 4.7 kg, dropped: it comes to rest
Macklin et al. 2019, figure 14: non-convex bodies, μ = 0.7. Layers of sixteen tables, each leaning by up to 15° (fixed
seed), none touching at the start; a table is a top of 0.5 × 0.36 × 0.03 m and four legs of 0.34 m. No closed form; what
must hold: every step certified, nothing below the floor, and in the end the floor carries 54 · 4.7 · 9.81 = 2489.78 N.
"""
    rng = random.Random(54)
    world = [LIGHT, camera((1.5, -4.5, 2.6), (0, 0, 0.5)), floor(6)]
    for i in range(54):
        layer, place = divmod(i, 16)
        row, column = divmod(place, 4)
        x, y, z = (column - 1.5) * 0.68, (row - 1.5) * 0.68, 0.27 + 0.53 * layer
        colour = f'rgba="{COLOURS[i % len(COLOURS)]}"'
        pose = f'pos="{numbers(*(round(v, 6) for v in (x, y, z)))}" quat="{numbers(*turned(rng, math.radians(15)))}"'
        world += [f'<body name="table{i}" {pose}>', "  <freejoint/>"]
        world.append(f'  <geom type="box" size="0.25 0.18 0.015" pos="0 0 0.17" mass="3.35" {colour}/>')
        for side in (-1, 1):
            for end in (-1, 1):
                spot = numbers(0.23 * end, 0.16 * side, -0.015)
                world.append(f'  <geom type="box" size="0.02 0.02 0.17" pos="{spot}" mass="0.3375" {colour}/>')
        world.append("</body>")
    return scene("tables_54", head, 0.7, world, TIMESTEP, SKY)


PAPER_SCENES = (arch_20, stack_32768, tables_54, beam_16)
