// Schwarz's alternating method on the exact laws: the overlapping domains of a large island are solved one after the
// other by Newton's method, with the impulses of all other blocks held. Two partitions take turns, so that what one
// leaves at its boundaries lies inside the domains of the other. The cost of a sweep grows with the number of bodies,
// where that of a factor of the whole island grows faster; and where pieces of the law change in one corner, only the
// domains there are solved, and only they are gathered. Where a sweep halts, what is left sits in single places:
// domains about the worst blocks are solved before the next one.
#pragma once

#include <memory>
#include <vector>

#include "solvers/domains.hpp"
#include "solvers/local_evaluation.hpp"
#include "solvers/newton_path.hpp"

namespace stiction {

struct DomainScratch {
  LocalEvaluation evaluation;  // of current
  DomainPartition partition[2];
  std::vector<std::unique_ptr<SolverScratch>> domain[2];  // one for each domain, with its island and factor
  std::vector<char> gathered[2];                          // whether it has its island yet
  DomainPartition worst_place;                            // one domain about the worst block
  std::unique_ptr<SolverScratch> worst;
};

// Whether an island is large enough to be divided.
bool has_domains(const Island& island);

// Whether current misses the target in so few blocks of such an island that they cost less in their domains than a
// factor of all of it. Not in islands with equalities and drives: their rounds need what is far below the target.
bool is_nearly_solved(double target, const SolverScratch& scratch);

// Sweeps from scratch.current until the target is reached, or while the residual falls fast enough to reach it soon.
// Keeps the best iterate. True if the target was reached.
bool domain_sweeps(double target, SolverScratch& scratch);

}  // namespace stiction
