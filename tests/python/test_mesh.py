"""Meshes from files and arrays; volume and inertia against MuJoCo's compiler."""

import json
import pathlib
import subprocess

import mujoco
import numpy as np
import pytest

import stiction

MESHES = pathlib.Path(__file__).resolve().parents[3] / "shared" / "data" / "meshes"
PROGRAM = pathlib.Path(stiction.__file__).resolve().parents[4] / "bin" / "stiction"


def octahedron():
    vertices = [[1, 0, 0], [-1, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 3], [0, 0, -3]]
    triangles = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    return np.array(vertices, float), np.array(triangles, np.int32)


def obj_text(vertices, triangles):
    lines = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in vertices]
    return "\n".join(lines + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]) + "\n"


def mujoco_mass(path):
    """Mass, centre and inertia about it, in the frame of the file, at density 1."""
    xml = f"""<mujoco><asset><mesh name="m" file="{path}" inertia="exact"/></asset><worldbody><body>
    <joint type="free"/><geom type="mesh" mesh="m" density="1"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, model.body_iquat[1])
    rotation = rotation.reshape(3, 3)
    return model.body_mass[1], model.body_ipos[1], rotation @ np.diag(model.body_inertia[1]) @ rotation.T


def test_octahedron_from_arrays_has_its_closed_form():
    vertices, triangles = octahedron()
    mesh = stiction.TriangleMesh(vertices, triangles)
    assert np.array_equal(mesh.vertices, vertices) and np.array_equal(mesh.triangles, triangles)
    report = mesh.report()
    assert report.closed and report.outward and report.problems() == []
    assert report.volume == pytest.approx(4 / 3 * 1 * 2 * 3, rel=1e-14)  # V = 4/3 a b c
    # ∫ x² = V a²/10
    assert np.allclose(np.diag(report.inertia), report.volume / 10 * np.array([13, 10, 5]), rtol=1e-14)
    assert "closed yes" in str(report)


def test_file_agrees_with_arrays_and_mujoco(tmp_path):
    rng = np.random.default_rng(5)
    vertices, triangles = octahedron()
    vertices = vertices + rng.uniform(-0.3, 0.3, vertices.shape)
    path = tmp_path / "o.obj"
    path.write_text(obj_text(vertices, triangles))
    mesh = stiction.read_mesh(path)
    assert np.array_equal(mesh.vertices, vertices) and np.array_equal(mesh.triangles, triangles)
    report, (mass, centre, inertia) = mesh.report(), mujoco_mass(path)
    # MuJoCo keeps vertices as floats.
    assert report.volume == pytest.approx(mass, rel=1e-6)
    assert np.allclose(report.centre_of_mass, centre, atol=1e-6)
    assert np.allclose(report.inertia, inertia, atol=1e-6 * np.trace(inertia))


def test_bad_arrays_and_files_are_named(tmp_path):
    with pytest.raises(stiction.Error, match="triangle 0 names vertex 7 of 6"):
        stiction.TriangleMesh(octahedron()[0], [[0, 1, 7]]).report()
    with pytest.raises(stiction.Error, match="rows of three"):
        stiction.TriangleMesh([[0, 0]], [[0, 0, 0]])
    # 2⁴⁰ would be vertex 0 in 32 bits.
    with pytest.raises(stiction.Error, match=r"triangles: entry \(0, 2\) is 1099511627776, which int32 cannot hold"):
        stiction.TriangleMesh(np.zeros((3, 3)), np.array([[0, 1, 2**40]]))
    with pytest.raises(stiction.Error, match=r"tetrahedra: entry \(0, 3\) is -4294967295"):
        stiction.TetrahedralMesh(np.zeros((4, 3)), np.array([[0, 1, 2, 1 - 2**32]]))
    path = tmp_path / "bad.obj"
    path.write_text("v 0 0 0\nf 1 2 3\n")
    with pytest.raises(stiction.Error, match=r"bad\.obj:2: the face names vertex 2; only 1"):
        stiction.read_mesh(path)


def test_program_reports_on_a_mesh(tmp_path):
    vertices, triangles = octahedron()
    path = tmp_path / "open.obj"
    path.write_text(obj_text(vertices, triangles[1:]))
    done = subprocess.run([PROGRAM, "mesh", path, "--json"], capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert not report["closed"] and report["boundary_edges"] == 3
    assert report["problems"] == ["open: 3 edges have one triangle only"]
    path.write_text(obj_text(vertices, triangles))
    done = subprocess.run([PROGRAM, "mesh", path], capture_output=True, text=True)
    assert done.returncode == 0 and "closed yes, oriented yes, outward yes" in done.stdout
    assert subprocess.run([PROGRAM, "mesh", tmp_path / "none.obj"], capture_output=True).returncode == 2


@pytest.mark.skipif(not MESHES.exists(), reason="../shared/data is absent")
def test_closed_shared_meshes_have_mujocos_mass():
    compared = 0
    for path in sorted(MESHES.rglob("*.obj")):
        report = stiction.read_mesh(path).report()
        # Of a file with several objects MuJoCo may take a part.
        if not report.outward or report.components > 1 or report.degenerate_triangles:
            continue
        try:
            mass, _, inertia = mujoco_mass(path)
        except ValueError:
            continue  # too small for MuJoCo, or not closed after its merging
        # Vertices as floats: 6e-8 of the size each, over an area; the ratio to the volume grows for thin shells.
        slack = 1e-6 * report.area * report.size
        assert report.volume == pytest.approx(mass, abs=slack), path
        assert np.allclose(report.inertia, inertia, atol=slack * report.size**2), path
        compared += 1
    assert compared >= 10


def test_message_quotes_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "broken.obj"
    path.write_bytes(b"v 0 0 \xff\xc1\n")
    with pytest.raises(stiction.Error, match=r"broken.obj:1: .*\\xff\\xc1"):
        stiction.read_mesh(path)
    path.write_bytes("v 0 0 größe\n".encode())
    with pytest.raises(stiction.Error, match="größe"):
        stiction.read_mesh(path)
