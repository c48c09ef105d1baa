// Which blocks of a problem no motion satisfies at once. Every rigid law of contact asks for v_n ≥ 0, so the existence
// test without friction is a test of all of them: with p along the normals and Jᵀp = 0, pᵀv = pᵀb < 0 for every motion.
// With friction in p that would not follow, since a sliding contact may have v outside K*.
#include <stiction/problem.hpp>

#include <algorithm>
#include <cmath>

#include "solvers/existence.hpp"
#include "solvers/proximal.hpp"

namespace stiction {
namespace {

constexpr double kTolerance = 1e-8;
constexpr int kFactorisations = 500;  // of proximal continuation
constexpr double kNamed = 0.1;  // impulse relative to the largest, both as velocities, above which a block is named

// Of facets one need not be met, and springs give way.
bool has_other_laws(const Island& island) {
  return island.compliant ||
         std::any_of(island.law.begin(), island.law.end(), [](Law law) { return is_facet(law) || is_compliant(law); });
}

// Such a p, in witness: by the path or, where that ends before its steps point anywhere, by the drift of proximal
// continuation from zero.
bool find_along_normals(SolverScratch& s) {
  std::fill(s.island.friction.begin(), s.island.friction.end(), 0.0);
  if (find_contradiction(s)) return true;
  return_to_zero(s);
  s.best.copy(s.current);
  s.result.refuted = false;
  proximal_continuation(kTolerance * s.island.scale, kFactorisations, s);
  return s.result.refuted;
}

}  // namespace

std::vector<int> contradicting_blocks(const ContactProblem& problem) {
  std::vector<int> blocks;
  Solution solution;
  solution.resize_for(problem);
  SolverScratch s;
  for (int island = 0; island < problem.nisland; ++island) {
    if (!begin_island(problem, island, {.warm_start = false}, solution, IslandForm::kContactSpace, s)) continue;
    if (has_other_laws(s.island)) continue;
    double largest = 0;
    if (!find_along_normals(s)) continue;
    const auto size = [&](int c) {
      return std::sqrt(s.scale[std::size_t(c)].normal) * std::abs(s.normal(s.witness, c));
    };
    for (int c = 0; c < s.island.nblock; ++c) largest = std::max(largest, size(c));
    for (int c = 0; c < s.island.nblock; ++c)
      if (size(c) > kNamed * largest) blocks.push_back(s.island.block[std::size_t(c)]);
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

}  // namespace stiction
