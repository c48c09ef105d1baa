#include "problem/equality.hpp"

#include "dynamics/kinematics.hpp"
#include "dynamics/lever.hpp"
#include "dynamics/tree_jacobian.hpp"
#include "math/tree_cholesky.hpp"
#include "problem/dof_rows.hpp"
#include "problem/held_rows.hpp"
#include "problem/trial_pose.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kMostRows = 6;
// A row is independent of those before it if it keeps this share of its own inverse mass: rows that are parallel to
// 1e-4, as rounded numbers in files make them, count as dependent.
constexpr double kIndependent = 1e-8;
constexpr double kSoftness = 1e-8;  // of rows in loops of held joints, relative to how easily they are moved

int row_count(EqualityType type) {
  return type == EqualityType::kWeld ? 6 : (type == EqualityType::kConnect ? 3 : 1);
}

Vec3 axis(int k) {
  return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
}

// c₀ + c₁ x + … and its derivative.
double polynomial(const Polynomial& c, double x) {
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * c[4])));
}
double slope(const Polynomial& c, double x) {
  return c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
}

// Position of a hinge or slide from its reference; 0 for joint -1.
double deflection(const Model& model, int joint, const std::vector<double>& q) {
  if (joint < 0) return 0;
  const auto i = std::size_t(model.joint_q[std::size_t(joint)]);
  return q[i] - model.q_reference[i];
}

// Length of a tendon from that of the reference; 0 for tendon -1.
double tendon_deflection(const TrialPoses& poses, int tendon, const std::vector<double>& q) {
  if (tendon < 0) return 0;
  const auto pose = [&](int body) { return poses(body); };
  return tendon_length(poses.model, pose, tendon, q) - poses.model.tendon_reference_length[std::size_t(tendon)];
}

// C: translation of frame b from frame a, then its rotation from it, both in world axes; or the error of a coordinate.
void equality_error(const Model& model, int equality, const TrialPoses& poses, const std::vector<double>& q,
                    double* C) {
  const auto e = std::size_t(equality);
  const EqualityType type = model.equality_type[e];
  if (type == EqualityType::kJoint) {
    C[0] = deflection(model, model.equality_a[e], q) -
           polynomial(model.equality_polynomial[e], deflection(model, model.equality_b[e], q));
    return;
  }
  if (type == EqualityType::kTendon) {
    C[0] = tendon_deflection(poses, model.equality_a[e], q) -
           polynomial(model.equality_polynomial[e], tendon_deflection(poses, model.equality_b[e], q));
    return;
  }
  const Transform a = poses(model.equality_a[e]) * model.equality_frame_a[e];
  const Transform b = poses(model.equality_b[e]) * model.equality_frame_b[e];
  for (int k = 0; k < 3; ++k) C[k] = b.p[k] - a.p[k];
  if (type != EqualityType::kWeld) return;
  const Vec3 turn = rotation_vector(normalized(b.q * conjugate(a.q)));
  for (int k = 0; k < 3; ++k) C[3 + k] = turn[k];
}

// What a bounded correction leaves of an error: C (1 − h s / |C|), translation and rotation each for itself.
void leave_rest(const Options& options, const double* C, int rows, double* rest) {
  const double most = options.timestep * options.push_out_speed;
  for (int first = 0; first < rows; first += 3) {
    const int last = std::min(first + 3, rows);
    double size = 0;
    for (int k = first; k < last; ++k) size += C[k] * C[k];
    size = std::sqrt(size);
    for (int k = first; k < last; ++k) rest[k] = size > most ? C[k] * (1 - most / size) : 0.0;
  }
}

// The entries of a row that belong to a tree; null if the tree is none of the row's.
double* entries_of(ConstraintRows& rows, const ConstraintRow& row, int tree) {
  if (tree < 0) return nullptr;
  return rows.jacobian.data() + (tree == row.tree_a ? row.jacobian_a : row.jacobian_b);
}

// sign · the velocity along d of a point of the body, or its angular velocity along d.
void add_motion(const Model& model, const Workspace& w, int body, const Vec3& point, const Vec3& d, bool turn,
                double sign, double* J) {
  if (!J) return;
  if (turn)
    add_turn_row(model, w, body, sign, d, J);
  else
    add_point_rows(model, w, body, point, sign, &d, 1, J);
}

void fill_jacobian(const Model& model, const State& state, const Workspace& w, int equality, ConstraintRow& row,
                   ConstraintRows& rows) {
  const auto e = std::size_t(equality);
  const int a = model.equality_a[e], b = model.equality_b[e];
  if (model.equality_type[e] == EqualityType::kJoint) {
    const double gain = slope(model.equality_polynomial[e], deflection(model, b, state.q));
    for (const auto& [joint, factor] : {std::pair{a, 1.0}, std::pair{b, -gain}})
      if (joint >= 0) add_dof(model, w, model.joint_dof[std::size_t(joint)], factor, row, rows);
    return;
  }
  if (model.equality_type[e] == EqualityType::kTendon) {
    const Mechanism& m = w.mechanism;
    const double gain = slope(model.equality_polynomial[e], tendon_deflection(TrialPoses{model, w}, b, state.q));
    for (const auto& [tendon, factor] : {std::pair{a, 1.0}, std::pair{b, -gain}}) {
      if (tendon < 0) continue;
      const auto t = std::size_t(tendon);
      for (auto i = std::size_t(m.tendon_rows.row[t]); i < std::size_t(m.tendon_rows.row[t + 1]); ++i)
        add_dof(model, w, m.tendon_rows.dof[i], factor * m.tendon_jacobian[i], row, rows);
    }
    return;
  }
  const Vec3 d = axis(row.part % 3);
  for (const auto& [body, frame, turn, sign] : {std::tuple{a, model.equality_frame_a[e].p, row.parent_turn, -1.0},
                                                std::tuple{b, model.equality_frame_b[e].p, row.turn, 1.0}}) {
    Vec3 point = w.body_pose[std::size_t(body)] * frame;
    if (norm(turn) > 0) point = turned_point(w, body, turn, point);
    add_motion(model, w, body, point, d, row.part >= 3, sign,
               entries_of(rows, row, model.body_tree[std::size_t(body)]));
  }
}

// L⁻ᵀ Jᵀ of a row over its trees, one after the other.
void whiten(const ContactProblem& p, const ConstraintRows& rows, const ConstraintRow& row, std::vector<double>& y) {
  y.clear();
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? row.tree_a : row.tree_b;
    if (tree < 0) continue;
    const double* J = rows.jacobian.data() + (side == 0 ? row.jacobian_a : row.jacobian_b);
    const std::size_t first = y.size();
    y.insert(y.end(), J, J + p.tree_size(tree));
    stiction::whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], p.tree_size(tree), y.data() + first);
  }
}

// Marks a largest set of rows that are independent in the metric of M⁻¹, by Gram and Schmidt with pivoting.
void mark_independent(const ContactProblem& p, const ConstraintRows& rows, std::size_t first, int count,
                      std::vector<double> (&y)[kMostRows], bool* independent) {
  double size[kMostRows] = {}, group[2] = {0, 0};
  for (int k = 0; k < count; ++k) {
    whiten(p, rows, rows.list[first + std::size_t(k)], y[k]);
    for (const double x : y[k]) size[k] += x * x;
    group[k / 3] = std::max(group[k / 3], size[k]);
    independent[k] = false;
  }
  for (int found = 0; found < count; ++found) {
    int best = -1;
    double share = kIndependent;
    for (int k = 0; k < count; ++k)
      if (!independent[k] && group[k / 3] > 0 && size[k] / group[k / 3] > share)
        best = k, share = size[k] / group[k / 3];
    if (best < 0) return;
    independent[best] = true;
    const double length = size[best];
    for (int k = 0; k < count; ++k) {
      if (independent[k]) continue;
      double product = 0;
      for (std::size_t i = 0; i < y[k].size(); ++i) product += y[k][i] * y[best][i];
      size[k] = 0;
      for (std::size_t i = 0; i < y[k].size(); ++i) {
        y[k][i] -= product / length * y[best][i];
        size[k] += y[k][i] * y[k][i];
      }
    }
  }
}

// The trees that an equality couples, two at most; -1: none.
std::pair<int, int> coupled_trees(const Model& model, const Workspace& w, std::size_t e) {
  int first = -1, second = -1;
  const auto add_joint = [&](int joint) {
    add_trees_of_dof(model, w, model.joint_dof[std::size_t(joint)], first, second);
  };
  const auto add_body = [&](int body) {
    const int tree = model.body_tree[std::size_t(body)];
    if (tree < 0 || tree == first) return;
    (first < 0 ? first : second) = tree;
  };
  for (const int element : {model.equality_a[e], model.equality_b[e]}) {
    if (element < 0) continue;
    const auto i = std::size_t(element);
    const SparseRows& tendons = w.mechanism.tendon_rows;
    if (model.equality_type[e] == EqualityType::kTendon)
      for (auto k = std::size_t(tendons.row[i]); k < std::size_t(tendons.row[i + 1]); ++k)
        add_trees_of_dof(model, w, tendons.dof[k], first, second);
    else if (model.equality_type[e] == EqualityType::kJoint)
      add_joint(element);
    else
      add_body(element);
  }
  return {first, second};
}

void add_equality(const Model& model, const Options& options, const State& state, int equality, Workspace& w) {
  const auto e = std::size_t(equality);
  ConstraintRows& rows = w.constraint_rows;
  const ContactProblem& p = w.problem;
  const auto [tree_a, tree_b] = coupled_trees(model, w, e);
  if (tree_a < 0) return;  // nothing moves
  double C[kMostRows], rest[kMostRows];
  const int count = row_count(model.equality_type[e]);
  equality_error(model, equality, TrialPoses{model, w}, state.q, C);
  leave_rest(options, C, count, rest);
  const std::size_t first = rows.list.size();
  for (int k = 0; k < count; ++k) {
    ConstraintRow row;
    row.kind = ConstraintKind::kEquality;
    row.element = equality;
    row.part = k;
    row.lower = -INFINITY;
    row.upper = INFINITY;
    row.tree_a = tree_a;
    row.tree_b = tree_b;
    add_entries(p, row, rows);
    row.gap = C[k];
    row.rest = rest[k];
    row.selected = true;
    rows.list.push_back(row);
    fill_jacobian(model, state, w, equality, rows.list.back(), rows);
  }
  bool independent[kMostRows];
  mark_independent(p, rows, first, count, w.row_scratch, independent);
  std::size_t kept = first;
  for (int k = 0; k < count; ++k)
    if (independent[k]) rows.list[kept++] = rows.list[first + std::size_t(k)];
  rows.list.resize(kept);
}

}  // namespace

void add_equality_rows(const Model& model, const Options& options, const State& state, Workspace& w) {
  for (int e = 0; e < model.nequality; ++e)
    if (model.equality_active[std::size_t(e)]) add_equality(model, options, state, e, w);
}

void turn_equality_row(const Model& model, const State& state, Workspace& w, ConstraintRow& row) {
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? row.tree_a : row.tree_b;
    if (tree < 0) continue;
    const int first = side == 0 ? row.jacobian_a : row.jacobian_b;
    std::fill_n(w.constraint_rows.jacobian.begin() + first, w.problem.tree_size(tree), 0.0);
  }
  fill_jacobian(model, state, w, row.element, row, w.constraint_rows);
}

double equality_size(const Model& model, int equality, const State& state, Workspace& w) {
  double C[kMostRows], largest = 0;
  equality_error(model, equality, TrialPoses{model, w}, state.q, C);
  for (int k = 0; k < row_count(model.equality_type[std::size_t(equality)]); ++k)
    largest = std::max(largest, std::abs(C[k]));
  return largest;
}

void soften_loops(const Model& model, Workspace& w) {
  if (model.nequality == 0 || w.held.bodies.empty()) return;
  for (ConstraintRow& row : w.constraint_rows.list) {
    if (row.kind != ConstraintKind::kEquality && row.kind != ConstraintKind::kHeldJoint) continue;
    std::vector<double>& y = w.row_scratch[0];
    whiten(w.problem, w.constraint_rows, row, y);
    double mobility = 0;
    for (const double x : y) mobility += x * x;
    row.compliance = kSoftness * w.problem.timestep * mobility;
  }
}

double linearise_equalities(const Model& model, const Options& options, const State& state,
                            const std::vector<double>& u, Workspace& w) {
  w.equality_drift = 0;
  if (model.nequality == 0 && w.held.bodies.empty()) return 0;
  const double h = options.timestep;
  const TrialPoses poses = poses_at_end(model, options, state, u, w);
  double largest = linearise_held_joints(model, options, u, w);
  const std::vector<double>& q = w.held.bodies.empty() ? w.next.q : w.held_trial;  // positions of joints
  auto row = std::find_if(w.constraint_rows.list.begin(), w.constraint_rows.list.end(),
                          [](const ConstraintRow& r) { return r.kind == ConstraintKind::kEquality; });
  for (int e = 0; e < model.nequality; ++e) {
    if (!model.equality_active[std::size_t(e)]) continue;
    const EqualityType type = model.equality_type[std::size_t(e)];
    double C[kMostRows];
    equality_error(model, e, poses, q, C);
    for (int k = 0; k < row_count(type); ++k) w.equality_drift = std::max(w.equality_drift, std::abs(C[k]));
    for (; row != w.constraint_rows.list.end() && row->kind == ConstraintKind::kEquality && row->element == e; ++row) {
      const double v = row_velocity(w.problem, w.constraint_rows, *row, u);
      largest = std::max(largest, row->relinearise(h, C[row->part], v));
    }
  }
  return largest;
}

}  // namespace stiction
