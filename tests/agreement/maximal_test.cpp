// The same model in reduced and in maximal coordinates. Both steps of `euler` are of first order in h, with different
// errors, so that their trajectories differ by an amount that halves with h: reduced − maximal = c h + O(h²). That it
// does is the test: a term that one of them lacks would leave a difference that does not shrink.
#include <gtest/gtest.h>

#include <stiction/builder.hpp>
#include <stiction/load.hpp>
#include <stiction/simulation.hpp>

#include "support/shared_data.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

namespace stiction {
namespace {

using Shared = std::shared_ptr<const Model>;

struct Ends {
  double difference = 0;  // largest distance of a body's origin between the two runs [m]
  double drift = 0;       // largest error of a held joint [m or rad]
  double moved = 0;       // largest way of a body's origin: the test is not about rest [m]
};

// Runs both for `duration` from the same state; `start` sets state and control of the reduced one.
Ends run_both(const Shared& reduced, double h, double duration, const std::function<void(Simulation&)>& start) {
  const auto maximal = std::make_shared<const Model>(to_maximal(*reduced));
  Options options = reduced->options;
  options.timestep = h;
  options.integrator = "euler";
  Simulation a(reduced, options), b(maximal, options);
  start(a);
  b.state() = to_maximal(*reduced, *maximal, a.state());
  b.control().input = a.control().input;
  Ends ends;
  std::vector<Vec3> before;
  for (int body = 1; body < reduced->nbody; ++body) before.push_back(a.body_pose(body).p);
  const int steps = int(std::lround(duration / h));
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(a.step().status, 0u) << a.describe();
    EXPECT_EQ(b.step().status, 0u) << b.describe();
    ends.drift = std::max(ends.drift, b.report().certificate.joint_drift);
  }
  for (int body = 1; body < reduced->nbody; ++body) {
    const Vec3 p = a.body_pose(body).p;
    ends.difference = std::max(ends.difference, norm(p - b.body_pose(body).p));
    ends.moved = std::max(ends.moved, norm(p - before[std::size_t(body) - 1]));
  }
  return ends;
}

// The difference halves with h, up to its second order, and stays below a bound that stands beside what was measured.
void expect_agreement(const Shared& model, double h, double duration, double bound,
                      const std::function<void(Simulation&)>& start) {
  const Ends coarse = run_both(model, h, duration, start), fine = run_both(model, h / 2, duration, start);
  EXPECT_GT(fine.moved, 20 * coarse.difference);
  EXPECT_LT(coarse.difference, bound);
  EXPECT_NEAR(fine.difference / coarse.difference, 0.5, 0.1);
  EXPECT_LT(coarse.drift, 1e-9);
  EXPECT_LT(fine.drift, 1e-9);
}

void spin(Simulation& simulation, double size) {
  State& state = simulation.state();
  for (std::size_t d = 0; d < state.u.size(); ++d) state.u[d] = size * std::sin(1.0 + 2.3 * double(d));
}

// Every kind of joint, hung below one another, with everything that a joint can have.
Model mixed_chain() {
  Builder builder("mixed chain");
  ShapeSettings silent;
  silent.contype = silent.conaffinity = 0;
  int parent = 0;
  const auto add = [&](const char* name, const Transform& pose) {
    parent = builder.add_body(name, pose, parent);
    builder.add_shape_box(parent, {0.05, 0.04, 0.15}, {{0, 0, -0.15}, {}}, silent);
    return parent;
  };
  const Vec3 end{0, 0, -0.3};
  const int hinge = builder.add_joint(add("a", {}), JointType::kHinge, {0, 1, 0}, {}, "hinge");
  builder.set_joint(hinge, {.lower = -0.5, .upper = 0.3, .damping = 0.1, .armature = 0.2});
  const int universal = builder.add_joint_universal(add("b", {end, {}}), {1, 0, 0}, {0, 1, 0}, {}, "universal");
  builder.set_joint(universal, {.stiffness = 30, .spring_reference = 0.2, .armature = 0.05});
  const int ball = builder.add_joint(add("c", {end, {}}), JointType::kBall, {}, {}, "ball");
  builder.set_joint(ball, {.stiffness = 5, .damping = 0.05, .armature = 0.01});
  const int slide = builder.add_joint(add("d", {end, {}}), JointType::kSlide, {0, 0.6, 0.8}, {}, "slide");
  builder.set_joint(slide, {.stiffness = 400, .damping = 2, .friction = 1});
  builder.add_joint_planar(add("e", {end, {}}), {1, 0, 0}, {0, 1, 0}, {}, "planar");
  for (int j = 5; j < builder.build().njoint; ++j) builder.set_joint(j, {.stiffness = 300, .damping = 1});
  builder.add_position_servo(ActuatorTarget::kJoint, hinge, 40, 2, {.name = "servo"});
  builder.add_motor(ActuatorTarget::kJoint, universal + 1, {.name = "motor"});
  builder.add_position_servo(ActuatorTarget::kJoint, slide, 500, 5,
                             {.name = "limited", .force_lower = -3, .force_upper = 3});
  builder.add_sensor(SensorType::kJointPosition, SensorObject::kJoint, hinge, "angle");
  builder.add_sensor(SensorType::kSubtreeCentreOfMass, SensorObject::kBody, 2, "centre");
  return builder.build();
}

// Ten bars of 0.4 m on hinges, 1 kg each and the last 1000 kg, released straight at 30° from the vertical.
Model heavy_chain() {
  Builder builder("chain 1000:1");
  ShapeSettings silent;
  silent.contype = silent.conaffinity = 0;
  const double turn = M_PI / 3;
  int parent = 0;
  for (int i = 0; i < 10; ++i) {
    const Transform pose =
        i == 0 ? Transform{{}, {std::cos(turn / 2), 0, std::sin(turn / 2), 0}} : Transform{{0.4, 0, 0}, {}};
    parent = builder.add_body("link" + std::to_string(i), pose, parent);
    const double mass = i == 9 ? 1000 : 1;
    silent.density = mass / (8 * 0.2 * 0.01 * 0.01);
    builder.add_joint(parent, JointType::kHinge, {0, 1, 0});
    builder.add_shape_box(parent, {0.2, 0.01, 0.01}, {{0.2, 0, 0}, {}}, silent);
  }
  return builder.build();
}

}  // namespace

TEST(Maximal, agrees_on_every_kind_of_joint_with_springs_limits_armature_friction_and_servos) {
  // Measured: 4.7e-4 m at h = 1 ms over 0.5 s, 2.4e-4 m at half of it.
  expect_agreement(std::make_shared<const Model>(mixed_chain()), 0.001, 0.5, 1e-3, [](Simulation& s) {
    spin(s, 1.0);
    s.control().input = {0.3, 0.5, 0.1};
  });
}

TEST(Maximal, sensors_of_joints_and_subtrees_read_the_same) {
  const auto reduced = std::make_shared<const Model>(mixed_chain());
  const auto maximal = std::make_shared<const Model>(to_maximal(*reduced));
  Simulation a(reduced), b(maximal);
  spin(a, 0.4);
  a.state().q[0] = 0.2;
  b.state() = to_maximal(*reduced, *maximal, a.state());
  for (const char* sensor : {"angle", "centre"}) {
    const std::vector<double> x = a.sensor(sensor), y = b.sensor(sensor);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-14) << sensor;
  }
}

TEST(Maximal, a_hinge_counts_its_turns) {
  Builder builder("wheel");
  const int wheel = builder.add_body("wheel", {{0, 0, 1}, {}});
  builder.add_joint(wheel, JointType::kHinge, {0, 0, 1}, {}, "axle");
  builder.set_inertia(wheel, 1, {}, {0.1, 0.1, 0.2});
  const auto reduced = std::make_shared<const Model>(builder.build());
  const auto maximal = std::make_shared<const Model>(to_maximal(*reduced));
  Simulation a(reduced), b(maximal);
  a.state().u[0] = 20;
  b.state() = to_maximal(*reduced, *maximal, a.state());
  for (int i = 0; i < 1000; ++i) a.step(), b.step();
  const auto axle = std::size_t(maximal->joint("axle"));
  EXPECT_NEAR(a.state().q[0], 40, 1e-9);
  EXPECT_NEAR(b.state().q[std::size_t(maximal->joint_q[axle])], 40, 1e-7);
  EXPECT_NEAR(b.state().u[std::size_t(maximal->joint_dof[axle])], 20, 1e-9);
}

// The fastest mode of the light bars has ω = 610 rad/s: taken along its start, the force of the joints is unstable
// above 2/ω = 3.3 ms. The energy of the swing is E = g Σ m l (1 − cos 30°) = 5015.6 J. A semi-implicit step keeps the
// energy of an oscillator of frequency ω₀ up to an oscillation of ∓½ h ω₀ E: at h = 10 ms and ω₀ = 1.6 rad/s, 0.8 %.
TEST(Maximal, a_chain_of_thousand_to_one_keeps_its_energy_at_ten_milliseconds) {
  const auto reduced = std::make_shared<const Model>(heavy_chain());
  for (const Shared& model : {reduced, std::make_shared<const Model>(to_maximal(*reduced))}) {
    Options options = model->options;
    options.timestep = 0.01;
    options.integrator = "euler";
    Simulation simulation(model, options);
    double start = 0, largest = 0, drift = 0;
    for (int i = 0; i < 1000; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, 0u) << simulation.describe();
      const double energy = report.certificate.kinetic_energy + report.certificate.potential_energy;
      if (i == 0) start = energy;
      largest = std::max(largest, std::abs(energy - start));
      drift = std::max(drift, report.certificate.joint_drift);
      EXPECT_NEAR(report.certificate.injected, 0, 1e-6);
    }
    EXPECT_LT(largest, 0.012 * 5015.6);  // measured 0.83 % reduced, 0.82 % maximal
    EXPECT_GT(largest, 0.001 * 5015.6);
    EXPECT_LT(drift, 1e-9);
  }
}

TEST(Maximal, step_within_the_bound_adds_no_inertia) {
  // At h = 1 ms no bar of the chain passes h² k = 2, so the problem holds the mass matrix itself: the energy of the
  // ledger is that of the problem's inertia.
  const auto model = std::make_shared<const Model>(heavy_chain());
  Options options = model->options;
  options.timestep = 0.001;
  Simulation simulation(model, options);
  for (int i = 0; i < 10; ++i) simulation.step();
  const ContactProblem& p = simulation.problem();
  double energy = 0;
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t j = 0; j < 10; ++j)
      energy += 0.5 * simulation.solution().u[i] * p.inertia[10 * i + j] * simulation.solution().u[j];
  EXPECT_NEAR(simulation.report().certificate.kinetic_energy, energy, 1e-12 * energy);
}

TEST(Maximal, joints_hold_for_ten_seconds) {
  const auto model = std::make_shared<const Model>(to_maximal(mixed_chain()));
  Simulation simulation(model);
  spin(simulation, 0.5);
  double drift = 0;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(simulation.step().status, 0u) << simulation.describe();
    if (i > 0) drift = std::max(drift, simulation.report().certificate.joint_drift);
  }
  EXPECT_LT(drift, 1e-9);  // the bar is 1e-6; a step ends below 3e-10
}

namespace {

// Four rods on hinges, one below the other: what couples two of the joints couples three bodies.
Builder rods() {
  Builder builder("rods");
  ShapeSettings silent;
  silent.contype = silent.conaffinity = 0;
  int parent = 0;
  for (int i = 0; i < 4; ++i) {
    parent = builder.add_body("rod" + std::to_string(i), {{0, 0, i == 0 ? 0.0 : -0.3}, {}}, parent);
    builder.add_shape_box(parent, {0.05, 0.04, 0.15}, {{0, 0, -0.15}, {}}, silent);
    builder.add_joint(parent, JointType::kHinge, {0, 1, 0}, {}, "joint" + std::to_string(i));
  }
  return builder;
}

}  // namespace

TEST(Maximal, agrees_where_rows_couple_three_bodies) {
  Builder builder = rods();
  builder.add_tendon_fixed({{2, 1.0}, {3, 1.5}}, {.name = "cord", .lower = -0.4, .upper = 0.1, .friction = 0.3});
  builder.add_equality_joint(1, 0, {0.1, 0.5}, "gear");
  const auto model = std::make_shared<const Model>(builder.build());
  const Model maximal = to_maximal(*model);
  EXPECT_EQ(maximal.ntree, 2);  // the first rod, and the three others
  EXPECT_EQ(maximal.tree_dof, (std::vector<int>{0, 6, 24}));
  // Measured: 5.4e-4 m at h = 1 ms over 0.4 s.
  double at_range = 0;
  expect_agreement(model, 0.001, 0.4, 1e-3, [&](Simulation& s) {
    s.state().q = {0.8, 0.5, -0.2, 0.05};
    s.state().u = {1, 0.5, 0.3, 0.2};
    Simulation ahead(model, s.options());
    ahead.state() = s.state();
    for (int i = 0; i < 300; ++i) {
      ahead.step();
      for (int c = 0; c < ahead.constraints().nconstraint; ++c)
        if (ahead.constraints().kind[std::size_t(c)] == ConstraintKind::kTendonLimit)
          at_range = std::max(at_range, ahead.constraints().force[std::size_t(c)]);
    }
  });
  EXPECT_GT(at_range, 0.1);  // the range is met on the way
}

TEST(Maximal, equalities_of_joints_hold) {
  for (const int other : {0, 2}) {  // over two bodies and the world, and over three bodies
    Builder builder = rods();
    builder.add_equality_joint(1, other, {0, 0.5}, "gear");
    const auto model = std::make_shared<const Model>(to_maximal(builder.build()));
    Simulation simulation(model);
    const auto q = [&](int joint) {
      const auto j = std::size_t(model->joint("joint" + std::to_string(joint)));
      return simulation.state().q[std::size_t(model->joint_q[j])];
    };
    simulation.state().u[0] = 2;  // of the first rod, and then what the joints make of it
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(simulation.step().status, 0u) << simulation.describe();
      ASSERT_NEAR(q(1), 0.5 * q(other), 1e-9);
    }
    EXPECT_GT(std::abs(q(0)), 1e-2);
  }
}

TEST(Maximal, refuses_joints_that_rows_cannot_tell_apart_and_a_second_conversion) {
  const auto expect_error = [](const Model& model, const std::string& words) {
    try {
      to_maximal(model);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  Builder twice = rods();
  twice.add_joint(4, JointType::kHinge, {0, 1, 0}, {}, "again");
  expect_error(twice.build(), "body 'rod3'");
  expect_error(to_maximal(rods().build()), "already");
}

namespace {

// A robot of the shared data without contact.
Shared robot(const std::filesystem::path& path) {
  Model model = load(path.string(), {.allow_unsupported = true});
  std::fill(model.shape_contype.begin(), model.shape_contype.end(), 0);
  std::fill(model.shape_conaffinity.begin(), model.shape_conaffinity.end(), 0);
  return std::make_shared<const Model>(std::move(model));
}

}  // namespace

TEST(Maximal, agrees_on_the_humanoid) {
  const std::filesystem::path path = test::shared_data() / "scenes/mujoco_model/humanoid/humanoid.xml";
  if (test::shared_data().empty()) GTEST_SKIP() << "needs ../shared/data";
  // Measured: 2.7e-3 m at h = 2 ms over 0.2 s, 1.4e-3 m at half of it.
  expect_agreement(robot(path), 0.002, 0.2, 5e-3, [](Simulation& s) {
    spin(s, 0.5);
    for (std::size_t a = 0; a < s.control().input.size(); ++a) s.control().input[a] = 0.3 * std::sin(double(a));
  });
}

TEST(Maximal, agrees_on_allegro) {
  const std::filesystem::path path = test::shared_data() / "robots_mjcf/wonik_allegro/right_hand.xml";
  if (test::shared_data().empty()) GTEST_SKIP() << "needs ../shared/data";
  // Measured: 1.05e-6 m and 5.2e-7 m.
  expect_agreement(robot(path), 0.002, 0.2, 3e-6, [](Simulation& s) {
    spin(s, 0.5);
    for (std::size_t a = 0; a < s.control().input.size(); ++a) s.control().input[a] = 0.3 * std::sin(double(a));
  });
}

TEST(Maximal, agrees_on_cassie_with_its_loops) {
  const std::filesystem::path path = test::shared_data() / "robots_mjcf/agility_cassie/cassie.xml";
  if (test::shared_data().empty()) GTEST_SKIP() << "needs ../shared/data";
  const Shared model = robot(path);
  // The file's lengths leave the loops open by up to 1 mm: closed at a bounded speed first.
  Options options = model->options;
  options.timestep = 0.001;
  Simulation closed(model, options);
  closed.reset("home");
  for (int i = 0; i < 10; ++i) closed.step();
  // Measured: 2.6e-6 m and 1.3e-6 m.
  expect_agreement(model, 0.001, 0.2, 1e-5, [&](Simulation& s) {
    s.state().q = closed.state().q;
    s.state().u = closed.state().u;
  });
}

}  // namespace stiction
