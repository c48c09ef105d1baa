#include "solvers/linear_solver.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/gauss_seidel.hpp"

namespace stiction {
namespace {

constexpr double kLeastSlope = 1e-10;                   // of A
constexpr double kForcing = 0.1, kLeastForcing = 1e-8;  // η, and how small it gets
constexpr double kLeastStep = 1e-6;                     // ω of jacobi

// (W + E) x = g and its diagonal; all lists have one entry per row.
struct System {
  SolverScratch& s;
  LinearScratch& l;

  // y = (W + E) x; leaves M⁻¹ Jᵀ x in delta_u.
  void multiply(const std::vector<double>& x, std::vector<double>& y) const {
    generalized_impulse(s.island, x.data(), s.delta_u.data());
    apply_inverse_inertia(s.island, s.delta_u.data());
    contact_velocity(s.island, s.delta_u.data(), false, y.data());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += l.compliance[i] * x[i];
  }
  // aᵀ D⁻¹ b
  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i] / l.diagonal[i];
    return sum;
  }
  // residual = g − (W + E) δp; returns its squared norm.
  double evaluate() const {
    multiply(s.delta_p, l.product);
    for (std::size_t i = 0; i < l.residual.size(); ++i) l.residual[i] = l.right[i] - l.product[i];
    return product(l.residual, l.residual);
  }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(double factor, const std::vector<double>& x, std::vector<double>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

void prepare(SolverScratch& s, LinearScratch& l) {
  const auto n = std::size_t(s.island.nrow);
  for (auto* list :
       {&l.compliance, &l.diagonal, &l.right, &l.residual, &l.product, &l.direction, &l.preconditioned, &l.image})
    list->resize(n);
  for (int c = 0; c < s.island.nblock; ++c)
    for (int k = 0, rows = s.island.block_size(c); k < rows; ++k) {
      const auto entry = std::size_t(s.island.square[std::size_t(c)] + (rows + 1) * k);
      const auto i = std::size_t(s.island.row[std::size_t(c)] + k);
      const double slope = std::max(s.A[entry], kLeastSlope);
      const double own = k == 0 ? s.island.compliance[std::size_t(c)] : 0.0;  // of the contact, which W_cc has too
      l.compliance[i] = s.B[entry] / slope + own;
      l.diagonal[i] = std::max(s.delassus[entry] - own, 0.0) + l.compliance[i];
      if (!(l.diagonal[i] > 0)) l.diagonal[i] = 1;  // nothing moves the row
      l.right[i] = s.r[i] / slope;
    }
  std::fill(s.delta_p.begin(), s.delta_p.end(), 0.0);
  l.residual = l.right;
}

void conjugate_gradients(const System& system, double goal, int limit) {
  LinearScratch& l = system.l;
  double squared = system.product(l.residual, l.residual);
  for (std::size_t i = 0; i < l.direction.size(); ++i) l.direction[i] = l.residual[i] / l.diagonal[i];
  for (int k = 0; k < limit && squared > goal; ++k) {
    ++system.s.result.linear_iterations;
    system.multiply(l.direction, l.product);
    const double curvature = dot(l.direction, l.product);
    if (!(curvature > 0)) return;
    add(squared / curvature, l.direction, system.s.delta_p);
    add(-squared / curvature, l.product, l.residual);
    const double next = system.product(l.residual, l.residual);
    for (std::size_t i = 0; i < l.direction.size(); ++i)
      l.direction[i] = l.residual[i] / l.diagonal[i] + next / squared * l.direction[i];
    squared = next;
  }
}

void conjugate_residuals(const System& system, double goal, int limit) {
  LinearScratch& l = system.l;
  for (std::size_t i = 0; i < l.direction.size(); ++i) l.preconditioned[i] = l.residual[i] / l.diagonal[i];
  l.direction = l.preconditioned;
  system.multiply(l.preconditioned, l.product);
  l.image = l.product;  // (W + E) direction
  double along = dot(l.preconditioned, l.product);
  for (int k = 0; k < limit && system.product(l.residual, l.residual) > goal; ++k) {
    ++system.s.result.linear_iterations;
    const double squared = system.product(l.image, l.image);
    if (!(squared > 0) || !(along > 0)) return;
    const double step = along / squared;
    add(step, l.direction, system.s.delta_p);
    add(-step, l.image, l.residual);
    for (std::size_t i = 0; i < l.direction.size(); ++i) l.preconditioned[i] = l.residual[i] / l.diagonal[i];
    system.multiply(l.preconditioned, l.product);
    const double next = dot(l.preconditioned, l.product), ratio = next / along;
    for (std::size_t i = 0; i < l.direction.size(); ++i) {
      l.direction[i] = l.preconditioned[i] + ratio * l.direction[i];
      l.image[i] = l.product[i] + ratio * l.image[i];
    }
    along = next;
  }
}

void jacobi(const System& system, double goal, int limit) {
  LinearScratch& l = system.l;
  double squared = system.product(l.residual, l.residual), step = 1;
  for (int k = 0; k < limit && squared > goal && step > kLeastStep; ++k) {
    ++system.s.result.linear_iterations;
    l.direction = system.s.delta_p;
    for (std::size_t i = 0; i < l.direction.size(); ++i) system.s.delta_p[i] += step * l.residual[i] / l.diagonal[i];
    const double next = system.evaluate();
    if (next < squared) {
      squared = next;
      continue;
    }
    system.s.delta_p = l.direction;  // it grew: back, with half the step
    squared = system.evaluate();
    step *= 0.5;
  }
}

void gauss_seidel_rows(const System& system, double goal, int limit) {
  SolverScratch& s = system.s;
  LinearScratch& l = system.l;
  prepare_response(s);
  double squared = system.evaluate();  // also δu
  for (int sweep = 0; sweep < limit && squared > goal; ++sweep) {
    ++s.result.linear_iterations;
    for (int order = 0; order < s.island.nblock; ++order) {
      const int c = sweep % 2 == 0 ? order : s.island.nblock - 1 - order;
      for (int k = 0, rows = s.island.block_size(c); k < rows; ++k) {
        const auto i = std::size_t(s.island.row[std::size_t(c)] + k);
        double v[kMostBlockRows] = {}, change[kMostBlockRows] = {};
        block_velocity(s.island, c, s.delta_u.data(), false, v);
        change[k] = (l.right[i] - v[k] - l.compliance[i] * s.delta_p[i]) / l.diagonal[i];
        s.delta_p[i] += change[k];
        add_response(s, c, change, s.delta_u);
      }
    }
    squared = system.evaluate();
  }
}

}  // namespace

bool solve_iteratively(const SolverSettings& settings, SolverScratch& s) {
  const System system{s, s.linear};
  prepare(s, s.linear);
  const double forcing = std::clamp(s.current.residual / s.island.scale, kLeastForcing, kForcing);
  const double goal = forcing * forcing * system.product(s.linear.right, s.linear.right);
  const int limit = settings.linear_iterations;
  if (settings.linear_solver == LinearSolver::kPcg)
    conjugate_gradients(system, goal, limit);
  else if (settings.linear_solver == LinearSolver::kPcr)
    conjugate_residuals(system, goal, limit);
  else if (settings.linear_solver == LinearSolver::kJacobi)
    jacobi(system, goal, limit);
  else
    gauss_seidel_rows(system, goal, limit);
  system.multiply(s.delta_p, s.linear.product);  // δu
  contact_velocity(s.island, s.delta_u.data(), false, s.delta_v.data());
  add_compliance(s.island, s.delta_p.data(), s.delta_v.data());
  return all_finite(s.delta_p) && all_finite(s.delta_v);
}

}  // namespace stiction
