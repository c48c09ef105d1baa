#include "solvers/existence.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/block_law.hpp"
#include "solvers/interior_point.hpp"

namespace stiction {
namespace {

constexpr int kIterations = 30;
// A motion that would satisfy all blocks has to be this many times faster than the velocity scale of the island, or
// there is none.
constexpr double kSpeedRatio = 100;
constexpr double kMet = 1e-7;       // gap of the path, and its parameter, relative, at which it has arrived
constexpr double kInvolved = 1e-3;  // impulse relative to the largest, above which a block takes part
constexpr double kAllowed = 0.5;    // fraction of the push-out that p allows which is kept
// The ratio that the nearest p in the cones must have to be worth a factorisation, and the growth of that of the step
// after which another one is.
constexpr double kNearHint = 0.01, kNextHint = 10;
constexpr double kCompliance = 1e-9;  // of the blocks in p, relative to their inverse masses

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

// How many times as fast as the island's scale every admissible motion is, at least; 0 if p says nothing about it.
double demanded_speed(const SolverScratch& s, const Witness& w) {
  return w.work > 0 ? w.work * w.size / (s.island.scale * w.weight * w.impulse) : 0.0;
}

// Nearest impulse that the box allows in any amount: none towards a bound, and none that gives way.
double project_on_box(const BoxBounds<double>& box, double p) {
  const bool ends = box.compliance > 0 || std::isfinite(p < 0 ? box.lower : box.upper);
  return ends ? 0.0 : p;
}

// Nearest impulses in the cones of all blocks.
void project_on_cones(const SolverScratch& s, std::vector<double>& p) {
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    with_rows(s.island.block_size(c), [&](auto rows) {
      if constexpr (rows > 1) {
        const double mu = has_friction(s.island.law[i]) ? s.island.friction[i] : 0.0;
        s.set_rows(p, c, CoulombLaw<rows>::project(s.rows<rows>(p, c), mu));
      } else {
        const double normal = s.normal(p, c);
        const bool is_box = s.island.law[i] == Law::kBox;
        s.set_normal(p, c, is_box ? project_on_box(s.island.box[i], normal) : std::max(normal, 0.0));
      }
    });
  }
}

Witness project_witness(SolverScratch& s) {
  project_on_cones(s, s.witness);
  response_to(s.witness, s, s.free_contact);
  return witness_of(s, s.witness, s.free_contact);
}

// Makes the impulses of the witness cancel. Those of blocks that have little part in it become zero, the others change
// to where nothing moves:
//   (W + ε w) δp = −W p  in their rows.
bool cancel_witness(SolverScratch& s) {
  double largest = 0;
  for (int c = 0; c < s.island.nblock; ++c) largest = std::max(largest, std::abs(s.normal(s.witness, c)));
  std::fill(s.A.begin(), s.A.end(), 0.0);
  std::fill(s.B.begin(), s.B.end(), 0.0);
  for (int c = 0; c < s.island.nblock; ++c) {
    const auto i = std::size_t(c);
    const int rows = s.island.block_size(c);
    const bool involved = std::abs(s.normal(s.witness, c)) > kInvolved * largest;
    for (int k = 0; k < rows; ++k) {
      const auto entry = std::size_t(s.island.square[i] + (rows + 1) * k), row = std::size_t(s.island.row[i] + k);
      s.A[entry] = involved ? 1 : 0;
      s.B[entry] = (involved ? kCompliance : 1) * (k == 0 ? s.scale[i].normal : s.scale[i].tangent);
      if (!involved) s.witness[row] = 0;
    }
  }
  response_to(s.witness, s, s.r);
  for (int c = 0; c < s.island.nblock; ++c) {
    const bool involved = s.A[std::size_t(s.island.square[std::size_t(c)])] > 0;
    for (int row = s.island.row[std::size_t(c)], end = row + s.island.block_size(c); row < end; ++row)
      s.r[std::size_t(row)] *= involved ? -1 : 0;
  }
  if (!factor_system(s, true) || !solve_system(s)) return false;
  for (std::size_t i = 0; i < s.witness.size(); ++i) s.witness[i] += s.delta_p[i];
  return true;
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
    if (push_out_of(s, solution, c) > 0) largest = std::max(largest, s.normal(s.witness, c));
  for (int c = 0; c < s.island.nblock; ++c) {
    const double normal = s.normal(s.witness, c), speed = push_out_of(s, solution, c);
    const bool involved = speed > 0 && normal > kInvolved * largest;
    s.pieces[std::size_t(c)] = involved ? ContactPiece::kStick : ContactPiece::kOpen;
    if (involved) work += speed * normal;
  }
  return work;
}

}  // namespace

bool refutes(const Iterate& before, SolverScratch& s) {
  // A step points along such a p long before the impulses themselves do, which started elsewhere.
  for (std::size_t i = 0; i < s.drift.size(); ++i) {
    s.drift[i] = s.current.p[i] - before.p[i];
    s.free_contact[i] = s.current.v[i] - before.v[i];  // W times the step
  }
  const double hint = demanded_speed(s, witness_of(s, s.drift, s.free_contact));
  if (!(hint > s.least_hint)) return false;
  s.witness = s.drift;
  double speed = demanded_speed(s, project_witness(s));
  if (speed < kSpeedRatio && speed > kNearHint && cancel_witness(s)) {
    speed = demanded_speed(s, project_witness(s));
    s.least_hint = kNextHint * hint;
  }
  s.contradicted = speed > kSpeedRatio;
  s.result.refuted = s.result.refuted || s.contradicted;
  return s.contradicted;
}

bool find_contradiction(SolverScratch& s) {
  const InteriorSettings settings{.relaxed = true};
  interior_start(settings, s);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    s.trial.copy(s.current);
    if (interior_step(settings, s) == InteriorStatus::kStalled) return false;
    if (refutes(s.trial, s)) return true;
    if (is_met(s)) return false;
  }
  return false;
}

bool has_push_out(const SolverScratch& s, const Solution& solution, double least) {
  for (int c = 0; c < s.island.nblock; ++c)
    if (push_out_of(s, solution, c) > least) return true;
  return false;
}

bool reduce_push_out(SolverScratch& s, Solution& solution) {
  // factor · demanded ≤ what the other blocks of p give way
  const double demanded = demanded_work(solution, s);
  if (!(demanded > 0)) return false;
  double work = 0;
  for (std::size_t i = 0; i < s.witness.size(); ++i) work -= s.island.bias[i] * s.witness[i];
  const double factor = std::max(0.0, kAllowed * (demanded - work) / demanded);
  for (int c = 0; c < s.island.nblock; ++c)
    if (s.pieces[std::size_t(c)] == ContactPiece::kStick)
      solution.push_out[std::size_t(s.island.block[std::size_t(c)])] *= factor;
  s.result.reduced = true;
  restart_island(solution, s);
  return true;
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
