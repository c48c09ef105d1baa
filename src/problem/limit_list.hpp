// Limits of hinges, slides and tendons of trees, laid side by side. Hardly any of a robot's limits is near in a step:
// only those become rows.
#pragma once

#include <stiction/options.hpp>
#include <stiction/state.hpp>

#include <vector>

namespace stiction {

struct ConstraintRow;
struct Mechanism;
struct Workspace;

struct LimitList {
  // Constant; part 0: the lower limit, 1: the upper one. First those of joints, in the order of their keys.
  std::vector<std::uint64_t> key;
  std::vector<int> element, part;           // joint or tendon
  std::vector<int> q, dof;                  // of joints alone
  std::vector<double> sign, bound, margin;  // gap = sign (position or length − bound) − margin [m or rad]
  // Of the step
  std::vector<double> gap;     // [m or rad]
  std::vector<double> force;   // of the warm start [N or N m]
  std::vector<char> selected;  // 1 for those that have their row

  LimitList() = default;
  LimitList(const Model& model, const Mechanism& mechanism);

  std::size_t size() const { return key.size(); }
  std::size_t tendons() const { return key.size() - dof.size(); }
  // Distances at the start of the step; none is selected, forces are zero.
  void measure(const State& state, const Mechanism& mechanism);
  // The limit of a key, or size().
  std::size_t find(std::uint64_t wanted) const;
  // gap + h v: negative if the limit is passed within the step [m or rad].
  double gap_after(const Options& options, const Mechanism& mechanism, std::size_t i,
                   const std::vector<double>& u) const {
    const double v = i < dof.size() ? u[std::size_t(dof[i])] : tendon_rate(mechanism, i, u);
    return gap[i] + options.timestep * (sign[i] * v);
  }

 private:
  double tendon_rate(const Mechanism& mechanism, std::size_t i, const std::vector<double>& u) const;
};

// The row of a limit of the list.
ConstraintRow limit_row(const Model& model, std::size_t limit, Workspace& workspace);

// Whether a limited joint or tendon has its limits in the list, not among the candidates.
bool lists_joint(const Model& model, int joint);
bool lists_tendon(const Model& model, const Mechanism& mechanism, int tendon);

}  // namespace stiction
