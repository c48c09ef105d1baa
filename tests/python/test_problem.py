"""Contact problems in Python: export from a step, store, solve, certify."""

import h5py
import numpy as np
import pytest

import stiction


@pytest.fixture
def problem(box):
    box.state.u[:2] = 1, 0.5
    box.step()
    return box.problem


def test_the_solution_of_a_step_is_certified(box, problem):
    assert stiction.certify(problem, box.solution).residual <= 1e-8
    assert problem.nblock == 4 and problem.nrow == 12 and problem.nv == 6


def test_certify_sees_a_wrong_solution(box, problem):
    solution = box.solution
    solution.u[2] -= 0.1  # into the floor
    assert stiction.certify(problem, solution).complementarity_velocity == pytest.approx(0.1, rel=0.1)


# lemke knows pyramids, not cones.
EXACT = [name for name in stiction.solvers() if name != "lemke"]


def test_solve_reaches_the_tolerance(problem):
    for name in EXACT:
        solution, stats = stiction.solve(problem, name, tolerance=1e-10)
        assert stats.failed == 0 and stats.islands == 1
        assert stiction.certify(problem, solution).residual <= 1e-10
    again, stats = stiction.solve(problem, start=solution)
    assert stats.factorisations <= 2
    assert np.allclose(again.u, solution.u, atol=1e-8)


def test_convergence_ends_at_the_tolerance(problem):
    for name in EXACT:
        iterations, seconds, residual = zip(*stiction.convergence(problem, name))
        assert iterations[0] == 0 and residual[-1] <= 1e-8
        # The default solver sweeps over few contacts before it factors anything.
        assert residual[0] > 1e-3 or (name == "newton" and iterations == (0,))
        assert list(seconds) == sorted(seconds)


def test_an_unknown_solver_is_an_error(problem):
    with pytest.raises(stiction.Error, match="there is no solver 'magic'"):
        stiction.solve(problem, "magic")


def test_solutions_of_another_problem_are_refused(problem, tmp_path):
    path = tmp_path / "one.fcp"
    path.write_text("kind local\ndim 2\nnc 1\nmatrix W 2 2 2\n0 0 1\n1 1 1\nvector q 2\n-1\n0\nvector mu 1\n0.5\n")
    other, _ = stiction.solve(stiction.read_problem(path))
    with pytest.raises(stiction.Error, match="the solution is of another problem: its u has 0 entries"):
        stiction.certify(problem, other)
    with pytest.raises(stiction.Error, match="the solution is of another problem"):
        stiction.solve(problem, start=other)


@pytest.mark.parametrize(
    "setting",
    [{"tolerance": value} for value in (0, -1, float("nan"), float("inf"))]
    + [{"max_iterations": 0}, {"threads": -1}, {"linear_iterations": 0}]
    + [{"linear_forcing": value} for value in (float("nan"), 5, 1, -0.1)],
)
def test_settings_out_of_range_are_refused_everywhere(problem, box, setting):
    (name,) = setting
    with pytest.raises(stiction.Error, match=f"option {name} = .* is out of range"):
        stiction.solve(problem, "newton-fb", **setting)
    with pytest.raises(stiction.Error, match=f"option {name} = .* is out of range"):
        stiction.Simulation(box.model, solver="newton-fb", **setting)
    if name in ("tolerance", "max_iterations"):
        with pytest.raises(stiction.Error, match=f"option {name} = .* is out of range"):
            stiction.convergence(problem, **setting)


def test_contradicting_blocks_are_named(problem, tmp_path):
    assert stiction.contradicting_blocks(problem) == []
    path = tmp_path / "opposed.fcp"
    entries = "0 0 1\n0 2 -1\n2 0 -1\n2 2 1\n1 1 1\n1 3 1\n3 1 1\n3 3 1\n"  # both on one point, from two sides
    rest = "vector q 4\n-1\n0\n-1\n0\nvector mu 2\n0.5\n0.5\n"
    path.write_text(f"kind local\ndim 2\nnc 2\nmatrix W 4 4 8\n{entries}{rest}")
    opposed = stiction.read_problem(path)
    solution, stats = stiction.solve(opposed)
    assert stats.failed == 1 and stats.reduced == 0 and list(solution.push_out) == [1, 1]
    assert stiction.contradicting_blocks(opposed) == [0, 1]


def test_problems_keep_their_bits_in_a_file(tmp_path, problem):
    path = tmp_path / "problems.h5"
    stiction.write_problem(path, "first", problem)
    assert stiction.list_problems(path) == ["first"]
    back = stiction.read_problem(path)
    for name in ("inertia", "jacobian", "bias", "free_velocity", "block_friction", "block_row"):
        assert np.array_equal(getattr(back, name), getattr(problem, name)), name
    stiction.write_problem(path, "second", problem)
    with pytest.raises(stiction.Error, match="holds 2 problems"):
        stiction.read_problem(path)
    assert stiction.read_problem(path, "second").nrow == 12


def test_the_problem_of_a_step_comes_with_the_forces_that_its_solver_started_from(tmp_path, box):
    path = tmp_path / "steps.h5"
    box.step()
    before, forces = box.state.copy(), box.solution.lambda_.copy()
    box.step()
    stiction.write_step_problem(path, "second", box, before)
    assert np.array_equal(stiction.read_problem(path).bias, box.problem.bias)
    with h5py.File(path) as file:
        # The box rests: those of the step before, from world axes and back.
        assert np.allclose(file["second/start"][:], forces, rtol=1e-12, atol=1e-12) and forces.max() > 1


def test_every_linear_solver_is_there_by_name(problem):
    expected, _ = stiction.solve(problem, "newton", tolerance=1e-10)
    for name in ("auto", "direct", "ldlt", "pcr", "pcg", "jacobi", "gauss-seidel"):
        solution, stats = stiction.solve(problem, "newton-fb", linear_solver=name, tolerance=1e-10)
        assert stats.failed == 0, name
        assert np.allclose(solution.u, expected.u, atol=1e-8), name
    blocks = {"linear_solver": "pcr", "linear_preconditioner": "block-diagonal", "linear_forcing": 0.01}
    assert stiction.solve(problem, "newton-fb", **blocks)[1].failed == 0
    with pytest.raises(stiction.Error, match="linear_solver = pcr has no effect with solver 'newton'"):
        stiction.solve(problem, linear_solver="pcr")


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(stiction.Error, match=r"nothing\.h5"):
        stiction.read_problem(tmp_path / "nothing.h5")
