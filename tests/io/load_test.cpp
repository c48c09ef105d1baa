// What a file says holds in the Model: options, surfaces, filters, restitution, keyframes, flags.
#include <stiction/load.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include <stiction/state.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

using test::mjcf;
using test::xml_file;

const std::string kBall =
    R"(<body name="ball" pos="0 0 1"><freejoint name="fly"/><geom name="ball" size="0.1"/></body>)";
const std::string kWorld = R"(<worldbody><geom name="floor" type="plane" size="1 1 1"/>)" + kBall + "</worldbody>";

TEST(load, timestep_gravity_and_surfaces_hold) {
  LoadReport report;
  const Model model = load(mjcf(R"(<option timestep="0.0035" gravity="0.1 0.2 -1.62"/>
    <asset><material name="red" rgba="1 0 0 1"/></asset>
    <worldbody>
      <geom name="floor" type="plane" size="1 1 1" friction="0.3 0.1 0.2" priority="2" contype="4" conaffinity="3"/>
      <body name="box" pos="0 0 3"><freejoint/><geom type="box" size="1 2 3" density="2" condim="1" material="red"/></body>
    </worldbody>)"),
                           {}, &report);
  EXPECT_EQ(model.name, "test");
  EXPECT_EQ(model.options.timestep, 0.0035);
  EXPECT_EQ(model.options.gravity, (Vec3{0.1, 0.2, -1.62}));
  EXPECT_EQ(model.shape_friction[0], (Vec3{0.3, 0.1, 0.2}));
  EXPECT_EQ(model.shape_priority[0], 2);
  EXPECT_EQ(model.shape_contype[0], 4);
  EXPECT_EQ(model.shape_conaffinity[0], 3);
  EXPECT_EQ(model.shape_condim[1], 1);
  EXPECT_EQ(model.shape_colour[1].red, 1);
  EXPECT_EQ(model.shape_colour[1].green, 0);
  EXPECT_NEAR(model.body_mass[1], 2 * 8 * 6, 1e-12);
  EXPECT_EQ(model.shape_name[1], "shape1");
  EXPECT_TRUE(report.issues.empty()) << report.text();
  EXPECT_TRUE(report.notes.empty()) << report.text();
  EXPECT_EQ(report.text(), "");
}

TEST(load, restitution_comes_from_custom_numbers) {
  const Model model = load(mjcf(R"(<custom><numeric name="restitution:ball" data="0.25"/>
      <numeric name="restitution" data="0.8"/></custom>
    <contact><pair geom1="floor" geom2="ball"/></contact>)" +
                                kWorld));
  EXPECT_EQ(model.shape_restitution, (std::vector<double>{0.8, 0.25}));
  EXPECT_EQ(model.pair_restitution, std::vector<double>{0.8});
  EXPECT_EQ(load(mjcf(kWorld)).shape_restitution, (std::vector<double>{0, 0}));
}

TEST(load, contact_stiffness_comes_from_custom_numbers_and_belts_from_geoms) {
  const Model model = load(mjcf(R"(<custom><numeric name="contact_stiffness:ball" data="1e4 20"/>
      <numeric name="contact_stiffness" data="2e5"/></custom>
    <worldbody><geom name="floor" type="plane" size="1 1 1" surfacevel="1 2 3 4 5 6"/>
      <geom name="ball" size="0.1" pos="0 0 1"/></worldbody>)"));
  EXPECT_EQ(model.shape_compliance, (std::vector<double>{1 / 2e5, 1 / 1e4}));
  EXPECT_EQ(model.shape_damping, (std::vector<double>{0, 20}));
  EXPECT_EQ(norm(model.shape_surface_velocity[0] - Vec3{1, 2, 3}), 0);
  EXPECT_EQ(norm(model.shape_surface_spin[0] - Vec3{4, 5, 6}), 0);
  EXPECT_EQ(norm(model.shape_surface_velocity[1]), 0);
  EXPECT_EQ(load(mjcf(kWorld)).shape_compliance, (std::vector<double>{0, 0}));
}

TEST(load, pairs_and_exclusions_hold) {
  const Model model = load(mjcf(R"(<worldbody><body name="a"><freejoint/><geom name="a" size="1"/></body>
      <body name="b"><freejoint/><geom name="b" size="1"/></body></worldbody>
    <contact><pair geom1="a" geom2="b" friction="0.4 0.4 0.1 0.2 0.2" condim="3"/>
      <exclude body1="a" body2="b"/></contact>)"));
  ASSERT_EQ(model.npair, 1);
  EXPECT_EQ(model.pair_shape_a[0], 0);
  EXPECT_EQ(model.pair_shape_b[0], 1);
  EXPECT_EQ(model.pair_friction[0], (PairFriction{0.4, 0.4, 0.1, 0.2, 0.2}));
  ASSERT_EQ(model.nexclude, 1);
  EXPECT_EQ(model.exclude_body_a[0], 1);
  EXPECT_EQ(model.exclude_body_b[0], 2);
}

TEST(load, motors_on_free_joints_hold) {
  const Model model = load(mjcf(kWorld + R"(<actuator>
    <motor name="push" joint="fly" gear="1 2 3 4 5 6" ctrlrange="-1 2" forcerange="-3 4"/></actuator>)"));
  ASSERT_EQ(model.nactuator, 1);
  EXPECT_EQ(model.actuator_target_index[0], 0);
  EXPECT_EQ(model.actuator_gear[0].linear, (Vec3{1, 2, 3}));
  EXPECT_EQ(model.actuator_gear[0].angular, (Vec3{4, 5, 6}));
  EXPECT_EQ(model.actuator_control_limited[0], 1);
  EXPECT_EQ(model.actuator_control_upper[0], 2);
  EXPECT_EQ(model.actuator_force_lower[0], -3);
}

TEST(load, keyframes_are_states) {
  const Model model = load(mjcf(kWorld + R"(<keyframe><key/>
    <key name="start" time="1.5" qpos="1 2 3 0 1 0 0" qvel="1 2 3 4 5 6"/></keyframe>)"));
  EXPECT_EQ(model.key_name, (std::vector<std::string>{"key0", "start"}));
  const State state = make_state(model, "start");
  EXPECT_EQ(state.time, 1.5);
  EXPECT_EQ(state.q, (std::vector<double>{1, 2, 3, 0, 1, 0, 0}));
  EXPECT_EQ(state.u, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(make_state(model, "key0").q, model.q_reference);
  EXPECT_THROW(make_state(model, "strat"), Error);
}

TEST(load, flags_that_disable_something_leave_it_out) {
  const Model free = load(mjcf(R"(<option><flag gravity="disable" contact="disable"/></option>)" + kWorld));
  EXPECT_EQ(free.options.gravity, Vec3{});
  EXPECT_EQ(free.shape_contype, (std::vector<int>{0, 0}));
  EXPECT_EQ(free.shape_conaffinity, (std::vector<int>{0, 0}));
  const Model off =
      load(mjcf(R"(<option><flag damper="disable" frictionloss="disable" limit="disable" spring="disable"/>
    </option><worldbody><body><joint type="free" damping="1" frictionloss="2" stiffness="3"/><geom size="1"/></body>
    </worldbody>)"));
  EXPECT_EQ(off.dof_damping, std::vector<double>(6, 0));
  EXPECT_EQ(off.dof_friction, std::vector<double>(6, 0));
  EXPECT_EQ(off.joint_stiffness[0], 0);
}

TEST(load, bodies_welded_to_a_free_body_move_with_it) {
  LoadReport report;
  const Model model = load(mjcf(R"(<worldbody><body name="a"><freejoint/><geom size="1"/>
      <body name="arm" pos="1 0 0"><geom size="0.5"/></body></body>
    <body name="post" pos="0 2 0"><geom size="1"/></body></worldbody>)"),
                           {}, &report);
  EXPECT_EQ(model.body_tree, (std::vector<int>{-1, 0, 0, -1}));
  EXPECT_EQ(model.ntree, 1);
  EXPECT_TRUE(report.issues.empty());
}

TEST(load, urdf_is_read) {
  LoadReport report;
  const std::string path = xml_file("arm.urdf", R"(<robot name="arm"><link name="base"/>
    <link name="tip"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="elbow" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 1 0"/>
      <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>)");
  const Model model = load(path, {}, &report);
  EXPECT_EQ(model.name, "arm");
  ASSERT_EQ(model.njoint, 1);
  EXPECT_EQ(model.joint_type[0], JointType::kHinge);
  EXPECT_EQ(model.joint_axis[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(model.joint_upper[0], 1);
  EXPECT_EQ(model.body_mass[1], 2);
  EXPECT_TRUE(report.issues.empty()) << report.text();
}

TEST(load, files_of_pictures_are_not_opened) {
  const Model model = load(mjcf(R"(<asset><texture name="t" type="2d" file="nowhere.png"/>
      <texture type="skybox" fileup="nowhere.png"/><texture type="cube" name="c" file="nowhere.png" gridsize="3 4"
        gridlayout=".U..LFRB.D.."/><material name="m" texture="t"/><material name="n" texture="c"/></asset>
    <deformable><skin file="nowhere.skn"/></deformable>)" +
                                kWorld));
  EXPECT_EQ(model.nshape, 2);
}

// MuJoCo's handlers are global: loads on several threads must not see each other's messages, nor print them.
TEST(load, threads_can_load_side_by_side) {
  const std::filesystem::path log = std::filesystem::current_path() / "MUJOCO_LOG.TXT";
  const bool log_was_there = std::filesystem::exists(log);
  const std::string good = xml_file("good.xml", "<mujoco>" + kWorld + "</mujoco>");
  const std::string bad = xml_file("bad.xml", R"(<mujoco><worldbody><geom size="-1"/></worldbody></mujoco>)");
  const std::string odd = xml_file("odd.xml", R"(<mujoco><option gravity="0 0 nan"/></mujoco>)");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::vector<int> right(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        LoadReport report;
        right[t] += load(good, {}, &report).nbody == 2 && report.issues.empty();
        for (const std::string& path : {bad, odd}) try {
            load(path);
          } catch (const Error& error) {
            right[t] += std::string(error.what()).find(path) == 0;
          }
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(right, std::vector<int>(4, 60));
  EXPECT_EQ(std::filesystem::exists(log), log_was_there);
}

}  // namespace
}  // namespace stiction
