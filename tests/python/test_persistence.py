"""Contacts keep their ids while nothing moves: warm starts find the force of the step before."""

import math

import pytest

import stiction


def resting_shapes(tmp_path):
    """One body of every shape at rest on a plane, and one on a fixed block, each in a stable pose."""
    geoms = [
        ('type="sphere" size=".1"', "", 0.1),
        ('type="capsule" size=".1 .2"', 'euler="0 90 0"', 0.1),
        ('type="box" size=".1 .1 .1"', 'euler="0 0 20"', 0.1),
        ('type="cylinder" size=".1 .1"', "", 0.1),
        ('type="cylinder" size=".1 .2"', 'euler="90 0 0"', 0.1),
        ('type="ellipsoid" size=".2 .15 .1"', "", 0.1),
        ('type="mesh" mesh="prism"', "", 0.1),
    ]
    text = '<mujoco><compiler angle="degree"/><option timestep=".002"/><asset><mesh name="prism" vertex="'
    text += " ".join(f"{x} {y} {z}" for z in (-0.1, 0.1) for x, y in ((0.2, 0), (-0.1, 0.15), (-0.1, -0.15)))
    text += '"/></asset><worldbody><geom type="plane" size="0 0 1" friction=".5"/>'
    text += '<geom type="box" size="5 1 .5" pos="0 4 .5" friction=".5"/>'
    for i, (geom, turn, height) in enumerate(geoms):
        for base, y in ((0, 0), (1, 4)):
            text += f'<body pos="{i - 3} {y} {base + height}" {turn}><freejoint/><geom {geom} friction=".5"/></body>'
    path = tmp_path / "resting.xml"
    path.write_text(text + "</worldbody></mujoco>")
    return path


def resting_surfaces(tmp_path):
    """Rings of triangles and other shapes on a plane, a block, a mesh and a height field with a flat middle."""
    sides = 12
    ring = [(math.cos(2 * math.pi * i / sides), math.sin(2 * math.pi * i / sides)) for i in range(sides)]
    vertices = [(r * x, r * y, z) for r, z in ((0.1, -0.05), (0.2, -0.05), (0.2, 0.05), (0.1, 0.05)) for x, y in ring]
    faces = []
    for k in range(4):
        for i in range(sides):
            j = (i + 1) % sides
            a, b, c, d = (k * sides + i, k * sides + j, (k + 1) % 4 * sides + j, (k + 1) % 4 * sides + i)
            faces += [(a, c, b), (a, d, c)]
    heights = [[max(0, abs(r - 4) - 2) / 2 for _ in range(41)] for r in range(9)]
    text = '<mujoco><compiler angle="degree"/><option timestep=".002"/><asset>'
    text += f'<mesh name="ring" vertex="{flat(vertices)}" face="{flat(faces)}"/>'
    corners = [(0.1 * x, 0.1 * y, 0.1 * z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    sides_of_box = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    cut = [(a, b, c) for a, b, c, _ in sides_of_box] + [(a, c, d) for a, _, c, d in sides_of_box]
    text += f'<mesh name="slab" scale="40 8 1" vertex="{flat(corners)}" face="{flat(cut)}"/>'
    text += f'<hfield name="ground" nrow="9" ncol="41" size="5 1 .5 .1" elevation="{flat(heights)}"/>'
    text += "</asset><worldbody>"
    text += '<geom type="plane" size="0 0 1" friction=".5"/>'
    text += '<geom type="box" size="5 1 .5" pos="0 4 -.4" friction=".5"/>'
    text += '<geom type="mesh" mesh="slab" pos="0 8 0" friction=".5"/>'
    text += '<geom type="hfield" hfield="ground" pos="0 12 .1" friction=".5"/>'
    geoms = [
        ('type="mesh" mesh="ring"', 'euler="0 0 7"', 0.05),
        ('type="box" size=".2 .1 .1"', 'euler="0 0 20"', 0.1),
        ('type="sphere" size=".1"', "", 0.1),
        ('type="capsule" size=".1 .2"', 'euler="0 90 0"', 0.1),
        ('type="cylinder" size=".1 .1"', "", 0.1),
        ('type="ellipsoid" size=".2 .15 .1"', "", 0.1),
    ]
    for i, (geom, turn, height) in enumerate(geoms):
        for base, y in ((0, 0), (0.1, 4), (0.1, 8), (0.1, 12)):
            text += f'<body pos="{i - 2.6} {y + 0.04} {base + height}" {turn}><freejoint/>'
            text += f'<geom {geom} friction=".5"/></body>'
    path = tmp_path / "surfaces.xml"
    path.write_text(text + "</worldbody></mujoco>")
    return path


def flat(rows):
    return " ".join(str(value) for row in rows for value in row)


@pytest.mark.parametrize("name", ["shapes", "surfaces", "stack_10", "wall_100", "card_house"])
def test_resting_contacts_keep_their_ids(name, tmp_path):
    """At least 95 % of the keys are those of the step before."""
    made = {"shapes": resting_shapes, "surfaces": resting_surfaces}
    path = made[name](tmp_path) if name in made else stiction.scene(name)
    sim = stiction.Simulation(stiction.load(path, meshes="triangles" if name == "surfaces" else "hulls"))
    sim.step(50)
    known, found, all_contacts = set(sim.contacts.key.tolist()), 0, 0
    for _ in range(50):
        assert sim.step().ok, sim.describe()
        keys = sim.contacts.key.tolist()
        assert len(set(keys)) == len(keys)
        found += len(known & set(keys))
        all_contacts += len(keys)
        known = set(keys)
    assert abs(sim.state.u).max() < 1e-3
    assert all_contacts > 50 * 14
    assert found >= 0.95 * all_contacts
