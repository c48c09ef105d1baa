// Which shapes touch and with what friction: the same as MuJoCo says for the same file. Restitution and explicit pairs
// that MuJoCo does not have are checked by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "collide/collide.hpp"
#include "problem/contact_frame.hpp"
#include "support/random.hpp"

#include <stiction/builder.hpp>
#include <stiction/load.hpp>

namespace stiction::test {
namespace {

std::vector<Transform> shape_poses(const Model& model) {
  std::vector<Transform> body(model.body_pose.size()), shape;
  for (std::size_t b = 1; b < body.size(); ++b) body[b] = body[std::size_t(model.body_parent[b])] * model.body_pose[b];
  for (std::size_t s = 0; s < model.shape_pose.size(); ++s)
    shape.push_back(body[std::size_t(model.shape_body[s])] * model.shape_pose[s]);
  return shape;
}

Contacts collide(const Model& model, double speed = 0) {
  const std::vector<Transform> pose = shape_poses(model);
  const std::vector<double> speeds(pose.size(), speed);
  Contacts contacts;
  Collider collider(model);
  collider.collide(model.options, pose, speeds, contacts);
  return contacts;
}

using Frictions = std::map<std::pair<std::string, std::string>, PairFriction>;

void note(Frictions& pairs, std::string a, std::string b, const PairFriction& friction) {
  if (b < a) std::swap(a, b);
  pairs[{a, b}] = friction;
}

Frictions our_pairs(const Model& model) {
  const Contacts contacts = collide(model);
  Frictions pairs;
  for (std::size_t c = 0; c < contacts.gap.size(); ++c)
    note(pairs, model.shape_name[std::size_t(contacts.shape_a[c])], model.shape_name[std::size_t(contacts.shape_b[c])],
         {contacts.friction[c], contacts.friction_second[c], contacts.friction_torque[c].x,
          contacts.friction_torque[c].y, contacts.friction_torque[c].z});
  return pairs;
}

Frictions mujoco_pairs(const std::string& path) {
  char error[500] = "";
  const std::unique_ptr<mjModel, void (*)(mjModel*)> model(mj_loadXML(path.c_str(), nullptr, error, sizeof error),
                                                           mj_deleteModel);
  if (!model) throw Error(error);
  const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
  mj_forward(model.get(), data.get());
  Frictions pairs;
  for (int c = 0; c < data->ncon; ++c) {
    const mjContact& contact = data->contact[c];
    PairFriction friction{};  // the directions that its dimension has: 1 none, 3 sliding, 4 and torsion, 6 and rolling
    for (int k = 0; k < contact.dim - 1; ++k) friction[std::size_t(k)] = contact.friction[k];
    note(pairs, mj_id2name(model.get(), mjOBJ_GEOM, contact.geom[0]),
         mj_id2name(model.get(), mjOBJ_GEOM, contact.geom[1]), friction);
  }
  return pairs;
}

// A heap of overlapping spheres on random trees of bodies: some welded, some jointed, some fixed to the world.
std::string random_world(Random& random) {
  std::string bodies, contact;
  std::vector<std::string> body_names, geom_names;
  int next = 0;
  const auto geom = [&](const std::string& name) {
    geom_names.push_back(name);
    const int condims[] = {1, 3, 4, 6};
    return fmt::format(
        "<geom name='{}' size='0.5' pos='{} {} 0' friction='{} {} {}' condim='{}' priority='{}' contype='{}' "
        "conaffinity='{}'/>",
        name, random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), random.uniform(0.1, 1), random.uniform(0.001, 0.1),
        random.uniform(0.001, 0.1), condims[random.integer(0, 3)], random.chance(0.2) ? random.integer(1, 2) : 0,
        random.integer(0, 3), random.integer(0, 3));
  };
  const std::function<std::string(int)> body = [&](int depth) {
    const std::string name = fmt::format("b{}", next++);
    body_names.push_back(name);
    std::string text = fmt::format("<body name='{}'>", name);
    if (depth == 0)
      text += random.chance(0.7) ? "<freejoint/>" : "";
    else if (random.chance(0.6))
      text += "<joint type='hinge' axis='1 0 0'/>";
    const int geoms = random.integer(1, 2);
    for (int g = 0; g < geoms; ++g) text += geom(fmt::format("g_{}_{}", name, g));
    const int children = depth < 3 ? random.integer(0, 2) : 0;
    for (int c = 0; c < children; ++c) text += body(depth + 1);
    return text + "</body>";
  };
  bodies += geom("ground");
  for (int root = 0; root < 3; ++root) bodies += body(0);
  for (int e = 0; e < 3; ++e) {
    const int a = random.integer(0, int(body_names.size()) - 1), b = random.integer(0, int(body_names.size()) - 1);
    if (a != b)
      contact +=
          fmt::format("<exclude body1='{}' body2='{}'/>", body_names[std::size_t(a)], body_names[std::size_t(b)]);
  }
  return fmt::format("<mujoco><worldbody>{}</worldbody><contact>{}</contact></mujoco>", bodies, contact);
}

class RulesFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_.string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

 private:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                fmt::format("stiction_rules_{}.xml", reinterpret_cast<std::uintptr_t>(this));
};

TEST_F(RulesFile, pairs_and_friction_are_those_of_mujoco) {
  Random random(12);
  std::size_t total = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string path = write(random_world(random));
    LoadOptions lenient;
    lenient.allow_unsupported = true;
    const Frictions ours = our_pairs(load(path, lenient)), theirs = mujoco_pairs(path);
    EXPECT_EQ(ours, theirs) << "world " << i;
    total += theirs.size();
  }
  EXPECT_GT(total, 500u);
}

TEST_F(RulesFile, explicit_pairs_pass_the_filters_with_their_own_surface) {
  const std::string path = write(
      "<mujoco><worldbody>"
      "<body name='a'><freejoint/><geom name='ga' size='0.5' contype='0' conaffinity='0'/></body>"
      "<body name='b' pos='0.9 0 0'><freejoint/><geom name='gb' size='0.5' contype='0' conaffinity='0'/></body>"
      "<body name='c' pos='1.8 0 0'><freejoint/><geom name='gc' size='0.5' contype='0' conaffinity='0'/></body>"
      "</worldbody><contact><pair geom1='gb' geom2='ga' condim='6' friction='0.3 0.5 0.1 0.2 "
      "0.4'/></contact></mujoco>");
  LoadOptions lenient;
  lenient.allow_unsupported = true;
  const Frictions expected{{{"ga", "gb"}, {0.3, 0.5, 0.1, 0.2, 0.4}}};
  EXPECT_EQ(our_pairs(load(path, lenient)), expected);
  EXPECT_EQ(mujoco_pairs(path), expected);
}

// Friction that depends on the direction names its tangents by MuJoCo's frame of the normal. Either sign is the same
// line.
TEST_F(RulesFile, tangents_of_directed_friction_are_those_of_mujoco) {
  Random random(4);
  for (int i = 0; i < 50; ++i) {
    const Vec3 at = random.direction() * 0.9;
    const std::string path =
        write(fmt::format("<mujoco><worldbody><body name='a'><freejoint/><geom name='ga' size='0.5'/></body>"
                          "<body name='b' pos='{} {} {}'><freejoint/><geom name='gb' size='0.5'/></body></worldbody>"
                          "<contact><pair geom1='ga' geom2='gb' condim='3' friction='0.3 0.5'/></contact></mujoco>",
                          at.x, at.y, at.z));
    const ContactFrame ours(collide(load(path)), 0);
    const std::unique_ptr<mjModel, void (*)(mjModel*)> model(mj_loadXML(path.c_str(), nullptr, nullptr, 0),
                                                             mj_deleteModel);
    const std::unique_ptr<mjData, void (*)(mjData*)> data(mj_makeData(model.get()), mj_deleteData);
    mj_forward(model.get(), data.get());
    ASSERT_EQ(data->ncon, 1);
    for (int k = 0; k < 3; ++k) {
      const mjtNum* theirs = data->contact[0].frame + 3 * k;
      const Vec3 axis = ours.axis[k] / ours.weight[k];
      EXPECT_NEAR(std::abs(dot(axis, Vec3{theirs[0], theirs[1], theirs[2]})), 1, 1e-12) << "axis " << k;
    }
  }
}

Model two_balls(double gap, const ShapeSettings& first, const ShapeSettings& second) {
  Builder builder;
  for (const auto& [x, settings] : {std::pair{0.0, first}, std::pair{0.2 + gap, second}}) {
    const int body = builder.add_body("", {{x, 0, 0}, {}});
    builder.add_joint_free(body);
    builder.add_shape_sphere(body, 0.1, {}, settings);
  }
  return builder.build();
}

TEST(Rules, restitution_is_the_larger_or_that_of_the_higher_priority) {
  ShapeSettings soft, hard;
  soft.restitution = 0.2;
  hard.restitution = 0.7;
  EXPECT_EQ(collide(two_balls(0, soft, hard)).restitution.at(0), 0.7);
  soft.priority = 1;
  EXPECT_EQ(collide(two_balls(0, soft, hard)).restitution.at(0), 0.2);
}

TEST(Rules, contacts_reach_as_far_as_the_pair_can_move_in_a_step) {
  Model model = two_balls(0.01, {}, {});
  model.options.contact_margin = 0.001;
  model.options.timestep = 0.002;
  // margin = 0.001 + 0.002 (v + v) > 0.01 for v > 2.25
  EXPECT_EQ(collide(model, 2.2).ncontact, 0);
  EXPECT_EQ(collide(model, 2.3).ncontact, 1);
  EXPECT_EQ(collide(model, 0).ncontact, 0);
}

// The surfaces stand off the shapes by their margins, as in MuJoCo: the contact holds at their sum.
TEST(Rules, shapes_touch_at_the_sum_of_their_margins) {
  Model model = two_balls(0.01, {}, {});
  model.options.contact_margin = 0.001;
  model.shape_margin = {0.003, 0.0065};
  Contacts contacts = collide(model);
  ASSERT_EQ(contacts.ncontact, 1);
  EXPECT_NEAR(contacts.gap[0], 0.0005, 1e-15);
  model.shape_margin[1] = 0.009;
  EXPECT_NEAR(collide(model).gap.at(0), -0.002, 1e-15);
  model.shape_margin = {0, 0.008};
  EXPECT_EQ(collide(model).ncontact, 0);
}

// A fast ball hits the first of two: the second may be struck within the same step.
TEST(Rules, speed_is_passed_on_to_neighbours) {
  Builder builder;
  const double x[3] = {0, 0.201, 0.405};
  for (int i = 0; i < 3; ++i) {
    const int body = builder.add_body("", {{x[i], 0, 0}, {}});
    builder.add_joint_free(body);
    builder.add_shape_sphere(body, 0.1);
  }
  Model model = builder.build();
  model.options.timestep = 0.002;
  const std::vector<Transform> pose = shape_poses(model);
  Collider collider(model);
  Contacts contacts;
  collider.collide(model.options, pose, std::vector<double>{0, 0, 0}, contacts);
  EXPECT_EQ(contacts.ncontact, 0);  // gaps 1 mm (not below the margin) and 4 mm
  collider.collide(model.options, pose, std::vector<double>{5, 0, 0}, contacts);
  EXPECT_EQ(contacts.ncontact, 2);
}

// A foot of two soles, turned a little, on a floor of two tiles: the points of all four pairs lie in one plane, so that
// the turn that closes their different gaps moves none of them along it (as in the manifold of one pair). Gaps are
// those of the pairs, h(x, y) = z of the sole above the floor at z = 0.
TEST(CollideRules, shapes_of_the_same_bodies_share_flat_patches) {
  Builder builder("foot");
  for (const double y : {-0.5, 0.5}) builder.add_shape_box(0, {1, 0.5, 0.1}, {{0, y, -0.1}, {}});
  const Quat turn = quat_from_rotation_vector(Vec3{4e-4, 3e-4, 0.2});
  const int foot = builder.add_body("foot", {{0.01, 0.02, 0.0501}, turn});
  builder.add_joint_free(foot);
  for (const double x : {-0.1, 0.1}) builder.add_shape_box(foot, {0.08, 0.06, 0.05}, {{x, 0, 0}, {}});
  const Model model = builder.build();
  const Contacts contacts = collide(model);
  ASSERT_GE(contacts.ncontact, 8);
  double least = 1, most = -1;
  for (std::size_t c = 0; c < contacts.gap.size(); ++c) {
    EXPECT_EQ(contacts.normal[c], contacts.normal[0]);
    EXPECT_NEAR(dot(contacts.normal[c], contacts.point[c] - contacts.point[0]), 0, 1e-15);
    least = std::min(least, contacts.gap[c]);
    most = std::max(most, contacts.gap[c]);
  }
  EXPECT_GT(most - least, 5e-5);  // so there was something to make flat
}

}  // namespace
}  // namespace stiction::test
