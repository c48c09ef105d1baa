// Block Gauss–Seidel sweeps on the exact law: one block after the other takes the projection step of the natural map,
//
//   p_n ← max(0, p_n − v_n / W_nn),   p_t ← Π_{μ p_n}(p_t − v_t / W_tt),   box: p ← Π(p − w / (W + c)),
//
// of a relaxed contact p ← Π_K(p − v / W) with the largest sum of a row of |W|,
// and the velocities of its two trees follow at once. No factorisation; it converges slowly, but from anywhere, towards
// the pieces of the law that hold at the solution.
#pragma once

#include "solvers/scratch.hpp"

namespace stiction {

// M⁻¹ J_cᵀ of all blocks, for what follows.
void prepare_response(SolverScratch& scratch);
// u += M⁻¹ J_cᵀ δp of one block; u of a condensed island stands for W p.
void add_response(const SolverScratch& scratch, int block, const double* change, std::vector<double>& u);

// Sweeps on scratch.current until its residual is below the target [m/s] or the sweeps are used up; keeps the best.
// Counts the sweeps if it is told where.
bool gauss_seidel(double target, int sweeps, SolverScratch& scratch, int* counter = nullptr);

}  // namespace stiction
