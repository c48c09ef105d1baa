"""The frictional contact problems of the literature (../shared/data/problems/friction; skipped where it is absent),
judged by formulas of this file on the numbers as they stand in the text, not on what the library made of them."""

from pathlib import Path

import numpy as np
import pytest

import stiction

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "problems" / "friction"
FILES = sorted(FOLDER.glob("*.fcp"))
pytestmark = pytest.mark.skipif(not FILES, reason=f"no {FOLDER}: the collected problems are not beside the checkout")


def read_text(path):
    """kind, dim, matrices and vectors of a text problem or reference solution."""
    lines = iter([line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")])
    fields = {}
    for words in lines:
        if words[0] == "matrix":
            matrix = np.zeros((int(words[2]), int(words[3])))
            for _ in range(int(words[4])):
                i, j, value = next(lines)
                matrix[int(i), int(j)] += float(value)
            fields[words[1]] = matrix
        elif words[0] == "vector":
            fields[words[1]] = np.array([float(next(lines)[0]) for _ in range(int(words[2]))])
        else:
            fields[words[0]] = words[1]
    return fields


def local_form(fields):
    """W and q."""
    if fields["kind"] == "local":
        return fields["W"], fields["q"]
    H, M = fields["H"], fields["M"]
    return H.T @ np.linalg.solve(M, H), H.T @ np.linalg.solve(M, fields["f"]) + fields["w"]


def natural_map(W, q, mu, dim, r):
    """Largest residual of a contact as a velocity: min(v_n, W_nn r_n) and W_tt (r_t − Π(r_t − v_t / W_tt))."""
    v = W @ r + q
    worst = 0.0
    for c, friction in enumerate(mu):
        n, t = dim * c, slice(dim * c + 1, dim * c + dim)
        rate = np.diag(W)[t].max()
        y = r[t] - v[t] / rate
        disc = friction * max(r[n], 0.0)
        image = y * min(1.0, disc / np.linalg.norm(y)) if y.any() else y
        worst = max(worst, abs(min(v[n], W[n, n] * r[n])), rate * np.linalg.norm(r[t] - image))
    return worst


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_is_solved_by_the_default_solver_and_agrees_with_the_reference(path):
    fields = read_text(path)
    W, q = local_form(fields)
    problem = stiction.read_problem(path)
    solution, stats = stiction.solve(problem)
    certificate = stiction.certify(problem, solution)
    assert stats.failed == 0 and stats.reduced == 0 and stats.proximal == 0
    assert certificate.residual <= 1e-8
    # The same on the numbers of the file; below 1e-9 m/s velocities count as zero (docs/theory.md).
    r = np.array(solution.lambda_)
    scale = max(abs(q).max(), 1e-9)
    assert natural_map(W, q, fields["mu"], int(fields["dim"]), r) <= 1e-8 * scale
    reference = read_text(path.with_suffix(".sol"))
    velocity = W @ r + q
    # The reference of one of them was left at 7e-6 by the program that made it.
    loose = path.stem == "OneObject-i100000-499"
    assert abs(velocity - reference["u"]).max() <= (1e-4 if loose else 1e-6) * scale


@pytest.mark.parametrize("path", sorted(FOLDER.glob("hdf5/*.hdf5")), ids=lambda path: path.stem)
def test_the_original_in_hdf5_is_the_same_problem(path):
    original, text = stiction.read_problem(path), stiction.read_problem(FOLDER / f"{path.stem}.fcp")
    for name in ("inertia", "jacobian", "response", "bias", "free_velocity", "block_friction", "block_row"):
        assert np.array_equal(getattr(original, name), getattr(text, name)), name
