// From what an island says about a block at run time, its number of rows and its law, to code that knows both at
// compile time. Most blocks have three rows or one: those are looked for first.
#pragma once

#include <type_traits>

#include "laws/box.hpp"
#include "laws/coulomb.hpp"
#include "laws/pyramid.hpp"
#include "laws/relaxed.hpp"
#include "laws/unilateral.hpp"
#include "problem/island.hpp"

namespace stiction {

// Calls f(std::integral_constant<int, rows>).
template <class Function>
decltype(auto) with_rows(int rows, Function&& f) {
  static_assert(kMostBlockRows == 6);
  switch (rows) {
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    default:
      return f(std::integral_constant<int, 6>{});
  }
}

// Calls f(law of the block's number of rows, its coefficient).
template <template <int> class FrictionLaw, class Function>
decltype(auto) with_friction_law(const Island& island, int block, Function&& f) {
  const double mu = island.friction[std::size_t(block)];
  switch (island.block_size(block)) {
    case 3:
      return f(FrictionLaw<3>{}, mu);
    case 2:
      return f(FrictionLaw<2>{}, mu);
    case 4:
      return f(FrictionLaw<4>{}, mu);
    case 5:
      return f(FrictionLaw<5>{}, mu);
    default:
      return f(FrictionLaw<6>{}, mu);
  }
}

// Calls f(law, its parameters). The law has the number of rows of the block, kRows.
template <class Function>
decltype(auto) with_law(const Island& island, int block, Function&& f) {
  const auto c = std::size_t(block);
  if (island.law[c] == Law::kUnilateral) return f(UnilateralLaw{}, 0.0);
  if (island.law[c] == Law::kBox) return f(BoxLaw{}, island.box[c]);
  if (island.law[c] == Law::kPyramid) return with_friction_law<PyramidLaw>(island, block, f);
  if (island.law[c] == Law::kRelaxed) return with_friction_law<RelaxedLaw>(island, block, f);
  return with_friction_law<CoulombLaw>(island, block, f);
}

}  // namespace stiction
