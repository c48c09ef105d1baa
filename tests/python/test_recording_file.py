"""Recordings read by h5py: the layout that docs/files.md promises."""

import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

PROGRAM = Path(sys.executable).parent / "stiction"
ROOT = Path(__file__).resolve().parents[2]
STEPS = 200

SCENE = """<mujoco model="crate">
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.5"/>
    <body name="crate" pos="0 0 0.1">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.1" density="500" friction="0.5"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recording")
    (folder / "crate.xml").write_text(SCENE)
    command = [PROGRAM, "run", folder / "crate.xml", "--steps", str(STEPS), "--out", folder / "stack.h5", "--quiet"]
    subprocess.run(command, check=True, timeout=300)
    return folder / "stack.h5"


@pytest.fixture
def file(path):
    with h5py.File(path) as opened:
        yield opened


def test_the_root_says_what_the_file_is(file):
    assert file.attrs["kind"] == "stiction recording"
    assert file.attrs["format"] == 15
    assert file.attrs["complete"] == 1 and file.attrs["steps"] == STEPS
    assert file.attrs["version"].count(".") == 2


def test_every_dataset_has_unit_and_meaning(file):
    seen = []

    def visit(name, item):
        if isinstance(item, h5py.Dataset):
            assert isinstance(item.attrs["unit"], str), name
            assert item.attrs["meaning"], name
            seen.append(name)

    file.visititems(visit)
    assert len(seen) > 130


def test_states_have_a_row_more_than_steps(file):
    time, q, u = file["states/time"][:], file["states/q"][:], file["states/u"][:]
    assert time.shape == (STEPS + 1,) and q.shape == (STEPS + 1, 7) and u.shape == (STEPS + 1, 6)
    assert np.allclose(np.diff(time), 0.002, rtol=0, atol=1e-15)
    # Velocities of the body origin are exact differences of positions: x⁺ = x + h u⁺.
    assert np.allclose(np.diff(q[:, :3], axis=0), 0.002 * u[1:, :3], rtol=0, atol=1e-15)


def test_forces_of_a_resting_crate_carry_its_weight(file):
    offset, force = file["contacts/offset"][:], file["contacts/force"][:]
    assert offset[0] == 0 and offset[-1] == len(force) == sum(file["reports/contacts"])
    weight = 500 * 0.2 * 0.4 * 0.2 * 9.81
    total = force[offset[-2] : offset[-1]].sum(axis=0)
    # Resting to the tolerance: 1e-8 of g h in velocity is 1e-8 of the weight in force.
    assert np.allclose(total, [0, 0, weight], rtol=0, atol=1e-7 * weight)
    bodies = file["model/body_name"].asstr()[:]
    assert set(bodies[file["contacts/body_b"][:]]) == {"crate"}


def test_types_are_those_of_the_tables(file):
    assert file["contacts/key"].dtype == np.uint64
    assert file["contacts/point"].shape[1] == 3
    assert file["model/body_pose"].shape == (2, 7)
    assert file["options/warm_start"].dtype == np.bool_ and file["options/warm_start"][()]
    assert file["options/solver"].asstr()[()] == "newton"
    assert file["options/gravity"][:].tolist() == [0, 0, -9.81]
    assert file["model"].attrs["nbody"] == 2


def test_a_constant_control_is_stored_once(file):
    assert file["controls/first_step"][:].tolist() == [1]
    assert file["controls/wrench"].shape == (1, 2, 6)


def test_the_example_of_the_docs_runs(path, capsys):
    text = (ROOT / "docs/files.md").read_text()
    example = text.split("```python\n")[1].split("```")[0]
    exec(example.replace('"stack.h5"', repr(str(path))), {})
    printed = capsys.readouterr().out
    assert printed.startswith("N ") and "crate" in printed
