// stiction run: simulates a scene, certifies every step, records and exports what is asked for.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <stiction/stiction.hpp>

#include "commands.hpp"
#include "json.hpp"
#include "progress.hpp"
#include "run_summary.hpp"
#include "scene_files.hpp"

namespace stiction::cli {
namespace {

constexpr char kDefaultKeyframe[] = "start";
constexpr std::size_t kListedSteps = 100;

struct RunArguments {
  std::string scene, solver, keyframe, out;
  int steps = -1, threads = -1;
  double duration = 5, timestep = 0;
  std::vector<std::string> settings;
  std::vector<std::pair<int, std::string>> exports;
  bool json = false, quiet = false, allow_unsupported = false, maximal = false, triangles = false;
};

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// friction=0.3 and restitution=0.5 hold for all shapes and pairs of the scene.
bool set_surface(Model& model, const std::string& name, const std::string& value) {
  if (name != "friction" && name != "restitution") return false;
  std::size_t used = 0;
  double number = NAN;
  try {
    number = std::stod(value, &used);
  } catch (const std::exception&) {  // reported below
  }
  const bool friction = name == "friction";
  if (used != value.size() || !std::isfinite(number) || number < 0 || (!friction && number > 1))
    throw Error(fmt::format("--set {}: '{}' is not a number {}", name, value, friction ? "≥ 0" : "in [0, 1]"));
  for (Vec3& f : model.shape_friction) f.x = friction ? number : f.x;
  for (PairFriction& f : model.pair_friction)
    if (friction) f[0] = f[1] = number;
  for (double& e : model.shape_restitution) e = friction ? e : number;
  for (double& e : model.pair_restitution) e = friction ? e : number;
  return true;
}

void apply_settings(const RunArguments& arguments, Model& model, Options& options) {
  if (arguments.timestep != 0) set_option(options, "timestep", fmt::format("{}", arguments.timestep));
  if (!arguments.solver.empty()) set_option(options, "solver", arguments.solver);
  if (arguments.threads >= 0) set_option(options, "threads", fmt::format("{}", arguments.threads));
  for (const std::string& setting : arguments.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw Error(fmt::format("--set {}: write it as name=value", setting));
    const std::string name = setting.substr(0, equals), value = setting.substr(equals + 1);
    if (!set_surface(model, name, value)) set_option(options, name, value);
  }
}

// The keyframe that the run starts from; empty: the reference configuration.
std::string choose_keyframe(const RunArguments& arguments, const Model& model) {
  if (!arguments.keyframe.empty()) return arguments.keyframe;
  for (const std::string& name : model.key_name)
    if (name == kDefaultKeyframe) return name;
  return "";
}

int count_steps(const RunArguments& arguments, const Options& options) {
  if (arguments.steps >= 0) return arguments.steps;
  const double count = std::round(arguments.duration / options.timestep);
  if (!(arguments.duration >= 0) || !(count <= 1e9))
    throw Error(fmt::format("--duration {}: is not a length of time that can be simulated", arguments.duration));
  return int(count);
}

void check_exports(const RunArguments& arguments, int steps) {
  for (const auto& [step, file] : arguments.exports)
    if (step < 1 || step > steps)
      throw Error(fmt::format("--export-problem {} {}: the run has the steps 1 … {}", step, file, steps));
}

std::string quoted(const std::string& word) {
  return word.find_first_of(" \t\"'$&;()*?<>|") == std::string::npos ? word : "'" + word + "'";
}

// The same run up to a step, with that step's problem exported.
std::string export_command(const RunArguments& arguments, int step) {
  std::string text = "stiction run " + quoted(arguments.scene);
  if (arguments.timestep != 0) text += fmt::format(" --timestep {}", arguments.timestep);
  if (!arguments.solver.empty()) text += " --solver " + quoted(arguments.solver);
  if (!arguments.keyframe.empty()) text += " --keyframe " + quoted(arguments.keyframe);
  if (arguments.allow_unsupported) text += " --allow-unsupported";
  if (arguments.maximal) text += " --maximal";
  if (arguments.triangles) text += " --meshes triangles";
  for (const std::string& setting : arguments.settings) text += " --set " + quoted(setting);
  return text + fmt::format(" --steps {0} --export-problem {0} step_{0}.h5", step);
}

RunSummary simulate(const RunArguments& arguments, int steps, Simulation& simulation) {
  RunSummary summary;
  std::optional<Recorder> recorder;
  if (!arguments.out.empty()) recorder.emplace(arguments.out, simulation);
  const StopSignal stop;
  ProgressBar bar("run", steps, !arguments.quiet);
  State before;
  const auto begin = std::chrono::steady_clock::now();
  for (int step = 1; step <= steps && summary.refused_step == 0; ++step) {
    if (!arguments.exports.empty()) before = simulation.state();
    simulation.step();
    summary.add(simulation);
    if (recorder) {
      const auto record_begin = std::chrono::steady_clock::now();
      recorder->add(simulation);
      summary.record_seconds += seconds_since(record_begin);
    }
    for (const auto& [wanted, file] : arguments.exports)
      if (wanted == step) write_step_problem(file, fmt::format("step_{}", step), simulation, before);
    bar.show(step);
    if (stop.requested()) {
      summary.interrupted = step < steps;
      break;
    }
  }
  if (recorder) recorder->finish();
  summary.wall_seconds = seconds_since(begin);
  return summary;
}

JsonObject stage_json(const RunSummary& summary) {
  const char* names[6] = {"kinematics", "collide", "assemble", "solve", "certify", "integrate"};
  JsonObject json;
  for (int i = 0; i < 6; ++i) json.add(names[i], summary.stage_seconds[i]);
  return json.add("record", summary.record_seconds);
}

void print_json(const RunArguments& arguments, const Simulation& simulation, const std::string& keyframe,
                const RunSummary& s) {
  std::vector<int> listed = s.missed;
  if (listed.size() > kListedSteps) listed.resize(kListedSteps);
  JsonObject certificate = certificate_json(s.largest);
  if (s.worst.step > 0)
    certificate.add("worst", worst_json(s.worst));
  else
    certificate.add_null("worst");
  JsonObject json;
  json.add("scene", arguments.scene).add("version", kVersion).add("solver", simulation.options().solver);
  json.add("keyframe", keyframe).add("integrator", simulation.options().integrator);
  json.add("timestep", simulation.options().timestep);
  json.add("tolerance", simulation.options().tolerance);
  json.add("steps", s.steps).add("time", simulation.state().time).add("wall_s", s.wall_seconds);
  json.add("steps_per_s", s.steps / s.wall_seconds).add("status", s.status(simulation));
  json.add("bodies", simulation.model().nbody - 1).add("dofs", simulation.model().tree_dofs());
  json.add("contacts_per_s", s.contacts.mean() * s.steps / s.wall_seconds);
  json.add("contacts", s.contacts.json()).add("iterations", s.iterations.json());
  json.add("factorisations", s.factorisations.json()).add("certificate", certificate);
  json.add("tolerance_missed", JsonObject().add("count", s.missed.size()).add("steps", listed));
  json.add("push_out_reduced", JsonObject().add("steps", s.reduced_steps).add("contacts", s.reduced_contacts));
  json.add("search_cut_short", JsonObject().add("steps", s.cut_short_steps).add("pairs", s.cut_short_pairs));
  json.add("fallbacks", JsonObject().add("interior", s.interior_steps).add("proximal", s.proximal_steps));
  json.add("warm_matched_share", s.warm_possible > 0 ? double(s.warm_matched) / double(s.warm_possible) : 1.0);
  json.add("seconds_per_stage", stage_json(s));
  if (s.good())
    json.add_null("failure");
  else
    json.add("failure", s.first_failure);
  fmt::print("{}\n", json.text());
}

void print_text(const RunArguments& arguments, const Simulation& simulation, const std::string& keyframe,
                const RunSummary& s) {
  const Options& options = simulation.options();
  fmt::print("{}: {} bodies, {} degrees of freedom, from {}\n", arguments.scene, simulation.model().nbody - 1,
             simulation.model().tree_dofs(),
             keyframe.empty() ? "the reference configuration" : fmt::format("the keyframe '{}'", keyframe));
  fmt::print("{} steps of {} s in {:.3g} s: {:.0f} steps/s, {:.3g} times real time; solver {}\n", s.steps,
             options.timestep, s.wall_seconds, s.steps / s.wall_seconds, s.steps * options.timestep / s.wall_seconds,
             options.solver);
  fmt::print("contacts         mean {:.1f}, at most {:.0f}, {:.3g} per second\n", s.contacts.mean(), s.contacts.max,
             s.contacts.mean() * s.steps / s.wall_seconds);
  fmt::print("factorisations   mean {:.2f}, at most {:.0f} (largest island: {:.2f}, {:.0f})\n", s.factorisations.mean(),
             s.factorisations.max, s.iterations.mean(), s.iterations.max);
  fmt::print("certificate, largest over all steps (relative, absolute):\n{}", certificate_text(s.largest));
  if (s.worst.step > 0) fmt::print("  {:<16} {}\n", "worst", worst_text(s.worst));
  if (s.interior_steps + s.proximal_steps > 0)
    fmt::print("beyond Newton's method: interior-point continuation in {} steps, proximal continuation in {}\n",
               s.interior_steps, s.proximal_steps);
  if (s.reduced_steps > 0)
    fmt::print("push-out was reduced in {} steps: no solution with all of it was found\n", s.reduced_steps);
  if (s.cut_short_steps > 0)
    fmt::print("searches for closest points were cut short in {} steps, first in {}\n", s.cut_short_steps,
               s.first_cut_short);
  if (!arguments.out.empty()) fmt::print("recorded in {}\n", arguments.out);
  if (s.interrupted) fmt::print("interrupted after step {}\n", s.steps);
  if (s.good() && !s.interrupted) fmt::print("every step met its tolerance of {:.0e}\n", options.tolerance);
}

// What went wrong, where, and how to look at it; on stderr, so that --json stays alone on stdout.
void print_failure(const RunArguments& arguments, const RunSummary& s) {
  fmt::print(stderr, "stiction: {}\n", s.first_failure);
  if (s.missed.empty()) return;
  fmt::print(stderr,
             "stiction: {} of {} steps missed the tolerance, the first is step {}; look at it with\n  {}\n  "
             "stiction solve step_{}.h5 --solver all\n",
             s.missed.size(), s.steps, s.missed.front(), export_command(arguments, s.missed.front()), s.missed.front());
}

int run(const RunArguments& arguments) {
  LoadReport load_report;
  Model model = load(find_scene(arguments.scene),
                     {arguments.allow_unsupported, arguments.maximal ? Coordinates::kMaximal : Coordinates::kReduced,
                      arguments.triangles ? MeshShapes::kTriangles : MeshShapes::kHulls},
                     &load_report);
  if (!arguments.quiet)
    if (const std::string text = load_report.text(); !text.empty()) fmt::print(stderr, "{}\n", text);
  Options options = model.options;
  apply_settings(arguments, model, options);
  const int steps = count_steps(arguments, options);
  check_exports(arguments, steps);
  const std::string keyframe = choose_keyframe(arguments, model);
  Simulation simulation(std::make_shared<const Model>(std::move(model)), options);
  if (!keyframe.empty()) simulation.reset(keyframe);

  const RunSummary summary = simulate(arguments, steps, simulation);
  if (arguments.json)
    print_json(arguments, simulation, keyframe, summary);
  else if (!arguments.quiet)
    print_text(arguments, simulation, keyframe, summary);
  if (!summary.good()) {
    print_failure(arguments, summary);
    return kExitBad;
  }
  return summary.interrupted ? kExitInterrupted : kExitGood;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "Simulate a scene and certify every step");
  const auto a = std::make_shared<RunArguments>();
  command->add_option("scene", a->scene, "MJCF or URDF file, or the name of a shipped scene")->required();
  CLI::Option* steps = command->add_option("--steps", a->steps, "Number of steps")->check(number_not_negative());
  command->add_option("--duration", a->duration, "Simulated time [s]")->capture_default_str()->excludes(steps);
  command->add_option("--timestep", a->timestep, "Length of a step [s]; default: the file's")->check(positive_number());
  command->add_option("--set", a->settings, "Set an option, or friction or restitution of all shapes")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--solver", a->solver, "Contact solver, as --set solver=NAME");
  command->add_option("--threads", a->threads, "Threads; 0: all cores")->check(number_not_negative());
  command->add_option("--keyframe", a->keyframe, "Start from this keyframe; default: 'start' if there is one");
  command->add_option("--out", a->out, "Record the run in this HDF5 file")->type_name("FILE");
  command
      ->add_option("--export-problem", a->exports, "Store the contact problem of a step; can be given more than once")
      ->type_name("STEP FILE")
      ->allow_extra_args(false);
  command->add_flag("--json", a->json, "Print one JSON object and nothing else on standard output");
  command->add_flag("--maximal", a->maximal, "Maximal coordinates: free bodies, joints as rows of the problem");
  command
      ->add_option_function<std::string>(
          "--meshes", [a](const std::string& kind) { a->triangles = kind == "triangles"; },
          "Collide meshes as their convex hulls (default) or triangle by triangle")
      ->check(CLI::IsMember({"hulls", "triangles"}));
  command->add_flag("--allow-unsupported", a->allow_unsupported,
                    "Load a file although it asks for physics that is not supported yet");
  command->add_flag("--quiet", a->quiet, "No progress, no warnings, no summary");
  command->footer(R"(
Exit code 0: finite, and every step met its tolerance. 1: not so; it says which step and how to look at it.
2: bad usage or bad input. 130: interrupted (the recording is complete up to there).

Examples:
  stiction run stack_10 --duration 2 --out stack.h5
  stiction run incline_20 --set friction=0.3 --set gravity="0 0 -1.62" --json
  stiction run pile_500 --timestep 0.005 --threads 0 --export-problem 120 hard.h5)");
  command->callback([a, &exit_code] { exit_code = run(*a); });
}

}  // namespace stiction::cli
