#include "dynamics/kinematics.hpp"

#include "dynamics/tree_integrate.hpp"
#include "dynamics/tree_jacobian.hpp"
#include "dynamics/tree_momentum.hpp"
#include "model/mesh_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

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

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
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
    case ShapeType::kCylinder:
      return std::hypot(size.x, size.y);
    case ShapeType::kEllipsoid:
      return std::max({size.x, size.y, size.z});
    case ShapeType::kHull: {
      const auto hull = std::size_t(model.shape_hull[shape]);
      double farthest = 0;
      for (int v = model.hull_vertex[hull]; v < model.hull_vertex[hull + 1]; ++v)
        farthest = std::max(farthest, norm(model.hull_vertex_position[std::size_t(v)]));
      return farthest;
    }
    case ShapeType::kMesh:
      return model.shape_mesh[shape] < 0 ? 0 : detail::farthest_vertex(detail::mesh_of(model, model.shape_mesh[shape]));
    case ShapeType::kHeightField: {
      const int field = model.shape_height_field[shape];
      return field < 0 ? 0 : detail::farthest_vertex(detail::height_field_of(model, field));
    }
    default:
      return norm(size);
  }
}

// One tree of integrate().
void integrate_tree(const Model& model, const detail::Drift& drift, const State& state,
                    const std::vector<double>& velocity, const Workspace& w, int t, State& next) {
  const auto i = std::size_t(t);
  if (!w.tree_free[i]) {
    const TreeView view = w.plan.view(t);
    for (int part = 0; part < drift.parts; ++part)
      for (int link = view.begin; link < view.end; ++link)
        integrate_link(view.link[link], drift.time, part == 0 ? state.q.data() : next.q.data(), velocity.data(),
                       next.q.data());
    if (&velocity != &next.u)
      std::copy(velocity.begin() + view.dof_begin, velocity.begin() + view.dof_end, next.u.begin() + view.dof_begin);
    return;
  }
  const double* x = state.q.data() + model.joint_q[root_joint(model, t)];
  const double* v = velocity.data() + model.tree_dof[i];
  Vec3 origin = read_vec3(x), linear = read_vec3(v), omega = read_vec3(v + 3);
  Quat q = normalized(read_quat(x + 3));
  for (int part = 0; part < drift.parts; ++part)
    move_free_body(w.free_body(t), w.tree_inertia_inverse[i], drift.time, origin, q, linear, omega);
  double* y = next.q.data() + model.joint_q[root_joint(model, t)];
  write_vec3(origin, y);
  write_quat(q, y + 3);
  double* out = next.u.data() + model.tree_dof[i];
  write_vec3(linear, out);
  write_vec3(omega, out + 3);
}

}  // namespace

void prepare_trees(const Model& model, Workspace& w) {
  w.articulated.clear();
  for (int t = 0; t < model.ntree; ++t) {
    const TreeView view = w.plan.view(t);
    // Armature resists the joint, not the body: with it a body has no rotation of its own.
    const bool armature = std::any_of(w.plan.armature.begin() + view.dof_begin, w.plan.armature.begin() + view.dof_end,
                                      [](double value) { return value != 0; });
    const bool free = view.end - view.begin == 1 && view.link[view.begin].type == JointType::kFree && !armature;
    w.tree_free[std::size_t(t)] = free;
    if (!free) w.articulated.push_back(t);
  }
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
    const bool free = w.tree_free[std::size_t(tree)];
    w.shape_reach[s] = shape_radius(model, s) + (free ? norm(centre - w.tree_com[std::size_t(tree)]) : 0);
  }
}

void compute_tree_positions(const std::vector<double>& q, Workspace& w) {
  if (same_bits(q, w.links_q)) return;
  w.links_q = q;
  w.links_u.clear();
  for (const int t : w.articulated) tree_positions(w.plan.view(t), q.data(), w.links);
}

void compute_poses(const Model& model, const std::vector<double>& q, Workspace& w) {
  w.next_velocity.clear();
  compute_tree_positions(q, w);
  for (std::size_t b = 0; b < std::size_t(model.nbody); ++b) {
    const int tree = model.body_tree[b];
    if (b == 0) {
      w.body_pose[b] = {};
    } else if (model.body_mocap[b] >= 0) {
      const Transform& pose = w.mocap_pose[std::size_t(model.body_mocap[b])];
      w.body_pose[b] = {pose.p, normalized(pose.q)};
    } else if (tree >= 0 && !w.tree_free[std::size_t(tree)]) {
      const LinkPose& link = w.links.pose[w.plan.body_link[b]];
      const Transform& body = w.plan.body_in_link[b];
      w.body_pose[b] = {w.links.origin[w.plan.origin_of(int(b))] + (link.p + link.R * body.p), link.q * body.q};
    } else if (tree >= 0 && model.tree_root[std::size_t(tree)] == int(b)) {
      const double* x = q.data() + model.joint_q[root_joint(model, tree)];
      w.body_pose[b] = {read_vec3(x), normalized(read_quat(x + 3))};
    } else {
      w.body_pose[b] = w.body_pose[std::size_t(model.body_parent[b])] * model.body_pose[b];
    }
    if (tree >= 0 && w.tree_free[std::size_t(tree)]) w.body_rotation[b] = rotation_matrix(w.body_pose[b].q);
  }
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s)
    w.shape_pose[s] = w.body_pose[std::size_t(model.shape_body[s])] * model.shape_pose[s];
}

void compute_link_velocities(const std::vector<double>& u, Workspace& w) {
  if (same_bits(u, w.links_u)) return;
  w.links_u = u;
  for (const int t : w.articulated) tree_velocities(w.plan.view(t), u.data(), w.links);
}

Vec3 point_velocity(const Model& model, const Workspace& w, int body, const Vec3& p, const std::vector<double>& u) {
  const int tree = model.body_tree[std::size_t(body)];
  if (tree < 0) return {};
  if (!w.tree_free[std::size_t(tree)])
    return motion_at(w.links.velocity[w.plan.body_link[std::size_t(body)]], p - w.links.origin[w.plan.origin_of(body)])
        .linear;
  const auto root = std::size_t(model.tree_root[std::size_t(tree)]);
  const double* x = u.data() + model.tree_dof[std::size_t(tree)];
  const Vec3 omega = w.body_rotation[root] * Vec3{x[3], x[4], x[5]};
  return Vec3{x[0], x[1], x[2]} + cross(omega, p - w.body_pose[root].p);
}

Vec3 angular_velocity(const Model& model, const Workspace& w, int body, const std::vector<double>& u) {
  const int tree = model.body_tree[std::size_t(body)];
  if (tree < 0) return {};
  if (!w.tree_free[std::size_t(tree)]) return w.links.velocity[w.plan.body_link[std::size_t(body)]].angular;
  return w.body_rotation[std::size_t(model.tree_root[std::size_t(tree)])] *
         read_vec3(u.data() + model.tree_dof[std::size_t(tree)] + 3);
}

void add_point_rows(const Model& model, const Workspace& w, int body, const Vec3& point, double sign,
                    const Vec3* directions, int rows, double* out) {
  const int tree = model.body_tree[std::size_t(body)];
  const auto t = std::size_t(tree);
  if (w.tree_free[t]) {
    const auto root = std::size_t(model.tree_root[t]);
    for (int k = 0; k < rows; ++k)
      free_body_row(w.body_rotation[root], point - w.body_pose[root].p, directions[k] * sign, out + 6 * k);
    return;
  }
  add_point_rows(w.plan.view(tree), w.links.motion, w.plan.body_link[std::size_t(body)],
                 point - w.links.origin[w.plan.origin_of(body)], sign, directions, rows, out);
}

void add_turn_row(const Model& model, const Workspace& w, int body, double sign, const Vec3& direction, double* out) {
  const int tree = model.body_tree[std::size_t(body)];
  const auto t = std::size_t(tree);
  if (w.tree_free[t]) {
    const Vec3 local = transpose_times(w.body_rotation[std::size_t(model.tree_root[t])], direction);
    for (int k = 0; k < 3; ++k) out[3 + k] += sign * local[k];
    return;
  }
  const TreeView view = w.plan.view(tree);
  add_row(view, w.links.motion, w.plan.body_link[std::size_t(body)], Spatial{direction, {}}, sign, view.dof_begin, out);
}

double shape_speed(const Model& model, const std::vector<double>& u, const Workspace& w, std::size_t s) {
  const auto body = std::size_t(model.shape_body[s]);
  const int tree = model.body_tree[body];
  if (tree < 0) return 0;
  const auto t = std::size_t(tree);
  if (w.tree_free[t]) {
    const Mat3& R = w.body_rotation[std::size_t(model.tree_root[t])];
    const double* x = u.data() + model.tree_dof[t];
    const Vec3 omega = read_vec3(x + 3);
    const Vec3 com_velocity = read_vec3(x) + R * cross(omega, w.tree_com[t]);
    // |v_c + ω × r| ≤ |v_c| + |ω| reach
    return norm(com_velocity) + norm(omega) * w.shape_reach[s];
  }
  // The same about the centre of the shape.
  const Spatial v = motion_at(w.links.velocity[w.plan.body_link[body]],
                              w.shape_pose[s].p - w.links.origin[w.plan.origin_of(int(body))]);
  return norm(v.linear) + norm(v.angular) * w.shape_reach[s];
}

void compute_shape_speed(const Model& model, const std::vector<double>& u, const std::vector<double>& free_velocity,
                         Workspace& w) {
  std::fill(w.shape_speed.begin(), w.shape_speed.end(), 0.0);
  for (const auto* velocity : {&u, &free_velocity}) {
    compute_link_velocities(*velocity, w);
    for (std::size_t s = 0; s < std::size_t(model.nshape); ++s)
      w.shape_speed[s] = std::max(w.shape_speed[s], shape_speed(model, *velocity, w, s));
  }
}

double potential_energy(const Model& model, const Options& options, const std::vector<double>& q, const Workspace& w) {
  double sum = 0;
  for (std::size_t t = 0; t < std::size_t(model.ntree); ++t) {
    if (w.tree_free[t]) {
      const double* x = q.data() + model.joint_q[root_joint(model, int(t))];
      const Vec3 com = read_vec3(x) + rotate(normalized(read_quat(x + 3)), w.tree_com[t]);
      sum -= w.tree_mass[t] * dot(options.gravity, com);
      continue;
    }
    sum -= dot(options.gravity, tree_moment(w.plan.view(int(t)), w.links));
  }
  return sum;
}

void integrate(const Model& model, const detail::Drift& drift, const State& state, const std::vector<double>& velocity,
               Workspace& w, State& next) {
  w.next_velocity.clear();
  for (int t = 0; t < model.ntree; ++t) integrate_tree(model, drift, state, velocity, w, t, next);
}

void drift_state(const Model& model, const detail::Drift& drift, const Workspace& w, State& state) {
  for (int t = 0; t < model.ntree; ++t) {
    const auto begin = state.u.begin() + model.tree_dof[std::size_t(t)];
    const auto end = state.u.begin() + model.tree_dof[std::size_t(t) + 1];
    const bool still = std::all_of(begin, end, [](double velocity) { return velocity == 0; });
    if (!still) integrate_tree(model, drift, state, state.u, w, t, state);
  }
}

void integrate_changed(const Model& model, const detail::Drift& drift, const State& state,
                       const std::vector<double>& velocity, Workspace& w) {
  const bool first = w.next_velocity.empty();
  w.next_velocity.resize(velocity.size());
  for (int t = 0; t < model.ntree; ++t) {
    const auto begin = velocity.begin() + model.tree_dof[std::size_t(t)];
    const auto end = velocity.begin() + model.tree_dof[std::size_t(t) + 1];
    const auto before = w.next_velocity.begin() + model.tree_dof[std::size_t(t)];
    if (!first && std::equal(begin, end, before)) continue;
    std::copy(begin, end, before);
    integrate_tree(model, drift, state, velocity, w, t, w.next);
  }
}

}  // namespace stiction
