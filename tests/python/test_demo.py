"""The demo: its scene is certified in every step, its tools print and draw."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import stiction

ROOT = Path(__file__).resolve().parents[2]
SCENE = ROOT / "scenes" / "demo.xml"


def test_every_step_of_the_demo_is_certified():
    sim = stiction.Simulation(stiction.load(SCENE))
    sim.reset("start")
    log = sim.model.joint_q[sim.model.body_joint[sim.model.body("log2")]]
    start = sim.state.q[log : log + 3].copy()
    for _ in range(600):
        report = sim.step()
        assert report.ok, sim.describe()
        # Friction never does positive work: h Σ λ_t·v_t ≤ 0, up to the certified error of v_t.
        error = report.certificate.dissipation_velocity
        assert report.certificate.friction_work <= 0.002 * np.abs(sim.contacts.force).sum() * error
    # Crates and dominoes have moved; the logs stand by friction alone (they need 0.27 of the 0.6 there is).
    assert sim.state.q[2::7].min() < 0.15
    assert np.linalg.norm(sim.state.q[log : log + 3] - start) < 1e-9


@pytest.fixture
def recording(tmp_path):
    sim = stiction.Simulation(stiction.load(SCENE))
    path = tmp_path / "demo.h5"
    with stiction.Recorder(path, sim) as recorder:
        for _ in range(4):
            sim.step()
            recorder.add()
    return path


def draw(*arguments):
    command = [sys.executable, ROOT / "tools" / "draw_recording.py", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_recording_is_drawn(recording, tmp_path):
    picture = tmp_path / "demo.png"
    done = draw(recording, SCENE, picture, "--camera", "demo", "--size", 160, 90, "--times", 0, 0.008)
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    image = pytest.importorskip("PIL.Image").open(picture)
    assert image.size == (2 * 160 + 6, 90)
    assert len(image.convert("RGB").getcolors(1 << 20)) > 20  # something is to be seen


def test_another_scene_is_not_drawn(recording, tmp_path):
    done = draw(recording, ROOT / "scenes" / "incline_26.xml", tmp_path / "x.png")
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 1 and "another scene?" in done.stderr
