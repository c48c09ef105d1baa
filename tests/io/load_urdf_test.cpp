// URDF: joints that mimic others, meshes in packages, links without inertia.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <stiction/load.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

using test::xml_file;

const std::string kInertial =
    R"(<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";

std::string link(const std::string& name, const std::string& inside = kInertial) {
  return "<link name=\"" + name + "\">" + inside + "</link>";
}
std::string joint(const std::string& name, const std::string& child, const std::string& inside = "") {
  return "<joint name=\"" + name + "\" type=\"revolute\"><parent link=\"base\"/><child link=\"" + child +
         "\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>" + inside + "</joint>";
}
std::string robot(const std::string& inside) {
  return "<robot name=\"r\">" + link("base", "") + inside + "</robot>";
}

TEST(load_urdf, mimic_becomes_an_equality_of_joints) {
  LoadReport report;
  const Model model =
      load(xml_file("mimic.urdf", robot(link("a") + joint("j", "a") + link("b") +
                                        joint("k", "b", R"(<mimic joint="j" multiplier="-2" offset="0.3"/>)"))),
           {}, &report);
  EXPECT_TRUE(report.issues.empty()) << report.text();
  ASSERT_EQ(model.nequality, 1);
  EXPECT_EQ(model.equality_type[0], EqualityType::kJoint);
  EXPECT_EQ(model.joint_name[std::size_t(model.equality_a[0])], "k");
  EXPECT_EQ(model.joint_name[std::size_t(model.equality_b[0])], "j");
  EXPECT_EQ(model.equality_polynomial[0], (Polynomial{0.3, -2, 0, 0, 0}));
}

void expect_refusal(const std::string& text, const std::string& words) {
  try {
    load(xml_file("bad.urdf", text));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(load_urdf, a_joint_that_mimics_nothing_is_named) {
  expect_refusal(robot(link("a") + joint("j", "a", R"(<mimic joint="elbow"/>)")),
                 "the joint that it mimics is not there");
}

TEST(load_urdf, limits_the_wrong_way_round_are_named) {
  std::string text = robot(link("a") + joint("j", "a"));
  text.replace(text.find("lower=\"-1\""), 10, "lower=\"2\"");
  expect_refusal(text, "joint 'j': its lower limit 2 is above its upper limit 1");
}

// One tetrahedron.
const char* const kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string with_mesh(const std::string& file) {
  return robot(link("a", kInertial + "<collision><geometry><mesh filename=\"" + file + "\"/></geometry></collision>") +
               joint("j", "a"));
}

TEST(load_urdf, meshes_of_a_package_are_found_above_the_file) {
  const std::filesystem::path root = std::filesystem::path(xml_file("root.txt", "")).parent_path();
  std::filesystem::create_directories(root / "hand_description" / "meshes");
  std::filesystem::create_directories(root / "hand_description" / "urdf");
  std::filesystem::create_directories(root / "robots");
  std::ofstream(root / "hand_description" / "meshes" / "tip.obj") << kObj;
  // Inside of the package, and beside it.
  for (const auto& file : {root / "hand_description" / "urdf" / "in.urdf", root / "robots" / "beside.urdf"}) {
    std::ofstream(file) << with_mesh("package://hand_description/meshes/tip.obj");
    const Model model = load(file.string());
    ASSERT_EQ(model.nhull, 1) << file;
    EXPECT_EQ(model.hull_vertex[1], 4);
  }
}

TEST(load_urdf, a_package_that_is_not_there_is_named) {
  const std::string path = xml_file("lost.urdf", with_mesh("package://no_such_package/tip.obj"));
  try {
    load(path);
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find(path + ": there is no folder 'no_such_package'"), 0u) << text;
  }
}

TEST(load_urdf, links_without_inertial_are_reported) {
  LoadReport report;
  load(xml_file("light.urdf", robot(link("a", R"(<collision><geometry><box size="1 1 1"/></geometry></collision>)") +
                                    joint("j", "a"))),
       {}, &report);
  ASSERT_EQ(report.issues.size(), 1u) << report.text();
  EXPECT_EQ(report.issues[0].element, "link 'a'");
  EXPECT_FALSE(report.issues[0].changes_physics);
  // Without geometry it cannot move.
  try {
    load(xml_file("none.urdf", robot(link("a", "") + joint("j", "a"))));
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'a'"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("inertial"), std::string::npos) << error.what();
  }
}

TEST(load_urdf, impossible_inertia_says_what_to_do) {
  const std::string flat =
      R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>)";
  const std::string thin =
      R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial>)";
  for (const auto& [inertial, hint] : {std::pair{flat, "principal moments"}, std::pair{thin, "balanceinertia"}}) {
    try {
      load(xml_file("bad.urdf", robot(link("a", inertial) + joint("j", "a"))));
      ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'a'"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(hint), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace stiction
