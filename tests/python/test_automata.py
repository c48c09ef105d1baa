"""The shipped walking machines: they walk, do not fall, and their loops stay closed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stiction

ROOT = Path(__file__).resolve().parents[2]
# Metres for each turn of the cranks, measured with a step of 2 ms: 0.530, 0.403, 0.563 under coulomb, 0.503, 0.405,
# 0.564 under compliant-energy (docs/robots.md has all). A foot's stride is 0.2716, 0.2017, 0.3395 m; with two pairs
# of feet in turn the trunk moves by about two of them while feet do not slip, and less where they do. The walker also
# rocks forward over its feet, which adds up to a tenth; its gait is chaotic: under compliant-force 0.552 in one build
# and 0.578 in another that rounds differently.
MACHINES = {"walker": (0.45, 2.3 * 0.2716), "dog": (0.38, 2.1 * 0.2017), "giraffe": (0.53, 2 * 0.3395)}
# Springs and how far loops may open [m]; asked for: 1e-5. Least squares of velocities open them wherever a foot slips
# or lifts, whatever the stiffness (test_compliant.py).
MODELS = {
    "coulomb": ({}, 1e-8),
    "compliant-force": ({"spring_preset": "stiff-pins"}, 1e-5),
    "compliant-energy": ({"spring_preset": "stiff"}, 1e-5),
    "compliant": ({}, 5e-3),
}


@pytest.mark.parametrize("contact_model", MODELS)
@pytest.mark.parametrize("name", MACHINES)
def test_machine_walks_twenty_turns_without_a_fall(name, contact_model):
    springs, open_by = MODELS[contact_model]
    sim = stiction.Simulation(stiction.load(ROOT / "scenes" / f"{name}.xml"), contact_model=contact_model, **springs)
    sim.reset("start")
    height = sim.body_pose("trunk").position[2]
    turn = round(1 / sim.options.timestep)
    places = []
    for i in range(20 * turn):
        report = sim.step()
        assert report.ok, sim.describe()
        assert report.certificate.joint_drift < open_by
        if i % 50 == 0:
            pose = sim.body_pose("trunk")
            assert pose.rotation[2][2] > 0.9, "the trunk tips"
            assert pose.position[2] > 0.8 * height
        if (i + 1) % turn == 0:
            places.append(sim.body_pose("trunk").position[:2])
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    least, most = MACHINES[name]
    assert least < steps.mean() < most
    assert steps.min() > 0.8 * least


def test_cranks_of_the_dog_follow_their_profiles():
    """f(α) = α + a (sin(α + φ) − sin φ) at α = 2π t, with a = 0.3 and φ = 2π (phase − 0.5), the phases of a trot."""
    model = stiction.load(ROOT / "scenes" / "dog.xml")
    sim = stiction.Simulation(model)
    sim.reset("start")
    phases = {"left_front": 0, "right_front": 0.5, "left_rear": 0.5, "right_rear": 0}
    for i in range(750):
        sim.step()
        alpha = 2 * np.pi * (i + 1) * sim.options.timestep
        for leg, phase in phases.items():
            joint = model.joint_name.index(f"{leg}_crank")
            place = 2 * np.pi * (phase - 0.5)
            wanted = alpha + 0.3 * (np.sin(alpha + place) - np.sin(place))
            # 16 samples and cubics between them: (2π/16)⁴ a/384 off the sine and more at Catmull and Rom's slopes.
            assert sim.state.q[model.joint_q[joint]] == pytest.approx(wanted, abs=1e-3)


def test_the_design_loop_finds_a_dog_that_walks_as_far_or_farther():
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / "design_walker.py", "--quick"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    built, best = (float(line.split(":")[1].split()[0]) for line in done.stdout.splitlines())
    assert best >= built > 0.3
    assert "9/9" in done.stderr


@pytest.mark.parametrize("name", MACHINES)
def test_machine_walks_in_maximal_coordinates(name):
    """Loops of held joints say things twice, closed in space as planar as they are: forces stay what the load makes."""
    reduced = stiction.load(ROOT / "scenes" / f"{name}.xml")
    ways, turn = [], round(1 / reduced.options.timestep)
    for model in (reduced, stiction.to_maximal(reduced)):
        sim = stiction.Simulation(model)
        sim.reset("start")
        start = sim.body_pose("trunk").position
        for i in range(3 * turn):
            report = sim.step()
            assert report.ok, sim.describe()
            if i > 5:  # the first steps bring the start into line
                assert report.certificate.joint_drift < 1e-7  # measured: 1.4e-8 (dog and giraffe)
                assert np.abs(sim.solution.lambda_).max() < 2e4  # [N or N m]; 9.2e3 at an impact, weight is 20 to 60
        ways.append(np.linalg.norm(sim.body_pose("trunk").position - start))
    # Contact makes the walk chaotic, the strides are the same.
    assert ways[1] == pytest.approx(ways[0], rel=0.05)


@pytest.mark.parametrize("contact_model", [model for model in MODELS if model != "coulomb"])
@pytest.mark.parametrize("name", MACHINES)
def test_machine_walks_in_maximal_coordinates_on_springs(name, contact_model):
    """The paper's setting: every joint a spring. Half a turn; docs/robots.md has the figures of two turns."""
    springs, open_by = MODELS[contact_model]
    model = stiction.load(ROOT / "scenes" / f"{name}.xml", coordinates="maximal")
    sim = stiction.Simulation(model, contact_model=contact_model, **springs)
    sim.reset("start")
    start = sim.body_pose("trunk").position
    for i in range(round(0.5 / sim.options.timestep)):
        report = sim.step()
        assert report.ok, sim.describe()
        if i > 5:
            assert report.certificate.joint_drift < open_by
    pose = sim.body_pose("trunk")
    assert pose.rotation[2][2] > 0.95
    assert np.linalg.norm((pose.position - start)[:2]) > 0.15
