// The certificate with caller-owned scratch memory (no heap use after warm-up).
#pragma once

#include <stiction/report.hpp>
#include <stiction/state.hpp>

#include "math/lanes.hpp"

namespace stiction {

struct CertifyScratch {
  std::vector<double> entries;       // of one block or all degrees of freedom
  std::vector<int> islands;          // of compliant_gradient; empty where there are no compliant blocks
  std::vector<double> gradient;      // the same
  std::vector<double> metric;        // the same
  std::vector<double> change;        // u⁺ − ũ of a tree
  std::vector<double> inverse_mass;  // J M⁻¹ Jᵀ of every row by itself
  // Rows of J that are whitened together: where they are, their numbers, and the columns.
  std::vector<const double*> jacobian;
  std::vector<int> row;
  detail::AlignedVector columns;
  std::vector<double> row_velocity;  // J u⁺ of every row, as certify found it; the energy ledger reads it
};

Certificate certify(const ContactProblem& problem, const Solution& solution, CertifyScratch& scratch);

// Counts a contact that the problem left out and that closes beyond touch with this speed [m/s].
void add_omitted(const ContactProblem& problem, double violation, Certificate& certificate);

// Contacts of another model than coulomb, whose rows are the last blocks of the problem.
struct TouchingContacts {
  const Contacts& contacts;
  const Constraints& constraints;  // all rows of the problem, those of contacts with kind kContact
  bool held;                       // model bilateral: v + b = 0
  double push_out_speed;           // [m/s]
};

// How far they are from Coulomb's law and, where they are held, from v + b = 0.
void certify_touching(const ContactProblem& problem, const Solution& solution, const TouchingContacts& in,
                      CertifyScratch& scratch, Certificate& out);

}  // namespace stiction
