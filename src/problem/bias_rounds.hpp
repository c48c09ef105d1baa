// Rounds in which the biases of equalities and held joints come to say what holds at the end of the step.
//
// A step solved with the biases b ends with errors C of those rows, and linearised there the rows have the biases b +
// r, r = C / h. To take those is to go on with the Jacobian of the step's start; where bodies turn by θ within the
// step, it leaves about sin θ of the error. Anderson's mixing (Walker and Ni, SIAM J. Numer. Anal. 49, 2011,
// equation 2.1) learns from the rounds before what the errors do when the biases change:
//
//   b⁺ = b + r − (ΔB + ΔR) γ,   γ = argmin ‖ r − ΔR γ ‖
//
// with the changes of b and r from round to round as the columns of ΔB and ΔR, the last few of them. What a step holds
// at its end does not depend on it, only how many rounds that takes and how far bodies may turn.
#pragma once

#include "problem/constraint_rows.hpp"

namespace stiction {

class BiasRounds {
 public:
  // The biases of the first round, as they stand in the rows.
  void start(const ConstraintRows& rows);
  // Changes the biases that the rows have after a round to those of the next one. `forget`: the problem got other
  // contacts or limits, for which the rounds before say nothing.
  void next(bool forget, ConstraintRows& rows);
  // Takes the biases of the round that had the least error, if it had less than half of that of the last one.
  bool return_to_best(ConstraintRows& rows);

 private:
  static constexpr int kMemory = 6;

  // Columns of ΔB + ΔR and of ΔR, or combinations of them.
  struct Change {
    std::vector<double> target, error;
  };
  void remember();
  void mix();
  void write(const std::vector<double>& bias, ConstraintRows& rows);

  int count_ = 0;
  double least_ = 0;                          // square of the least r since what was forgotten
  std::vector<double> best_;                  // its b
  std::vector<double> bias_, before_;         // b of the last round and of the one before it
  std::vector<double> error_, error_before_;  // r
  std::vector<double> next_;                  // b⁺
  Change change_[kMemory], direction_[kMemory];
};

}  // namespace stiction
