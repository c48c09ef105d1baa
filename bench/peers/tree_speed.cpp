// Speed of the tree algorithms on the robots and states of the peers' program for Pinocchio: the same files (written by
// its export_models.py), the same way of measuring, the same JSON lines. Compiled with the flags of the library.
//
//   tree_speed MODEL_DIR [--repeats N] [--seconds S]
#include "dynamics/constrained_plan.hpp"
#include "dynamics/tree_aba.hpp"
#include "dynamics/tree_integrate.hpp"

#include <random>

#include "peer_robot.hpp"

namespace stiction {
namespace {

struct State {
  std::vector<double> q, u, tau;
};

// States near standing: joints within ±0.3 rad, base tilted and moved a little, velocities ±1, forces ±10.
std::vector<State> random_states(const PeerRobot& robot, int count) {
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

// Velocities near standing that leave the feet where they are.
void measure_constrained(const PeerSettings& settings, const std::string& name, const PeerRobot& robot,
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

void measure_robot(const PeerSettings& settings, const std::string& name, const PeerRobot& robot) {
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
  return stiction::measure_robots(argc, argv, stiction::measure_robot);
}
