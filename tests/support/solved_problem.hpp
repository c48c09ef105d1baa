// Problems whose solution is known: multipliers are chosen on every piece of every law, the velocity follows from them,
// and the bias is what makes the two obey the law.
#pragma once

#include "problem/island.hpp"
#include "random_problem.hpp"

#include <limits>

namespace stiction::test {

struct SolvedProblem {
  ContactProblem problem;
  Solution solution;
};

struct RowOptions {
  double equality = 0.3, one_sided = 0.2, two_sided = 0.3;  // shares of the one-row blocks; the rest is unilateral
  double compliant = 0.3;                                   // share of the box rows with compliance
  double force = 10;                                        // [N]
};

// One box row with a multiplier on a random piece; returns w.
inline double draw_box(Random& random, const RowOptions& rows, double kind, double& lower, double& upper,
                       double& lambda) {
  const double f = rows.force, speed = random.chance(0.5) ? random.uniform(0.01, 1) : 0;
  lower = -INFINITY, upper = INFINITY, lambda = random.uniform(-f, f);
  if (kind < rows.equality) return 0;
  const bool at_bound = speed > 0;
  if (kind < rows.equality + rows.one_sided) {
    const bool below = random.chance(0.5);
    (below ? lower : upper) = at_bound ? lambda : lambda + (below ? -1 : 1) * random.uniform(0, f);
    return below ? speed : -speed;
  }
  lower = lambda - random.uniform(0.01, f), upper = lambda + random.uniform(0.01, f);
  if (!at_bound) return 0;
  const bool below = random.chance(0.5);
  (below ? lower : upper) = lambda;
  return below ? speed : -speed;
}

// Turns the blocks of `problem` into blocks whose solution is known; one-row blocks become box rows by their shares.
inline SolvedProblem solve_by_construction(ContactProblem problem, const RowOptions& rows, std::uint64_t seed) {
  Random random(seed);
  const double h = problem.timestep;
  Solution s;
  s.resize_for(problem);
  std::vector<double> v(std::size_t(problem.nrow), 0.0);  // v of the law
  for (std::size_t b = 0; b < std::size_t(problem.nblock); ++b) {
    const auto first = std::size_t(problem.block_row[b]);
    double* lambda = s.lambda.data() + first;
    if (problem.block_law[b] == Law::kCoulomb) {
      const double mu = problem.block_friction[b];
      std::vector<double> d(std::size_t(problem.block_size(int(b))), 0.0);  // direction of sliding
      double size = 0;
      for (std::size_t k = 1; k < d.size(); ++k) size = std::hypot(size, d[k] = random.normal());
      const int piece = random.integer(0, 2);
      if (piece == 0) {
        v[first] = random.uniform(0.01, 1);
        continue;
      }
      const double share = piece == 1 ? random.uniform(0, 0.99) : 1, speed = piece == 1 ? 0 : random.uniform(0.01, 1);
      lambda[0] = random.uniform(0.1, 1) * rows.force;
      for (std::size_t k = 1; k < d.size(); ++k) {
        lambda[k] = -share * mu * lambda[0] * d[k] / size;
        v[first + k] = speed * d[k] / size;
      }
      continue;
    }
    const double kind = random.uniform(0, 1);
    if (kind > rows.equality + rows.one_sided + rows.two_sided) {
      (random.chance(0.5) ? lambda[0] : v[first]) = random.uniform(0.01, 1);
      continue;
    }
    problem.block_law[b] = Law::kBox;
    const double w = draw_box(random, rows, kind, problem.block_lower[b], problem.block_upper[b], lambda[0]);
    if (random.chance(rows.compliant)) problem.block_compliance[b] = random.log_uniform(1e-8, 1e2) * h;
    v[first] = w - problem.block_compliance[b] * lambda[0];
  }
  // u⁺ = ũ + h M⁻¹ Jᵀ λ and b = v − J u⁺, through the products of the islands.
  s.u = problem.free_velocity;
  if (finish_problem(problem) >= 0) throw std::logic_error("the inertia of a test problem is not positive definite");
  Island island;
  for (int k = 0; k < problem.nisland; ++k) {
    gather_island(problem, k, s.push_out, island);
    std::vector<double> p(std::size_t(island.nrow)), u(std::size_t(island.nv)), Ju(std::size_t(island.nrow));
    const auto each_row = [&](auto&& f) {
      for (int c = 0; c < island.nblock; ++c)
        for (int i = 0; i < island.block_size(c); ++i)
          f(std::size_t(island.row[std::size_t(c)] + i),
            std::size_t(problem.block_row[std::size_t(island.block[std::size_t(c)])] + i));
    };
    each_row([&](std::size_t local, std::size_t row) { p[local] = h * s.lambda[row]; });
    generalized_impulse(island, p.data(), u.data());
    apply_inverse_inertia(island, u.data());
    for (std::size_t d = 0; d < u.size(); ++d) u[d] += island.free_velocity[d];
    contact_velocity(island, u.data(), false, Ju.data());
    each_row([&](std::size_t local, std::size_t row) { problem.bias[row] = v[row] - Ju[local]; });
    for (int t = 0; t < island.ntree; ++t)
      for (int d = 0; d < island.tree_size(t); ++d)
        s.u[std::size_t(problem.tree_dof[std::size_t(island.tree[std::size_t(t)])] + d)] =
            u[std::size_t(island.dof[std::size_t(t)] + d)];
  }
  finish_problem(problem);
  check_problem(problem);
  return {problem, s};
}

}  // namespace stiction::test
