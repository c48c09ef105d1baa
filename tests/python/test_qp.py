"""Quadratic programmes against Clarabel, an interior-point solver that shares nothing with ours."""

import clarabel
import numpy as np
import pytest
from scipy import sparse

import stiction


def by_clarabel(P, q, A, low, high):
    """A x + s = b with s in zeros and the positive orthant."""
    equal = low == high
    upper, lower = ~equal & np.isfinite(high), ~equal & np.isfinite(low)
    rows = np.vstack([A[equal], A[upper], -A[lower]])
    right = np.concatenate([high[equal], high[upper], -low[lower]])
    cones = [clarabel.ZeroConeT(int(equal.sum())), clarabel.NonnegativeConeT(int(upper.sum() + lower.sum()))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    solver = clarabel.DefaultSolver(sparse.csc_matrix(np.triu(P)), q, sparse.csc_matrix(rows), right, cones, settings)
    return np.array(solver.solve().x)


def test_random_programmes_have_the_minimisers_of_clarabel():
    rng = np.random.default_rng(5)
    for _ in range(100):
        n, m = rng.integers(1, 15), rng.integers(0, 25)
        factor = rng.normal(size=(n, n))
        P, q = factor @ factor.T + 0.01 * np.eye(n), rng.normal(size=n)
        A, inside = rng.normal(size=(m, n)), rng.normal(size=n)
        low = A @ inside - rng.exponential(size=m)
        high = A @ inside + rng.exponential(size=m)
        high[rng.random(m) < 0.3] = np.inf
        equal = rng.permutation(m)[: min(m, n) // 3]
        low[equal] = high[equal] = A[equal] @ inside
        result = stiction.solve_qp(P, q, A, low, high)
        assert result.status == stiction.QpStatus.solved, result
        assert abs(P @ result.x + q + A.T @ result.y).max() <= 1e-7
        reference = by_clarabel(P, q, A, low, high)
        assert np.allclose(result.x, reference, atol=1e-6 * (1 + abs(reference).max()))


def test_bad_input_is_refused():
    with pytest.raises(stiction.Error, match="P"):
        stiction.solve_qp([[1, 0]], [1, 2], np.zeros((0, 2)), [], [])
    with pytest.raises(stiction.Error, match="row 0 has the bounds 2 and 1"):
        stiction.solve_qp([[1]], [0], [[1]], [2], [1])
