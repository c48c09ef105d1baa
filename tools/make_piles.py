"""Writes the two large piles, which are too large to ship: bodies dropped into a pit.

python3 tools/make_piles.py FOLDER [--convex 1000] [--meshes 200] [--friction 0.5] [--rolling METRES] [--side BODIES]

FOLDER/pile_convex_N.xml    spheres, capsules, boxes, cylinders, ellipsoids and hulls
FOLDER/pile_meshes_N.xml    tori, angles, crosses and cups, which are not convex: run it with --meshes triangles
"""

import argparse
import math
import random
from pathlib import Path

from scene_text import LIGHT, body, floor, numbers, random_rotation

CELL = 0.196  # [m] edge of the cubes in which the bodies start


def mesh_asset(name, vertices, faces):
    points = " ".join(numbers(*(round(c, 6) for c in v)) for v in vertices)
    corners = " ".join(str(i) for face in faces for i in face)
    return f'<mesh name="{name}" vertex="{points}"' + (f' face="{corners}"/>' if faces else "/>")


def hull(rng, radius):
    """Twelve points on an ellipsoid; the loader takes their convex hull."""
    radii = [radius * rng.uniform(0.5, 0.95) for _ in range(3)]
    points = []
    for _ in range(12):
        d = [rng.gauss(0, 1) for _ in range(3)]
        length = math.sqrt(sum(c * c for c in d))
        points.append([r * c / length for r, c in zip(radii, d, strict=True)])
    return points


def torus(radius, around=16, across=8):
    ring, tube = 0.7 * radius, 0.28 * radius
    vertices = []
    for i in range(around):
        for k in range(across):
            u, v = 2 * math.pi * i / around, 2 * math.pi * k / across
            reach = ring + tube * math.cos(v)
            vertices.append([reach * math.cos(u), reach * math.sin(u), tube * math.sin(v)])
    faces = []
    for i in range(around):
        for k in range(across):
            a, b = i * across + k, (i + 1) % around * across + k
            c, d = (i + 1) % around * across + (k + 1) % across, i * across + (k + 1) % across
            faces += [[a, b, c], [a, c, d]]
    return vertices, faces


def prism(outline, cuts, half):
    """An outline (counter-clockwise) between z = ∓half; `cuts` are the triangles of the outline."""
    n = len(outline)
    vertices = [[x, y, z] for z in (-half, half) for x, y in outline]
    faces = [[c, b, a] for a, b, c in cuts] + [[n + a, n + b, n + c] for a, b, c in cuts]
    for i in range(n):
        j = (i + 1) % n
        faces += [[i, j, n + j], [i, n + j, n + i]]
    return vertices, faces


def angle(radius):
    a, b = 0.7 * radius, 0.25 * radius
    outline = [(-a, -a), (a, -a), (a, -a + 2 * b), (-a + 2 * b, -a + 2 * b), (-a + 2 * b, a), (-a, a)]
    return prism(outline, [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)], 0.3 * radius)


def cross(radius):
    a, b = 0.85 * radius, 0.28 * radius
    quarter = [(a, -b), (a, b), (b, b)]
    outline = []
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        outline += [(x * p - y * q, y * p + x * q) for p, q in quarter]
    arms = [(11, 0, 1), (11, 1, 2), (2, 3, 4), (2, 4, 5), (5, 6, 7), (5, 7, 8), (8, 9, 10), (8, 10, 11)]
    return prism(outline, [*arms, (11, 2, 5), (11, 5, 8)], 0.3 * radius)


def cup(radius, sides=12):
    outer, inner, half, base = 0.6 * radius, 0.48 * radius, 0.7 * radius, -0.5 * radius
    rings = [(outer, -half), (outer, half), (inner, half), (inner, base)]
    vertices = [
        [r * math.cos(2 * math.pi * i / sides), r * math.sin(2 * math.pi * i / sides), z]
        for r, z in rings
        for i in range(sides)
    ]
    faces = []
    for ring in range(3):
        for i in range(sides):
            j = (i + 1) % sides
            a, b = ring * sides + i, ring * sides + j
            faces += [[a, b, b + sides], [a, b + sides, a + sides]]
    low, high = len(vertices), len(vertices) + 1
    vertices += [[0, 0, -half], [0, 0, base]]
    for i in range(sides):
        j = (i + 1) % sides
        faces += [[low, j, i], [high, 3 * sides + i, 3 * sides + j]]
    return vertices, faces


def convex_shape(rng, radius, hulls):
    size = radius * rng.uniform(0.6, 1)
    kind = rng.choice(["sphere", "capsule", "box", "cylinder", "ellipsoid", "mesh"])
    if kind == "mesh":
        return f'type="mesh" mesh="{rng.choice(hulls)}"'
    if kind == "sphere":
        sizes = [0.7 * size]
    elif kind == "capsule":
        share = rng.uniform(0.35, 0.6)
        sizes = [share * size, (1 - share) * size]
    elif kind == "cylinder":
        turn = rng.uniform(0.5, 1)
        sizes = [math.sin(turn) * size, math.cos(turn) * size]
    elif kind == "ellipsoid":
        sizes = [rng.uniform(0.5, 0.95) * size for _ in range(3)]
    else:
        sides = [rng.uniform(0.5, 1) for _ in range(3)]
        diagonal = math.sqrt(sum(s * s for s in sides))
        sizes = [s / diagonal * size for s in sides]
    return f'type="{kind}" size="{numbers(*(math.floor(s * 1e4) / 1e4 for s in sizes))}"'


def pile(name, count, side, surface, assets, shape, rng):
    """Layers over a square pit that holds `side` bodies along each side."""
    half, height = side * CELL / 2 + 0.01, count / side**2 * CELL
    world = [LIGHT, floor(2 * side * CELL)]
    for wall, x, y in (("west", -1, 0), ("east", 1, 0), ("south", 0, -1), ("north", 0, 1)):
        sizes = (0.05 if x else half + 0.1, 0.05 if y else half + 0.1, height / 2)
        place = ((half + 0.05) * x, (half + 0.05) * y, height / 2)
        world.append(f'<geom name="{wall}" type="box" pos="{numbers(*place)}" size="{numbers(*sizes)}"/>')
    for i in range(count):
        layer, place = divmod(i, side * side)
        row, column = divmod(place, side)
        position = ((column - (side - 1) / 2) * CELL, (row - (side - 1) / 2) * CELL, 0.12 + layer * CELL)
        rotation = f'quat="{numbers(*random_rotation(rng))}"'
        world += body(f"body{i}", [round(p, 6) for p in position], shape(rng), i, rotation)
    lines = [f'<mujoco model="{name}">', '  <option timestep="0.005" gravity="0 0 -9.81"/>']
    lines += ["  <default>", f'    <geom {surface} density="800"/>', "  </default>"]
    lines += ["  <asset>", *(f"    {asset}" for asset in assets), "  </asset>", "  <worldbody>"]
    lines += [*(f"    {line}" for line in world), "  </worldbody>", "</mujoco>"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--convex", type=int, default=1000)
    parser.add_argument("--meshes", type=int, default=200)
    parser.add_argument("--friction", type=float, default=0.5, help="coefficient of sliding")
    parser.add_argument("--rolling", type=float, help="lever of rolling friction [m]; without it balls roll on and on")
    parser.add_argument("--side", type=int, help="bodies along each side of the pit; default: a pit deeper than wide")
    arguments = parser.parse_args()
    radius = CELL / 2 - 0.002

    surface = f'friction="{numbers(arguments.friction)}"'
    if arguments.rolling is not None:
        surface = f'condim="6" friction="{numbers(arguments.friction, 0.005, arguments.rolling)}"'

    def side_of(count):
        return arguments.side or max(2, round((count / 3) ** (1 / 3) * 1.2))

    arguments.folder.mkdir(parents=True, exist_ok=True)

    rng = random.Random(1000)
    hulls = {f"hull{i}": hull(rng, radius) for i in range(10)}
    assets = [mesh_asset(name, points, []) for name, points in hulls.items()]
    text = pile(
        "pile_convex",
        arguments.convex,
        side_of(arguments.convex),
        surface,
        assets,
        lambda r: convex_shape(r, radius, list(hulls)),
        rng,
    )
    (arguments.folder / f"pile_convex_{arguments.convex}.xml").write_text(text)

    rng = random.Random(200)
    meshes = {make.__name__: make(radius) for make in (torus, angle, cross, cup)}
    assets = [mesh_asset(name, *mesh) for name, mesh in meshes.items()]
    text = pile(
        "pile_meshes",
        arguments.meshes,
        side_of(arguments.meshes),
        surface,
        assets,
        lambda r: f'type="mesh" mesh="{r.choice(list(meshes))}"',
        rng,
    )
    (arguments.folder / f"pile_meshes_{arguments.meshes}.xml").write_text(text)


if __name__ == "__main__":
    main()
