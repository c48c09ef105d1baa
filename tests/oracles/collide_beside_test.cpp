// A body that stands on the same floor as a block and touches it with a tip: the tip lies in the plane of the block's
// bottom, a few nanometres inside or outside, and is d behind its side. The bottom is nearer, but the body lies above
// it: the way out is the side, at the depth d, or along the normal of the tip's leaning edges. Another of its tips is
// deeper, in the top of the block, and does not tell of the first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/meshes.hpp"
#include "support/narrow_phase.hpp"
#include "support/surfaces.hpp"

namespace stiction::test {
namespace {

constexpr double kHalf = 0.1;     // [m] of the block, which is at x < 0
constexpr double kDeeper = 5e-5;  // [m]

// A tetrahedron on its tip, all of it at x ≥ lean z above that.
void add_tip(TriangleMesh& mesh, const Vec3& tip, double lean) {
  constexpr double h = 0.2;
  const int first = add_vertex(mesh, tip);
  for (const Vec3& p : {Vec3{lean * h, -0.1, h}, Vec3{lean * h, 0.1, h}, Vec3{0.15, 0, h}}) add_vertex(mesh, tip + p);
  const int triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  for (const auto& t : triangles) add_triangle(mesh, first + t[0], first + t[1], first + t[2]);
}

TEST(Beside, a_tip_in_the_plane_of_the_bottom_gets_out_through_the_side) {
  Surfaces kept;
  for (const double lean : {0.1, 0.3}) {
    TriangleMesh mesh;
    add_tip(mesh, {0, 0, 0}, lean);
    add_tip(mesh, {-0.05, 0, 2 * kHalf - kDeeper}, lean);
    ASSERT_TRUE(inspect(mesh).outward);
    const ShapeT<double> tips = kept.mesh(mesh);
    const double least = 1 / std::hypot(1, lean);  // cosine of an edge's normal
    for (ShapeT<double> block : {kept.mesh(box_mesh({kHalf, kHalf, kHalf})), kept.box({kHalf, kHalf, kHalf})})
      for (const double inside : {3e-9, 0.0, -3e-9})
        for (const double d : {4e-7, 4e-6, 2e-5})
          for (const bool swapped : {false, true}) {
            block.p = {d - kHalf, 0.03, kHalf - inside};
            ContactPointT<double> out[kMaxSurfacePoints];
            const int count = swapped ? narrow_phase(tips, block, 1e-3, out) : narrow_phase(block, tips, 1e-3, out);
            double depth = 0;
            for (int i = 0; i < count; ++i)
              if (std::abs(out[i].normal.x) >= least - 1e-12) depth = std::max(depth, -out[i].gap);
            EXPECT_GE(depth, d * least - std::abs(inside) - 1e-12) << "lean " << lean << ", inside " << inside;
            EXPECT_LE(depth, d + 1e-12) << "lean " << lean << ", inside " << inside;
          }
  }
}

}  // namespace
}  // namespace stiction::test
