// Records steps, then checks and replays the recording.
#pragma once

#include <gtest/gtest.h>

#include <stiction/recording.hpp>

#include <filesystem>
#include <string>

namespace stiction::test {

// `look` sees the recording before it is checked.
template <class Look>
void record_and_check(Simulation& simulation, int steps, const std::string& file, Look&& look) {
  const std::string path = (std::filesystem::temp_directory_path() / file).string();
  Recorder recorder(path, simulation);
  for (int i = 0; i < steps; ++i) {
    simulation.step();
    recorder.add(simulation);
  }
  recorder.finish();
  const Recording recording(path);
  look(recording);
  const RecordingCheck check = check_recording(recording);
  EXPECT_TRUE(check.findings.empty()) << check.findings.front();
  EXPECT_EQ(replay_recording(recording).difference, "");
  std::filesystem::remove(path);
}

}  // namespace stiction::test
