// Seams and cracks between shapes whose surfaces are level. A body that slides over them on one shape meets the edge of
// the next: the closest points lie across the seam, and the contact with them would stop the body like a wall, although
// there is no step to climb.
//
// A contact is one of many planes that separate two convex shapes, and each of them, kept, keeps them apart. Let body X
// touch some shape in the plane of a contact k at the end of the step, and let shape S lie below that plane, up to the
// tolerance: k's plane then separates X from S as well. A contact of X and S that would act along another normal takes
// the normal of k:
//   n ← n_k,  gap ← n_k·(x − y)
// with its points x of X and y of S, on curved shapes the points that are first along n_k. So X passes S as far as k
// holds it up, and cannot sink into S when it tips over. A ledge higher than the tolerance is not below the plane and
// stops X. A contact that has the normal of k already stays, but for the point at which a round body rolls: taken to
// the lowest point, the far side of a rim would be held up by nothing.
#pragma once

#include "step/workspace.hpp"

namespace stiction {

struct SeamPlane {
  Vec3 normal, point;  // [m] as of a contact
  double gap = 0;      // [m]
  double rolled = 0;   // [m] by which the point is elsewhere on a body that rolls
};
// Candidate c with the normal `plane`, which points to the body of that side (0: A, 1: B).
SeamPlane seam_plane(const Model& model, const Workspace& workspace, std::size_t c, int side, const Vec3& plane);

// Whether the contact model leaves the choice among the planes that separate two shapes. The LCPs do not: they are
// methods of the literature, of which one takes every half-space as it is and the other one has facets to choose from.
bool chooses_planes(const Options& options);

// Turns the candidates that close at the velocity u, or carry force, and have such a plane; returns how many.
int turn_at_seams(const Model& model, const Options& options, const std::vector<double>& u, Workspace& workspace);

}  // namespace stiction
