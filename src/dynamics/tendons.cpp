// Lengths of tendons and of actuators with their Jacobian rows: dynamics/mechanism.hpp.
//
// A spatial tendon is a chain of straight parts and arcs; each straight part from p on body A to p′ on body B
// lengthens by d·(v_B(p′) − v_A(p)), d its direction. The ends of an arc count as fixed to the body that is wrapped:
// sliding along the surface changes the length to second order only.
#include "dynamics/mechanism.hpp"
#include "dynamics/tendon_wrap.hpp"
#include "dynamics/tree_jacobian.hpp"
#include "model/tree.hpp"
#include "step/workspace.hpp"

#include <cmath>

namespace stiction {
namespace {

// Takes the scratch row into the entries of row i, and its product with u.
double gather(const SparseRows& rows, std::size_t i, const std::vector<double>& u, std::vector<double>& scratch,
              std::vector<double>& entries) {
  double rate = 0;
  for (auto e = std::size_t(rows.row[i]); e < std::size_t(rows.row[i + 1]); ++e) {
    const auto d = std::size_t(rows.dof[e]);
    entries[e] = scratch[d];
    rate += scratch[d] * u[d];
    scratch[d] = 0;
  }
  return rate;
}

// Poses of bodies as the workspace has them.
struct PosesOf {
  const Workspace& w;
  const Transform& operator()(int body) const { return w.body_pose[std::size_t(body)]; }
};

// Length of a straight part between two points on two bodies, divided by `divisor`. Where the bodies differ, calls
// pull(body, point, rate): moving the point at the velocity v lengthens the part by rate·v.
template <class Pull>
double straight_part(int body_a, const Vec3& a, int body_b, const Vec3& b, double divisor, Pull&& pull) {
  const Vec3 d = b - a;
  const double length = norm(d);
  if (body_a != body_b && length > 0) {
    const Vec3 rate = d * (1 / (length * divisor));
    pull(body_a, a, -rate);
    pull(body_b, b, rate);
  }
  return length / divisor;
}

// `pose` gives the poses of bodies.
template <class Pose, class Pull>
double follow_path(const Model& model, std::size_t tendon, Pose&& pose, Pull&& pull) {
  double length = 0, divisor = 1;
  const int end = model.tendon_wrap[tendon + 1];
  const auto body_of = [&](std::size_t i) { return model.site_body[std::size_t(model.wrap_object[i])]; };
  const auto site_of = [&](int site) {
    const auto s = std::size_t(site);
    return pose(model.site_body[s]) * model.site_pose[s].p;
  };
  const auto point_of = [&](std::size_t i) { return site_of(model.wrap_object[i]); };
  for (int object = model.tendon_wrap[tendon]; object + 1 < end;) {
    const auto i = std::size_t(object), next = i + 1;
    if (model.wrap_type[i] == WrapType::kPulley) {
      divisor = model.wrap_parameter[i];
      ++object;
      continue;
    }
    if (model.wrap_type[next] == WrapType::kPulley) {
      ++object;
      continue;
    }
    const Vec3 a = point_of(i);
    if (model.wrap_type[next] == WrapType::kSite) {
      length += straight_part(body_of(i), a, body_of(next), point_of(next), divisor, pull);
      ++object;
      continue;
    }
    // Site, sphere or cylinder, site.
    const auto shape = std::size_t(model.wrap_object[next]), last = next + 1;
    const Vec3 b = point_of(last);
    Vec3 side;
    if (model.wrap_side_site[next] >= 0) side = site_of(model.wrap_side_site[next]);
    const WrapT<double> wrap = wrap_tendon(pose(model.shape_body[shape]) * model.shape_pose[shape],
                                           model.shape_size[shape].x, model.wrap_type[next] == WrapType::kCylinder, a,
                                           b, model.wrap_side_site[next] >= 0 ? &side : nullptr);
    if (wrap.wraps) {
      const int body = model.shape_body[shape];
      length += straight_part(body_of(i), a, body, wrap.first, divisor, pull) + wrap.length / divisor;
      length += straight_part(body, wrap.second, body_of(last), b, divisor, pull);
    } else {
      length += straight_part(body_of(i), a, body_of(last), b, divisor, pull);
    }
    object += 2;
  }
  return length;
}

// Length, rate and moment of an actuator on a hinge or slide; false if it is on another joint.
bool scalar_transmission(const Model& model, const State& state, std::size_t a, Mechanism& m) {
  const auto j = std::size_t(model.actuator_target_index[a]);
  if (model.joint_type[j] != JointType::kHinge && model.joint_type[j] != JointType::kSlide) return false;
  const double gear = model.actuator_gear[a].linear.x;
  m.actuator_moment[std::size_t(m.actuator_rows.row[a])] = gear;
  m.actuator_length[a] = gear * state.q[std::size_t(model.joint_q[j])];
  m.actuator_velocity[a] = gear * state.u[std::size_t(model.joint_dof[j])];
  return true;
}

// Row and length of an actuator on a ball or free joint.
double joint_transmission(const Model& model, const State& state, std::size_t a, double* row) {
  const auto j = std::size_t(model.actuator_target_index[a]);
  const Spatial& gear = model.actuator_gear[a];
  const double* q = state.q.data() + model.joint_q[j];
  double* out = row + model.joint_dof[j];
  const bool in_parent = model.actuator_target[a] == ActuatorTarget::kJointInParent;
  const auto set = [](const Vec3& v, double* x) { x[0] = v.x, x[1] = v.y, x[2] = v.z; };
  if (model.joint_type[j] == JointType::kBall) {
    const Quat turn = normalized(Quat{q[0], q[1], q[2], q[3]});
    const Vec3 axis = in_parent ? rotate_inverse(turn, gear.linear) : gear.linear;
    set(axis, out);
    return dot(rotation_vector(turn), axis);
  }
  const Quat turn = normalized(Quat{q[3], q[4], q[5], q[6]});
  set(gear.linear, out);
  set(in_parent ? rotate_inverse(turn, gear.angular) : gear.angular, out + 3);
  return 0;
}

// Zeroes a row at the degrees of freedom that carry both bodies: they move both frames alike.
void drop_common(const Model& model, const Workspace& w, int body_a, int body_b, double* row) {
  const int tree = model.body_tree[std::size_t(body_a)];
  if (tree < 0 || model.body_tree[std::size_t(body_b)] != tree) return;
  if (w.tree_free[std::size_t(tree)]) {
    for (int d = model.tree_dof[std::size_t(tree)]; d < model.tree_dof[std::size_t(tree) + 1]; ++d) row[d] = 0;
    return;
  }
  const TreeView view = w.plan.view(tree);
  const int last_a = last_dof(view, w.plan.body_link[std::size_t(body_a)]);
  const int last_b = last_dof(view, w.plan.body_link[std::size_t(body_b)]);
  int i = view.row[last_a], k = view.row[last_b];
  // Both lists ascend from the root and agree up to where the chains part.
  for (; i < view.row[last_a + 1] && k < view.row[last_b + 1] && view.ancestor[i] == view.ancestor[k]; ++i, ++k)
    row[view.ancestor[i]] = 0;
}

// A wrench in the frame of the site; with a reference site in the frame of that, against it.
double site_transmission(const Model& model, const Workspace& w, std::size_t a, double* row) {
  const int site = model.actuator_target_index[a], reference = model.actuator_second_site[a];
  const Spatial& gear = model.actuator_gear[a];
  const Transform X = site_pose(model, w, site);
  const int body = model.site_body[std::size_t(site)];
  if (reference < 0) {
    add_wrench(model, w, body, X.p, rotate(X.q, gear.linear), rotate(X.q, gear.angular), row);
    return 0;
  }
  const Transform R = site_pose(model, w, reference);
  const int reference_body = model.site_body[std::size_t(reference)];
  const Vec3 force = rotate(R.q, gear.linear), torque = rotate(R.q, gear.angular);
  add_wrench(model, w, body, X.p, force, torque, row);
  add_wrench(model, w, reference_body, R.p, -force, -torque, row);
  drop_common(model, w, body, reference_body, row);
  return dot(rotate_inverse(R.q, X.p - R.p), gear.linear) + dot(rotation_vector(conjugate(R.q) * X.q), gear.angular);
}

// Crank pin at c, slider at s moving along z of its site: l = a − √(a² + rod² − |v|²), v = c − s, a = v·z.
double slider_crank(const Model& model, const Workspace& w, std::size_t a, double* row) {
  const int crank = model.actuator_target_index[a], slider = model.actuator_second_site[a];
  const double gear = model.actuator_gear[a].linear.x, rod = model.actuator_crank_length[a];
  const Transform C = site_pose(model, w, crank), S = site_pose(model, w, slider);
  const Vec3 axis = rotate(S.q, {0, 0, 1}), v = C.p - S.p;
  const double along = dot(v, axis), square = along * along + rod * rod - dot(v, v);
  const double root = square > 0 ? std::sqrt(square) : 0;
  // Where the rod cannot reach, it is taken as drawn to the axis.
  const Vec3 by_v = square > 0 ? axis * (1 - along / root) + v * (1 / root) : axis;
  const Vec3 by_axis = square > 0 ? v * (1 - along / root) : v;
  add_wrench(model, w, model.site_body[std::size_t(crank)], C.p, by_v * gear, {}, row);
  add_wrench(model, w, model.site_body[std::size_t(slider)], S.p, by_v * -gear, cross(axis, by_axis) * gear, row);
  return gear * (along - root);
}

}  // namespace

void compute_tendons(const Model& model, const State& state, Workspace& w) {
  Mechanism& m = w.mechanism;
  double* row = m.row_scratch.data();
  for (std::size_t t = 0; t < std::size_t(model.ntendon); ++t) {
    double length = 0;
    if (model.tendon_type[t] == TendonType::kFixed) {
      for (auto i = std::size_t(model.tendon_wrap[t]); i < std::size_t(model.tendon_wrap[t + 1]); ++i) {
        const auto j = std::size_t(model.wrap_object[i]);
        length += model.wrap_parameter[i] * state.q[std::size_t(model.joint_q[j])];
        row[model.joint_dof[j]] += model.wrap_parameter[i];
      }
    } else {
      length = follow_path(model, t, PosesOf{w}, [&](int body, const Vec3& point, const Vec3& rate) {
        add_wrench(model, w, body, point, rate, {}, row);
      });
    }
    m.tendon_length[t] = length;
    m.tendon_velocity[t] = gather(m.tendon_rows, t, state.u, m.row_scratch, m.tendon_jacobian);
  }
}

double tendon_length(const Model& model, const std::function<Transform(int)>& pose, int tendon,
                     const std::vector<double>& q) {
  const auto t = std::size_t(tendon);
  if (model.tendon_type[t] == TendonType::kSpatial)
    return follow_path(model, t, pose, [](int, const Vec3&, const Vec3&) {});
  double length = 0;
  for (auto i = std::size_t(model.tendon_wrap[t]); i < std::size_t(model.tendon_wrap[t + 1]); ++i)
    length += model.wrap_parameter[i] * q[std::size_t(model.joint_q[std::size_t(model.wrap_object[i])])];
  return length;
}

void add_tendon_wrenches(const Model& model, const Workspace& w, int tendon, double tension,
                         std::vector<Spatial>& wrench) {
  const auto t = std::size_t(tendon);
  if (model.tendon_type[t] == TendonType::kFixed || tension == 0) return;
  follow_path(model, t, PosesOf{w}, [&](int body, const Vec3& point, const Vec3& rate) {
    Spatial& sum = wrench[std::size_t(body)];
    sum = sum + Spatial{cross(point, rate) * tension, rate * tension};
  });
}

void compute_transmissions(const Model& model, const State& state, Workspace& w) {
  Mechanism& m = w.mechanism;
  double* row = m.row_scratch.data();
  for (std::size_t a = 0; a < std::size_t(model.nactuator); ++a) {
    double length = 0;
    switch (model.actuator_target[a]) {
      case ActuatorTarget::kJoint:
      case ActuatorTarget::kJointInParent:
        if (scalar_transmission(model, state, a, m)) continue;
        length = joint_transmission(model, state, a, row);
        break;
      case ActuatorTarget::kTendon: {
        const auto t = std::size_t(model.actuator_target_index[a]);
        const double gear = model.actuator_gear[a].linear.x;
        for (auto e = std::size_t(m.tendon_rows.row[t]); e < std::size_t(m.tendon_rows.row[t + 1]); ++e)
          row[m.tendon_rows.dof[e]] = gear * m.tendon_jacobian[e];
        length = gear * m.tendon_length[t];
        break;
      }
      case ActuatorTarget::kSite:
        length = site_transmission(model, w, a, row);
        break;
      case ActuatorTarget::kSliderCrank:
        length = slider_crank(model, w, a, row);
        break;
      case ActuatorTarget::kBody:
        break;
    }
    m.actuator_length[a] = length;
    m.actuator_velocity[a] = gather(m.actuator_rows, a, state.u, m.row_scratch, m.actuator_moment);
  }
}

}  // namespace stiction
