// The methods by name. Each sets z, the number of iterations and, where it ends without a solution, the status, the
// proof and the message; solve_lcp judges z.
#pragma once

#include <stiction/lcp.hpp>

namespace stiction::detail {

inline constexpr int kLargestEnumeration = 20;

// z with its w = M z + q and its certificate, into the result.
void judge_lcp(const Lcp& problem, LcpResult& result);

void solve_by_lemke(const Lcp& problem, const LcpSettings& settings, LcpResult& result);
void solve_by_pgs(const Lcp& problem, const LcpSettings& settings, LcpResult& result);
void solve_by_minimum_map(const Lcp& problem, const LcpSettings& settings, LcpResult& result);
void solve_by_enumeration(const Lcp& problem, const LcpSettings& settings, LcpResult& result);

// Looks for a proof that no z ≥ 0 has M z + q ≥ 0; true, with farkas and the status, if there is one.
bool prove_infeasible(const Lcp& problem, const LcpSettings& settings, LcpResult& result);

}  // namespace stiction::detail
