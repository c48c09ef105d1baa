"""Recordings from Python: what is written is what was simulated."""

import h5py
import numpy as np
import pytest

import stiction


def record(sim, path, steps):
    with stiction.Recorder(path, sim) as recorder:
        for _ in range(steps):
            sim.step()
            recorder.add()


def test_a_recording_reads_back_bit_by_bit(tmp_path, box):
    path = tmp_path / "slide.h5"
    box.state.u[0] = 1
    start = box.state.copy()
    record(box, path, 20)
    recording = stiction.Recording(path)
    assert len(recording) == recording.steps == 20 and recording.version == stiction.__version__
    assert recording.options.timestep == box.options.timestep
    assert recording.model.body_name == box.model.body_name
    assert np.array_equal(recording.state(0).u, start.u)
    assert np.array_equal(recording.state(20).q, box.state.q) and recording.state(20).time == box.state.time
    assert np.array_equal(recording.contacts(20).force, box.contacts.force)
    assert recording.contacts(20).bodies == box.contacts.bodies
    assert recording.report(20).certificate.as_dict() == box.report.certificate.as_dict()
    with pytest.raises(stiction.Error, match="steps 0 to 20, not 21"):
        recording.state(21)


def test_h5py_reads_a_recording(tmp_path, box):
    path = tmp_path / "slide.h5"
    record(box, path, 3)
    names = []
    with h5py.File(path) as file:
        file.visit(names.append)
    assert any(name.endswith("q") for name in names)


def test_a_block_that_fails_leaves_a_truncated_recording(tmp_path, box):
    path = tmp_path / "half.h5"
    with pytest.raises(ZeroDivisionError), stiction.Recorder(path, box) as recorder:
        box.step()
        recorder.add()
        raise ZeroDivisionError
    with pytest.raises(stiction.Error, match="truncated"):
        stiction.Recording(path)
    with pytest.raises(stiction.Error, match="closed"):
        recorder.add()


def test_bad_files_are_errors(tmp_path, box):
    with pytest.raises(stiction.Error, match=r"nothing\.h5"):
        stiction.Recording(tmp_path / "nothing.h5")
    text = tmp_path / "text.h5"
    text.write_text("not HDF5")
    with pytest.raises(stiction.Error, match=r"text\.h5"):
        stiction.Recording(text)
    with pytest.raises(stiction.Error, match="no_folder"):
        stiction.Recorder(tmp_path / "no_folder" / "x.h5", box)
