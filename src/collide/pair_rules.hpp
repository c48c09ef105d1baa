// Which shapes may touch, and with what friction, restitution and margin: the rules of MJCF (MuJoCo's documentation,
// "Computation", section "Collision detection: selection" and "contact parameters"). We depart in two points: an
// explicit pair between two shapes that are fixed to the world is void, and shape_gap, a buffer of MuJoCo's detection,
// is not used.
#pragma once

#include <cstdint>
#include <vector>

#include <stiction/model.hpp>

namespace stiction {

// Surface of a pair.
struct PairSurface {
  double friction = 0, friction_second = 0;  // of sliding along the two tangents [1]; 0 for condim 1
  Vec3 friction_torque;                      // of torsion and of rolling about the two tangents [m]
  double restitution = 0;                    // [1]
  double compliance = 0, damping = 0;        // of each point [m/N], [N s/m]
};

class PairRules {
 public:
  explicit PairRules(const Model& model);

  // Index of the explicit pair of two shapes, −1 if there is none.
  int explicit_pair(int shape_a, int shape_b) const;
  // The rules for pairs that are not explicit: other bodies, not parent and child, types and affinities, excludes.
  bool may_touch(int shape_a, int shape_b) const {
    if (allowed_.empty()) return judge(shape_a, shape_b);
    return allowed_[static_cast<std::size_t>(shape_a) * surface_.size() + static_cast<std::size_t>(shape_b)] != 0;
  }
  PairSurface surface(int shape_a, int shape_b, int explicit_pair) const;
  // The shape has a moving surface.
  bool is_belt(int shape) const { return belt_[static_cast<std::size_t>(shape)] != 0; }

  bool participates(int shape) const { return participates_[static_cast<std::size_t>(shape)] != 0; }
  // The shape can move: its body belongs to a tree.
  bool moves(int shape) const { return moves_[static_cast<std::size_t>(shape)] != 0; }
  // The rigid body of a shape: the first of the bodies that are welded to each other; 0 for what does not move.
  int rigid_body(int shape) const { return rigid_body_[static_cast<std::size_t>(shape)]; }
  // Other shapes of its rigid body can touch something, too.
  bool is_compound(int shape) const { return compound_[static_cast<std::size_t>(shape)] != 0; }
  // [m] distance of two shapes at which they touch: the sum of their margins, or the margin of an explicit pair.
  double standoff(int shape_a, int shape_b, int explicit_pair) const {
    if (explicit_pair >= 0) return pair_margin_[static_cast<std::size_t>(explicit_pair)];
    return margin_[static_cast<std::size_t>(shape_a)] + margin_[static_cast<std::size_t>(shape_b)];
  }
  // [m] the largest share of a shape in it.
  double widest_margin(int shape) const { return widest_margin_[static_cast<std::size_t>(shape)]; }

 private:
  struct Surface {
    Vec3 friction;
    double restitution, compliance, damping;
    int condim, priority, contype, conaffinity, body;
  };
  struct ExplicitPair {
    std::uint64_t shapes;
    int index;
  };
  bool judge(int shape_a, int shape_b) const;
  PairSurface mixed(const Surface& a, const Surface& b) const;

  std::vector<Surface> surface_;
  std::vector<char> allowed_;  // may_touch of each two shapes, where there are few
  std::vector<char> participates_, moves_, belt_, compound_;
  std::vector<int> rigid_body_;
  std::vector<double> margin_, widest_margin_, pair_margin_;
  std::vector<PairSurface> pair_surface_;
  std::vector<int> weld_, weld_parent_;  // of each body: the group it is welded into, and the group that carries that
  std::vector<ExplicitPair> explicit_;   // sorted by shapes
  std::vector<std::uint64_t> excluded_;  // sorted pairs of bodies
};

}  // namespace stiction
