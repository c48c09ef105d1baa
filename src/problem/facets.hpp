// What the contact model `nonconvex-lcp` does between collision and the problem.
#pragma once

#include "collide/facets.hpp"
#include "step/workspace.hpp"

namespace stiction {

// Takes out of the candidates the facets along whose normals nothing can move, as those in front of and behind a planar
// mechanism: their distances stay. A vertex that such a facet keeps off the shape has no contact at all.
void drop_fixed_facets(const Model& model, const Options& options, Workspace& workspace);

}  // namespace stiction
