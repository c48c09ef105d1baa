// Leaves of src/collide: every row of the pair table, and the dispatch over it.
#pragma once

#include "cuda/small_surface.hpp"

namespace stiction::cuda {

template <class T>
struct ContactValues {
  struct Point {
    Vec3T<T> point, normal;
    T gap;
  };
  Point point[kMaxPoints];
};

// Codes: the number of points, then the features of the first eight.
constexpr int kContactCodes = 1 + kMaxPoints;

template <class T>
STICTION_HD void write_contacts(const ContactPointT<T>* found, int count, ContactValues<T>& out, int* codes) {
  codes[0] = count;
  for (int i = 0; i < count && i < kMaxPoints; ++i) {
    out.point[i] = {found[i].point, found[i].normal, found[i].gap};
    codes[1 + i] = static_cast<int>(found[i].feature);
  }
}

template <class T>
STICTION_HD ShapeT<T> shape_of(ShapeType type, const PlacedShape<T>& placed, const HullT<T>& hull) {
  return {type, placed.p, placed.R, placed.size, placed.radius, hull, {}};
}

// Bounds of float against double. Float tells points of a manifold apart at larger distances (Tolerance<float>) and may
// find the other kind of contact near the border of two. Pairs with a round side are found by a search for the
// direction of the least distance: at a minimum the distance is flat, so the direction is known to the square root of
// the rounding error only, 2.4e-4 in float.
struct FloatBounds {
  double error, codes;
};
constexpr FloatBounds kFloatSimple{1e-6, 1e-3}, kFloatManifold{5e-6, 0.01}, kFloatSearched{1e-3, 0.1},
    kFloatSurface{1e-3, 0.1};
constexpr FloatBounds float_bounds(ShapeType a, ShapeType b) {
  if (is_surface(b)) return kFloatSurface;
  if (a == ShapeType::kPlane || a == ShapeType::kSphere) return kFloatSimple;
  const bool searched = b == ShapeType::kCylinder || b == ShapeType::kEllipsoid;
  return searched ? kFloatSearched : kFloatManifold;
}

// A row of the table as a type. One routine serves several rows with surfaces: their names tell the types.
template <ShapeType A, ShapeType B>
struct PairRow;
#define STICTION_PAIR_ROW(type_a, type_b, routine, most, points)                                                       \
  template <>                                                                                                          \
  struct PairRow<ShapeType::type_a, ShapeType::type_b> {                                                               \
    static constexpr const char* kName = is_surface(ShapeType::type_b) ? #routine ", " #type_a " " #type_b : #routine; \
    template <class T>                                                                                                 \
    static STICTION_HD int run(const ShapeT<T>& a, const ShapeT<T>& b, T margin, ContactPointT<T>* out) {              \
      return routine(a, b, margin, out);                                                                               \
    }                                                                                                                  \
  };
STICTION_PAIR_TABLE(STICTION_PAIR_ROW)
#undef STICTION_PAIR_ROW

template <ShapeType A, ShapeType B>
struct PairLeaf {
  using Row = PairRow<A, B>;
  static constexpr LeafInfo kInfo{Row::kName, "collide/pair_table.hpp", 0, float_bounds(A, B).error,
                                  float_bounds(A, B).codes};
  static constexpr int kCodes = kContactCodes;
  template <class T>
  struct In {
    PlacedShape<T> a, b;
    T margin;
  };
  template <class T>
  using Out = ContactValues<T>;

  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out, int* codes, const SurfaceT<T>* library) {
    if constexpr (is_surface(B)) {
      evaluate_surfaces(in, out, codes, library);
    } else if constexpr (A == ShapeType::kHull) {
      const Frustum<T> a(in.a.size), b(in.b.size);
      collide(in, a.view(), b.view(), out, codes);
    } else if constexpr (B == ShapeType::kHull) {
      const Frustum<T> b(in.b.size);
      collide(in, {}, b.view(), out, codes);
    } else {
      collide(in, {}, {}, out, codes);
    }
  }
  static void draw(Random& random, In<double>& in) {
    draw_pair(random, A, B, Meshes::kSmall, in.a, in.b);
    in.margin = random.uniform(0, 0.1);
  }
  static void draw_degenerate(Random& random, In<double>& in) { draw_degenerate_pair(random, A, B, in.a, in.b); }

 private:
  // A call on the device, so that its arrays belong to a function and not to the kernel (docs/gpu.md).
  template <class T>
  static STICTION_HD_CALL void evaluate_surfaces(const In<T>& in, Out<T>& out, int* codes, const SurfaceT<T>* library) {
    const BuiltShape<T> a(A, in.a, library), b(B, in.b, library);
    ContactPointT<T> found[most_points(A, B)];
    write_contacts(found, Row::run(a(), b(), in.margin, found), out, codes);
  }
  template <class T>
  static STICTION_HD void collide(const In<T>& in, const HullT<T>& hull_a, const HullT<T>& hull_b, Out<T>& out,
                                  int* codes) {
    ContactPointT<T> found[most_points(A, B)];
    const int count = Row::run(shape_of(A, in.a, hull_a), shape_of(B, in.b, hull_b), in.margin, found);
    write_contacts(found, count, out, codes);
  }
};

// Any two shapes in any order, as the narrow phase calls it. The types travel as scalars. A call on the device, too.
struct AnyPair {
  static constexpr LeafInfo kInfo{"collide_pair", "collide/pair_table.hpp", 0, kFloatSearched.error,
                                  kFloatSearched.codes};
  static constexpr int kCodes = kContactCodes;
  template <class T>
  struct In {
    T type_a, type_b;
    PlacedShape<T> a, b;
    T margin;
  };
  template <class T>
  using Out = ContactValues<T>;

  template <class T>
  static STICTION_HD_CALL void evaluate(const In<T>& in, Out<T>& out, int* codes, const SurfaceT<T>* library) {
    const BuiltShape<T> a(shape_type(in.type_a), in.a, library), b(shape_type(in.type_b), in.b, library);
    ContactPointT<T> found[kMaxSurfacePoints];
    const int count = collide_pair(a(), b(), in.margin, found);
    write_contacts(found, count, out, codes);
  }
  static void draw(Random& random, In<double>& in) {
    draw_any_pair(random, false, in);
    in.margin = random.uniform(0, 0.1);
  }
  static void draw_degenerate(Random& random, In<double>& in) { draw_any_pair(random, true, in); }
};

#define STICTION_PAIR_LEAF(type_a, type_b, routine, most, points) PairLeaf<ShapeType::type_a, ShapeType::type_b>,
using PairLeaves = LeafList<STICTION_PAIR_TABLE(STICTION_PAIR_LEAF) AnyPair>;
#undef STICTION_PAIR_LEAF

}  // namespace stiction::cuda
