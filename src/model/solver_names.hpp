// The contact solvers by name: the one list against which options are checked and from which src/solvers/solver.cpp
// makes its table. Functions are named here and declared there, so that the model knows no solver.
#pragma once

#include <string_view>

#include <stiction/problem.hpp>

// X(name, function, meaning)
#define STICTION_SOLVERS(X)                                                                                        \
  X("newton", solve_newton, "semismooth Newton, interior-point continuation and proximal continuation in a chain") \
  X("newton-fb", solve_newton_fb, "Macklin et al. 2019 with the Fischer-Burmeister function, full steps")          \
  X("newton-minmap", solve_newton_minmap, "Macklin et al. 2019 with the minimum map, full steps")                  \
  X("pgs", solve_pgs, "block Gauss-Seidel sweeps on the exact law, for comparison")                                \
  X("admm", solve_admm, "proximal alternating directions on De Saxcé's form, for comparison")                      \
  X("lemke", solve_lemke, "complementary pivoting for contacts with a friction pyramid")

// X(name, value, meaning)
#define STICTION_PRECONDITIONERS(X) \
  X("identity", kIdentity, "r = 1") \
  X("h2", kStepSquared, "r = h²")   \
  X("effective-mass", kEffectiveMass, "r = h² J M⁻¹ Jᵀ of the row, h J M⁻¹ Jᵀ for friction")

#define STICTION_LINEAR_SOLVERS(X)                                                         \
  X("auto", kAuto, "direct, ldlt or pcr, by the size of the island")                       \
  X("direct", kDirect, "LU over the contacts or sparse block LU over the bodies, refined") \
  X("ldlt", kLdlt, "sparse block LDLᵀ over the bodies, refined")                           \
  X("pcr", kPcr, "conjugate residuals")                                                    \
  X("pcg", kPcg, "conjugate gradients")                                                    \
  X("jacobi", kJacobi, "Jacobi's iteration")                                               \
  X("gauss-seidel", kGaussSeidel, "Gauss-Seidel sweeps")

#define STICTION_LINEAR_PRECONDITIONERS(X)               \
  X("diagonal", kDiagonal, "the diagonal of the system") \
  X("block-diagonal", kBlockDiagonal, "one block for each contact")

#define STICTION_PRECISIONS(X)    \
  X("double", kDouble, "64 bits") \
  X("float", kFloat, "32 bits, without a matrix")

namespace stiction::detail {

// Throws Error, naming the option and its range, unless it holds.
void require(bool holds, std::string_view name, double value, std::string_view range);

// Throws Error with the list of names if there is no such solver.
void check_solver_name(std::string_view name);

// Throws Error, naming the option, if a setting is out of its range.
void check_solver_ranges(const SolverSettings& settings);

// The same, and, naming who uses it, if a setting is not the default and the solver does not use it.
void check_solver_settings(std::string_view solver, const SolverSettings& settings);

}  // namespace stiction::detail
