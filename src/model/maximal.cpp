// From reduced to maximal coordinates: tables, keyframes and states.
//
// A body with joints gets a free joint; its own joints go behind all free joints, in their order, as held joints.
// Bodies keep their numbers, parents and poses, so that shapes, sites, equalities of bodies, contact filters and
// sensors of frames and subtrees need no change. What refers to joints is renumbered. Bodies that one row couples, more
// than two of them, become one tree (coupling.hpp).
#include <stiction/state.hpp>

#include "model/coupling.hpp"
#include "model/joint_chain.hpp"
#include "model/names.hpp"
#include "model/tree.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace stiction {

namespace {

[[noreturn]] void refuse(const Model& model, const std::string& element, const std::string& problem) {
  throw Error(fmt::format("model '{}', {}: {}", model.name, element, problem));
}

bool has_free_joint(const Model& model, std::size_t body) {
  return model.body_joint_count[body] > 0 &&
         model.joint_type[static_cast<std::size_t>(model.body_joint[body])] == JointType::kFree;
}

// Number of each joint of the reduced model in the maximal one: bodies' free joints come first, in the order of bodies.
std::vector<int> renumber(const Model& model) {
  std::vector<int> number(static_cast<std::size_t>(model.njoint));
  int next = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(model.nbody); ++b) {
    if (has_free_joint(model, b)) number[static_cast<std::size_t>(model.body_joint[b])] = next;
    next += model.body_joint_count[b] > 0;
  }
  for (std::size_t j = 0; j < number.size(); ++j)
    if (model.joint_type[j] != JointType::kFree) number[j] = next++;
  return number;
}

// Copies the entries of all arrays of joints from one joint to another.
void copy_joint(const Model& from, std::size_t j, Model& to, std::size_t k) {
#define STICTION_COPY_JOINT(type, name, count, unit, meaning)                                   \
  if constexpr (std::string_view(#count) == "njoint" && std::string_view(#name) != "joint_q" && \
                std::string_view(#name) != "joint_dof")                                         \
    to.name[k] = from.name[j];
  STICTION_MODEL_ARRAYS(STICTION_COPY_JOINT)
#undef STICTION_COPY_JOINT
}

void fill_joints(const Model& from, const std::vector<int>& number, Model& to) {
  int free = 0;
  for (const int count : from.body_joint_count) free += count > 0;
  to.njoint = free;
  for (const JointType type : from.joint_type) to.njoint += type != JointType::kFree;
  to.resize();
  for (int j = 0; j < free; ++j) {
    const auto i = static_cast<std::size_t>(j);
    to.joint_name[i].clear();
    to.joint_type[i] = JointType::kFree;
    to.joint_anchor[i] = {};
    to.joint_axis[i] = {0, 0, 1};
    to.joint_limited[i] = to.joint_force_limited[i] = to.joint_actuator_compensates[i] = 0;
    to.joint_lower[i] = to.joint_upper[i] = to.joint_stiffness[i] = to.joint_margin[i] = 0;
    to.joint_force_lower[i] = to.joint_force_upper[i] = 0;
  }
  for (std::size_t j = 0; j < number.size(); ++j) copy_joint(from, j, to, static_cast<std::size_t>(number[j]));
  int next = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(from.nbody); ++b) {
    const int count = from.body_joint_count[b];
    if (count == 0) continue;
    if (!has_free_joint(from, b)) {
      to.body_held_joint[b] = number[static_cast<std::size_t>(from.body_joint[b])];
      to.body_held_joint_count[b] = count;
    }
    to.joint_body[static_cast<std::size_t>(next)] = static_cast<int>(b);
    to.body_joint[b] = next++;
    to.body_joint_count[b] = 1;
  }
  detail::fill_names("joint", to.joint_name);
  detail::lay_out_coordinates(to);
}

void copy_coordinates(const Model& from, const std::vector<int>& number, Model& to) {
  for (auto* values : {&to.dof_armature, &to.dof_damping, &to.dof_friction})
    std::fill(values->begin(), values->end(), 0);
  for (std::size_t j = 0; j < number.size(); ++j) {
    const auto k = static_cast<std::size_t>(number[j]);
    const auto copy = [](const std::vector<double>& source, int at, int count, std::vector<double>& target, int to_at) {
      std::copy_n(source.begin() + at, count, target.begin() + to_at);
    };
    const int dofs = detail::dof_count(from.joint_type[j]), positions = detail::position_count(from.joint_type[j]);
    copy(from.dof_armature, from.joint_dof[j], dofs, to.dof_armature, to.joint_dof[k]);
    copy(from.dof_damping, from.joint_dof[j], dofs, to.dof_damping, to.joint_dof[k]);
    copy(from.dof_friction, from.joint_dof[j], dofs, to.dof_friction, to.joint_dof[k]);
    copy(from.q_spring, from.joint_q[j], positions, to.q_spring, to.joint_q[k]);
    copy(from.q_reference, from.joint_q[j], positions, to.q_reference, to.joint_q[k]);
  }
}

void renumber_references(const std::vector<int>& number, Model& to) {
  const auto renumbered = [&](int joint) { return joint < 0 ? joint : number[static_cast<std::size_t>(joint)]; };
  for (std::size_t e = 0; e < static_cast<std::size_t>(to.nequality); ++e) {
    if (to.equality_type[e] != EqualityType::kJoint) continue;
    to.equality_a[e] = renumbered(to.equality_a[e]);
    to.equality_b[e] = renumbered(to.equality_b[e]);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(to.nwrap); ++i)
    if (to.wrap_type[i] == WrapType::kJoint) to.wrap_object[i] = renumbered(to.wrap_object[i]);
  for (std::size_t a = 0; a < static_cast<std::size_t>(to.nactuator); ++a)
    if (to.actuator_target[a] == ActuatorTarget::kJoint || to.actuator_target[a] == ActuatorTarget::kJointInParent)
      to.actuator_target_index[a] = renumbered(to.actuator_target_index[a]);
  for (std::size_t s = 0; s < static_cast<std::size_t>(to.nsensor); ++s)
    if (to.sensor_object_kind[s] == SensorObject::kJoint) to.sensor_object[s] = renumbered(to.sensor_object[s]);
}

// Positions and velocities of the maximal model from those of the reduced one: poses and velocities of bodies from the
// root on, coordinates of joints as they are.
void convert(const Model& from, const Model& to, const std::vector<int>& number, const double* q, const double* u,
             double* q_out, double* u_out) {
  std::vector<Transform> pose(static_cast<std::size_t>(from.nbody));
  std::vector<Spatial> velocity(pose.size());  // about the origin of the world
  for (std::size_t b = 1; b < pose.size(); ++b) {
    const auto parent = static_cast<std::size_t>(from.body_parent[b]);
    if (has_free_joint(from, b)) {
      const auto j = static_cast<std::size_t>(from.body_joint[b]);
      const double *x = q + from.joint_q[j], *v = u + from.joint_dof[j];
      pose[b] = {{x[0], x[1], x[2]}, normalized(Quat{x[3], x[4], x[5], x[6]})};
      const Vec3 omega = rotate(pose[b].q, Vec3{v[3], v[4], v[5]});
      velocity[b] = {omega, Vec3{v[0], v[1], v[2]} - cross(omega, pose[b].p)};
    } else {
      const detail::JointChain chain{from.body_joint[b], from.body_joint_count[b]};
      std::vector<Spatial> columns(static_cast<std::size_t>(detail::dof_count(from, chain)));
      pose[b] = detail::place_chain(from, chain, q, pose[parent] * from.body_pose[b], columns.data());
      velocity[b] = velocity[parent];
      if (columns.empty()) continue;
      const double* rate = u + from.joint_dof[static_cast<std::size_t>(chain.first)];
      for (const Spatial& column : columns) velocity[b] = velocity[b] + column * *rate++;
    }
    const auto out = static_cast<std::size_t>(to.body_joint[b]);
    double *x = q_out + to.joint_q[out], *v = u_out + to.joint_dof[out];
    const Vec3 linear = velocity[b].linear + cross(velocity[b].angular, pose[b].p);
    const Vec3 omega = rotate_inverse(pose[b].q, velocity[b].angular);
    for (int i = 0; i < 3; ++i) x[i] = pose[b].p[i], v[i] = linear[i], v[3 + i] = omega[i];
    x[3] = pose[b].q.w, x[4] = pose[b].q.x, x[5] = pose[b].q.y, x[6] = pose[b].q.z;
  }
  for (std::size_t j = 0; j < number.size(); ++j) {
    if (from.joint_type[j] == JointType::kFree) continue;
    const auto k = static_cast<std::size_t>(number[j]);
    std::copy_n(q + from.joint_q[j], detail::position_count(from.joint_type[j]), q_out + to.joint_q[k]);
    std::copy_n(u + from.joint_dof[j], detail::dof_count(from.joint_type[j]), u_out + to.joint_dof[k]);
  }
}

void convert_keys(const Model& from, const std::vector<int>& number, Model& to) {
  for (int key = 0; key < from.nkey; ++key)
    convert(from, to, number, from.key_q.data() + key * from.nq, from.key_u.data() + key * from.nv,
            to.key_q.data() + key * to.nq, to.key_u.data() + key * to.nv);
}

// Joints of one body must move it in different ways, at most six of them.
void require_independent(const Model& model) {
  for (std::size_t b = 1; b < static_cast<std::size_t>(model.nbody); ++b) {
    const detail::JointChain chain{model.body_held_joint[b], model.body_held_joint_count[b]};
    if (chain.count == 0) continue;
    const int dofs = detail::dof_count(model, chain);
    std::vector<Spatial> columns(static_cast<std::size_t>(dofs));
    detail::place_chain(model, chain, model.q_reference.data(), {}, columns.data());
    bool independent = dofs <= 6;
    for (std::size_t i = 0; i < columns.size() && independent; ++i) {
      const double own = dot(columns[i], columns[i]);
      for (std::size_t k = 0; k < i; ++k)  // those before are orthonormal
        columns[i] = columns[i] - columns[k] * dot(columns[i], columns[k]);
      const double rest = dot(columns[i], columns[i]);
      independent = rest > 1e-12 * own;
      if (independent) columns[i] = columns[i] * (1 / std::sqrt(rest));
    }
    if (!independent)
      refuse(
          model, fmt::format("body '{}'", model.body_name[b]),
          fmt::format("its {} joints do not move it in {} independent ways, so that rows cannot tell their positions: "
                      "keep the model in reduced coordinates",
                      chain.count, dofs));
  }
}

}  // namespace

Model to_maximal(const Model& model) {
  if (model.tree_dofs() != model.nv) refuse(model, "to_maximal", "it is in maximal coordinates already");
  for (std::size_t j = 0; j < static_cast<std::size_t>(model.njoint); ++j)
    if (model.joint_actuator_compensates[j] && model.joint_force_limited[j])
      refuse(model, fmt::format("joint '{}'", model.joint_name[j]),
             "gravity compensation within the force range of its actuators (actuatorgravcomp) is not carried over to "
             "maximal coordinates");
  const std::vector<int> number = renumber(model);
  Model out = model;
  fill_joints(model, number, out);
  renumber_references(number, out);
  detail::lay_out_coordinates(out, detail::joined_trees(out));
  copy_coordinates(model, number, out);
  std::vector<double> reference(static_cast<std::size_t>(out.nq)), rest(static_cast<std::size_t>(out.nv));
  const std::vector<double> still(static_cast<std::size_t>(model.nv));
  convert(model, out, number, model.q_reference.data(), still.data(), reference.data(), rest.data());
  out.q_reference = reference;
  for (std::size_t b = 1; b < static_cast<std::size_t>(out.nbody); ++b)
    if (out.body_held_joint_count[b] > 0)
      std::copy_n(reference.begin() + out.joint_q[static_cast<std::size_t>(out.body_joint[b])], 7,
                  out.q_spring.begin() + out.joint_q[static_cast<std::size_t>(out.body_joint[b])]);
  convert_keys(model, number, out);
  require_independent(out);
  check_model(out);
  return out;
}

State to_maximal(const Model& reduced, const Model& maximal, const State& state) {
  const bool fits = maximal.nbody == reduced.nbody && state.nq == reduced.nq && state.nv == reduced.nv &&
                    maximal.nv - maximal.tree_dofs() <= reduced.nv;
  if (!fits) refuse(maximal, "to_maximal", fmt::format("it was not made from model '{}'", reduced.name));
  State out = make_state(maximal);
  out.time = state.time;
  out.steps = state.steps;
  out.activation = state.activation;
  convert(reduced, maximal, renumber(reduced), state.q.data(), state.u.data(), out.q.data(), out.u.data());
  return out;
}

}  // namespace stiction
