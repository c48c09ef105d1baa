// From what an island says about a block at run time, its number of rows and its law, to code that knows both at
// compile time. Most blocks have three rows or one: those are looked for first.
#pragma once

#include <type_traits>

#include "laws/box.hpp"
#include "laws/coulomb.hpp"
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

// Calls f(law, its parameters). The law has the number of rows of the block, kRows.
template <class Function>
decltype(auto) with_law(const Island& island, int block, Function&& f) {
  const auto c = std::size_t(block);
  if (island.law[c] == Law::kUnilateral) return f(UnilateralLaw{}, 0.0);
  if (island.law[c] == Law::kBox) return f(BoxLaw{}, island.box[c]);
  const double mu = island.friction[c];
  switch (island.block_size(block)) {
    case 3:
      return f(CoulombLaw<3>{}, mu);
    case 2:
      return f(CoulombLaw<2>{}, mu);
    case 4:
      return f(CoulombLaw<4>{}, mu);
    case 5:
      return f(CoulombLaw<5>{}, mu);
    default:
      return f(CoulombLaw<6>{}, mu);
  }
}

}  // namespace stiction
