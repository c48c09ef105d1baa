// Bodies that lie on each other or nearly so: tilts from rounding to 10°, gaps from −1e-6 to 1e-2 of the size, any
// overhang. The least gap is the distance, and prevention is complete: every vertex of one body within the margin of
// the other, over the face that faces it, has a contact at its place, so that no corner can be driven in within a
// step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracles/convex_oracle.hpp"
#include "support/narrow_phase.hpp"

namespace stiction::test {
namespace {

struct Pose {
  ShapeT<double> a, b;
  double size, margin;
};

// B over the top face of A with the lowest vertex at a chosen height over its plane.
Pose nearly_flush(Random& random, ShapeFactory& factory) {
  const auto shape = [&] {
    const double size = random.uniform(0.05, 0.3);
    if (random.chance(0.6)) return box_shape({size, size * random.uniform(0.3, 1), size * random.uniform(0.2, 1)});
    if (random.chance(0.5)) return factory.shape(prism(random.integer(3, 7), size, size * random.uniform(0.2, 1)));
    return factory.shape(box_solid({size, size * random.uniform(0.3, 1), size * random.uniform(0.2, 1)}));
  };
  Pose pose{shape(), shape(), 0, 0};
  pose.size = std::min(pose.a.radius, pose.b.radius);
  pose.margin = 0.03 * pose.size;
  const double tilt = random.chance(0.2) ? 0 : random.log_uniform(1e-9, 0.2);
  const Vec3 axis = random.direction();
  const Quat spin = quat_from_rotation_vector(Vec3{0, 0, random.chance(0.3) ? 0 : random.uniform(0, 6)});
  place(pose.b, {}, quat_from_rotation_vector(Vec3{axis.x, axis.y, 0} * tilt) * spin);
  const double top = polytope(pose.a, factory).support({0, 0, 1}),
               bottom = -polytope(pose.b, factory).support({0, 0, -1});
  const double gap =
      pose.size * (random.chance(0.2) ? -random.log_uniform(1e-14, 1e-6) : random.log_uniform(1e-12, 1e-2));
  const double reach = 0.7 * (pose.a.radius + pose.b.radius);
  pose.b.p = {random.uniform(-reach, reach), random.uniform(-reach, reach), top - bottom + gap};
  const Quat q = random.rotation();
  const Vec3 origin = random.vector(1);
  for (ShapeT<double>* moved : {&pose.a, &pose.b}) {
    moved->p = origin + rotate(q, moved->p);
    moved->R = rotation_matrix(q) * moved->R;
  }
  return pose;
}

// Vertices of `of` that lie within the margin over a face of `other`, one within 45° of n, and have no contact there.
int uncovered(const Polytope& of, const Polytope& other, const Vec3& n, const ContactPointT<double>* point, int count,
              double margin) {
  int missing = 0;
  for (const Vec3& v : of.vertex) {
    const double distance = height_over_faces(other, v, n);
    if (distance > 0.9 * margin) continue;
    bool covered = false;
    for (int i = 0; i < count; ++i) covered = covered || norm(point[i].point - v) < distance + 0.01 * margin;
    missing += !covered;
  }
  return missing;
}

TEST(NearlyFlush, gaps_are_distances_and_every_near_vertex_has_a_contact) {
  Random random(21);
  int apart = 0, touching = 0, many = 0, vertices_missing = 0, poses_missing = 0;
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    ShapeFactory factory;
    const Pose pose = nearly_flush(random, factory);
    const Polytope A = polytope(pose.a, factory), B = polytope(pose.b, factory);
    const double distance = brute_distance(A, B);
    ContactPointT<double> point[kMaxPoints];
    const int count = narrow_phase(pose.a, pose.b, pose.margin, point);
    if (distance > pose.margin) continue;
    ASSERT_GT(count, 0) << i << " distance " << distance;
    double least = pose.margin;
    for (int k = 0; k < count; ++k) {
      least = std::min(least, point[k].gap);
      // Contacts are places where the two bodies are near, not extended planes: the surface points are on the bodies,
      // up to a hundredth of the gap on edges that are not quite parallel.
      const double slack = 1e-5 * pose.size + 0.01 * std::abs(point[k].gap);
      ASSERT_LT(point_distance(A, point[k].point - point[k].normal * (point[k].gap / 2)), slack) << i;
      ASSERT_LT(point_distance(B, point[k].point + point[k].normal * (point[k].gap / 2)), slack) << i;
    }
    (distance > 1e-5 * pose.size ? apart : touching)++;
    many += count >= 3;
    const double error = std::abs(least - distance) / pose.size;
    ASSERT_LT(error, distance > 1e-5 * pose.size ? 1e-10 : 1.1e-5) << i << " distance " << distance;
    worst = std::max(worst, error);
    if (count < kMaxPoints) {
      const int missing = uncovered(A, B, -point[0].normal, point, count, pose.margin) +
                          uncovered(B, A, point[0].normal, point, count, pose.margin);
      vertices_missing += missing;
      poses_missing += missing > 0;
    }
  }
  EXPECT_GT(apart, 3000);
  EXPECT_GT(touching, 3000);
  EXPECT_GT(many, 5000);
  EXPECT_EQ(vertices_missing, 0) << "in " << poses_missing << " poses";
}

}  // namespace
}  // namespace stiction::test
