"""The shipped walking machines: they walk, do not fall, and their loops stay closed."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stiction

ROOT = Path(__file__).resolve().parents[2]
# Metres for each turn of the cranks, measured with a step of 2 ms: 0.4086, 0.3641, 0.6394. A foot's stride is 0.2716,
# 0.2017, 0.3395 m; with two pairs of feet in turn the trunk moves by less than two of them.
MACHINES = {"walker": (0.38, 2 * 0.2716), "dog": (0.34, 2 * 0.2017), "giraffe": (0.6, 2 * 0.3395)}


@pytest.mark.parametrize("name", MACHINES)
def test_machine_walks_twenty_turns_without_a_fall(name):
    sim = stiction.Simulation(stiction.load(ROOT / "scenes" / f"{name}.xml"))
    sim.reset("start")
    height = sim.body_pose("trunk").position[2]
    turn = round(1 / sim.options.timestep)
    places = []
    for i in range(20 * turn):
        report = sim.step()
        assert report.ok, sim.describe()
        assert report.certificate.joint_drift < 1e-8  # asked for: 1e-5 m
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
                assert report.certificate.joint_drift < 1e-6  # measured: 4.5e-8
                assert np.abs(sim.solution.lambda_).max() < 1e4  # [N or N m]; 3.2e3 at an impact, weight is 20 to 60
        ways.append(np.linalg.norm(sim.body_pose("trunk").position - start))
    # Contact makes the walk chaotic, the strides are the same.
    assert ways[1] == pytest.approx(ways[0], rel=0.05)
