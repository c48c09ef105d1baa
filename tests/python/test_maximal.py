"""Maximal coordinates with contact, and the ways to ask for them."""

import subprocess
import sys
from pathlib import Path

import pytest

import stiction

ROOT = Path(__file__).resolve().parents[2]


def doll():
    """A torso with four limbs of two capsules each, on ball joints and hinges with limits, above a floor."""
    builder = stiction.Builder("doll", timestep=0.005)
    builder.add_shape_plane(0, friction=0.8)
    torso = builder.add_body("torso", (0, 0, 0.8))
    builder.add_joint_free(torso)
    builder.add_shape_box(torso, (0.15, 0.1, 0.25), friction=0.8)
    for name, x, z in [("arm_l", -0.25, 0.2), ("arm_r", 0.25, 0.2), ("leg_l", -0.12, -0.3), ("leg_r", 0.12, -0.3)]:
        upper = builder.add_body(f"{name}_upper", (x, 0, z), parent=torso)
        ball = builder.add_joint(upper, stiction.JointType.ball, (0, 0, 1), name=f"{name}_ball")
        builder.set_joint(ball, upper=1.2, damping=0.2, armature=0.005)
        builder.add_shape_capsule(upper, 0.05, 0.08, (0, 0, -0.13), friction=0.8)
        lower = builder.add_body(f"{name}_lower", (0, 0, -0.26), parent=upper)
        hinge = builder.add_joint(lower, stiction.JointType.hinge, (1, 0, 0), name=f"{name}_hinge")
        builder.set_joint(hinge, lower=-0.1, upper=2, damping=0.1, friction=0.05)
        builder.add_shape_capsule(lower, 0.045, 0.08, (0, 0, -0.13), friction=0.8)
    return builder.build()


def test_joints_hold_through_impacts_and_rest():
    reduced = doll()
    sim = stiction.Simulation(stiction.to_maximal(reduced))
    sim.state.u[3:6] = 1.0, 2.0, 0.5
    touched = 0
    for _ in range(2000):
        report = sim.step()
        assert report.ok, sim.describe()
        assert report.certificate.joint_drift < 1e-9
        touched += report.contacts > 0
    assert touched > 1000
    assert sim.body_pose("torso").position[2] < 0.5  # it fell


def test_loader_and_program_take_the_option(tmp_path):
    path = ROOT / "scenes" / "four_bar.xml"
    maximal = stiction.load(path, coordinates="maximal")
    assert maximal.nv == stiction.load(path).nv + 6 * 3
    assert list(maximal.joint_name[-3:]) == ["crank", "coupler", "rocker"]
    with pytest.raises(stiction.Error, match="'reduced' or 'maximal'"):
        stiction.load(path, coordinates="polar")
    with pytest.raises(stiction.Error, match="maximal coordinates"):
        stiction.Dynamics(maximal)
    program = Path(sys.executable).with_name("stiction")
    recording = tmp_path / "run.h5"
    for arguments in (["run", path, "--maximal", "--steps", "20", "--out", recording], ["check", recording]):
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
