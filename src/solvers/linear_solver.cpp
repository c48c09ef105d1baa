#include "solvers/linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace stiction {
namespace {

// Of a: a row that decouples has a right side larger by 1/√a than the others, which must leave them digits in sums.
template <class T>
constexpr T kLeastSlope = std::is_same_v<T, float> ? T(1e-4) : T(1e-10);
constexpr double kLeastStep = 1e-6;   // ω of jacobi
constexpr int kMostFactored = 30000;  // rows; with more of them an iterative solver is the faster one

template <class T>
T dot(const std::vector<T>& a, const std::vector<T>& b) {
  T sum = T(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

template <class T>
void add(T factor, const std::vector<T>& x, std::vector<T>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

// (W + E) x = g, and when to stop.
template <class T>
struct System {
  FlatIsland<T>& island;
  const LinearLimits& limits;
  LinearScratch<T>& l;
  T first = T(0);  // ‖g‖²
  int taken = 0;

  void prepare() {
    for (int c = 0; c < island.nblock; ++c)
      for (int k = 0, rows = island.block_size(c); k < rows; ++k) {
        const auto i = std::size_t(island.row[std::size_t(c)] + k);
        const T slope = std::max(l.a[i], kLeastSlope<T>);
        l.compliance[i] = l.b[i] / slope;
        l.right[i] = l.r[i] / slope;
      }
    l.preconditioner.prepare(island, limits.preconditioner, l.compliance);
    std::fill(l.delta_p.begin(), l.delta_p.end(), T(0));
    l.residual = l.right;
    first = squared(l.right);
    note(first);
  }
  // y = (W + E) x; leaves M⁻¹ Jᵀ x in u.
  void multiply(const std::vector<T>& x, std::vector<T>& y) {
    island.response_to(x.data(), l.u.data());
    island.velocity(l.u.data(), x.data(), false, y.data());
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += l.compliance[i] * x[i];
  }
  void precondition(const std::vector<T>& a, std::vector<T>& out) const { l.preconditioner.solve(a, out); }
  T squared(const std::vector<T>& a) const { return l.preconditioner.squared(a); }
  // residual = g − (W + E) δp; returns its squared norm.
  T evaluate() {
    multiply(l.delta_p, l.product);
    for (std::size_t i = 0; i < l.residual.size(); ++i) l.residual[i] = l.right[i] - l.product[i];
    return squared(l.residual);
  }
  bool goes_on(T now) const {
    // Below rounding conjugate directions are noise, which grows.
    const T share = std::max(T(limits.forcing), std::numeric_limits<T>::epsilon());
    return taken < limits.iterations && now > share * share * first && std::isfinite(now);
  }
  void note(T now) const {
    if (limits.history != nullptr) limits.history->push_back(first > T(0) ? std::sqrt(double(now / first)) : 0.0);
  }
  void took(T now) {
    ++taken;
    note(now);
  }
};

template <class T>
void conjugate_gradients(System<T>& system) {
  LinearScratch<T>& l = system.l;
  T now = system.first;
  system.precondition(l.residual, l.direction);
  while (system.goes_on(now)) {
    system.multiply(l.direction, l.product);
    const T curvature = dot(l.direction, l.product);
    if (!(curvature > T(0))) return;
    add(now / curvature, l.direction, l.delta_p);
    add(-now / curvature, l.product, l.residual);
    system.precondition(l.residual, l.preconditioned);
    const T next = dot(l.residual, l.preconditioned);
    for (std::size_t i = 0; i < l.direction.size(); ++i)
      l.direction[i] = l.preconditioned[i] + next / now * l.direction[i];
    now = next;
    system.took(now);
  }
}

template <class T>
void conjugate_residuals(System<T>& system) {
  LinearScratch<T>& l = system.l;
  T now = system.first;
  system.precondition(l.residual, l.preconditioned);
  l.direction = l.preconditioned;
  system.multiply(l.preconditioned, l.product);
  l.image = l.product;  // (W + E) direction
  T along = dot(l.preconditioned, l.product);
  while (system.goes_on(now)) {
    const T size = system.squared(l.image);
    if (!(size > T(0)) || !(along > T(0))) return;
    add(along / size, l.direction, l.delta_p);
    add(-along / size, l.image, l.residual);
    system.precondition(l.residual, l.preconditioned);
    system.multiply(l.preconditioned, l.product);
    const T next = dot(l.preconditioned, l.product), ratio = next / along;
    for (std::size_t i = 0; i < l.direction.size(); ++i) {
      l.direction[i] = l.preconditioned[i] + ratio * l.direction[i];
      l.image[i] = l.product[i] + ratio * l.image[i];
    }
    along = next;
    now = system.squared(l.residual);
    system.took(now);
  }
}

template <class T>
void jacobi(System<T>& system) {
  LinearScratch<T>& l = system.l;
  T now = system.first, step = T(1);
  while (system.goes_on(now) && step > T(kLeastStep)) {
    l.direction = l.delta_p;
    system.precondition(l.residual, l.preconditioned);
    add(step, l.preconditioned, l.delta_p);
    const T next = system.evaluate();
    if (next < now) {
      now = next;
    } else {  // it grew: back, with half the step
      l.delta_p = l.direction;
      now = system.evaluate();
      step *= T(0.5);
    }
    system.took(now);
  }
}

template <class T>
void gauss_seidel(System<T>& system) {
  LinearScratch<T>& l = system.l;
  FlatIsland<T>& island = system.island;
  // What row k of block c lacks, g − (W + E) δp.
  const auto lacks = [&](int c, int k) {
    const auto i = std::size_t(island.row[std::size_t(c)] + k);
    const T own = k == 0 && !island.condensed ? island.compliance[std::size_t(c)] : T(0);
    return l.right[i] - (island.row_velocity(c, k, l.u.data()) + (l.compliance[i] + own) * l.delta_p[i]);
  };
  const auto change = [&](int c, int k, T by) {
    l.delta_p[std::size_t(island.row[std::size_t(c)] + k)] += by;
    island.add_row(c, k, by, l.u.data());
  };
  const bool by_blocks = l.preconditioner.by_blocks();
  island.prepare_rows();
  T now = system.evaluate();  // also u
  while (system.goes_on(now)) {
    for (int order = 0; order < island.nblock; ++order) {
      const int c = system.taken % 2 == 0 ? order : island.nblock - 1 - order, rows = island.block_size(c);
      if (by_blocks) {
        T x[kMostBlockRows];
        for (int k = 0; k < rows; ++k) x[k] = lacks(c, k);
        l.preconditioner.solve_block(c, x);
        for (int k = 0; k < rows; ++k) change(c, k, x[k]);
        continue;
      }
      for (int k = 0; k < rows; ++k)
        change(c, k, lacks(c, k) / l.preconditioner.diagonal(island.row[std::size_t(c)] + k));
    }
    now = system.evaluate();
    system.took(now);
  }
}

}  // namespace

template <class T>
void LinearScratch<T>::resize(const FlatIsland<T>& island) {
  for (auto* list :
       {&a, &b, &r, &delta_p, &compliance, &right, &residual, &product, &direction, &preconditioned, &image})
    list->resize(std::size_t(island.nrow));
  u.resize(std::size_t(island.nv));
}

template <class T>
int solve_iteratively(FlatIsland<T>& island, const LinearLimits& limits, LinearScratch<T>& scratch) {
  System<T> system{island, limits, scratch};
  system.prepare();
  switch (limits.solver) {
    case LinearSolver::kPcg:
      conjugate_gradients(system);
      break;
    case LinearSolver::kPcr:
      conjugate_residuals(system);
      break;
    case LinearSolver::kJacobi:
      jacobi(system);
      break;
    default:
      gauss_seidel(system);
  }
  return system.taken;
}

LinearSolver choose_linear_solver(const Island& island, Precision precision) {
  if (precision == Precision::kFloat) return LinearSolver::kPcr;
  if (island.condensed) return LinearSolver::kDirect;
  return island.nrow <= kMostFactored ? LinearSolver::kLdlt : LinearSolver::kPcr;
}

template struct LinearScratch<float>;
template struct LinearScratch<double>;
template int solve_iteratively(FlatIsland<float>&, const LinearLimits&, LinearScratch<float>&);
template int solve_iteratively(FlatIsland<double>&, const LinearLimits&, LinearScratch<double>&);

}  // namespace stiction
