// Builds a Model in code. Arguments are checked here, call by call; what concerns several elements is checked by
// check_model when the model is finished.
#include <stiction/builder.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/convex_hull.hpp"
#include "model/mesh_solid.hpp"
#include "model/names.hpp"

namespace stiction {

namespace {

bool is_finite(const Quat& q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

bool is_rotation(const Quat& q) {
  return is_finite(q) && q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > 0;
}

std::string text(const Vec3& v) {
  return fmt::format("({} {} {})", v.x, v.y, v.z);
}

}  // namespace

Builder::Builder(std::string name) : name_(std::move(name)) {
  Body world;
  world.name = "world";
  bodies_.push_back(world);
}

void Builder::require(bool holds, const std::string& element, const std::string& problem) const {
  if (!holds) throw Error(fmt::format("model '{}', {}: {}", name_, element, problem));
}

void Builder::require_body(int body, const std::string& element) const {
  require(body >= 0 && body < static_cast<int>(bodies_.size()), element,
          fmt::format("there is no body {}; bodies are 0 (the world) to {}", body, bodies_.size() - 1));
}

int Builder::add_body(const std::string& name, const Transform& pose, int parent) {
  const std::string element = fmt::format("body '{}'", name);
  require_body(parent, element);
  require(name.empty() || std::none_of(bodies_.begin(), bodies_.end(), [&](const Body& b) { return b.name == name; }),
          element, "there is already a body of that name");
  require(stiction::is_finite(pose.p), element, "the position must be finite, it is " + text(pose.p));
  require(is_rotation(pose.q), element, "the quaternion of its pose must be finite and not zero");
  Body body;
  body.name = name;
  body.parent = parent;
  body.pose = {pose.p, normalized(pose.q)};
  bodies_.push_back(body);
  return static_cast<int>(bodies_.size()) - 1;
}

void Builder::set_inertia(int body, double mass, const Vec3& com, const Vec3& principal, const Quat& frame) {
  require_body(body, "set_inertia");
  Body& target = bodies_[static_cast<std::size_t>(body)];
  const std::string element = fmt::format("body '{}'", target.name);
  require(body != 0, element, "the world has no inertia");
  require(std::isfinite(mass) && mass > 0, element, fmt::format("mass must be greater than 0 kg, it is {}", mass));
  require(stiction::is_finite(com), element, "the centre of mass must be finite, it is " + text(com));
  for (int i = 0; i < 3; ++i)
    require(std::isfinite(principal[i]) && principal[i] >= 0, element,
            "principal moments of inertia must be finite and at least 0 kg m², they are " + text(principal));
  require(is_rotation(frame), element, "the quaternion of the inertia frame must be finite and not zero");
  target.has_inertia = true;
  target.mass = mass;
  target.com = com;
  target.principal = principal;
  target.frame = normalized(frame);
}

int Builder::add_joint_free(int body, const std::string& name) {
  return add_joint(body, JointType::kFree, {}, {}, name);
}

int Builder::add_joint(int body, JointType type, const Vec3& axis, const Vec3& anchor, const std::string& name) {
  const std::string element = fmt::format("joint '{}'", name);
  require_body(body, element);
  require(body != 0, element, "the world cannot have a joint: add a body first");
  require(name.empty() || std::none_of(joints_.begin(), joints_.end(), [&](const Joint& j) { return j.name == name; }),
          element, "there is already a joint of that name");
  const bool turns_or_slides = type == JointType::kHinge || type == JointType::kSlide;
  require(!turns_or_slides || (stiction::is_finite(axis) && norm(axis) > 0), element,
          "the axis must be finite and not zero, it is " + text(axis));
  require(stiction::is_finite(anchor), element, "the anchor must be finite, it is " + text(anchor));
  require(joints_.empty() || joints_.back().body == body ||
              std::none_of(joints_.begin(), joints_.end(), [&](const Joint& j) { return j.body == body; }),
          element, "add the joints of a body one after another");
  joints_.push_back({name, body, type, turns_or_slides ? normalized(axis) : Vec3{0, 0, 1}, anchor});
  return static_cast<int>(joints_.size()) - 1;
}

int Builder::add_shape_plane(int body, const Transform& pose, const ShapeSettings& settings) {
  return add_shape(body, ShapeType::kPlane, {}, pose, settings);
}

int Builder::add_shape_sphere(int body, double radius, const Transform& pose, const ShapeSettings& settings) {
  return add_shape(body, ShapeType::kSphere, {radius, 0, 0}, pose, settings);
}

int Builder::add_shape_capsule(int body, double radius, double half_length, const Transform& pose,
                               const ShapeSettings& settings) {
  return add_shape(body, ShapeType::kCapsule, {radius, half_length, 0}, pose, settings);
}

int Builder::add_shape_box(int body, const Vec3& half_sizes, const Transform& pose, const ShapeSettings& settings) {
  return add_shape(body, ShapeType::kBox, half_sizes, pose, settings);
}

int Builder::add_shape_cylinder(int body, double radius, double half_length, const Transform& pose,
                                const ShapeSettings& settings) {
  return add_shape(body, ShapeType::kCylinder, {radius, half_length, 0}, pose, settings);
}

int Builder::add_shape_ellipsoid(int body, const Vec3& radii, const Transform& pose, const ShapeSettings& settings) {
  return add_shape(body, ShapeType::kEllipsoid, radii, pose, settings);
}

int Builder::add_shape_hull(int body, const std::vector<Vec3>& points, const Transform& pose,
                            const ShapeSettings& settings) {
  const std::string element = detail::shape_called(settings.name, shapes_.size());
  require(points.size() >= 4, element, fmt::format("a hull needs four points at least, there are {}", points.size()));
  TriangleMesh hull;
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(stiction::is_finite(points[i]), element, fmt::format("point {} is not finite: {}", i, text(points[i])));
    hull.vertices.insert(hull.vertices.end(), {points[i].x, points[i].y, points[i].z});
  }
  for (const auto& triangle : detail::convex_hull(points))
    hull.triangles.insert(hull.triangles.end(), triangle.begin(), triangle.end());
  require(!hull.triangles.empty(), element, "all points lie in a plane: a hull needs a volume");
  const int shape = add_shape(body, ShapeType::kHull, {}, pose, settings);
  shapes_.back().table = static_cast<int>(hulls_.size());
  hulls_.push_back(std::move(hull));
  return shape;
}

int Builder::add_shape_mesh(int body, const TriangleMesh& mesh, const Transform& pose, const ShapeSettings& settings) {
  const std::string defect = detail::mesh_defect(mesh);
  require(defect.empty(), detail::shape_called(settings.name, shapes_.size()), defect);
  const int shape = add_shape(body, ShapeType::kMesh, {}, pose, settings);
  shapes_.back().table = static_cast<int>(meshes_.size());
  meshes_.push_back(detail::without_repeats(mesh));
  return shape;
}

int Builder::add_shape_height_field(int body, int rows, int columns, const std::vector<double>& heights,
                                    double half_size_x, double half_size_y, double base, const Transform& pose,
                                    const ShapeSettings& settings) {
  const std::string element = detail::shape_called(settings.name, shapes_.size());
  require(rows >= 2 && columns >= 2, element,
          fmt::format("it needs two rows and two columns at least, it has {} and {}", rows, columns));
  require(heights.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), element,
          fmt::format("{} rows and {} columns ask for {} heights, there are {}", rows, columns,
                      static_cast<long>(rows) * columns, heights.size()));
  for (std::size_t i = 0; i < heights.size(); ++i)
    require(std::isfinite(heights[i]) && heights[i] > -base, element,
            fmt::format("height {} is {} m: it must be finite and above the base at {} m", i, heights[i], -base));
  require(std::isfinite(half_size_x) && half_size_x > 0 && std::isfinite(half_size_y) && half_size_y > 0, element,
          fmt::format("half-sizes must be greater than 0 m, they are {} and {}", half_size_x, half_size_y));
  const int shape = add_shape(body, ShapeType::kHeightField, {}, pose, settings);
  shapes_.back().table = static_cast<int>(height_fields_.size());
  height_fields_.push_back({rows, columns, {half_size_x, half_size_y, base}, heights});
  return shape;
}

int Builder::add_shape(int body, ShapeType type, const Vec3& size, const Transform& pose,
                       const ShapeSettings& settings) {
  const std::string element = detail::shape_called(settings.name, shapes_.size());
  require_body(body, element);
  require(settings.name.empty() || std::none_of(shapes_.begin(), shapes_.end(),
                                                [&](const Shape& s) { return s.settings.name == settings.name; }),
          element, "there is already a shape of that name");
  require(stiction::is_finite(pose.p), element, "the position must be finite, it is " + text(pose.p));
  require(is_rotation(pose.q), element, "the quaternion of its pose must be finite and not zero");
  require(std::isfinite(settings.density) && settings.density >= 0, element,
          fmt::format("density must be finite and at least 0 kg/m³, it is {}", settings.density));
  require(settings.stiffness > 0, element,
          fmt::format("stiffness of contact must be positive (infinite: rigid), it is {} N/m", settings.stiffness));
  shapes_.push_back({settings, body, type, size, {pose.p, normalized(pose.q)}, -1});
  return static_cast<int>(shapes_.size()) - 1;
}

}  // namespace stiction
