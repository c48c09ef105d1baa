// Which routine collides which two shapes: one table for the dispatch, the tests, the benchmarks and docs/collision.md.
#pragma once

#include "collide/pair_cylinder.hpp"
#include "collide/pair_ellipsoid.hpp"
#include "collide/pair_plane.hpp"
#include "collide/pair_polyhedra.hpp"
#include "collide/pair_round.hpp"
#include "collide/pair_round_polyhedron.hpp"
#include "collide/pair_surface.hpp"

namespace stiction {

// X(type A, type B, routine, most points, what the points are), type A ≤ type B
#define STICTION_PAIR_TABLE(X)                                                                                     \
  X(kPlane, kSphere, collide_plane_sphere, 1, "lowest point")                                                      \
  X(kPlane, kCapsule, collide_plane_capsule, 2, "lowest points of the two end balls")                              \
  X(kPlane, kBox, collide_plane_box, 8, "corners")                                                                 \
  X(kPlane, kHull, collide_plane_hull, 8, "vertices; of more than eight the outline and the deepest")              \
  X(kPlane, kCylinder, collide_plane_cylinder, 8,                                                                  \
    "lowest points of the rims; places on the rim of a cap that faces it")                                         \
  X(kPlane, kEllipsoid, collide_plane_ellipsoid, 1, "lowest point")                                                \
  X(kSphere, kSphere, collide_sphere_sphere, 1, "on the line of centres")                                          \
  X(kSphere, kCapsule, collide_sphere_capsule, 1, "nearest ball of the capsule")                                   \
  X(kSphere, kBox, collide_sphere_box, 1, "nearest point of the box")                                              \
  X(kSphere, kHull, collide_sphere_hull, 1, "nearest point of the hull")                                           \
  X(kSphere, kCylinder, collide_sphere_cylinder, 1, "nearest point of the cylinder")                               \
  X(kSphere, kEllipsoid, collide_sphere_ellipsoid, 1, "nearest point of the ellipsoid")                            \
  X(kCapsule, kCapsule, collide_capsule_capsule, 3, "nearest balls; ends of the stretch along each other")         \
  X(kCapsule, kBox, collide_capsule_box, 3, "nearest ball; ends of the stretch along a face or edge")              \
  X(kCapsule, kHull, collide_capsule_hull, 3, "nearest ball; ends of the stretch along a face or edge")            \
  X(kCapsule, kCylinder, collide_capsule_cylinder, 3, "nearest ball; ends of the stretch along a cap or the side") \
  X(kCapsule, kEllipsoid, collide_capsule_ellipsoid, 1, "nearest points")                                          \
  X(kBox, kBox, collide_box_box, 8, "corners of the overlap of two faces, two points on parallel edges, or one")   \
  X(kBox, kHull, collide_box_hull, 8, "as box and box")                                                            \
  X(kBox, kCylinder, collide_box_cylinder, 8,                                                                      \
    "corners of the overlap of cap and face, ends of a line, or one; rim and corners within the margin")           \
  X(kBox, kEllipsoid, collide_box_ellipsoid, 1, "nearest points")                                                  \
  X(kHull, kHull, collide_hull_hull, 8, "as box and box")                                                          \
  X(kHull, kCylinder, collide_hull_cylinder, 8, "as box and cylinder")                                             \
  X(kHull, kEllipsoid, collide_hull_ellipsoid, 1, "nearest points")                                                \
  X(kCylinder, kCylinder, collide_cylinder_cylinder, 8,                                                            \
    "corners of the overlap of two caps, ends of a line, or one; rims within the margin")                          \
  X(kCylinder, kEllipsoid, collide_cylinder_ellipsoid, 1, "nearest points")                                        \
  X(kEllipsoid, kEllipsoid, collide_ellipsoid_ellipsoid, 1, "nearest points")                                      \
  X(kPlane, kMesh, collide_plane_surface, 64, "vertices; of many the lowest hull and the outline")                 \
  X(kSphere, kMesh, collide_sphere_surface, 64, "nearest points of faces, edges and vertices around the centre")   \
  X(kCapsule, kMesh, collide_capsule_surface, 64, "end balls over faces; core against edges and vertices")         \
  X(kBox, kMesh, collide_surface_surface, 64,                                                                      \
    "vertices over faces, crossing edges; of many the lowest hull of each normal")                                 \
  X(kCylinder, kMesh, collide_cylinder_surface, 64,                                                                \
    "rim over faces; edges against the cylinder, vertices over its caps")                                          \
  X(kHull, kMesh, collide_surface_surface, 64, "as box and mesh")                                                  \
  X(kEllipsoid, kMesh, collide_ellipsoid_surface, 64, "lowest point over faces; edges against the ellipsoid")      \
  X(kMesh, kMesh, collide_surface_surface, 64, "as box and mesh")                                                  \
  X(kPlane, kHeightField, collide_plane_surface, 64, "as plane and mesh")                                          \
  X(kSphere, kHeightField, collide_sphere_surface, 64, "as sphere and mesh")                                       \
  X(kMesh, kHeightField, collide_surface_surface, 64, "as box and mesh")                                           \
  X(kCapsule, kHeightField, collide_capsule_surface, 64, "as capsule and mesh")                                    \
  X(kBox, kHeightField, collide_surface_surface, 64, "as box and mesh")                                            \
  X(kCylinder, kHeightField, collide_cylinder_surface, 64, "as cylinder and mesh")                                 \
  X(kHull, kHeightField, collide_surface_surface, 64, "as box and mesh")                                           \
  X(kEllipsoid, kHeightField, collide_ellipsoid_surface, 64, "as ellipsoid and mesh")                              \
  X(kHeightField, kHeightField, collide_surface_surface, 64, "as box and mesh")

// Most points of a pair.
STICTION_HD constexpr int most_points(ShapeType a, ShapeType b) {
  const auto surface = [](ShapeType type) { return type == ShapeType::kMesh || type == ShapeType::kHeightField; };
  return surface(a) || surface(b) ? kMaxSurfacePoints : kMaxPoints;
}

namespace detail {
STICTION_HD constexpr int pair_code(ShapeType a, ShapeType b) {
  return static_cast<int>(a) * 16 + static_cast<int>(b);
}

// Points in ascending order of their feature; ids that agree (hulls of more than 2048 edges) are told apart.
template <class T>
STICTION_HD void sort_by_feature(ContactPointT<T>* point, int count) {
  for (int i = 1; i < count; ++i) {
    const ContactPointT<T> moved = point[i];
    int j = i;
    for (; j > 0 && moved.feature < point[j - 1].feature; --j) point[j] = point[j - 1];
    point[j] = moved;
  }
  for (int i = 1; i < count; ++i)
    if (point[i].feature <= point[i - 1].feature) point[i].feature = point[i - 1].feature + 1;
}
}  // namespace detail

// Contacts of any two shapes below the gap `margin` [m], ordered by feature; out holds most_points. Two planes have
// none. On the device it belongs into a function that is called, not into a kernel (docs/gpu.md).
template <class T>
STICTION_HD int collide_pair(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {
  const bool swapped = static_cast<int>(a.type) > static_cast<int>(b.type);
  const ShapeT<T>&first = swapped ? b : a, &second = swapped ? a : b;
  int count = 0;
  switch (detail::pair_code(first.type, second.type)) {
#define STICTION_PAIR_CASE(type_a, type_b, routine, most, points) \
  case detail::pair_code(ShapeType::type_a, ShapeType::type_b):   \
    count = routine(first, second, margin, out);                  \
    break;
    STICTION_PAIR_TABLE(STICTION_PAIR_CASE)
#undef STICTION_PAIR_CASE
    default:
      break;
  }
  if (swapped)
    for (int i = 0; i < count; ++i) out[i].normal = -out[i].normal;
  detail::sort_by_feature(out, count);
  return count;
}

}  // namespace stiction
