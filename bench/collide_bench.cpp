// Time of the narrow phase for each pair of the table (resting poses: near touching) and of a whole collision pass over
// heaps of boxes.
#include <benchmark/benchmark.h>

#include <cmath>
#include <deque>

#include "collide/broad_phase.hpp"
#include "collide/collide.hpp"
#include "collide/pair_table.hpp"
#include "collide/surface.hpp"
#include "model/mesh_tables.hpp"
#include "support/convex_shapes.hpp"
#include "support/meshes.hpp"

#include <stiction/builder.hpp>

namespace stiction::test {
namespace {

ShapeT<double> typical_shape(ShapeType type, ShapeFactory& factory) {
  switch (type) {
    case ShapeType::kPlane:
      return plane_shape();
    case ShapeType::kSphere:
      return sphere_shape(0.1);
    case ShapeType::kCapsule:
      return capsule_shape(0.04, 0.1);
    case ShapeType::kBox:
      return box_shape({0.1, 0.08, 0.06});
    case ShapeType::kCylinder:
      return cylinder_shape(0.08, 0.1);
    case ShapeType::kEllipsoid:
      return ellipsoid_shape({0.1, 0.08, 0.06});
    case ShapeType::kMesh:
    case ShapeType::kHeightField: {
      ShapeT<double> shape = sphere_shape(0);
      shape.type = type;
      return shape;
    }
    default: {
      Random random(3);
      return factory.shape(random_solid(random, 32, {0.1, 0.08, 0.06}));
    }
  }
}

// What a shape needs to meet a mesh: a torus of 24 × 12 quads for meshes and height fields, boxes and hulls as
// surfaces.
const Surface<double>& surface_of(const ShapeT<double>& shape, ShapeFactory& factory,
                                  std::deque<Surface<double>>& kept) {
  if (shape.type == ShapeType::kBox)
    kept.emplace_back(detail::box_of(shape.size));
  else if (shape.type == ShapeType::kHull) {
    Model model;
    set_hulls(model, {factory.solid(shape)});
    kept.emplace_back(detail::hull_of(model, 0));
  } else {
    kept.emplace_back(torus_mesh(0.07, 0.03, 24, 12));
  }
  return kept.back();
}

// B lies over A along z, turned at random, with its bounding ball a fifth inside that of A.
void pair_of(benchmark::State& state, ShapeType type_a, ShapeType type_b) {
  Random random(1);
  ShapeFactory factory;
  constexpr int kPoses = 256;
  std::vector<ShapeT<double>> a, b;
  ShapeT<double> first = typical_shape(type_a, factory), second = typical_shape(type_b, factory);
  std::deque<Surface<double>> surfaces;
  for (ShapeT<double>* shape : {&first, &second}) {
    if (most_points(type_a, type_b) == kMaxPoints) break;
    const Surface<double>& surface = surface_of(*shape, factory, surfaces);
    shape->surface = surface.view();
    if (shape->type == ShapeType::kMesh || shape->type == ShapeType::kHeightField) shape->radius = surface.radius();
  }
  for (int i = 0; i < kPoses; ++i) {
    a.push_back(first);
    b.push_back(second);
    place(a.back(), {}, type_a == ShapeType::kPlane ? Quat{} : random.rotation());
    place(b.back(), {}, random.rotation());
    b.back().p = {0, 0, 0.75 * (a.back().radius + b.back().radius)};
  }
  ContactPointT<double> out[kMaxSurfacePoints];
  int i = 0;
  double points = 0;
  for (auto _ : state) {
    points += collide_pair(a[std::size_t(i)], b[std::size_t(i)], 0.01, out);
    benchmark::DoNotOptimize(out);
    i = (i + 1) % kPoses;
  }
  state.counters["points"] = points / double(state.iterations());
}

// A flush stack of two boxes: four points on a face.
void box_on_box(benchmark::State& state) {
  ShapeT<double> a = box_shape({0.1, 0.1, 0.1}), b = a;
  place(b, {0.02, 0.01, 0.2}, quat_from_rotation_vector(Vec3{0, 0, 0.3}));
  ContactPointT<double> out[kMaxPoints];
  int points = 0;
  for (auto _ : state) {
    points = collide_pair(a, b, 0.001, out);
    benchmark::DoNotOptimize(out);
  }
  state.counters["points"] = points;
}
BENCHMARK(box_on_box);

// The broad phase alone: boxes of 0.22 m in a cubic lattice, the tree built anew each time.
void broad_phase(benchmark::State& state, double spacing) {
  const int count = int(state.range(0)), side = int(std::ceil(std::cbrt(count)));
  Random random(2);
  std::vector<Bounds> bounds;
  bounds.reserve(std::size_t(count));
  for (int i = 0; i < count; ++i) {
    const int column = i % side, row = i / side % side, layer = i / side / side;
    const Vec3 cell{double(column), double(row), double(layer)};
    const Vec3 centre = cell * spacing + random.vector(0.005), half{0.11, 0.11, 0.11};
    bounds.push_back({centre - half, centre + half});
  }
  const std::vector<char> moving(bounds.size(), 1);
  BroadPhase phase;
  long pairs = 0;
  for (auto _ : state) {
    pairs = 0;
    phase.find_pairs(bounds, moving, [&](int, int) { ++pairs; });
  }
  state.counters["pairs"] = double(pairs);
}
BENCHMARK_CAPTURE(broad_phase, heap, 0.2)->RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(broad_phase, apart, 0.3)->RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMicrosecond);

// Boxes of edge 0.2 in a cubic lattice, turned a little. Spacing 0.2: each has about as many neighbours as in a heap.
// Spacing 0.3: boxes overlap nothing, which leaves the broad phase.
void lattice(benchmark::State& state, double spacing) {
  const int count = int(state.range(0)), side = int(std::ceil(std::cbrt(count)));
  Random random(2);
  Builder builder;
  builder.add_shape_plane(0, {{0, 0, -0.1}, {}});
  for (int i = 0; i < count; ++i) {
    const int column = i % side, row = i / side % side, layer = i / side / side;
    const Vec3 cell{double(column), double(row), double(layer)};
    const int body = builder.add_body("box" + std::to_string(i), {cell * spacing + random.vector(0.005),
                                                                  quat_from_rotation_vector(random.vector(0.1))});
    builder.add_joint_free(body);
    builder.add_shape_box(body, {0.1, 0.1, 0.1});
  }
  const Model model = builder.build();
  std::vector<Transform> pose(std::size_t(model.nshape));
  for (std::size_t s = 0; s < pose.size(); ++s)
    pose[s] = model.body_pose[std::size_t(model.shape_body[s])] * model.shape_pose[s];
  const std::vector<double> speed(pose.size(), 0.1);
  Collider collider(model);
  Contacts contacts;
  for (auto _ : state) {
    collider.collide(model.options, pose, speed, contacts);
    benchmark::DoNotOptimize(contacts.gap.data());
  }
  state.counters["contacts"] = contacts.ncontact;
  state.counters["per_shape"] =
      benchmark::Counter(double(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(lattice, heap, 0.2)->RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(lattice, apart, 0.3)->RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMicrosecond);

#define STICTION_BENCH_PAIR(type_a, type_b, routine, most, points) \
  BENCHMARK_CAPTURE(pair_of, routine, ShapeType::type_a, ShapeType::type_b);
STICTION_PAIR_TABLE(STICTION_BENCH_PAIR)

}  // namespace
}  // namespace stiction::test
