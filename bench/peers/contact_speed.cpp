// Time of one step's frictional contact problem on the robots of the peers' program for Pinocchio, beside its ADMM: the
// robot stands, drops at 0.3 m/s with all its velocities perturbed (standard deviation 0.1), h = 1 ms, μ = 0.5; point
// feet have one contact, flat feet four corners each (hyperstatic). Cold start. Given are M, its factor and J; ours
// builds W from them within the time that counts, Pinocchio's has its Delassus matrix given.
//
//   contact_speed MODEL_DIR [--repeats N] [--seconds S]
#include "certify/certify.hpp"
#include "dynamics/tree_aba.hpp"
#include "dynamics/tree_crba.hpp"
#include "dynamics/tree_jacobian.hpp"
#include "peer_robot.hpp"
#include "solvers/solver.hpp"
#include "support/random_problem.hpp"

#include <cmath>
#include <random>

namespace stiction {
namespace {

constexpr double kStep = 1e-3, kFriction = 0.5, kDrop = 0.3, kDeviation = 0.1;
constexpr int kProblems = 64;
constexpr double kTolerances[] = {1e-6, 1e-9};  // absolute, of the certificate [m/s]

// Corners of a foot about its middle.
std::vector<Vec3> corners(const std::string& robot) {
  const bool flat = robot == "icub" || robot == "talos";
  const double x = robot == "icub" ? 0.08 : 0.10, y = robot == "icub" ? 0.03 : 0.06;
  if (!flat) return {{}};
  return {{-x, -y, 0}, {x, -y, 0}, {-x, y, 0}, {x, y, 0}};
}

// M, dense, of the tree at rest in `data`.
std::vector<double> dense_inertia(const PeerRobot& robot, const TreeData& data) {
  const TreeView view = robot.plan.view();
  std::vector<double> packed(std::size_t(robot.plan.nentry()));
  tree_crba(view, data, packed.data());
  const int n = view.dof_end;
  std::vector<double> M(std::size_t(n) * std::size_t(n), 0.0);
  for (int i = 0; i < n; ++i)
    for (int e = view.row[i]; e < view.row[i + 1]; ++e)
      M[std::size_t(i * n + view.ancestor[e])] = M[std::size_t(view.ancestor[e] * n + i)] = packed[std::size_t(e)];
  return M;
}

std::vector<ContactProblem> draw_problems(const std::string& name, const PeerRobot& robot) {
  const TreeView view = robot.plan.view();
  TreeMemory memory(robot.plan);
  const TreeData data = memory.data();
  const int n = view.dof_end;
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  std::vector<ContactProblem> out;
  for (int k = 0; k < kProblems; ++k) {
    const std::vector<double> tau(std::size_t(n), 0.0);
    std::vector<double> u = tau, acceleration = tau;
    for (double& value : u) value = kDeviation * normal(random);
    u[2] -= kDrop;
    tree_positions(view, robot.standing.data(), data);
    const std::vector<double> M = dense_inertia(robot, data);
    tree_aba(view, u.data(), tau.data(), Vec3{0, 0, -9.81}, data, acceleration.data());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += kStep * acceleration[i];
    test::ProblemMaker maker({.timestep = kStep});
    const int tree = maker.add_tree(n, M, u);
    for (const BilateralConstraint& foot : robot.feet) {
      const auto body = std::size_t(foot.body_a);
      const int link = robot.plan.body_link[body];
      // Relative to the origin of the tree.
      const Vec3 middle = data.pose[link].R * (robot.plan.body_in_link[body] * foot.pose_a.p) + data.pose[link].p;
      for (const Vec3& corner : corners(name)) {
        const Vec3 directions[] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        std::vector<double> J(std::size_t(3 * n), 0.0);
        add_point_rows(view, data.motion, link, middle + corner, 1.0, directions, 3, J.data());
        maker.add_block(Law::kCoulomb, kFriction, tree, J, -1, {}, {0, 0, 0});
      }
    }
    out.push_back(maker.finish());
  }
  return out;
}

void measure_robot(const PeerSettings& settings, const std::string& name, const PeerRobot& robot) {
  const std::vector<ContactProblem> problems = draw_problems(name, robot);
  SolverWorkspace workspace;
  CertifyScratch scratch;
  for (const double tolerance : kTolerances) {
    double worst = 0;
    int iterations = 0;
    Solution solution;
    const auto solve = [&](const ContactProblem& problem) {
      const SolverSettings asked{.tolerance = tolerance / problem.island_scale[0], .warm_start = false};
      return solve_islands(problem, *find_solver("newton"), asked, workspace, solution);
    };
    for (const ContactProblem& problem : problems) {
      solution.resize_for(problem);
      iterations += solve(problem).factorisations;
      worst = std::max(worst, certify(problem, solution, scratch).residual() * problem.island_scale[0]);
    }
    char more[200];
    std::snprintf(more, sizeof more, ", \"tolerance\": %.0e, \"contacts\": %d, \"iterations\": %.2f, \"worst\": %.1e",
                  tolerance, problems[0].nblock, double(iterations) / kProblems, worst);
    measure(settings, name, "contact problem", problems, solve, more);
  }
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
  return stiction::measure_robots(argc, argv, stiction::measure_robot);
}
