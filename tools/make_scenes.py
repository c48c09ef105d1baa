"""Writes the scenes that are too regular, too large or too exact to write by hand.

python3 tools/make_scenes.py           writes all but the scenes of a few lines into scenes/
python3 tools/make_scenes.py --check   fails if one of them is not what this program writes
"""

import math
import random
import sys
from pathlib import Path

from automata import AUTOMATA, automaton_scene
from linkages import LINKAGES, linkage_scene
from paper_scenes import PAPER_SCENES
from scene_text import COLOURS, LIGHT, body, floor, numbers, random_rotation, scene

SCENES = Path(__file__).resolve().parent.parent / "scenes"


def stack_10():
    head = """
Stack of ten boxes: nothing moves
Ten cubes of 0.2 m and 1 kg, faces flush, centres on one vertical line, μ = 0.5. Equilibrium: the joint below the k-th
box from the top carries k m g = 9.81 k N, 98.1 N at the floor. Exact motion: 0.
"""
    world = [LIGHT, floor(2)]
    for i in range(10):
        world += body(f"box{i}", (0, 0, (2 * i + 1) / 10), 'type="box" size="0.1 0.1 0.1" mass="1"', i)
    return scene("stack_10", head, 0.5, world)


def heavy_stack():
    head = """
Stack of five boxes, the top one 4096 times heavier than the lowest: nothing moves
Cubes of 0.2 m with 1, 8, 64, 512, 4096 kg from the floor up, faces flush, centres on one vertical line, μ = 0.5.
The joints carry the weight above them: 45920.61 N at the floor, then 45910.8, 45832.32, 45204.48, 40181.76 N. Exact
motion: 0. Hard for a solver: a light body between heavy ones makes the contact matrix ill-conditioned.
"""
    world = [LIGHT, floor(2)]
    for i in range(5):
        world += body(f"box{i}", (0, 0, (2 * i + 1) / 10), f'type="box" size="0.1 0.1 0.1" mass="{8**i}"', i)
    return scene("heavy_stack", head, 0.5, world)


def wall_100():
    head = """
Wall of 100 bricks in ten courses: nothing moves
Bricks of 0.2 × 0.1 × 0.1 m and 2 kg, each course shifted by a quarter of a brick against the one below, 2 mm open
joints between the bricks of a course, μ = 0.6. Every brick's centre lies over the brick below it, so vertical forces
alone carry the wall: 10 m g = 196.2 N per column of the lowest course on average. Exact motion: 0.
"""
    world = [LIGHT, floor(3)]
    for course in range(10):
        for i in range(10):
            x = (i - 4.5) * 0.202 + (0.025 if course % 2 else -0.025)
            geom = 'type="box" size="0.1 0.05 0.05" mass="2"'
            world += body(f"brick{course}_{i}", (round(x, 12), 0, (2 * course + 1) / 20), geom, course + i)
    return scene("wall_100", head, 0.6, world)


class Card:
    """A thin box in the plane y = 0, leaning by `angle` from the vertical: to the right for angle > 0.

    Its lowest edge is the inner one of its foot (on the side to which it leans), at (x, z).
    """

    LENGTH, THICKNESS, DEPTH = 0.24, 0.01, 0.16

    def __init__(self, x, z, angle):
        self.angle = angle
        self.up = (math.sin(angle), math.cos(angle))
        side = math.copysign(1, angle)
        self.inward = (side * math.cos(angle), -side * math.sin(angle))
        self.foot = (x, z)

    def point(self, along, inward):
        """The point `along` the inner face from the foot, `inward` of it."""
        return tuple(f + along * u + inward * n for f, u, n in zip(self.foot, self.up, self.inward))

    def body(self, name, colour):
        x, z = self.point(self.LENGTH / 2, -self.THICKNESS / 2)
        # A rotation by the angle about y.
        quat = (math.cos(self.angle / 2), 0, math.sin(self.angle / 2), 0)
        size = numbers(self.THICKNESS / 2, self.DEPTH / 2, self.LENGTH / 2)
        return body(name, (x, 0, z), f'type="box" size="{size}"', colour, f'quat="{numbers(*quat)}"')


def tent(name, x, z, colour):
    """Two cards that lean against each other over x, with their feet at the height z."""
    angle = math.radians(16)
    half_width = Card.LENGTH * math.sin(angle)
    left, right = Card(x - half_width, z, angle), Card(x + half_width, z, -angle)
    return left.body(f"{name}_left", colour) + right.body(f"{name}_right", colour + 1), left.point(
        Card.LENGTH, -Card.THICKNESS
    )[1]


def card_house():
    head = """
House of seven cards, leaning and lying: it stands
Cards of 0.24 × 0.16 × 0.01 m, density 1000, μ = 0.5. Two tents stand on the floor, a card lies across them, a third
tent stands on it. The cards of a tent lean by θ = 16° and touch along their upper inner edges: with the edges of the
feet three lines of contact, a three-hinged frame, rigid as long as nothing slips. A card of weight W that carries P
needs about (W/2 + P)/(W + P) tan θ < tan θ = 0.287 < μ of friction at its foot. At the top the force between the two is
horizontal, at the angle θ to the normal of either face: tan θ < μ again. tests/python/test_scenes.py finds such forces
for the whole house. Exact motion: 0.
"""
    floor_tents = []
    for name, x, colour in (("west", -0.15, 0), ("east", 0.15, 2)):
        lines, top = tent(name, x, 0, colour)
        floor_tents += lines
    half = Card.THICKNESS / 2
    deck = body("deck", (0, 0, top + half), f'type="box" size="0.24 {numbers(Card.DEPTH / 2, half)}"', 4)
    upper, _ = tent("upper", 0, top + 2 * half, 5)
    return scene("card_house", head, 0.5, [LIGHT, floor(2), *floor_tents, *deck, *upper])


def random_shape(rng, radius):
    """Attributes of a sphere, a capsule or a box that fits into a ball of the given radius."""
    size = radius * rng.uniform(0.6, 1)
    kind = rng.choice(["sphere", "capsule", "box"])
    if kind == "sphere":
        sizes = [0.7 * size]
    elif kind == "capsule":
        share = rng.uniform(0.35, 0.6)
        sizes = [share * size, (1 - share) * size]
    else:
        sides = [rng.uniform(0.5, 1) for _ in range(3)]
        diagonal = math.sqrt(sum(s * s for s in sides))
        sizes = [s / diagonal * size for s in sides]
    return f'type="{kind}" size="{numbers(*(math.floor(s * 1e4) / 1e4 for s in sizes))}" density="800"'


def pile_500():
    head = """
Pile of 500 spheres, capsules and boxes, dropped on a floor with a fence
A column of layers of 36, 1.2 × 1.2 m wide, which collapses into a heap; what rolls off it stays within a fence of
3 × 3 m. No two bodies touch at the start; random shapes, sizes and rotations (fixed seed), μ = 0.3, no restitution. No
closed form; what must hold: every step certified, all bodies stay inside the fence, the energy never grows, and the
floor carries the whole weight in the end.
"""
    rng = random.Random(500)
    wall = 'type="box" rgba="0.6 0.6 0.6 0.3"'
    world = [LIGHT, floor(3)]
    for name, x, y in (("west", -1, 0), ("east", 1, 0), ("south", 0, -1), ("north", 0, 1)):
        half = (0.05 if x else 1.6, 0.05 if y else 1.6, 0.3)
        world.append(f'<geom name="{name}" {wall} pos="{numbers(1.55 * x, 1.55 * y, 0.3)}" size="{numbers(*half)}"/>')
    cell = 0.196
    for i in range(500):
        layer, place = divmod(i, 36)
        row, column = divmod(place, 6)
        position = ((column - 2.5) * cell, (row - 2.5) * cell, 0.12 + layer * cell)
        shape = random_shape(rng, cell / 2 - 0.002)
        rotation = f'quat="{numbers(*random_rotation(rng))}"'
        world += body(f"body{i}", (round(p, 6) for p in position), shape, i, rotation)
    return scene("pile_500", head, 0.3, world)


def main():
    check = "--check" in sys.argv[1:]
    stale = []
    texts = {make.__name__: make() for make in (stack_10, heavy_stack, wall_100, card_house, pile_500, *PAPER_SCENES)}
    texts |= {linkage.name: linkage_scene(linkage, COLOURS, LIGHT) for linkage in LINKAGES}
    texts |= {machine.name: automaton_scene(machine, COLOURS, LIGHT) for machine in AUTOMATA}
    for name, text in texts.items():
        path = SCENES / f"{name}.xml"
        if not check:
            path.write_text(text)
        elif not path.is_file() or path.read_text() != text:
            stale.append(path.name)
    if stale:
        sys.exit(f"scenes/ is not what tools/make_scenes.py writes: {', '.join(stale)}")


if __name__ == "__main__":
    main()
