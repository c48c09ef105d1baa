"""Contacts keep their ids while nothing moves: warm starts find the force of the step before."""

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


@pytest.mark.parametrize("name", ["shapes", "stack_10", "wall_100", "card_house"])
def test_resting_contacts_keep_their_ids(name, tmp_path):
    """At least 95 % of the keys are those of the step before."""
    path = resting_shapes(tmp_path) if name == "shapes" else stiction.scene(name)
    sim = stiction.Simulation(stiction.load(path))
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
