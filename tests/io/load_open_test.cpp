// Flat and open meshes, of which MuJoCo makes no hull and no volume, load where they collide triangle by triangle.
#include <gtest/gtest.h>

#include <stiction/load.hpp>
#include <stiction/query.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

using test::mjcf;
using test::xml_file;

const std::string kFlat = R"(vertex="0 0 0 1 0 0 0 2 0 1 2 0" face="0 1 2 1 3 2")";
const std::string kInertial = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";
const LoadOptions kTriangles{.meshes = MeshShapes::kTriangles};

std::string with_mesh(const std::string& mesh, const std::string& world, const std::string& rest = "") {
  return mjcf("<asset><mesh name=\"m\" " + mesh + "/></asset><worldbody>" + world + "</worldbody>" + rest);
}

// The sheet lies where the file has it: a ray down meets it at its height, inside of its outline only.
void expect_sheet(Model model, double height) {
  ASSERT_EQ(model.nmesh, 1);
  EXPECT_EQ(model.mesh_triangle[1], 2);
  const auto shared = std::make_shared<const Model>(std::move(model));
  const Query query(shared);
  EXPECT_NEAR(query.ray({0.9, 1.9, 5}, {0, 0, -1}).distance, 5 - height, 1e-6);
  EXPECT_EQ(query.ray({1.1, 1.9, 5}, {0, 0, -1}).shape, -1);
}

TEST(load_open, a_flat_sheet_is_a_floor) {
  for (const std::string inertia : {"", R"( inertia="shell")", R"( inertia="convex")"}) {
    const Model model =
        load(with_mesh(kFlat + inertia, R"(<geom type="mesh" mesh="m" pos="0 0 1" contype="2" conaffinity="4"/>)"),
             kTriangles);
    EXPECT_EQ(model.shape_contype[0], 2);
    EXPECT_EQ(model.shape_conaffinity[0], 4);
    expect_sheet(model, 1);
  }
}

TEST(load_open, one_geom_may_choose_triangles) {
  const Model model = load(with_mesh(kFlat, R"(<geom name="g" type="mesh" mesh="m"/>)",
                                     R"(<custom><text name="meshes:g" data="triangles"/></custom>)"));
  expect_sheet(model, 0);
}

TEST(load_open, moving_sheets_have_the_inertia_that_the_file_gives) {
  const std::string sheet = R"(<freejoint/><geom type="mesh" mesh="m"/>)";
  const Model given = load(with_mesh(kFlat, "<body>" + kInertial + sheet + "</body>"), kTriangles);
  EXPECT_EQ(given.body_mass[1], 1);
  EXPECT_EQ(given.shape_contype[0], 1);
  try {
    load(with_mesh(kFlat, "<body>" + sheet + "</body>"), kTriangles);
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("give its body an inertial element"), std::string::npos) << error.what();
  }
}

TEST(load_open, visual_geoms_that_are_discarded_take_no_sheet_with_them) {
  const Model model = load(mjcf("<compiler discardvisual=\"true\"/><asset><mesh name=\"m\" " + kFlat +
                                "/></asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody>"),
                           kTriangles);
  expect_sheet(model, 0);
}

TEST(load_open, links_of_a_urdf_may_be_sheets) {
  xml_file("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 1 2 0\nf 1 2 3\nf 2 4 3\n");
  const std::string inertial =
      R"(<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";
  for (const std::string& inside : {std::string(), inertial})
    expect_sheet(load(xml_file("flat.urdf", "<robot name=\"r\"><link name=\"l\">" + inside +
                                                "<collision><geometry><mesh filename=\"flat.obj\"/></geometry>"
                                                "</collision></link></robot>"),
                      kTriangles),
                 0);
}

TEST(load_open, a_scale_of_zero_makes_no_sheet) {
  const std::string solid = R"(vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3" scale="1 0 1")";
  EXPECT_THROW(load(with_mesh(solid, R"(<geom type="mesh" mesh="m"/>)"), kTriangles), Error);
}

TEST(load_open, as_a_hull_it_is_refused_with_what_to_do) {
  try {
    load(with_mesh(kFlat, R"(<geom type="mesh" mesh="m"/>)"));
    ADD_FAILURE() << "loaded";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("mesh 'm' has coplanar vertices"), std::string::npos) << text;
    EXPECT_NE(text.find("Builder.add_shape_mesh"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace stiction
