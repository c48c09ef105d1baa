// The check of a contact problem that came from outside: what is wrong is named by its block, row or tree.
#include <stiction/error.hpp>
#include <stiction/problem.hpp>

#include <algorithm>
#include <cmath>

#include "laws/block.hpp"

namespace stiction {
namespace {

[[noreturn]] void reject(const std::string& what) {
  throw Error("contact problem: " + what);
}

void require_finite(const std::vector<double>& values, const char* name) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) reject(std::string(name) + "[" + std::to_string(i) + "] is not finite");
}

void check_box(const ContactProblem& p, std::size_t block, const std::string& name) {
  const double lower = p.block_lower[block], upper = p.block_upper[block];
  if (!(lower <= upper) || lower == INFINITY || upper == -INFINITY)
    reject(name + " has the bounds " + std::to_string(lower) + " and " + std::to_string(upper) +
           ", which leave no force");
}

void check_compliance(const ContactProblem& p, std::size_t block, const std::string& name) {
  const double e = p.block_compliance[block];
  if (!(e >= 0) || !std::isfinite(e)) reject(name + " has the compliance " + std::to_string(e) + ", which must be ≥ 0");
  const double t = p.block_friction_compliance[block];
  if (!(t >= 0) || !std::isfinite(t) || (t > 0 && !is_compliant(p.block_law[block])))
    reject(name + " has the friction compliance " + std::to_string(t) +
           ", which must be ≥ 0, and 0 for other laws than the compliant ones");
  if (e > 0 && is_facet(p.block_law[block])) reject(name + " is a facet with a compliance: facets are rigid");
}

void check_push_out(const ContactProblem& p, std::size_t block, const std::string& name) {
  const double speed = p.block_push_out[block];
  if (!(speed >= 0)) reject(name + " has the push-out " + std::to_string(speed) + " m/s, which must be ≥ 0");
  const bool rigid =
      p.block_law[block] != Law::kBox && !is_compliant(p.block_law[block]) && !(p.block_compliance[block] > 0);
  if (speed > 0 && !rigid) reject(name + " has a push-out, but only rigid contacts and limits are pushed out");
}

// Facets of one contact belong to the same two bodies.
void check_next_facet(const ContactProblem& p, std::size_t block, const std::string& name) {
  if (block == 0 || !is_facet(p.block_law[block - 1]))
    reject(name + " is a further facet, but the block before it is none");
  if (p.block_tree_a[block] != p.block_tree_a[block - 1] || p.block_tree_b[block] != p.block_tree_b[block - 1])
    reject(name + " is a facet of other trees than the one before it");
}

void check_blocks(const ContactProblem& p) {
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    const std::string name = "block " + std::to_string(b);
    if (p.block_law[i] < Law::kUnilateral || p.block_law[i] > Law::kCompliantForce)
      reject(name + " has the unknown law " + std::to_string(int(p.block_law[i])));
    const bool friction = has_friction(p.block_law[i]);
    const int rows = p.block_size(b);
    if (p.block_law[i] == Law::kNextFacet) check_next_facet(p, i, name);
    if (friction ? rows < (is_facet(p.block_law[i]) || is_compliant(p.block_law[i]) ? 1 : 2) || rows > kMostBlockRows
                 : rows != 1)
      reject(name + " has " + std::to_string(rows) + " rows, its law needs " + (friction ? "two to six" : "one"));
    if (!(p.block_friction[i] >= 0) || !std::isfinite(p.block_friction[i]))
      reject(name + " has the friction coefficient " + std::to_string(p.block_friction[i]) + ", which must be ≥ 0");
    if (p.block_law[i] == Law::kBox) check_box(p, i, name);
    check_compliance(p, i, name);
    check_push_out(p, i, name);
    const bool touches = p.block_tree_a[i] >= 0 || p.block_tree_b[i] >= 0;
    if (touches != (p.nresponse == 0))
      reject(name + (touches ? " names a tree, but the problem is given by its response matrix" : " touches no tree"));
    if (touches && p.block_tree_a[i] == p.block_tree_b[i]) reject(name + " names the same tree twice");
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? p.block_tree_a[i] : p.block_tree_b[i];
      const int start = side == 0 ? p.block_jacobian_a[i] : p.block_jacobian_b[i];
      if (tree < 0) continue;
      if (tree >= p.ntree) reject(name + " names tree " + std::to_string(tree) + " of " + std::to_string(p.ntree));
      if (start < 0 || start + rows * p.tree_size(tree) > p.njacobian)
        reject(name + " points outside the Jacobian array");
    }
  }
}

void check_inertia(const ContactProblem& p) {
  for (int t = 0; t < p.ntree; ++t) {
    const int n = p.tree_size(t), start = p.tree_inertia[std::size_t(t)];
    if (n < 1 || start < 0 || start + n * n > p.ninertia)
      reject("tree " + std::to_string(t) + " has no inertia block of its size");
    const double* M = p.inertia.data() + start;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        if (std::abs(M[i * n + j] - M[j * n + i]) > 1e-12 * std::sqrt(std::abs(M[i * n + i] * M[j * n + j])))
          reject("the inertia of tree " + std::to_string(t) + " is not symmetric in row " + std::to_string(i) +
                 ", column " + std::to_string(j));
  }
}

std::string entry_name(int i, int j) {
  return "row " + std::to_string(i) + ", column " + std::to_string(j);
}

// The least eigenvalue that counts as zero, relative to the largest diagonal entry: problems written with eight digits
// have W with −4e-8.
constexpr double kIndefinite = 1e-6;
// Largest |W_ij − W_ji| relative to √(W_ii W_jj). Implicit steps with gyroscopic forces have up to 1e-2.
constexpr double kAsymmetry = 0.1;

// Without W no impulse changes the velocity of a row: one that closes, or an equality that is not met, has no solution.
void check_normals(const ContactProblem& p) {
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    const int row = p.block_row[i];
    const double W = p.response[std::size_t(row) * std::size_t(p.nrow + 1)], v = p.bias[std::size_t(row)];
    if (W > 0 || p.block_compliance[i] > 0) continue;
    const bool equality = p.block_lower[i] == -INFINITY && p.block_upper[i] == INFINITY;
    if (p.block_law[i] == Law::kBox ? equality && v != 0 : v < 0)
      reject("the response matrix has the diagonal entry " + std::to_string(W) + " in row " + std::to_string(row) +
             ", where it must be > 0: no impulse changes the velocity " + std::to_string(v) + " m/s of this row");
  }
}

// Semidefinite up to rounding: the symmetric part plus a small multiple of 1 has a Cholesky factor.
void check_response(const ContactProblem& p) {
  if (p.nresponse == 0) return;
  const int n = p.nrow;
  if (p.ntree > 0) reject("it has trees and a response matrix; only one of them can be");
  if (std::size_t(p.nresponse) != std::size_t(n) * std::size_t(n)) reject("the response matrix needs nrow² entries");
  const double* W = p.response.data();
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(W[i * n + i]));
  const double shift = kIndefinite * largest;
  for (int i = 0; i < n; ++i)
    if (W[i * n + i] < -shift)
      reject("the response matrix has the diagonal entry " + std::to_string(W[i * n + i]) + " in row " +
             std::to_string(i) + ", which must be ≥ 0");
  check_normals(p);
  std::vector<double> L(p.response.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      const double a = W[i * n + j], b = W[j * n + i];
      if (std::abs(a - b) > kAsymmetry * std::sqrt((std::abs(W[i * n + i]) + shift) * (std::abs(W[j * n + j]) + shift)))
        reject("the response matrix is not symmetric in " + entry_name(i, j) + ": " + std::to_string(a) + " and " +
               std::to_string(b));
      double sum = 0.5 * (a + b) + (i == j ? shift : 0.0);
      for (int k = 0; k < j; ++k) sum -= L[std::size_t(i * n + k)] * L[std::size_t(j * n + k)];
      if (i > j)
        L[std::size_t(i * n + j)] = sum / L[std::size_t(j * n + j)];
      else if (sum > 0)
        L[std::size_t(i * n + i)] = std::sqrt(sum);
      else if (largest > 0)
        reject("the response matrix is indefinite: its rows up to row " + std::to_string(i) +
               " have a negative eigenvalue");
    }
}

}  // namespace

void check_solution(const ContactProblem& p, const Solution& s) {
  const auto check = [](const char* name, std::size_t size, int expected) {
    if (size != std::size_t(expected))
      throw Error("the solution is of another problem: its " + std::string(name) + " has " + std::to_string(size) +
                  " entries, the problem needs " + std::to_string(expected));
  };
  check("u", s.u.size(), p.nv);
  check("lambda", s.lambda.size(), p.nrow);
  check("push_out", s.push_out.size(), p.nblock);
}

void check_problem(const ContactProblem& p) {
  if (!(p.timestep > 0) || !std::isfinite(p.timestep)) reject("the time step must be > 0");
  if (!(p.velocity_floor >= 0)) reject("the velocity floor must be ≥ 0");
  if (int(p.tree_dof.size()) != p.ntree + 1 || p.tree_dof.back() != p.nv) reject("tree_dof does not end at nv");
  if (int(p.block_row.size()) != p.nblock + 1 || p.block_row.back() != p.nrow) reject("block_row does not end at nrow");
  require_finite(p.inertia, "inertia");
  require_finite(p.free_velocity, "free_velocity");
  require_finite(p.jacobian, "jacobian");
  require_finite(p.bias, "bias");
  require_finite(p.response, "response");
  check_inertia(p);
  check_blocks(p);
  check_response(p);
}

}  // namespace stiction
