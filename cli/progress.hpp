// A progress bar on stderr, and the wish of the user to stop (Ctrl-C).
#pragma once

#include <chrono>
#include <string>

namespace stiction::cli {

// Draws at most ten times a second, only if stderr is a terminal and `wanted`; takes its line back at the end.
class ProgressBar {
 public:
  ProgressBar(std::string label, int total, bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(int done);
  bool is_shown() const { return wanted_; }

 private:
  std::string label_;
  int total_ = 0;
  bool wanted_ = false, drawn_ = false;
  std::chrono::steady_clock::time_point begin_, last_;
};

// While it lives, Ctrl-C and SIGTERM set a flag instead of ending the program; a second one ends it.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  bool requested() const;
};

}  // namespace stiction::cli
