// Leaves of the queries of src/collide: rays and signed distances, of any shapes.
#pragma once

#include "collide/distance.hpp"
#include "collide/ray.hpp"
#include "cuda/small_surface.hpp"

namespace stiction::cuda {

// Code: does the ray meet the shape? Calls on the device, as AnyPair (leaves_pairs.hpp).
struct RayLeaf {
  static constexpr LeafInfo kInfo{"ray_shape", "collide/ray.hpp", 0, 5e-6, 1e-3};
  static constexpr int kCodes = 1;
  template <class T>
  struct In {
    T type;
    PlacedShape<T> shape;
    Vec3T<T> origin, direction;
    T limit;
  };
  template <class T>
  struct Out {
    T distance;
    Vec3T<T> normal;
  };

  template <class T>
  static STICTION_HD_CALL void evaluate(const In<T>& in, Out<T>& out, int* codes, const SurfaceT<T>* library) {
    const BuiltShape<T> shape(shape_type(in.type), in.shape, library);
    RayPointT<T> hit;
    codes[0] = ray_shape(shape(), in.origin, normalized(in.direction), in.limit, hit) ? 1 : 0;
    out = {hit.distance, hit.normal};
  }
  // From within the shape or from outside, to a point of the box about it.
  static void draw(Random& random, In<double>& in) {
    in.type = random.integer(0, kLastShape);
    in.shape = draw_shape(random, shape_type(in.type), Meshes::kWithTrees);
    const Vec3 half = half_extent(shape_type(in.type), in.shape.size);
    const Vec3 inside = in.shape.p + in.shape.R * scaled(half, random.vector(1));
    in.origin = in.shape.p + random.direction() * random.uniform(0, 2 * in.shape.radius + 0.5);
    in.direction = inside - in.origin;
    in.limit = random.uniform(0.5, 3);
  }
  // Along an axis of the shape, through its centre, along its sides and edges, or beside it.
  static void draw_degenerate(Random& random, In<double>& in) {
    if (random.chance(0.7)) in.shape.R = Mat3::identity(), in.shape.p = {};
    const Vec3 half = half_extent(shape_type(in.type), in.shape.size);
    const int axis = random.integer(0, 2);
    Vec3 from, along{};
    for (int k = 0; k < 3; ++k) from[k] = half[k] * random.integer(-2, 2) / 2;
    along[axis] = random.chance(0.5) ? 1 : -1;
    from[axis] = random.chance(0.2) ? 0 : -2 * along[axis];
    in.origin = in.shape.p + in.shape.R * from;
    in.direction = in.shape.R * along;
  }
};

// Codes: 1 if the shapes are within the limit; 1 if a search was cut short.
struct DistanceLeaf {
  static constexpr LeafInfo kInfo{"shape_distance", "collide/distance.hpp", 0, 2e-4, 1e-3};
  static constexpr int kCodes = 2;
  template <class T>
  struct In {
    T type_a, type_b;
    PlacedShape<T> a, b;
    T limit;
  };
  template <class T>
  struct Out {
    T distance;
    Vec3T<T> normal, on_a, on_b;
  };

  template <class T>
  static STICTION_HD_CALL void evaluate(const In<T>& in, Out<T>& out, int* codes, const SurfaceT<T>* library) {
    const BuiltShape<T> a(shape_type(in.type_a), in.a, library), b(shape_type(in.type_b), in.b, library);
    const ShapeDistanceT<T> found = shape_distance(a(), b(), in.limit);
    codes[0] = found.valid ? 1 : 0;
    codes[1] = found.cut_short ? 1 : 0;
    out = {found.distance, found.normal, found.on_a, found.on_b};
  }
  static void draw(Random& random, In<double>& in) {
    draw_any_pair(random, false, in);
    in.limit = random.uniform(0, 0.5);
  }
  static void draw_degenerate(Random& random, In<double>& in) { draw_any_pair(random, true, in); }
};

using QueryLeaves = LeafList<RayLeaf, DistanceLeaf>;

}  // namespace stiction::cuda
