// stiction replay: simulates a recording again and compares all states bit by bit.
#include <fmt/format.h>

#include <memory>

#include <stiction/recording.hpp>
#include <stiction/version.hpp>

#include "commands.hpp"
#include "json.hpp"
#include "progress.hpp"

namespace stiction::cli {
namespace {

int replay_file(const std::string& path, bool json) {
  const Recording recording(path);
  const StopSignal stop;
  Replay replay;
  {
    ProgressBar bar("replay", recording.steps(), true);
    replay = replay_recording(recording, [&](int step) {
      bar.show(step);
      return !stop.requested();
    });
  }
  const bool same = replay.difference.empty();
  if (json)
    fmt::print("{}\n", JsonObject()
                           .add("recording", path)
                           .add("version", kVersion)
                           .add("recorded_by", recording.version())
                           .add("steps", replay.steps)
                           .add("same", same)
                           .add("difference", replay.difference)
                           .text());
  else if (same)
    fmt::print("{}: {} steps, all states the same bit by bit\n", path, replay.steps);
  if (!same) {
    fmt::print(stderr, "stiction: {}: the replay differs, first in {}\n", path, replay.difference);
    return kExitBad;
  }
  return replay.steps < recording.steps() ? kExitInterrupted : kExitGood;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "Simulate a recording again and compare bit by bit");
  const auto path = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  command->add_option("recording", *path, "HDF5 file written by `stiction run --out`")->required();
  command->add_flag("--json", *json, "Print one JSON object and nothing else on standard output");
  command->footer(R"(
Exit code 0: the same bits. 1: different; it says where first. 2: bad usage, or the file cannot be read.
Bits are promised on the machine and build that made the recording.)");
  command->callback([path, json, &exit_code] { exit_code = replay_file(*path, *json); });
}

}  // namespace stiction::cli
