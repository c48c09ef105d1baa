// What a user can set for a simulation. Every option has a name that C++, the CLI (--set name=value) and Python share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <stiction/field.hpp>

namespace stiction {

// X(type, name, default, unit, meaning)
#define STICTION_OPTIONS(X)                                                                                          \
  X(double, timestep, 0.002, "s", "length of a step h, > 0; nominal 0.0005 to 0.02")                                 \
  X(std::string, integrator, "auto", "",                                                                             \
    "how positions move, by name: euler (of first order, contacts and joints hold at the positions of the state), "  \
    "midpoint (of second order, they hold half a step ahead), auto (midpoint; euler where rows close loops or hold " \
    "joints, and under contact models other than coulomb)")                                                          \
  X(Vec3, gravity, (Vec3{0, 0, -9.81}), "m/s²", "acceleration of free fall")                                         \
  X(double, fluid_density, 0.0, "kg/m³", "of the fluid around all bodies, ≥ 0; 0: none")                             \
  X(double, fluid_viscosity, 0.0, "Pa s", "of the fluid around all bodies, ≥ 0; 0: none")                            \
  X(Vec3, wind, (Vec3{}), "m/s", "velocity of the fluid")                                                            \
  X(std::string, solver, "newton", "", "contact solver by name: newton, newton-fb, newton-minmap, pgs, admm, lemke") \
  X(std::string, contact_model, "coulomb", "",                                                                       \
    "what contacts do, by name: coulomb, relaxed, pyramid-lcp, nonconvex-lcp, compliant, compliant-force, "          \
    "compliant-energy, bilateral, spring-explicit, spring-implicit")                                                 \
  X(std::string, spring_preset, "automata", "",                                                                      \
    "stiffness and damping of the compliant models, by name: automata, stiff")                                       \
  X(double, pin_stiffness, -1.0, "N/m or N m/rad", "of joints and loops of the compliant models; −1: the preset's")  \
  X(double, pin_damping, -1.0, "N s/m or N m s/rad", "the same")                                                     \
  X(double, normal_stiffness, -1.0, "N/m", "of contacts and limits of the compliant models; −1: the preset's")       \
  X(double, normal_damping, -1.0, "N s/m", "the same")                                                               \
  X(double, friction_damping, -1.0, "N s/m", "of friction of the compliant models; −1: the preset's")                \
  X(double, spring_stiffness, 1e5, "N/m", "of a contact of the spring models, ≥ 0")                                  \
  X(double, spring_damping, 100.0, "N s/m", "of a contact of the spring models, ≥ 0")                                \
  X(double, slip_speed, 1e-3, "m/s", "speed below which friction of the spring models is viscous, > 0")              \
  X(double, tolerance, 1e-8, "1", "certified residual relative to the island's velocity scale, > 0")                 \
  X(int, max_iterations, 15000, "1",                                                                                 \
    "limit of factorisations (pgs: sweeps, admm: iterations) per island and round of a step, ≥ 1")                   \
  X(std::string, preconditioner, "effective-mass", "",                                                               \
    "of newton-fb and newton-minmap, by name: identity, h2, effective-mass")                                         \
  X(std::string, linear_solver, "auto", "",                                                                          \
    "of newton-fb and newton-minmap, by name: auto, direct, ldlt, pcr, pcg, jacobi, gauss-seidel")                   \
  X(std::string, linear_preconditioner, "diagonal", "",                                                              \
    "of an iterative linear solver, by name: diagonal, block-diagonal")                                              \
  X(int, linear_iterations, 1000, "1", "limit of each iterative linear solve, ≥ 1")                                  \
  X(double, linear_forcing, 0.1, "1",                                                                                \
    "largest share of its residual that an iterative linear solve may leave, 0 … 1; less near the solution; "      \
    "0: all its iterations are used")                                                                                \
  X(std::string, precision, "double", "",                                                                            \
    "of newton-fb and newton-minmap with an iterative linear solver, by name: double, float")                        \
  X(bool, warm_start, true, "", "start the solver from the multipliers of the step before")                          \
  X(double, push_out_speed, 1.0, "m/s", "bound on the speed with which old penetration is pushed out, ≥ 0")          \
  X(double, restitution_speed, 0.01, "m/s", "approach speed below which an impact has no restitution, ≥ 0")          \
  X(double, touching_gap, 1e-7, "m or rad",                                                                          \
    "gaps and penetrations of contacts and limits up to this are taken as 0, ≥ 0")                                   \
  X(double, contact_margin, 0.001, "m", "contacts are created up to this gap at rest; motion widens it, ≥ 0")        \
  X(double, sleep_time, 0.0, "s",                                                                                    \
    "free bodies sleep once all that touch each other have been slow for so long, ≥ 0; 0: none sleeps")              \
  X(double, sleep_speed, 1e-4, "m/s", "speed of any point of a body up to which it is slow, ≥ 0")                    \
  X(int, threads, 1, "1", "threads that collide and solve islands; the result does not depend on it; 0: all cores")

struct Options {
  STICTION_OPTIONS(STICTION_DECLARE_SCALAR)

  template <class Self, class Visitor>
  static void visit(Self& self, Visitor&& visitor) {
    STICTION_OPTIONS(STICTION_VISIT_FIELD)
  }
};

// Sets one option from text ("0.01", "0 0 -1.62", "newton-fb", "true"). Throws Error for an unknown name, a value of
// the wrong kind or one outside its range, with the list of names or the range. Options can be set in any order:
// whether they go together is left to check_options.
void set_option(Options& options, std::string_view name, std::string_view value);

// Throws Error if a value is outside its range, there is no such solver or contact model, or an option is set that the
// solver does not use. A Simulation calls it.
void check_options(const Options& options);

}  // namespace stiction
