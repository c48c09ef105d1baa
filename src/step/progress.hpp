// Whether the rounds that close equalities and joints within the step still help.
#pragma once

#include <cmath>

namespace stiction {

class Progress {
 public:
  static constexpr double kAim = 3e-10;  // error at the end of the step that needs no further round [m or rad]

  // The error that a round left; `comparable`: with the same rows as the round before.
  void add(double error, bool comparable) {
    const bool halted = comparable && error > kContraction * error_;
    stalled_ = halted ? stalled_ + 1 : 0;
    halts_ += halted;
    error_ = error;
  }
  // The same after its rows were changed.
  void replace(double error) { error_ = error; }

  bool aim_is_met() const { return error_ <= kAim; }
  bool is_over() const { return aim_is_met() || stalled_ >= (error_ <= kGood ? kMostStalled : kMostStalledFar); }
  double error() const { return error_; }
  int halts() const { return halts_; }  // rounds that did not shrink the error

 private:
  static constexpr double kContraction = 0.7;  // of the error, above which a round does not help …
  static constexpr int kMostStalled = 2;       // … and after so many of them in a row no further one,
  static constexpr double kGood = 1e-7;        // or where the error is larger than this [m or rad],
  static constexpr int kMostStalledFar = 8;    // so many

  double error_ = INFINITY;
  int stalled_ = 0, halts_ = 0;
};

}  // namespace stiction
