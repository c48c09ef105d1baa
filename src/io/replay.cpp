// Simulates a recording again and compares all states bit by bit.
#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include <stiction/recording.hpp>
#include <stiction/version.hpp>

namespace stiction {
namespace {

// Name of the joint that owns an entry of q or u.
std::string owner(const Model& model, const std::vector<int>& first, std::size_t entry) {
  std::size_t joint = 0;
  for (std::size_t j = 0; j < std::size_t(model.njoint); ++j)
    if (std::size_t(first[j]) <= entry && first[j] >= first[joint]) joint = j;
  return fmt::format("entry {} of joint '{}' of body '{}'", entry - std::size_t(first[joint]), model.joint_name[joint],
                     model.body_name[std::size_t(model.joint_body[joint])]);
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// The first difference of two states in words; empty if they have the same bits.
std::string compare(const Model& model, const State& recorded, const State& replayed) {
  if (!same(recorded.time, replayed.time))
    return fmt::format("time: recorded {}, replayed {}", recorded.time, replayed.time);
  if (recorded.steps != replayed.steps)
    return fmt::format("number of steps taken: recorded {}, replayed {}", recorded.steps, replayed.steps);
  for (std::size_t i = 0; i < recorded.q.size(); ++i)
    if (!same(recorded.q[i], replayed.q[i]))
      return fmt::format("position, {}: recorded {}, replayed {}", owner(model, model.joint_q, i), recorded.q[i],
                         replayed.q[i]);
  for (std::size_t i = 0; i < recorded.u.size(); ++i)
    if (!same(recorded.u[i], replayed.u[i]))
      return fmt::format("velocity, {}: recorded {}, replayed {}", owner(model, model.joint_dof, i), recorded.u[i],
                         replayed.u[i]);
  for (std::size_t i = 0; i < recorded.activation.size(); ++i)
    if (!same(recorded.activation[i], replayed.activation[i]))
      return fmt::format("activation {}: recorded {}, replayed {}", i, recorded.activation[i], replayed.activation[i]);
  return "";
}

}  // namespace

Replay replay_recording(const Recording& recording, const Progress& progress) {
  Simulation simulation(recording.model(), recording.options());
  simulation.state() = recording.state(0);
  Replay out;
  for (int step = 1; step <= recording.steps(); ++step) {
    simulation.control() = recording.control(step);
    simulation.step();
    out.steps = step;
    const std::string difference = compare(*recording.model(), recording.state(step), simulation.state());
    if (!difference.empty()) {
      out.difference = fmt::format("step {}: {}", step, difference);
      if (recording.version() != kVersion)
        out.difference += fmt::format("; it was written by stiction {}, this is {}", recording.version(), kVersion);
      return out;
    }
    if (progress && !progress(step)) break;
  }
  return out;
}

}  // namespace stiction
