// What turning (step/turning.hpp) has looked at in the rounds of a step. Pairs whose bodies move as they did at the
// last look end as they did there, and that was dealt with: they are not looked at again. In a large scene a round
// changes the motion of few bodies.
#pragma once

#include <span>
#include <vector>

#include <stiction/model.hpp>

namespace stiction {

class LastLook {
 public:
  // Before the first round of a step.
  void forget() { velocity_.clear(); }
  // Notes which trees move otherwise with the velocities u than at the last look, and takes these for this look.
  void compare(const Model& model, const std::vector<double>& u, std::span<const char> shape_asleep);
  // 1 for the shapes that move as they did, are fixed or sleep; all that are awake before the first look move
  // otherwise.
  std::span<const char> shapes_as_before() const { return shape_as_before_; }
  bool is_as_before(int shape_a, int shape_b) const {
    return shape_as_before_[std::size_t(shape_a)] != 0 && shape_as_before_[std::size_t(shape_b)] != 0;
  }

 private:
  std::vector<double> velocity_;  // of each dof when its tree was last looked at; empty: not yet
  std::vector<char> tree_as_before_, shape_as_before_;
};

}  // namespace stiction
