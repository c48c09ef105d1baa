// Trees against MuJoCo on real robots and scenes: poses, mass matrix, bias force, Jacobians, at random states.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <stiction/load.hpp>

#include "dynamics/tree_crba.hpp"
#include "dynamics/tree_jacobian.hpp"
#include "dynamics/tree_plan.hpp"
#include "dynamics/tree_rnea.hpp"
#include "support/mujoco_state.hpp"
#include "support/shared_data.hpp"

namespace stiction {
namespace {

using test::Difference;
using test::draw_state;
using test::Random;

struct Differences {
  Difference position, rotation, mass, bias, jacobian;
};

void compare(const Model& model, const mjModel& m, mjData& d, Random& random, Differences& out) {
  const TreePlan plan = make_tree_plan(model);
  TreeMemory memory(plan);
  const TreeData data = memory.data();
  const TreeView view = plan.view();
  const auto nv = std::size_t(model.nv);
  mj_fwdPosition(&m, &d);
  mj_fwdVelocity(&m, &d);

  tree_positions(view, d.qpos, data);
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    const LinkPose& link = data.pose[plan.body_link[b]];
    const Vec3 origin = model.body_tree[b] >= 0 ? data.origin[model.body_tree[b]] : Vec3{};
    const Vec3 p = origin + link.p + link.R * plan.body_in_link[b].p;
    const Mat3 R = link.R * rotation_matrix(plan.body_in_link[b].q);
    for (int i = 0; i < 3; ++i) {
      out.position.add(p[i], d.xpos[3 * b + std::size_t(i)]);
      for (int j = 0; j < 3; ++j) out.rotation.add(R(i, j), d.xmat[9 * b + std::size_t(3 * i + j)]);
    }
    // Velocity of a point of the body along a direction.
    if (model.nv == 0) continue;
    const Vec3 point = p + random.vector(0.5);
    std::vector<double> theirs(3 * nv), ours(nv);
    mj_jac(&m, &d, theirs.data(), nullptr, &point.x, int(b));
    for (int i = 0; i < 3; ++i) {
      std::fill(ours.begin(), ours.end(), 0.0);
      Vec3 axis;
      axis[i] = 1;
      add_row(view, data.motion, plan.body_link[b], point_wrench(point - origin, axis), 1.0, 0, ours.data());
      for (std::size_t k = 0; k < nv; ++k) out.jacobian.add(ours[k], theirs[std::size_t(i) * nv + k]);
    }
  }

  std::vector<double> rows(std::size_t(plan.nentry())), ours(nv * nv), theirs(nv * nv), bias(nv);
  tree_crba(view, data, rows.data());
  mass_block(view, rows.data(), 0, model.nv, ours.data());
  mj_fullM(&m, &d, theirs.data());
  for (std::size_t i = 0; i < nv * nv; ++i) out.mass.add(ours[i], theirs[i]);
  tree_rnea<double>(view, d.qvel, nullptr, model.options.gravity, data, bias.data());
  for (std::size_t i = 0; i < nv; ++i) {
    out.bias.floor(theirs[i * nv + i]);  // the force of an acceleration of one: some biases cancel to rounding
    out.bias.add(bias[i], d.qfrc_bias[i]);
  }
}

TEST(tree_mujoco, poses_mass_matrix_bias_and_jacobians_agree_on_all_files) {
  const auto files = test::model_files({"robots_mjcf", "robots_urdf", "scenes"});
  if (files.empty()) GTEST_SKIP() << "../shared/data is not there";
  int compared = 0;
  Random random(1);
  for (const auto& path : files) {
    const auto m = test::mujoco_model(path);
    if (!m || m->nv > 300) continue;  // dense matrices of thousands of rows say no more
    // Armature of tendons is not a property of the tree.
    if (std::any_of(m->tendon_armature, m->tendon_armature + m->ntendon, [](mjtNum x) { return x != 0; })) continue;
    SCOPED_TRACE(path.string());
    const Model model = load(path.string(), {.allow_unsupported = true});
    const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m.get()), mj_deleteData);
    Differences worst;
    for (int trial = 0; trial < 3; ++trial) {
      draw_state(*m, random, *d);
      compare(model, *m, *d, random, worst);
    }
    EXPECT_LT(worst.position.relative(), 1e-12);
    EXPECT_LT(worst.rotation.relative(), 1e-12);
    EXPECT_LT(worst.jacobian.relative(), 1e-12);
    EXPECT_LT(worst.mass.relative(), 1e-12);
    EXPECT_LT(worst.bias.relative(), 1e-11);
    ++compared;
  }
  std::printf("%d files compared\n", compared);
  EXPECT_GE(compared, 200);
}

}  // namespace
}  // namespace stiction
