// The last step of the builder: flat arrays, inertia from shapes, addresses of coordinates, checks.
#include <stiction/builder.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "model/convex_hull.hpp"
#include "model/inertia.hpp"
#include "model/mesh_solid.hpp"
#include "model/mesh_tables.hpp"
#include "model/names.hpp"
#include "model/reference_lengths.hpp"
#include "model/tree.hpp"

namespace stiction {

void Builder::fill_bodies(Model& model) const {
  std::vector<std::vector<detail::MassProperties>> parts(bodies_.size());
  for (const Shape& shape : shapes_)
    parts[static_cast<std::size_t>(shape.body)].push_back(detail::moved(shape_mass(shape), shape.pose));
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    model.body_name[b] = body.name;
    model.body_parent[b] = body.parent;
    model.body_pose[b] = body.pose;
    model.body_joint[b] = -1;
    model.body_mocap[b] = body.mocap ? model.nmocap++ : -1;
    if (b == 0) continue;  // the world has no mass
    const detail::MassProperties mass = body.has_inertia
                                            ? detail::MassProperties{body.mass, body.com, body.frame, body.principal}
                                            : detail::combined(parts[b]);
    model.body_mass[b] = mass.mass;
    model.body_com[b] = mass.com;
    model.body_inertia_frame[b] = mass.frame;
    model.body_inertia[b] = mass.principal;
  }
  detail::fill_names("body", model.body_name);
}

void Builder::fill_joints(Model& model) const {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Joint& joint = joints_[j];
    const std::size_t body = static_cast<std::size_t>(joint.body);
    model.joint_name[j] = joint.name;
    model.joint_type[j] = joint.type;
    model.joint_body[j] = joint.body;
    model.joint_axis[j] = joint.axis;
    model.joint_anchor[j] = joint.anchor;
    if (model.body_joint_count[body]++ == 0) model.body_joint[body] = static_cast<int>(j);
  }
  detail::fill_names("joint", model.joint_name);
  detail::lay_out_coordinates(model);

  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Transform& pose = bodies_[static_cast<std::size_t>(joints_[j].body)].pose;
    double* q = model.q_reference.data() + model.joint_q[j];
    if (joints_[j].type == JointType::kFree) {
      for (int i = 0; i < 3; ++i) q[i] = pose.p[i];
      q[3] = pose.q.w, q[4] = pose.q.x, q[5] = pose.q.y, q[6] = pose.q.z;
    } else if (joints_[j].type == JointType::kBall) {
      q[0] = 1;
    }
  }
  model.q_spring = model.q_reference;
  fill_joint_settings(model);
}

void Builder::fill_shapes(Model& model) const {
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    const Shape& shape = shapes_[s];
    model.shape_name[s] = shape.settings.name;
    model.shape_type[s] = shape.type;
    model.shape_body[s] = shape.body;
    model.shape_pose[s] = shape.pose;
    model.shape_size[s] = shape.size;
    model.shape_hull[s] = shape.type == ShapeType::kHull ? shape.table : -1;
    model.shape_mesh[s] = shape.type == ShapeType::kMesh ? shape.table : -1;
    model.shape_height_field[s] = shape.type == ShapeType::kHeightField ? shape.table : -1;
    model.shape_friction[s] = shape.settings.friction;
    model.shape_restitution[s] = shape.settings.restitution;
    model.shape_compliance[s] = 1 / shape.settings.stiffness;
    model.shape_damping[s] = shape.settings.damping;
    model.shape_surface_velocity[s] = shape.settings.surface_velocity;
    model.shape_surface_spin[s] = shape.settings.surface_spin;
    model.shape_condim[s] = shape.settings.condim;
    model.shape_contype[s] = shape.settings.contype;
    model.shape_conaffinity[s] = shape.settings.conaffinity;
    model.shape_priority[s] = shape.settings.priority;
  }
  detail::fill_names("shape", model.shape_name);
}

detail::MassProperties Builder::shape_mass(const Shape& shape) const {
  if (shape.type == ShapeType::kHull)
    return detail::solid_mass(hulls_[static_cast<std::size_t>(shape.table)], shape.settings.density);
  if (shape.type != ShapeType::kMesh) return detail::shape_mass(shape.type, shape.size, shape.settings.density);
  const TriangleMesh& mesh = meshes_[static_cast<std::size_t>(shape.table)];
  const Body& body = bodies_[static_cast<std::size_t>(shape.body)];
  const bool moves = std::any_of(joints_.begin(), joints_.end(), [&](const Joint& j) { return j.body == shape.body; });
  if (detail::is_closed(mesh)) return detail::solid_mass(mesh, shape.settings.density);
  require(body.has_inertia || !moves || shape.settings.density == 0,
          detail::shape_called(shape.settings.name, static_cast<std::size_t>(&shape - shapes_.data())),
          fmt::format("{}: give body '{}' its inertia with set_inertia, or the shape the density 0 if other shapes "
                      "carry the mass",
                      detail::why_no_volume(mesh), body.name));
  return {};
}

void Builder::fill_surfaces(Model& model) const {
  model.hull_vertex = model.hull_face = model.hull_face_vertex = {0};
  model.mesh_vertex = model.mesh_triangle = model.height_field_sample = {0};
  for (const TriangleMesh& hull : hulls_) detail::add_hull(detail::points_of(hull), detail::triangles_of(hull), model);
  for (const TriangleMesh& mesh : meshes_) detail::add_mesh(mesh, model);
  for (const HeightField& field : height_fields_) {
    model.height_field_rows.push_back(field.rows);
    model.height_field_columns.push_back(field.columns);
    model.height_field_size.push_back(field.size);
    model.height_field_height.insert(model.height_field_height.end(), field.heights.begin(), field.heights.end());
    model.height_field_sample.push_back(static_cast<int>(model.height_field_height.size()));
  }
  model.nheightfield = static_cast<int>(height_fields_.size());
  model.nheight = static_cast<int>(model.height_field_height.size());
}

Model Builder::build() const {
  Model model;
  model.name = name_;
  model.options = options;
  model.nbody = static_cast<int>(bodies_.size());
  model.njoint = static_cast<int>(joints_.size());
  model.nshape = static_cast<int>(shapes_.size());
  model.npair = static_cast<int>(pairs_.size());
  model.nexclude = static_cast<int>(exclude_a_.size());
  model.nsite = static_cast<int>(sites_.size());
  model.nequality = static_cast<int>(equalities_.size());
  model.ntendon = static_cast<int>(tendons_.size());
  model.nactuator = static_cast<int>(actuators_.size());
  model.nsensor = static_cast<int>(sensors_.size());
  model.resize();
  fill_bodies(model);
  fill_joints(model);
  fill_shapes(model);
  fill_surfaces(model);
  fill_pairs(model);
  fill_mechanism(model);
  check_model(model);
  detail::fill_reference_lengths(model);
  return model;
}

}  // namespace stiction
