// Poses of bodies at the start of the step, or at trial positions whose links are in workspace.trial_links.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

struct TrialPoses {
  const Model& model;
  const Workspace& w;
  const std::vector<double>* trial = nullptr;  // positions; null: the start of the step

  Transform operator()(int body) const;
};

// Poses at the positions q, which must outlive them.
TrialPoses poses_at(const Model& model, const std::vector<double>& q, Workspace& workspace);

// Poses at the end of the step with the velocity u; its positions go to workspace.next.q.
TrialPoses poses_at_end(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                        Workspace& workspace);

}  // namespace stiction
