// Random numbers for tests and benchmarks: the same seed gives the same numbers on every machine.
#pragma once

#include <cmath>
#include <cstdint>

#include "math/quat.hpp"

namespace stiction::test {

// Sixty-four-bit linear congruential generator with an output permutation (as in PCG): std:: distributions differ
// between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769u + 1) {
    for (int i = 0; i < 4; ++i) next();
  }
  double uniform(double low, double high) { return low + (high - low) * double(next()) / 4294967296.0; }
  int integer(int low, int high) { return low + int(next() % std::uint32_t(high - low + 1)); }  // both ends included
  bool chance(double probability) { return uniform(0, 1) < probability; }
  // Magnitude spread evenly over the decades between low and high.
  double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  // Sum of twelve: variance one, close to normal.
  double normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(0, 1);
    return sum;
  }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 direction() { return normalized(Vec3{normal(), normal(), normal()}); }
  // A rotation, evenly over all of them.
  Quat rotation() { return normalized(Quat{normal(), normal(), normal(), normal()}); }

 private:
  std::uint32_t next() {
    const std::uint64_t old = state_;
    state_ = old * 6364136223846793005u + 1442695040888963407u;
    const auto mixed = std::uint32_t(((old >> 18u) ^ old) >> 27u);
    const auto turn = std::uint32_t(old >> 59u);
    return (mixed >> turn) | (mixed << ((32 - turn) & 31u));
  }
  std::uint64_t state_;
};

}  // namespace stiction::test
