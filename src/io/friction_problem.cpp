// From the local and global forms to our problem.
#include "io/friction_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <stiction/error.hpp>

#include "math/cholesky.hpp"
#include "math/tree_cholesky.hpp"
#include "solvers/dense_lu.hpp"

namespace stiction::detail {
namespace {

constexpr int kLargestResponse = 20000;    // rows of a dense W: 3 GB
constexpr int kLargestUnsymmetric = 5000;  // degrees of freedom of a dense M: 0.2 GB
// Largest |M_ij − M_ji| relative to √(M_ii M_jj) that is taken for rounding.
constexpr double kRounding = 1e-12;

void check_matrix(const SparseEntries& matrix, const char* name, int rows, int cols) {
  if (matrix.rows != rows || matrix.cols != cols)
    throw Error(fmt::format("{} is a {} × {} matrix, expected {} × {}", name, matrix.rows, matrix.cols, rows, cols));
  for (int k = 0; k < matrix.count(); ++k) {
    const auto i = std::size_t(k);
    const bool inside = matrix.row[i] >= 0 && matrix.row[i] < rows && matrix.col[i] >= 0 && matrix.col[i] < cols;
    if (!inside)
      throw Error(fmt::format("{} has an entry in row {}, column {}, outside its {} × {}", name, matrix.row[i],
                              matrix.col[i], rows, cols));
    if (!std::isfinite(matrix.value[i]))
      throw Error(fmt::format("{} is not finite in row {}, column {}", name, matrix.row[i], matrix.col[i]));
  }
}

void check_vector(const std::vector<double>& vector, const char* name, int size) {
  if (int(vector.size()) != size) throw Error(fmt::format("{} has {} entries, expected {}", name, vector.size(), size));
  for (std::size_t i = 0; i < vector.size(); ++i)
    if (!std::isfinite(vector[i])) throw Error(fmt::format("{}[{}] is not finite", name, i));
}

void check_contacts(const FrictionProblem& in) {
  if (in.dim != 2 && in.dim != 3) throw Error(fmt::format("it has {} rows per contact, expected 2 or 3", in.dim));
  if (in.mu.empty()) throw Error("it has no contacts");
  for (std::size_t i = 0; i < in.mu.size(); ++i)
    if (!(in.mu[i] >= 0) || !std::isfinite(in.mu[i]))
      throw Error(fmt::format("the friction coefficient of contact {} is {}, it must be ≥ 0", i, in.mu[i]));
}

// Blocks: the contacts, then the equalities.
void fill_blocks(const FrictionProblem& in, int equalities, ContactProblem& out) {
  const int contacts = int(in.mu.size());
  out.timestep = 1;
  out.nblock = contacts + equalities;
  out.nrow = in.dim * contacts + equalities;
  out.resize();
  for (int b = 0; b < out.nblock; ++b) {
    const auto i = std::size_t(b);
    const bool contact = b < contacts;
    out.block_row[i + 1] = out.block_row[i] + (contact ? in.dim : 1);
    out.block_law[i] = contact ? Law::kCoulomb : Law::kBox;
    out.block_friction[i] = contact ? in.mu[i] : 0;
    out.block_lower[i] = contact ? 0 : -INFINITY;
    out.block_upper[i] = contact ? 0 : INFINITY;
    out.block_tree_a[i] = out.block_tree_b[i] = -1;
  }
}

ContactProblem from_local(const FrictionProblem& in) {
  const int rows = in.dim * int(in.mu.size()), equalities = in.V.cols, n = rows + equalities;
  check_matrix(in.W, "W", rows, rows);
  check_matrix(in.V, "V", equalities > 0 ? rows : 0, equalities);
  check_matrix(in.R, "R", equalities, equalities);
  check_vector(in.q, "q", rows);
  check_vector(in.s, "s", equalities);
  if (n > kLargestResponse)
    throw Error(fmt::format("W has {} rows; more than {} are read from the global form only", n, kLargestResponse));
  ContactProblem out;
  out.nresponse = n * n;
  fill_blocks(in, equalities, out);
  const auto put = [&](const SparseEntries& matrix, int row, int col, bool mirrored) {
    for (std::size_t k = 0; k < matrix.value.size(); ++k) {
      const int i = row + matrix.row[k], j = col + matrix.col[k];
      out.response[std::size_t(i * n + j)] += matrix.value[k];
      if (mirrored) out.response[std::size_t(j * n + i)] += matrix.value[k];
    }
  };
  put(in.W, 0, 0, false);
  put(in.V, 0, rows, true);
  put(in.R, rows, rows, false);
  std::copy(in.q.begin(), in.q.end(), out.bias.begin());
  std::copy(in.s.begin(), in.s.end(), out.bias.begin() + rows);
  return out;
}

// Sets of degrees of freedom, as a number for each.
struct Partition {
  std::vector<int> set;

  int root(int i) {
    while (set[std::size_t(i)] != i) i = set[std::size_t(i)] = set[std::size_t(set[std::size_t(i)])];
    return i;
  }
  void join(int i, int j) {
    i = root(i), j = root(j);
    set[std::size_t(std::max(i, j))] = std::min(i, j);
  }
};

// The degrees of freedom that each block touches.
std::vector<std::vector<int>> touched_dofs(const FrictionProblem& in) {
  const std::size_t contacts = in.mu.size();
  std::vector<std::vector<int>> out(contacts + std::size_t(in.G.cols));
  for (std::size_t k = 0; k < in.H.value.size(); ++k)
    if (in.H.value[k] != 0) out[std::size_t(in.H.col[k] / in.dim)].push_back(in.H.row[k]);
  for (std::size_t k = 0; k < in.G.value.size(); ++k)
    if (in.G.value[k] != 0) out[contacts + std::size_t(in.G.col[k])].push_back(in.G.row[k]);
  return out;
}

// Rigid bodies: consecutive sixes (threes in the plane) that M does not join, of which no block touches more than two.
bool are_bodies(const FrictionProblem& in, const std::vector<std::vector<int>>& touched, int size) {
  if (in.M.rows % size != 0) return false;
  for (std::size_t k = 0; k < in.M.value.size(); ++k)
    if (in.M.value[k] != 0 && in.M.row[k] / size != in.M.col[k] / size) return false;
  for (const std::vector<int>& dofs : touched) {
    int a = -1, b = -1;
    for (int d : dofs) {
      const int body = d / size;
      if (a < 0 || body == a)
        a = body;
      else if (b < 0 || body == b)
        b = body;
      else
        return false;
    }
  }
  return true;
}

// The tree of each degree of freedom: rigid bodies if that is what they are; otherwise what M joins, joined further
// where a block would touch more than two.
std::vector<int> find_trees(const FrictionProblem& in, const std::vector<std::vector<int>>& touched) {
  const int nv = in.M.rows, size = in.dim == 3 ? 6 : 3;
  Partition trees;
  trees.set.resize(std::size_t(nv));
  if (are_bodies(in, touched, size)) {
    for (int d = 0; d < nv; ++d) trees.set[std::size_t(d)] = d / size;
    return trees.set;
  }
  std::iota(trees.set.begin(), trees.set.end(), 0);
  for (std::size_t k = 0; k < in.M.value.size(); ++k)
    if (in.M.value[k] != 0) trees.join(in.M.row[k], in.M.col[k]);
  for (const std::vector<int>& dofs : touched) {
    std::vector<int> roots;
    roots.reserve(dofs.size());
    for (int d : dofs) roots.push_back(trees.root(d));
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    if (roots.size() > 2)
      for (int root : roots) trees.join(root, roots.front());
  }
  // Numbered by their lowest degree of freedom, which is the root.
  std::vector<int> number(std::size_t(nv), -1);
  int count = 0;
  for (int d = 0; d < nv; ++d) {
    const auto root = std::size_t(trees.root(d));
    if (number[root] < 0) number[root] = count++;
    number[std::size_t(d)] = number[root];
  }
  return number;
}

// The first entry of M that its mirror image differs from by more than rounding; -1 if there is none.
int find_asymmetry(const SparseEntries& M) {
  std::map<std::pair<int, int>, double> entries;
  for (std::size_t k = 0; k < M.value.size(); ++k) entries[{M.row[k], M.col[k]}] += M.value[k];
  const auto at = [&](int i, int j) {
    const auto found = entries.find({i, j});
    return found == entries.end() ? 0.0 : found->second;
  };
  for (int k = 0; k < M.count(); ++k) {
    const int i = M.row[std::size_t(k)], j = M.col[std::size_t(k)];
    if (std::abs(at(i, j) - at(j, i)) > kRounding * std::sqrt(std::abs(at(i, i) * at(j, j)))) return k;
  }
  return -1;
}

// Inertia blocks, symmetric to the last bit, and ũ = M⁻¹ f.
void fill_trees(const FrictionProblem& in, const std::vector<int>& tree, std::vector<int>& place, ContactProblem& out) {
  out.nv = in.M.rows;
  out.ntree = tree.empty() ? 0 : 1 + *std::max_element(tree.begin(), tree.end());
  std::vector<int> size(std::size_t(out.ntree), 0);
  place.resize(tree.size());
  for (std::size_t d = 0; d < tree.size(); ++d) place[d] = size[std::size_t(tree[d])]++;
  out.tree_dof.assign(1, 0);
  out.tree_inertia.assign(1, 0);
  for (int n : size) {
    out.tree_dof.push_back(out.tree_dof.back() + n);
    if (std::int64_t(out.tree_inertia.back()) + std::int64_t(n) * n > INT32_MAX)
      throw Error(fmt::format("M joins {} degrees of freedom, too many for a dense matrix", n));
    out.tree_inertia.push_back(out.tree_inertia.back() + n * n);
  }
  out.ninertia = out.tree_inertia.back();
  out.resize();
  for (std::size_t k = 0; k < in.M.value.size(); ++k) {
    const auto i = std::size_t(in.M.row[k]), j = std::size_t(in.M.col[k]);
    if (in.M.value[k] == 0) continue;
    const auto t = std::size_t(tree[i]);
    out.inertia[std::size_t(out.tree_inertia[t] + place[i] * size[t] + place[j])] += in.M.value[k];
  }
  std::vector<int> dof_of(tree.size());
  for (std::size_t d = 0; d < tree.size(); ++d) {
    place[d] += out.tree_dof[std::size_t(tree[d])];
    dof_of[std::size_t(place[d])] = int(d);
    out.free_velocity[std::size_t(place[d])] = in.f[d];
  }
  for (int t = 0; t < out.ntree; ++t) {
    const int n = out.tree_size(t), first = out.tree_dof[std::size_t(t)], start = out.tree_inertia[std::size_t(t)];
    double* M = out.inertia.data() + start;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) M[i * n + j] = M[j * n + i] = 0.5 * (M[i * n + j] + M[j * n + i]);
    if (!factor_tree(M, n, out.inertia_factor.data() + start))
      throw Error(fmt::format("M is not positive definite in the {} degrees of freedom that it joins to number {}", n,
                              dof_of[std::size_t(first)]));
    solve_tree(out.inertia_factor.data() + start, n, out.free_velocity.data() + first);
  }
}

// Jacobian blocks of the trees that each block touches.
void fill_jacobian(const FrictionProblem& in, const std::vector<std::vector<int>>& touched,
                   const std::vector<int>& tree, const std::vector<int>& place, ContactProblem& out) {
  for (std::size_t b = 0; b < touched.size(); ++b) {
    if (touched[b].empty())
      throw Error(b < in.mu.size() ? fmt::format("no degree of freedom moves contact {}: its columns of H are zero", b)
                                   : fmt::format("no degree of freedom moves equality {}: its column of G is zero",
                                                 b - in.mu.size()));
    for (int d : touched[b]) {
      const int t = tree[std::size_t(d)];
      if (out.block_tree_a[b] < 0)
        out.block_tree_a[b] = t;
      else if (t != out.block_tree_a[b])
        out.block_tree_b[b] = t;
    }
    const int rows = out.block_size(int(b));
    out.block_jacobian_a[b] = out.njacobian;
    out.njacobian += rows * out.tree_size(out.block_tree_a[b]);
    out.block_jacobian_b[b] = out.njacobian;
    if (out.block_tree_b[b] >= 0) out.njacobian += rows * out.tree_size(out.block_tree_b[b]);
  }
  out.resize();
  const auto put = [&](std::size_t b, int row, int dof, double value) {
    if (value == 0) return;
    const int t = tree[std::size_t(dof)], n = out.tree_size(t);
    const int start = t == out.block_tree_a[b] ? out.block_jacobian_a[b] : out.block_jacobian_b[b];
    const int column = place[std::size_t(dof)] - out.tree_dof[std::size_t(t)];
    out.jacobian[std::size_t(start + row * n + column)] += value;
  };
  for (std::size_t k = 0; k < in.H.value.size(); ++k)
    put(std::size_t(in.H.col[k] / in.dim), in.H.col[k] % in.dim, in.H.row[k], in.H.value[k]);
  for (std::size_t k = 0; k < in.G.value.size(); ++k)
    put(in.mu.size() + std::size_t(in.G.col[k]), 0, in.G.row[k], in.G.value[k]);
}

// An M that is not symmetric, as the matrix of an implicit step can be, has no place in our trees. What remains is the
// response of the contacts to their impulses: W = [H G]ᵀ M⁻¹ [H G], b = [H G]ᵀ M⁻¹ f + (w, b).
ContactProblem condense(const FrictionProblem& in) {
  const int nv = in.M.rows, rows = in.H.cols, equalities = in.G.cols, n = rows + equalities;
  DenseLu lu;
  double* M = lu.resize(nv);
  std::fill_n(M, std::size_t(nv) * std::size_t(lu.stride()), 0.0);
  std::vector<double> symmetric(std::size_t(nv) * std::size_t(nv), 0.0), factor(symmetric.size());
  for (std::size_t k = 0; k < in.M.value.size(); ++k) {
    const int i = in.M.row[k], j = in.M.col[k];
    M[i * lu.stride() + j] += in.M.value[k];
    symmetric[std::size_t(i * nv + j)] += 0.5 * in.M.value[k];
    symmetric[std::size_t(j * nv + i)] += 0.5 * in.M.value[k];
  }
  if (!cholesky_factor(symmetric.data(), nv, factor.data()) || !lu.factor()) throw Error("M is not positive definite");

  ContactProblem out;
  out.nresponse = n * n;
  fill_blocks(in, equalities, out);
  // Rows of [H G]ᵀ.
  std::vector<double> J(std::size_t(n) * std::size_t(nv), 0.0);
  for (std::size_t k = 0; k < in.H.value.size(); ++k) J[std::size_t(in.H.col[k] * nv + in.H.row[k])] += in.H.value[k];
  for (std::size_t k = 0; k < in.G.value.size(); ++k)
    J[std::size_t((rows + in.G.col[k]) * nv + in.G.row[k])] += in.G.value[k];
  const auto product = [&](int row, const std::vector<double>& x) {
    return std::inner_product(x.begin(), x.end(), J.begin() + row * nv, 0.0);
  };
  std::vector<double> x;
  for (int j = 0; j < n; ++j) {
    x.assign(J.begin() + j * nv, J.begin() + (j + 1) * nv);
    lu.solve(x.data());
    for (int i = 0; i < n; ++i) out.response[std::size_t(i * n + j)] = product(i, x);
  }
  x = in.f;
  lu.solve(x.data());
  for (int i = 0; i < n; ++i)
    out.bias[std::size_t(i)] = product(i, x) + (i < rows ? in.w[std::size_t(i)] : in.b[std::size_t(i - rows)]);
  return out;
}

ContactProblem from_global(const FrictionProblem& in) {
  const int rows = in.dim * int(in.mu.size()), equalities = in.G.cols, nv = in.M.rows;
  check_matrix(in.M, "M", nv, nv);
  check_matrix(in.H, "H", nv, rows);
  check_matrix(in.G, "G", equalities > 0 ? nv : 0, equalities);
  check_vector(in.f, "f", nv);
  check_vector(in.w, "w", rows);
  check_vector(in.b, "b", equalities);
  if (const int k = find_asymmetry(in.M); k >= 0) {
    if (nv > kLargestUnsymmetric || rows + equalities > kLargestResponse)
      throw Error(fmt::format("M is not symmetric in row {}, column {}; it may be up to {} degrees of freedom",
                              in.M.row[std::size_t(k)], in.M.col[std::size_t(k)], kLargestUnsymmetric));
    return condense(in);
  }
  ContactProblem out;
  fill_blocks(in, equalities, out);
  std::copy(in.w.begin(), in.w.end(), out.bias.begin());
  std::copy(in.b.begin(), in.b.end(), out.bias.begin() + rows);
  const std::vector<std::vector<int>> touched = touched_dofs(in);
  const std::vector<int> tree = find_trees(in, touched);
  std::vector<int> place;
  fill_trees(in, tree, place, out);
  fill_jacobian(in, touched, tree, place, out);
  return out;
}

}  // namespace

void SparseEntries::add(int i, int j, double x) {
  row.push_back(i);
  col.push_back(j);
  value.push_back(x);
}

ContactProblem contact_problem(const FrictionProblem& problem) {
  check_contacts(problem);
  return problem.global ? from_global(problem) : from_local(problem);
}

}  // namespace stiction::detail
