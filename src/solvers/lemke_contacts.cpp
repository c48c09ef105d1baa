#include "solvers/lemke_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/existence.hpp"
#include "solvers/facet_contacts.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

constexpr int kPivotsPerVariable = 50;

bool is_free(const BoxBounds<double>& box) {
  return !std::isfinite(box.lower) && !std::isfinite(box.upper);
}

// W, with the compliances of box rows, and w for p = offset.
void fill_response(SolverScratch& s, LemkeScratch& l) {
  const Island& island = s.island;
  const auto n = std::size_t(island.nrow);
  l.W.assign(n * n, 0);
  l.column.assign(n, 0);
  l.generalized.resize(std::size_t(island.nv));
  std::vector<double>& velocity = s.delta_v;
  s.trial.p = l.offset;
  evaluate(s, s.trial);
  l.q = s.trial.v;
  for (std::size_t j = 0; j < n; ++j) {
    l.column[j] = 1;
    generalized_impulse(island, l.column.data(), l.generalized.data());
    apply_inverse_inertia(island, l.generalized.data());
    contact_velocity(island, l.generalized.data(), false, velocity.data());
    add_compliance(island, l.column.data(), velocity.data());
    l.column[j] = 0;
    for (std::size_t i = 0; i < n; ++i) l.W[i * n + j] = velocity[i];
  }
  for (int c = 0; c < island.nblock; ++c)
    if (island.law[std::size_t(c)] == Law::kBox) {
      const auto i = std::size_t(island.row[std::size_t(c)]);
      l.W[i * n + i] += island.box[std::size_t(c)].compliance;
      l.q[i] += island.box[std::size_t(c)].compliance * l.offset[i];
    }
}

// p_E = −W_EE⁻¹ (q_E + W_EN p_N): takes the free rows out of W_NN and q_N. False if W_EE is singular.
bool eliminate_free(const SolverScratch& s, LemkeScratch& l) {
  const auto n = std::size_t(s.island.nrow), count = l.free_rows.size();
  if (count == 0) return true;
  const auto free = [&](std::size_t i) {
    return std::find(l.free_rows.begin(), l.free_rows.end(), int(i)) != l.free_rows.end();
  };
  double* matrix = l.equalities.resize(int(count));
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b)
      matrix[a * std::size_t(l.equalities.stride()) + b] =
          l.W[std::size_t(l.free_rows[a]) * n + std::size_t(l.free_rows[b])];
  if (!l.equalities.factor()) return false;
  // Column by column, that of q last.
  for (std::size_t j = 0; j <= n; ++j) {
    if (j < n && free(j)) continue;
    for (std::size_t a = 0; a < count; ++a) {
      const auto row = std::size_t(l.free_rows[a]);
      l.column[a] = j < n ? l.W[row * n + j] : l.q[row];
    }
    l.equalities.solve(l.column.data());
    for (std::size_t i = 0; i < n; ++i) {
      if (free(i)) continue;
      double sum = 0;
      for (std::size_t a = 0; a < count; ++a) sum += l.W[i * n + std::size_t(l.free_rows[a])] * l.column[a];
      (j < n ? l.W[i * n + j] : l.q[i]) -= sum;
    }
  }
  return true;
}

void add_box(const BoxBounds<double>& box, int row, LemkeScratch& l) {
  if (is_free(box)) return l.free_rows.push_back(row);
  const bool below = std::isfinite(box.lower), above = std::isfinite(box.upper);
  l.offset[std::size_t(row)] = below ? box.lower : box.upper;
  if (box.lower == box.upper) return;
  l.variables.push_back({row, below ? 1.0 : -1.0, below && above ? int(l.bounds.size()) : -1});
  if (below && above) l.bounds.push_back({-1, 0, box.upper - box.lower});
}

// Which variables there are.
void lay_out(FacetChoice choice, const SolverScratch& s, LemkeScratch& l) {
  l.free_rows.clear();
  l.variables.clear();
  l.bounds.clear();
  l.offset.assign(std::size_t(s.island.nrow), 0);
  l.normal_variable.assign(std::size_t(s.island.nblock), -1);
  int contact = -1, facet = 0;  // which contact with facets, which facet of it
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    if (is_facet(s.island.law[i])) {
      const bool first = s.island.law[i] == Law::kFacet;
      contact += first;
      facet = first ? 0 : facet + 1;
      if (choice == FacetChoice::kChosen && l.chosen[std::size_t(contact)] != facet) continue;
    }
    const int row = s.island.row[i], rows = s.island.block_size(c);
    if (s.island.law[i] == Law::kBox) {
      add_box(s.island.box[i], row, l);
      continue;
    }
    const int normal = int(l.variables.size()), bound = int(l.bounds.size());
    l.normal_variable[i] = normal;
    l.variables.push_back({row, 1, -1});
    if (rows == 1) continue;
    for (int k = 1; k < rows; ++k)
      for (const double sign : {1.0, -1.0}) l.variables.push_back({row + k, sign, bound});
    l.bounds.push_back({normal, s.island.friction[i], 0});
  }
}

void fill_problem(const SolverScratch& s, LemkeScratch& l) {
  const std::size_t rows = std::size_t(s.island.nrow), nz = l.variables.size(), n = nz + l.bounds.size();
  l.problem.n = int(n);
  l.problem.M.assign(n * n, 0);
  l.problem.q.assign(n, 0);
  for (std::size_t a = 0; a < nz; ++a) {
    const LemkeVariable& x = l.variables[a];
    l.problem.q[a] = x.sign * l.q[std::size_t(x.row)];
    for (std::size_t b = 0; b < nz; ++b) {
      const LemkeVariable& y = l.variables[b];
      l.problem.M[a * n + b] = x.sign * y.sign * l.W[std::size_t(x.row) * rows + std::size_t(y.row)];
    }
    if (x.bound < 0) continue;
    const std::size_t sigma = nz + std::size_t(x.bound);
    l.problem.M[a * n + sigma] = 1;
    l.problem.M[sigma * n + a] = -1;
  }
  for (std::size_t k = 0; k < l.bounds.size(); ++k) {
    const LemkeBound& bound = l.bounds[k];
    l.problem.q[nz + k] = bound.range;
    if (bound.normal >= 0) l.problem.M[(nz + k) * n + std::size_t(bound.normal)] = bound.friction;
  }
}

// Impulses of all rows, those of the free ones from the others.
void read_impulses(const SolverScratch& s, LemkeScratch& l, std::vector<double>& p) {
  const auto n = std::size_t(s.island.nrow);
  p = l.offset;
  for (std::size_t a = 0; a < l.variables.size(); ++a)
    p[std::size_t(l.variables[a].row)] += l.variables[a].sign * l.scaled.z(a, l.lemke.z()[a]);
  if (l.free_rows.empty()) return;
  // q holds what the offsets do already.
  for (std::size_t e = 0; e < l.free_rows.size(); ++e) {
    const auto row = std::size_t(l.free_rows[e]);
    double sum = l.q[row];
    for (std::size_t j = 0; j < n; ++j) sum += l.W[row * n + j] * (p[j] - l.offset[j]);
    l.column[e] = -sum;
  }
  l.equalities.solve(l.column.data());
  for (std::size_t e = 0; e < l.free_rows.size(); ++e) p[std::size_t(l.free_rows[e])] = l.column[e];
}

}  // namespace

bool follow_path(FacetChoice choice, SolverScratch& s, LemkeScratch& l) {
  lay_out(choice, s, l);
  fill_response(s, l);
  if (!eliminate_free(s, l)) return false;
  fill_problem(s, l);
  if (choice == FacetChoice::kAll) add_facet_conditions(s.island, l);
  detail::scale_lcp(l.problem, l.scaled);
  l.cover.assign(l.problem.q.size(), 1);
  const auto end = l.lemke.solve(l.scaled.M, l.scaled.q, l.cover, 1000 + kPivotsPerVariable * l.problem.n);
  s.result.sweeps += l.lemke.pivots();
  if (end != detail::LemkeEnd::kSolved) return false;
  read_impulses(s, l, s.current.p);
  evaluate(s, s.current);
  return true;
}

IslandResult solve_lemke(const ContactProblem& problem, int island, const SolverSettings& settings, SolverScratch& s,
                         Solution& solution) {
  if (!begin_island(problem, island, settings, solution, IslandForm::kTrees, s)) return s.result;
  if (!s.lemke) s.lemke = std::make_unique<LemkeScratch>();
  const double target = settings.tolerance * s.island.scale;
  const bool facets = std::find(s.island.law.begin(), s.island.law.end(), Law::kNextFacet) != s.island.law.end();
  const auto find = [&] {
    if (facets) return solve_facets(target, s, *s.lemke);
    const bool found = follow_path(FacetChoice::kAll, s, *s.lemke);
    if (found) keep_best(s);
    return found;
  };
  // A push-out that contradicts others may leave no solution; without it u = 0 is one.
  if (!find() && drop_push_out(target, s, solution)) find();
  s.result.solved = s.best.residual <= target;
  finish_island(s, solution);
  return s.result;
}

}  // namespace stiction
