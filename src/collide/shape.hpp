// What the narrow phase sees: a placed shape, a contact point, tolerances and feature ids. Host-device and templated on
// the scalar; every routine collide_X_Y(a, b, margin, out) has the same signature and writes at most kMaxPoints points,
// with a mesh or height field at most kMaxSurfacePoints.
#pragma once

#include <cmath>
#include <cstdint>

#include <stiction/model.hpp>

#include "math/mat3.hpp"

namespace stiction {

// Points or directions by coordinate, so that a loop over all of them fills vector registers.
template <class T>
struct PointsT {
  const T *x = nullptr, *y = nullptr, *z = nullptr;
  STICTION_HD Vec3T<T> operator[](int i) const { return {x[i], y[i], z[i]}; }
};

// A convex polyhedron with merged polygon faces, in the shape frame. Views into arrays that the caller keeps
// (collide/hull.hpp builds them from a Model).
template <class T>
struct HullT {
  PointsT<T> vertex;
  PointsT<T> face_normal;                // outward, unit
  const T* face_offset = nullptr;        // [m] the polyhedron is { x : n·x ≤ offset for all faces }
  const int* face_start = nullptr;       // first slot of each face; the last entry is the number of slots
  const int* face_vertex = nullptr;      // vertex of each slot, counter-clockwise seen from outside
  const int* face_edge = nullptr;        // edge from the vertex of each slot to that of the next
  const int* edge = nullptr;             // four per edge: two vertices, two faces
  const int* neighbour_start = nullptr;  // first neighbour of each vertex, with a closing entry
  const int* neighbour = nullptr;        // the other ends of the edges of a vertex
  const int* neighbour_edge = nullptr;   // and those edges
  int vertex_count = 0, face_count = 0, edge_count = 0;
};

// A node of the tree of boxes over the triangles of a surface.
template <class T>
struct SurfaceNodeT {
  Vec3T<T> lower{}, upper{};  // [m]
  int first = 0;              // a leaf: its first triangle; else the first of two neighbouring children
  int count = 0;              // triangles of a leaf; 0: not a leaf
};

// A surface of triangles, closed or open, in the shape frame. Views into arrays that the caller keeps
// (collide/surface.hpp builds them). Vertices and edges that no convex body can touch first (in flat places, in
// valleys) are no features.
template <class T>
struct SurfaceT {
  const Vec3T<T>* vertex = nullptr;
  const Vec3T<T>* vertex_normal = nullptr;        // outward; of a sheet: away from its centre
  const unsigned char* vertex_feature = nullptr;  // 1: the tip of a cone that opens inward
  const int* neighbour_start = nullptr;           // first neighbour of each vertex, with a closing entry
  const int* neighbour = nullptr;                 // vertices at the other ends of the edges of a vertex
  const int* triangle = nullptr;                  // three vertices each
  const int* triangle_edge = nullptr;             // three each; edge k runs from vertex k to the next
  const unsigned char* owned = nullptr;           // bit k: vertex k, bit 3 + k: edge k is counted by this triangle
  const Vec3T<T>* normal = nullptr;               // of each triangle, unit
  const int* edge = nullptr;                      // four per edge: two vertices, two triangles (the second −1: a rim)
  const unsigned char* edge_feature = nullptr;    // 1: convex, or of an open surface not flat
  const Vec3T<T>* inward = nullptr;               // two per edge: unit, across the edge into each triangle
  const SurfaceNodeT<T>* node = nullptr;          // the root comes first
  int vertex_count = 0, triangle_count = 0, edge_count = 0;
  bool closed = false;
  bool outward = false;   // normals point outward: closed, or but for holes that are small beside it
  bool as_it_is = false;  // faces and edges end where they end: for distances, not for contacts (surface_features.hpp)
};

template <class T>
struct ShapeT {
  ShapeType type = ShapeType::kSphere;
  Vec3T<T> p{};     // [m] origin of the shape frame in the world
  Mat3T<T> R{};     // its axes in the world
  Vec3T<T> size{};  // [m] as Model.shape_size
  T radius{};       // [m] of the smallest ball about the origin that holds the shape; 0 for a plane
  HullT<T> hull{};
  SurfaceT<T> surface{};  // of a mesh or height field; of a box or hull where there are such
};

template <class T>
struct ContactPointT {
  Vec3T<T> point{};   // [m] midway between the two surfaces
  Vec3T<T> normal{};  // unit, from A to B
  T gap{};            // [m] signed distance along the normal
  std::uint32_t feature = 0;
  bool cut_short = false;  // a search behind it ended by its bound: the best that it found, maybe beyond the margin
};

// Writes a contact member by member. Assigned as a whole it is built elsewhere first and copied in pieces that are not
// those in which it was built, which makes the processor wait: half of the time of a plane and a sphere.
template <class T>
STICTION_HD void set_contact(ContactPointT<T>& out, const Vec3T<T>& point, const Vec3T<T>& normal, T gap,
                             std::uint32_t feature, bool cut_short = false) {
  out.point = point, out.normal = normal, out.gap = gap, out.feature = feature, out.cut_short = cut_short;
}

// Says of all points of a pair that a search behind them was cut short, if it was; returns their number.
template <class T>
STICTION_HD int marked(bool cut_short, ContactPointT<T>* out, int count) {
  for (int i = 0; cut_short && i < count; ++i) out[i].cut_short = true;
  return count;
}

constexpr int kMaxPoints = 8;
// Surfaces that are not convex can touch in several places.
constexpr int kMaxSurfacePoints = 64;

// Bounds that tell rounding from geometry, relative to the smaller of the two shapes.
template <class T>
struct Tolerance {
  static constexpr bool kDouble = sizeof(T) == 8;
  // Closest points nearer than this do not define a direction: separating axes do.
  static constexpr T kTouch = T(kDouble ? 1e-9 : 1e-3);
  // Among separating axes that differ by less than this, the one that keeps its features is taken.
  static constexpr T kTrust = T(kDouble ? 1e-5 : 1e-3);
  // Gaps of two features that differ by less than this are one.
  static constexpr T kAgree = T(kDouble ? 1e-11 : 1e-6);
  // A vertex this far outside a face outline counts as on it: with the slack where faces lie on each other, so that
  // aligned boxes keep their four features, else as far as rounding goes.
  static constexpr T kSlack = T(kDouble ? 1e-8 : 1e-5);
  static constexpr T kGraze = T(kDouble ? 1e-10 : 1e-6);
  // Points of one manifold nearer than this are one point.
  static constexpr T kMerge = T(kDouble ? 1e-6 : 1e-4);
  // sin² of the angle below which two edges have no common perpendicular.
  static constexpr T kParallelSquared = T(kDouble ? 1e-14 : 1e-8);
  // Cosine above which a direction belongs to a face: 1.8°. The gap of a face contact then is off the closest
  // distance by at most 5e-4 of itself.
  static constexpr T kAligned = T(0.9995);
};

// Feature ids: 2 bits of kind, 22 bits of index. They name vertices and edges, not the order in which a routine found
// them, so that a point keeps its id while the same features touch.
enum class FeatureKind : std::uint32_t { kVertexA = 0, kVertexB = 1, kEdges = 2, kOther = 3 };
constexpr std::uint32_t kFeatureBits = 24;  // the low bits of a key; the rest names the pair of shapes

STICTION_HD std::uint32_t feature_id(FeatureKind kind, std::uint32_t index) {
  return (static_cast<std::uint32_t>(kind) << 22) | (index & 0x3fffffu);
}
// An edge and an edge or vertex of large meshes: mixed into 22 bits; the few that agree are told apart by their order.
STICTION_HD std::uint32_t feature_mixed(FeatureKind kind, int a, int b) {
  const std::uint32_t mixed =
      static_cast<std::uint32_t>(a) * 2654435761u ^ (static_cast<std::uint32_t>(b) * 2246822519u >> 7);
  return feature_id(kind, mixed ^ (mixed >> 10));
}
// 11 bits for each edge; hulls of more than 2048 edges share ids, which warm starting forgives.
STICTION_HD std::uint32_t feature_edges(int edge_a, int edge_b) {
  return feature_id(FeatureKind::kEdges, ((static_cast<std::uint32_t>(edge_a) & 0x7ffu) << 11) |
                                             (static_cast<std::uint32_t>(edge_b) & 0x7ffu));
}

// The two ends of a stretch in which nearly parallel edges lie along each other.
STICTION_HD std::uint32_t feature_edge_end(int edge_a, int edge_b, int end) {
  return feature_id(FeatureKind::kOther, ((static_cast<std::uint32_t>(edge_a) & 0x3ffu) << 11) |
                                             ((static_cast<std::uint32_t>(edge_b) & 0x3ffu) << 1) |
                                             static_cast<std::uint32_t>(end));
}

// The last two, which no pair of features has: the ball about the centre of mass inside A (side 0) or B.
STICTION_HD std::uint32_t feature_of_centre(int side) {
  return (1u << kFeatureBits) - 2u + static_cast<std::uint32_t>(side);
}
// Whether the key of a contact ends with one of them.
STICTION_HD bool is_centre_key(std::uint64_t key) {
  return (key & ((1u << kFeatureBits) - 1u)) >= feature_of_centre(0);
}

template <class T>
STICTION_HD T minimum(T a, T b) {
  return b < a ? b : a;
}
template <class T>
STICTION_HD T maximum(T a, T b) {
  return a < b ? b : a;
}
template <class T>
STICTION_HD T magnitude(T a) {
  using std::abs;
  return abs(a);  // clears a bit; a comparison would be a branch that is taken at random
}
template <class T>
STICTION_HD Vec3T<T> magnitude(const Vec3T<T>& a) {
  return {magnitude(a.x), magnitude(a.y), magnitude(a.z)};
}
// −1 below zero, else 1, by arithmetic for the same reason.
template <class T>
STICTION_HD T sign_of(T a) {
  return T(1 - 2 * static_cast<int>(a < T(0)));
}
template <class T>
STICTION_HD T clamped(T a, T low, T high) {
  return a < low ? low : (high < a ? high : a);
}

}  // namespace stiction
