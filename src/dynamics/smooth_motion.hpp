// Articulated trees that are left to themselves. Where nothing acts on a tree within a step but its weight, its motion
// is smooth, and the midpoint rule need not be the last word on it: the tree moves by the rule of Kutta and Merson
// (R. H. Merson, "An operational method for the study of integration processes", 1957), of fourth order,
//
//   x = (q, u),  f(x) = (q̇(q, u), u̇(q, u)),   u̇ by articulated bodies (tree_aba.hpp)
//   kᵢ = f(x + h Σⱼ aᵢⱼ kⱼ),  five stages,   x⁺ = x + h Σ bᵢ kᵢ
//
// Its fifth stage is worth its cost: an oscillation of the frequency ω grows by |R(i h ω)|, R(z) = 1 + … + z⁴/24 +
// z⁵/144, which is below 1 up to h ω = 3.46, and differs from 1 by (h ω)⁸/3456 only (four stages: up to 2.83, and by
// (h ω)⁶/144; rules of fifth order have a sixth stage and often grow from 1 on).
// As free bodies keep energy and momentum in their drift (free_body.hpp), so do robots and pendulums in free flight, to
// h⁴. A tree that a row of the problem touches (limit, loop) or that is near another body, that has springs, dampers or
// actuators, on which a control acts, or whose light links the step has to hold stable (geometric_stiffness.hpp), moves
// by the midpoint rule.
#pragma once

#include <stiction/options.hpp>
#include <stiction/state.hpp>

#include <array>
#include <vector>

namespace stiction {

struct Workspace;

struct SmoothMotion {
  static constexpr std::size_t kStages = 5;
  using Rates = std::array<std::vector<double>, kStages>;

  std::vector<char> alone;     // trees that nothing of the model acts on (constant)
  std::vector<char> acted_on;  // trees on which the control acts, or that are near another body
  std::vector<double> q, u;    // at which f is evaluated; then the end of the step
  Rates q_rate, u_rate;        // k

  void prepare(const Model& model, const Workspace& workspace);
};

// q and u of `next` for all such trees, from q and u of the start of the step. The problem goes before.
void move_smoothly(const Model& model, const Options& options, const Control& control, const std::vector<double>& q,
                   const std::vector<double>& u, Workspace& workspace, State& next);

}  // namespace stiction
