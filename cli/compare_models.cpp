#include "compare_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <thread>

#include <stiction/stiction.hpp>

#include "commands.hpp"
#include "json.hpp"
#include "model/contact_model.hpp"
#include "plot.hpp"
#include "progress.hpp"
#include "scene_files.hpp"

namespace stiction::cli {
namespace {

constexpr char kDefaultKeyframe[] = "start";
constexpr char kExact[] = "coulomb";

// What a model did in one run.
struct ModelRun {
  std::string model;
  int steps = 0, missed = 0;
  std::string failure;                        // why it ended early; empty: it did not
  std::string first_miss;                     // what the first step says that missed the tolerance
  std::vector<std::string> left_out;          // of the scene
  std::vector<double> exact;                  // of each step: largest relative residual of the exact laws
  std::vector<double> penetration;            // of each step [m]
  std::vector<double> energy;                 // after each step, less the work of actuators [J]
  std::vector<Vec3> first_place, last_place;  // of every body
  double iterations = 0;                      // mean
  double seconds = 0;                         // of the processor, in all steps

  double largest(const std::vector<double>& list) const {
    return list.empty() ? 0 : *std::max_element(list.begin(), list.end());
  }
  double mean_exact() const {
    double sum = 0;
    for (const double value : exact) sum += value;
    return exact.empty() ? 0 : sum / double(exact.size());
  }
  // The largest rise above what the energy was before: actuators apart, no contact of rigid bodies can give any.
  double energy_rise() const {
    double least = std::numeric_limits<double>::infinity(), rise = 0;
    for (const double value : energy) {
      least = std::min(least, value);
      rise = std::max(rise, value - least);
    }
    return rise;
  }
};

double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) out = std::max(out, norm(a[i] - b[i]));
  return out;
}

double processor_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// What of the scene the model does not know.
std::vector<std::string> find_left_out(const Model& model, const Options& options) {
  const detail::ContactModel kind = detail::contact_model(options);
  std::vector<std::string> out;
  const bool rigid = detail::has_contact_law(kind) && !detail::is_compliant(kind);
  // Facets know none; other shapes than polyhedra have contacts as under pyramid-lcp.
  const auto has_facets = [&](std::size_t s) {
    return kind == detail::ContactModel::kNonconvex &&
           (model.shape_type[s] == ShapeType::kBox || model.shape_type[s] == ShapeType::kHull);
  };
  bool bounces = false;
  for (std::size_t s = 0; s < model.shape_restitution.size(); ++s)
    bounces = bounces || (model.shape_restitution[s] > 0 && (!rigid || has_facets(s)));
  if (bounces) out.emplace_back("restitution");
  if (detail::has_contact_law(kind)) return out;
  bool turning = false;
  for (std::size_t s = 0; s < model.shape_friction.size(); ++s) turning = turning || model.shape_condim[s] > 3;
  if (turning) out.emplace_back("torsional and rolling friction");
  return out;
}

double exact_residual(const Options& options, const Certificate& certificate) {
  if (detail::contact_model(options) == detail::ContactModel::kCoulomb)
    return std::max({certificate.complementarity, certificate.cone, certificate.dissipation});
  return std::max({certificate.coulomb_complementarity, certificate.coulomb_cone, certificate.coulomb_dissipation});
}

void run_model(const std::shared_ptr<const Model>& model, const Options& options, int steps, const StopSignal& stop,
               std::atomic<int>& done, ModelRun& run) {
  Simulation simulation(model, options);
  for (const std::string& key : model->key_name)
    if (key == kDefaultKeyframe) simulation.reset(key);
  run.left_out = find_left_out(*model, options);
  double work = 0, iterations = 0;
  const auto places = [&] {
    std::vector<Vec3> out;
    out.reserve(std::size_t(model->nbody));
    for (int b = 0; b < model->nbody; ++b) out.push_back(simulation.body_pose(b).p);
    return out;
  };
  run.first_place = places();
  for (auto* list : {&run.exact, &run.penetration, &run.energy}) list->reserve(std::size_t(steps));
  for (int step = 0; step < steps && !stop.requested(); ++step, ++done) {
    const double begin = processor_seconds();
    const StepReport& report = simulation.step();
    run.seconds += processor_seconds() - begin;
    if ((report.status & (kStatusNonFinite | kStatusSingularInertia)) != 0) {
      run.failure = simulation.describe();
      done += steps - step;
      break;
    }
    const Certificate& c = report.certificate;
    ++run.steps;
    if (!report.ok() && run.missed++ == 0) run.first_miss = simulation.describe();
    iterations += report.iterations;
    work += c.actuator_work;
    run.exact.push_back(exact_residual(options, c));
    run.penetration.push_back(c.penetration);
    run.energy.push_back(c.kinetic_energy + c.potential_energy + c.elastic_energy - work);
  }
  run.iterations = run.steps > 0 ? iterations / run.steps : 0;
  run.last_place = places();
}

std::vector<std::string> choose_models(const std::vector<std::string>& wanted) {
  std::vector<std::string> out;
#define STICTION_MODEL_NAME(name, value, meaning) std::string(name),
  std::vector<std::string> all = {STICTION_CONTACT_MODELS(STICTION_MODEL_NAME)};
#undef STICTION_MODEL_NAME
  for (const std::string& name : wanted) {
    if (name == "all") return all;
    detail::check_contact_model_name(name);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

std::string notes(const ModelRun& run, int steps) {
  std::string text;
  const auto add = [&](const std::string& note) { text += text.empty() ? note : fmt::format("; {}", note); };
  if (!run.failure.empty()) add(fmt::format("ended after step {}: {}", run.steps, run.failure));
  if (run.failure.empty() && run.steps < steps) add(fmt::format("interrupted after step {}", run.steps));
  if (run.missed > 0)
    add(fmt::format("{} steps missed the tolerance of its own laws, the first: {}", run.missed, run.first_miss));
  for (const std::string& what : run.left_out) add(fmt::format("does not know {}", what));
  return text;
}

const ModelRun* find_exact(const std::vector<ModelRun>& runs) {
  for (const ModelRun& run : runs)
    if (run.model == kExact) return &run;
  return nullptr;
}

void print_text(const CompareModelsArguments& a, const Model& model, const Options& options,
                const std::vector<ModelRun>& runs) {
  const ModelRun* exact = find_exact(runs);
  fmt::print("{}: {} steps of {} s, {} bodies; residuals are those of the exact laws, whatever the model\n", a.scene,
             a.steps, options.timestep, model.nbody - 1);
  fmt::print("{:<16} {:>10} {:>10} {:>11} {:>11} {:>11} {:>11} {:>9} {:>9}  {}\n", "model", "worst", "mean",
             "sinks [m]", "moves [m]", "apart [m]", "gains [J]", "ms/step", "iter", "");
  for (const ModelRun& run : runs)
    fmt::print("{:<16} {:>10.1e} {:>10.1e} {:>11.2e} {:>11.3e} {:>11} {:>11.2e} {:>9.3f} {:>9.1f}  {}\n", run.model,
               run.largest(run.exact), run.mean_exact(), run.largest(run.penetration),
               largest_distance(run.first_place, run.last_place),
               exact == nullptr ? "-" : fmt::format("{:.3e}", largest_distance(exact->last_place, run.last_place)),
               run.energy_rise(), 1e3 * run.seconds / std::max(run.steps, 1), run.iterations, notes(run, a.steps));
  fmt::print(
      "sinks: deepest penetration; moves: farthest that a body ends from its start (creep, where all should rest);\n"
      "apart: from where coulomb has it; gains: largest rise of the energy less the work of actuators; ms: processor "
      "time\n");
}

void print_json(const CompareModelsArguments& a, const Model& model, const Options& options,
                const std::vector<ModelRun>& runs) {
  const ModelRun* exact = find_exact(runs);
  std::vector<JsonObject> rows;
  rows.reserve(runs.size());
  for (const ModelRun& run : runs) {
    JsonObject row;
    row.add("model", run.model)
        .add("steps", run.steps)
        .add("missed", run.missed)
        .add("exact_worst", run.largest(run.exact))
        .add("exact_mean", run.mean_exact())
        .add("penetration_m", run.largest(run.penetration))
        .add("moved_m", largest_distance(run.first_place, run.last_place));
    if (exact != nullptr) row.add("apart_m", largest_distance(exact->last_place, run.last_place));
    rows.push_back(row.add("energy_gained_j", run.energy_rise())
                       .add("seconds_per_step", run.seconds / std::max(run.steps, 1))
                       .add("iterations", run.iterations)
                       .add("left_out", run.left_out)
                       .add("failure", run.failure)
                       .add("first_miss", run.first_miss));
  }
  fmt::print("{}\n", JsonObject()
                         .add("scene", a.scene)
                         .add("version", kVersion)
                         .add("timestep", options.timestep)
                         .add("steps", a.steps)
                         .add("bodies", model.nbody - 1)
                         .add("models", rows)
                         .text());
}

void draw(const CompareModelsArguments& a, double timestep, const std::vector<ModelRun>& runs) {
  Panel exact{"time [s]", "residual of the exact laws", {}}, sinks{"time [s]", "penetration [m]", {}};
  for (const ModelRun& run : runs) {
    Curve residual{run.model, {}}, depth{run.model, {}};
    for (std::size_t i = 0; i < run.exact.size(); ++i) {
      residual.points.emplace_back(timestep * double(i + 1), run.exact[i]);
      depth.points.emplace_back(timestep * double(i + 1), run.penetration[i]);
    }
    exact.curves.push_back(residual);
    sinks.curves.push_back(depth);
  }
  write_plot(a.plot, fmt::format("{}: contact models", std::filesystem::path(a.scene).stem().string()), {exact, sinks});
}

}  // namespace

int compare_models(const CompareModelsArguments& a) {
  const std::vector<std::string> names = choose_models(a.models);
  const auto model = std::make_shared<const Model>(load(find_scene(a.scene)));
  Options options = model->options;
  for (const std::string& setting : a.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw Error(fmt::format("--set {}: write it as name=value", setting));
    set_option(options, setting.substr(0, equals), setting.substr(equals + 1));
  }
  // One step for all models, so that nothing but the law of contact differs: that of their papers.
  if (options.integrator == "auto") options.integrator = "euler";
  options.threads = 1;
  std::vector<ModelRun> runs(names.size());
  {
    const StopSignal stop;
    std::atomic<int> done{0}, ended{0};
    ProgressBar bar("compare", int(names.size()) * a.steps, true);
    std::vector<std::thread> threads;
    threads.reserve(names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      threads.emplace_back([&, i] {
        runs[i].model = names[i];
        try {
          Options own = options;
          set_option(own, "contact_model", names[i]);
          run_model(model, own, a.steps, stop, done, runs[i]);
        } catch (const std::exception& error) {
          runs[i].failure = error.what();
        }
        ++ended;
      });
    while (ended < int(names.size())) {
      bar.show(done);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    for (std::thread& thread : threads) thread.join();
  }
  if (a.json)
    print_json(a, *model, options, runs);
  else
    print_text(a, *model, options, runs);
  if (!a.plot.empty()) draw(a, options.timestep, runs);
  const bool all = std::all_of(runs.begin(), runs.end(), [&](const ModelRun& run) { return run.steps == a.steps; });
  return all ? kExitGood : kExitBad;
}

}  // namespace stiction::cli
