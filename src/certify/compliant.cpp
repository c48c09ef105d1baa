#include "certify/compliant.hpp"

#include "math/tree_cholesky.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr int kMost = 6;  // rows of a block

double compliance(const ContactProblem& p, int block, int k) {
  const auto b = std::size_t(block);
  return k == 0 ? p.block_compliance[b] : p.block_friction_compliance[b];
}

// Calls f(tree, Jacobian of the block's rows in it).
template <class Function>
void for_trees(const ContactProblem& p, int block, Function&& f) {
  const auto b = std::size_t(block);
  if (p.block_tree_a[b] >= 0) f(p.block_tree_a[b], p.jacobian.data() + p.block_jacobian_a[b]);
  if (p.block_tree_b[b] >= 0) f(p.block_tree_b[b], p.jacobian.data() + p.block_jacobian_b[b]);
}

// out = J x of the block's rows; of a problem without trees x are impulses of all rows, and out = W x.
void block_rows(const ContactProblem& p, int block, const std::vector<double>& x, double* out) {
  const int count = p.block_size(block), first = p.block_row[std::size_t(block)];
  std::fill(out, out + count, 0.0);
  for_trees(p, block, [&](int tree, const double* J) {
    const int n = p.tree_size(tree);
    for (int k = 0; k < count; ++k) out[k] += row_dot(J + k * n, x.data() + p.tree_dof[std::size_t(tree)], n);
  });
  if (p.nresponse == 0) return;
  for (int k = 0; k < count; ++k)
    out[k] = row_dot(p.response.data() + std::size_t(first + k) * std::size_t(p.nrow), x.data(), p.nrow);
}

// x = h M⁻¹ Jᵀ y over all trees; of a problem without trees h y.
std::vector<double> response_to(const ContactProblem& p, const std::vector<double>& y) {
  std::vector<double> x(std::size_t(p.nresponse > 0 ? p.nrow : p.nv), 0.0);
  if (p.nresponse > 0) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = p.timestep * y[i];
    return x;
  }
  for (int b = 0; b < p.nblock; ++b)
    for_trees(p, b, [&](int tree, const double* J) {
      const int n = p.tree_size(tree);
      for (int k = 0; k < p.block_size(b); ++k)
        add_row_times(p.timestep * y[std::size_t(p.block_row[std::size_t(b)] + k)], J + k * n, n,
                      x.data() + p.tree_dof[std::size_t(tree)]);
    });
  for (int t = 0; t < p.ntree; ++t)
    solve_tree(p.inertia_factor.data() + p.tree_inertia[std::size_t(t)], p.tree_size(t),
               x.data() + p.tree_dof[std::size_t(t)]);
  return x;
}

// S of all rows, of islands that are not least squares of forces 1.
std::vector<double> row_weights(const ContactProblem& p, const std::vector<int>& islands) {
  std::vector<double> out(std::size_t(p.nrow), 1.0), stiffest(islands.size(), INFINITY), softest(islands.size(), 0.0);
  const auto each_row = [&](auto&& visit) {
    for (int b = 0; b < p.nblock; ++b) {
      const auto island = std::size_t(p.block_island[std::size_t(b)]);
      for (int k = 0; islands[island] == 3 && k < p.block_size(b); ++k) visit(b, island, k, compliance(p, b, k));
    }
  };
  each_row([&](int, std::size_t island, int, double e) {
    if (e > 0) stiffest[island] = std::min(stiffest[island], e);
    softest[island] = std::max(softest[island], e);
  });
  each_row([&](int block, std::size_t island, int k, double e) {
    const auto b = std::size_t(block);
    const bool free = p.block_law[b] == Law::kBox && std::isinf(p.block_lower[b]) && std::isinf(p.block_upper[b]);
    if (!(e > 0)) e = free ? stiffest[island] : softest[island];
    if (softest[island] > 0) out[std::size_t(p.block_row[b] + k)] = stiffest[island] / e;
  });
  return out;
}

struct Column {
  double diagonal = 0;  // A_kk
  double square = 0;    // ‖S A_k‖²
};

// Column of A of a row in an island of least squares; x: scratch of the size of response_to, zero before and after.
Column column_of(const ContactProblem& p, int block, int k, const std::vector<double>& weight, std::vector<double>& x) {
  const auto b = std::size_t(block);
  for_trees(p, block, [&](int tree, const double* J) {
    const int n = p.tree_size(tree);
    double* to = x.data() + p.tree_dof[std::size_t(tree)];
    add_row_times(p.timestep, J + k * n, n, to);
    solve_tree(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], n, to);
  });
  if (p.nresponse > 0) x[std::size_t(p.block_row[b] + k)] = p.timestep;
  Column out;
  const auto island = std::size_t(p.block_island[b]);
  for (int i = p.island_block[island]; i < p.island_block[island + 1]; ++i) {
    const int other = p.island_block_list[std::size_t(i)];
    double column[kMost];
    block_rows(p, other, x, column);
    if (other == block) out.diagonal = column[k] += compliance(p, block, k);
    for (int j = 0; j < p.block_size(other); ++j) {
      const double entry = weight[std::size_t(p.block_row[std::size_t(other)] + j)] * column[j];
      out.square += entry * entry;
    }
  }
  for_trees(p, block, [&](int tree, const double*) {
    std::fill_n(x.begin() + p.tree_dof[std::size_t(tree)], p.tree_size(tree), 0.0);
  });
  if (p.nresponse > 0) x[std::size_t(p.block_row[b] + k)] = 0;
  return out;
}

}  // namespace

bool has_compliant_blocks(const ContactProblem& p) {
  return std::any_of(p.block_law.begin(), p.block_law.end(), is_compliant);
}

void compliant_gradient(const ContactProblem& p, const Solution& s, std::vector<int>& islands,
                        std::vector<double>& gradient, std::vector<double>& metric) {
  islands.assign(std::size_t(p.nisland), 0);
  gradient.assign(std::size_t(p.nrow), 0.0);
  metric.assign(std::size_t(p.nrow), 0.0);
  for (std::size_t b = 0; b < std::size_t(p.nblock); ++b)
    if (is_compliant(p.block_law[b])) {
      int& kind = islands[std::size_t(p.block_island[b])];
      if (p.block_law[b] == Law::kCompliantForce) kind = 3;
      kind = std::max(kind, p.block_law[b] == Law::kCompliant ? 2 : 1);
    }
  const auto kind_of = [&](int block) { return islands[std::size_t(p.block_island[std::size_t(block)])]; };
  std::vector<double> u = s.u;
  if (p.nresponse > 0) u = response_to(p, s.lambda);
  for (int b = 0; b < p.nblock; ++b) {
    if (kind_of(b) == 0) continue;
    const auto first = std::size_t(p.block_row[std::size_t(b)]);
    block_rows(p, b, u, gradient.data() + first);
    for (int k = 0; k < p.block_size(b); ++k) {
      const std::size_t r = first + std::size_t(k);
      gradient[r] += p.bias[r] + compliance(p, b, k) * s.lambda[r];
    }
  }
  // A S² w of the islands that are least squares.
  std::vector<double> w(gradient.size(), 0.0);
  bool any = false;
  for (int b = 0; b < p.nblock; ++b)
    for (int r = p.block_row[std::size_t(b)]; kind_of(b) > 1 && r < p.block_row[std::size_t(b) + 1]; ++r) {
      w[std::size_t(r)] = gradient[std::size_t(r)];
      any = true;
    }
  if (!any) return;
  const std::vector<double> weight = row_weights(p, islands);
  for (std::size_t r = 0; r < w.size(); ++r) w[r] *= weight[r] * weight[r];
  const std::vector<double> x = response_to(p, w);
  std::vector<double> unit(x.size(), 0.0);
  for (int b = 0; b < p.nblock; ++b) {
    if (kind_of(b) < 2) continue;
    const auto first = std::size_t(p.block_row[std::size_t(b)]);
    block_rows(p, b, x, gradient.data() + first);
    for (int k = 0; k < p.block_size(b); ++k) {
      const std::size_t r = first + std::size_t(k);
      const Column column = column_of(p, b, k, weight, unit);
      metric[r] = column.square;
      gradient[r] = (gradient[r] + compliance(p, b, k) * w[r]) * column.diagonal / std::max(column.square, 1e-300);
    }
  }
}

PyramidStep pyramid_step(const ContactProblem& p, const Solution& s, int block, const double* delassus,
                         const double* gradient, const double* metric) {
  const auto b = std::size_t(block);
  const int count = p.block_size(block);
  const double* lambda = s.lambda.data() + p.block_row[b];
  const double h = p.timestep, mu = p.block_friction[b];
  double trial[kMost] = {}, size[kMost] = {}, highest = 0;
  for (int k = 0; k < count; ++k) {
    const double W = delassus[k] + compliance(p, block, k) / h;
    size[k] = metric[k] > 0 ? metric[k] : W;
    trial[k] = h * lambda[k] - gradient[k] / W;
    highest += k == 0 ? std::max(0.0, trial[k]) : mu * size[k] / size[0] * std::abs(trial[k]);
  }
  // The nearest point of the pyramid in the metric has the height n at which size_n (n − y_n) = μ Σ size_i max(0, |y_i|
  // − μ n); left of it the right side is larger.
  const auto below = [&](double n) {
    double pull = 0;
    for (int k = 1; k < count; ++k) pull += mu * size[k] * std::max(0.0, std::abs(trial[k]) - mu * n);
    return size[0] * (n - trial[0]) < pull;
  };
  double low = 0, high = below(0) ? highest : 0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (below(middle) ? low : high) = middle;
  }
  PyramidStep out;
  out.normal = delassus[0] * std::abs(h * lambda[0] - high);
  double squared = 0;
  for (int k = 1; k < count; ++k) {
    const double step = delassus[k] * (h * lambda[k] - std::clamp(trial[k], -mu * high, mu * high));
    squared += step * step;
    out.cone = std::max(out.cone, delassus[k] * h * (std::abs(lambda[k]) - mu * std::max(0.0, lambda[0])));
  }
  out.tangential = std::sqrt(squared);
  return out;
}

}  // namespace stiction
