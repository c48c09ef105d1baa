// The certificate of a linear complementarity problem, from (M, q, z, w) alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include <stiction/lcp.hpp>

namespace stiction {
namespace {

double largest_of(std::span<const double> x) {
  double out = 0;
  for (const double value : x) out = std::max(out, std::abs(value));
  return out;
}

// |x| / scale, where 0 / 0 is 0.
double relative(double x, double scale) {
  return x == 0 ? 0 : (scale > 0 ? std::abs(x) / scale : std::numeric_limits<double>::infinity());
}

// Σ_j M_ij x_j and Σ_j |M_ij x_j|
struct RowSum {
  double value = 0, size = 0;
};
RowSum row_sum(const Lcp& problem, std::size_t i, std::span<const double> x) {
  RowSum out;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double term = problem.M[i * x.size() + j] * x[j];
    out.value += term;
    out.size += std::abs(term);
  }
  return out;
}

}  // namespace

double LcpCertificate::residual() const {
  return std::max({equation, negative_z, negative_w, complementarity});
}

LcpCertificate certify_lcp(const Lcp& problem, std::span<const double> z, std::span<const double> w) {
  LcpCertificate out;
  const double z_scale = largest_of(z);
  double worst = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const RowSum row = row_sum(problem, i, z);
    const double s = std::abs(problem.q[i]) + row.size;
    const double equation = relative(w[i] - (row.value + problem.q[i]), s);
    const double negative_z = relative(std::min(z[i], 0.0), z_scale);
    const double negative_w = relative(std::min(w[i], 0.0), s);
    const double complementarity = std::min(relative(z[i], z_scale), relative(w[i], s));
    out.equation = std::max(out.equation, equation);
    out.negative_z = std::max(out.negative_z, negative_z);
    out.negative_w = std::max(out.negative_w, negative_w);
    out.complementarity = std::max(out.complementarity, complementarity);
    const double here = std::max({equation, negative_z, negative_w, complementarity});
    if (here > worst || std::isnan(here)) {
      worst = here;
      out.worst = int(i);
    }
  }
  return out;
}

double certify_ray(const Lcp& problem, const LcpRay& ray) {
  const double z_scale = largest_of(ray.z), r_scale = largest_of(ray.direction);
  if (r_scale == 0 || ray.z0 < 0 || ray.direction0 < 0) return std::numeric_limits<double>::infinity();
  double out = 0;
  for (std::size_t i = 0; i < ray.z.size(); ++i) {
    const double d = ray.cover[i], q = problem.q[i];
    if (d <= 0) return std::numeric_limits<double>::infinity();
    // w = M z + d z₀ + q and s = M r + d r₀
    const RowSum at_z = row_sum(problem, i, ray.z), at_r = row_sum(problem, i, ray.direction);
    const double w = at_z.value + d * ray.z0 + q, w_scale = at_z.size + d * ray.z0 + std::abs(q);
    const double s = at_r.value + d * ray.direction0, s_scale = at_r.size + d * ray.direction0;
    const double z = relative(ray.z[i], z_scale), r = relative(ray.direction[i], r_scale);
    out = std::max({out, relative(std::min(ray.z[i], 0.0), z_scale), relative(std::min(ray.direction[i], 0.0), r_scale),
                    relative(std::min(w, 0.0), w_scale), relative(std::min(s, 0.0), s_scale),
                    std::min(std::max(z, r), std::max(relative(w, w_scale), relative(s, s_scale)))});
  }
  return out;
}

double infeasible_below(const Lcp& problem, std::span<const double> y) {
  const auto n = std::size_t(problem.n);
  if (y.size() != n) return 0;
  // A sum of n terms is off by at most n ε Σ|terms|, its terms by ε each.
  const double rounding = double(n + 1) * std::numeric_limits<double>::epsilon();
  double value = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(y[i] >= 0)) return 0;
    value += problem.q[i] * y[i];
    size += std::abs(problem.q[i] * y[i]);
  }
  const double margin = -value - rounding * size;
  if (!(margin > 0)) return 0;
  // 0 ≤ yᵀ (M z + q) ≤ max_j (Mᵀ y)_j ‖z‖₁ − margin
  double slope = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double column = 0, column_size = 0;
    for (std::size_t i = 0; i < n; ++i) {
      column += problem.M[i * n + j] * y[i];
      column_size += std::abs(problem.M[i * n + j] * y[i]);
    }
    slope = std::max(slope, column + rounding * column_size);
  }
  return slope > 0 ? margin / slope : std::numeric_limits<double>::infinity();
}

}  // namespace stiction
