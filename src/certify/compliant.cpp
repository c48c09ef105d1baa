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

// Largest entry of A on the diagonal of a block.
double block_size_of_A(const ContactProblem& p, int block, std::vector<double>& scratch) {
  const int count = p.block_size(block), first = p.block_row[std::size_t(block)];
  double W[kMost] = {}, largest = 0;
  for_trees(p, block, [&](int tree, const double* J) {
    const int n = p.tree_size(tree);
    scratch.assign(J, J + count * n);
    whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], n, count, scratch.data());
    for (int k = 0; k < count; ++k) W[k] += row_dot(scratch.data() + k * n, scratch.data() + k * n, n);
  });
  for (int k = 0; k < count; ++k) {
    if (p.nresponse > 0) W[k] = p.response[std::size_t(first + k) * std::size_t(p.nrow + 1)];
    largest = std::max(largest, p.timestep * W[k] + compliance(p, block, k));
  }
  return largest > 0 ? largest : 1;
}

}  // namespace

bool has_compliant_blocks(const ContactProblem& p) {
  return std::any_of(p.block_law.begin(), p.block_law.end(), is_compliant);
}

void compliant_gradient(const ContactProblem& p, const Solution& s, std::vector<int>& islands,
                        std::vector<double>& gradient) {
  islands.assign(std::size_t(p.nisland), 0);
  gradient.assign(std::size_t(p.nrow), 0.0);
  for (std::size_t b = 0; b < std::size_t(p.nblock); ++b)
    if (is_compliant(p.block_law[b])) {
      int& kind = islands[std::size_t(p.block_island[b])];
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
  // A w of the islands that are least squares.
  std::vector<double> w(gradient.size(), 0.0), scratch;
  bool any = false;
  for (int b = 0; b < p.nblock; ++b)
    for (int r = p.block_row[std::size_t(b)]; kind_of(b) == 2 && r < p.block_row[std::size_t(b) + 1]; ++r) {
      w[std::size_t(r)] = gradient[std::size_t(r)];
      any = true;
    }
  if (!any) return;
  const std::vector<double> x = response_to(p, w);
  for (int b = 0; b < p.nblock; ++b) {
    if (kind_of(b) != 2) continue;
    const auto first = std::size_t(p.block_row[std::size_t(b)]);
    const double size = block_size_of_A(p, b, scratch);
    block_rows(p, b, x, gradient.data() + first);
    for (int k = 0; k < p.block_size(b); ++k) {
      const std::size_t r = first + std::size_t(k);
      gradient[r] = (gradient[r] + compliance(p, b, k) * w[r]) / size;
    }
  }
}

PyramidStep pyramid_step(const ContactProblem& p, const Solution& s, int block, const double* delassus,
                         const double* gradient) {
  const auto b = std::size_t(block);
  const int count = p.block_size(block);
  const double* lambda = s.lambda.data() + p.block_row[b];
  const double h = p.timestep, mu = p.block_friction[b];
  double W = 0, own = 0, trial[kMost] = {};
  for (int k = 0; k < count; ++k) {
    own = std::max(own, delassus[k]);
    W = std::max(W, delassus[k] + compliance(p, block, k) / h);
  }
  double highest = 0;
  for (int k = 0; k < count; ++k) {
    trial[k] = h * lambda[k] - gradient[k] / W;
    highest += k == 0 ? std::max(0.0, trial[k]) : mu * std::abs(trial[k]);
  }
  // The nearest point of the pyramid has the height n at which n − y_n = μ Σ max(0, |y_i| − μ n); left of it the right
  // side is larger.
  const auto below = [&](double n) {
    double pull = 0;
    for (int k = 1; k < count; ++k) pull += mu * std::max(0.0, std::abs(trial[k]) - mu * n);
    return n - trial[0] < pull;
  };
  double low = 0, high = below(0) ? highest : 0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (below(middle) ? low : high) = middle;
  }
  PyramidStep out;
  out.normal = own * std::abs(h * lambda[0] - high);
  double squared = 0;
  for (int k = 1; k < count; ++k) {
    const double step = h * lambda[k] - std::clamp(trial[k], -mu * high, mu * high);
    squared += step * step;
    out.cone = std::max(out.cone, own * h * (std::abs(lambda[k]) - mu * std::max(0.0, lambda[0])));
  }
  out.tangential = own * std::sqrt(squared);
  return out;
}

}  // namespace stiction
