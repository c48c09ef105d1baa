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

  // From now on pairs of shapes that sleep or are fixed get no contacts; bodies moved by motion capture never sleep.
  void set_asleep(std::span<const char> shape_asleep);

  // [m] least gap of two shapes at other poses; `reach` if they are farther apart.
  double least_gap(int shape_a, int shape_b, const Transform& pose_a, const Transform& pose_b, double reach) const;

  // [m] how far outside its shapes a pair touches: MJCF's margins.
  double standoff(int shape_a, int shape_b) const;
  // [m] of the smallest ball about a shape's origin that holds it.
  double radius(int shape) const;
  // [m] how far B, at other poses, is beyond A along the unit vector n; −infinity for planes.
  double separation(int shape_a, int shape_b, const Transform& pose_a, const Transform& pose_b, const Vec3& n) const;
  // The point next to x of a shape at another pose that is first along n (collide/extent.hpp).
  Vec3 foremost(int shape, const Transform& pose, const Vec3& x, const Vec3& n) const;

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace stiction
