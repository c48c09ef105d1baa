#include "paper_004.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include <stiction/stiction.hpp>

#include "scene_files.hpp"

namespace stiction::cli {
namespace {

constexpr int kLinearIterations = 40, kNewtonIterations = 100, kBeamSteps = 132;
constexpr LinearSolver kLinearSolvers[] = {LinearSolver::kJacobi, LinearSolver::kGaussSeidel, LinearSolver::kPcg,
                                           LinearSolver::kPcr};
constexpr const char* kLinearNames[] = {"jacobi", "gauss-seidel", "pcg", "pcr"};
constexpr Preconditioner kPreconditioners[] = {Preconditioner::kIdentity, Preconditioner::kStepSquared,
                                               Preconditioner::kEffectiveMass};
constexpr const char* kPreconditionerNames[] = {"identity", "h²", "effective mass"};

// A step of a scene. Of the resting ones it is the first, in which all forces have to be found; of the others one in
// which much is going on.
struct PaperCase {
  const char *scene, *name;
  int step;
};
constexpr PaperCase kArch{"arch_20", "arch of 20 stones", 1};
constexpr PaperCase kStack{"stack_32768", "stack 8 … 32768 kg", 1};
constexpr PaperCase kTables{"tables_54", "pile of tables", 60};
constexpr PaperCase kBeam{"beam_16", "flexible beam", 130};
constexpr int kBeamFrom = 90;  // the tip is at the hole

// The paper's step, q⁺ = q + h u⁺.
Model with_euler(Model model) {
  model.options.integrator = "euler";
  return model;
}

// A scene in maximal coordinates, which are those of the paper: joints and springs are rows.
class PaperScene {
 public:
  explicit PaperScene(const PaperCase& paper_case)
      : simulation_(std::make_shared<const Model>(with_euler(to_maximal(load(find_scene(paper_case.scene)))))) {
    for (const std::string& key : simulation_.model().key_name)
      if (key == "start") simulation_.reset(key);
    advance(paper_case.step);
  }
  void advance(int steps) {
    for (int step = 0; step < steps; ++step) simulation_.step();
  }
  // Of the last step.
  const ContactProblem& problem() const { return simulation_.problem(); }

 private:
  Simulation simulation_;
};

// Residual (certified) and step (largest change of a velocity [m/s]) after each Newton iteration.
struct Curves {
  std::vector<std::pair<double, double>> residual, step;
};

// The iterates of one island, or of all where every one of them takes a step at a time.
double largest_change(const TracePoint& from, const TracePoint& to) {
  double largest = 0;
  for (std::size_t i = 0; i < from.u.size(); ++i) largest = std::max(largest, std::abs(to.u[i] - from.u[i]));
  return largest;
}

Curves newton_curves(const ContactProblem& problem, const std::string& solver, SolverSettings settings) {
  SolveTrace trace;
  trace.every = true;
  settings.trace = &trace;
  settings.warm_start = false;
  Solution solution;
  solve(problem, solver, settings, solution);
  Curves out;
  for (const Convergence& point : certify_trace(problem, trace, solution))
    out.residual.emplace_back(point.iterations, point.residual);
  std::vector<double> steps;
  for (std::size_t k = 1; k < trace.points.size(); ++k) {
    const TracePoint &from = trace.points[k - 1], &to = trace.points[k];
    if (from.island != to.island) continue;
    const auto at = std::size_t(std::max(1, to.iterations));
    if (steps.size() < at) steps.resize(at, 0.0);
    steps[at - 1] = std::max(steps[at - 1], largest_change(from, to));
  }
  for (std::size_t k = 0; k < steps.size(); ++k)
    if (steps[k] > 0) out.step.emplace_back(double(k + 1), steps[k]);
  return out;
}

FigureRow row_of(const std::string& panel, const Curve& curve) {
  FigureRow row{panel, curve.name, curve.points.front().second, INFINITY, 0};
  for (const auto& [x, y] : curve.points)
    if (y < row.last) {
      row.last = y;
      row.iterations = int(x);
    }
  return row;
}

// Two panels, residual and step, for each case; the residuals come first, then the steps below them.
void add_case(const std::string& name, const std::vector<std::pair<std::string, Curves>>& runs, std::size_t at,
              PaperFigure& figure) {
  Panel residual{"Newton iterations", "certified residual", {}, name, true};
  Panel step{"Newton iterations", "step, largest change of a velocity [m/s]", {}, name, true};
  for (const auto& [run, curves] : runs) {
    residual.curves.push_back({run, curves.residual});
    step.curves.push_back({run, curves.step});
    figure.table.push_back(row_of(name, residual.curves.back()));
  }
  figure.panels.insert(figure.panels.begin() + std::ptrdiff_t(at), std::move(residual));
  figure.panels.push_back(std::move(step));
}

// One linear system, that of Newton's sixth iteration, by every iterative solver.
PaperFigure figure_11(const Progress& progress) {
  constexpr int kBefore = 5, kIterations = 200;
  PaperFigure figure{"Fig. 11: one linear system of newton-fb", {}, 2, {}};
  int done = 0;
  for (const PaperCase& paper_case : {kArch, kStack}) {
    const ContactProblem problem = PaperScene(paper_case).problem();
    Solution start;
    solve(problem, "newton-fb",
          {.max_iterations = kBefore, .warm_start = false, .linear_solver = LinearSolver::kDirect}, start);
    Panel panel{
        "linear iterations", "residual of the linear system, as a share of the first", {}, paper_case.name, true};
    for (std::size_t k = 0; k < std::size(kLinearSolvers); ++k) {
      SolveTrace trace;
      Solution solution = start;
      solve(problem, "newton-fb",
            {.max_iterations = 1,
             .trace = &trace,
             .linear_solver = kLinearSolvers[k],
             .linear_iterations = kIterations,
             .linear_forcing = 0},
            solution);
      Curve curve{kLinearNames[k], {}};
      // Of several islands the one that has most to do.
      for (const std::vector<double>& history : trace.linear_residual)
        if (history.size() > curve.points.size()) {
          curve.points.clear();
          for (std::size_t i = 0; i < history.size(); ++i) curve.points.emplace_back(double(i), history[i]);
        }
      figure.table.push_back(row_of(paper_case.name, curve));
      panel.curves.push_back(std::move(curve));
      progress(++done / 8.0);
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

double quantile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::size_t(share * double(values.size() - 1))];
}

// Steps of the beam: quartiles of the residual over them.
PaperFigure figure_16(const Progress& progress) {
  constexpr const char* kNames[] = {"best", "quarter", "median", "three quarters", "worst"};
  PaperFigure figure{
      "Fig. 16: residual over 132 steps of the flexible beam, newton-fb with 40 pcr iterations", {}, 2, {}};
  PaperScene scene({kBeam.scene, kBeam.name, kBeamFrom});
  std::vector<std::vector<double>> at[2];
  for (auto& list : at) list.resize(kNewtonIterations + 1);
  for (int step = 0; step < kBeamSteps; ++step) {
    const ContactProblem& problem = scene.problem();
    for (int kind = 0; kind < 2; ++kind) {
      const Curves curves = newton_curves(problem, "newton-fb",
                                          {.tolerance = 1e-14,
                                           .max_iterations = kNewtonIterations,
                                           .preconditioner = kPreconditioners[2 * kind],
                                           .linear_solver = LinearSolver::kPcr,
                                           .linear_iterations = kLinearIterations,
                                           .linear_forcing = 0});
      std::size_t k = 0;
      for (int iteration = 0; iteration <= kNewtonIterations; ++iteration) {
        while (k + 1 < curves.residual.size() && curves.residual[k + 1].first <= iteration) ++k;
        at[kind][std::size_t(iteration)].push_back(curves.residual[k].second);
      }
    }
    scene.advance(1);
    progress((step + 1.0) / kBeamSteps);
  }
  for (int kind = 0; kind < 2; ++kind) {
    Panel panel{"Newton iterations", "certified residual", {}, kPreconditionerNames[2 * kind], true};
    for (int q = 0; q < 5; ++q) {
      Curve curve{kNames[q], {}, q == 0 || q == 4};
      for (int k = 0; k <= kNewtonIterations; ++k)
        curve.points.emplace_back(k, quantile(at[kind][std::size_t(k)], 0.25 * q));
      figure.table.push_back(row_of(kPreconditionerNames[2 * kind], curve));
      panel.curves.push_back(std::move(curve));
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

// Scales of the complementarity functions, with factored systems: nothing but the scale differs.
PaperFigure figure_17(const Progress& progress) {
  PaperFigure figure{"Fig. 17: complementarity preconditioners, newton-fb with factored systems", {}, 3, {}};
  std::size_t at = 0;
  for (const PaperCase& paper_case : {kArch, kTables, kStack}) {
    const ContactProblem problem = PaperScene(paper_case).problem();
    std::vector<std::pair<std::string, Curves>> runs;
    for (std::size_t k = 0; k < std::size(kPreconditioners); ++k)
      runs.emplace_back(kPreconditionerNames[k], newton_curves(problem, "newton-fb",
                                                               {.tolerance = 1e-14,
                                                                .max_iterations = kNewtonIterations,
                                                                .preconditioner = kPreconditioners[k],
                                                                .linear_solver = LinearSolver::kDirect}));
    add_case(paper_case.name, runs, at++, figure);
    progress(double(at) / 3);
  }
  return figure;
}

// The limits of single precision, eqs. (92) and (91), the latter in velocities: δu = M⁻¹ Jᵀ δp is measured by the
// contact velocities that it makes, at most ‖A W + B‖ ‖δp‖.
void add_limits(const ContactProblem& problem, std::size_t at, PaperFigure& figure) {
  constexpr double kEpsilon = std::numeric_limits<float>::epsilon();
  Solution solution;
  solve(problem, "newton", {.warm_start = false}, solution);
  const NewtonNorms norms = newton_norms(problem, solution);
  double scale = 0;
  for (double island : problem.island_scale) scale = std::max(scale, island);
  const double residual = norms.matrix * norms.impulse * kEpsilon;
  const double nu = kEpsilon * residual;
  const double inverse = std::isfinite(norms.inverse) ? norms.inverse * nu : 0;
  const double step = norms.matrix * (inverse + norms.impulse * kEpsilon);
  const auto line = [](double y) { return Curve{"limit of 32 bits", {{0, y}, {kNewtonIterations, y}}, true}; };
  figure.panels[at].curves.push_back(line(residual / scale));
  figure.panels.back().curves.push_back(line(step));
  figure.table.push_back({figure.panels[at].title, "limit of 32 bits", residual / scale, residual / scale, 0});
}

// Linear solvers with 40 iterations each in single precision, and our default in double.
PaperFigure figure_18(const Progress& progress) {
  PaperFigure figure{
      "Fig. 18: linear solvers, 40 iterations for each Newton iteration, 32 bits; and newton", {}, 3, {}};
  std::size_t at = 0;
  for (const PaperCase& paper_case : {kArch, kStack, kBeam}) {
    const ContactProblem problem = PaperScene(paper_case).problem();
    std::vector<std::pair<std::string, Curves>> runs;
    for (std::size_t k = 0; k < std::size(kLinearSolvers); ++k)
      runs.emplace_back(kLinearNames[k], newton_curves(problem, "newton-fb",
                                                       {.tolerance = 1e-14,
                                                        .max_iterations = kNewtonIterations,
                                                        .linear_solver = kLinearSolvers[k],
                                                        .linear_iterations = kLinearIterations,
                                                        .linear_forcing = 0,
                                                        .precision = Precision::kFloat}));
    runs.emplace_back("newton (64 bits)",
                      newton_curves(problem, "newton", {.tolerance = 1e-10, .max_iterations = kNewtonIterations}));
    add_case(paper_case.name, runs, at, figure);
    add_limits(problem, at++, figure);
    progress(double(at) / 3);
  }
  return figure;
}

}  // namespace

const std::vector<PaperExperiment>& paper_004() {
  static const std::vector<PaperExperiment> experiments = {
      {11, "linear solvers on one linear system, two scenes", figure_11},
      {16, "quartiles over 132 steps of the flexible beam, two preconditioners", figure_16},
      {17, "preconditioners on arch, pile of tables, heavy stack", figure_17},
      {18, "linear solvers at 40 iterations in single precision on arch, heavy stack, beam", figure_18},
  };
  return experiments;
}

}  // namespace stiction::cli
