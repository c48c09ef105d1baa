#include "problem/contact_rows.hpp"

#include "dynamics/kinematics.hpp"
#include "math/tree_cholesky.hpp"
#include "model/contact_model.hpp"
#include "problem/reach.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using detail::ContactModel;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMovable = 1e-12;    // of the contact's largest inverse mass: a row with less is left out
constexpr double kProximal = 1e-6;    // e h⁻¹ as a part of the mean inverse mass of the rows
constexpr double kSettled = 0.01;     // of the tolerance: rows met that well need no further round
constexpr double kContraction = 0.5;  // of the error, above which further rounds do not help

struct Frame {
  Vec3 axis[3];  // n, t1, t2
  explicit Frame(const Vec3& normal) : axis{normal, {}, {}} { tangent_frame(axis[0], axis[1], axis[2]); }
};

// Three rows of contact c with their Jacobians, as assemble_rows has them for a contact.
void append_rows(const Model& model, int c, Workspace& w) {
  ConstraintRows& rows = w.constraint_rows;
  const auto i = std::size_t(c);
  const int body_a = w.touching.body_a[i], body_b = w.touching.body_b[i];
  const int tree_a = model.body_tree[std::size_t(body_a)], tree_b = model.body_tree[std::size_t(body_b)];
  const Frame frame(w.touching.normal[i]);
  ConstraintRow row;
  row.kind = ConstraintKind::kContact;
  row.element = c;
  row.gap = w.touching.gap[i];
  const Vec3& belt = w.touching.surface_velocity[i];
  row.tree_a = tree_a;
  row.tree_b = tree_b == tree_a ? -1 : tree_b;
  const auto append = [&](int tree) {
    const std::size_t first = rows.jacobian.size();
    if (tree >= 0) rows.jacobian.resize(first + 3 * std::size_t(w.problem.tree_size(tree)), 0.0);
    return int(first);
  };
  row.jacobian_a = append(row.tree_a);
  row.jacobian_b = append(row.tree_b);
  if (tree_a >= 0)
    add_point_rows(model, w, body_a, w.touching.point[i], -1, frame.axis, 3, rows.jacobian.data() + row.jacobian_a);
  if (tree_b >= 0)
    add_point_rows(model, w, body_b, w.touching.point[i], 1, frame.axis, 3,
                   rows.jacobian.data() + (tree_a == tree_b ? row.jacobian_a : row.jacobian_b));
  for (int k = 0; k < 3; ++k) {
    row.part = k;
    row.bias = row.target = k > 0 ? dot(frame.axis[k], belt) : 0.0;
    rows.list.push_back(row);
    if (row.tree_a >= 0) row.jacobian_a += w.problem.tree_size(row.tree_a);
    if (row.tree_b >= 0) row.jacobian_b += w.problem.tree_size(row.tree_b);
  }
}

void pin(double force, ConstraintRow& row) {
  row.lower = row.upper = force;
}

// Rows of one contact of a spring model; v with the surface velocity, which is the bias of the tangential rows.
void set_spring(const Options& options, bool implicit, double friction, const Vec3& v, ConstraintRow* row) {
  const double k = options.spring_stiffness, d = options.spring_damping;
  const double normal = std::max(0.0, -k * row[0].gap - d * v.x);
  // λ_t = −c v_t
  const double c = friction * normal / std::max(std::hypot(v.y, v.z), options.slip_speed);
  if (!implicit) {
    pin(normal, row[0]);
    pin(-c * v.y, row[1]);
    pin(-c * v.z, row[2]);
    return;
  }
  // λ_n = max(0, −k gap − (h k + d) v_n⁺):  w = v_n⁺ + k gap / (h k + d) + λ_n / (h k + d)
  const double response = options.timestep * k + d;
  pin(0, row[0]);
  if (response > 0) {
    row[0].upper = kInfinity;
    row[0].compliance = 1 / response;
    row[0].bias = k * row[0].gap / response;
  }
  for (int t = 1; t < 3; ++t) {
    pin(0, row[t]);
    if (!(c > 0)) continue;
    row[t].lower = -kInfinity;
    row[t].upper = kInfinity;
    row[t].compliance = 1 / c;
  }
}

// ‖L⁻ᵀ Jᵀ‖² of a row.
double inverse_mass(const Workspace& w, const ConstraintRow& row, std::vector<double>& y) {
  const ContactProblem& p = w.problem;
  double sum = 0;
  for (int side = 0; side < 2; ++side) {
    const int tree = side == 0 ? row.tree_a : row.tree_b;
    if (tree < 0) continue;
    const double* J = w.constraint_rows.jacobian.data() + (side == 0 ? row.jacobian_a : row.jacobian_b);
    y.assign(J, J + p.tree_size(tree));
    whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], p.tree_size(tree), y.data());
    for (const double x : y) sum += x * x;
  }
  return sum;
}

// The rows of the touching contacts: the last of the list.
std::span<ConstraintRow> contact_rows(Workspace& w) {
  std::vector<ConstraintRow>& list = w.constraint_rows.list;
  std::size_t first = list.size();
  while (first > 0 && list[first - 1].kind == ConstraintKind::kContact) --first;
  return {list.data() + first, list.size() - first};
}

// Selects all rows but those that nothing can move: the directions that the joints of the bodies do not have. Returns
// the mean inverse mass of the selected ones.
double select_movable(Workspace& w) {
  double sum = 0;
  int count = 0;
  const std::span<ConstraintRow> rows = contact_rows(w);
  for (std::size_t c = 0; c < rows.size(); c += 3) {
    double mass[3];
    for (std::size_t k = 0; k < 3; ++k) mass[k] = inverse_mass(w, rows[c + k], w.row_scratch[0]);
    for (std::size_t k = 0; k < 3; ++k) {
      rows[c + k].selected = mass[k] > kMovable * std::max({mass[0], mass[1], mass[2]});
      if (!rows[c + k].selected) continue;
      sum += mass[k];
      ++count;
    }
  }
  return count > 0 ? sum / count : 0;
}

void set_bilateral(const Options& options, double mean, Workspace& w) {
  for (ConstraintRow& row : contact_rows(w)) {
    row.lower = -kInfinity;
    row.upper = kInfinity;
    row.compliance = kProximal * options.timestep * mean;
    // A gap stays as it is; penetration leaves as under Coulomb's law.
    if (row.part == 0) row.bias = row.target = std::clamp(row.gap / options.timestep, -options.push_out_speed, 0.0);
  }
  w.contact_error = kInfinity;
}

}  // namespace

void take_touching(const Options& options, Workspace& w) {
  const ContactModel kind = detail::contact_model(options);
  w.touching.ncontact = 0;
  if (detail::has_contact_law(kind)) return;
  const double reach = kind == ContactModel::kBilateral ? options.contact_margin : 0.0;
  w.selected.resize(std::size_t(w.candidates.ncontact));
  for (std::size_t c = 0; c < w.selected.size(); ++c) w.selected[c] = w.candidates.gap[c] <= reach;
  gather_selected(w, w.touching);
  w.candidates.ncontact = 0;
  w.candidates.resize();
}

void add_contact_rows(const Model& model, const Options& options, const State& state, Workspace& w) {
  if (w.touching.ncontact == 0) return;
  for (int c = 0; c < w.touching.ncontact; ++c) append_rows(model, c, w);
  const ContactModel kind = detail::contact_model(options);
  const double mean = select_movable(w);
  if (kind == ContactModel::kBilateral) set_bilateral(options, mean, w);
  ConstraintRow* rows = contact_rows(w).data();
  for (std::size_t c = 0; kind != ContactModel::kBilateral && c < std::size_t(w.touching.ncontact); ++c) {
    Vec3 v;
    for (int k = 0; k < 3; ++k) {
      const ConstraintRow& row = rows[3 * c + std::size_t(k)];
      v[k] = row_velocity(w.problem, w.constraint_rows, row, state.u) + row.bias;
    }
    set_spring(options, kind == ContactModel::kSpringImplicit, w.touching.friction[c], v, rows + 3 * c);
  }
  std::erase_if(w.constraint_rows.list,
                [](const ConstraintRow& row) { return row.kind == ConstraintKind::kContact && !row.selected; });
}

bool settle_contact_rows(const Options& options, Workspace& w) {
  if (w.touching.ncontact == 0 || detail::contact_model(options) != ContactModel::kBilateral) return true;
  double error = 0;
  for (ConstraintRow& row : contact_rows(w)) {
    error = std::max(error, std::abs(row_velocity(w.problem, w.constraint_rows, row, w.solution.u) + row.target));
    row.bias = row.target - row.compliance * row.force;
  }
  const double before = w.contact_error;
  w.contact_error = error;
  return error <= kSettled * options.tolerance * w.problem.velocity_floor || !(error < kContraction * before);
}

void recall_contact_rows(const Options& options, const Contacts& recorded, Workspace& w) {
  if (recorded.ncontact != w.touching.ncontact) return;
  const bool held = detail::contact_model(options) == ContactModel::kBilateral;
  for (ConstraintRow& row : contact_rows(w)) {
    const auto c = std::size_t(row.element);
    row.force = dot(Frame(recorded.normal[c]).axis[row.part], recorded.force[c]);
    if (held) row.bias = row.target - row.compliance * row.force;
  }
}

void order_worst_block(int touching, const Constraints& constraints, Certificate& certificate) {
  if (certificate.worst_block < 0 || certificate.worst_block >= constraints.nconstraint) return;
  const auto r = std::size_t(certificate.worst_block);
  if (constraints.kind[r] == ConstraintKind::kContact)
    certificate.worst_block = constraints.element[r];
  else
    certificate.worst_block += touching;
}

void report_touching(const Workspace& w, Contacts& contacts, Constraints& constraints, Certificate& certificate) {
  if (w.touching.ncontact == 0) return;
  contacts = w.touching;
  order_worst_block(contacts.ncontact, constraints, certificate);
  std::fill(contacts.force.begin(), contacts.force.end(), Vec3{});
  std::fill(contacts.torque.begin(), contacts.torque.end(), Vec3{});
  std::fill(contacts.velocity.begin(), contacts.velocity.end(), Vec3{});
  int others = 0;
  for (std::size_t r = 0; r < std::size_t(constraints.nconstraint); ++r) {
    if (constraints.kind[r] != ConstraintKind::kContact) {
      ++others;
      continue;
    }
    const auto c = std::size_t(constraints.element[r]);
    const Vec3 axis = Frame(contacts.normal[c]).axis[constraints.part[r]];
    contacts.force[c] += axis * constraints.force[r];
    contacts.velocity[c] += axis * constraints.velocity[r];
  }
  constraints.nconstraint = others;
  constraints.resize();
}

}  // namespace stiction
