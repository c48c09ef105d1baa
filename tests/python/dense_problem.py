"""The matrices of a contact problem, written out for oracles."""

import numpy as np


def inertia_and_jacobian(problem):
    """M and J from the problem's blocks."""
    M = np.zeros((problem.nv, problem.nv))
    for t in range(problem.ntree):
        first, last = problem.tree_dof[t : t + 2]
        n, start = last - first, problem.tree_inertia[t]
        M[first:last, first:last] = problem.inertia[start : start + n * n].reshape(n, n)
    J = np.zeros((problem.nrow, problem.nv))
    for b in range(problem.nblock):
        rows = slice(problem.block_row[b], problem.block_row[b + 1])
        count = rows.stop - rows.start
        for tree, start in (
            (problem.block_tree_a[b], problem.block_jacobian_a[b]),
            (problem.block_tree_b[b], problem.block_jacobian_b[b]),
        ):
            if tree >= 0:
                first, last = problem.tree_dof[tree : tree + 2]
                block = problem.jacobian[start : start + count * (last - first)]
                J[rows, first:last] += block.reshape(count, last - first)
    return M, J
