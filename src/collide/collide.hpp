// Contacts of all shapes: broad phase, filters, narrow phase, mixing of surface parameters. The order of the contacts
// (by shape pair, then by feature) does not depend on the number of threads.
#pragma once

#include <memory>
#include <span>

#include <stiction/state.hpp>

namespace stiction {

// What does not change from step to step (pair filters, parameters) and scratch memory; grows, never shrinks.
class Collider {
 public:
  explicit Collider(const Model& model);
  ~Collider();

  // shape_pose: X_WS of every shape. shape_speed: bound on the speed of any point of the shape over the step [m/s].
  // A pair gets contacts up to the gap contact_margin + h (speed_a + speed_b): before it can penetrate.
  // Fills contacts (all but force and velocity). Does not allocate after warm-up. Never throws.
  void collide(const Options& options, std::span<const Transform> shape_pose, std::span<const double> shape_speed,
               Contacts& contacts);

  // [m] least gap of two shapes at other poses; `reach` if they are farther apart.
  double least_gap(int shape_a, int shape_b, const Transform& pose_a, const Transform& pose_b, double reach) const;

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace stiction
