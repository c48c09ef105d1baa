#include "solvers/block_law.hpp"

#include "laws/box.hpp"
#include "laws/coulomb.hpp"
#include "laws/unilateral.hpp"

namespace stiction {
namespace {

// Calls f(law, its parameters).
template <class Function>
auto with_law(const Island& island, int block, Function&& f) {
  const auto c = std::size_t(block);
  switch (island.law[c]) {
    case Law::kUnilateral:
      return f(UnilateralLaw{}, 0.0);
    case Law::kBox:
      return f(BoxLaw{}, island.box[c]);
    case Law::kCoulomb:
      break;
  }
  return f(CoulombLaw{}, island.friction[c]);
}

}  // namespace

Vec3 natural_map(const Island& island, int block, const Vec3& v, const Vec3& p, const BlockScale<double>& scale) {
  return with_law(island, block, [&](auto law, const auto& parameters) {
    return decltype(law)::natural_map(v, p, parameters, scale);
  });
}

BlockSystem<double> linearise(const Island& island, int block, const Vec3& v, const Vec3& p,
                              const BlockScale<double>& scale) {
  return with_law(island, block,
                  [&](auto law, const auto& parameters) { return decltype(law)::linearise(v, p, parameters, scale); });
}

BlockSystem<double> linearise(const Island& island, int block, ContactPiece piece, const Vec3& v, const Vec3& p,
                              const BlockScale<double>& scale) {
  return with_law(island, block, [&](auto law, const auto& parameters) {
    return decltype(law)::linearise(piece, v, p, parameters, scale);
  });
}

}  // namespace stiction
