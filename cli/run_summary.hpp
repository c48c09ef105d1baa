// What a run has to say about itself: figures over all of its steps, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include <stiction/simulation.hpp>

#include "json.hpp"

namespace stiction::cli {

struct MeanMax {
  double sum = 0, max = 0;
  int count = 0;
  void add(double value);
  double mean() const { return count > 0 ? sum / count : 0; }
  JsonObject json() const;
};

// The contact (or body, or constraint) with the largest relative residual of all steps.
struct WorstResidual {
  int step = 0;  // 0: there was none
  std::string law;
  double value = -1, velocity = 0;  // relative; [m/s]
  int contact = -1;
  std::string body_a, body_b;
  std::string constraint;  // where it is not a contact: "limit of joint 'knee'"
};

struct RunSummary {
  int steps = 0;  // steps taken, counted from 1
  double wall_seconds = 0, record_seconds = 0;
  bool interrupted = false;
  MeanMax contacts, iterations, factorisations;
  Certificate largest;
  WorstResidual worst;
  std::vector<int> missed;  // steps above the tolerance
  int refused_step = 0;     // the step that met a non-finite number or a singular inertia; 0: none
  int reduced_steps = 0, reduced_contacts = 0;
  int cut_short_steps = 0, cut_short_pairs = 0;  // where a search for closest points was cut short
  std::string first_cut_short;                   // the first such step in words
  int interior_steps = 0, proximal_steps = 0;    // in which an island needed more than Newton's method
  long warm_matched = 0, warm_possible = 0;
  double stage_seconds[6] = {0, 0, 0, 0, 0, 0};
  std::string first_failure;  // of the first missed or refused step, in words

  void add(const Simulation& simulation);
  bool good() const { return missed.empty() && refused_step == 0; }
  std::string status(const Simulation& simulation) const;
};

// The residuals with their names: relative as they are, absolute under *_m_s; penetration_m, joint_drift.
JsonObject certificate_json(const Certificate& largest);
// The same as lines of text.
std::string certificate_text(const Certificate& largest);
// The largest relative residual of a certificate: which law, and where.
WorstResidual find_worst(const Model& model, const Contacts& contacts, const Constraints& constraints,
                         const Certificate& certificate, int step);
JsonObject worst_json(const WorstResidual& worst);
std::string worst_text(const WorstResidual& worst);

}  // namespace stiction::cli
