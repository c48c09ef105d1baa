#include "solvers/existence.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/interior_point.hpp"

namespace stiction {
namespace {

constexpr int kIterations = 30;
constexpr int kLeastIterations = 4;  // before the impulses point anywhere
// A motion that would satisfy all blocks has to be this many times faster than the velocity scale of the island, or
// there is none.
constexpr double kSpeedRatio = 100;
constexpr double kMet = 1e-7;       // gap of the path, and its parameter, relative, at which it has arrived
constexpr double kWithin = 1e-6;    // of all its impulses, by which one may lie outside its cone
constexpr double kInvolved = 1e-3;  // impulse relative to the largest, above which a block takes part
constexpr double kAllowed = 0.5;    // fraction of the push-out that p allows which is kept

// What p says: 0 ≤ pᵀ(J u + b) for every admissible u, so ‖u‖_M ≥ −bᵀp / ‖Jᵀp‖_M⁻¹.
struct Witness {
  double work = 0;     // −bᵀp [J]
  double impulse = 0;  // ‖Jᵀp‖_M⁻¹ = √(pᵀ W p) [m/s √kg]
  double size = 0;     // Σ √w p_n, to which impulse is small where p cancels [m/s √kg]
  double weight = 0;   // Σ p_n [N s]
};

// Of the impulses p with W p.
Witness witness_of(const SolverScratch& s, const std::vector<double>& p, const std::vector<double>& Wp) {
  Witness out;
  for (std::size_t i = 0; i < p.size(); ++i) {
    out.work -= s.island.bias[i] * p[i];
    out.impulse += p[i] * Wp[i];
  }
  out.impulse = std::sqrt(std::max(out.impulse, 0.0));
  for (int c = 0; c < s.island.nblock; ++c) {
    const double normal = std::abs(s.normal(p, c));  // those of equalities have either sign
    out.size += std::sqrt(s.scale[std::size_t(c)].normal) * normal;
    out.weight += normal;
  }
  return out;
}

bool is_contradiction(const SolverScratch& s, const Witness& w) {
  return w.work > 0 && w.work / (s.island.scale * w.weight) > kSpeedRatio * w.impulse / w.size;
}

// Whether the impulses of all contacts lie in their cones, up to a share of the weight.
bool is_within_cones(const SolverScratch& s, const std::vector<double>& p, double weight) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    if (s.island.law[i] == Law::kBox) continue;
    const double normal = s.normal(p, c), friction = has_friction(s.island.law[i]) ? s.tangential(p, c) : 0;
    if (std::max(-normal, friction - s.island.friction[i] * normal) > kWithin * weight) return false;
  }
  return true;
}

// What a step of impulses from `before` to current says: it points along such a p long before the impulses themselves
// do, which started elsewhere. Leaves the step in s.drift.
Witness witness_of_step(const Iterate& before, SolverScratch& s) {
  for (std::size_t i = 0; i < s.drift.size(); ++i) {
    s.drift[i] = s.current.p[i] - before.p[i];
    s.free_contact[i] = s.current.v[i] - before.v[i];  // W times the step
  }
  const Witness witness = witness_of(s, s.drift, s.free_contact);
  return is_within_cones(s, s.drift, witness.weight) ? witness : Witness{};
}

// Whether the path has reached a motion that satisfies the relaxed problem: then all blocks can be satisfied at once.
bool is_met(const SolverScratch& s) {
  return largest_gap(s) <= kMet * s.island.scale && s.path_parameter < kMet * s.island.scale * s.island.scale;
}

// What is left of the push-out of a block [m/s].
double push_out_of(const SolverScratch& s, const Solution& solution, int c) {
  const auto block = std::size_t(s.island.block[std::size_t(c)]);
  return solution.push_out[block] * push_out_speed(*s.island.problem, block);
}

// Σ over the blocks of p of their push-out times p_n; marks those that have one.
double demanded_work(const Solution& solution, SolverScratch& s) {
  double largest = 0, work = 0;
  for (int c = 0; c < s.island.nblock; ++c)
    if (push_out_of(s, solution, c) > 0) largest = std::max(largest, s.normal(s.current.p, c));
  for (int c = 0; c < s.island.nblock; ++c) {
    const double normal = s.normal(s.current.p, c), speed = push_out_of(s, solution, c);
    const bool involved = speed > 0 && normal > kInvolved * largest;
    s.pieces[std::size_t(c)] = involved ? ContactPiece::kStick : ContactPiece::kOpen;
    if (involved) work += speed * normal;
  }
  return work;
}

}  // namespace

bool find_contradiction(SolverScratch& s, double& work) {
  const InteriorSettings settings{.relaxed = true};
  interior_start(settings, s);
  Witness witness;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    s.trial.copy(s.current);
    const bool stalled = interior_step(settings, s) == InteriorStatus::kStalled;
    if (stalled && is_contradiction(s, witness)) break;  // the impulses grew until rounding ended the path
    witness = witness_of_step(s.trial, s);
    if (iteration >= kLeastIterations && is_contradiction(s, witness)) break;
    if (stalled || is_met(s)) return false;
  }
  if (!is_contradiction(s, witness)) return false;
  s.current.p = s.drift;
  work = witness.work;
  s.result.refuted = true;
  return true;
}

bool has_push_out(const SolverScratch& s, const Solution& solution, double least) {
  for (int c = 0; c < s.island.nblock; ++c)
    if (push_out_of(s, solution, c) > least) return true;
  return false;
}

bool reduce_push_out(SolverScratch& s, Solution& solution) {
  double work = 0;
  if (!find_contradiction(s, work)) return false;
  // factor · demanded ≤ what the other blocks of p give way
  const double demanded = demanded_work(solution, s);
  if (!(demanded > 0)) return false;
  const double factor = std::max(0.0, kAllowed * (demanded - work) / demanded);
  for (int c = 0; c < s.island.nblock; ++c)
    if (s.pieces[std::size_t(c)] == ContactPiece::kStick)
      solution.push_out[std::size_t(s.island.block[std::size_t(c)])] *= factor;
  s.result.reduced = true;
  restart_island(solution, s);
  return true;
}

bool refutes(const Iterate& before, SolverScratch& s) {
  const bool found = is_contradiction(s, witness_of_step(before, s));
  s.result.refuted = s.result.refuted || found;
  return found;
}

bool drop_push_out(double least, SolverScratch& s, Solution& solution) {
  double largest = 0;
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto block = std::size_t(s.island.block[std::size_t(c)]);
    if (!std::isfinite(s.island.problem->block_push_out[block])) continue;
    largest = std::max(largest, push_out_of(s, solution, c));
  }
  if (!(largest > least)) return false;
  for (int block : s.island.block)
    if (const double speed = s.island.problem->block_push_out[std::size_t(block)]; speed > 0 && std::isfinite(speed))
      solution.push_out[std::size_t(block)] = 0;
  s.result.reduced = true;
  restart_island(solution, s);
  return true;
}

}  // namespace stiction
