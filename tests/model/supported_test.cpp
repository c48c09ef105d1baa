// What step cannot simulate is named, element by element, in the words of the feature table.
#include "model/supported.hpp"

#include <gtest/gtest.h>

#include <stiction/builder.hpp>

namespace stiction {
namespace {

Model free_ball() {
  Builder builder;
  builder.add_shape_plane(0, {});
  builder.add_joint_free(builder.add_body("ball"), "ball_joint");
  builder.add_shape_sphere(1, 0.1, {}, {.name = "skin"});
  return builder.build();
}

TEST(supported, free_bodies_with_primitive_shapes_are) {
  EXPECT_TRUE(unsupported_by_step(free_ball()).empty());
}

TEST(supported, trees_of_any_joints_are) {
  Builder builder;
  for (const JointType type : {JointType::kHinge, JointType::kSlide, JointType::kBall}) {
    const int body = builder.add_body("");
    builder.add_shape_sphere(body, 0.1);
    builder.add_joint(body, type, {1, 0, 0});
  }
  Model model = builder.build();
  model.dof_armature.assign(model.dof_armature.size(), 1.0);
  EXPECT_EQ(unsupported_by_step(model), std::vector<std::string>{});
}

TEST(supported, friction_of_every_condim_is) {
  for (const int condim : {1, 3, 4, 6}) {
    Model model = free_ball();
    model.shape_condim[1] = condim;
    EXPECT_TRUE(unsupported_by_step(model).empty()) << condim;
  }
}

TEST(supported, shapes_that_touch_nothing_may_be_of_any_type) {
  Model model = free_ball();
  model.shape_type[1] = ShapeType::kMesh;
  model.shape_mesh[1] = -1;
  EXPECT_EQ(unsupported_by_step(model),
            std::vector<std::string>{
                "a mesh without a convex hull does not collide: load it with meshes=\"triangles\": shape 'skin'"});
  model.shape_contype[1] = model.shape_conaffinity[1] = 0;
  EXPECT_TRUE(unsupported_by_step(model).empty());
  // Bits that no other shape answers are as good as none.
  model.shape_contype[1] = 2;
  EXPECT_TRUE(unsupported_by_step(model).empty());
}

}  // namespace
}  // namespace stiction
