// Random kinematic trees: any joints, several per body, bodies without joints, armature, branches.
#pragma once

#include <stiction/builder.hpp>

#include "support/random.hpp"

namespace stiction::test {

inline void add_random_inertia(Builder& builder, int body, Random& random) {
  // Moments of a box with these half-sizes: they meet the triangle inequality.
  const Vec3 s{random.uniform(0.05, 0.3), random.uniform(0.05, 0.3), random.uniform(0.05, 0.3)};
  const double m = random.uniform(0.3, 3);
  const Vec3 moments = Vec3{s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y} * (m / 3);
  builder.set_inertia(body, m, random.vector(0.2), moments, random.rotation());
}

// `joints` joints in at least one tree; the first body is free in half of the draws.
inline Model random_tree(int joints, Random& random) {
  Builder builder("random tree");
  builder.options.gravity = random.vector(10);
  int made = 0;
  std::vector<int> bodies{0};
  while (made < joints) {
    // Mostly a chain, with branches anywhere and now and then a new tree.
    const auto index =
        std::size_t(random.chance(0.6) ? int(bodies.size()) - 1 : random.integer(0, int(bodies.size()) - 1));
    const int parent = bodies[index];
    const int body = builder.add_body("", {random.vector(0.4), random.rotation()}, parent);
    bodies.push_back(body);
    add_random_inertia(builder, body, random);
    if (parent == 0 && random.chance(0.5)) {
      builder.add_joint_free(body);
      ++made;
      continue;
    }
    // One ball ends the joints of a body, and only the first axis may be a round one: no two joints do the same.
    const int count = std::min(joints - made, random.chance(0.2) ? 0 : random.integer(1, 3));
    for (int k = 0; k < count; ++k) {
      const double kind = random.uniform(0, 1);
      const JointType type = kind < 0.6 ? JointType::kHinge : (kind < 0.85 ? JointType::kSlide : JointType::kBall);
      const Vec3 axis = k == 0 && random.chance(0.3) ? Vec3{0, -1, 0} : random.direction();
      builder.add_joint(body, type, axis, random.vector(0.2));
      ++made;
      if (type == JointType::kBall) break;
    }
  }
  Model model = builder.build();
  for (double& armature : model.dof_armature)
    if (random.chance(0.3)) armature = random.uniform(0, 0.5);
  for (std::size_t j = 0; j < std::size_t(model.njoint); ++j)
    if (model.joint_type[j] == JointType::kHinge || model.joint_type[j] == JointType::kSlide)
      model.q_reference[std::size_t(model.joint_q[j])] = random.uniform(-1, 1);
  return model;
}

// Positions with unit quaternions, joints up to `size` away from zero.
inline std::vector<double> random_positions(const Model& model, Random& random, double size = 2) {
  std::vector<double> q(std::size_t(model.nq));
  for (double& x : q) x = random.uniform(-size, size);
  for (std::size_t j = 0; j < std::size_t(model.njoint); ++j) {
    if (model.joint_type[j] != JointType::kFree && model.joint_type[j] != JointType::kBall) continue;
    double* x = q.data() + model.joint_q[j] + (model.joint_type[j] == JointType::kFree ? 3 : 0);
    const Quat turn = random.rotation();
    x[0] = turn.w, x[1] = turn.x, x[2] = turn.y, x[3] = turn.z;
  }
  return q;
}

inline std::vector<double> random_vector(int count, Random& random, double size = 1) {
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& value : x) value = random.uniform(-size, size);
  return x;
}

}  // namespace stiction::test
