"""Robots of their makers' files on a floor, 5 s: exact contact in every step."""

import pytest
from robots import SHARED

import stiction

# file, keyframe
STANDING = [
    ("scenes/mujoco_model/humanoid/humanoid.xml", None),
    ("robots_mjcf/anybotics_anymal_b/scene.xml", None),
    ("robots_mjcf/unitree_go2/scene.xml", "home"),
    ("robots_mjcf/unitree_g1/scene.xml", None),
    ("robots_mjcf/unitree_h1/scene.xml", None),
    ("robots_mjcf/wonik_allegro/scene_right.xml", None),
    ("robots_mjcf/shadow_hand/scene_right.xml", None),
    ("robots_mjcf/franka_emika_panda/scene.xml", None),
    ("robots_mjcf/agility_cassie/scene.xml", "home"),
]


@pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not there")
@pytest.mark.parametrize("coordinates", ["reduced", "maximal"])
@pytest.mark.parametrize(("path", "keyframe"), STANDING, ids=lambda value: str(value).split("/")[-2:][0])
def test_every_step_of_five_seconds_meets_the_certificate(path, keyframe, coordinates):
    simulation = stiction.Simulation(stiction.load(SHARED / path, coordinates=coordinates))
    if keyframe:
        simulation.reset(keyframe)
    touched = 0
    while simulation.state.time < 5:
        report = simulation.step()
        assert report.ok, simulation.describe()
        assert report.certificate.residual <= 1e-8, simulation.describe()
        touched += report.contacts > 0
        # Cassie's file leaves its loops open by a millimetre, which is closed first. Measured: 3.7e-8 (G1, maximal).
        assert report.certificate.joint_drift <= 1e-6 or simulation.state.steps <= 50
    assert touched > 0
