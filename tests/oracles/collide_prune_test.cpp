// What a surface does not look at only saves work: where it keeps all its triangles in one leaf it has the same
// contacts, of bodies up to half the margin in each other, where no ways out are held back; and a triangle that planes
// keep from a smooth body is as far from it as they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "support/meshes.hpp"
#include "support/narrow_phase.hpp"
#include "support/surfaces.hpp"

namespace stiction::test {
namespace {

constexpr int kCases = 60;

// Shapes, each beside its twin whose surface is one leaf.
class Twins {
 public:
  using Pair = std::array<ShapeT<double>, 2>;

  Pair mesh(const TriangleMesh& mesh) { return with_leaf(surfaces_.mesh(mesh)); }
  Pair box(const Vec3& half) { return with_leaf(surfaces_.box(half)); }

 private:
  Surfaces surfaces_;
  std::deque<SurfaceNodeT<double>> leaves_;

  Pair with_leaf(const ShapeT<double>& shape) {
    Pair pair{shape, shape};
    const double all = 1e3;  // [m]
    pair[1].surface.node = &leaves_.emplace_back(
        SurfaceNodeT<double>{{-all, -all, -all}, {all, all, all}, 0, shape.surface.triangle_count});
    return pair;
  }
};

using Contacts = std::vector<ContactPointT<double>>;

Contacts contacts(const ShapeT<double>& a, const ShapeT<double>& b, double margin) {
  ContactPointT<double> out[kMaxSurfacePoints];
  return {out, out + narrow_phase(a, b, margin, out)};
}

// Of two features with one contact the first that was found gives the id.
long missing(const Contacts& these, const Contacts& from) {
  return std::count_if(these.begin(), these.end(), [&](const ContactPointT<double>& c) {
    return std::none_of(from.begin(), from.end(), [&](const ContactPointT<double>& other) {
      return std::abs(other.gap - c.gap) < 1e-14 && norm(other.normal - c.normal) < 1e-9;
    });
  });
}

TEST(Prune, trees_of_surfaces_lose_no_contact) {
  Twins twins;
  const auto hills = [](double x, double y) { return 0.03 * std::sin(40 * x) * std::cos(33 * y); };
  const std::vector<std::pair<std::string, Twins::Pair>> surfaces = {
      {"torus", twins.mesh(torus_mesh(0.07, 0.03, 24, 10))},
      {"hills", twins.mesh(sheet(0.15, 0.15, 12, 12, hills, true, 0.2))},
  };
  const auto plain = [](const ShapeT<double>& shape) { return Twins::Pair{shape, shape}; };
  const std::vector<std::pair<std::string, Twins::Pair>> bodies = {
      {"sphere", plain(sphere_shape(0.05))},
      {"capsule", plain(capsule_shape(0.02, 0.05))},
      {"cylinder", plain(cylinder_shape(0.05, 0.03))},
      {"coin", plain(cylinder_shape(0.06, 0.003))},
      {"ellipsoid", plain(ellipsoid_shape({0.07, 0.04, 0.02}))},
      {"box", twins.box({0.05, 0.04, 0.03})},
      {"needle", twins.box({0.08, 0.002, 0.003})},
      surfaces[0],
      surfaces[1],
  };
  Random random(5);
  for (const auto& [surface_name, surface] : surfaces)
    for (const auto& [body_name, body] : bodies) {
      int touching = 0;
      for (int i = 0; i < kCases; ++i) {
        ShapeT<double> a = body[0], b = surface[0];
        const double size = std::min(a.radius, b.radius), margin = size * (i % 2 == 0 ? 0.005 : 0.1);
        a.R = rotation_matrix(random.rotation()), b.R = rotation_matrix(random.rotation());
        b.p = random.direction() * (a.radius + b.radius);
        const double gap = margin * random.uniform(-0.5, 1);
        for (int move = 0; move < 4; ++move) {  // another place may be the nearest then
          const ShapeDistanceT<double> found = signed_distance(a, b, 10.0);
          b.p += found.normal * (gap - found.distance);
        }
        ShapeT<double> a_leaf = body[1], b_leaf = surface[1];
        a_leaf.R = a.R, a_leaf.p = a.p, b_leaf.R = b.R, b_leaf.p = b.p;
        const Contacts found = contacts(a, b, margin), all = contacts(a_leaf, b_leaf, margin);
        EXPECT_EQ(missing(all, found), 0) << body_name << " and " << surface_name << ", case " << i;
        EXPECT_EQ(missing(found, all), 0) << body_name << " and " << surface_name << ", case " << i;
        touching += all.empty() ? 0 : 1;
      }
      EXPECT_GE(touching, kCases / 2) << body_name << " and " << surface_name;
    }
}

TEST(Prune, planes_keep_only_triangles_away_that_are_out_of_reach) {
  Random random(6);
  int kept_away = 0, reached = 0;
  for (int i = 0; i < 3000; ++i) {
    Surfaces surfaces;
    TriangleMesh one;
    for (int corner = 0; corner < 3; ++corner) add_vertex(one, random.direction() * 0.1);
    add_triangle(one, 0, 1, 2);
    const ShapeT<double> triangle = surfaces.mesh(one);
    const bool is_round = i % 2 == 0;
    ShapeT<double> shape = is_round ? ellipsoid_shape({0.07, 0.04, 0.02}) : cylinder_shape(0.06, 0.01);
    shape.R = rotation_matrix(random.rotation());
    shape.p = random.direction() * random.uniform(0, 0.2);
    const double front = random.uniform(0, 0.02), back = front + random.uniform(0, 0.02);
    const auto reaches = [&](const auto& body) {
      return detail::reaches_triangle(triangle.surface, 0, body, shape.p, front, back);
    };
    const detail::Placement<double> place{shape.R, shape.p};
    const bool may_touch = is_round ? reaches(detail::PlacedEllipsoid<double>{detail::as_ellipsoid(shape), place})
                                    : reaches(detail::PlacedRim<double>{{detail::as_cylinder(shape), place}});
    ++(may_touch ? reached : kept_away);
    if (may_touch) continue;
    EXPECT_GE(signed_distance(shape, triangle, 10.0).distance, front - 1e-9) << "case " << i;
  }
  EXPECT_GT(kept_away, 300);
  EXPECT_GT(reached, 300);
}

}  // namespace
}  // namespace stiction::test
