// Two hulls that penetrate at crossing edges, next to a face that goes nearly along their axis: the corners of that
// face were taken for the contact although none of them was as deep as the edges, so that a contact had as little as a
// seventh of the depth. The least gap of a contact is the depth over all axes, up to the 5 % by which a face is
// preferred to an edge and the trust of 1e-5 of the size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/convex_shapes.hpp"
#include "support/narrow_phase.hpp"

namespace stiction::test {
namespace {

TEST(FaceBesideEdges, contact_is_as_deep_as_the_bodies) {
  Random random(4);
  int penetrating = 0, shallow = 0;
  for (int scene = 0; scene < 200; ++scene) {
    ShapeFactory factory;
    const auto flat = [&] {
      return factory.shape(random_solid(random, 4 + static_cast<int>(random.uniform(0, 20)),
                                        {0.1, 0.1 * random.log_uniform(0.01, 1), 0.1 * random.log_uniform(0.01, 1)}));
    };
    ShapeT<double> a = flat(), b = flat();
    const double size = std::min(a.radius, b.radius);
    for (int i = 0; i < 200; ++i) {
      const Vec3 away = random.direction() * ((a.radius + b.radius) * random.uniform(0.2, 1));
      place(a, {}, random.rotation());
      place(b, away, random.rotation());
      // To a depth of up to a fiftieth of the size.
      const ShapeDistanceT<double> before = signed_distance(a, b, 10.0);
      b.p += before.normal * (-size * random.uniform(0, 0.02) - before.distance);
      const double distance = signed_distance(a, b, 10.0).distance;
      if (!(distance < -1e-6 * size)) continue;
      ContactPointT<double> point[kMaxPoints];
      const int count = narrow_phase(a, b, 0.02 * size, point);
      ASSERT_GT(count, 0) << scene << " " << i;
      double least = point[0].gap;
      for (int k = 1; k < count; ++k) least = std::min(least, point[k].gap);
      ++penetrating;
      shallow += least > 0.94 * distance + 2e-5 * size;
      EXPECT_GT(least, 1.06 * distance - 2e-5 * size) << scene << " " << i;
    }
  }
  EXPECT_GT(penetrating, 30000);
  EXPECT_EQ(shallow, 0);  // 0.04 % before
}

}  // namespace
}  // namespace stiction::test
