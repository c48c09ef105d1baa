// The contact problem of one step: pure mathematics, no geometry. It can be saved, solved by any solver and checked.
//
//   M (u⁺ − ũ) = h Jᵀ λ,   v = J u⁺ + b,   each block of rows (v, λ) obeys its law.
//
// Laws, with rows (n, t1, …, tk) or (n):
//   kUnilateral (1 row):  0 ≤ v_n ⊥ λ_n ≥ 0
//   kCoulomb (2–6 rows):  0 ≤ v_n ⊥ λ_n ≥ 0,  ‖λ_t‖ ≤ μ λ_n,  λ_t opposes v_t with ‖λ_t‖ = μ λ_n where v_t ≠ 0.
//   kRelaxed (2–6 rows):  K* ∋ v ⊥ λ ∈ K with K = {‖λ_t‖ ≤ μ λ_n}, K* = {v_n ≥ μ ‖v_t‖}: the convex relaxation.
//   kPyramid (2–6 rows):  as kCoulomb with the sum of |λ_i| in place of ‖λ_t‖: a pyramid with the corners ±t_i.
//   kFacet, kNextFacet (1–6 rows): a contact of a vertex with a convex shape, one block for each facet i near it; the
//                         blocks follow each other, the first has kFacet, the others kNextFacet. v_i is the distance to
//                         the plane of facet i at the end of the step, divided by h:  max v_i ≥ 0, at most one facet
//                         has a force, and it obeys kPyramid with 0 = v_i ≥ v_j for all others.
//   kCompliant, kCompliantForce, kCompliantEnergy (1–6 rows): λ in the pyramid K = {λ_n ≥ 0, |λ_i| ≤ μ λ_n} of a
//                         contact whose rows are springs and dampers, w = v + e λ with e of the normal and e_t of the
//                         friction rows. Energy: w ∈ K*, w ⊥ λ, which minimises ½ λᵀ A λ − bᵀ λ for w = A λ − b. An
//                         island with a block kCompliant minimises ½ ‖w‖² over all its rows instead, boxes in their
//                         bounds, one with a block kCompliantForce ½ ‖w / e‖², what is missing of each row's force. Of
//                         rows with e = 0 those with bounds count as its softest, the others as its stiffest.
//   kBox        (1 row):  l ≤ λ ≤ u,  w = v + e λ:  w = 0 inside, w ≥ 0 where λ = l, w ≤ 0 where λ = u.
// Friction in k directions with coefficients μ_i of their own, √(Σ (λ_i/μ_i)²) ≤ λ_n, has rows J_i μ_i/μ: torsion and
// rolling, whose μ_i is a length, then have velocities in m/s and multipliers in N as sliding has (docs/theory.md).
// For a contact, b_n = gap / h (or the restitution and push-out forms, see docs/theory.md); b_t = 0, or the velocity of
// moving surfaces. A compliance e of a contact stands in its normal row: v_n = J_n u⁺ + b_n + e λ_n. Everything that is
// not contact is a box: an equality has the bounds ∓∞, dry friction of a joint ∓f, a motor its force range and the
// compliance e of its gains.
//
// A problem without trees is given by its response matrix instead of by M and J: v = W h λ + b. W may be singular, and
// slightly unsymmetric, as that of an implicit step with gyroscopic forces is.
#pragma once

#include <algorithm>
#include <string_view>

#include <stiction/field.hpp>
#include <stiction/options.hpp>

namespace stiction {

enum class Law : std::int32_t {
  kUnilateral = 0,
  kCoulomb = 1,
  kBox = 2,
  kRelaxed = 3,
  kPyramid = 4,
  kFacet = 5,
  kNextFacet = 6,
  kCompliant = 7,
  kCompliantEnergy = 8,
  kCompliantForce = 9
};

constexpr bool is_facet(Law law) {
  return law == Law::kFacet || law == Law::kNextFacet;
}

constexpr bool is_compliant(Law law) {
  return law == Law::kCompliant || law == Law::kCompliantEnergy || law == Law::kCompliantForce;
}

// Whether the law has rows of friction beside the normal one (facets and compliant contacts may have none).
constexpr bool has_friction(Law law) {
  return law == Law::kCoulomb || law == Law::kRelaxed || law == Law::kPyramid || is_facet(law) || is_compliant(law);
}

#define STICTION_PROBLEM_SIZES(X)                                        \
  X(nv, "degrees of freedom")                                            \
  X(ntree, "blocks of the inertia matrix")                               \
  X(ninertia, "entries of all inertia blocks")                           \
  X(nblock, "blocks of rows, each with one law")                         \
  X(nrow, "rows")                                                        \
  X(njacobian, "entries of all Jacobian blocks")                         \
  X(nresponse, "entries of W: nrow² if there are no trees, otherwise 0") \
  X(nisland, "islands: sets of trees joined by rows")

#define STICTION_PROBLEM_ARRAYS(X)                                                                                    \
  X(int, tree_dof, ntree + 1, "", "first degree of freedom of each tree; the last entry is nv")                       \
  X(int, tree_inertia, ntree + 1, "", "first entry of each tree's inertia block")                                     \
  X(double, inertia, ninertia, "kg, kg m, kg m²", "inertia matrix of each tree, row-major, block after block")        \
  X(double, inertia_factor, ninertia, "√",                                                                            \
    "lower factor L of each block, M = Lᵀ L, row-major, with 1 / L_kk on the diagonal")                               \
  X(double, free_velocity, nv, "m/s or rad/s", "ũ: velocity at the end of the step without contact")                  \
  X(Law, block_law, nblock, "",                                                                                       \
    "0 unilateral, 1 Coulomb, 2 box, 3 relaxed, 4 pyramid, 5 first facet, 6 next facet, 7 compliant, 8 compliant by " \
    "energy, 9 compliant by force")                                                                                   \
  X(int, block_row, nblock + 1, "", "first row of each block")                                                        \
  X(int, block_tree_a, nblock, "", "first tree of the block; -1 if none")                                             \
  X(int, block_tree_b, nblock, "", "second tree of the block, not the same as the first; -1 if none")                 \
  X(int, block_jacobian_a, nblock, "", "first entry of the Jacobian of the first tree: rows × its dofs, row-major")   \
  X(int, block_jacobian_b, nblock, "", "first entry of the Jacobian of the second tree")                              \
  X(double, jacobian, njacobian, "1 or m", "Jacobian blocks")                                                         \
  X(double, response, nresponse, "1/kg", "W in v = W h λ + b of a problem without trees, row-major")                  \
  X(double, bias, nrow, "m/s", "b in v = J u⁺ + b")                                                                   \
  X(double, block_friction, nblock, "1", "μ of a Coulomb block, ≥ 0")                                                 \
  X(double, block_lower, nblock, "N", "l of a box block, −∞ if it has none; 0 for other laws")                        \
  X(double, block_upper, nblock, "N", "u of a box block, ∞ if it has none; 0 for other laws")                         \
  X(double, block_compliance, nblock, "m/s per N", "e ≥ 0 of a box block or of the normal row of a contact")          \
  X(double, block_friction_compliance, nblock, "m/s per N", "e_t ≥ 0 of the friction rows of a compliant block")      \
  X(double, block_push_out, nblock, "m/s",                                                                            \
    "part of −b_n ≥ 0 that old penetration or a rebound asks for, which may be reduced; ∞: a part that is not known") \
  X(int, tree_island, ntree, "", "island of each tree; -1 if no row touches it")                                      \
  X(int, block_island, nblock, "", "island of each block")                                                            \
  X(int, island_tree, nisland + 1, "", "first entry of each island in island_tree_list")                              \
  X(int, island_tree_list, ntree, "", "trees, island after island, ascending; those of no island are not listed")     \
  X(int, island_block, nisland + 1, "", "first entry of each island in island_block_list")                            \
  X(int, island_block_list, nblock, "", "blocks, island after island, ascending")                                     \
  X(double, island_scale, nisland, "m/s",                                                                             \
    "largest velocity that a law has to change at ũ, at least g·h (docs/theory.md)")

struct ContactProblem {
  double timestep = 0;        // h [s]
  double velocity_floor = 0;  // g·h, least velocity scale of an island [m/s]
  STICTION_PROBLEM_SIZES(STICTION_DECLARE_SIZE)
  STICTION_PROBLEM_ARRAYS(STICTION_DECLARE_ARRAY)

  void resize() { STICTION_PROBLEM_ARRAYS(STICTION_RESIZE_ARRAY) }
  template <class Self, class Visitor>
  static void visit_sizes(Self& self, Visitor&& visitor) {
    STICTION_PROBLEM_SIZES(STICTION_VISIT_SIZE)
  }
  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor) {
    STICTION_PROBLEM_ARRAYS(STICTION_VISIT_FIELD)
  }

  int tree_size(int tree) const { return tree_dof[std::size_t(tree) + 1] - tree_dof[std::size_t(tree)]; }
  // One past the last facet of the contact whose first one is `block`.
  int facets_end(int block) const {
    int end = block + 1;
    while (end < nblock && block_law[std::size_t(end)] == Law::kNextFacet) ++end;
    return end;
  }
  int block_size(int block) const { return block_row[std::size_t(block) + 1] - block_row[std::size_t(block)]; }
};

// What Solution::push_out may take back of b_n [m/s]: v_n has b_n + (1 − factor) · push_out_speed. Facets of a contact
// have the same.
inline double push_out_speed(const ContactProblem& problem, std::size_t block) {
  return std::min(problem.block_push_out[block], std::max(0.0, -problem.bias[std::size_t(problem.block_row[block])]));
}

#define STICTION_SOLUTION_ARRAYS(X)                                                        \
  X(double, u, nv, "m/s or rad/s", "u⁺: velocity at the end of the step")                  \
  X(double, lambda, nrow, "N", "multipliers: forces; on entry of a solver the warm start") \
  X(double, push_out, nblock, "1",                                                         \
    "factor in [0, 1] on the push-out of a block: below 1 where no solution was found with all of it")

struct Solution {
  int nv = 0, nrow = 0, nblock = 0;
  STICTION_SOLUTION_ARRAYS(STICTION_DECLARE_ARRAY)

  void resize() { STICTION_SOLUTION_ARRAYS(STICTION_RESIZE_ARRAY) }
  // Takes the sizes of the problem, with push-out in full; multipliers that are there stay.
  void resize_for(const ContactProblem& problem) {
    nv = problem.nv;
    nrow = problem.nrow;
    nblock = problem.nblock;
    resize();
    push_out.assign(push_out.size(), 1.0);
  }
  template <class Self, class Visitor>
  static void visit_arrays(Self& self, Visitor&& visitor) {
    STICTION_SOLUTION_ARRAYS(STICTION_VISIT_FIELD)
  }
};

// What the solvers did, summed over the islands of a step.
struct SolveStats {
  int islands = 0;             // islands solved
  int factorisations = 0;      // of a Newton matrix, all islands
  int factorisations_max = 0;  // of the island that took most
  int iterations = 0;          // factorisations, or the sweeps of pgs or iterations of admm, all islands
  int iterations_max = 0;      // of the island that took most
  int linear_iterations = 0;   // of iterative linear solvers, all islands
  int warm = 0;                // islands solved by the warm-started Newton alone
  int interior = 0;            // islands that needed interior-point continuation
  int proximal = 0;            // islands that needed proximal continuation
  int branched = 0;            // islands whose facets were found by branching, as Lemke's path ended on a ray
  int reduced = 0;             // islands whose push-out was reduced because no solution was found with all of it
  int refuted = 0;             // islands in which impulses were found that contradict the demanded velocities
  int failed = 0;              // islands that ended above the tolerance
};

// Of newton-fb and newton-minmap: what makes impulses comparable with velocities in their complementarity functions, r
// of Macklin et al. 2019, section 6.2; and what solves their linear systems (docs/solvers.md).
enum class Preconditioner { kEffectiveMass, kIdentity, kStepSquared };
enum class LinearSolver { kAuto, kDirect, kLdlt, kPcr, kPcg, kJacobi, kGaussSeidel };
// Of the iterative ones: the diagonal of the system, or its blocks, one for each contact.
enum class LinearPreconditioner { kDiagonal, kBlockDiagonal };
// In which they solve without a matrix; a factorisation is in double precision.
enum class Precision { kDouble, kFloat };

// What an island had at one moment of its solve.
struct TracePoint {
  int island = 0, iterations = 0;
  double seconds = 0;             // spent on the island until then
  std::vector<double> u, lambda;  // of its trees and of the rows of its blocks, both ascending
};
struct SolveTrace {
  std::vector<TracePoint> points;  // island after island
  bool every = false;              // each iterate of a Newton method, not only those better than all before
  // Of each iterative linear solve: the residual after 0, 1, 2, … iterations as a share of the first.
  std::vector<std::vector<double>> linear_residual;
};

struct SolverSettings {
  double tolerance = 1e-8;      // natural-map residual relative to the island's scale
  int max_iterations = 15000;   // factorisations per island; sweeps of pgs, iterations of admm
  bool warm_start = true;       // start from Solution::lambda; otherwise from zero
  int threads = 1;              // 0: all cores
  SolveTrace* trace = nullptr;  // if there is one, it is written, and the islands are solved one after the other
  Preconditioner preconditioner = Preconditioner::kEffectiveMass;
  LinearSolver linear_solver = LinearSolver::kAuto;
  LinearPreconditioner linear_preconditioner = LinearPreconditioner::kDiagonal;
  int linear_iterations = 1000;  // limit of each iterative linear solve
  double linear_forcing = 0.1;   // largest share of its residual that it may leave; 0: it uses all its iterations
  Precision precision = Precision::kDouble;
};

// What the options say about the solver.
SolverSettings solver_settings(const Options& options);

// Fills the derived arrays (inertia_factor, nisland and the island arrays) from the others.
// Returns the index of the first tree whose inertia is not positive definite, or -1. Does not allocate after warm-up.
int finish_problem(ContactProblem& problem);

// Throws Error, naming the rows, if the problem is inconsistent: shapes, NaN, negative μ, asymmetric inertia, a
// response matrix that is indefinite or far from symmetric, or lets nothing move a row that has to.
void check_problem(const ContactProblem& problem);

// Throws Error, naming the sizes, if the solution is not of a problem of this size.
void check_solution(const ContactProblem& problem, const Solution& solution);

// Rows of equalities (boxes without bounds and compliance) that contradict each other: a combination of them in which
// nothing moves, but which demands a velocity above tolerance times the island's scale. Empty if there are none. For a
// problem that was not solved, to say why.
std::vector<int> contradicting_rows(const ContactProblem& problem, double tolerance = 1e-8);

// Blocks that no motion can satisfy at once, whatever friction does: impulses along their normals cancel each other
// while the demanded velocities would make them do work. Those with the largest of these impulses; empty if none were
// found. A motion more than a hundred times as fast as the island's scale counts as none. For a problem that was not
// solved, to say why.
std::vector<int> contradicting_blocks(const ContactProblem& problem);

// By name, as the options of that name have them (options.hpp). Error with the names if there is none.
Preconditioner preconditioner_named(std::string_view name);
LinearSolver linear_solver_named(std::string_view name);
LinearPreconditioner linear_preconditioner_named(std::string_view name);
Precision precision_named(std::string_view name);

// Whether the solver of that name has the settings `preconditioner`, `precision` and `linear_…`.
bool uses_linear_settings(std::string_view solver);

// Solves all islands with the solver of that name; for problems outside a simulation. Error if there is none, if a
// setting is out of range, or not the default and the solver does not use it, and with a warm start if the solution
// holds multipliers of a problem of another size.
SolveStats solve(const ContactProblem& problem, const std::string& solver, const SolverSettings& settings,
                 Solution& solution);

// Of Newton's system in the impulses at a solution, A W + B, in the maximum norm: what bounds the accuracy that a
// number of digits can reach. Dense: for islands of a few hundred rows.
struct NewtonNorms {
  double matrix = 0;   // ‖A W + B‖ [m/s per N s]
  double inverse = 0;  // of its inverse [N s per m/s]; infinite where it has none
  double impulse = 0;  // largest impulse of a row [N s]
};
NewtonNorms newton_norms(const ContactProblem& problem, const Solution& solution);

}  // namespace stiction
