// The builder: inertia of shapes against MuJoCo's compiler, layout of coordinates, and bad input.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include <mujoco/mujoco.h>

#include <stiction/builder.hpp>
#include <stiction/state.hpp>

namespace stiction {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const Transform kTilted{{0.3, -0.2, 0.5}, normalized(Quat{0.9, 0.1, -0.3, 0.2})};

// The body that MuJoCo compiles from the same geoms.
struct MujocoBody {
  std::unique_ptr<mjSpec, void (*)(mjSpec*)> spec{mj_makeSpec(), mj_deleteSpec};
  mjsBody* body = mjs_addBody(mjs_findBody(spec.get(), "world"), nullptr);
  std::unique_ptr<mjModel, void (*)(mjModel*)> model{nullptr, mj_deleteModel};

  void add(mjtGeom type, const Vec3& size, const Transform& pose, double density) {
    mjsGeom* geom = mjs_addGeom(body, nullptr);
    geom->type = type;
    geom->density = density;
    for (int i = 0; i < 3; ++i) geom->size[i] = size[i], geom->pos[i] = pose.p[i];
    geom->quat[0] = pose.q.w, geom->quat[1] = pose.q.x, geom->quat[2] = pose.q.y, geom->quat[3] = pose.q.z;
  }
  const mjModel& compile() {
    model.reset(mj_compile(spec.get(), nullptr));
    return *model;
  }
};

// R diag(I) Rᵀ: what the two descriptions of an inertia must agree on, whatever the order of axes.
Mat3 inertia_matrix(const Quat& frame, const Vec3& principal) {
  const Mat3 R = rotation_matrix(frame);
  return R * Mat3::diagonal(principal) * transpose(R);
}

void expect_same_inertia(const Model& ours, const mjModel& theirs) {
  // Measured: 9.4e-15 relative (MuJoCo rounds the frame of a sum of shapes); 0 for centres of mass.
  constexpr double kTolerance = 1e-12;
  const Vec3 com{theirs.body_ipos[3], theirs.body_ipos[4], theirs.body_ipos[5]};
  const Quat frame{theirs.body_iquat[4], theirs.body_iquat[5], theirs.body_iquat[6], theirs.body_iquat[7]};
  const Vec3 principal{theirs.body_inertia[3], theirs.body_inertia[4], theirs.body_inertia[5]};
  EXPECT_NEAR(ours.body_mass[1], theirs.body_mass[1], kTolerance * theirs.body_mass[1]);
  EXPECT_LE(norm(ours.body_com[1] - com), kTolerance);
  const Mat3 a = inertia_matrix(ours.body_inertia_frame[1], ours.body_inertia[1]), b = inertia_matrix(frame, principal);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(a(i, j), b(i, j), kTolerance * principal.x) << i << j;
}

TEST(builder, inertia_of_a_shape_is_that_of_its_solid) {
  struct Case {
    mjtGeom type;
    Vec3 size;
    std::function<void(Builder&)> add;
  };
  const ShapeSettings iron{.density = 7800};
  const std::vector<Case> cases{
      {mjGEOM_SPHERE, {0.13, 0, 0}, [&](Builder& b) { b.add_shape_sphere(1, 0.13, kTilted, iron); }},
      {mjGEOM_CAPSULE, {0.05, 0.4, 0}, [&](Builder& b) { b.add_shape_capsule(1, 0.05, 0.4, kTilted, iron); }},
      {mjGEOM_BOX, {0.1, 0.2, 0.3}, [&](Builder& b) {
         b.add_shape_box(1, {0.1, 0.2, 0.3}, kTilted, iron);
       }}};
  for (const Case& c : cases) {
    Builder builder;
    builder.add_joint_free(builder.add_body("a"));
    c.add(builder);
    MujocoBody mujoco;
    mujoco.add(c.type, c.size, kTilted, iron.density);
    expect_same_inertia(builder.build(), mujoco.compile());
  }
}

TEST(builder, inertia_of_several_shapes_follows_from_parallel_axes) {
  Builder builder;
  const Transform left{{-1, 0, 0.2}, normalized(Quat{0.5, 0.5, 0.1, 0})}, right{{0.4, 0.7, 0}, {}};
  builder.add_joint_free(builder.add_body("a"));
  builder.add_shape_sphere(1, 0.2, left, {.density = 500});
  builder.add_shape_capsule(1, 0.05, 0.4, kTilted);
  builder.add_shape_box(1, {0.1, 0.2, 0.3}, right, {.density = 2000});
  MujocoBody mujoco;
  mujoco.add(mjGEOM_SPHERE, {0.2, 0, 0}, left, 500);
  mujoco.add(mjGEOM_CAPSULE, {0.05, 0.4, 0}, kTilted, 1000);
  mujoco.add(mjGEOM_BOX, {0.1, 0.2, 0.3}, right, 2000);
  expect_same_inertia(builder.build(), mujoco.compile());
}

TEST(builder, coordinates_are_laid_out_tree_by_tree) {
  // Two trees whose bodies are added in turns: each tree's degrees of freedom still lie side by side.
  Builder builder;
  const int a = builder.add_body("a"), b = builder.add_body("b", {{0, 0, 2}, {}});
  const int a_child = builder.add_body("a_child", {{0, 0, 1}, {}}, a);
  for (const int body : {a, b, a_child}) builder.add_shape_sphere(body, 0.1);
  builder.add_joint(a, JointType::kHinge, {0, 2, 0});
  builder.add_joint_free(b);
  builder.add_joint(a_child, JointType::kBall, {});
  const Model model = builder.build();
  EXPECT_EQ(model.ntree, 2);
  EXPECT_EQ(model.nq, 1 + 4 + 7);
  EXPECT_EQ(model.nv, 1 + 3 + 6);
  EXPECT_EQ(model.body_tree, (std::vector<int>{-1, 0, 1, 0}));
  EXPECT_EQ(model.tree_root, (std::vector<int>{a, b}));
  EXPECT_EQ(model.tree_dof, (std::vector<int>{0, 4, 10}));
  EXPECT_EQ(model.joint_dof, (std::vector<int>{0, 4, 1}));
  EXPECT_EQ(model.joint_q, (std::vector<int>{0, 5, 1}));
  EXPECT_EQ(model.dof_parent, (std::vector<int>{-1, 0, 1, 2, -1, 4, 5, 6, 7, 8}));
  EXPECT_EQ(model.dof_body[3], a_child);
  EXPECT_EQ(model.joint_axis[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(model.q_reference, (std::vector<double>{0, 1, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0}));
  const State state = make_state(model);
  EXPECT_EQ(state.q, model.q_reference);
  EXPECT_EQ(state.u, std::vector<double>(10, 0.0));
}

TEST(builder, unnamed_elements_get_names_of_their_own) {
  Builder builder;
  builder.add_body("body2");
  builder.add_body("");
  const Model model = builder.build();
  EXPECT_EQ(model.body_name, (std::vector<std::string>{"world", "body2", "body2_"}));
}

TEST(builder, a_name_that_is_not_there_gives_the_nearest) {
  Builder builder("crane");
  builder.add_body("left_foot");
  builder.add_body("right_foot");
  const Model model = builder.build();
  EXPECT_EQ(model.body("right_foot"), 2);
  try {
    model.body("left_foto");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "model 'crane' has no body named 'left_foto'; did you mean 'left_foot'?");
  }
}

// What each mistake is called in the message.
struct Mistake {
  const char* says;
  std::function<void(Builder&)> make;
};

TEST(builder, mistakes_are_named) {
  const std::vector<Mistake> mistakes{
      {"body 'a': mass must be greater than 0 kg, it is 0",
       [](Builder& b) {
         b.set_inertia(1, 0, {}, {1, 1, 1});
       }},
      {"body 'a': mass must be greater than 0 kg, it is -2",
       [](Builder& b) {
         b.set_inertia(1, -2, {}, {1, 1, 1});
       }},
      {"body 'a': mass must be greater",
       [](Builder& b) {
         b.set_inertia(1, kNaN, {}, {1, 1, 1});
       }},
      {"body 'a': principal moments",
       [](Builder& b) {
         b.set_inertia(1, 1, {}, {1, -1, 1});
       }},
      {"at most the sum of the other two",
       [](Builder& b) {
         b.set_inertia(1, 1, {}, {1, 1, 3});
       }},
      {"body 'a': it turns freely but has no inertia",
       [](Builder& b) {
         b.set_inertia(1, 1, {}, {0, 1, 1});
       }},
      {"body 'b': it moves but has no mass", [](Builder& b) { b.add_joint_free(b.add_body("b")); }},
      {"body 'a': there is already", [](Builder& b) { b.add_body("a"); }},
      {"body 'c': the position must be finite",
       [](Builder& b) {
         b.add_body("c", {{kNaN, 0, 0}, {}});
       }},
      {"body 'c': the quaternion",
       [](Builder& b) {
         b.add_body("c", {{}, {0, 0, 0, 0}});
       }},
      {"there is no body 9", [](Builder& b) { b.add_body("c", {}, 9); }},
      {"there is no body -1", [](Builder& b) { b.add_shape_sphere(-1, 1); }},
      {"the world cannot have a joint", [](Builder& b) { b.add_joint_free(0); }},
      {"joint 'j': the axis must be", [](Builder& b) { b.add_joint(1, JointType::kHinge, {}, {}, "j"); }},
      {"body 'a': a free joint cannot be combined",
       [](Builder& b) {
         b.add_joint(1, JointType::kHinge, {1, 0, 0});
       }},
      {"body 'b': a free joint needs", [](Builder& b) { b.add_joint_free(b.add_body("b", {}, 1)); }},
      {"size 0 must be greater", [](Builder& b) { b.add_shape_sphere(1, 0); }},
      {"size -1 must be greater",
       [](Builder& b) {
         b.add_shape_box(0, {1, 1, -1});
       }},
      {"size -0.1 must be greater",
       [](Builder& b) {
         const int body = b.add_body("b");
         b.add_joint_free(body);
         b.add_shape_box(body, {0.1, -0.1, 0.1});
       }},
      {"the number is nan", [](Builder& b) { b.add_shape_capsule(0, 0.1, kNaN); }},
      {"friction must not be negative",
       [](Builder& b) {
         b.add_shape_sphere(0, 1, {}, {.friction = {-1, 0, 0}});
       }},
      {"restitution must lie in [0, 1]", [](Builder& b) { b.add_shape_sphere(0, 1, {}, {.restitution = 1.5}); }},
      {"condim must be 1, 3, 4 or 6", [](Builder& b) { b.add_shape_sphere(0, 1, {}, {.condim = 2}); }},
      {"a plane cannot move", [](Builder& b) { b.add_shape_plane(1, {}); }},
      {"density must be finite", [](Builder& b) { b.add_shape_sphere(0, 1, {}, {.density = kNaN}); }},
      {"option timestep = 0 is out of range", [](Builder& b) { b.options.timestep = 0; }},
  };
  for (const Mistake& mistake : mistakes) {
    Builder builder("crane");
    builder.add_joint_free(builder.add_body("a"));
    builder.add_shape_sphere(1, 0.1);
    EXPECT_NO_THROW(builder.build());
    try {
      mistake.make(builder);
      builder.build();
      ADD_FAILURE() << "accepted: " << mistake.says;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(mistake.says), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace stiction
