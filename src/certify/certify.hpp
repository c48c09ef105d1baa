// The certificate with caller-owned scratch memory (no heap use after warm-up).
#pragma once

#include <stiction/report.hpp>

namespace stiction {

Certificate certify(const ContactProblem& problem, const Solution& solution, std::vector<double>& scratch);

}  // namespace stiction
