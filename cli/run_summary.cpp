#include "run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace stiction::cli {

void MeanMax::add(double value) {
  sum += value;
  max = std::max(max, value);
  ++count;
}

JsonObject MeanMax::json() const {
  return JsonObject().add("mean", mean()).add("max", max);
}

JsonObject certificate_json(const Certificate& largest) {
  return JsonObject()
      .add("momentum", largest.momentum)
      .add("complementarity", largest.complementarity)
      .add("cone", largest.cone)
      .add("dissipation", largest.dissipation)
      .add("box", largest.box)
      .add("coulomb_complementarity", largest.coulomb_complementarity)
      .add("coulomb_cone", largest.coulomb_cone)
      .add("coulomb_dissipation", largest.coulomb_dissipation)
      .add("momentum_m_s", largest.momentum_velocity)
      .add("complementarity_m_s", largest.complementarity_velocity)
      .add("cone_m_s", largest.cone_velocity)
      .add("dissipation_m_s", largest.dissipation_velocity)
      .add("box_m_s", largest.box_velocity)
      .add("penetration_m", largest.penetration)
      .add("joint_drift", largest.joint_drift);
}

namespace {

// How far contacts of another model are from Coulomb's law; nothing where it was asked for.
std::string coulomb_text(const Certificate& largest) {
  if (largest.coulomb_complementarity == 0 && largest.coulomb_cone == 0 && largest.coulomb_dissipation == 0) return "";
  return fmt::format(
      "  not asked of this contact model: Coulomb's complementarity {:.2e}, cone {:.2e}, dissipation {:.2e}\n",
      largest.coulomb_complementarity, largest.coulomb_cone, largest.coulomb_dissipation);
}

}  // namespace

std::string certificate_text(const Certificate& largest) {
  const auto line = [](const char* law, double relative, double velocity) {
    return fmt::format("  {:<16} {:9.2e}   {:9.2e} m/s\n", law, relative, velocity);
  };
  return line("momentum", largest.momentum, largest.momentum_velocity) +
         line("complementarity", largest.complementarity, largest.complementarity_velocity) +
         line("cone", largest.cone, largest.cone_velocity) +
         line("dissipation", largest.dissipation, largest.dissipation_velocity) +
         line("box", largest.box, largest.box_velocity) + coulomb_text(largest) +
         fmt::format("  {:<16} {:9.2e} m\n", "penetration", largest.penetration);
}

WorstResidual find_worst(const Model& model, const Contacts& contacts, const Constraints& constraints,
                         const Certificate& certificate, int step) {
  WorstResidual worst;
  worst.step = step;
  const auto take = [&](const char* law, double value, double velocity) {
    if (value <= worst.value) return;
    worst.law = law;
    worst.value = value;
    worst.velocity = velocity;
  };
  take("momentum", certificate.momentum, certificate.momentum_velocity);
  take("complementarity", certificate.complementarity, certificate.complementarity_velocity);
  take("cone", certificate.cone, certificate.cone_velocity);
  take("dissipation", certificate.dissipation, certificate.dissipation_velocity);
  take("box", certificate.box, certificate.box_velocity);
  if (worst.law == "momentum") {
    if (certificate.worst_tree >= 0 && certificate.worst_tree < model.ntree)
      worst.body_a = model.body_name[std::size_t(model.tree_root[std::size_t(certificate.worst_tree)])];
  } else if (certificate.worst_block >= 0 && certificate.worst_block < contacts.ncontact) {
    worst.contact = certificate.worst_block;
    worst.body_a = model.body_name[std::size_t(contacts.body_a[std::size_t(worst.contact)])];
    worst.body_b = model.body_name[std::size_t(contacts.body_b[std::size_t(worst.contact)])];
  } else if (const int row = certificate.worst_block - contacts.ncontact; row >= 0 && row < constraints.nconstraint) {
    worst.constraint =
        constraint_name(model, constraints.kind[std::size_t(row)], constraints.element[std::size_t(row)]);
  }
  return worst;
}

JsonObject worst_json(const WorstResidual& worst) {
  JsonObject json;
  json.add("step", worst.step).add("law", worst.law).add("value", worst.value).add("value_m_s", worst.velocity);
  json.add("contact", worst.contact).add("body_a", worst.body_a).add("body_b", worst.body_b);
  json.add("constraint", worst.constraint);
  return json;
}

std::string worst_text(const WorstResidual& worst) {
  std::string text = fmt::format("{} {:.2e} at step {}", worst.law, worst.value, worst.step);
  if (!worst.body_b.empty())
    text += fmt::format(", contact {} between '{}' and '{}'", worst.contact, worst.body_a, worst.body_b);
  else if (!worst.body_a.empty())
    text += fmt::format(", body '{}'", worst.body_a);
  else if (!worst.constraint.empty())
    text += ", " + worst.constraint;
  return text;
}

void RunSummary::add(const Simulation& simulation) {
  const StepReport& report = simulation.report();
  ++steps;
  contacts.add(report.contacts);
  iterations.add(report.iterations);
  factorisations.add(report.factorisations);
  raise_to(report.certificate, largest);
  if (!(report.certificate.residual() <= worst.value))
    worst = find_worst(simulation.model(), simulation.contacts(), simulation.constraints(), report.certificate, steps);
  if (!report.ok() && good()) first_failure = simulation.describe();
  if (report.status & (kStatusNonFinite | kStatusSingularInertia)) refused_step = refused_step ? refused_step : steps;
  if (report.status & kStatusToleranceMissed) missed.push_back(steps);
  reduced_steps += (report.status & kStatusPushOutReduced) != 0;
  if ((report.status & kStatusSearchCutShort) && cut_short_steps++ == 0) first_cut_short = simulation.describe();
  cut_short_pairs += report.cut_short_pairs;
  interior_steps += report.interior_islands > 0;
  proximal_steps += report.proximal_islands > 0;
  reduced_contacts += report.certificate.push_out_reduced;
  warm_matched += report.warm_matched;
  warm_possible += report.contacts;
  const double stages[6] = {report.kinematics_seconds, report.collide_seconds, report.assemble_seconds,
                            report.solve_seconds,      report.certify_seconds, report.integrate_seconds};
  for (int i = 0; i < 6; ++i) stage_seconds[i] += stages[i];
}

std::string RunSummary::status(const Simulation& simulation) const {
  if (refused_step > 0) return simulation.report().status & kStatusNonFinite ? "non_finite" : "singular_inertia";
  if (!missed.empty()) return "tolerance_missed";
  return interrupted ? "interrupted" : "ok";
}

}  // namespace stiction::cli
