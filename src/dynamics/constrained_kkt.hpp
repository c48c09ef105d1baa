// Constrained accelerations and impulses by the proximal method on the factor of the KKT matrix; host and device, no
// allocation. (Carpentier and Le Lidec, course on contact dynamics, "the proximal rigid contact problem".)
//
//   λ ← (G + μI)⁻¹ (μ λ⁻ − a_f),   G = J M⁻¹ Jᵀ,   a_f = J u̇_free + J̇ u + damping ċ + stiffness c
//
// We iterate on the change δ = λ − λ⁻ instead: (G + μI) δ⁺ = μ δ, from δ = −(G + μI)⁻¹ a_f. The residual of the rows is
// −μ δ, known without a product, and rounding errors of G λ do not enter. Started from λ = 0, λ stays in the range of
// G: dependent rows get the least λ. Contradicting rows leave a constant δ in the null space of G, which moves nothing;
// it is taken out of λ.
//
// We depart from the paper in μ, which is a part of the mean diagonal of G: one number for the rows of points, one for
// those of angles, so that it has a meaning in every system of units and for light and heavy robots.
#pragma once

#include "dynamics/constrained_rows.hpp"
#include "dynamics/tree_crba.hpp"
#include "dynamics/tree_factor.hpp"
#include "dynamics/tree_rnea.hpp"

#include <stiction/constrained_dynamics.hpp>

namespace stiction {

template <class T>
struct KktViewT {
  int nblock = 0, noverlap = 0;
  const ConstraintBlockT<T>* block = nullptr;
  const ConstraintOverlap* overlap = nullptr;
};

// What the functions below write; the caller owns the memory.
template <class T>
struct KktDataT {
  T* mass = nullptr;      // rows of M, then its factor
  T* force = nullptr;     // nv
  Vec3T<T>* Y = nullptr;  // columns of all blocks
  Vec3T<T>* W = nullptr;  // as many
  T* delassus = nullptr;  // lower triangle of G by rows, then the factor of G + μI
  T* mu = nullptr;        // 3 · nblock
  T* residual = nullptr;  // of the rows, 3 · nblock
  T* change = nullptr;    // δ, 3 · nblock
};

// First entry of row i of a lower triangle stored by rows.
STICTION_HD int packed_row(int i) {
  return i * (i + 1) / 2;
}

// G = W Yᵀ, lower triangle.
template <class T>
STICTION_HD void kkt_delassus(const KktViewT<T>& kkt, const KktDataT<T>& data) {
  const int n = 3 * kkt.nblock;
  for (int e = 0; e < packed_row(n); ++e) data.delassus[e] = T(0);
  for (int o = 0; o < kkt.noverlap; ++o) {
    const ConstraintOverlap& overlap = kkt.overlap[o];
    const Vec3T<T>*W = data.W + overlap.column_i, *Y = data.Y + overlap.column_j;
    Mat3T<T> sum{};
    for (int k = 0; k < overlap.count; ++k) sum = sum + outer(W[k], Y[k]);
    for (int r = 0; r < 3; ++r) {
      T* row = data.delassus + packed_row(3 * overlap.i + r) + 3 * overlap.j;
      const int last = overlap.i == overlap.j ? r : 2;
      for (int c = 0; c <= last; ++c) row[c] += sum(r, c);
    }
  }
}

// Fills mass (factored), Y, W and delassus from pose and motion. Returns the degree of freedom at which M is not
// positive definite, or -1.
template <class T>
STICTION_HD int kkt_factor_mass(const TreeViewT<T>& tree, const KktViewT<T>& kkt, const TreeDataT<T>& data,
                                const KktDataT<T>& memory) {
  tree_crba(tree, data, memory.mass);
  if (const int bad = factor_mass(tree, memory.mass); bad >= 0) return bad;
  for (int i = 0; i < kkt.nblock; ++i) {
    const ConstraintBlockT<T>& block = kkt.block[i];
    Vec3T<T>* Y = memory.Y + block.column;
    constraint_columns(tree, block, constraint_arms(block, data.pose), data.motion, Y);
    constraint_eliminate(tree, block, memory.mass, Y, memory.W + block.column);
  }
  kkt_delassus(kkt, memory);
  return -1;
}

// G + μI = Lᵀ D L in place, from the last row to the first; 1/D on the diagonal.
template <class T>
STICTION_HD bool kkt_factor_delassus(int n, T* G) {
  using std::isfinite;
  for (int k = n - 1; k >= 0; --k) {
    T* row = G + packed_row(k);
    if (!(row[k] > T(0)) || !isfinite(row[k])) return false;
    const T inverse = T(1) / row[k];
    row[k] = inverse;
    for (int e = k - 1; e >= 0; --e) {
      const T factor = row[e] * inverse;
      T* above = G + packed_row(e);
      for (int j = 0; j <= e; ++j) above[j] -= factor * row[j];
      row[e] = factor;
    }
  }
  return true;
}

// x ← (G + μI)⁻¹ x.
template <class T>
STICTION_HD void kkt_solve_delassus(int n, const T* factor, T* x) {
  for (int k = n - 1; k >= 0; --k) {
    const T* row = factor + packed_row(k);
    const T value = x[k];
    for (int e = 0; e < k; ++e) x[e] -= row[e] * value;
  }
  for (int k = 0; k < n; ++k) {
    const T* row = factor + packed_row(k);
    T sum = x[k] * row[k];
    for (int e = 0; e < k; ++e) sum -= row[e] * x[e];
    x[k] = sum;
  }
}

// μ of each row, added to the diagonal of G: a part of the mean diagonal of the rows of its kind.
template <class T>
STICTION_HD void kkt_damp(const KktViewT<T>& kkt, T part, const KktDataT<T>& data) {
  for (int angular = 0; angular < 2; ++angular) {
    T sum{};
    int count = 0;
    for (int i = 0; i < kkt.nblock; ++i) {
      if (kkt.block[i].angular != angular) continue;
      for (int k = 3 * i; k < 3 * i + 3; ++k) sum += data.delassus[packed_row(k) + k];
      count += 3;
    }
    // Rows that nothing can move have no diagonal: any μ serves.
    const T mu = sum > T(0) ? part * sum / T(count) : part;
    for (int i = 0; i < kkt.nblock; ++i) {
      if (kkt.block[i].angular != angular) continue;
      for (int k = 3 * i; k < 3 * i + 3; ++k) {
        data.mu[k] = mu;
        data.delassus[packed_row(k) + k] += mu;
      }
    }
  }
}

// Largest x² / μ: accelerations of points and angles compared in one unit.
template <class T>
STICTION_HD T kkt_size(int n, const T* mu, const T* x) {
  T largest{};
  for (int k = 0; k < n; ++k) {
    const T size = x[k] * x[k] / mu[k];
    largest = size > largest ? size : largest;
  }
  return largest;
}

// Takes the part in the null space of G out of λ: (μ (G + μI)⁻¹)ᵐ λ tends to it.
template <class T>
STICTION_HD void kkt_remove_null(int n, const KktDataT<T>& data, T* lambda) {
  for (int k = 0; k < n; ++k) data.change[k] = lambda[k];
  for (int power = 0; power < 4; ++power) {
    for (int k = 0; k < n; ++k) data.change[k] *= data.mu[k];
    kkt_solve_delassus(n, data.delassus, data.change);
  }
  for (int k = 0; k < n; ++k) lambda[k] -= data.change[k];
}

// λ of a_f, which `lambda` holds at the start. Damps and factors delassus.
template <class T>
STICTION_HD ProximalResult kkt_multipliers(const KktViewT<T>& kkt, const ProximalSettings& settings,
                                           const KktDataT<T>& data, T* lambda) {
  using std::abs;
  const int n = 3 * kkt.nblock;
  ProximalResult result;
  kkt_damp(kkt, T(settings.mu), data);
  if (!kkt_factor_delassus(n, data.delassus)) return result;
  for (int k = 0; k < n; ++k) {
    data.residual[k] = -lambda[k];
    lambda[k] = T(0);
  }
  const T bound = T(settings.tolerance * settings.tolerance) * kkt_size(n, data.mu, data.residual);
  // A residual that an iteration changes by no more than the rounding errors of the factor is there to stay.
  const T rounding = sizeof(T) == sizeof(float) ? T(1.2e-7) : T(2.2e-16);
  const T noise = T(64 * n) * rounding / T(settings.mu);
  T before = T(-1);
  while (result.iterations < settings.max_iterations && !result.converged) {
    for (int k = 0; k < n; ++k) data.change[k] = data.residual[k];
    kkt_solve_delassus(n, data.delassus, data.change);
    ++result.iterations;
    T moved{};
    for (int k = 0; k < n; ++k) {
      lambda[k] += data.change[k];
      const T left = data.mu[k] * data.change[k], step = left - data.residual[k], size = step * step / data.mu[k];
      moved = size > moved ? size : moved;
      data.residual[k] = left;
    }
    const T left = kkt_size(n, data.mu, data.residual);
    result.converged = left <= bound;
    if (result.converged) break;
    if (moved <= noise * noise * left && before >= T(0) && moved >= T(0.25) * before) {
      result.converged = true;
      result.consistent = false;
    }
    before = moved;
  }
  if (!result.consistent) {
    for (int k = 0; k < n; ++k) lambda[k] -= T(result.iterations) * data.change[k];
    kkt_remove_null(n, data, lambda);
  }
  for (int k = 0; k < n; ++k) {
    const double size = double(abs(data.residual[k]));
    result.residual = size > result.residual ? size : result.residual;
  }
  return result;
}

// x ← L⁻ᵀ x of the mass matrix.
template <class T>
STICTION_HD void kkt_eliminate_force(const TreeViewT<T>& tree, const T* factor, T* x) {
  for (int k = tree.dof_end - 1; k >= tree.dof_begin; --k) {
    const int first = tree.row[k], depth = tree.row[k + 1] - first - 1;
    for (int e = 0; e < depth; ++e) x[tree.ancestor[first + e]] -= factor[first + e] * x[k];
  }
}

// u̇ ← L⁻¹ (D⁻¹ x + Wᵀ λ), x = L⁻ᵀ of the free force or null; the multipliers as vectors of their blocks.
template <class T>
STICTION_HD void kkt_back(const TreeViewT<T>& tree, const KktViewT<T>& kkt, const KktDataT<T>& data, const T* x,
                          const T* lambda, T* udot) {
  for (int k = tree.dof_begin; k < tree.dof_end; ++k) udot[k] = x ? x[k] * data.mass[tree.row[k + 1] - 1] : T(0);
  for (int i = 0; i < kkt.nblock; ++i)
    constraint_scatter(tree, kkt.block[i], data.W + kkt.block[i].column, load_vec3(lambda + 3 * i), udot);
  for (int k = tree.dof_begin; k < tree.dof_end; ++k) {
    const int first = tree.row[k], depth = tree.row[k + 1] - first - 1;
    T sum = udot[k];
    for (int e = 0; e < depth; ++e) sum -= data.mass[first + e] * udot[tree.ancestor[first + e]];
    udot[k] = sum;
  }
}

// What the two functions below say besides their results.
struct KktStatus {
  int bad_dof = -1;  // degree of freedom at which M is not positive definite
  ProximalResult proximal;
};

// u̇ and λ of the forces τ in the gravity g, from pose and motion.
template <class T>
STICTION_HD KktStatus kkt_accelerations(const TreeViewT<T>& tree, const KktViewT<T>& kkt,
                                        const ProximalSettings& settings, const T* u, const T* tau,
                                        const Vec3T<T>& gravity, const TreeDataT<T>& data, const KktDataT<T>& memory,
                                        T* udot, T* lambda) {
  KktStatus status;
  tree_rnea<T>(tree, u, nullptr, gravity, data, memory.force);
  status.bad_dof = kkt_factor_mass(tree, kkt, data, memory);
  if (status.bad_dof >= 0) return status;
  for (int k = tree.dof_begin; k < tree.dof_end; ++k) memory.force[k] = tau[k] - memory.force[k];
  kkt_eliminate_force(tree, memory.mass, memory.force);
  for (int i = 0; i < kkt.nblock; ++i) {
    const ConstraintBlockT<T>& block = kkt.block[i];
    const ConstraintArmsT<T> arm = constraint_arms(block, data.pose);
    // a_f = J M⁻¹ (τ − bias) + J̇ u + damping ċ + stiffness c
    Vec3T<T> a = constraint_gather(tree, block, memory.W + block.column, memory.force);
    a += constraint_drift(block, arm, data);
    if (block.damping > T(0)) a += constraint_velocity(block, arm, data.velocity) * block.damping;
    if (block.stiffness > T(0)) a += constraint_error(tree, block, arm, data) * block.stiffness;
    store_vec3(a, lambda + 3 * i);
  }
  status.proximal = kkt_multipliers(kkt, settings, memory, lambda);
  kkt_back(tree, kkt, memory, memory.force, lambda, udot);
  return status;
}

// u⁺ and the impulses λ of a shock that turns the velocity of the rows around, from pose and motion.
template <class T>
STICTION_HD KktStatus kkt_impulses(const TreeViewT<T>& tree, const KktViewT<T>& kkt, const ProximalSettings& settings,
                                   const T* u, T restitution, const TreeDataT<T>& data, const KktDataT<T>& memory,
                                   T* next, T* lambda) {
  KktStatus status;
  tree_velocities(tree, u, data);
  status.bad_dof = kkt_factor_mass(tree, kkt, data, memory);
  if (status.bad_dof >= 0) return status;
  for (int i = 0; i < kkt.nblock; ++i) {
    const ConstraintBlockT<T>& block = kkt.block[i];
    // J (u⁺ − u) = −(1 + restitution) J u
    const Vec3T<T> v = constraint_velocity(block, constraint_arms(block, data.pose), data.velocity);
    store_vec3(v * (T(1) + restitution), lambda + 3 * i);
  }
  status.proximal = kkt_multipliers(kkt, settings, memory, lambda);
  kkt_back<T>(tree, kkt, memory, nullptr, lambda, memory.force);
  for (int k = tree.dof_begin; k < tree.dof_end; ++k) next[k] = u[k] + memory.force[k];
  return status;
}

using KktView = KktViewT<double>;
using KktData = KktDataT<double>;

}  // namespace stiction
