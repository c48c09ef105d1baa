// The whole pass over a heap: the tree finds every pair that brute force finds; contacts come in order, with keys; the
// result has the same bits for any number of threads; the heap is not used after the first pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "collide/broad_phase.hpp"
#include "collide/collide.hpp"
#include "support/allocation_count.hpp"
#include "support/convex_shapes.hpp"
#include "support/narrow_phase.hpp"

#include <stiction/builder.hpp>

namespace stiction::test {
namespace {

TEST(BroadPhase, finds_every_overlap_once) {
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    const int count = random.integer(0, 300);
    std::vector<Bounds> bounds;
    std::vector<char> moving;
    for (int i = 0; i < count; ++i) {
      const Vec3 centre = random.vector(1);
      const double infinity = std::numeric_limits<double>::infinity();
      Vec3 half = abs(random.vector(random.chance(0.05) ? 2 : 0.1));
      if (random.chance(0.05)) half = {-infinity, -infinity, -infinity};  // empty
      bounds.push_back({centre - half, centre + half});
      moving.push_back(random.chance(0.8) ? 1 : 0);
    }
    if (count > 3) bounds[1].lower.x = std::numeric_limits<double>::quiet_NaN();
    std::set<std::pair<int, int>> expected, found;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        if (overlap(bounds[std::size_t(i)], bounds[std::size_t(j)]) &&
            (moving[std::size_t(i)] || moving[std::size_t(j)]))
          expected.insert({i, j});
    BroadPhase tree;
    tree.find_pairs(bounds, moving, [&](int i, int j) { EXPECT_TRUE(found.insert({i, j}).second) << "found twice"; });
    EXPECT_EQ(found, expected);
  }
}

// A heap of all kinds of shapes above a plane.
struct Heap {
  Model model;
  std::vector<Transform> pose;
  std::vector<double> speed;
};

Heap make_heap(int count) {
  Random random(4);
  Builder builder;
  builder.add_shape_plane(0, {{0, 0, -0.1}, {}});
  for (int i = 0; i < count; ++i) {
    const int body = builder.add_body("");
    builder.add_joint_free(body);
    if (i % 4 == 0)
      builder.add_shape_sphere(body, 0.1);
    else if (i % 4 == 1)
      builder.add_shape_capsule(body, 0.06, 0.08);
    else
      builder.add_shape_box(body, {0.1, 0.08, 0.06});
  }
  Heap heap{builder.build(), {}, {}};
  // Every fourth box becomes a hull.
  set_hulls(heap.model, {prism(7, 0.1, 0.05), random_solid(random, 16, {0.1, 0.1, 0.1})});
  for (int s = 4; s < heap.model.nshape; s += 4) {
    heap.model.shape_type[std::size_t(s)] = ShapeType::kHull;
    heap.model.shape_hull[std::size_t(s)] = s / 4 % 2;
  }
  const double side = 0.14 * std::cbrt(count);
  heap.pose.push_back(heap.model.shape_pose[0]);
  heap.speed.push_back(0);
  for (int i = 0; i < count; ++i) {
    heap.pose.push_back({random.vector(side / 2) + Vec3{0, 0, side / 2}, random.rotation()});
    heap.speed.push_back(random.uniform(0, 3));
  }
  return heap;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const T& x, const T& y) {
           if constexpr (std::is_same_v<T, Vec3>)
             return std::bit_cast<std::array<std::uint64_t, 3>>(x) == std::bit_cast<std::array<std::uint64_t, 3>>(y);
           else
             return x == y;
         });
}

TEST(CollisionPass, is_bit_equal_for_any_number_of_threads) {
  Heap heap = make_heap(400);
  Contacts reference;
  Collider(heap.model).collide(heap.model.options, heap.pose, heap.speed, reference);
  EXPECT_GT(reference.ncontact, 1000);
  for (int threads : {0, 2, 3, 8}) {
    heap.model.options.threads = threads;
    Contacts contacts;
    Collider collider(heap.model);
    for (int repeat = 0; repeat < 3; ++repeat) {
      collider.collide(heap.model.options, heap.pose, heap.speed, contacts);
      EXPECT_TRUE(same_bits(contacts.key, reference.key) && same_bits(contacts.gap, reference.gap) &&
                  same_bits(contacts.point, reference.point) && same_bits(contacts.normal, reference.normal))
          << threads << " threads";
    }
  }
}

TEST(CollisionPass, contacts_are_ordered_and_their_keys_name_shapes_and_features) {
  const Heap heap = make_heap(300);
  Contacts contacts;
  Collider(heap.model).collide(heap.model.options, heap.pose, heap.speed, contacts);
  ASSERT_GT(contacts.ncontact, 500);
  for (std::size_t c = 0; c < contacts.key.size(); ++c) {
    EXPECT_LT(contacts.shape_a[c], contacts.shape_b[c]);
    EXPECT_EQ(contacts.key[c] >> 44, std::uint64_t(contacts.shape_a[c]));
    EXPECT_EQ((contacts.key[c] >> 24) & 0xfffff, std::uint64_t(contacts.shape_b[c]));
    EXPECT_EQ(contacts.body_a[c], heap.model.shape_body[std::size_t(contacts.shape_a[c])]);
    if (c > 0) {
      EXPECT_LT(contacts.key[c - 1], contacts.key[c]);
    }
  }
}

// No pair of the heap is lost between bounds, filters and margins: all pairs by the leaf alone give the same contacts.
TEST(CollisionPass, finds_the_contacts_of_all_pairs) {
  Heap heap = make_heap(150);
  std::fill(heap.speed.begin(), heap.speed.end(), 0.5);
  heap.speed[0] = 0;
  Contacts contacts;
  Collider(heap.model).collide(heap.model.options, heap.pose, heap.speed, contacts);
  const HullArrays<double> hulls(heap.model);
  std::vector<ShapeT<double>> shapes;
  for (std::size_t s = 0; s < heap.pose.size(); ++s) {
    ShapeT<double> shape;
    shape.type = heap.model.shape_type[s];
    shape.size = heap.model.shape_size[s];
    shape.radius = norm(shape.size);
    if (shape.type == ShapeType::kSphere) shape.radius = shape.size.x;
    if (shape.type == ShapeType::kCapsule) shape.radius = shape.size.x + shape.size.y;
    if (shape.type == ShapeType::kHull) {
      shape.hull = hulls.view(heap.model.shape_hull[s]);
      shape.radius = hulls.radius(heap.model.shape_hull[s]);
    }
    place(shape, heap.pose[s].p, heap.pose[s].q);
    shapes.push_back(shape);
  }
  const Options& options = heap.model.options;
  std::vector<std::uint64_t> expected;
  for (std::size_t a = 0; a < shapes.size(); ++a)
    for (std::size_t b = a + 1; b < shapes.size(); ++b) {
      const double margin = options.contact_margin + options.timestep * (heap.speed[a] + heap.speed[b]);
      ContactPointT<double> point[kMaxPoints];
      const int count = narrow_phase(shapes[a], shapes[b], margin, point);
      for (int k = 0; k < count; ++k) expected.push_back((a << 44) | (b << 24) | point[k].feature);
    }
  EXPECT_EQ(contacts.key, expected);
  EXPECT_GT(contacts.ncontact, 300);
}

TEST(CollisionPass, does_not_use_the_heap_after_the_first) {
  if (!kCountsAllocations) GTEST_SKIP() << "a sanitizer holds the allocator";
  Heap heap = make_heap(300);
  Collider collider(heap.model);
  Contacts contacts;
  collider.collide(heap.model.options, heap.pose, heap.speed, contacts);
  const long before = allocation_count();
  for (int i = 0; i < 5; ++i) {
    // Moved apart: fewer contacts need no more memory.
    for (Transform& pose : heap.pose) pose.p = pose.p * 1.01;
    collider.collide(heap.model.options, heap.pose, heap.speed, contacts);
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_GT(before, 0);
}

}  // namespace
}  // namespace stiction::test
