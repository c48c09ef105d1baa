// Builder: every call checks its arguments; poses are given as position and quaternion.
#include <stiction/builder.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>

#include "arrays.hpp"
#include "fields.hpp"
#include "module.hpp"

namespace stiction::python {

void bind_builder_mechanism(nb::module_& module, nb::class_<Builder>& bound);

namespace {

Transform to_pose(const ArrayLike& position, const ArrayLike& quaternion) {
  return {to_vec3(position, "position"), to_quat(quaternion, "quaternion")};
}

// One number is the sliding friction; torsion and rolling then keep their defaults.
Vec3 to_friction(const ArrayLike& value) {
  double sliding = 0;
  if (!nb::try_cast(value, sliding)) return to_vec3(value, "friction");
  Vec3 friction = ShapeSettings{}.friction;
  friction.x = sliding;
  return friction;
}

// One number is the sliding friction, three are those of a shape, five those of MJCF's pair.
std::optional<PairFriction> to_pair_friction(const std::optional<ArrayLike>& value) {
  if (!value) return {};
  PairFriction friction;
  if (nb::try_cast(*value, friction)) return friction;
  const Vec3 f = to_friction(*value);
  return PairFriction{f.x, f.x, f.y, f.z, f.z};
}

std::vector<Vec3> to_points(const ArrayLike& value, const char* name) {
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(value);
  const nb::object shape = array.attr("shape");
  if (nb::len(shape) != 2) throw Error(std::string(name) + ": rows of three numbers are needed");
  const nb::object checked = to_array(array, numpy_name<double>(), {nb::cast<std::size_t>(shape[0]), 3}, name);
  const auto source = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(checked);
  std::vector<Vec3> points(source.size() / 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {source.data()[3 * i], source.data()[3 * i + 1], source.data()[3 * i + 2]};
  return points;
}

nb::tuple defaults_of(const Vec3& v) {
  return nb::make_tuple(v.x, v.y, v.z);
}

// The arguments that all add_shape_… share, as parameters, as names with defaults, and as what they make.
#define STICTION_SHAPE_PARAMETERS                                                                            \
  const ArrayLike &position, const ArrayLike &quaternion, const std::string &name, double density,           \
      const ArrayLike &friction, double restitution, int condim, int contype, int conaffinity, int priority, \
      double stiffness, double damping, const ArrayLike &surface_velocity, const ArrayLike &surface_spin
#define STICTION_SHAPE_ARGUMENTS                                                                                     \
  nb::arg("position") = nb::make_tuple(0, 0, 0), nb::arg("quaternion") = nb::make_tuple(1, 0, 0, 0), nb::kw_only(),  \
  nb::arg("name") = "", nb::arg("density") = defaults.density, nb::arg("friction") = defaults_of(defaults.friction), \
  nb::arg("restitution") = defaults.restitution, nb::arg("condim") = defaults.condim,                                \
  nb::arg("contype") = defaults.contype, nb::arg("conaffinity") = defaults.conaffinity,                              \
  nb::arg("priority") = defaults.priority, nb::arg("stiffness") = defaults.stiffness,                                \
  nb::arg("damping") = defaults.damping, nb::arg("surface_velocity") = defaults_of(defaults.surface_velocity),       \
  nb::arg("surface_spin") = defaults_of(defaults.surface_spin)
#define STICTION_SHAPE_VALUES                                                                                  \
  to_pose(position, quaternion), ShapeSettings {                                                               \
    name, density, to_friction(friction), restitution, stiffness, damping,                                     \
        to_vec3(surface_velocity, "surface_velocity"), to_vec3(surface_spin, "surface_spin"), condim, contype, \
        conaffinity, priority                                                                                  \
  }

void bind_shapes(nb::class_<Builder>& bound) {
  const ShapeSettings defaults;
  bound.def(
      "add_shape_plane",
      [](Builder& self, int body, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_plane(body, STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), STICTION_SHAPE_ARGUMENTS, "A plane, solid below its z axis; for bodies that do not move.");
  bound.def(
      "add_shape_sphere",
      [](Builder& self, int body, double radius, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_sphere(body, radius, STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("radius"), STICTION_SHAPE_ARGUMENTS, "A sphere; radius [m].");
  bound.def(
      "add_shape_capsule",
      [](Builder& self, int body, double radius, double half_length, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_capsule(body, radius, half_length, STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("radius"), nb::arg("half_length"), STICTION_SHAPE_ARGUMENTS,
      "A capsule along z; radius and half-length of its axis [m].");
  bound.def(
      "add_shape_box",
      [](Builder& self, int body, const ArrayLike& half_sizes, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_box(body, to_vec3(half_sizes, "half_sizes"), STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("half_sizes"), STICTION_SHAPE_ARGUMENTS, "A box; half-sizes along x, y, z [m].");
  bound.def(
      "add_shape_cylinder",
      [](Builder& self, int body, double radius, double half_length, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_cylinder(body, radius, half_length, STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("radius"), nb::arg("half_length"), STICTION_SHAPE_ARGUMENTS,
      "A cylinder along z; radius and half-length [m].");
  bound.def(
      "add_shape_ellipsoid",
      [](Builder& self, int body, const ArrayLike& radii, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_ellipsoid(body, to_vec3(radii, "radii"), STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("radii"), STICTION_SHAPE_ARGUMENTS, "An ellipsoid; radii along x, y, z [m].");
  bound.def(
      "add_shape_hull",
      [](Builder& self, int body, const ArrayLike& points, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_hull(body, to_points(points, "points"), STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("points"), STICTION_SHAPE_ARGUMENTS,
      "The convex hull of points [m], an array of n x 3 such as the vertices of a TriangleMesh.");
  bound.def(
      "add_shape_mesh",
      [](Builder& self, int body, const TriangleMesh& mesh, STICTION_SHAPE_PARAMETERS) {
        return self.add_shape_mesh(body, mesh, STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("mesh"), STICTION_SHAPE_ARGUMENTS,
      "A surface of triangles, not convex in general: TriangleMesh(vertices, triangles) or read_mesh(path). Closed, it "
      "is the solid inside, with its mass; open, it has two sides and no mass.");
  bound.def(
      "add_shape_height_field",
      [](Builder& self, int body, const ArrayLike& heights, double half_size_x, double half_size_y, double base,
         STICTION_SHAPE_PARAMETERS) {
        const nb::object array = nb::module_::import_("numpy").attr("asarray")(heights);
        const nb::object shape = array.attr("shape");
        if (nb::len(shape) != 2) throw Error("heights: rows of samples are needed, a matrix");
        const auto rows = nb::cast<std::size_t>(shape[0]), columns = nb::cast<std::size_t>(shape[1]);
        const nb::object checked = to_array(array, numpy_name<double>(), {rows, columns}, "heights");
        const auto source = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(checked);
        return self.add_shape_height_field(body, int(rows), int(columns),
                                           {source.data(), source.data() + source.size()}, half_size_x, half_size_y,
                                           base, STICTION_SHAPE_VALUES);
      },
      nb::arg("body"), nb::arg("heights"), nb::arg("half_size_x"), nb::arg("half_size_y"), nb::arg("base"),
      STICTION_SHAPE_ARGUMENTS,
      "The solid under a matrix of heights [m], rows from −y and columns from −x, over ± the half-sizes [m] and down "
      "to "
      "z = −base.");
}

}  // namespace

void bind_builder(nb::module_& module) {
  nb::class_<Builder> bound(module, "Builder",
                            "Builds a model in code. Body 0 is the world. Every call checks its arguments.");
  const std::string signature = "def __init__(self, name: str = 'model', *, " + option_signature() + ") -> None";
  bound.def(
      "__init__",
      [](Builder* self, const std::string& name, const nb::kwargs& options) {
        const Options changed = change_options(Options{}, options);
        new (self) Builder(name);
        self->options = changed;
      },
      nb::arg("name") = "model", nb::arg("options"), nb::sig(signature.c_str()));
  bound.def(
      "add_body",
      [](Builder& self, const std::string& name, const ArrayLike& position, const ArrayLike& quaternion, int parent) {
        return self.add_body(name, to_pose(position, quaternion), parent);
      },
      nb::arg("name"), nb::arg("position") = nb::make_tuple(0, 0, 0),
      nb::arg("quaternion") = nb::make_tuple(1, 0, 0, 0), nb::arg("parent") = 0,
      "A body with its pose in the parent; returns its index. It moves only if a joint is added.");
  bound.def(
      "set_inertia",
      [](Builder& self, int body, double mass, const ArrayLike& com, const ArrayLike& principal,
         const ArrayLike& frame) {
        self.set_inertia(body, mass, to_vec3(com, "com"), to_vec3(principal, "principal"), to_quat(frame, "frame"));
      },
      nb::arg("body"), nb::arg("mass"), nb::arg("com"), nb::arg("principal"),
      nb::arg("frame") = nb::make_tuple(1, 0, 0, 0),
      "Mass [kg], centre of mass [m], principal moments of inertia [kg m²] and their axes in the body frame; without "
      "this call they follow from the shapes and their density.");
  bound.def("add_joint_free", &Builder::add_joint_free, nb::arg("body"), nb::arg("name") = "",
            "Lets the body move freely.");
  bound.def(
      "add_joint",
      [](Builder& self, int body, JointType type, const ArrayLike& axis, const ArrayLike& anchor,
         const std::string& name) {
        return self.add_joint(body, type, to_vec3(axis, "axis"), to_vec3(anchor, "anchor"), name);
      },
      nb::arg("body"), nb::arg("type"), nb::arg("axis"), nb::arg("anchor") = nb::make_tuple(0, 0, 0),
      nb::arg("name") = "", "A joint between the body and its parent; axis and anchor [m] in the body frame.");
  bind_shapes(bound);
  bind_builder_mechanism(module, bound);
  bound.def("exclude", &Builder::exclude, nb::arg("body_a"), nb::arg("body_b"),
            "The shapes of these two bodies never touch, unless they are a pair.");
  bound.def(
      "add_pair",
      [](Builder& self, int shape_a, int shape_b, const std::optional<ArrayLike>& friction,
         std::optional<double> restitution, std::optional<int> condim, double margin) {
        self.add_pair(shape_a, shape_b, {to_pair_friction(friction), restitution, condim, margin});
      },
      nb::arg("shape_a"), nb::arg("shape_b"), nb::kw_only(), nb::arg("friction") = nb::none(),
      nb::arg("restitution") = nb::none(), nb::arg("condim") = nb::none(), nb::arg("margin") = 0.0,
      "An explicit pair: these two shapes touch whatever the rules for others say, with this friction (one number, "
      "three as of a shape, or five: sliding along two tangents, torsion, rolling about them), restitution, condim and "
      "margin [m]. What is not given follows from the two shapes.");
  bound.def(
      "build", [](const Builder& self) { return std::make_shared<const Model>(self.build()); },
      "The finished model, checked. The builder can be used on.");
}

}  // namespace stiction::python
