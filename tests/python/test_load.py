"""Loading from Python: paths, errors with the words of the command line, warnings."""

import warnings

import pytest

import stiction

SCENE = """
<mujoco model="drop">
  <option timestep="0.004"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="ball" pos="0 0 0.5">
      <freejoint/>
      <geom name="ball" type="sphere" size="0.1" friction="0.4"/>
    </body>
  </worldbody>
  <keyframe><key name="up" qpos="0 0 2 1 0 0 0" qvel="0 0 1 0 0 0"/></keyframe>
</mujoco>
"""

HINGE = """
<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="elbow" type="hinge" axis="0 1 0" damping="1 2"/>
      <geom name="rod" type="capsule" size="0.1 0.2"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "drop.xml"
    path.write_text(SCENE)
    return path


def test_load_takes_paths_and_strings(scene):
    model = stiction.load(scene)
    assert model.name == "drop" and model.options.timestep == 0.004
    assert stiction.load(str(scene)).shape_friction[model.shape("ball"), 0] == 0.4


def test_free_fall_is_a_parabola(scene):
    sim = stiction.Simulation(stiction.load(scene), timestep=0.001)
    sim.step(100)
    assert sim.state.q[2] == pytest.approx(0.5 - 9.81 * 0.1**2 / 2, abs=1e-12)


def test_reset_to_a_keyframe(scene):
    sim = stiction.Simulation(stiction.load(scene))
    sim.step(10)
    sim.reset("up")
    assert list(sim.state.q[:3]) == [0, 0, 2] and sim.state.u[2] == 1
    assert list(sim.model.key_q[0, :3]) == [0, 0, 2] and sim.model.key_name == ["up"]
    sim.reset()
    assert sim.state.q[2] == 0.5 and sim.state.time == 0
    with pytest.raises(stiction.Error, match="no keyframe named 'down'"):
        sim.reset("down")


def test_a_missing_file_is_an_error_that_names_it(tmp_path):
    with pytest.raises(stiction.Error, match=r"nowhere\.xml"):
        stiction.load(tmp_path / "nowhere.xml")


def test_malformed_xml_is_an_error_with_its_line(tmp_path):
    path = tmp_path / "broken.xml"
    path.write_text("<mujoco>\n<worldbody>\n<geom tipe='sphere' size='1'/>\n</worldbody></mujoco>")
    with pytest.raises(stiction.Error, match=r"(?s)broken\.xml.*line 3"):
        stiction.load(path)


def test_a_joint_that_cannot_be_simulated_yet_says_so(tmp_path):
    path = tmp_path / "hinge.xml"
    path.write_text(HINGE)
    with pytest.raises(stiction.Error, match="elbow"):
        stiction.Simulation(stiction.load(path))


ARM = """<mujoco><worldbody><body name="arm"><joint name="elbow" axis="0 1 0" {joint}/>
<geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" {geom}/></body></worldbody>{rest}</mujoco>"""


@pytest.mark.parametrize(
    "joint, geom, rest, words",
    [
        ("", "", '<actuator><motor name="m" joint="elbw"/></actuator>', ["'elbw'", "actuator"]),
        ('range="1 -1" limited="true"', "", "", ["'elbow'", "range"]),
        ("", "", '<actuator><position name="servo" joint="elbow" kp="nan"/></actuator>', ["'servo'", "finite"]),
        ('damping="nan"', "", "", ["'elbow'", "damping"]),
        ("", 'mass="0"', "", ["'arm'", "mass"]),
        ("", "", '<equality><connect name="loop" body1="arm" anchor=".4 0 0"/></equality>', []),
        ("", "", '<equality><joint name="gear" joint1="elbow" joint2="wrist"/></equality>', ["'wrist'"]),
    ],
    ids=["missing joint", "range", "gain", "damping", "inertia", "closed loop", "missing coupling"],
)
def test_a_mechanism_that_cannot_be_names_its_element(tmp_path, joint, geom, rest, words):
    path = tmp_path / "arm.xml"
    path.write_text(ARM.format(joint=joint, geom=geom, rest=rest))
    if not words:
        stiction.Simulation(stiction.load(path))
        return
    with pytest.raises(stiction.Error) as error:
        stiction.Simulation(stiction.load(path))
    assert all(word in str(error.value) for word in words), error.value


def test_a_loop_that_cannot_close_names_the_equality(tmp_path):
    path = tmp_path / "bridge.xml"
    rod = (
        '<body pos="{x} 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.3"/>{site}</body>'
    )
    bodies = "".join(rod.format(x=x, site=f'<site name="tip{x}" pos="0 0 -.3"/>') for x in (0, 1))
    connect = '<equality><connect name="bridge" site1="tip0" site2="tip1"/></equality>'
    path.write_text(f"<mujoco><worldbody>{bodies}</worldbody>{connect}</mujoco>")
    with pytest.raises(stiction.Error, match="equality 'bridge': it cannot be met"):
        stiction.Simulation(stiction.load(path))


def test_the_report_lists_what_was_left_out(tmp_path, scene):
    report = stiction.LoadReport()
    stiction.load(scene, report=report)
    assert not [issue for issue in report.issues if issue.changes_physics]
    path = tmp_path / "sensor.xml"
    path.write_text(
        SCENE.replace(
            "</mujoco>", "<worldbody><site name='eye'/></worldbody><sensor><rangefinder site='eye'/></sensor></mujoco>"
        )
    )
    stiction.load(path, report=report)
    assert report.issues or report.notes
    assert str(report)


URDF = """<robot name="arm"><link name="base"/>
  <link name="rod"><collision><geometry><box size="0.1 0.1 0.2"/></geometry></collision></link>
  <joint name="pin" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint></robot>"""


@pytest.mark.parametrize(
    "name, text, words",
    [
        (
            "eye.xml",
            "<mujoco><worldbody><site name='eye'/></worldbody><sensor><rangefinder site='eye'/></sensor></mujoco>",
            "sensor is not evaluated",
        ),
        ("arm.urdf", URDF, "link 'rod': it moves without an inertial element"),
    ],
)
def test_what_is_left_out_or_assumed_is_a_warning(tmp_path, name, text, words):
    path = tmp_path / name
    path.write_text(text)
    with pytest.warns(UserWarning, match=words):
        stiction.load(path)


def test_an_ordinary_scene_gives_no_warning(scene):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        stiction.load(scene)
