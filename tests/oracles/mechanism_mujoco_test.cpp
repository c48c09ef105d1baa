// Tendons, transmissions, passive forces and actuators against MuJoCo at random states: on paths that wrap around
// spheres and cylinders, on every kind of actuator, and on all robots and scenes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <stiction/dynamics.hpp>
#include <stiction/load.hpp>

#include "dynamics/kinematics.hpp"
#include "support/mujoco_state.hpp"
#include "support/shared_data.hpp"
#include "support/xml_file.hpp"

namespace stiction {
namespace {

using test::Difference;
using test::Random;
using DataPointer = std::unique_ptr<mjData, void (*)(mjData*)>;

struct Differences {
  Difference length, velocity, moment, passive, force, joint_force, acceleration, activation;
};

// The same state and control for both.
struct Sides {
  Sides(std::shared_ptr<const Model> shared, const mjModel& compiled)
      : model(std::move(shared)),
        m(compiled),
        d(mj_makeData(&compiled), mj_deleteData),
        state(make_state(*model)),
        control(make_control(*model)),
        dynamics(model) {
    workspace = std::make_unique<Workspace>(*model);
  }

  std::shared_ptr<const Model> model;
  const mjModel& m;
  DataPointer d;
  State state;
  Control control;
  Dynamics dynamics;
  std::unique_ptr<Workspace> workspace;

  void draw(Random& random, double reach) {
    test::draw_state(m, random, *d, reach);
    for (mjtSize i = 0; i < m.na; ++i) d->act[i] = random.uniform(0, 1);
    for (mjtSize i = 0; i < m.nu; ++i) d->ctrl[i] = random.uniform(-1, 1);
    std::copy_n(d->qpos, m.nq, state.q.begin());
    std::copy_n(d->qvel, m.nv, state.u.begin());
    std::copy_n(d->act, m.na, state.activation.begin());
    for (std::size_t a = 0; a < std::size_t(m.nactuator); ++a)
      if (m.actuator_ctrlnum[a] == 1) control.input[a] = d->ctrl[m.actuator_ctrladr[a]];
    mj_forward(&m, d.get());
    compute_poses(*model, state.q, *workspace);
    compute_inertia_and_force(*model, model->options, control, state, *workspace);
  }

  void compare(Differences& out) {
    const Mechanism& ours = workspace->mechanism;
    const auto nv = std::size_t(m.nv);
    for (std::size_t t = 0; t < std::size_t(m.ntendon); ++t) {
      out.length.add(ours.tendon_length[t], d->ten_length[t]);
      out.velocity.add(ours.tendon_velocity[t], d->ten_velocity[t]);
    }
    for (std::size_t a = 0; a < std::size_t(m.nactuator); ++a) {
      if (m.actuator_outnum[a] != 1 || m.actuator_trntype[a] == mjTRN_BODY) continue;
      const int output = m.actuator_outadr[a];
      out.length.add(ours.actuator_length[a], d->actuator_length[output]);
      out.velocity.add(ours.actuator_velocity[a], d->actuator_velocity[output]);
      std::vector<double> row(nv);
      for (int e = 0; e < d->moment_rownnz[output]; ++e)
        row[std::size_t(d->moment_colind[d->moment_rowadr[output] + e])] =
            d->actuator_moment[d->moment_rowadr[output] + e];
      for (auto e = std::size_t(ours.actuator_rows.row[a]); e < std::size_t(ours.actuator_rows.row[a + 1]); ++e) {
        const auto dof = std::size_t(ours.actuator_rows.dof[e]);
        out.moment.add(ours.actuator_moment[e], row[dof]);
        row[dof] = 0;
      }
      for (const double rest : row) out.moment.add(0, rest);  // nothing outside of the pattern
      out.force.add(ours.actuator_force[a], d->actuator_force[output]);
    }
    std::vector<double> smooth(nv), acceleration(nv);
    for (std::size_t i = 0; i < nv; ++i) {
      out.passive.add(ours.passive_force[i], d->qfrc_passive[i]);
      out.joint_force.add(ours.actuator_joint_force[i], d->qfrc_actuator[i]);
      smooth[i] = ours.passive_force[i] + ours.actuator_joint_force[i];
    }
    if (nv == 0) return;
    dynamics.aba(state.q, state.u, smooth, acceleration);
    for (std::size_t i = 0; i < nv; ++i) out.acceleration.add(acceleration[i], d->qacc_smooth[i]);
  }
};

std::shared_ptr<const mjModel> compiled(const std::string& path) {
  auto own = test::mujoco_model(path);
  return std::shared_ptr<const mjModel>(std::move(own));
}

Differences compare_text(const std::string& text, int trials, double reach) {
  const std::string path = test::mjcf(text);
  const auto m = compiled(path);
  EXPECT_TRUE(m) << text;
  Sides sides(std::make_shared<const Model>(load(path, {.allow_unsupported = true})), *m);
  Random random(3);
  Differences out;
  for (int trial = 0; trial < trials; ++trial) {
    sides.draw(random, reach);
    sides.compare(out);
  }
  return out;
}

// Two arms on ball joints with a site each, and a shape between them, on its own joint; `path` is the tendon.
std::string wrap_scene(const std::string& path, const std::string& shape) {
  return R"(<worldbody><site name="w" pos=".3 .9 .2"/>
    <body pos="-1 0 0"><joint type="ball"/><geom size=".1"/><site name="a" pos=".3 .2 .1"/></body>
    <body><joint axis="1 2 3"/><geom name="g" )" +
         shape +
         R"( contype="0" euler="20 30 40"/><site name="in" pos=".03 .02 .01"/><site name="out" pos=".9 .4 .1"/></body>
    <body pos="1 0 0"><joint type="ball"/><geom size=".1"/><site name="b" pos="-.2 .4 -.1"/></body>
    </worldbody><tendon><spatial name="t">)" +
         path + R"(</spatial></tendon><actuator><motor tendon="t" gear="2"/></actuator>)";
}

TEST(mechanism_mujoco, tendons_wrap_around_spheres_and_cylinders) {
  const std::string shapes[] = {R"(size=".4")", R"(type="cylinder" size=".4 1")", R"(size=".7")",
                                R"(type="cylinder" size=".6 1")"};
  const std::string paths[] = {
      R"(<site site="a"/><geom geom="g"/><site site="b"/>)",
      R"(<site site="a"/><geom geom="g" sidesite="out"/><site site="b"/>)",
      R"(<site site="a"/><geom geom="g" sidesite="w"/><site site="b"/>)",
      R"(<site site="a"/><geom geom="g" sidesite="in"/><site site="b"/>)",
      R"(<site site="w"/><site site="a"/><pulley divisor="2"/><site site="a"/><geom geom="g"/><site site="b"/><site
         site="w"/><pulley divisor="3"/><site site="w"/><site site="b"/>)"};
  for (const std::string& shape : shapes)
    for (const std::string& path : paths) {
      SCOPED_TRACE(fmt::format("{} {}", shape, path));
      const Differences worst = compare_text(wrap_scene(path, shape), 200, 3);
      // Inside wraps: MuJoCo stops its iteration at 1e-6. Arcs: its acos loses half the digits near a full touch.
      const bool inside = path.find("\"in\"") != path.npos;
      EXPECT_LT(worst.length.relative(), inside ? 1e-7 : 1e-9);
      EXPECT_LT(worst.velocity.relative(), inside ? 1e-5 : 1e-9);
      EXPECT_LT(worst.moment.relative(), inside ? 1e-5 : 1e-9);
    }
}

const std::string kArm = R"(<option gravity="1 2 -9"/><worldbody><site name="w" pos="1 2 3" euler="10 20 30"/>
  <body name="base" gravcomp=".7"><freejoint name="f"/><geom size=".2"/><site name="s" pos=".1 .2 .3" euler="5 6 7"/>
    <body pos=".5 0 0" gravcomp="1.2"><joint name="b" type="ball" stiffness="3" damping=".2"/><geom size=".1" pos=".2 .1 0"/>
      <body pos=".5 0 0"><joint name="h" axis="1 2 3" ref="20" springref="40" stiffness="2" damping="3"
         actuatorfrcrange="-3 4"/><joint name="l" type="slide" axis="0 1 1" stiffness="5" actuatorgravcomp="true"/>
        <geom size=".1" pos=".1 .1 0"/><site name="c" pos=".1 .3 .1" euler="50 6 7"/></body></body></body>
  <body name="other" pos="0 3 0" gravcomp="1"><joint name="o" axis="0 1 .2" actuatorgravcomp="true"
      actuatorfrcrange="-1 1"/><geom size=".2" pos=".1 .3 .2"/></body></worldbody>
  <tendon><fixed name="x" stiffness="3" damping="2" springlength=".1 .2" actuatorfrcrange="-.5 .7"><joint joint="h"
    coef="2"/><joint joint="l" coef="-1"/></fixed>
    <spatial name="y" stiffness="30" damping="2"><site site="w"/><site site="s"/><site site="c"/></spatial></tendon>)";

TEST(mechanism_mujoco, actuators_of_every_kind_agree) {
  const std::string actuators[] = {
      R"(<motor joint="h" gear="3"/><motor joint="l" ctrlrange="-.1 .2"/><motor joint="o" gear="9"/>)",
      R"(<motor joint="b" gear="1 2 3"/><motor jointinparent="b" gear="1 2 3"/>)",
      R"(<motor joint="f" gear="1 2 3 4 5 6"/><motor jointinparent="f" gear="1 2 3 4 5 6"/>)",
      R"(<motor site="s" gear="1 2 3 4 5 6"/><position site="s" gear="1 2 3 0 0 0" kp="3"/>)",
      R"(<position site="c" refsite="s" gear="1 2 3 0 0 0" kp="3" kv="2"/>)",
      R"(<position site="c" refsite="w" gear="0 0 0 1 2 3" kp="3"/><motor site="s" refsite="w" gear="1 0 0 0 2 3"/>)",
      R"(<motor cranksite="c" slidersite="s" cranklength="1.5" gear="2"/>)",
      R"(<motor cranksite="c" slidersite="w" cranklength=".1"/>)",
      R"(<position joint="h" kp="40" kv="3"/><velocity joint="l" kv="5" forcerange="-1 2"/>)",
      R"(<position joint="h" kp="40" dampratio="1"/><position joint="l" kp="7" timeconst=".05"/>)",
      R"(<intvelocity joint="h" kp="4" actrange="-2 2"/><damper joint="l" kv="3" ctrlrange="0 1"/>)",
      R"(<cylinder joint="h" area="2" bias="1 -2 -3" timeconst=".2"/><motor tendon="x" gear="3"/>)",
      R"(<position tendon="y" kp="8" kv="1"/><motor tendon="x" gear="-3"/><motor tendon="x" gear="2"/>)",
      R"(<general joint="h" gainprm="1 2 3" gaintype="affine" biasprm="3 2 1" biastype="affine" dyntype="integrator"
          actlimited="true" actrange=".2 .3" actearly="true"/>)",
      R"(<general joint="h" dyntype="filterexact" dynprm=".1" gainprm="3" actearly="true"/>)",
      R"(<muscle tendon="y" lengthrange="1 6"/><muscle tendon="x" lengthrange="-3 3" force="12" range=".6 1.3" lmin=".4"
          lmax="1.7" vmax="1.2" fpmax="1.4" fvmax="1.3" timeconst=".02 .05" tausmooth=".2"/>)",
  };
  for (const std::string& text : actuators) {
    SCOPED_TRACE(text);
    const Differences worst = compare_text(fmt::format("{}<actuator>{}</actuator>", kArm, text), 100, 1.5);
    EXPECT_LT(worst.length.relative(), 1e-12);
    EXPECT_LT(worst.velocity.relative(), 1e-12);
    EXPECT_LT(worst.moment.relative(), 1e-12);
    EXPECT_LT(worst.force.relative(), 1e-12);
    EXPECT_LT(worst.joint_force.relative(), 1e-12);
    EXPECT_LT(worst.passive.relative(), 1e-12);
    EXPECT_LT(worst.acceleration.relative(), 1e-11);
  }
}

// Drag and viscosity in wind, of bodies in a tree, welded to it and flying freely.
TEST(mechanism_mujoco, forces_of_a_fluid_agree) {
  const Differences worst = compare_text(R"(<option density="1000" viscosity=".3" wind="1 -2 .5"/><worldbody>
    <body><freejoint/><geom type="box" size=".1 .2 .3"/>
      <body pos=".5 0 0"><joint axis="1 2 3"/><geom type="capsule" size=".05 .2" euler="10 20 30" pos=".1 0 0"/>
        <body pos=".3 .1 0" euler="40 50 60"><geom type="ellipsoid" size=".1 .05 .2"/></body></body></body>
    <body pos="2 0 0"><freejoint/><geom type="box" size=".3 .1 .01" pos=".1 .2 0"/></body></worldbody>)",
                                         100, 1.5);
  EXPECT_LT(worst.passive.relative(), 1e-12);
  EXPECT_LT(worst.acceleration.relative(), 1e-11);
}

// One step of MuJoCo advances the activations by the same rules.
TEST(mechanism_mujoco, activations_advance_alike) {
  const std::string text = kArm + R"(<actuator><intvelocity joint="h" kp="4" actrange=".1 .9"/>
    <general joint="h" dyntype="filter" dynprm=".3" gainprm="3"/><general joint="h" dyntype="filterexact" dynprm=".1"/>
    <muscle tendon="y" lengthrange="1 6" timeconst=".02 .05" tausmooth=".2"/><muscle tendon="y" lengthrange="1 6"/>
    <position joint="l" kp="7" timeconst=".05"/></actuator>)";
  const std::string path = test::mjcf(text);
  const auto m = compiled(path);
  Sides sides(std::make_shared<const Model>(load(path, {.allow_unsupported = true})), *m);
  Random random(5);
  Difference worst;
  for (int trial = 0; trial < 100; ++trial) {
    sides.draw(random, 1);
    mj_step(m.get(), sides.d.get());
    for (std::size_t i = 0; i < std::size_t(m->na); ++i)
      worst.add(sides.workspace->mechanism.next_activation[i], sides.d->act[i]);
  }
  EXPECT_LT(worst.relative(), 1e-13);
}

// What the Model has no place for, and what is not a force of the mechanism.
bool beyond(const mjModel& m, const LoadReport& report) {
  if (m.nflex > 0 || m.nplugin > 0) return true;
  // Adhesion is of contacts.
  if (std::find(m.actuator_trntype, m.actuator_trntype + m.nu, mjTRN_BODY) != m.actuator_trntype + m.nu) return true;
  return std::any_of(report.issues.begin(), report.issues.end(), [](const LoadIssue& issue) {
    return issue.changes_physics && (issue.element.starts_with("actuator") || issue.element.starts_with("flag") ||
                                     issue.missing.find("nonlinear") != std::string::npos ||
                                     issue.missing.find("forces of a fluid") != std::string::npos ||
                                     issue.missing.find("adhesion") != std::string::npos ||
                                     issue.missing.find("inertia of tendons") != std::string::npos);
  });
}

TEST(mechanism_mujoco, forces_of_springs_dampers_and_actuators_agree_on_all_files) {
  const auto files = test::model_files({"robots_mjcf", "robots_urdf", "scenes"});
  if (files.empty()) GTEST_SKIP() << "../shared/data is not there";
  int compared = 0, left_out = 0;
  for (const auto& path : files) {
    const auto m = compiled(path.string());
    if (!m || m->nv > 300 || m->nv == 0) continue;
    SCOPED_TRACE(path.string());
    LoadReport report;
    const auto model = std::make_shared<const Model>(load(path.string(), {.allow_unsupported = true}, &report));
    if (beyond(*m, report)) {
      ++left_out;
      fmt::print("left out: {}\n", path.string());
      continue;
    }
    // MuJoCo finds the touching point of a tendon inside of a shape to 1e-6 only.
    const std::string inside_files[] = {"tendon.xml", "tendon_wrap_sphere.xml", "tendon_wrap_cylinder.xml"};
    const bool inside = std::ranges::find(inside_files, path.filename().string()) != std::end(inside_files);
    Random random(1);  // of its own, so that no file depends on which others are there
    Sides sides(model, *m);
    Differences worst;
    worst.acceleration.floor(1);  // some scenes have no force at all
    for (int trial = 0; trial < 3; ++trial) {
      sides.draw(random, 1);
      sides.compare(worst);
    }
    EXPECT_LT(worst.length.relative(), 1e-9);
    EXPECT_LT(worst.velocity.relative(), inside ? 1e-6 : 1e-9);
    EXPECT_LT(worst.moment.relative(), 1e-9);
    EXPECT_LT(worst.force.relative(), 1e-9);
    EXPECT_LT(worst.joint_force.relative(), 1e-9);
    EXPECT_LT(worst.passive.relative(), 1e-9);
    EXPECT_LT(worst.acceleration.relative(), 1e-9);
    ++compared;
  }
  fmt::print("{} files compared, {} left out\n", compared, left_out);
  EXPECT_GE(compared, 150);
}

}  // namespace
}  // namespace stiction
