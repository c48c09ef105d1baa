// The certificate with caller-owned scratch memory (no heap use after warm-up).
#pragma once

#include <stiction/report.hpp>

namespace stiction {

Certificate certify(const ContactProblem& problem, const Solution& solution, std::vector<double>& scratch);

// Counts a contact that the problem left out and that closes beyond touch with this speed [m/s].
void add_omitted(const ContactProblem& problem, double violation, Certificate& certificate);

}  // namespace stiction
