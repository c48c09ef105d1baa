// The robots of the peers' program for Pinocchio (files written by its export_models.py), its way of measuring and its
// JSON lines.
#pragma once

#include "dynamics/tree_plan.hpp"

#include <stiction/builder.hpp>
#include <stiction/constrained_dynamics.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace stiction {

struct PeerRobot {
  Model model;
  TreePlan plan;
  std::vector<double> standing;
  std::vector<BilateralConstraint> feet;  // held where they are: points, or the frames of flat feet
};

PeerRobot read_robot(const std::string& path, BilateralType foot_type);

struct PeerSettings {
  int repeats = 7;
  double seconds = 0.1;
};

// MODEL_DIR [--repeats N] [--seconds S]; calls f(settings, name, robot) for each of the four robots. The exit code.
using MeasureRobot = void (*)(const PeerSettings& settings, const std::string& name, const PeerRobot& robot);
int measure_robots(int argc, char** argv, MeasureRobot f);

// Calls f on each case, again and again for at least `seconds`, `repeats` times; prints median, least and greatest.
template <class Case, class Function>
void measure(const PeerSettings& settings, const std::string& robot, const char* what, const std::vector<Case>& cases,
             Function f, const std::string& more = "") {
  using Clock = std::chrono::steady_clock;
  for (const Case& each : cases) f(each);
  std::vector<double> times;
  for (int repeat = 0; repeat < settings.repeats; ++repeat) {
    const auto start = Clock::now();
    std::size_t calls = 0;
    double elapsed = 0;
    do {
      for (const Case& each : cases) f(each);
      calls += cases.size();
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (elapsed < settings.seconds);
    times.push_back(1e6 * elapsed / double(calls));
  }
  std::sort(times.begin(), times.end());
  std::printf("{\"robot\": \"%s\", \"what\": \"%s\", \"us\": %.3f, \"us_min\": %.3f, \"us_max\": %.3f%s}\n",
              robot.c_str(), what, times[times.size() / 2], times.front(), times.back(), more.c_str());
  std::fflush(stdout);
}

}  // namespace stiction
