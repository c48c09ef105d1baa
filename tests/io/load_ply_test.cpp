// PLY meshes in MJCF and URDF: the same model as the same surface in an OBJ file, wherever the file is looked for.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <stiction/load.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

namespace fs = std::filesystem;
using test::xml_file;

// One tetrahedron with corners at three different distances, so that axes and scales cannot be mixed up.
const char* const kObj = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const char* const kPly =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
    "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 2 0\n0 0 3\n3 0 2 1\n3 0 1 3\n3 0 3 2\n"
    "3 1 2 3\n";

fs::path write(const std::string& name, const std::string& text) {
  const fs::path root = fs::path(xml_file("root.txt", "")).parent_path();
  fs::create_directories((root / name).parent_path());
  std::ofstream(root / name) << text;
  return root / name;
}

std::string mjcf(const std::string& file, const std::string& compiler = "", const std::string& mesh = "") {
  return "<mujoco><compiler " + compiler + "/><asset><mesh name=\"m\" file=\"" + file + "\" " + mesh +
         "/></asset><worldbody><body name=\"b\"><freejoint/><geom type=\"mesh\" "
         "mesh=\"m\"/></body></worldbody></mujoco>";
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(a.body_mass, b.body_mass);
  EXPECT_EQ(a.body_com[1], b.body_com[1]);
  EXPECT_EQ(a.body_inertia[1], b.body_inertia[1]);
  EXPECT_EQ(a.shape_pose[0].p, b.shape_pose[0].p);
  EXPECT_EQ(a.hull_vertex_position, b.hull_vertex_position);
  EXPECT_EQ(a.mesh_vertex_position, b.mesh_vertex_position);
  EXPECT_EQ(a.mesh_triangle_vertex, b.mesh_triangle_vertex);
}

TEST(load_ply, is_the_same_model_as_from_an_obj_file) {
  write("tip.obj", kObj);
  write("tip.ply", kPly);
  for (const MeshShapes meshes : {MeshShapes::kHulls, MeshShapes::kTriangles})
    for (const char* mesh : {"", R"(scale="2 -1 1")", R"(refpos="1 2 3" refquat="0 1 0 0")", R"(inertia="shell")"}) {
      LoadOptions options;
      options.meshes = meshes;
      const Model obj = load(write("obj.xml", mjcf("tip.obj", "", mesh)), options);
      const Model ply = load(write("ply.xml", mjcf("tip.ply", "", mesh)), options);
      ASSERT_GT(obj.body_mass[1], 0);
      expect_same(obj, ply);
    }
}

TEST(load_ply, is_found_where_other_meshes_are) {
  write("robot/meshes/tip.PLY", kPly);
  const fs::path file = write("robot/meshes/tip.ply", kPly);
  const Model plain = load(write("robot/plain.xml", mjcf("meshes/tip.ply")));
  for (const auto& [path, compiler] : {std::pair<std::string, std::string>{"meshes/tip.PLY", ""},
                                       {"tip.ply", R"(meshdir="meshes")"},
                                       {"tip.ply", "meshdir=\"" + file.parent_path().string() + "\""},
                                       {file.string(), R"(meshdir="elsewhere")"},
                                       {"C/d/tip.ply", R"(meshdir="meshes" strippath="true")"}})
    expect_same(plain, load(write("robot/other.xml", mjcf(path, compiler))));
  // An attached model has a folder and a meshdir of its own.
  write("robot/child.xml", mjcf("tip.ply", R"(meshdir="meshes")"));
  expect_same(plain, load(write("attached.xml", R"(<mujoco><asset><model name="c" file="robot/child.xml"/></asset>
      <worldbody><attach model="c" body="b" prefix="x_"/></worldbody></mujoco>)")));
}

TEST(load_ply, of_a_urdf_may_lie_in_a_package) {
  write("hand/meshes/tip.ply", kPly);
  const Model model = load(write("hand/urdf/hand.urdf", R"(<robot name="r"><link name="l">
      <collision><geometry><mesh filename="package://hand/meshes/tip.ply"/></geometry></collision></link></robot>)"));
  ASSERT_EQ(model.nhull, 1);
  EXPECT_EQ(model.hull_vertex[1], 4);
}

TEST(load_ply, a_bad_file_is_named_with_its_element) {
  write("bad.ply", "ply\nformat weird 1.0\nend_header\n");
  const fs::path model = write("bad.xml", mjcf("bad.ply"));
  const std::string folder = model.parent_path();
  for (const auto& [file, words] : {std::pair<std::string, std::string>{"bad.ply", folder + "/bad.ply:2: "},
                                    {"none.ply", folder + "/none.ply: cannot be opened"}})
    try {
      load(write("bad.xml", mjcf(file)));
      ADD_FAILURE() << "loaded";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(model.string() + ": mesh 'm' (line 1): " + words), 0u) << error.what();
    }
}

}  // namespace
}  // namespace stiction
