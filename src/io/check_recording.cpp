// A second look at every step of a recording. A step holds if
//   its recomputed residual is at most the tolerance (with 1 % for rounding);
//   its contacts are those of the geometry in the recorded start state, to 1e-9 m;
//   its end state is where the recorded forces lead, to the tolerance times the velocity scale of the step;
//   its recorded residuals are the recomputed ones, to 1 % of the tolerance or of themselves.
// The last two also catch a file that was changed afterwards.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <stiction/recording.hpp>

#include "step/recheck.hpp"

namespace stiction {
namespace {

constexpr double kRounding = 0.01;          // share of the tolerance that is granted to rounding
constexpr double kContactTolerance = 1e-9;  // [m]

// Largest difference of the recorded relative residuals of the laws, beyond what rounding explains.
double compare_certificates(const Certificate& recorded, const Certificate& computed, double tolerance, bool& differs) {
  double worst = 0;
  const auto compare = [&](double a, double b) {
    const double difference = std::abs(a - b);
    worst = std::max(worst, difference);
    differs = differs || !(difference <= kRounding * std::max({tolerance, std::abs(a), std::abs(b)}));
  };
  compare(recorded.complementarity, computed.complementarity);
  compare(recorded.cone, computed.cone);
  compare(recorded.dissipation, computed.dissipation);
  compare(recorded.box, computed.box);
  compare(recorded.coulomb_complementarity, computed.coulomb_complementarity);
  compare(recorded.coulomb_cone, computed.coulomb_cone);
  compare(recorded.coulomb_dissipation, computed.coulomb_dissipation);
  differs = differs || !(std::abs(recorded.penetration - computed.penetration) <= kContactTolerance);
  return worst;
}

// Velocity up to which the end state may differ: the tolerance times the largest scale of an island, and the rounding
// of positions divided by the time step.
double state_tolerance(const Options& options, const ContactProblem& problem, const State& state) {
  double scale = problem.velocity_floor, size = 1;
  for (double s : problem.island_scale) scale = std::max(scale, s);
  for (double q : state.q) size = std::max(size, std::abs(q));
  return options.tolerance * scale + 8 * std::numeric_limits<double>::epsilon() * size / options.timestep;
}

std::string block_name(const Model& model, const Contacts& contacts, const Constraints& constraints, int block) {
  if (block < 0) return "";
  if (const int row = block - contacts.ncontact; row >= 0) {
    if (row >= constraints.nconstraint) return "";
    return ", " + constraint_name(model, constraints.kind[std::size_t(row)], constraints.element[std::size_t(row)]);
  }
  const auto c = std::size_t(block);
  return fmt::format(", contact {} between '{}' and '{}'", block, model.body_name[std::size_t(contacts.body_a[c])],
                     model.body_name[std::size_t(contacts.body_b[c])]);
}

// Contacts of a damaged file could point anywhere; nothing else is computed with them then.
bool contacts_fit(const Model& model, const Contacts& contacts) {
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    const bool shapes = contacts.shape_a[c] >= 0 && contacts.shape_a[c] < model.nshape && contacts.shape_b[c] >= 0 &&
                        contacts.shape_b[c] < model.nshape;
    if (!shapes || contacts.body_a[c] != model.shape_body[std::size_t(contacts.shape_a[c])] ||
        contacts.body_b[c] != model.shape_body[std::size_t(contacts.shape_b[c])])
      return false;
  }
  return true;
}

class Checker {
 public:
  explicit Checker(const Recording& recording)
      : recording_(recording), model_(*recording.model()), workspace_(model_), state_(recording.state(0)) {}

  void check_step(int step) {
    out.steps = step;
    const State next = recording_.state(step);
    const Contacts contacts = recording_.contacts(step);
    const Constraints constraints = recording_.constraints(step);
    const StepReport report = recording_.report(step);
    if (report.status & (kStatusNonFinite | kStatusSingularInertia)) {
      find("the step was refused when it was recorded (non-finite state or input, or singular inertia)");
    } else if (!contacts_fit(model_, contacts)) {
      find("its contacts name shapes or bodies that the model does not have: the file is damaged");
      out.contact_mismatch = std::numeric_limits<double>::infinity();
    } else {
      compare(report, contacts, constraints, next,
              recheck_step(model_, recording_.options(), recording_.control(step), state_, contacts, constraints, next,
                           workspace_));
    }
    state_ = next;
  }

  RecordingCheck out;

 private:
  void find(const std::string& what) { out.findings.push_back(fmt::format("step {}: {}", out.steps, what)); }

  void compare(const StepReport& report, const Contacts& contacts, const Constraints& constraints, const State& next,
               const Recheck& recheck) {
    const Options& options = recording_.options();
    const double residual = recheck.certificate.residual();
    raise_to(recheck.certificate, out.largest);
    if (!(residual <= worst_)) {
      worst_ = residual;
      out.worst_step = out.steps;
      out.largest.worst_block = recheck.certificate.worst_block;
      out.largest.worst_tree = recheck.certificate.worst_tree;
    }
    out.contact_mismatch = std::max(out.contact_mismatch, recheck.contact_mismatch);
    out.state_mismatch = std::max(out.state_mismatch, recheck.state_mismatch);
    bool certificate_differs = false;
    out.certificate_mismatch =
        std::max(out.certificate_mismatch,
                 compare_certificates(report.certificate, recheck.certificate, options.tolerance, certificate_differs));
    if (!(residual <= (1 + kRounding) * options.tolerance))
      find(fmt::format("residual {:.3e} is above the tolerance {:.0e}{}", residual, options.tolerance,
                       block_name(model_, contacts, constraints, recheck.certificate.worst_block)));
    if (!(recheck.contact_mismatch <= kContactTolerance))
      find(std::isinf(recheck.contact_mismatch)
               ? std::string("its contacts or constraints are not those of its start state")
               : fmt::format("its contacts differ from the geometry in its start state by {:.3e} m",
                             recheck.contact_mismatch));
    if (!(recheck.state_mismatch <= state_tolerance(options, workspace_.problem, next)))
      find(fmt::format("its end state is not where its forces lead: off by {:.3e} m/s", recheck.state_mismatch));
    if (certificate_differs) find("its recorded certificate is not the recomputed one");
  }

  const Recording& recording_;
  const Model& model_;
  Workspace workspace_;
  State state_;
  double worst_ = -1;
};

}  // namespace

RecordingCheck check_recording(const Recording& recording, const Progress& progress) {
  // Building a simulation checks that this version can simulate the model at all.
  const Simulation simulation(recording.model(), recording.options());
  Checker checker(recording);
  for (int step = 1; step <= recording.steps(); ++step) {
    checker.check_step(step);
    if (progress && !progress(step)) break;
  }
  return checker.out;
}

}  // namespace stiction
