// Speed of the tree algorithms on the robots and states of the peers' program for Pinocchio: the same files (written by
// its export_models.py), the same way of measuring, the same JSON lines. Compiled with the flags of the library.
//
//   tree_speed MODEL_DIR [--repeats N] [--seconds S]
#include "dynamics/constrained_plan.hpp"
#include "dynamics/tree_aba.hpp"
#include "dynamics/tree_integrate.hpp"
#include "dynamics/tree_plan.hpp"

#include <stiction/builder.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>

namespace stiction {
namespace {

struct Robot {
  Model model;
  TreePlan plan;
  std::vector<double> standing;
  std::vector<BilateralConstraint> feet;  // held where they are: points, or the frames of flat feet
};

struct State {
  std::vector<double> q, u, tau;
};

// Rotation by rows.
Quat quat_from(const double* r) {
  const double w = 1 + r[0] + r[4] + r[8], x = 1 + r[0] - r[4] - r[8];
  const double y = 1 - r[0] + r[4] - r[8], z = 1 - r[0] - r[4] + r[8];
  const double largest = std::max({w, x, y, z});
  if (largest == w) return normalized(Quat{w, r[7] - r[5], r[2] - r[6], r[3] - r[1]});
  if (largest == x) return normalized(Quat{r[7] - r[5], x, r[1] + r[3], r[2] + r[6]});
  if (largest == y) return normalized(Quat{r[2] - r[6], r[1] + r[3], y, r[5] + r[7]});
  return normalized(Quat{r[3] - r[1], r[2] + r[6], r[5] + r[7], z});
}

// Rotation by rows, then the origin.
Transform read_pose(std::istream& in) {
  double x[12];
  for (double& value : x) in >> value;
  return {{x[9], x[10], x[11]}, quat_from(x)};
}

Robot read_robot(const std::string& path, BilateralType foot_type) {
  std::ifstream in(path);
  if (!in) throw Error("cannot read " + path);
  const auto read = [&] {
    double value = 0;
    in >> value;
    return value;
  };
  struct Mass {
    double mass;
    Vec3 com;
    Sym3 inertia;
  };
  std::vector<Mass> masses;
  Builder builder;
  int joints = 0;
  in >> joints;
  for (int i = 0; i < joints; ++i) {
    std::string name, kind;
    int parent = 0;
    in >> name >> parent >> kind;
    Vec3 axis{read(), read(), read()};
    const int body = builder.add_body(name, read_pose(in), parent);
    builder.set_inertia(body, 1, {}, {1, 1, 1});  // set below: files hold inertias that no body has
    const double mass = read();
    const Vec3 com{read(), read(), read()};
    double I[6];
    for (double& value : I) value = read();
    masses.push_back({mass, com, {I[0], I[2], I[5], I[1], I[3], I[4]}});
    if (kind == "FreeFlyer") {
      builder.add_joint_free(body);
      continue;
    }
    if (kind != "RevoluteUnaligned") axis[kind.back() - 'X'] = 1;
    builder.add_joint(body, JointType::kHinge, axis);
  }
  int size = 0;
  in >> size;
  std::vector<double> standing(static_cast<std::size_t>(size));
  for (double& value : standing) value = read();
  int count = 0;
  in >> count;
  std::vector<BilateralConstraint> feet(static_cast<std::size_t>(count));
  for (BilateralConstraint& foot : feet) {
    std::string name;
    foot.type = foot_type;
    in >> name >> foot.body_a;
    foot.pose_a = read_pose(in);
  }
  if (!in) throw Error("malformed " + path);
  // Pinocchio's quaternion is (x, y, z, w).
  std::rotate(standing.begin() + 3, standing.begin() + 6, standing.begin() + 7);

  Robot robot{builder.build(), {}, standing, feet};
  robot.plan = make_tree_plan(robot.model);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Transform& body = robot.plan.body_in_link[i + 1];
    Link& link = robot.plan.link[std::size_t(robot.plan.body_link[i + 1])];
    link.mass = masses[i].mass;
    link.com = body * masses[i].com;
    link.inertia = turned(rotation_matrix(body.q), masses[i].inertia);
  }
  return robot;
}

// States near standing: joints within ±0.3 rad, base tilted and moved a little, velocities ±1, forces ±10.
std::vector<State> random_states(const Robot& robot, int count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const TreeView view = robot.plan.view();
  const auto draw = [&](double scale) {
    std::vector<double> x(std::size_t(robot.plan.nv()));
    for (double& value : x) value = scale * uniform(random);
    return x;
  };
  std::vector<State> states(static_cast<std::size_t>(count));
  for (State& s : states) {
    const std::vector<double> step = draw(0.3);
    s.q = robot.standing;
    for (int i = view.begin; i < view.end; ++i)
      integrate_link(view.link[i], 1.0, robot.standing.data(), step.data(), s.q.data());
    s.u = draw(1);
    s.tau = draw(10);
  }
  return states;
}

struct Settings {
  int repeats = 7;
  double seconds = 0.1;
};

// Calls f on each state, again and again for at least `seconds`, `repeats` times; prints median, least and greatest.
template <class Function>
void measure(const Settings& settings, const std::string& robot, const char* what, const std::vector<State>& states,
             Function f) {
  using Clock = std::chrono::steady_clock;
  for (const State& s : states) f(s);
  std::vector<double> times;
  for (int repeat = 0; repeat < settings.repeats; ++repeat) {
    const auto start = Clock::now();
    std::size_t calls = 0;
    double elapsed = 0;
    do {
      for (const State& s : states) f(s);
      calls += states.size();
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (elapsed < settings.seconds);
    times.push_back(1e6 * elapsed / double(calls));
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"robot\": \"%s\", \"what\": \"%s\", \"us\": %.3f, \"us_min\": %.3f, \"us_max\": %.3f}\n",
              robot.c_str(), what, times[times.size() / 2], times.front(), times.back());
  std::fflush(stdout);
}

// Velocities near standing that leave the feet where they are.
void measure_constrained(const Settings& settings, const std::string& name, const Robot& robot,
                         std::vector<State> states) {
  const ConstraintPlan plan = make_constraint_plan(robot.plan, robot.feet);
  const TreeView view = robot.plan.view();
  const KktView kkt = plan.view();
  TreeMemory trees(robot.plan);
  KktMemory memory(robot.plan, plan);
  const TreeData data = trees.data();
  const KktData scratch = memory.data();
  const ProximalSettings proximal;
  std::vector<double> out(std::size_t(view.dof_end)), lambda(std::size_t(plan.rows()));
  for (State& s : states) {
    tree_positions(view, s.q.data(), data);
    kkt_impulses(view, kkt, proximal, s.u.data(), 0.0, data, scratch, s.u.data(), lambda.data());
  }
  measure(settings, name, "constrained dynamics", states, [&](const State& s) {
    tree_positions(view, s.q.data(), data);
    kkt_accelerations(view, kkt, proximal, s.u.data(), s.tau.data(), {0, 0, -9.81}, data, scratch, out.data(),
                      lambda.data());
  });
}

void measure_robot(const Settings& settings, const std::string& name, const Robot& robot) {
  const std::vector<State> states = random_states(robot, 256);
  const TreeView view = robot.plan.view();
  TreeMemory memory(robot.plan);
  const TreeData data = memory.data();
  const Vec3 gravity{0, 0, -9.81};
  std::vector<double> out(std::size_t(view.dof_end)), rows(std::size_t(robot.plan.nentry()));
  measure(settings, name, "rnea", states, [&](const State& s) {
    tree_positions(view, s.q.data(), data);
    tree_rnea(view, s.u.data(), s.tau.data(), gravity, data, out.data());
  });
  measure(settings, name, "aba", states, [&](const State& s) {
    tree_positions(view, s.q.data(), data);
    tree_aba(view, s.u.data(), s.tau.data(), gravity, data, out.data());
  });
  measure(settings, name, "crba", states, [&](const State& s) {
    tree_positions(view, s.q.data(), data);
    tree_crba(view, data, rows.data());
  });
  measure(settings, name, "crba + LtDL", states, [&](const State& s) {
    tree_positions(view, s.q.data(), data);
    tree_crba(view, data, rows.data());
    factor_mass(view, rows.data());
  });
  measure(settings, name, "positions", states, [&](const State& s) { tree_positions(view, s.q.data(), data); });
  measure_constrained(settings, name, robot, states);
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
  stiction::Settings settings;
  std::string models;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--repeats")
      settings.repeats = std::max(1, std::atoi(value)), ++i;
    else if (word == "--seconds")
      settings.seconds = std::atof(value), ++i;
    else
      models = word;
  }
  if (models.empty()) {
    std::fprintf(stderr, "usage: tree_speed MODEL_DIR [--repeats N] [--seconds S]\n");
    return 2;
  }
  try {
    const auto run = [&](const std::string& name, stiction::BilateralType feet) {
      stiction::measure_robot(settings, name, stiction::read_robot(models + "/" + name + ".txt", feet));
    };
    run("solo8", stiction::BilateralType::kPoint);
    run("anymal_b", stiction::BilateralType::kPoint);
    run("icub", stiction::BilateralType::kFrame);
    run("talos", stiction::BilateralType::kFrame);
  } catch (const stiction::Error& error) {
    std::fprintf(stderr, "tree_speed: %s\n", error.what());
    return 1;
  }
}
