// Joints, tendons, actuators, sensors and loops built in code: what they make, and errors that name the element.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include <stiction/builder.hpp>
#include <stiction/load.hpp>
#include <stiction/simulation.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

// A rod on a hinge.
struct Arm {
  Builder builder{"arm"};
  int body = builder.add_body("rod");
  int joint = builder.add_joint(body, JointType::kHinge, {0, 1, 0}, {}, "elbow");
  Arm() { builder.add_shape_capsule(body, 0.05, 0.2, {{0, 0, -0.3}, {}}); }
};

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const std::function<void()>& act, const std::string& element, const std::string& words) {
  const std::string text = error_of(act);
  EXPECT_NE(text.find(element), text.npos) << text;
  EXPECT_NE(text.find(words), text.npos) << text;
}

TEST(mechanism, settings_of_a_joint_reach_the_model) {
  Arm arm;
  arm.builder.set_joint(
      arm.joint,
      {.lower = -1, .upper = 2, .stiffness = 3, .spring_reference = 0.4, .damping = 5, .friction = 6, .armature = 7});
  const Model model = arm.builder.build();
  EXPECT_EQ(model.joint_limited[0], 1);
  EXPECT_EQ(model.joint_lower[0], -1);
  EXPECT_EQ(model.joint_upper[0], 2);
  EXPECT_EQ(model.joint_stiffness[0], 3);
  EXPECT_EQ(model.q_spring[0], 0.4);
  EXPECT_EQ(model.dof_damping[0], 5);
  EXPECT_EQ(model.dof_friction[0], 6);
  EXPECT_EQ(model.dof_armature[0], 7);
}

// A universal joint keeps one point and lets the body turn about two axes; a planar joint keeps a plane.
TEST(mechanism, universal_and_planar_joints_are_chains_of_hinges_and_slides) {
  Builder builder;
  const int cross = builder.add_body("cross"), puck = builder.add_body("puck");
  builder.add_shape_sphere(cross, 0.1, {{0, 0, -1}, {}});
  builder.add_shape_sphere(puck, 0.1);
  EXPECT_EQ(builder.add_joint_universal(cross, {1, 0, 0}, {0, 1, 0}, {}, "u"), 0);
  EXPECT_EQ(builder.add_joint_planar(puck, {1, 0, 0}, {0, 1, 0}, {}, "p"), 2);
  const Model model = builder.build();
  EXPECT_EQ(model.joint_name, (std::vector<std::string>{"u_1", "u_2", "p_x", "p_y", "p_turn"}));
  EXPECT_EQ(model.joint_axis[4], (Vec3{0, 0, 1}));
  Simulation sim(std::make_shared<const Model>(model));
  const std::vector<double> q = {0.3, 0.4, 1, 2, 0.5};
  sim.state().q = q;
  const Transform u = sim.body_pose(cross), p = sim.body_pose(puck);
  EXPECT_EQ(u.p, Vec3{});
  const Vec3 turned = rotate(u.q, {0, 0, 1});  // by q₁ about y, then by q₀ about x
  EXPECT_NEAR(turned.x, std::sin(0.4), 1e-15);
  EXPECT_NEAR(turned.y, -std::sin(0.3) * std::cos(0.4), 1e-15);
  EXPECT_NEAR(norm(p.p - Vec3{1, 2, 0}), 0, 1e-15);
  EXPECT_NEAR(rotate(p.q, {1, 0, 0}).y, std::sin(0.5), 1e-15);
}

TEST(mechanism, tendons_know_their_reference_length) {
  Arm arm;
  const int hook = arm.builder.add_site(0, {{0, 0, 1}, {}}, "hook");
  const int tip = arm.builder.add_site(arm.body, {{0, 0, -0.5}, {}}, "tip");
  arm.builder.add_tendon_spatial({{WrapType::kSite, hook}, {WrapType::kSite, tip}}, {.name = "rope", .stiffness = 10});
  arm.builder.add_tendon_fixed({{arm.joint, 2.0}}, {.name = "gear", .upper = 1});
  arm.builder.add_position_servo(ActuatorTarget::kTendon, 1, 5, 1, {.name = "servo"});
  arm.builder.add_sensor(SensorType::kTendonLength, SensorObject::kTendon, 0, "length");
  const Model model = arm.builder.build();
  EXPECT_NEAR(model.tendon_reference_length[0], 1.5, 1e-15);
  EXPECT_NEAR(model.tendon_spring_upper[0], 1.5, 1e-15);
  EXPECT_EQ(model.tendon_limited, (std::vector<int>{0, 1}));
  Simulation sim(std::make_shared<const Model>(model));
  sim.state().q[0] = 0.3;
  // Law of cosines.
  EXPECT_NEAR(sim.sensor("length")[0], std::sqrt(1 + 0.25 + std::cos(0.3)), 1e-15);
  sim.control().input[0] = 0.8;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
}

TEST(mechanism, welded_bodies_keep_their_reference_pose) {
  Builder builder;
  const int a = builder.add_body("a", {{1, 0, 0}, {}}),
            b = builder.add_body("b", {{1, 2, 0}, {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}});
  for (const int body : {a, b}) {
    builder.add_shape_sphere(body, 0.1);
    builder.add_joint_free(body);
  }
  builder.add_equality_weld(a, b, "glue");
  builder.set_mocap(builder.add_body("mark"));
  Simulation sim(std::make_shared<const Model>(builder.build()));
  sim.state().u[3] = 1;
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(sim.step().ok()) << sim.describe();
  const Transform relative = inverse(sim.body_pose(a)) * sim.body_pose(b);
  EXPECT_NEAR(norm(relative.p - Vec3{0, 2, 0}), 0, 1e-7);
}

TEST(mechanism, limits_the_wrong_way_round_are_refused) {
  Arm arm;
  arm.builder.set_joint(arm.joint, {.lower = 1, .upper = -1});
  expect_error([&] { arm.builder.build(); }, "joint 'elbow'", "lower bound 1 of its range is above the upper bound -1");
  Arm second;
  second.builder.add_motor(ActuatorTarget::kJoint, 0, {.name = "m", .force_lower = 3, .force_upper = 2});
  expect_error([&] { second.builder.build(); }, "actuator 'm'", "force range");
  Arm third;
  third.builder.add_tendon_fixed({{0, 1.0}}, {.name = "t", .lower = 3, .upper = 2});
  expect_error([&] { third.builder.build(); }, "tendon 't'", "range");
}

TEST(mechanism, gains_that_are_not_numbers_are_refused) {
  Arm arm;
  arm.builder.add_position_servo(ActuatorTarget::kJoint, 0, NAN, 1, {.name = "servo"});
  expect_error([&] { arm.builder.build(); }, "actuator 'servo'", "must be finite");
  Arm second;
  second.builder.set_joint(0, {.damping = -1});
  expect_error([&] { second.builder.build(); }, "joint 'elbow'", "damping must not be negative");
}

TEST(mechanism, what_refers_to_nothing_is_refused) {
  Arm arm;
  arm.builder.add_motor(ActuatorTarget::kJoint, 7, {.name = "m"});
  expect_error([&] { arm.builder.build(); }, "actuator 'm'", "it refers to joint 7, but there are 1 of them");
  Arm second;
  second.builder.add_tendon_spatial({{WrapType::kSite, 3}}, {.name = "t"});
  expect_error([&] { second.builder.build(); }, "tendon 't'", "it refers to site 3");
  Arm third;
  third.builder.add_sensor(SensorType::kGyro, SensorObject::kBody, 1, "s");
  expect_error([&] { third.builder.build(); }, "sensor 's'", "cannot look at");
  Arm fourth;
  fourth.builder.add_equality_joint(0, 4, {}, "e");
  expect_error([&] { fourth.builder.build(); }, "equality 'e'", "it refers to joint 4");
}

// All mass on the axis of the hinge: no torque could be answered.
TEST(mechanism, link_without_inertia_is_refused) {
  Builder builder;
  const int body = builder.add_body("needle");
  builder.add_joint(body, JointType::kHinge, {0, 0, 1}, {}, "spin");
  builder.set_inertia(body, 1, {0, 0, 0.5}, {0, 0, 0});
  const auto model = std::make_shared<const Model>(builder.build());
  expect_error([&] { Simulation sim(model); }, "joint 'spin'", "no inertia");
  builder.set_joint(0, {.armature = 0.1});
  EXPECT_NO_THROW(Simulation(std::make_shared<const Model>(builder.build())));
}

// Two rods of length r on hinges 1 m apart, their tips joined.
std::shared_ptr<const Model> bridge(const std::string& r) {
  const std::string rod = R"(axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -)" + r +
                          R"("/><site pos="0 0 -)" + r + "\" name=";
  return std::make_shared<const Model>(
      load(test::mjcf(R"(<worldbody><body><joint )" + rod + R"("a"/></body><body pos="1 0 0"><joint )" + rod +
                      R"("b"/></body></worldbody><equality><connect name="bridge" site1="a" site2="b"/></equality>)")));
}

TEST(mechanism, loop_that_cannot_close_is_refused) {
  expect_error([&] { Simulation sim(bridge("0.3")); }, "equality 'bridge'", "cannot be met");
  const auto maximal = std::make_shared<const Model>(to_maximal(*bridge("0.3")));
  expect_error([&] { Simulation sim(maximal); }, "equality 'bridge'", "cannot be met");
  // Rods in line, all rows that could close it are at rest: named all the same.
  const std::string arm = R"(<joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site pos=".5 0 0" name=)";
  const std::string path = test::mjcf("<worldbody><body>" + arm + R"("a"/></body><body pos="5 0 0">)" + arm +
                                      R"("b"/></body></worldbody><equality><connect name="far" site1="a" site2="b"/>
                                      </equality>)");
  expect_error([&] { Simulation sim(std::make_shared<const Model>(load(path))); }, "equality 'far'", "cannot be met");
  EXPECT_NO_THROW(Simulation(bridge("0.7")));  // open in the file, but it can close
}

}  // namespace
}  // namespace stiction
