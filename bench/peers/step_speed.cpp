// Time of whole steps beside MuJoCo's, stage by stage, in one run: the same file, the same smooth random controls, one
// thread. The engines take turns; of each stretch of steps the least time of the rounds counts, the one that other work
// on the machine disturbed least.
//
//   step_speed MODEL.xml [STEPS [ROUNDS [NOISE]]] [--set OPTION=VALUE]...
//
// MuJoCo reads the clock some forty times a step where its timers run. Its whole step is therefore timed in rounds of
// their own without them, and only the shares of collision and solver are taken from its timers.
//
// Controls: an Ornstein–Uhlenbeck process about the middle of each range, standard deviation NOISE times half the
// range, correlation time 0.1 s. MuJoCo runs with the elliptic cone, which is the nearest to ours that it has.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <stiction/load.hpp>
#include <stiction/simulation.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using Times = std::map<std::string, std::vector<double>>;  // stage: microseconds of each stretch

constexpr double kCorrelation = 0.1;  // [s]
constexpr int kStretch = 4;           // steps

// MuJoCo's timers read this, in microseconds.
double microseconds() {
  return std::chrono::duration<double, std::micro>(Clock::now().time_since_epoch()).count();
}

std::vector<double> draw_controls(const mjModel& m, int steps, double noise) {
  const auto count = std::size_t(m.nu);
  std::vector<double> controls(std::size_t(steps) * count);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const double decay = std::exp(-m.opt.timestep / kCorrelation), kick = noise * std::sqrt(1 - decay * decay);
  for (std::size_t i = 0; i < count; ++i) {
    const bool limited = m.actuator_ctrllimited[i] != 0;
    const double low = limited ? m.actuator_ctrlrange[2 * i] : -1, high = limited ? m.actuator_ctrlrange[2 * i + 1] : 1;
    double offset = 0;
    for (std::size_t k = 0; k < std::size_t(steps); ++k) {
      offset = decay * offset + kick * 0.5 * (high - low) * normal(random);
      controls[k * count + i] = std::clamp(0.5 * (low + high) + offset, low, high);
    }
  }
  return controls;
}

// Calls step(k) for all steps and end() after each stretch.
template <class Step, class End>
void run_stretches(int steps, Step&& step, End&& end) {
  for (int k = 0; k < steps; ++k) {
    step(k);
    if ((k + 1) % kStretch == 0 || k + 1 == steps) end();
  }
}

Times run_mujoco(const mjModel* m, mjData* d, const std::vector<double>& controls, int steps, bool timers) {
  mj_resetData(m, d);
  mjcb_time = timers ? microseconds : nullptr;
  Times times;
  double start = microseconds();
  const auto step = [&](int k) {
    std::copy_n(controls.begin() + std::ptrdiff_t(k) * m->nu, m->nu, d->ctrl);
    mj_step(m, d);
  };
  run_stretches(steps, step, [&] {
    if (timers) {
      times["collide"].push_back(d->timer[mjTIMER_POS_COLLISION].duration);
      times["solve"].push_back(d->timer[mjTIMER_CONSTRAINT].duration);
      for (mjTimerStat& timer : d->timer) timer.duration = 0;
    } else {
      times["step"].push_back(microseconds() - start);
    }
    start = microseconds();
  });
  return times;
}

Times run_stiction(stiction::Simulation& sim, const std::vector<double>& controls, int steps) {
  sim.reset();
  auto& control = sim.control().input;
  stiction::StepReport sum;
  int missed = 0;
  Times times;
  double start = microseconds();
  const auto step = [&](int k) {
    std::copy_n(controls.begin() + std::ptrdiff_t(k) * std::ptrdiff_t(control.size()), control.size(), control.begin());
    const stiction::StepReport& r = sim.step();
    missed += r.status == 0 ? 0 : 1;
    sum.kinematics_seconds += r.kinematics_seconds;
    sum.collide_seconds += r.collide_seconds;
    sum.assemble_seconds += r.assemble_seconds;
    sum.solve_seconds += r.solve_seconds;
    sum.certify_seconds += r.certify_seconds;
    sum.integrate_seconds += r.integrate_seconds;
  };
  run_stretches(steps, step, [&] {
    times["step"].push_back(microseconds() - start);
    times["kinematics"].push_back(1e6 * sum.kinematics_seconds);
    times["collide"].push_back(1e6 * sum.collide_seconds);
    times["assemble"].push_back(1e6 * sum.assemble_seconds);
    times["solve"].push_back(1e6 * sum.solve_seconds);
    times["certify"].push_back(1e6 * sum.certify_seconds);
    times["integrate"].push_back(1e6 * sum.integrate_seconds);
    sum = {};
    start = microseconds();
  });
  if (missed > 0) fmt::print("stiction missed its tolerance in {} of {} steps\n", missed, steps);
  return times;
}

void keep_least(const Times& round, Times& least) {
  for (const auto& [stage, time] : round) {
    const auto [at, added] = least.try_emplace(stage, time);
    for (std::size_t i = 0; i < time.size(); ++i) at->second[i] = std::min(at->second[i], time[i]);
  }
}

// Microseconds a step.
std::map<std::string, double> means(const Times& times, int steps) {
  std::map<std::string, double> out;
  for (const auto& [stage, time] : times) out[stage] = std::accumulate(time.begin(), time.end(), 0.0) / steps;
  return out;
}

int measure(const std::string& path, int steps, int rounds, double noise, const std::vector<std::string>& set) {
  char message[1000] = "";
  const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m(
      mj_loadXML(path.c_str(), nullptr, message, sizeof(message)), mj_deleteModel);
  if (!m) {
    fmt::print(stderr, "step_speed: {}\n", message);
    return 2;
  }
  m->opt.cone = mjCONE_ELLIPTIC;
  const std::unique_ptr<mjData, decltype(&mj_deleteData)> d(mj_makeData(m.get()), mj_deleteData);
  const auto model = std::make_shared<const stiction::Model>(stiction::load(path));
  stiction::Options options = model->options;
  options.threads = 1;
  for (const std::string& setting : set) {
    const auto equals = std::min(setting.find('='), setting.size() - 1);
    stiction::set_option(options, setting.substr(0, equals), setting.substr(equals + 1));
  }
  stiction::Simulation sim(model, options);
  const std::vector<double> controls = draw_controls(*m, steps, noise);
  Times theirs, ours;
  for (int round = 0; round < rounds; ++round) {
    for (const bool timers : {false, true}) keep_least(run_mujoco(m.get(), d.get(), controls, steps, timers), theirs);
    keep_least(run_stiction(sim, controls, steps), ours);
  }
  auto our_means = means(ours, steps), their_means = means(theirs, steps);
  our_means["without the solve"] =
      our_means["kinematics"] + our_means["collide"] + our_means["assemble"] + our_means["integrate"];
  their_means["without the solve"] = their_means["step"] - their_means["solve"];
  fmt::print("{:<20}{:>12}{:>12}{:>10}   microseconds a step\n", "", "Stiction", "MuJoCo", "ratio");
  for (const auto& [stage, time] : our_means) {
    const auto peer = their_means.find(stage);
    fmt::print("{:<20}{:>12.2f}", stage, time);
    if (peer != their_means.end()) fmt::print("{:>12.2f}{:>10.2f}", peer->second, time / peer->second);
    fmt::print("\n");
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments, arguments + count);
  try {
    std::vector<std::string> set;
    for (auto at = words.begin(); (at = std::find(words.begin(), words.end(), "--set")) + 1 < words.end();) {
      set.push_back(at[1]);
      words.erase(at, at + 2);
    }
    if (words.size() < 2) {
      fmt::print(stderr, "usage: step_speed MODEL.xml [STEPS [ROUNDS [NOISE]]] [--set OPTION=VALUE]...\n");
      return 2;
    }
    return measure(words[1], words.size() > 2 ? std::stoi(words[2]) : 5000, words.size() > 3 ? std::stoi(words[3]) : 5,
                   words.size() > 4 ? std::stod(words[4]) : 0.01, set);
  } catch (const std::exception& error) {
    fmt::print(stderr, "step_speed: {}\n", error.what());
    return 2;
  }
}
