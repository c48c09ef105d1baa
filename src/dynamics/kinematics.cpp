#include "dynamics/kinematics.hpp"

#include <algorithm>

namespace stiction {
namespace {

Vec3 read_vec3(const double* x) {
  return {x[0], x[1], x[2]};
}
Quat read_quat(const double* x) {
  return {x[0], x[1], x[2], x[3]};
}
void write_vec3(const Vec3& v, double* x) {
  x[0] = v.x, x[1] = v.y, x[2] = v.z;
}
void write_quat(const Quat& q, double* x) {
  x[0] = q.w, x[1] = q.x, x[2] = q.y, x[3] = q.z;
}

// The free joint that moves a tree.
std::size_t root_joint(const Model& model, int tree) {
  return std::size_t(model.body_joint[std::size_t(model.tree_root[std::size_t(tree)])]);
}

// Distance of the farthest point of a shape from its own origin [m].
double shape_radius(const Model& model, std::size_t shape) {
  const Vec3 size = model.shape_size[shape];
  switch (model.shape_type[shape]) {
    case ShapeType::kSphere:
      return size.x;
    case ShapeType::kCapsule:
      return size.x + size.y;
    case ShapeType::kHull: {
      const auto hull = std::size_t(model.shape_hull[shape]);
      double farthest = 0;
      for (int v = model.hull_vertex[hull]; v < model.hull_vertex[hull + 1]; ++v)
        farthest = std::max(farthest, norm(model.hull_vertex_position[std::size_t(v)]));
      return farthest;
    }
    default:
      return norm(size);
  }
}

}  // namespace

void prepare_trees(const Model& model, Workspace& w) {
  // Pose of each body in the frame of its tree's root; bodies come after their parents.
  std::vector<Transform> in_root(std::size_t(model.nbody));
  std::vector<SpatialInertia> sum(std::size_t(model.ntree));
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    const int tree = model.body_tree[b];
    if (tree < 0) continue;
    if (model.tree_root[std::size_t(tree)] != int(b))
      in_root[b] = in_root[std::size_t(model.body_parent[b])] * model.body_pose[b];
    const Mat3 axes = rotation_matrix(in_root[b].q * model.body_inertia_frame[b]);
    const Mat3 inertia = axes * Mat3::diagonal(model.body_inertia[b]) * transpose(axes);
    SpatialInertia& total = sum[std::size_t(tree)];
    total = total + spatial_inertia(model.body_mass[b], in_root[b] * model.body_com[b], inertia);
  }
  for (std::size_t t = 0; t < std::size_t(model.ntree); ++t) {
    const Vec3 c = sum[t].moment / sum[t].mass;
    w.tree_mass[t] = sum[t].mass;
    w.tree_com[t] = c;
    w.tree_inertia[t] = sum[t].rotational - (Mat3::identity() * dot(c, c) - outer(c, c)) * sum[t].mass;
    w.tree_inertia_inverse[t] = inverse(w.tree_inertia[t]);
  }
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s) {
    const auto body = std::size_t(model.shape_body[s]);
    const int tree = model.body_tree[body];
    if (tree < 0) continue;
    const Vec3 centre = in_root[body] * model.shape_pose[s].p;
    w.shape_reach[s] = norm(centre - w.tree_com[std::size_t(tree)]) + shape_radius(model, s);
  }
}

void compute_poses(const Model& model, const std::vector<double>& q, Workspace& w) {
  for (std::size_t b = 0; b < std::size_t(model.nbody); ++b) {
    const int tree = model.body_tree[b];
    if (b == 0) {
      w.body_pose[b] = {};
    } else if (tree >= 0 && model.tree_root[std::size_t(tree)] == int(b)) {
      const double* x = q.data() + model.joint_q[root_joint(model, tree)];
      w.body_pose[b] = {read_vec3(x), normalized(read_quat(x + 3))};
    } else {
      w.body_pose[b] = w.body_pose[std::size_t(model.body_parent[b])] * model.body_pose[b];
    }
    w.body_rotation[b] = rotation_matrix(w.body_pose[b].q);
  }
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s)
    w.shape_pose[s] = w.body_pose[std::size_t(model.shape_body[s])] * model.shape_pose[s];
}

void compute_inertia_and_force(const Model& model, const Options& options, const Control& control, Workspace& w) {
  std::copy(control.generalized_force.begin(), control.generalized_force.end(), w.applied_force.begin());
  // A motor on a free joint pushes along its gear: force (world frame) and torque (body frame) scaled by the input.
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a) {
    const auto joint = std::size_t(model.actuator_target_index[a]);
    double input = control.input[a];
    if (model.actuator_control_limited[a])
      input = std::clamp(input, model.actuator_control_lower[a], model.actuator_control_upper[a]);
    double force = model.actuator_gain_parameters[a].x * input;
    if (model.actuator_bias[a] == ActuatorBias::kAffine) force += model.actuator_bias_parameters[a].x;
    if (model.actuator_force_limited[a])
      force = std::clamp(force, model.actuator_force_lower[a], model.actuator_force_upper[a]);
    const Spatial& gear = model.actuator_gear[a];
    double* f = w.applied_force.data() + model.joint_dof[joint];
    const Vec3 push = gear.linear * force, turn = gear.angular * force;
    f[0] += push.x, f[1] += push.y, f[2] += push.z, f[3] += turn.x, f[4] += turn.y, f[5] += turn.z;
  }
  for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
    const int tree = model.body_tree[b];
    if (tree < 0) continue;
    const Spatial& wrench = control.wrench[b];
    const auto root = std::size_t(model.tree_root[std::size_t(tree)]);
    const FreeBody body = w.free_body(tree);
    // The wrench acts at the centre of mass of its own body: move its torque to that of the tree.
    const Vec3 arm = w.body_pose[b] * model.body_com[b] - w.body_pose[root] * body.com;
    free_body_force(body, w.body_rotation[root], wrench.linear, wrench.angular + cross(arm, wrench.linear),
                    w.applied_force.data() + model.tree_dof[std::size_t(tree)]);
  }
  w.force = w.applied_force;
  for (int t = 0; t < model.ntree; ++t) {
    const auto i = std::size_t(t);
    const auto root = std::size_t(model.tree_root[i]);
    const FreeBody body = w.free_body(t);
    free_body_inertia(body, w.body_rotation[root], w.problem.inertia.data() + w.problem.tree_inertia[i]);
    free_body_force(body, w.body_rotation[root], options.gravity * body.mass, {}, w.force.data() + model.tree_dof[i]);
  }
}

void compute_shape_speed(const Model& model, const std::vector<double>& u, const std::vector<double>& free_velocity,
                         Workspace& w) {
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s) {
    const int tree = model.body_tree[std::size_t(model.shape_body[s])];
    w.shape_speed[s] = 0;
    if (tree < 0) continue;
    const auto t = std::size_t(tree);
    const Mat3& R = w.body_rotation[std::size_t(model.tree_root[t])];
    for (const auto* velocity : {&u, &free_velocity}) {
      const double* x = velocity->data() + model.tree_dof[t];
      const Vec3 omega = read_vec3(x + 3);
      const Vec3 com_velocity = read_vec3(x) + R * cross(omega, w.tree_com[t]);
      // |v_c + ω × r| ≤ |v_c| + |ω| reach
      w.shape_speed[s] = std::max(w.shape_speed[s], norm(com_velocity) + norm(omega) * w.shape_reach[s]);
    }
  }
}

void integrate(const Model& model, double h, const State& state, const std::vector<double>& velocity,
               const Workspace& w, State& next) {
  for (int t = 0; t < model.ntree; ++t) {
    const auto i = std::size_t(t);
    const double* x = state.q.data() + model.joint_q[root_joint(model, t)];
    const double* v = velocity.data() + model.tree_dof[i];
    Vec3 origin = read_vec3(x), linear = read_vec3(v), omega = read_vec3(v + 3);
    Quat q = w.body_pose[std::size_t(model.tree_root[i])].q;
    move_free_body(w.free_body(t), w.tree_inertia_inverse[i], h, origin, q, linear, omega);
    double* y = next.q.data() + model.joint_q[root_joint(model, t)];
    write_vec3(origin, y);
    write_quat(q, y + 3);
    double* out = next.u.data() + model.tree_dof[i];
    write_vec3(linear, out);
    write_vec3(omega, out + 3);
  }
}

}  // namespace stiction
