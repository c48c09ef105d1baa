// Memory of one solver thread and the steps that all solvers share: taking an island over from the problem, evaluating
// the natural map, factoring and solving the Newton system, handing the result back.
#pragma once

#include <chrono>
#include <memory>

#include "laws/block.hpp"
#include "solvers/contact_space.hpp"
#include "solvers/interior_point.hpp"
#include "solvers/newton_matrix.hpp"
#include "solvers/solver.hpp"

namespace stiction {

// Impulses of an island and what follows from them.
struct Iterate {
  std::vector<double> p;  // impulses, one per row [N s]
  std::vector<double> u;  // ũ + M⁻¹ Jᵀ p
  std::vector<double> v;  // J u + b, and e p of compliant contacts [m/s]
  double residual = 0;    // largest natural map of a block [m/s]
  double squared = 0;     // Σ of their squares [m²/s²]

  void copy(const Iterate& other);  // without touching the heap
};

struct DomainScratch;
struct LemkeScratch;
template <class T>
struct FlatNewton;

struct SolverScratch {
  SolverScratch();
  ~SolverScratch();

  Island island;
  IslandResult result;
  int max_iterations = 0;                   // factorisations allowed on this island
  bool prepared = false;                    // whether the matrix knows the island
  std::span<const double> velocity_before;  // of all trees at the start of the step; empty: not known
  SolveTrace* trace = nullptr;
  std::chrono::steady_clock::time_point begin;  // of the solve, without the time that the trace took

  ContactSpaceScratch space;
  NewtonMatrix matrix;
  std::vector<double> delassus;           // diagonal blocks of W, that of block c from island.square[c] on
  std::vector<BlockScale<double>> scale;  // of each block
  std::vector<double> A, B, r;            // the Newton system
  std::vector<double> delta_p, delta_u, delta_v;
  std::vector<double> row_scratch;

  Iterate current, trial, best;

  // Interior point: the second cone variable z = v + μ ‖z_t‖ n and its step.
  std::vector<double> z, delta_z;
  std::vector<double> upper_dual;  // of the upper bound of a box row, whose lower bound has its dual in z
  InteriorBlocks interior;
  std::vector<ContactPiece> pieces, pieces_before;  // of the law, as the path sees them
  double path_parameter = 0;                        // τ before the last step [m²/s²]
  double path_step = 0;                             // how far the last predictor could go, 0 … 1
  std::vector<double> free_contact;                 // existence test: W times a step; admm: free velocities [m/s]
  // Proximal continuation: its centre, and how far the last step led from it.
  std::vector<double> centre, drift;
  std::vector<double> witness;        // impulses that contradict the demanded velocities (existence.hpp) …
  bool contradicted = false;          // … which were found, and nothing was done about it yet
  double least_hint = 1;              // speed that a step must demand, relative to the scale, to be looked at for them
  std::vector<double> start;          // impulses from which the island starts, also after its push-out was changed
  std::vector<double> kept;           // impulses to return to …
  std::vector<double> kept_push_out;  // … and the push-out factors of their blocks
  // Held shifts: the exact laws and their best iterate, while relaxed ones stand in for them.
  std::vector<Law> kept_law;
  std::vector<double> kept_bias;
  Iterate kept_best;
  // The part of the island that is searched, its rows and trees, the scratch of its own island, and the right side of
  // Newton's equation for the others.
  std::vector<int> part, part_before, part_row, part_tree_list;
  std::vector<std::pair<int, int>> part_trees;
  std::vector<double> newton_r;
  std::unique_ptr<SolverScratch> local;
  std::unique_ptr<DomainScratch> domains;
  std::unique_ptr<LemkeScratch> lemke;
  std::unique_ptr<FlatNewton<float>> flat_float;  // the island in one scalar type, for methods without a matrix
  std::unique_ptr<FlatNewton<double>> flat_double;
  // Gauss–Seidel: M⁻¹ Jᵀ of each block and tree.
  std::vector<double> response;
  std::vector<int> response_start;

  // The entries of block c, which has N rows, in a list of all rows; and the first of them.
  template <int N>
  VecN<double, N> rows(const std::vector<double>& x, int c) const {
    VecN<double, N> out;
    const double* from = x.data() + island.row[std::size_t(c)];
    for (int i = 0; i < N; ++i) out[i] = from[i];
    return out;
  }
  template <int N>
  void set_rows(std::vector<double>& x, int c, const VecN<double, N>& value) const {
    double* to = x.data() + island.row[std::size_t(c)];
    for (int i = 0; i < N; ++i) to[i] = value[i];
  }
  double normal(const std::vector<double>& x, int c) const { return x[std::size_t(island.row[std::size_t(c)])]; }
  void set_normal(std::vector<double>& x, int c, double value) const {
    x[std::size_t(island.row[std::size_t(c)])] = value;
  }
  // A residual of compliant contact c as what it does to bodies: a spring gives way to most of it.
  template <int N>
  VecN<double, N> moved(int c, VecN<double, N> residual) const {
    if (island.compliant) residual[0] *= 1 - island.compliance[std::size_t(c)] / scale[std::size_t(c)].normal;
    return residual;
  }
  // Length of the others: speed or friction impulse.
  double tangential(const std::vector<double>& x, int c) const;
  bool may_factor() const { return result.factorisations < max_iterations; }
};

bool all_finite(const std::vector<double>& values);

// How a solver wants an island: as trees, or a small one in contact space.
enum class IslandForm { kTrees, kContactSpace };

// Gathers the island and its scales, and sets current to the warm start (zero if there is none or it is not finite).
// False if the island holds a value that is not finite.
bool begin_island(const ContactProblem& problem, int island, const SolverSettings& settings, const Solution& solution,
                  IslandForm form, SolverScratch& scratch);

// Sizes and scales for the island that scratch.island holds; all impulses zero, nothing evaluated. False if a scale or
// an input is not finite.
bool reset_island(SolverScratch& scratch);
// The sizes alone.
void size_island(SolverScratch& scratch);

// The same island after its push-out was changed, from the impulses in scratch.start.
void restart_island(const Solution& solution, SolverScratch& scratch);

// W p; uses scratch.delta_u.
void response_to(const std::vector<double>& p, SolverScratch& scratch, std::vector<double>& out);
// Fills u, v and residual of an iterate from its p.
void evaluate(const SolverScratch& scratch, Iterate& iterate);
// Fills its residual alone, from p and v.
void evaluate_laws(const SolverScratch& scratch, Iterate& iterate);
// Makes current that of zero impulses.
void return_to_zero(SolverScratch& scratch);
// Length of the natural map of block c at an iterate [m/s], and its square.
double block_residual(const SolverScratch& scratch, const Iterate& iterate, int c);
double squared_residual(const SolverScratch& scratch, const Iterate& iterate, int c);
// Keeps current in best if it is better; then, or with a trace of every iterate always, also in the trace.
void keep_best(SolverScratch& scratch);

// Factors the system in scratch.A, scratch.B and counts it. False if it is singular or the limit is reached.
bool factor_system(SolverScratch& scratch, bool may_be_singular, bool symmetric = false);
// δp and δv from scratch.r, to a residual that is `enough` [m/s]. False if the step is not finite.
bool solve_system(SolverScratch& scratch, double enough = 0);

// Writes best to the solution.
void finish_island(SolverScratch& scratch, Solution& solution);

}  // namespace stiction
