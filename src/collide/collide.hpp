// Contacts of all shapes: broad phase, filters, narrow phase, mixing of surface parameters. The order of the contacts
// (by shape pair, then by feature) does not depend on the number of threads.
#pragma once

#include <memory>
#include <span>

#include <stiction/state.hpp>

namespace stiction {

// A plane that B has where the centre of mass of A's body would enter it.
struct Entry {
  Vec3 normal{};   // unit, from A to B
  Vec3 point{};    // [m] midway between the ball about it inside A and the plane
  double gap = 0;  // [m] from that ball to the plane
};

// Pairs of shapes whose contacts a bounded search could not settle: they have the best that it found.
struct CutShort {
  int pairs = 0;
  int shape_a = -1, shape_b = -1;  // the first of them
};

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

  // The contacts of one pair, at the poses of the last collide(), for a body B that came in against `lift` [m]: they
  // are found where B is outside, moved by that, and have the gaps that are left without it. However deep, it is on
  // that side of a thin plate.
  void collide_from(int shape_a, int shape_b, const Vec3& lift, Contacts& contacts);

  // From now on pairs of shapes that sleep or are fixed get no contacts; bodies moved by motion capture never sleep.
  void set_asleep(std::span<const char> shape_asleep);

  // [m] least gap of two shapes at other poses; `reach` if they are farther apart.
  double least_gap(int shape_a, int shape_b, const Transform& pose_a, const Transform& pose_b, double reach);

  // Of the call of the three above that met most of them since it was forgotten.
  const CutShort& cut_short() const;
  void forget_cut_short();

  // [m] how far outside its shapes a pair touches: MJCF's margins.
  double standoff(int shape_a, int shape_b) const;
  // [m] of the smallest ball about a shape's origin that holds it.
  double radius(int shape) const;
  // [m] largest n·x over the points x of a shape at another pose (collide/extent.hpp).
  double reach(int shape, const Transform& pose, const Vec3& n) const;
  // [m] how far B, at other poses, is beyond A along the unit vector n; −infinity for planes but along their normals.
  double separation(int shape_a, int shape_b, const Transform& pose_a, const Transform& pose_b, const Vec3& n) const;
  // The unit vector from A to B along which B is farthest beyond A at their poses at the start of a motion and at its
  // end alike, turning with B; as it is at the start. False where there is none. Not for planes.
  bool passing_axis(int shape_a, int shape_b, const Transform& start_a, const Transform& start_b,
                    const Transform& end_a, const Transform& end_b, Vec3& n) const;
  // [m] of the ball about the centre of mass inside a shape that moves; infinity where there is none.
  double inner_radius(int shape) const;
  // Whether the centre of mass of A's body, which moves by more than the radius of the ball about it inside A, enters B
  // on a straight way from the poses at the start to those at the end; the plane as it is at the start.
  bool entry(int shape_a, int shape_b, const Transform& start_a, const Transform& start_b, const Transform& end_a,
             const Transform& end_b, Entry& entry) const;
  // The point next to x of a shape at another pose that is first along n (collide/extent.hpp).
  Vec3 foremost(int shape, const Transform& pose, const Vec3& x, const Vec3& n) const;

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace stiction
