// A convex solid as a hull and as a closed mesh: where the hull is in a body, by up to 2 % of the smaller one, the mesh
// has a contact that says so. Without one nothing would push the two apart, and no certificate would see it.
//
// The depth of a mesh is that of one place along a normal that its features support, within the slack of these, so it
// need not be the least of all axes; half of it is asked for, which steps double until the bodies are out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "collide/surface.hpp"
#include "model/mesh_tables.hpp"
#include "support/convex_shapes.hpp"
#include "support/narrow_phase.hpp"

namespace stiction::test {
namespace {

constexpr double kDeepest = 0.02;  // of the smaller body: as deep as surfaces are followed
constexpr int kCases = 2000;

TriangleMesh mesh_of(const Solid& solid) {
  TriangleMesh mesh;
  for (const Vec3& v : solid.vertex) mesh.vertices.insert(mesh.vertices.end(), {v.x, v.y, v.z});
  for (const auto& loop : solid.face)
    for (std::size_t k = 2; k < loop.size(); ++k)
      mesh.triangles.insert(mesh.triangles.end(), {loop[0], loop[k - 1], loop[k]});
  return mesh;
}

// Random shapes, and the arrays behind them.
class Shapes {
 public:
  explicit Shapes(Random& random) : random_(random) {}

  double size() { return random_.uniform(0.03, 0.1); }
  Vec3 sizes() { return {size(), size(), size()}; }
  Solid solid() {
    const int sides = int(random_.uniform(3, 8)), kind = int(random_.uniform(0, 4));
    if (kind == 0) return prism(sides, size(), size());
    if (kind == 1) return pyramid(sides, size(), 2 * size());
    return random_solid(random_, 12, sizes());
  }
  // A solid as a hull and as a mesh.
  std::pair<ShapeT<double>, ShapeT<double>> hull_and_mesh(const Solid& solid) {
    surfaces_.emplace_back(mesh_of(solid));
    ShapeT<double> hull = hulls_.shape(solid), mesh = hull;
    mesh.type = ShapeType::kMesh;
    mesh.hull = {};
    hull.surface = mesh.surface = surfaces_.back().view();
    return {hull, mesh};
  }
  ShapeT<double> box() {
    const Vec3 half = sizes();
    surfaces_.emplace_back(detail::box_of(half));
    ShapeT<double> shape = box_shape(half);
    shape.surface = surfaces_.back().view();
    return shape;
  }

 private:
  Random& random_;
  ShapeFactory hulls_;
  std::deque<Surface<double>> surfaces_;
};

struct Deepest {
  double depth = -std::numeric_limits<double>::infinity();
  Vec3 normal;  // from a to b
};

Deepest deepest(const ShapeT<double>& a, const ShapeT<double>& b, double margin) {
  const bool swapped = int(b.type) < int(a.type);
  ContactPointT<double> out[kMaxSurfacePoints];
  const int count = swapped ? narrow_phase(b, a, margin, out) : narrow_phase(a, b, margin, out);
  Deepest result;
  for (int i = 0; i < count; ++i)
    if (-out[i].gap > result.depth) result = {-out[i].gap, swapped ? -out[i].normal : out[i].normal};
  return result;
}

using MakeShape = std::function<ShapeT<double>(Shapes&)>;

void expect_told(const char* name, const MakeShape& make, double margin) {
  Random random(11);
  int deep = 0, untold = 0, shallow = 0;
  for (int i = 0; i < kCases; ++i) {
    Shapes shapes(random);
    auto [hull, mesh] = shapes.hull_and_mesh(shapes.solid());
    ShapeT<double> body = make(shapes);
    place(body, {}, random.rotation());
    place(hull, random.direction() * (body.radius + hull.radius) * random.uniform(0.6, 1), random.rotation());
    const double smaller = std::min(body.radius, hull.radius);
    const double wanted = kDeepest * smaller * random.uniform(0.01, 1);
    for (int approach = 0; approach < 3; ++approach) {
      const Deepest now = deepest(body, hull, 1);
      hull.p += now.normal * (now.depth - wanted);
    }
    const double depth = deepest(body, hull, 1).depth;
    if (!(depth > 1e-4 * smaller && depth < kDeepest * smaller)) continue;
    ++deep;
    mesh.p = hull.p, mesh.R = hull.R;
    const double told = deepest(body, mesh, margin).depth;
    untold += told < 0 ? 1 : 0;
    shallow += told < depth / 2 ? 1 : 0;
  }
  std::printf("%-10s margin %.2f m: %d of %d deep poses untold, %d by less than half\n", name, margin, untold, deep,
              shallow);
  EXPECT_GT(deep, kCases * 9 / 10) << name;
  // Blades that pass each other at their tips: 13 of 64,000 poses with cylinders, boxes and hulls.
  EXPECT_LE(untold, 1) << name;
  EXPECT_LE(shallow, deep / 100) << name;
}

TEST(Deep, meshes_touch_what_their_hulls_are_in) {
  const std::pair<const char*, MakeShape> bodies[] = {
      {"sphere", [](Shapes& s) { return sphere_shape(s.size()); }},
      {"capsule", [](Shapes& s) { return capsule_shape(s.size(), s.size()); }},
      {"box", [](Shapes& s) { return s.box(); }},
      {"cylinder", [](Shapes& s) { return cylinder_shape(s.size(), s.size()); }},
      {"coin", [](Shapes& s) { return cylinder_shape(s.size(), 0.05 * s.size()); }},
      {"ellipsoid", [](Shapes& s) { return ellipsoid_shape(s.sizes()); }},
      {"hull", [](Shapes& s) { return s.hull_and_mesh(s.solid()).first; }},
  };
  for (const auto& [name, make] : bodies)
    for (const double margin : {0.0, 0.01}) expect_told(name, make, margin);
}

}  // namespace
}  // namespace stiction::test
