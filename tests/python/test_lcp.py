"""Linear complementarity problems: the library's verdicts against a brute-force enumeration and SciPy's linear
programmes, written here."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

import stiction
from stiction import LcpStatus

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "problems" / "lcp"


def brute_force(M, q, tolerance=1e-9):
    """All solutions on regular pieces."""
    n = len(q)
    found = []
    for choice in product([False, True], repeat=n):
        active = np.flatnonzero(choice)
        block = M[np.ix_(active, active)]
        if len(active) and np.linalg.cond(block) > 1e10:
            continue
        z = np.zeros(n)
        z[active] = np.linalg.solve(block, -q[active])
        if z.min(initial=0) >= -tolerance and (M @ z + q).min(initial=0) >= -tolerance:
            if not any(np.allclose(z, other, atol=1e-7) for other in found):
                found.append(z)
    return found


def draw(rng):
    n = rng.integers(1, 7)
    kind = rng.integers(4)
    M = rng.normal(size=(n, n))
    if kind == 1:
        M = M @ M.T  # positive semidefinite
    elif kind == 2:
        M = M - M.T + np.diag(rng.uniform(0, 1, n))  # positive semidefinite, far from symmetric
    elif kind == 3:
        M = rng.integers(-2, 3, size=(n, n)).astype(float)  # degenerate
    return M, rng.integers(-3, 3, n).astype(float) if kind == 3 else rng.normal(size=n)


def test_verdicts_agree_with_brute_force():
    rng = np.random.default_rng(7)
    counts = dict.fromkeys(LcpStatus, 0)
    for _ in range(600):
        M, q = draw(rng)
        all_of_them = brute_force(M, q)
        lemke = stiction.solve_lcp(M, q)
        listed = stiction.solve_lcp(M, q, method="enumerate")
        counts[lemke.status] += 1
        if all_of_them:
            assert listed.status == LcpStatus.solved
            assert len(listed.solutions) == len(all_of_them)
            assert lemke.status != LcpStatus.infeasible
        if lemke.status == LcpStatus.solved:
            assert listed.status == LcpStatus.solved
            z, w = lemke.z, M @ lemke.z + q
            assert min(z.min(), w.min()) >= -1e-8 * (1 + abs(z).max())
            assert abs(np.minimum(z, w)).max() <= 1e-8 * (1 + abs(z).max())
        feasible = linprog(np.zeros(len(q)), A_ub=-M, b_ub=q, method="highs").status == 0
        assert (lemke.status == LcpStatus.infeasible) <= (not feasible)
        if lemke.status == LcpStatus.infeasible:
            assert lemke.farkas.min() >= 0
            assert (M.T @ lemke.farkas).max() <= 1e-9 * lemke.farkas.max()
            assert q @ lemke.farkas < 0
        if not feasible:
            assert lemke.status == LcpStatus.infeasible
            assert listed.status == LcpStatus.infeasible
    assert counts[LcpStatus.solved] > 300
    assert counts[LcpStatus.infeasible] > 50
    assert counts[LcpStatus.ray] > 5
    assert counts[LcpStatus.not_converged] == 0


@pytest.mark.parametrize("method", ["lemke", "pgs", "newton-minmap"])
def test_large_positive_definite_problems_are_solved(method):
    rng = np.random.default_rng(3)
    factor = rng.normal(size=(150, 200))
    M, q = factor @ factor.T, rng.normal(size=150)
    result = stiction.solve_lcp(M, q, method=method)
    assert result.status == LcpStatus.solved, result
    assert result.certificate.residual <= 1e-9
    assert stiction.certify_lcp(M, q, result.z, result.w).residual == result.certificate.residual
    assert np.allclose(result.w, M @ result.z + q, atol=1e-9)


@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no {FOLDER}: the collected problems are not beside the checkout")
def test_collected_problems_are_read():
    for path in sorted(FOLDER.glob("*.lcp")):
        M, q = stiction.read_lcp(path)
        words = path.read_text().split("\nq\n")[1].split("\n")[0].split()
        assert M.shape == (len(words), len(words))
        assert q.tolist() == [float(word) for word in words]


def test_bad_input_is_refused():
    with pytest.raises(stiction.Error, match=r"M must have the shape \(1, 1\), not \(1, 2\)"):
        stiction.solve_lcp([[1, 0]], [1])
    with pytest.raises(stiction.Error, match=r"M\[0, 1\] is nan"):
        stiction.solve_lcp([[1, np.nan], [0, 1]], [1, 2])
    with pytest.raises(stiction.Error, match="no method 'lemk'"):
        stiction.solve_lcp([[1]], [1], method="lemk")
    with pytest.raises(stiction.Error, match="tolerance"):
        stiction.solve_lcp([[1]], [1], tolerance=-1)


def test_files_with_mistakes_are_named(tmp_path):
    path = tmp_path / "short.lcp"
    path.write_text("n 2\nM\n1 0\n0 1\nq\n1\n")
    with pytest.raises(stiction.Error, match=r"short.lcp:6: should hold the 2 numbers of q"):
        stiction.read_lcp(path)
