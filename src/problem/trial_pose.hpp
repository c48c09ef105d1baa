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

}  // namespace stiction
