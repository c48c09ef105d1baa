// Mass and inertia of shapes of uniform density, and of bodies made of several.
#pragma once

#include <vector>

#include <stiction/model.hpp>

namespace stiction::detail {

// A rigid mass with its principal axes: inertia about the centre of mass, along the axes of `frame`.
struct MassProperties {
  double mass = 0;  // [kg]
  Vec3 com;         // [m]
  Quat frame;
  Vec3 principal;  // [kg m²]
};

// Of one shape in its own frame, for the types that have a closed form here: sphere, capsule, box,
// cylinder, ellipsoid. Planes have no mass.
MassProperties shape_mass(ShapeType type, const Vec3& size, double density);

// The same mass carried by a frame with pose X_PB, seen from P.
MassProperties moved(const MassProperties& part, const Transform& pose);

// A mass with the inertia [kg m²] about its centre of mass, along axes of which the moments descend.
MassProperties with_principal_axes(double mass, const Vec3& com, const Mat3& inertia);

// Several masses as one rigid body; principal moments in descending order unless there is just one part with mass.
MassProperties combined(const std::vector<MassProperties>& parts);

}  // namespace stiction::detail
