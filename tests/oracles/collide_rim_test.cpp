// Features of two polyhedra brought near each other where the closest feature is about to change: a vertex, an edge or
// a face of each, near its rim as often as inside, turned so that the two face each other, parallel or up to a tilt,
// at gaps from 1e-9 m to 1e-3 m. The least gap is the distance by brute force; pushed into each other, no pair has all
// its gaps positive or one that is too deep by more than the tolerance of separating axes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracles/convex_oracle.hpp"
#include "support/narrow_phase.hpp"

namespace stiction::test {
namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// A point of a feature, a direction in which it is the farthest, and a direction along it, in the frame of the solid.
struct Feature {
  Vec3 point, normal, along;
};

Feature draw_feature(const Solid& solid, Random& random) {
  const auto& loop = solid.face[at(random.integer(0, int(solid.face.size()) - 1))];
  const int kind = random.integer(0, 2), slots = int(loop.size()), slot = random.integer(0, slots - 1);
  const int v = loop[at(slot)], w = loop[at((slot + 1) % slots)];
  const Vec3 start = solid.vertex[at(v)], end = solid.vertex[at(w)];
  const double rim = random.chance(0.5) ? random.log_uniform(1e-10, 1e-3) : random.uniform(0, 1);
  const auto weight = [&] { return random.chance(0.3) ? random.log_uniform(1e-9, 1) : random.uniform(0, 1); };
  Feature feature{start, {}, normalized(end - start)};
  if (kind == 2) {
    Vec3 middle{};
    for (const int i : loop) middle += solid.vertex[at(i)] / double(slots);
    const Vec3 border = random.chance(0.3) ? start : start + (end - start) * random.uniform(0, 1);
    feature.point = border + (middle - border) * rim;
    feature.normal = polygon_normal(solid.vertex, loop);
    return feature;
  }
  if (kind == 1) feature.point = start + (end - start) * rim;
  const auto holds = [](const std::vector<int>& face, int i) { return std::count(face.begin(), face.end(), i) > 0; };
  for (const auto& face : solid.face)
    if (holds(face, v) && (kind == 0 || holds(face, w)))
      feature.normal += polygon_normal(solid.vertex, face) * weight();
  feature.normal = normalized(feature.normal);
  return feature;
}

// Rows: an axis across n that goes most along `along`, the axis that completes it, and n.
Mat3 frame(const Vec3& n, const Vec3& along) {
  Vec3 x = along - n * dot(n, along);
  if (norm(x) < 1e-3) x = cross(n, Vec3{0.3, 0.5, 0.7});
  x = normalized(x);
  Mat3 rows;
  rows.row[0] = x, rows.row[1] = cross(n, x), rows.row[2] = n;
  return rows;
}

struct Pose {
  ShapeT<double> a, b;
  double size, margin;
};

Pose face_to_face(Random& random, ShapeFactory& factory) {
  const auto draw = [&](ShapeT<double>& shape) {
    const double size = random.uniform(0.05, 0.5);
    const int kind = random.integer(0, 4);
    Solid solid = box_solid({size, size * random.uniform(0.1, 1), size * random.uniform(0.1, 1)});
    if (kind == 2) solid = prism(random.integer(3, 8), size, size * random.uniform(0.2, 1));
    if (kind == 3) solid = pyramid(random.integer(3, 7), size, size);
    if (kind == 4) solid = random_solid(random, random.integer(5, 14), {size, size * 0.7, size * 0.5});
    shape = kind < 2 ? box_shape(solid.vertex[1]) : factory.shape(solid);
    return solid;
  };
  Pose pose{};
  const Solid a = draw(pose.a), b = draw(pose.b);
  pose.size = std::min(pose.a.radius, pose.b.radius);
  pose.margin = 0.03 * pose.size;
  const Feature of_a = draw_feature(a, random), of_b = draw_feature(b, random);
  const double spin =
      random.chance(0.4) ? random.uniform(-3, 3) : (random.chance(0.3) ? 0 : random.log_uniform(1e-12, 0.1));
  const double tilt = random.chance(0.3) ? 0 : random.log_uniform(1e-12, 0.05);
  Mat3 turn = rotation_matrix(normalized(quat_from_rotation_vector(random.direction() * tilt) *
                                         quat_from_rotation_vector(of_a.normal * spin))) *
              transpose(frame(-of_a.normal, of_a.along)) * frame(of_b.normal, of_b.along);
  // Orthonormal up to rounding: the oracle and the narrow phase read it in different ways.
  for (int pass = 0; pass < 2; ++pass) {
    turn.row[0] = normalized(turn.row[0]);
    turn.row[1] = normalized(turn.row[1] - turn.row[0] * dot(turn.row[0], turn.row[1]));
    turn.row[2] = cross(turn.row[0], turn.row[1]);
  }
  const double beside = random.chance(0.3) ? 0 : random.log_uniform(1e-10, 1e-3);
  const Vec3 target = of_a.point + of_a.normal * random.log_uniform(1e-9, 1e-3) + random.direction() * beside;
  const Quat q = random.chance(0.2) ? Quat{1, 0, 0, 0} : random.rotation();
  place(pose.a, random.vector(1), q);
  pose.b.R = pose.a.R * turn;
  pose.b.p = pose.a.p + pose.a.R * target - pose.b.R * of_b.point;
  return pose;
}

int nearest(const ContactPointT<double>* point, int count) {
  int best = 0;
  for (int k = 1; k < count; ++k)
    if (point[k].gap < point[best].gap) best = k;
  return best;
}

// Measured with another seed over 500,000 poses, of which 420,662 are compared: 12 are off by more than 1e-9 of the
// size; 2.1e-9 is the most at distances above 1e-8 of it, 8.1e-9 nearer.
TEST(NearTheRim, least_gap_is_the_distance) {
  Random random(5);
  int apart = 0, inexact = 0;
  for (int i = 0; i < 40000; ++i) {
    ShapeFactory factory;
    const Pose pose = face_to_face(random, factory);
    const double distance = brute_distance(polytope(pose.a, factory), polytope(pose.b, factory));
    // Nearer than 1e-9 of the size separating axes decide.
    if (distance < 1e-9 * pose.size || distance > 0.9 * pose.margin) continue;
    ContactPointT<double> point[kMaxPoints];
    const int count = narrow_phase(pose.a, pose.b, pose.margin, point);
    ASSERT_GT(count, 0) << i << " distance " << distance;
    ++apart;
    const double error = std::abs(point[nearest(point, count)].gap - distance) / pose.size;
    ASSERT_LT(error, distance > 1e-8 * pose.size ? 3e-9 : 2e-8) << i << " distance " << distance;
    inexact += error > 1e-9;
  }
  EXPECT_GT(apart, 25000);
  EXPECT_LE(inexact, 3);
}

// Measured with another seed over 199,305 penetrating poses: in 106 the least gap is positive, by up to 8.6e-6 of the
// size; 1.05e-5 is the most below 1.06 times the depth.
TEST(NearTheRim, penetrating_pairs_have_a_gap_below_zero) {
  Random random(6);
  int penetrating = 0;
  for (int i = 0; i < 20000; ++i) {
    ShapeFactory factory;
    Pose pose = face_to_face(random, factory);
    const Polytope A = polytope(pose.a, factory);
    ContactPointT<double> point[kMaxPoints];
    int count = narrow_phase(pose.a, pose.b, pose.margin, point);
    if (count == 0) continue;
    const double before = brute_distance(A, polytope(pose.b, factory));
    pose.b.p -= point[nearest(point, count)].normal * (before + pose.size * random.log_uniform(1e-11, 1e-3));
    const double depth = brute_distance(A, polytope(pose.b, factory));
    if (depth >= 0) continue;
    count = narrow_phase(pose.a, pose.b, pose.margin, point);
    ASSERT_GT(count, 0) << i << " depth " << depth;
    ++penetrating;
    const double least = point[nearest(point, count)].gap;
    ASSERT_LT(least, depth > -1e-5 * pose.size ? 1e-5 * pose.size : 0) << i << " depth " << depth;
    ASSERT_GT(least, 1.06 * depth - 1.1e-5 * pose.size) << i << " depth " << depth;
  }
  EXPECT_GT(penetrating, 15000);
}

}  // namespace
}  // namespace stiction::test
