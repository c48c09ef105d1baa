// Patches that bodies of several shapes (the soles of a foot, the tiles of a floor) have in common: the points of all
// pairs of shapes of the same two rigid bodies are made flat together.
#pragma once

#include <cstdint>
#include <vector>

#include "collide/shape.hpp"

namespace stiction {

class FlushPatches {
 public:
  void clear() { list_.clear(); }
  // Points of one pair of shapes of two rigid bodies, normals from a to b.
  void add(int body_a, int body_b, ContactPointT<double>* points, int count) {
    const auto low = static_cast<std::uint64_t>(body_a < body_b ? body_a : body_b);
    const auto high = static_cast<std::uint64_t>(body_a < body_b ? body_b : body_a);
    list_.push_back({low << 32 | high, points, count, body_a < body_b ? 1.0 : -1.0});
  }
  void flatten();

 private:
  struct PairPoints {
    std::uint64_t bodies;
    ContactPointT<double>* points;
    int count;
    double sign;  // of the normals, if they are to point from the lower body to the higher one
  };
  using Iterator = std::vector<PairPoints>::iterator;
  void flatten(Iterator first, Iterator last);

  std::vector<PairPoints> list_;
  std::vector<ContactPointT<double>> points_;  // of the same two bodies
  std::vector<char> done_;
};

}  // namespace stiction
