// The law of an island's block, whichever it is: natural map, piece and linearisation.
#pragma once

#include "laws/block.hpp"
#include "problem/island.hpp"

namespace stiction {

Vec3 natural_map(const Island& island, int block, const Vec3& v, const Vec3& p, const BlockScale<double>& scale);

// On the piece that the natural map selects.
BlockSystem<double> linearise(const Island& island, int block, const Vec3& v, const Vec3& p,
                              const BlockScale<double>& scale);
// On a given piece.
BlockSystem<double> linearise(const Island& island, int block, ContactPiece piece, const Vec3& v, const Vec3& p,
                              const BlockScale<double>& scale);

}  // namespace stiction
