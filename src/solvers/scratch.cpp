#include "solvers/scratch.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/block_law.hpp"

namespace stiction {
namespace {

bool all_finite(const std::vector<double>& values) {
  for (double x : values)
    if (!std::isfinite(x)) return false;
  return true;
}

void resize_iterate(const Island& island, Iterate& iterate) {
  iterate.p.assign(std::size_t(island.nrow), 0.0);
  iterate.u.assign(std::size_t(island.nv), 0.0);
  iterate.v.assign(std::size_t(island.nrow), 0.0);
  iterate.residual = INFINITY;
}

// Any positive scale states the same law. A direction in which no tree can move has W = 0 and gets a share of the
// block's largest, and a block that nothing moves gets 1.
BlockScale<double> block_scale(const double* w) {
  constexpr double kLeastShare = 1e-3;
  const double tangent = std::max(w[4], w[8]), largest = std::max(w[0], tangent);
  const double least = largest > 0 ? kLeastShare * largest : 1.0;
  return {std::max(w[0], least), std::max(tangent, least)};
}

void load_warm_start(const SolverSettings& settings, const Solution& solution, SolverScratch& s) {
  const ContactProblem& problem = *s.island.problem;
  if (!settings.warm_start) return;
  for (int c = 0; c < s.island.nblock; ++c) {
    const int from = problem.block_row[std::size_t(s.island.block[std::size_t(c)])], to = s.island.row[std::size_t(c)];
    for (int k = 0; k < s.island.block_size(c); ++k)
      s.current.p[std::size_t(to + k)] = problem.timestep * solution.lambda[std::size_t(from + k)];
  }
  if (!all_finite(s.current.p)) std::fill(s.current.p.begin(), s.current.p.end(), 0.0);
}

}  // namespace

void Iterate::copy(const Iterate& other) {
  p = other.p;
  u = other.u;
  v = other.v;
  residual = other.residual;
}

Vec3 SolverScratch::rows(const std::vector<double>& x, int c) const {
  const auto first = std::size_t(island.row[std::size_t(c)]);
  if (island.block_size(c) == 1) return {x[first], 0, 0};
  return {x[first], x[first + 1], x[first + 2]};
}

void SolverScratch::set_rows(std::vector<double>& x, int c, const Vec3& value) const {
  const auto first = std::size_t(island.row[std::size_t(c)]);
  x[first] = value.x;
  if (island.block_size(c) == 1) return;
  x[first + 1] = value.y;
  x[first + 2] = value.z;
}

bool reset_island(SolverScratch& s) {
  const auto nblock = std::size_t(s.island.nblock), nrow = std::size_t(s.island.nrow);
  s.result = {};
  s.prepared = false;
  s.delassus.resize(9 * nblock);
  s.scale.resize(nblock);
  s.A.assign(9 * nblock, 0.0);
  s.B.assign(9 * nblock, 0.0);
  for (auto* list : {&s.r, &s.delta_p, &s.delta_v, &s.z, &s.delta_z, &s.free_contact, &s.centre, &s.upper_dual})
    list->resize(nrow);
  s.pieces.assign(nblock, ContactPiece::kOpen);
  s.pieces_before.assign(nblock, ContactPiece::kOpen);
  s.delta_u.resize(std::size_t(s.island.nv));
  for (auto* iterate : {&s.current, &s.trial, &s.best}) resize_iterate(s.island, *iterate);

  delassus_diagonal(s.island, s.row_scratch, s.delassus.data());
  for (std::size_t c = 0; c < nblock; ++c) {
    const double* w = s.delassus.data() + 9 * c;
    s.scale[c] = block_scale(w);
    if (!std::isfinite(w[0] + w[4] + w[8])) return false;
  }
  return all_finite(s.island.bias) && all_finite(s.island.free_velocity) && all_finite(s.island.friction);
}

bool begin_island(const ContactProblem& problem, int island, const SolverSettings& settings, const Solution& solution,
                  SolverScratch& s) {
  gather_island(problem, island, solution.push_out, s.island);
  s.max_iterations = settings.max_iterations;
  if (!reset_island(s)) return false;
  load_warm_start(settings, solution, s);
  evaluate(s, s.current);
  if (!std::isfinite(s.current.residual)) {
    std::fill(s.current.p.begin(), s.current.p.end(), 0.0);
    evaluate(s, s.current);
  }
  keep_best(s);
  return std::isfinite(s.current.residual);
}

void restart_island(const Solution& solution, SolverScratch& s) {
  gather_island(*s.island.problem, s.island.index, solution.push_out, s.island);
  std::fill(s.current.p.begin(), s.current.p.end(), 0.0);
  evaluate(s, s.current);
  s.best.copy(s.current);
}

Vec3 natural_map(const SolverScratch& s, int c, const Vec3& v, const Vec3& p) {
  return natural_map(s.island, c, v, p, s.scale[std::size_t(c)]);
}

void evaluate(const SolverScratch& s, Iterate& iterate) {
  const Island& island = s.island;
  generalized_impulse(island, iterate.p.data(), iterate.u.data());
  apply_inverse_inertia(island, iterate.u.data());
  for (std::size_t i = 0; i < iterate.u.size(); ++i) iterate.u[i] += island.free_velocity[i];
  contact_velocity(island, iterate.u.data(), true, iterate.v.data());
  iterate.residual = 0;
  for (int c = 0; c < island.nblock; ++c) {
    const double size = norm(natural_map(s, c, s.rows(iterate.v, c), s.rows(iterate.p, c)));
    iterate.residual = std::isfinite(size) ? std::max(iterate.residual, size) : INFINITY;
  }
}

void keep_best(SolverScratch& s) {
  if (s.current.residual < s.best.residual) s.best.copy(s.current);
}

bool factor_system(SolverScratch& s, bool may_be_singular) {
  if (!s.may_factor()) return false;
  if (!s.prepared) s.matrix.prepare(s.island, s.delassus.data());
  s.prepared = true;
  ++s.result.factorisations;
  return s.matrix.factor(s.A.data(), s.B.data(), may_be_singular);
}

bool solve_system(SolverScratch& s) {
  s.matrix.solve(s.r.data(), s.delta_p.data(), s.delta_u.data());
  contact_velocity(s.island, s.delta_u.data(), false, s.delta_v.data());
  return all_finite(s.delta_p) && all_finite(s.delta_v);
}

void finish_island(const SolverScratch& s, Solution& solution) {
  const Island& island = s.island;
  const ContactProblem& problem = *island.problem;
  for (int t = 0; t < island.ntree; ++t) {
    const int to = problem.tree_dof[std::size_t(island.tree[std::size_t(t)])];
    const auto from = s.best.u.begin() + island.dof[std::size_t(t)];
    std::copy(from, from + island.tree_size(t), solution.u.begin() + to);
  }
  for (int c = 0; c < island.nblock; ++c) {
    const int to = problem.block_row[std::size_t(island.block[std::size_t(c)])], from = island.row[std::size_t(c)];
    for (int k = 0; k < island.block_size(c); ++k)
      solution.lambda[std::size_t(to + k)] = s.best.p[std::size_t(from + k)] / problem.timestep;
  }
}

}  // namespace stiction
