#include "dynamics/held_joints.hpp"

#include "dynamics/kinematics.hpp"
#include "dynamics/lever.hpp"
#include "math/cholesky.hpp"
#include "model/joint_chain.hpp"
#include "model/tree.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kMostIterations = 20;
constexpr double kRank = 1e-14;  // added to SᵀS, relative to its diagonal: joints of a gimbal that are in line

detail::JointChain chain_of(const Model& model, int body) {
  return {model.body_held_joint[std::size_t(body)], model.body_held_joint_count[std::size_t(body)]};
}

// The chain at q from the parent's pose: δ at the anchor and the columns S there.
Spatial place(const Model& model, const HeldBody& body, const Transform& parent, const Transform& child,
              const double* q, Spatial* S, Vec3& point) {
  const auto b = std::size_t(body.body);
  const Transform end = detail::place_chain(model, chain_of(model, body.body), q, parent * model.body_pose[b], S);
  point = end * body.anchor;
  for (int k = 0; k < body.dofs; ++k) S[k] = motion_at(S[k], point);
  return {rotation_vector(normalized(child.q * conjugate(end.q))), child * body.anchor - point};
}

// x ← (SᵀS)⁻¹ x for several x, one after the other.
void solve_normal(const Spatial* S, int n, double* x, int count) {
  double A[36], L[36];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[n * i + j] = dot(S[i], S[j]) * (i == j ? 1 + kRank : 1.0);
  if (!cholesky_factor(A, n, L)) {  // joints in line: each for itself
    for (int i = 0; i < n * count; ++i) x[i] /= A[(n + 1) * (i % n)];
    return;
  }
  for (int c = 0; c < count; ++c) cholesky_solve(L, n, x + n * c);
}

double& component(Spatial& v, int i) {
  return i < 3 ? v.linear[i] : v.angular[i - 3];
}

// N: of the six unit motions in the body's axes, what is normal to S and to those before, the largest first.
void complement(const Mat3& R, const Spatial* S, int n, Spatial* N) {
  Spatial basis[6], rest[6];
  int known = 0;
  const auto project = [&](Spatial v) {
    for (int twice = 0; twice < 2; ++twice)
      for (int k = 0; k < known; ++k) v = v - basis[k] * dot(v, basis[k]);
    return v;
  };
  const auto add = [&](const Spatial& v) {
    const double size = std::sqrt(dot(v, v));
    if (size > 0) basis[known++] = v * (1 / size);
  };
  for (int k = 0; k < n; ++k) add(project({transpose_times(R, S[k].angular), transpose_times(R, S[k].linear)}));
  for (int k = 0; k < 6 - n; ++k) {
    int best = 0;
    double largest = -1;
    for (int i = 0; i < 6; ++i) {
      Spatial unit;
      component(unit, i) = 1;
      rest[i] = project(unit);
      // Of nearly equal ones the first, whatever rounding says.
      if (dot(rest[i], rest[i]) > largest * (1 + 1e-9)) best = i, largest = dot(rest[i], rest[i]);
    }
    add(rest[best]);
    N[k] = {R * basis[known - 1].angular, R * basis[known - 1].linear};
  }
}

// A row of the wrench on the body at `point` and its opposite on the carrier at `parent_point`.
void fill_row(const Model& model, const Spatial& wrench, const HeldBody& body, const Vec3& point,
              const Vec3& parent_point, Workspace& w, HeldRow& row) {
  row.wrench = wrench;
  double* scratch = w.mechanism.row_scratch.data();
  const auto take = [&](int of, int dof, const Vec3& at, double sign, double* out) {
    if (dof < 0) return;
    add_wrench(model, w, of, at, wrench.linear * sign, wrench.angular * sign, scratch);
    double* entries = scratch + dof;
    std::copy_n(entries, 6, out);
    std::fill_n(entries, 6, 0.0);
  };
  take(body.body, body.dof, point, 1, row.child);
  take(body.carrier, body.parent_dof, parent_point, -1, row.parent);
}

}  // namespace

HeldJoints::HeldJoints(const Model& model) {
  const std::vector<int> carrier = detail::welded_to(model);
  const auto free_dof = [&](int body) { return model.joint_dof[std::size_t(model.body_joint[std::size_t(body)])]; };
  for (int b = 1; b < model.nbody; ++b) {
    const auto i = std::size_t(b);
    if (model.body_held_joint_count[i] == 0) continue;
    HeldBody body;
    const detail::JointChain chain = chain_of(model, b);
    body.body = b;
    body.tree = model.body_tree[i];
    body.carrier = carrier[std::size_t(model.body_parent[i])];
    body.parent_tree = model.body_tree[std::size_t(body.carrier)];
    body.dof = free_dof(b);
    if (body.carrier > 0) body.parent_dof = free_dof(body.carrier);
    body.first_dof = model.joint_dof[std::size_t(chain.first)];
    body.dofs = detail::dof_count(model, chain);
    body.anchor = model.joint_anchor[std::size_t(chain.first + chain.count - 1)];
    body_of_dof.insert(body_of_dof.end(), std::size_t(body.dofs), int(bodies.size()));
    bodies.push_back(body);
  }
  if (!bodies.empty()) q = model.q_reference;
}

Spatial fit_held_joints(const Model& model, const HeldBody& body, const Transform& parent, const Transform& child,
                        double* q) {
  Spatial S[6], error;
  Vec3 point;
  double change[6], last = INFINITY;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    error = place(model, body, parent, child, q, S, point);
    for (int k = 0; k < body.dofs; ++k) change[k] = dot(S[k], error);
    solve_normal(S, body.dofs, change, 1);
    double size = 0;
    for (int k = 0; k < body.dofs; ++k) size = std::max(size, std::abs(change[k]));
    // Ends at rounding: the change no longer shrinks.
    if (!(size < last) || size < 1e-15) break;
    last = size;
    detail::move_chain(model, chain_of(model, body.body), change, q);
  }
  return error;
}

void held_rates(const Model& model, const HeldBody& body, const Transform& parent, const Transform& child,
                const Spatial& parent_velocity, const Spatial& velocity, const double* q, double* rates) {
  Spatial S[6];
  Vec3 point;
  place(model, body, parent, child, q, S, point);
  const Spatial V = motion_at(velocity - parent_velocity, point);
  for (int k = 0; k < body.dofs; ++k) rates[k] = dot(S[k], V);
  solve_normal(S, body.dofs, rates, 1);
}

void compute_held_joints(const Model& model, const std::vector<double>& q, Workspace& w) {
  HeldJoints& held = w.held;
  if (held.bodies.empty()) return;
  std::copy(q.begin(), q.end(), held.q.begin());
  for (HeldBody& body : held.bodies) {
    const auto b = std::size_t(body.body);
    const Transform& parent = w.body_pose[std::size_t(model.body_parent[b])];
    body.lead = 0;
    body.error = fit_held_joints(model, body, parent, w.body_pose[b], held.q.data());
    Spatial S[6], N[6];
    place(model, body, parent, w.body_pose[b], held.q.data(), S, body.point);
    // Rows of (SᵀS)⁻¹ Sᵀ, as columns G of six numbers.
    double G[36];
    for (int i = 0; i < 6; ++i)
      for (int k = 0; k < body.dofs; ++k) G[i * body.dofs + k] = component(S[k], i);
    solve_normal(S, body.dofs, G, 6);
    for (int k = 0; k < body.dofs; ++k) {
      Spatial wrench;
      for (int i = 0; i < 6; ++i) component(wrench, i) = G[i * body.dofs + k];
      fill_row(model, wrench, body, body.point, body.point, w, body.rate[k]);
    }
    complement(rotation_matrix(w.body_pose[b].q), S, body.dofs, N);
    for (int k = 0; k < 6 - body.dofs; ++k) {
      body.normal[k] = N[k];
      fill_row(model, N[k], body, body.point, body.point, w, body.forbidden[k]);
    }
  }
}

void turn_forbidden_rows(const Model& model, const Vec3& turn, const Vec3& parent_turn, Workspace& w, HeldBody& body) {
  const Quat D = quat_from_rotation_vector(turn);
  const Vec3 point = turned_point(w, body.body, turn, body.point);
  const Vec3 parent_point = body.parent_dof < 0 ? body.point : turned_point(w, body.carrier, parent_turn, body.point);
  for (int k = 0; k < 6 - body.dofs; ++k) {
    const Spatial turned{rotate(D, body.normal[k].angular), rotate(D, body.normal[k].linear)};
    fill_row(model, turned, body, point, parent_point, w, body.forbidden[k]);
  }
}

void write_held_joints(const Model& model, const Workspace& w, State& state) {
  for (const HeldBody& body : w.held.bodies) {
    const detail::JointChain chain = chain_of(model, body.body);
    const auto end = std::size_t(chain.first + chain.count - 1);
    const int first = model.joint_q[std::size_t(chain.first)];
    const int last = model.joint_q[end] + detail::position_count(model.joint_type[end]);
    std::copy(w.held.q.begin() + first, w.held.q.begin() + last, state.q.begin() + first);
    const double* child = state.u.data() + body.dof;
    const double* parent = body.parent_dof < 0 ? nullptr : state.u.data() + body.parent_dof;
    for (int k = 0; k < body.dofs; ++k) {
      double rate = 0;
      for (int i = 0; i < 6; ++i) {
        rate += body.rate[k].child[i] * child[i];
        if (parent) rate += body.rate[k].parent[i] * parent[i];
      }
      state.u[std::size_t(body.first_dof + k)] = rate;
    }
  }
}

void advance_held_joints(const Model& model, Workspace& w, State& next) {
  if (w.held.bodies.empty()) return;
  compute_poses(model, next.q, w);
  // Positions of held joints stand behind all others, in the order of bodies.
  const auto first_joint = std::size_t(model.body_held_joint[std::size_t(w.held.bodies.front().body)]);
  const int first = model.joint_q[first_joint];
  std::copy(w.held.q.begin() + first, w.held.q.end(), next.q.begin() + first);
  compute_held_joints(model, next.q, w);
  write_held_joints(model, w, next);
}

void add_held_forces(const Workspace& w, std::vector<double>& force) {
  for (const HeldBody& body : w.held.bodies)
    for (int k = 0; k < body.dofs; ++k) {
      const double f = force[std::size_t(body.first_dof + k)];
      if (f == 0) continue;
      for (int i = 0; i < 6; ++i) {
        force[std::size_t(body.dof + i)] += f * body.rate[k].child[i];
        if (body.parent_dof >= 0) force[std::size_t(body.parent_dof + i)] += f * body.rate[k].parent[i];
      }
    }
}

}  // namespace stiction
