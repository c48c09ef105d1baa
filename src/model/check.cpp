// Is a model consistent? Lengths of arrays, indices, finite numbers, names, and masses that can be moved.
// The first thing wrong is thrown as an Error that names the element.
#include <cmath>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include <stiction/model.hpp>

#include "model/check_mechanism.hpp"
#include "model/inertia.hpp"
#include "model/tree.hpp"

namespace stiction {

namespace {

// Numbers in files are rounded: a flat body may miss A + B ≥ C by the last of six digits.
constexpr double kTriangleTolerance = 1e-6;

using Names = std::vector<std::string>;

class Checker {
 public:
  explicit Checker(const Model& model) : model_(model) {}

  void require(bool holds, std::string_view element, std::string_view problem) const {
    if (!holds) throw Error(fmt::format("model '{}', {}: {}", model_.name, element, problem));
  }

  void lengths() const {
#define STICTION_CHECK_SIZE(name, meaning) \
  const int name = model_.name;            \
  require(name >= 0, #name, fmt::format("a count cannot be {}", name));
#define STICTION_CHECK_LENGTH(type, name, count, unit, meaning)         \
  require(model_.name.size() == static_cast<std::size_t>(count), #name, \
          fmt::format("the array has {} entries, the sizes ask for {}", model_.name.size(), count));
    STICTION_MODEL_SIZES(STICTION_CHECK_SIZE)
    STICTION_MODEL_ARRAYS(STICTION_CHECK_LENGTH)
#undef STICTION_CHECK_SIZE
#undef STICTION_CHECK_LENGTH
    require(nbody >= 1, "nbody", "there is no world body");
  }

  // Entry i of an array with its element: "body 'foot', body_mass".
  std::string entry(std::string_view array, std::size_t length, std::size_t i) const {
    const std::pair<std::string_view, const Names*> owners[] = {
        {"body", &model_.body_name},         {"joint", &model_.joint_name},       {"shape", &model_.shape_name},
        {"site", &model_.site_name},         {"equality", &model_.equality_name}, {"tendon", &model_.tendon_name},
        {"actuator", &model_.actuator_name}, {"sensor", &model_.sensor_name},     {"key", &model_.key_name}};
    for (const auto& [kind, names] : owners)
      if (array.starts_with(kind) && length == names->size())
        return fmt::format("{} '{}', {}", kind, (*names)[i], array);
    if (array.starts_with("dof_") && length == model_.dof_joint.size() && is_joint(model_.dof_joint[i]))
      return fmt::format("joint '{}', {}", model_.joint_name[std::size_t(model_.dof_joint[i])], array);
    const auto is_shape = [&](int shape) { return shape >= 0 && std::size_t(shape) < model_.shape_name.size(); };
    if (array.starts_with("pair_") && is_shape(model_.pair_shape_a[i]) && is_shape(model_.pair_shape_b[i]))
      return fmt::format("{}, {}", pair(i), array);
    return fmt::format("{}[{}]", array, i);
  }
  std::string pair(std::size_t i) const {
    return fmt::format("pair of the shapes '{}' and '{}'", model_.shape_name[std::size_t(model_.pair_shape_a[i])],
                       model_.shape_name[std::size_t(model_.pair_shape_b[i])]);
  }
  bool is_joint(int index) const {
    return index >= 0 && std::size_t(index) < model_.joint_name.size();
  }

  // Ranges may be unbounded (infinite); everything else must be finite.
  void finite() const {
    Model::visit_arrays(model_, [&]<class T>(const FieldInfo& field, const std::vector<T>& values) {
      if constexpr (std::is_same_v<typename FieldTraits<T>::Scalar, double>) {
        const std::string_view name = field.name;
        const bool range = name.ends_with("_lower") || name.ends_with("_upper");
        const double* numbers = reinterpret_cast<const double*>(values.data());
        const std::size_t width = FieldTraits<T>::kComponents;
        for (std::size_t i = 0; i < values.size() * width; ++i)
          require(std::isfinite(numbers[i]) || (range && !std::isnan(numbers[i])),
                  entry(name, values.size(), i / width),
                  fmt::format("the number is {}: it must be finite", numbers[i]));
      }
    });
  }

  void unique(std::string_view kind, const Names& names) const {
    std::unordered_set<std::string> seen;
    for (const std::string& name : names)
      require(seen.insert(name).second, fmt::format("{} '{}'", kind, name), "two elements have this name: rename one");
  }

  // Every entry of an index array lies in [low, high).
  void indices(std::string_view array, const std::vector<int>& values, int low, int high) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      require(values[i] >= low && values[i] < high, fmt::format("{}[{}]", array, i),
              fmt::format("{} is no valid index: it must lie in [{}, {})", values[i], low, high));
  }

  void unit(std::string_view kind, const std::string& name, const Quat& q) const {
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    require(std::abs(square - 1) < 1e-6, fmt::format("{} '{}'", kind, name),
            fmt::format("its quaternion must have length 1, it has {}", std::sqrt(square)));
  }

  void require_condim(int condim, std::string_view element) const {
    require(condim == 1 || condim == 3 || condim == 4 || condim == 6, element,
            fmt::format("condim must be 1, 3, 4 or 6, it is {}", condim));
  }

  void all_indices() const;
  void bodies() const;
  void moving_masses() const;
  void joints() const;
  void shapes() const;
  void pairs() const;

 private:
  const Model& model_;
};

void Checker::all_indices() const {
  const Model& m = model_;
  for (int body = 0; body < m.nbody; ++body) {
    const int parent = m.body_parent[static_cast<std::size_t>(body)];
    require(body == 0 ? parent == -1 : (parent >= 0 && parent < body), fmt::format("body_parent[{}]", body),
            fmt::format("{} is no valid parent: parents come before their children, the world has -1", parent));
  }
  indices("body_tree", m.body_tree, -1, m.ntree);
  indices("body_joint", m.body_joint, -1, m.njoint);
  indices("body_joint_count", m.body_joint_count, 0, m.njoint + 1);
  indices("body_held_joint_count", m.body_held_joint_count, 0, m.njoint + 1);
  indices("tree_root", m.tree_root, 1, m.nbody);
  indices("tree_dof", m.tree_dof, 0, m.nv + 1);
  indices("joint_body", m.joint_body, 1, m.nbody);
  indices("joint_q", m.joint_q, 0, m.nq);
  indices("joint_dof", m.joint_dof, 0, m.nv);
  indices("dof_body", m.dof_body, 1, m.nbody);
  indices("dof_joint", m.dof_joint, 0, m.njoint);
  indices("dof_parent", m.dof_parent, -1, m.nv);
  indices("shape_body", m.shape_body, 0, m.nbody);
  indices("shape_hull", m.shape_hull, -1, m.nhull);
  indices("hull_vertex", m.hull_vertex, 0, m.nhullvertex + 1);
  indices("hull_face", m.hull_face, 0, m.nhullface + 1);
  indices("hull_face_vertex", m.hull_face_vertex, 0, m.nhullfacevertex + 1);
  indices("hull_face_vertex_index", m.hull_face_vertex_index, 0, m.nhullvertex);
  indices("shape_mesh", m.shape_mesh, -1, m.nmesh);
  indices("mesh_vertex", m.mesh_vertex, 0, m.nmeshvertex + 1);
  indices("mesh_triangle", m.mesh_triangle, 0, m.nmeshtriangle + 1);
  for (std::size_t mesh = 0; mesh + 1 < m.mesh_vertex.size(); ++mesh)
    for (int t = m.mesh_triangle[mesh]; t < m.mesh_triangle[mesh + 1]; ++t)
      for (int k = 0; k < 3; ++k) {
        const int vertex = m.mesh_triangle_vertex[static_cast<std::size_t>(3 * t + k)];
        const int count = m.mesh_vertex[mesh + 1] - m.mesh_vertex[mesh];
        require(vertex >= 0 && vertex < count, fmt::format("mesh {}, triangle {}", mesh, t - m.mesh_triangle[mesh]),
                fmt::format("there is no vertex {}: it has {}", vertex, count));
      }
  indices("shape_height_field", m.shape_height_field, -1, m.nheightfield);
  indices("height_field_sample", m.height_field_sample, 0, m.nheight + 1);
  for (std::size_t f = 0; f < m.height_field_rows.size(); ++f) {
    const int rows = m.height_field_rows[f], columns = m.height_field_columns[f];
    require(rows >= 2 && columns >= 2, fmt::format("height field {}", f),
            fmt::format("it needs two rows and two columns at least, it has {} and {}", rows, columns));
    require(rows * columns == m.height_field_sample[f + 1] - m.height_field_sample[f],
            fmt::format("height field {}", f), "the number of its heights must be rows · columns");
  }
  indices("pair_shape_a", m.pair_shape_a, 0, m.nshape);
  indices("pair_shape_b", m.pair_shape_b, 0, m.nshape);
  indices("exclude_body_a", m.exclude_body_a, 0, m.nbody);
  indices("exclude_body_b", m.exclude_body_b, 0, m.nbody);
}

void Checker::bodies() const {
  for (std::size_t b = 1; b < model_.body_name.size(); ++b) {
    const std::string element = fmt::format("body '{}'", model_.body_name[b]);
    unit("body", model_.body_name[b], model_.body_pose[b].q);
    unit("body", model_.body_name[b], model_.body_inertia_frame[b]);
    const double mass = model_.body_mass[b];
    const Vec3& I = model_.body_inertia[b];
    require(mass >= 0, element, fmt::format("mass must not be negative, it is {} kg", mass));
    for (int i = 0; i < 3; ++i) {
      require(I[i] >= 0, element, fmt::format("a principal moment of inertia is negative: {} kg m²", I[i]));
      const double others = I[(i + 1) % 3] + I[(i + 2) % 3];
      require(model_.body_tree[b] < 0 || I[i] <= others * (1 + kTriangleTolerance), element,
              fmt::format("no rigid body has the principal moments ({} {} {}) kg m²: each must be at most the sum of "
                          "the other two",
                          I.x, I.y, I.z));
    }
  }
}

// What a joint moves must resist it: the body together with everything welded to it.
void Checker::moving_masses() const {
  const std::vector<int> carrier = detail::welded_to(model_);
  const std::size_t count = static_cast<std::size_t>(model_.nbody);
  std::vector<Transform> pose(count);  // in the frame of the carrier
  std::vector<std::vector<detail::MassProperties>> parts(count);
  for (std::size_t b = 1; b < count; ++b) {
    const std::size_t c = static_cast<std::size_t>(carrier[b]);
    if (c != b) pose[b] = pose[static_cast<std::size_t>(model_.body_parent[b])] * model_.body_pose[b];
    const detail::MassProperties own{model_.body_mass[b], model_.body_com[b], model_.body_inertia_frame[b],
                                     model_.body_inertia[b]};
    parts[c].push_back(detail::moved(own, pose[b]));
  }
  for (std::size_t b = 1; b < count; ++b) {
    if (model_.body_joint_count[b] == 0) continue;
    const std::string element = fmt::format("body '{}'", model_.body_name[b]);
    const detail::MassProperties total = detail::combined(parts[b]);
    require(total.mass > 0, element,
            "it moves but has no mass: give it an inertial element (or set_inertia), or a shape with density");
    const std::size_t joint = static_cast<std::size_t>(model_.body_joint[b]);
    const bool turns_freely = model_.joint_type[joint] == JointType::kFree;
    for (int i = 0; i < 3; ++i)
      require(!turns_freely || total.principal[i] > 0, element,
              "it turns freely but has no inertia about some axis: give it principal moments greater than 0 kg m²");
  }
}

void Checker::joints() const {
  for (std::size_t b = 1; b < model_.body_name.size(); ++b) {
    const int count = model_.body_joint_count[b];
    const std::string element = fmt::format("body '{}'", model_.body_name[b]);
    require(count == 0 || (model_.body_joint[b] >= 0 && model_.body_joint[b] + count <= model_.njoint), element,
            "its joints are not in the list of joints");
    for (int i = 0; i < count; ++i) {
      const std::size_t j = static_cast<std::size_t>(model_.body_joint[b] + i);
      require(model_.joint_body[j] == static_cast<int>(b), element, "its joints belong to another body");
      if (model_.joint_type[j] != JointType::kFree) continue;
      require(count == 1, element, "a free joint cannot be combined with other joints of the same body");
      require(model_.body_parent[b] == 0 || model_.body_held_joint_count[b] > 0, element,
              "a free joint needs a body whose parent is the world");
    }
    const int held = model_.body_held_joint_count[b];
    if (held == 0) continue;
    require(count == 1 && model_.joint_type[static_cast<std::size_t>(model_.body_joint[b])] == JointType::kFree,
            element, "rows hold its joints, so it needs a free joint to move");
    require(model_.body_held_joint[b] >= 0 && model_.body_held_joint[b] + held <= model_.njoint, element,
            "its held joints are not in the list of joints");
    for (int i = 0; i < held; ++i) {
      const std::size_t j = static_cast<std::size_t>(model_.body_held_joint[b] + i);
      require(model_.joint_body[j] == static_cast<int>(b) && model_.is_held(static_cast<int>(j)), element,
              "its held joints belong to another body");
    }
  }
}

void Checker::shapes() const {
  for (std::size_t s = 0; s < model_.shape_name.size(); ++s) {
    const std::string element = fmt::format("shape '{}'", model_.shape_name[s]);
    const Vec3& size = model_.shape_size[s];
    const ShapeType type = model_.shape_type[s];
    unit("shape", model_.shape_name[s], model_.shape_pose[s].q);
    const bool one = type == ShapeType::kSphere, two = type == ShapeType::kCapsule || type == ShapeType::kCylinder;
    const bool three = type == ShapeType::kBox || type == ShapeType::kEllipsoid;
    require(!(one || two || three) || size.x > 0, element, fmt::format("size {} must be greater than 0 m", size.x));
    require(!(two || three) || size.y > 0, element, fmt::format("size {} must be greater than 0 m", size.y));
    require(!three || size.z > 0, element, fmt::format("size {} must be greater than 0 m", size.z));
    require(type != ShapeType::kHull || model_.shape_hull[s] >= 0, element, "a hull shape needs a hull");
    require(type != ShapeType::kPlane || model_.body_tree[static_cast<std::size_t>(model_.shape_body[s])] < 0, element,
            "a plane cannot move: put it on the world or on a body without joints");
    const Vec3& friction = model_.shape_friction[s];
    require(friction.x >= 0 && friction.y >= 0 && friction.z >= 0, element,
            fmt::format("friction must not be negative, it is ({} {} {})", friction.x, friction.y, friction.z));
    const double restitution = model_.shape_restitution[s];
    require(restitution >= 0 && restitution <= 1, element,
            fmt::format("restitution must lie in [0, 1], it is {}", restitution));
    const double compliance = model_.shape_compliance[s], damping = model_.shape_damping[s];
    require(compliance >= 0 && std::isfinite(compliance), element,
            fmt::format("stiffness of contact must be positive, it is {}", 1 / compliance));
    require(damping >= 0 && (damping == 0 || compliance > 0), element,
            fmt::format("damping of contact must not be negative and needs a stiffness, it is {}", damping));
    require_condim(model_.shape_condim[s], element);
  }
}

void Checker::pairs() const {
  for (std::size_t p = 0; p < model_.pair_friction.size(); ++p) {
    for (const double friction : model_.pair_friction[p])
      require(friction >= 0, pair(p), fmt::format("friction must not be negative, it is {}", friction));
    const double restitution = model_.pair_restitution[p];
    require(restitution >= 0 && restitution <= 1, pair(p),
            fmt::format("restitution must lie in [0, 1], it is {}", restitution));
    require_condim(model_.pair_condim[p], pair(p));
  }
}

}  // namespace

void check_model(const Model& model) {
  const Checker checker(model);
  checker.lengths();
  checker.finite();
  checker.unique("body", model.body_name);
  checker.unique("joint", model.joint_name);
  checker.unique("shape", model.shape_name);
  checker.unique("site", model.site_name);
  checker.unique("equality", model.equality_name);
  checker.unique("tendon", model.tendon_name);
  checker.unique("actuator", model.actuator_name);
  checker.unique("sensor", model.sensor_name);
  checker.unique("keyframe", model.key_name);
  checker.all_indices();
  checker.joints();
  checker.shapes();  // before masses, which a wrong size spoils
  checker.pairs();
  checker.bodies();
  checker.moving_masses();
  detail::check_mechanism(model);
  check_options(model.options);
}

}  // namespace stiction
