"""The program `stiction`: figures, exit codes, and what it says about bad input."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import h5py
import pytest

PROGRAM = Path(sys.executable).parent / "stiction"
SHARED = Path(__file__).resolve().parents[3] / "shared"

SCENE = """<!-- A crate slides and a ball rolls on the floor. -->
<mujoco model="crate">
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="0.5"/>
    <body name="crate" pos="0 0 0.1">
      <freejoint/>
      <geom type="box" size="0.1 0.2 0.1" friction="0.5"/>
    </body>
    <body name="ball" pos="1 0 0.15">
      <freejoint/>
      <geom type="sphere" size="0.1" friction="0.5"/>
    </body>
  </worldbody>
  <keyframe>
    <key name="start" qpos="0 0 0.1 1 0 0 0 1 0 0.15 1 0 0 0" qvel="1 0.3 0 0 0 0 2 0 0 0 0 0"/>
    <key name="rest" qpos="0 0 0.1 1 0 0 0 1 0 0.1 1 0 0 0"/>
  </keyframe>
</mujoco>
"""


def stiction(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=cwd)


def figures(*arguments, code=0):
    done = stiction(*arguments, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)  # fails if anything else stands on standard output


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("cli")
    (path / "crate.xml").write_text(SCENE)
    return path


@pytest.fixture(scope="module")
def recording(folder):
    path = folder / "crate.h5"
    assert stiction("run", folder / "crate.xml", "--steps", 300, "--out", path).returncode == 0
    return path


def copy_of(path, name):
    copy = path.with_name(name)
    copy.write_bytes(path.read_bytes())
    return copy


def test_version_is_that_of_the_header():
    header = Path(__file__).resolve().parents[2] / "include/stiction/version.hpp"
    version = re.search(r'"([0-9.]+)"', header.read_text()).group(1)
    assert stiction("--version").stdout == f"stiction {version}\n"


def test_help_names_every_command():
    text = stiction("--help").stdout
    for command in ("run", "check", "replay", "solve", "scenes"):
        assert command in text
        assert stiction(command, "--help").returncode == 0


def test_run_prints_the_promised_figures(folder):
    run = figures("run", folder / "crate.xml", "--duration", 0.4)
    assert run["steps"] == 200 and run["time"] == pytest.approx(0.4)
    assert run["status"] == "ok" and run["failure"] is None
    assert run["bodies"] == 2 and run["dofs"] == 12
    assert run["keyframe"] == "start" and run["solver"] == "newton" and run["integrator"] == "midpoint"
    assert run["wall_s"] > 0 and run["steps_per_s"] == pytest.approx(200 / run["wall_s"])
    for key in ("contacts", "iterations", "factorisations"):
        assert 0 < run[key]["mean"] <= run[key]["max"]
    certificate = run["certificate"]
    for law in ("momentum", "complementarity", "cone", "dissipation", "box"):
        assert 0 <= certificate[law] <= run["tolerance"]
        assert certificate[law + "_m_s"] >= 0
    assert certificate["penetration_m"] >= 0 and certificate["joint_drift"] == 0
    worst = certificate["worst"]
    assert 1 <= worst["step"] <= 200
    assert worst["value"] == certificate[worst["law"]]
    assert {worst["body_a"], worst["body_b"]} <= {"world", "crate", "ball", ""}
    assert run["tolerance_missed"] == {"count": 0, "steps": []}
    assert 0.5 < run["warm_matched_share"] <= 1
    assert run["fallbacks"] == {"interior": 0, "proximal": 0}
    assert set(run["seconds_per_stage"]) >= {"kinematics", "collide", "assemble", "solve", "certify", "integrate"}


def test_summary_names_the_keyframe(folder):
    assert "the keyframe 'start'" in stiction("run", folder / "crate.xml", "--steps", 1).stdout
    assert "the keyframe 'rest'" in stiction("run", folder / "crate.xml", "--steps", 1, "--keyframe", "rest").stdout


def test_progress_is_not_drawn_into_a_pipe(folder):
    assert stiction("run", folder / "crate.xml", "--steps", 50, "--json").stderr == ""


def test_settings_change_the_physics(folder):
    """The crate slides v²/(2 μ g): twice the friction, half the way."""
    ways = []
    for mu in (0.5, 1.0):
        out = folder / "slide.h5"
        figures("run", folder / "crate.xml", "--duration", 1, "--set", f"friction={mu}", "--out", out)
        with h5py.File(out) as file:
            ways.append(file["states/q"][-1, 0] - file["states/q"][0, 0])
    assert ways[0] / ways[1] == pytest.approx(2, rel=0.02)  # to the step error h v
    assert figures("run", folder / "crate.xml", "--steps", 1, "--timestep", 0.01)["time"] == pytest.approx(0.01)
    lunar = figures("run", folder / "crate.xml", "--steps", 5, "--set", "gravity=0 0 -1.62", "--solver", "newton")
    assert lunar["status"] == "ok"


def test_contact_models_are_judged_by_their_own_laws(folder):
    glued = figures("run", folder / "crate.xml", "--steps", 100, "--set", "contact_model=bilateral")
    assert glued["status"] == "ok" and glued["certificate"]["box"] < 1e-8
    assert glued["certificate"]["coulomb_cone"] > 1e-3 and glued["certificate"]["cone"] == 0
    text = stiction("run", folder / "crate.xml", "--steps", 100, "--set", "contact_model=spring-implicit")
    assert text.returncode == 0 and "not asked of this contact model" in text.stdout
    exact = figures("run", folder / "crate.xml", "--steps", 100)
    assert exact["certificate"]["coulomb_cone"] == 0


def test_a_missed_tolerance_names_step_contact_and_what_to_do(folder):
    arguments = ["run", folder / "crate.xml", "--steps", 100, "--set", "tolerance=1e-30"]
    done = stiction(*arguments, "--json")
    assert done.returncode == 1
    run = json.loads(done.stdout)
    assert run["status"] == "tolerance_missed"
    assert run["tolerance_missed"]["count"] == len(run["tolerance_missed"]["steps"]) > 0
    first = run["tolerance_missed"]["steps"][0]
    assert f"step {first} " in done.stderr and "between 'world' and" in done.stderr
    assert "in island 0 of 1 (trees: 1, blocks of rows: 4)" in done.stderr
    command = next(line for line in done.stderr.splitlines() if "--export-problem" in line).split()
    assert command[:2] == ["stiction", "run"]
    again = stiction(*command[1:], cwd=folder)
    assert again.returncode == 1
    solved = figures("solve", folder / f"step_{first}.h5")
    assert solved["problems"][0]["problem"] == f"step_{first}"


def test_check_and_replay_accept_a_recording(recording):
    check = figures("check", recording)
    assert check["status"] == "ok" and check["steps"] == 300 and check["findings"]["count"] == 0
    assert check["contact_mismatch_m"] == 0 and check["certificate"]["worst"]["step"] >= 1
    replay = figures("replay", recording)
    assert replay["same"] is True and replay["steps"] == 300 and replay["difference"] == ""


@pytest.mark.parametrize(
    "dataset, row, factor",
    [("contacts/force", (600, 2), 1.00001), ("states/u", (20, 0), 1.00001), ("states/q", (20, 0), 1.00001)],
)
def test_check_finds_a_changed_number(recording, dataset, row, factor):
    copy = copy_of(recording, "changed.h5")
    with h5py.File(copy, "r+") as file:
        assert file[dataset][row] != 0
        file[dataset][row] *= factor
    check = figures("check", copy, code=1)
    assert check["status"] == "bad" and check["findings"]["count"] >= 1
    assert re.match(r"step \d+: ", check["findings"]["first"][0])


def test_replay_names_the_first_difference(recording):
    copy = copy_of(recording, "other.h5")
    with h5py.File(copy, "r+") as file:
        file["states/u"][120, 0] += 1e-15
    done = stiction("replay", copy)
    assert done.returncode == 1
    assert "step 120: velocity, entry 0 of joint" in done.stderr and "'crate'" in done.stderr


def test_an_exported_problem_is_solved_again(folder):
    path = folder / "problem.h5"
    figures("run", folder / "crate.xml", "--steps", 60, "--export-problem", 50, path, "--export-problem", 60, path)
    solved = figures("solve", path)
    assert [row["problem"] for row in solved["problems"]] == ["step_50", "step_60"]
    assert solved["summary"][0]["solved_share"] == 1
    for row in solved["problems"]:
        assert row["solved"] and row["residual"] <= 1e-8
    one = figures("solve", path, "--name", "step_60", "--cold", "--tolerance", 1e-6)
    assert len(one["problems"]) == 1
    every = stiction("solve", path, "--solver", "all", "--json")
    solvers = {row["solver"] for row in json.loads(every.stdout)["problems"]}
    assert "newton" in solvers


def test_a_problem_is_converted_and_solved_in_other_formats(folder):
    path = folder / "to_convert.h5"
    figures("run", folder / "crate.xml", "--steps", 60, "--export-problem", 60, path)
    for form in ("fclib-local", "fclib-global"):
        out = folder / f"{form}.hdf5"
        assert stiction("convert", path, out, "--to", form).returncode == 0
        assert figures("solve", out)["problems"][0]["problem"] == form
    with h5py.File(folder / "fclib-global.hdf5") as file:
        assert file["fclib_global/spacedim"][0] == 3


def test_solvers_are_compared_on_a_scene_and_on_a_problem(folder):
    picture = folder / "curves.svg"
    result = figures("compare", folder / "crate.xml", "--step", 60, "--solvers", "newton,pgs,admm", "--plot", picture)
    assert [run["solver"] for run in result["solvers"]] == ["newton", "pgs", "admm"]
    for run in result["solvers"]:
        assert run["solved"] and run["residual"][-1] <= 1e-8
        assert len(run["iterations"]) == len(run["seconds"]) == len(run["residual"])
    assert picture.read_text().count("<polyline") == 6  # three curves over iterations and three over time
    problem = folder / "to_compare.h5"
    figures("run", folder / "crate.xml", "--steps", 60, "--export-problem", 60, problem)
    table = stiction("compare", problem, "--solvers", "newton,newton-fb")
    assert table.returncode == 0 and "newton-fb" in table.stdout and "step_60" in table.stdout
    assert stiction("compare", problem, "--solvers", "newton,simplex").returncode == 2


def test_figures_of_the_paper_are_drawn(tmp_path):
    out = tmp_path / "paper"
    result = stiction("bench", "paper-004", "--figures", "11", "--out", str(out))
    assert result.returncode == 0, result.stderr
    assert (out / "tables.md").read_text() in result.stdout
    assert result.stderr == "figure 11 …\n"  # without a terminal a line for each
    assert (out / "figure_11.svg").read_text().count("<polyline") == 8  # four linear solvers on two scenes
    least = {}
    for line in (out / "tables.md").read_text().splitlines()[4:]:
        if line.startswith("|"):
            scene, solver, _, value, _ = (cell.strip() for cell in line.strip("|").split("|"))
            least[scene, solver] = float(value)
    # On the stack, whose bodies differ by 4096, relaxation stalls where Krylov methods do not.
    stack = next(scene for scene, _ in least if scene.startswith("stack"))
    assert least[stack, "pcr"] < 1e-3 * least[stack, "gauss-seidel"]


def test_equalities_that_contradict_each_other_are_named(folder):
    matrices = {"M": (1, 1, [(0, 0, 1.0)]), "H": (1, 2, [(0, 0, 1.0)]), "G": (1, 2, [(0, 0, 1.0), (0, 1, 1.0)])}
    with h5py.File(folder / "contradiction.hdf5", "w") as file:
        group = file.create_group("fclib_global")
        group["spacedim"] = [2]
        for name, (rows, cols, entries) in matrices.items():
            matrix = group.create_group(name)
            for field, value in {"m": rows, "n": cols, "nz": len(entries), "nzmax": len(entries)}.items():
                matrix[field] = [value]
            matrix["i"], matrix["p"], matrix["x"] = map(list, zip(*entries))
        vectors = {"f": [1.0], "w": [0.0, 0.0], "b": [1.0, -1.0], "mu": [0.5]}
        for name, values in vectors.items():
            group[f"vectors/{name}"] = values
    done = stiction("solve", folder / "contradiction.hdf5")
    assert done.returncode == 1
    assert "the equalities of rows 2, 3 contradict each other" in done.stderr


# Two contacts, on one point of 1 kg from two sides, that both want it to move away with 1 m/s.
OPPOSED = """kind local
dim 2
nc 2
matrix W 4 4 8
0 0 1\n0 2 -1\n2 0 -1\n2 2 1\n1 1 1\n1 3 1\n3 1 1\n3 3 1
vector q 4\n-1\n0\n-1\n0
vector mu 2\n0.5\n0.5
"""


def test_contacts_that_contradict_each_other_are_named(folder):
    path = folder / "opposed.fcp"
    path.write_text(OPPOSED)
    done = stiction("solve", path)
    assert done.returncode == 1 and " NO\n" in done.stdout
    assert "has no solution: no motion satisfies the blocks 0, 1 at once" in done.stderr
    table = stiction("compare", path, "--max-iterations", 200)
    assert table.returncode == 1 and "no solver reached 1e-08" in table.stderr
    compared = json.loads(stiction("compare", path, "--max-iterations", 200, "--json").stdout)
    assert not any(row["solved"] or row["push_out_reduced"] for row in compared["solvers"])


def test_equalities_are_no_contacts_of_the_table(folder):
    done = stiction("solve", folder / "contradiction.hdf5", "--json")
    (row,) = json.loads(done.stdout)["problems"]
    assert row["contacts"] == 1 and row["rows"] == 4


def test_the_end_of_the_iterations_is_not_a_solution():
    folder = SHARED / "data/problems/robots"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: the collected problems are not here")
    summary = figures("solve", folder / "cards.h5", "--cold", "--max-iterations", 5, code=1)["summary"][0]
    assert summary["solved"] == 0 and summary["reduced"] == 0
    # Of the hand's problems two are proven to have no solution with all push-out.
    summary = figures("solve", folder / "shadow.h5", "--cold")["summary"][0]
    assert summary["solved"] == 60 and summary["reduced"] == 2


def test_an_unsolved_problem_is_named(folder):
    path = folder / "unsolved.h5"
    figures("run", folder / "crate.xml", "--steps", 50, "--export-problem", 50, path)
    done = stiction("solve", path, "--tolerance", 1e-30)
    assert done.returncode == 1
    assert "problem 'step_50' was not solved by newton" in done.stderr


def test_scenes_are_listed_and_run_by_name():
    done = stiction("scenes")
    if done.returncode != 0:
        pytest.skip("no shipped scenes are installed")
    names = [scene["name"] for scene in figures("scenes")["scenes"]]
    assert len(names) >= 5
    assert all(scene["meaning"] for scene in figures("scenes")["scenes"])
    assert figures("run", names[0], "--steps", 2)["steps"] == 2


def test_problems_of_robots_are_solved():
    folder = SHARED / "data/problems/robots"
    if not folder.is_dir():
        pytest.skip(f"no {folder}: the collected problems are not here")
    solved = figures("solve", folder / "go2.h5")
    assert solved["summary"][0]["problems"] == 60
    assert solved["summary"][0]["solved_share"] == 1


def test_ctrl_c_finishes_the_recording(folder):
    path = folder / "interrupted.h5"
    command = [PROGRAM, "run", str(folder / "crate.xml"), "--duration", "100000", "--out", str(path), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    os.kill(process.pid, signal.SIGINT)
    output = process.communicate(timeout=60)[0]
    assert process.returncode == 130
    run = json.loads(output)
    assert run["status"] == "interrupted" and run["steps"] > 0
    with h5py.File(path) as file:
        assert file.attrs["complete"] == 1 and file.attrs["steps"] == run["steps"]


def test_a_crash_leaves_a_recording_that_is_refused(folder):
    path = folder / "crashed.h5"
    command = [PROGRAM, "run", str(folder / "crate.xml"), "--duration", "100000", "--out", str(path), "--quiet"]
    process = subprocess.Popen(command)
    time.sleep(1)
    process.kill()
    process.wait(timeout=60)
    done = stiction("check", path)
    assert done.returncode == 2
    assert "truncated" in done.stderr


BROKEN_XML = '<mujoco><worldbody><body name="a"><geom type="box" size="1 1 1"/></worldbody></mujoco>'


@pytest.mark.parametrize(
    "arguments, expected",
    [
        ([], "subcommand"),
        (["bogus"], "there is no command 'bogus'. Commands: run, check, replay, solve, scenes"),
        (["run", "{crate}", "--timestep", "-1"], "--timestep: -1 is out of range: it must be greater than 0"),
        (["run", "{crate}", "--steps", "-1"], "--steps: -1 is out of range: it must be at least 0"),
        (["run", "{crate}", "--threads", "-1"], "--threads: -1 is out of range: it must be at least 0"),
        (["run"], "scene"),
        (["run", "{crate}", "--bogus"], "--bogus"),
        (["run", "{crate}", "--set", "foo=1"], "no option 'foo'"),
        (["run", "{crate}", "--set", "timestep=fast"], "timestep"),
        (["run", "{crate}", "--set", "timestep"], "name=value"),
        (["run", "{crate}", "--set", "friction=-1"], "friction"),
        (["run", "{crate}", "--set", "restitution=2"], "restitution"),
        (["run", "{crate}", "--solver", "magic"], "there is no solver 'magic'"),
        (["run", "{crate}", "--set", "solver=magic"], "Solvers: newton, newton-fb, newton-minmap"),
        (["run", "{crate}", "--keyframe", "begin"], "begin"),
        (["run", "{crate}", "--steps", "10", "--export-problem", "11", "x.h5"], "1 … 10"),
        (["run", "{crate}", "--steps", "1", "--out", "/no/such/folder/x.h5"], "cannot be created"),
        (["run", "{crate}", "--steps", "1", "--duration", "2"], "--duration"),
        (["run", "missing.xml"], "missing.xml: there is no such file; the working folder is"),
        (["run", "no_such_scene"], "no_such_scene"),
        (["run", "{broken}"], "broken.xml"),
        (["check", "missing.h5"], "no such file"),
        (["check", "{crate}"], "not an HDF5 file"),
        (["check", "{cut}"], "truncated or damaged"),
        (["check", "{unfinished}"], "truncated"),
        (["replay", "{newer}"], "format number 99"),
        (["check", "{gap}"], "'/contacts/force' is missing"),
        (["check", "{problems}"], "its kind is 'stiction problems', expected 'stiction recording'"),
        (["solve", "{recording}"], "its kind is 'stiction recording', expected 'stiction problems'"),
        (["solve", "missing.h5"], "no such file"),
        (["solve", "{problems}", "--name", "zero"], "no contact problem 'zero'"),
        (["solve", "{problems}", "--solver", "magic"], "there is no solver 'magic'"),
        (["solve", "{problems}", "--precision", "half"], "there is no precision 'half'. Precisions: double, float"),
        (["solve", "{problems}", "--tolerance", "inf"], "inf is out of range"),
        (["solve", "{problems}", "--solver", "newton-fb", "--linear-forcing", "nan"], "nan is out of range"),
        (["solve", "{problems}", "--solver", "newton-fb", "--linear-forcing", "5"], "at least 0 and below 1"),
        (["compare", "{problems}", "--plot", "x.png"], "'x.png' does not end in .svg"),
        (["convert", "{local}", "x.hdf5"], "write it with --to fclib-local"),
        (["bench", "paper-005", "--out", "x"], "there is no experiment 'paper-005'. Experiments: paper-004"),
        (["bench", "paper-004", "--out", "x", "--figures", "12"], "paper-004 has the figures 11, 16, 17 and 18"),
        (["bench", "paper-004", "--out", "/proc/none"], "--out /proc/none"),
    ],
)
def test_bad_input_ends_with_exit_code_2_and_says_why(arguments, expected, folder, recording):
    files = {"crate": folder / "crate.xml", "broken": folder / "broken.xml", "recording": recording}
    files["broken"].write_text(BROKEN_XML)
    for name in ("cut", "unfinished", "newer", "gap"):
        files[name] = copy_of(recording, f"{name}.h5")
    files["cut"].write_bytes(recording.read_bytes()[: recording.stat().st_size // 2])
    with h5py.File(files["unfinished"], "r+") as file:
        file.attrs["complete"] = 0
    with h5py.File(files["newer"], "r+") as file:
        file.attrs["format"] = 99
    with h5py.File(files["gap"], "r+") as file:
        del file["contacts/force"]
    files["local"] = folder / "opposed.fcp"
    files["local"].write_text(OPPOSED)
    files["problems"] = folder / "one.h5"
    if not files["problems"].exists():
        figures("run", folder / "crate.xml", "--steps", 50, "--export-problem", 50, files["problems"])

    done = stiction(*(argument.format(**files) for argument in arguments))
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    assert expected in done.stderr


def test_contact_models_are_compared_by_the_exact_laws(folder, tmp_path):
    plot = tmp_path / "models.svg"
    result = figures("compare", folder / "crate.xml", "--models", "all", "--steps", 60, "--plot", plot)
    rows = {row["model"]: row for row in result["models"]}
    compliant = {"compliant", "compliant-force", "compliant-energy"}
    models = {"coulomb", "relaxed", "pyramid-lcp", "nonconvex-lcp", "bilateral"} | compliant
    assert set(rows) == models | {"spring-explicit", "spring-implicit"}
    for name, row in rows.items():
        assert row["steps"] == 60 and row["failure"] == "", name
    assert rows["coulomb"]["exact_worst"] <= 1e-8 and rows["coulomb"]["apart_m"] == 0
    assert rows["spring-implicit"]["exact_worst"] > 1e-3
    assert rows["spring-implicit"]["penetration_m"] > rows["coulomb"]["penetration_m"]
    assert "spring-implicit" in plot.read_text()
    text = stiction("compare", folder / "crate.xml", "--models", "coulomb,relaxed", "--steps", 20)
    assert text.returncode == 0 and "relaxed" in text.stdout
    wrong = stiction("compare", folder / "crate.xml", "--models", "colomb")
    assert wrong.returncode == 2 and "did you mean 'coulomb'" in wrong.stderr


CRANK = """<mujoco><worldbody><body name="crank"><joint name="pin" type="{type}"/><geom size="0.1"/></body></worldbody>
<actuator><general name="drive" joint="pin" dyntype="integrator" gainprm="1" biastype="affine" biasprm="0 -1e8 -1e5"/>
</actuator><custom><numeric name="phase_profile:drive" data="{data}"/></custom></mujoco>"""


@pytest.mark.parametrize(
    "name, text, command, expected",
    [
        ("jump.xml", CRANK.format(type="hinge", data="0 0 1 2 3 4 5"), ["run"], "not periodic"),
        (
            "nan.xml",
            CRANK.format(type="hinge", data="nan 0 1 0"),
            ["run"],
            "'drive', actuator_profile_advance: the number is nan",
        ),
        ("ball.xml", CRANK.format(type="ball", data="6.2832 0 0.1 0.2 0.1"), ["compare"], "needs a pin"),
        ("short.lcp", "n 2\nM\n1 0\n0\nq\n1 1\n", ["solve"], "short.lcp:4: should hold the 2 numbers of row 1 of M"),
        ("nan.lcp", "n 1\nM\nnan\nq\n1\n", ["solve"], "M[0, 0] is nan"),
    ],
)
def test_bad_machines_and_complementarity_problems_are_named(tmp_path, name, text, command, expected):
    (tmp_path / name).write_text(text)
    done = stiction(*command, tmp_path / name)
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    assert expected in done.stderr
