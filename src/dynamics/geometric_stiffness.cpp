#include "dynamics/geometric_stiffness.hpp"

#include "math/symmetric_eigen.hpp"
#include "problem/constraint_rows.hpp"
#include "step/workspace.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace stiction {
namespace {

// Centre of mass and axes of links in the world.
class Links {
 public:
  Links(const Model& model, const Workspace& w) : model_(model), w_(w) {}

  Vec3 com(int link) const {
    const Link& l = w_.plan.link[std::size_t(link)];
    if (w_.tree_free[std::size_t(l.tree)]) return root_pose(l) * l.com;
    const LinkPose& pose = w_.links.pose[link];
    return w_.links.origin[l.origin] + (pose.p + pose.R * l.com);
  }
  Mat3 axes(int link) const {
    const Link& l = w_.plan.link[std::size_t(link)];
    if (w_.tree_free[std::size_t(l.tree)]) return w_.body_rotation[std::size_t(model_.tree_root[std::size_t(l.tree)])];
    return w_.links.pose[link].R;
  }

 private:
  const Transform& root_pose(const Link& l) const {
    return w_.body_pose[std::size_t(model_.tree_root[std::size_t(l.tree)])];
  }
  const Model& model_;
  const Workspace& w_;
};

// The force F on a link at a point of the world.
void add_force(const Links& links, int link, const Vec3& F, const Vec3& point, GeometricStiffness& g) {
  if (link <= 0) return;
  const Vec3 r = point - links.com(link);
  const double along = dot(F, r);
  const Sym3 outer{F.x * r.x,
                   F.y * r.y,
                   F.z * r.z,
                   0.5 * (F.x * r.y + F.y * r.x),
                   0.5 * (F.x * r.z + F.z * r.x),
                   0.5 * (F.y * r.z + F.z * r.y)};
  Sym3& K = g.stiffness[std::size_t(link)];
  K = K + Sym3{along, along, along, 0, 0, 0} - outer;
}

// Forces of joints: each link is held by its parent at its own origin.
void add_tree_forces(const Links& links, Workspace& w) {
  for (const int t : w.articulated) {
    const TreeView view = w.plan.view(t);
    for (int i = view.begin; i < view.end; ++i) {
      if (view.link[i].type == JointType::kFree) continue;
      const Vec3 F = w.links.force[i].linear, at = w.links.origin[view.link[i].origin] + w.links.pose[i].p;
      add_force(links, i, F, at, w.stiff);
      add_force(links, view.link[i].parent, -F, at, w.stiff);
    }
  }
}

// Forces of loops and held joints, as the step before left them.
void add_row_forces(const Model& model, const Links& links, const State& state, Workspace& w) {
  const auto add = [&](int body, const Vec3& F, const Vec3& at) {
    add_force(links, w.plan.body_link[std::size_t(body)], F, at, w.stiff);
  };
  std::size_t next = 0;  // entry of held.bodies: rows come in the order of bodies
  for (std::size_t r = 0; r < std::size_t(state.nwarmrow); ++r) {
    const RowIdentity row = row_identity(state.warm_row_key[r]);
    const double force = state.warm_row_force[r];
    if (row.kind == ConstraintKind::kEquality && row.part < 3) {
      const auto e = std::size_t(row.element);
      if (model.equality_type[e] != EqualityType::kConnect && model.equality_type[e] != EqualityType::kWeld) continue;
      Vec3 F;
      F[row.part] = force;
      const int a = model.equality_a[e], b = model.equality_b[e];
      add(b, F, w.body_pose[std::size_t(b)] * model.equality_frame_b[e].p);
      add(a, -F, w.body_pose[std::size_t(a)] * model.equality_frame_a[e].p);
    } else if (row.kind == ConstraintKind::kHeldJoint) {
      while (next < w.held.bodies.size() && w.held.bodies[next].body < row.element) ++next;
      if (next == w.held.bodies.size()) return;
      const HeldBody& body = w.held.bodies[next];
      const Vec3 F = body.forbidden[row.part].wrench.linear * force;
      add(row.element, F, body.point);
      add(model.body_parent[std::size_t(row.element)], -F, body.point);
    }
  }
}

// A of a link with the stiffness K, both in the axes of the link: with I = B Bᵀ and B⁻¹ K B⁻ᵀ = V diag(k) Vᵀ,
// A = Σ (h² k / 2 − 1)₊ b bᵀ over the columns b of B V.
Sym3 added_inertia(const Sym3& K, const Sym3& inertia, double h) {
  Vec3 moments, k;
  Mat3 axes, modes;
  symmetric_eigen(inertia, moments, axes);
  const Vec3 root{std::sqrt(moments.x), std::sqrt(moments.y), std::sqrt(moments.z)};
  const Vec3 inverse_root{1 / root.x, 1 / root.y, 1 / root.z};
  const Sym3 in_axes = turned(transpose(axes), K);
  symmetric_eigen(turned(Mat3::diagonal(inverse_root), in_axes), k, modes);
  Sym3 A;
  for (int i = 0; i < 3; ++i) {
    const Vec3 column = modes.column(i), b = axes * Vec3{root.x * column.x, root.y * column.y, root.z * column.z};
    A = A + symmetric_outer(b * std::max(0.0, 0.5 * h * h * k[i] - 1), b);
  }
  return A;
}

// Adds J_ωᵀ A J_ω of a link to the block of its tree.
void add_to_block(const Model& model, const Workspace& w, int link, const Mat3& R, const Sym3& A, double* block) {
  const Link& l = w.plan.link[std::size_t(link)];
  const int n = w.problem.tree_size(l.tree), first = model.tree_dof[std::size_t(l.tree)];
  const auto turn = [&](int dof) {
    if (!w.tree_free[std::size_t(l.tree)]) return w.links.motion[dof].angular;
    return dof - first < 3 ? Vec3{} : R.column(dof - first - 3);
  };
  const int last = l.dof + (l.type == JointType::kFree ? 5 : (l.type == JointType::kBall ? 2 : 0));
  const auto row = std::size_t(w.plan.row[std::size_t(last)]);
  const std::span<const int> chain(w.plan.ancestor.data() + row, std::size_t(w.plan.row[std::size_t(last) + 1]) - row);
  for (const int i : chain) {
    const Vec3 moment = A * turn(i);
    for (const int j : chain) block[(i - first) * n + j - first] += dot(moment, turn(j));
  }
}

// Whether some link might pass the bound, from the sizes of forces and levers: ‖(F·r) 1 − sym(F rᵀ)‖ ≤ √2 |F| |r|.
bool may_need_inertia(const Model& model, double h, const State& state, Workspace& w) {
  if (model.nequality > 0 || !w.held.bodies.empty()) return true;
  GeometricStiffness& g = w.stiff;
  std::fill(g.bound.begin(), g.bound.end(), 0.0);
  for (const int t : w.articulated) {
    const TreeView view = w.plan.view(t);
    for (int i = view.begin; i < view.end; ++i) {
      const Link& link = view.link[i];
      if (link.type == JointType::kFree) continue;
      const double travel =
          link.type == JointType::kSlide ? std::abs(state.q[std::size_t(link.q)] - link.reference) : 0.0;
      const double force = std::sqrt(2.0) * norm(w.links.force[i].linear);
      g.bound[std::size_t(i)] += force * g.lever[std::size_t(i)];
      g.bound[std::size_t(link.parent)] += force * (g.parent_lever[std::size_t(i)] + travel);
    }
  }
  for (std::size_t i = 1; i < g.bound.size(); ++i)
    if (!(0.5 * h * h * g.bound[i] <= g.least_inertia[i])) return true;
  return false;
}

}  // namespace

void GeometricStiffness::prepare(const Workspace& w) {
  stiffness.resize(w.plan.link.size());
  least_inertia.assign(w.plan.link.size(), INFINITY);
  lever.resize(w.plan.link.size());
  parent_lever.resize(w.plan.link.size());
  bound.resize(w.plan.link.size());
  for (std::size_t i = 1; i < w.plan.link.size(); ++i) {
    const Link& link = w.plan.link[i];
    lever[i] = norm(link.com);
    parent_lever[i] = norm(link.position - w.plan.link[std::size_t(link.parent)].com);
    Vec3 moments;
    Mat3 axes;
    symmetric_eigen(w.plan.link[i].inertia, moments, axes);
    const double least = std::min({moments.x, moments.y, moments.z});
    // A link without inertia of its own is not what moves first: it has no mass to swing.
    if (least > 0) least_inertia[i] = least;
  }
}

void add_geometric_inertia(const Model& model, double h, const State& state, Workspace& w) {
  GeometricStiffness& g = w.stiff;
  g.added.clear();
  if (!may_need_inertia(model, h, state, w)) return;
  const Links links(model, w);
  std::fill(g.stiffness.begin(), g.stiffness.end(), Sym3{});
  add_tree_forces(links, w);
  add_row_forces(model, links, state, w);
  for (int i = 1; i < w.plan.nlink(); ++i) {
    const Sym3& K = g.stiffness[std::size_t(i)];
    // A bound on the largest eigenvalue first: hardly any link of any robot passes it.
    const double size =
        std::sqrt(K.xx * K.xx + K.yy * K.yy + K.zz * K.zz + 2 * (K.xy * K.xy + K.xz * K.xz + K.yz * K.yz));
    if (!(0.5 * h * h * size > g.least_inertia[std::size_t(i)])) continue;
    const Mat3 R = links.axes(i);
    const Sym3 A = turned(R, added_inertia(turned(transpose(R), K), w.plan.link[std::size_t(i)].inertia, h));
    if (!(A.xx + A.yy + A.zz > 0)) continue;
    if (g.added.empty()) g.added.assign(w.problem.inertia.size(), 0.0);
    add_to_block(model, w, i, R, A,
                 g.added.data() + w.problem.tree_inertia[std::size_t(w.plan.link[std::size_t(i)].tree)]);
  }
  for (std::size_t e = 0; e < g.added.size(); ++e) w.problem.inertia[e] += g.added[e];
}

}  // namespace stiction
