"""Linkages with loops, driven through full turns: every point lies where the circles of its bars meet."""

import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import stiction

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
from linkages import LINKAGES  # noqa: E402

PUBLISHED = {"jansen": "jansen", "klann": "klann_patent", "chebyshev_lambda": "chebyshev_lambda"}


def driven(name, coordinates, turns):
    """(crank angle, foot) after every step of so many turns at one turn a second."""
    sim = stiction.Simulation(stiction.load(ROOT / "scenes" / f"{name}.xml", coordinates=coordinates))
    sim.reset("start")
    path = []
    for _ in range(round(turns / sim.options.timestep)):
        report = sim.step()
        assert report.ok, sim.describe()
        assert report.certificate.joint_drift < 1e-6
        path.append((sim.sensor("crank")[0], *sim.sensor("foot")))
    return np.array(path)


@pytest.mark.parametrize("coordinates", ["reduced", "maximal"])
@pytest.mark.parametrize("linkage", LINKAGES, ids=lambda linkage: linkage.name)
def test_foot_lies_where_the_circles_of_the_bars_meet(linkage, coordinates):
    path = driven(linkage.name, coordinates, 2)
    assert path[-1, 0] == pytest.approx(4 * math.pi, abs=1e-2)
    exact = np.array([linkage.points(angle)[linkage.foot[1]] for angle in path[:, 0]])
    # Loops close to 3e-10 m; a foot moves a few times as far as its crank pin. Measured: 3e-10 to 8e-10 m in reduced
    # coordinates; in maximal ones, where planar loops have more rows than they need, up to 1e-6 m in the first step,
    # in which the crank is brought from rest to its speed.
    assert np.abs(path[:, [1, 3]] - exact).max() < (1e-8 if coordinates == "reduced" else 2e-6)
    assert np.abs(path[:, 2]).max() < 1e-6
    assert np.ptp(path[:, 1]) > 0.02  # it moves


def test_four_bar_rocker_has_its_angle_in_closed_form():
    sim = stiction.Simulation(stiction.load(ROOT / "scenes" / "four_bar.xml"))
    sim.reset("start")
    rocker, crank = (sim.model.joint_q[sim.model.joint(name)] for name in ("rocker", "crank"))
    a, b, c, g = 0.1, 0.35, 0.25, 0.4

    def angle(theta):
        diagonal = math.hypot(g - a * math.cos(theta), a * math.sin(theta))
        between = math.acos((c * c + diagonal * diagonal - b * b) / (2 * c * diagonal))
        return math.pi - math.atan2(a * math.sin(theta), g - a * math.cos(theta)) - between

    start = angle(0)
    for _ in range(500):
        sim.step()
        assert sim.state.q[rocker] == pytest.approx(angle(sim.state.q[crank]) - start, abs=1e-8)


@pytest.mark.parametrize("name", sorted(PUBLISHED))
def test_foot_path_is_the_published_one(name):
    file = ROOT.parent / "shared" / "data" / "linkages" / f"{PUBLISHED[name]}.json"
    if not file.is_file():
        pytest.skip("needs ../shared/data/linkages")
    published = json.loads(file.read_text())
    linkage = next(linkage for linkage in LINKAGES if linkage.name == name)
    path = driven(name, "reduced", 1.02)
    for degrees, x, z in published["foot_path_every_10deg"]:
        angle = math.radians(degrees)
        if not path[0, 0] <= angle <= path[-1, 0]:
            continue
        # Between two steps of 0.72° the path is a parabola up to 1e-6 of the linkage's size.
        near = np.clip(np.searchsorted(path[:, 0], angle), 1, len(path) - 2)
        window = path[near - 1 : near + 2]
        foot = [np.polyval(np.polyfit(window[:, 0] - angle, window[:, k], 2), 0) for k in (1, 3)]
        assert foot == pytest.approx([linkage.scale * x, linkage.scale * z], abs=1e-5 * linkage.scale * 100)
    width = np.ptp(path[:, 1]) / linkage.scale
    assert width == pytest.approx(published["checks"]["stride_width"], rel=1e-3)


@pytest.mark.parametrize("contact", [True, False])
@pytest.mark.parametrize("coordinates", ["reduced", "maximal"])
def test_robotiq_gripper_closes_with_its_loops_shut(coordinates, contact):
    file = ROOT.parent / "shared" / "data" / "robots_mjcf" / "robotiq_2f85" / "2f85.xml"
    if not file.is_file():
        pytest.skip("needs ../shared/data/robots_mjcf")
    model = stiction.load(file, coordinates=coordinates)
    if not contact:
        none = np.zeros(model.nshape, int)
        model = model.replace(shape_contype=none, shape_conaffinity=none)
    sim = stiction.Simulation(model)
    sim.control.input[:] = 255
    right, left = (model.joint_q[model.joint(f"{side}_driver_joint")] for side in ("right", "left"))
    for step in range(1000):
        report = sim.step()
        assert report.ok, sim.describe()
        assert step < 20 or report.certificate.joint_drift < 1e-9  # loops of the file are open by its rounding
        assert report.certificate.residual <= 1e-8
    assert sim.state.q[right] == pytest.approx(sim.state.q[left], abs=1e-9)
    assert sim.state.q[right] > 0.7  # closed: the range ends at 0.8
    if contact:  # the pads meet before that
        pads = {model.body("right_pad"), model.body("left_pad")}
        forces = np.linalg.norm(sim.contacts.force, axis=1)
        met = [{int(a), int(b)} == pads for a, b in zip(sim.contacts.body_a, sim.contacts.body_b, strict=True)]
        assert max(f for f, pair in zip(forces, met, strict=True) if pair) > 1
        assert sim.state.q[right] == pytest.approx(0.774172, abs=1e-5)
