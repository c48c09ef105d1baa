#include "problem/springs.hpp"

#include "model/spring_presets.hpp"

#include <algorithm>

namespace stiction {
namespace {

bool are_springs(const Options& options) {
  return detail::is_compliant(detail::contact_model(options));
}

}  // namespace

void add_contact_springs(const Options& options, Contacts& k) {
  if (!are_springs(options)) return;
  const detail::Spring normal = detail::springs(options).normal;
  for (std::size_t c = 0; c < std::size_t(k.ncontact); ++c) {
    if (k.compliance[c] > 0) continue;
    k.compliance[c] = 1 / normal.stiffness;
    k.damping[c] = normal.damping;
  }
}

Law compliant_law(detail::ContactModel model) {
  if (model == detail::ContactModel::kCompliant) return Law::kCompliant;
  return model == detail::ContactModel::kCompliantForce ? Law::kCompliantForce : Law::kCompliantEnergy;
}

bool make_springs(const Options& options, Workspace& w) {
  if (!are_springs(options)) return false;
  const detail::Spring pin = detail::springs(options).pin;
  for (ConstraintRow& row : w.constraint_rows.list) {
    if (row.kind != ConstraintKind::kEquality && row.kind != ConstraintKind::kHeldJoint) continue;
    row.compliance = pin.compliance(options.timestep);
    row.share = pin.share(options.timestep);
  }
  return true;
}

bool make_spring(const Options& options, ConstraintRow& limit) {
  if (!are_springs(options)) return false;
  const detail::Spring normal = detail::springs(options).normal;
  const double h = options.timestep;
  limit.law = compliant_law(detail::contact_model(options));
  limit.compliance = normal.compliance(h);
  limit.bias = limit.gap > 0 ? limit.gap / h : std::max(normal.share(h) * limit.gap / h, -options.push_out_speed);
  return true;
}

double row_margin(const Options& options) {
  return detail::is_least_squares(detail::contact_model(options)) ? 0 : options.contact_margin;
}

}  // namespace stiction
