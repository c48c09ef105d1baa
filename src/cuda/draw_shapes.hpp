// Random pairs of shapes for the collision leaves. A shape travels as scalars alone; a hull is a six-sided frustum
// whose arrays each evaluation builds for itself, a mesh a block with a notch (small_surface.hpp) or one of a library
// (library_surfaces.hpp), a height field the hills of the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "collide/pair_table.hpp"
#include "cuda/leaf.hpp"
#include "cuda/library_surfaces.hpp"

namespace stiction::cuda {

template <class T>
struct PlacedShape {
  Vec3T<T> p;     // [m]
  Mat3T<T> R;     // [1]
  Vec3T<T> size;  // [m] as Model.shape_size; hull: outer radius at the bottom, half-height, outer radius at the top
  T radius;       // [m]
  T library;      // [1] number of the surface in the library; −1: not of the library
};

// Vertices 0–5 at the bottom, 6–11 above them. Faces: bottom, top, six sides. Edges: six bottom, six top, six upright.
template <class T>
struct Frustum {
  static constexpr int kSides = 6, kVertices = 12, kFaces = 8, kEdges = 18, kSlots = 36;
  T vertex[3][kVertices], face_normal[3][kFaces], face_offset[kFaces];  // by coordinate
  int face_start[kFaces + 1], face_vertex[kSlots], face_edge[kSlots], edge[4 * kEdges];
  int neighbour_start[kVertices + 1], neighbour[2 * kEdges], neighbour_edge[2 * kEdges];

  explicit STICTION_HD Frustum(const Vec3T<T>& size) {
    for (int i = 0; i < kSides; ++i) {
      const int next = i == kSides - 1 ? 0 : i + 1, before = i == 0 ? kSides - 1 : i - 1;
      // cos 60° i and sin 60° i
      const T sign = i < 3 ? T(1) : T(-1), step = T(0.5) - T(i % 3 == 2);
      const Vec3T<T> corner{i % 3 == 0 ? sign : sign * step, i % 3 == 0 ? T(0) : sign * T(0.8660254037844386), T(0)};
      set_point(vertex, i, corner * size.x - Vec3T<T>{T(0), T(0), size.y});
      set_point(vertex, kSides + i, corner * size.z + Vec3T<T>{T(0), T(0), size.y});
      set_slot(0, i, kSides - 1 - i, i == kSides - 1 ? kSides - 1 : kSides - 2 - i);
      set_slot(kSides, i, kSides + i, kSides + i);
      const int side = 2 * kSides + 4 * i;
      set_slot(side, 0, i, i);
      set_slot(side, 1, next, 2 * kSides + next);
      set_slot(side, 2, kSides + next, kSides + i);
      set_slot(side, 3, kSides + i, 2 * kSides + i);
      set_edge(i, i, next, 0, 2 + i);
      set_edge(kSides + i, kSides + i, kSides + next, 1, 2 + i);
      set_edge(2 * kSides + i, i, kSides + i, 2 + i, 2 + before);
      face_start[2 + i] = side;
      set_neighbours(i, next, i, before, before, kSides + i, 2 * kSides + i);
      set_neighbours(kSides + i, kSides + next, kSides + i, kSides + before, kSides + before, i, 2 * kSides + i);
    }
    neighbour_start[kVertices] = 2 * kEdges;
    face_start[0] = 0, face_start[1] = kSides, face_start[kFaces] = kSlots;
    const PointsT<T> corner = view().vertex;
    for (int f = 0; f < kFaces; ++f) {
      const int* slot = face_vertex + face_start[f];
      const Vec3T<T> p = corner[slot[0]], n = normalized(cross(corner[slot[1]] - p, corner[slot[2]] - p));
      set_point(face_normal, f, n);
      face_offset[f] = dot(n, p);
    }
  }

  STICTION_HD HullT<T> view() const {
    return {{vertex[0], vertex[1], vertex[2]},
            {face_normal[0], face_normal[1], face_normal[2]},
            face_offset,
            face_start,
            face_vertex,
            face_edge,
            edge,
            neighbour_start,
            neighbour,
            neighbour_edge,
            kVertices,
            kFaces,
            kEdges};
  }

 private:
  template <int count>
  static STICTION_HD void set_point(T (&points)[3][count], int i, const Vec3T<T>& p) {
    points[0][i] = p.x, points[1][i] = p.y, points[2][i] = p.z;
  }
  STICTION_HD void set_slot(int start, int slot, int v, int e) {
    face_vertex[start + slot] = v;
    face_edge[start + slot] = e;
  }
  STICTION_HD void set_edge(int e, int from, int to, int left, int right) {
    edge[4 * e] = from, edge[4 * e + 1] = to, edge[4 * e + 2] = left, edge[4 * e + 3] = right;
  }
  // Three vertices, each with the edge to it.
  STICTION_HD void set_neighbours(int v, int a, int edge_a, int b, int edge_b, int c, int edge_c) {
    const int start = 3 * v;
    neighbour_start[v] = start;
    neighbour[start] = a, neighbour[start + 1] = b, neighbour[start + 2] = c;
    neighbour_edge[start] = edge_a, neighbour_edge[start + 1] = edge_b, neighbour_edge[start + 2] = edge_c;
  }
};

// Half extents along the axes of the shape's own frame; a plane has none.
inline Vec3 half_extent(ShapeType type, const Vec3& size) {
  switch (type) {
    case ShapeType::kSphere:
      return {size.x, size.x, size.x};
    case ShapeType::kCapsule:
      return {size.x, size.x, size.x + size.y};
    case ShapeType::kBox:
    case ShapeType::kEllipsoid:
    case ShapeType::kMesh:
    case ShapeType::kHeightField:
      return size;
    case ShapeType::kCylinder:
      return {size.x, size.x, size.y};
    case ShapeType::kHull: {
      const double outer = size.x > size.z ? size.x : size.z;
      return {outer, outer * 0.8660254037844386, size.y};
    }
    default:
      return {};
  }
}

inline double bounding_radius(ShapeType type, const Vec3& size) {
  const Vec3 extent = half_extent(type, size);
  if (type == ShapeType::kSphere || type == ShapeType::kCapsule) return extent.z;
  if (type == ShapeType::kHull || type == ShapeType::kCylinder) return std::hypot(extent.x, extent.z);
  if (type == ShapeType::kEllipsoid) return std::max({extent.x, extent.y, extent.z});
  return norm(extent);
}

// With trees: meshes are of the library, too.
enum class Meshes { kSmall, kWithTrees };

inline PlacedShape<double> draw_shape(Random& random, ShapeType type, Meshes meshes) {
  int library = type == ShapeType::kHeightField ? kHills : -1;
  if (type == ShapeType::kMesh && meshes == Meshes::kWithTrees) library = random.integer(-1, kLibrarySurfaces - 1);
  Vec3 size{random.uniform(0.1, 0.6), random.uniform(0.1, 0.6), random.uniform(0.1, 0.6)};
  if (library >= 0) size = library_half(library);
  return {random.vector(1.1), rotation_matrix(random.rotation()), size, bounding_radius(type, size), double(library)};
}

// Two shapes that touch in about half of the cases.
inline void draw_pair(Random& random, ShapeType type_a, ShapeType type_b, Meshes meshes, PlacedShape<double>& a,
                      PlacedShape<double>& b) {
  a = draw_shape(random, type_a, meshes);
  b = draw_shape(random, type_b, meshes);
  if (type_a == ShapeType::kPlane)
    b.p = a.p + a.R * Vec3{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-0.5, 1.3) * b.radius};
  else
    b.p = a.p + random.direction() * (random.uniform(0.1, 1.1) * (a.radius + b.radius));
}

// Of a drawn pair: equal or round sizes, parallel or quarter-turned axes, offsets at which faces are flush, edges meet
// or centres agree.
inline void draw_degenerate_pair(Random& random, ShapeType type_a, ShapeType type_b, PlacedShape<double>& a,
                                 PlacedShape<double>& b) {
  const auto round_size = [&] { return 0.125 * random.integer(1, 4); };
  if (random.chance(0.7)) a.size = {round_size(), round_size(), round_size()};
  b.size = random.chance(0.5) ? a.size : Vec3{round_size(), round_size(), round_size()};
  if (type_a == ShapeType::kCapsule && random.chance(0.2)) a.size.y = 0;
  if (type_b == ShapeType::kCapsule && random.chance(0.2)) b.size.y = 0;
  for (PlacedShape<double>* shape : {&a, &b})
    if (shape->library >= 0) shape->size = library_half(int(shape->library));
  a.radius = bounding_radius(type_a, a.size), b.radius = bounding_radius(type_b, b.size);

  if (random.chance(0.7)) a.R = Mat3::identity(), a.p = {};
  const double half = 0.7071067811865476;
  const Mat3 turns[4] = {Mat3::identity(),
                         {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}},
                         {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},
                         {{{half, -half, 0}, {half, half, 0}, {0, 0, 1}}}};
  const Mat3& turn = turns[random.integer(0, 3)];
  b.R = a.R * turn;
  const Vec3 reach_a = half_extent(type_a, a.size), own = half_extent(type_b, b.size);
  const Vec3 reach_b{dot(abs(turn.row[0]), own), dot(abs(turn.row[1]), own), dot(abs(turn.row[2]), own)};
  Vec3 offset{};
  const int contact_axis = type_a == ShapeType::kPlane ? 2 : random.integer(0, 3);  // 3: centres agree
  for (int k = 0; k < 3 && contact_axis < 3; ++k) {
    const int kind = k == contact_axis ? 1 : random.integer(0, 3);
    const double sign = type_a == ShapeType::kPlane || random.chance(0.5) ? 1 : -1;
    if (kind == 1) offset[k] = sign * (reach_a[k] + reach_b[k]);
    if (kind == 2) offset[k] = sign * (reach_a[k] - reach_b[k]);
    if (kind == 3) offset[k] = random.uniform(-0.1, 0.1);
  }
  if (contact_axis < 3 && random.chance(0.5)) offset[contact_axis] *= 1 - random.log_uniform(1e-12, 1e-2);
  b.p = a.p + a.R * offset;
}

// The type of a shape that travels as a scalar.
template <class T>
STICTION_HD ShapeType shape_type(T number) {
  return static_cast<ShapeType>(int(number));
}
constexpr int kLastShape = static_cast<int>(ShapeType::kHeightField);

// Any two shapes, in half of the cases in the other order than in the table; at least one is no plane. The input has
// type_a, type_b, a and b.
template <class In>
void draw_any_pair(Random& random, bool degenerate, In& in) {
  int a = random.integer(0, kLastShape), b = random.integer(1, kLastShape);
  if (a > b) std::swap(a, b);
  in.type_a = a, in.type_b = b;
  draw_pair(random, shape_type(a), shape_type(b), Meshes::kWithTrees, in.a, in.b);
  if (degenerate) draw_degenerate_pair(random, shape_type(a), shape_type(b), in.a, in.b);
  if (random.chance(0.5)) std::swap(in.type_a, in.type_b), std::swap(in.a, in.b);
}

}  // namespace stiction::cuda
