#include "solvers/pyramid_programme.hpp"

#include <algorithm>
#include <cmath>

#include <stiction/qp.hpp>

namespace stiction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kAllAtOnce = 15;      // changes of the active set that are made together, before one by one
constexpr int kMostChanges = 100;   // before another start is sought
constexpr int kMostProximal = 300;  // iterations of ProxSuite
constexpr int kRefinements = 2;     // of a linear solution
// Shares of a radius or range within which ProxSuite's answer is taken to be at the bound, one after the other.
constexpr double kAtBound[] = {1e-8, 1e-6, 1e-4, 1e-2};

// What acts. Of an interval: −1, 0, 1 at its lower end, free, at its upper end. Of a pyramid: open or not; of each of
// its t_i −1, 0, 1 as above.
struct ActiveSet {
  std::vector<int> interval;
  std::vector<char> open;
  std::vector<int> friction;  // by index of y

  bool operator==(const ActiveSet&) const = default;
};

int side_of(double value, double lower, double upper, double slack) {
  if (value <= lower + slack) return -1;
  return value >= upper - slack ? 1 : 0;
}

// The set of a point that is feasible up to a share of its bounds.
ActiveSet active_at(const PyramidProgramme& p, const VectorXd& y, double share) {
  ActiveSet out;
  out.friction.assign(std::size_t(y.size()), 0);
  double highest = 0;
  for (const auto& c : p.pyramids) highest = std::max(highest, y[c.first]);
  for (const auto& i : p.intervals) {
    const double slack = std::isfinite(i.upper - i.lower) ? share * (i.upper - i.lower) : share * std::abs(y[i.index]);
    out.interval.push_back(side_of(y[i.index], i.lower, i.upper, slack));
  }
  for (const auto& c : p.pyramids) {
    const double n = y[c.first], radius = c.mu * n;
    out.open.push_back(n > share * highest);
    for (int k = 1; k < c.rows && out.open.back(); ++k)
      out.friction[std::size_t(c.first + k)] = side_of(y[c.first + k], -radius, radius, share * radius);
  }
  return out;
}

// y of the active set: y = T x + o.
bool solve_with(const PyramidProgramme& p, const ActiveSet& set, VectorXd& y) {
  const Index n = p.q.size();
  MatrixXd all = MatrixXd::Zero(n, n);
  Index count = 0;
  y = VectorXd::Zero(n);  // o
  for (std::size_t k = 0; k < p.intervals.size(); ++k) {
    const auto& i = p.intervals[k];
    if (set.interval[k] == 0)
      all(i.index, count++) = 1;
    else
      y[i.index] = set.interval[k] < 0 ? i.lower : i.upper;
  }
  for (std::size_t k = 0; k < p.pyramids.size(); ++k) {
    const auto& c = p.pyramids[k];
    if (!set.open[k]) continue;
    const Index normal = count++;
    all(c.first, normal) = 1;
    for (int t = c.first + 1; t < c.first + c.rows; ++t) {
      if (const int side = set.friction[std::size_t(t)]; side == 0)
        all(t, count++) = 1;
      else
        all(t, normal) = side * c.mu;
    }
  }
  if (count == 0) return true;
  const auto T = all.leftCols(count);
  if (p.G.size() > 0) {
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(p.G * T);
    for (int k = 0; k <= kRefinements; ++k) y -= T * qr.solve(p.G * y + p.g);
    return y.allFinite();
  }
  const Eigen::LDLT<MatrixXd> factor(T.transpose() * p.H * T);
  if (factor.info() != Eigen::Success) return false;
  for (int k = 0; k <= kRefinements; ++k) y -= T * factor.solve(T.transpose() * p.gradient(y));
  return y.allFinite();
}

// The bounds that the values and the gradient g of a solution ask for.
ActiveSet next_set(const PyramidProgramme& p, const ActiveSet& set, const VectorXd& y, const VectorXd& g) {
  ActiveSet out = set;
  // A bound acts on if the gradient presses against it, a value beyond one is brought back to it.
  const auto change = [](int side, double value, double lower, double upper, double gradient) {
    if (side != 0) return gradient * side < 0 ? side : 0;
    if (value < lower) return -1;
    return value > upper ? 1 : 0;
  };
  for (std::size_t k = 0; k < p.intervals.size(); ++k) {
    const auto& i = p.intervals[k];
    out.interval[k] = change(set.interval[k], y[i.index], i.lower, i.upper, g[i.index]);
  }
  for (std::size_t k = 0; k < p.pyramids.size(); ++k) {
    const auto& c = p.pyramids[k];
    const double n = y[c.first];
    if (!set.open[k]) {
      // The steepest way out of the tip: (1, ∓μ …).
      double slope = g[c.first];
      for (int t = c.first + 1; t < c.first + c.rows; ++t) slope -= c.mu * std::abs(g[t]);
      out.open[k] = slope < 0;
      for (int t = c.first + 1; t < c.first + c.rows; ++t)
        out.friction[std::size_t(t)] = out.open[k] ? (g[t] > 0 ? -1 : (g[t] < 0 ? 1 : 0)) : 0;
      continue;
    }
    out.open[k] = n > 0;
    for (int t = c.first + 1; t < c.first + c.rows; ++t)
      out.friction[std::size_t(t)] =
          out.open[k] ? change(set.friction[std::size_t(t)], y[t], -c.mu * n, c.mu * n, g[t]) : 0;
  }
  return out;
}

// The first change alone of those from one set to the next.
ActiveSet first_change(const PyramidProgramme& p, const ActiveSet& from, const ActiveSet& to) {
  ActiveSet out = from;
  for (std::size_t k = 0; k < p.intervals.size(); ++k)
    if (from.interval[k] != to.interval[k]) {
      out.interval[k] = to.interval[k];
      return out;
    }
  for (std::size_t k = 0; k < p.pyramids.size(); ++k) {
    const auto first = std::size_t(p.pyramids[k].first), end = first + std::size_t(p.pyramids[k].rows);
    const bool opens = from.open[k] != to.open[k];
    for (std::size_t t = first + 1; t < end; ++t) {
      if (from.friction[t] == to.friction[t]) continue;
      out.friction[t] = to.friction[t];
      if (!opens) return out;
    }
    out.open[k] = to.open[k];
    if (opens) return out;
  }
  return out;
}

struct Search {
  const PyramidProgramme& p;
  double tolerance;
  VectorXd& best;
  double residual;
  int& iterations;

  void keep(const VectorXd& y) {
    const double now = p.residual(y);
    if (!(now < residual)) return;
    residual = now;
    best = y;
  }

  // Follows the changes of the active set until it stays.
  void follow(ActiveSet set) {
    VectorXd y;
    for (int k = 0; k < kMostChanges; ++k) {
      ++iterations;
      if (!solve_with(p, set, y)) return;
      keep(y);
      if (residual <= tolerance) return;
      const ActiveSet next = next_set(p, set, y, p.gradient(y));
      if (next == set) return;
      set = k < kAllAtOnce ? next : first_change(p, set, next);
    }
  }
};

// The same programme for ProxSuite, rows and columns scaled so that H has a diagonal of 1.
Qp scaled_qp(const PyramidProgramme& p, VectorXd& scale) {
  Qp out;
  out.n = int(p.q.size());
  scale = p.H.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const MatrixXd P = scale.asDiagonal() * p.H * scale.asDiagonal();
  const VectorXd q = scale.cwiseProduct(p.q);
  const double size = std::max(q.cwiseAbs().maxCoeff(), 1e-300);
  scale *= size;  // of y, so that q is of the size of 1
  for (Index i = 0; i < P.rows(); ++i)
    for (Index j = 0; j < P.cols(); ++j) out.P.push_back(0.5 * (P(i, j) + P(j, i)));
  for (Index i = 0; i < q.size(); ++i) out.q.push_back(q[i] / size);
  const auto add_row = [&](double lower, double upper) {
    out.A.insert(out.A.end(), std::size_t(out.n), 0.0);
    out.l.push_back(lower);
    out.u.push_back(upper);
    ++out.m;
    return out.A.data() + std::ptrdiff_t(out.m - 1) * out.n;
  };
  for (const auto& i : p.intervals) add_row(i.lower / scale[i.index], i.upper / scale[i.index])[i.index] = 1;
  for (const auto& c : p.pyramids) {
    add_row(0, INFINITY)[c.first] = 1;
    for (int t = c.first + 1; t < c.first + c.rows; ++t)
      for (const double side : {1.0, -1.0}) {
        double* row = add_row(0, INFINITY);
        row[c.first] = c.mu * scale[c.first] / scale[t];
        row[t] = side;
      }
  }
  return out;
}

// Nearest point of {n ≥ 0, |t_i| ≤ μ n} to x by Σ size_k (y_k − x_k)²: f(n) = size_n (n − x_n) − μ Σ size_i max(0,
// |x_i| − μ n) grows; its zero is n.
void project_pyramid(double mu, int rows, const double* size, double* x) {
  double low = 0, high = std::max(0.0, x[0]);
  for (int k = 1; k < rows; ++k) high += mu * size[k] / size[0] * std::abs(x[k]);
  const auto f = [&](double n) {
    double sum = size[0] * (n - x[0]);
    for (int k = 1; k < rows; ++k) sum -= mu * size[k] * std::max(0.0, std::abs(x[k]) - mu * n);
    return sum;
  };
  if (f(0) >= 0) high = 0;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (f(middle) < 0 ? low : high) = middle;
  }
  x[0] = high;
  for (int k = 1; k < rows; ++k) x[k] = std::clamp(x[k], -mu * high, mu * high);
}

}  // namespace

VectorXd PyramidProgramme::gradient(const VectorXd& y) const {
  return G.size() > 0 ? VectorXd(G.transpose() * (G * y + g)) : VectorXd(H * y + q);
}

double PyramidProgramme::residual(const VectorXd& y) const {
  const VectorXd slope = gradient(y);
  double worst = 0;
  for (const auto& i : intervals) {
    const double size = H(i.index, i.index);
    const double to = std::clamp(y[i.index] - slope[i.index] / size, i.lower, i.upper);
    worst = std::max(worst, size * std::abs(y[i.index] - to) / unit[i.index]);
  }
  for (const auto& c : pyramids) {
    double size[8] = {}, x[8] = {};
    for (int k = 0; k < c.rows; ++k) {
      size[k] = H(c.first + k, c.first + k);
      x[k] = y[c.first + k] - slope[c.first + k] / size[k];
    }
    project_pyramid(c.mu, c.rows, size, x);
    for (int k = 0; k < c.rows; ++k)
      worst = std::max(worst, size[k] * std::abs(y[c.first + k] - x[k]) / unit[c.first + k]);
  }
  return std::isfinite(y.sum()) ? worst : INFINITY;
}

double solve_programme(const PyramidProgramme& p, double tolerance, VectorXd& y, int& iterations) {
  Search search{p, tolerance, y, p.residual(y), iterations};
  search.follow(active_at(p, y, 0));
  if (search.residual <= tolerance) return search.residual;
  VectorXd scale;
  const QpResult found = solve_qp(scaled_qp(p, scale), {1e-10, kMostProximal});
  iterations += found.iterations;
  const VectorXd guess = scale.cwiseProduct(Eigen::Map<const VectorXd>(found.x.data(), Index(found.x.size())));
  search.keep(guess);
  for (const double share : kAtBound)
    if (search.residual > tolerance) search.follow(active_at(p, guess, share));
  return search.residual;
}

}  // namespace stiction
