// What a step says about itself.
#pragma once

#include <stiction/problem.hpp>

namespace stiction {

// The certificate: how far (problem, solution) is from each law, computed in double by code that shares nothing with
// the solvers. Residuals are velocities; "relative" means divided by the island's velocity scale (docs/theory.md).
// X(type, name, initial, unit, meaning)
#define STICTION_CERTIFICATE(X)                                                                                       \
  X(double, momentum, 0, "1", "largest relative residual of M (u⁺ − ũ) = h Jᵀ λ")                                     \
  X(double, complementarity, 0, "1", "largest relative residual of 0 ≤ v_n ⊥ λ_n ≥ 0")                                \
  X(double, cone, 0, "1", "largest relative excess of ‖λ_t‖ over μ λ_n")                                              \
  X(double, dissipation, 0, "1", "largest relative residual of maximal dissipation (natural map)")                    \
  X(double, box, 0, "1",                                                                                              \
    "largest relative residual of the box law: rows that are no contacts, and contacts of other models than coulomb") \
  X(double, coulomb_complementarity, 0, "1",                                                                          \
    "contacts of another model than coulomb: relative residual of 0 ≤ v_n ⊥ λ_n ≥ 0, which is not asked of them")     \
  X(double, coulomb_cone, 0, "1", "the same: relative excess of ‖λ_t‖ over μ λ_n")                                    \
  X(double, coulomb_dissipation, 0, "1", "the same: relative residual of maximal dissipation")                        \
  X(double, momentum_velocity, 0, "m/s", "as momentum, absolute")                                                     \
  X(double, complementarity_velocity, 0, "m/s", "as complementarity, absolute")                                       \
  X(double, cone_velocity, 0, "m/s", "as cone, absolute")                                                             \
  X(double, dissipation_velocity, 0, "m/s", "as dissipation, absolute")                                               \
  X(double, box_velocity, 0, "m/s or rad/s", "as box, absolute")                                                      \
  X(double, penetration, 0, "m", "deepest penetration at the start of the step")                                      \
  X(double, joint_drift, 0, "m or rad",                                                                               \
    "largest error of an equality (a loop, a joint held by rows) at the end of the step")                             \
  X(int, worst_block, -1, "", "block with the largest relative residual, contacts first; -1 if there is none")        \
  X(int, worst_tree, -1, "", "tree with the largest momentum residual; -1 if there is none")                          \
  X(int, push_out_reduced, 0, "1", "contacts whose push-out was reduced as no solution was found with all of it")     \
  X(double, kinetic_energy, 0, "J", "at the end of the step")                                                         \
  X(double, potential_energy, 0, "J", "of weight, at the end of the step, zero at the world origin")                  \
  X(double, elastic_energy, 0, "J", "of the springs of joints and tendons, at the end of the step")                   \
  X(double, friction_work, 0, "J", "h λ·v⁺ of friction in contacts, joints and tendons, never positive")              \
  X(double, push_out_work, 0, "J", "h λ_n v_n⁺ of contacts and limits that were violated: energy put in by push-out") \
  X(double, normal_work, 0, "J", "h λ_n v_n⁺ of the other contacts and limits")                                       \
  X(double, equality_work, 0, "J", "h λ·v⁺ of equalities: what the correction of their errors puts in")               \
  X(double, actuator_work, 0, "J", "of actuators, dampers and applied forces")                                        \
  X(double, step_loss, 0, "J", "½ (u⁺ − u)ᵀ M (u⁺ − u): inelastic impacts and the step's own dissipation")            \
  X(double, injected, 0, "J", "change of energy that no line above explains: what the solver injected")

struct Certificate {
  STICTION_CERTIFICATE(STICTION_DECLARE_SCALAR)

  // The largest relative residual of the laws that were asked for: what the tolerance is compared with. The laws of
  // the contact model and momentum; coulomb_… is for information.
  double residual() const;

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    STICTION_CERTIFICATE(STICTION_VISIT_FIELD)
  }
};

// Bits of StepReport::status. 0 is a good step.
enum Status : std::uint32_t {
  kStatusOk = 0,
  kStatusToleranceMissed = 1u << 0,  // the certificate is above the tolerance; the best iterate was kept
  kStatusNonFinite = 1u << 1,        // a non-finite state or input was caught; the last good state was kept
  kStatusPushOutReduced = 1u << 2,   // no solution existed for the full push-out; not an error
  kStatusSingularInertia = 1u << 3,  // an inertia matrix was not positive definite; the last good state was kept
  kStatusSearchCutShort = 1u << 4,   // a search for closest points met its bound; its best was kept; not an error
};

// X(type, name, initial, unit, meaning)
#define STICTION_REPORT(X)                                                                                           \
  X(std::uint32_t, status, 0, "",                                                                                    \
    "bits: 1 tolerance missed, 2 non-finite, 4 push-out reduced, 8 singular inertia, 16 search cut short")           \
  X(int, contacts, 0, "1", "contacts of the step")                                                                   \
  X(int, constraints, 0, "1", "rows of the step that are not contacts")                                              \
  X(int, islands, 0, "1", "islands solved")                                                                          \
  X(int, iterations, 0, "1",                                                                                         \
    "iterations of the island that took most, of all rounds of the step: factorisations, sweeps of pgs, iterations " \
    "of admm")                                                                                                       \
  X(int, factorisations, 0, "1", "factorisations of all islands")                                                    \
  X(int, warm_islands, 0, "1", "islands solved by the warm-started Newton alone")                                    \
  X(int, interior_islands, 0, "1", "islands that needed interior-point continuation")                                \
  X(int, proximal_islands, 0, "1", "islands that needed proximal continuation")                                      \
  X(int, branched_islands, 0, "1",                                                                                   \
    "islands of nonconvex-lcp whose facets were found by branching, as Lemke's path ended on a ray")                 \
  X(int, warm_matched, 0, "1", "contacts that found their multiplier of the step before")                            \
  X(int, asleep, 0, "1", "trees that slept through the step")                                                        \
  X(int, bad_body, -1, "", "body with the non-finite value or singular inertia; -1 if none")                         \
  X(int, cut_short_pairs, 0, "1",                                                                                    \
    "pairs of shapes whose search for closest points was cut short by its bound on iterations")                      \
  X(int, cut_short_shape_a, -1, "", "a shape of the first of these pairs; -1 if none")                               \
  X(int, cut_short_shape_b, -1, "", "the other shape of it; -1 if none")                                             \
  X(double, kinematics_seconds, 0, "s", "wall time of kinematics")                                                   \
  X(double, collide_seconds, 0, "s", "wall time of collision")                                                       \
  X(double, assemble_seconds, 0, "s", "wall time of assembling the problem")                                         \
  X(double, solve_seconds, 0, "s", "wall time of the solver")                                                        \
  X(double, certify_seconds, 0, "s", "wall time of the certificate")                                                 \
  X(double, integrate_seconds, 0, "s", "wall time of integration")

struct StepReport {
  Certificate certificate;
  STICTION_REPORT(STICTION_DECLARE_SCALAR)

  bool ok() const { return (status & ~(kStatusPushOutReduced | kStatusSearchCutShort)) == 0; }
  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    STICTION_REPORT(STICTION_VISIT_FIELD)
  }
};

// The certificate of one (problem, solution): residuals of the laws only; energies and geometry are left at zero.
Certificate certify(const ContactProblem& problem, const Solution& solution);

// The certified residual along a solve that wrote a trace: if every island had been stopped after so many iterations,
// with the time that all of them took until then. `solution` is the one that the solve ended with. Judged by the
// problem as it is given: with all of its push-out.
struct Convergence {
  int iterations = 0;
  double seconds = 0, residual = 0;
};
std::vector<Convergence> certify_trace(const ContactProblem& problem, const SolveTrace& trace,
                                       const Solution& solution);

// Over many steps: raises each residual and length of `largest` to that of the step; the rest of it stays.
void raise_to(const Certificate& step, Certificate& largest);

}  // namespace stiction
