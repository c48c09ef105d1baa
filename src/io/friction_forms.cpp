// From our problem to the local and global forms: p = h λ, f = M ũ, q = J ũ + b, W = J M⁻¹ Jᵀ.
#include <fmt/format.h>

#include <cmath>

#include <stiction/error.hpp>

#include "io/friction_problem.hpp"
#include "math/tree_cholesky.hpp"

namespace stiction::detail {
namespace {

struct Layout {
  int dim = 3, contacts = 0, equalities = 0;
  std::vector<int> first;  // of each block: its first row among the contacts' or among the equalities
};

bool is_equality(const ContactProblem& p, std::size_t b) {
  return p.block_law[b] == Law::kBox && p.block_lower[b] == -INFINITY && p.block_upper[b] == INFINITY &&
         p.block_compliance[b] == 0;
}

Layout lay_out(const ContactProblem& p, FrictionProblem& out) {
  Layout layout;
  int rows = 0;
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    if (p.block_law[i] == Law::kBox) {
      if (!is_equality(p, i))
        throw Error(fmt::format("block {} has bounds or a compliance, for which the format has no law", b));
    } else if (p.block_law[i] == Law::kRelaxed || p.block_law[i] == Law::kPyramid || is_compliant(p.block_law[i])) {
      throw Error(
          fmt::format("block {} has a law of contact that is not Coulomb's, which the format does not know", b));
    } else if (p.block_law[i] == Law::kCoulomb) {
      if (p.block_size(b) > 3 || (rows > 0 && p.block_size(b) != rows))
        throw Error(fmt::format("block {} has {} rows; the format has two or three, the same for all contacts", b,
                                p.block_size(b)));
      rows = p.block_size(b);
    }
  }
  layout.dim = out.dim = rows > 0 ? rows : 3;
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    const bool contact = p.block_law[i] != Law::kBox;
    layout.first.push_back(contact ? layout.dim * layout.contacts : layout.equalities);
    if (contact) out.mu.push_back(p.block_law[i] == Law::kCoulomb ? p.block_friction[i] : 0);
    (contact ? layout.contacts : layout.equalities) += 1;
  }
  if (layout.contacts == 0) throw Error("it has no contacts, and the format none without");
  return layout;
}

void put_vector(const ContactProblem& p, const Layout& layout, const std::vector<double>& rows,
                std::vector<double>& contacts, std::vector<double>& equalities) {
  contacts.assign(std::size_t(layout.dim * layout.contacts), 0.0);
  equalities.assign(std::size_t(layout.equalities), 0.0);
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    std::vector<double>& to = p.block_law[i] == Law::kBox ? equalities : contacts;
    for (int k = 0; k < p.block_size(b); ++k)
      to[std::size_t(layout.first[i] + k)] = rows[std::size_t(p.block_row[i] + k)];
  }
}

// Calls f(tree, its Jacobian) for each tree of a block.
template <class Function>
void for_each_tree(const ContactProblem& p, int block, Function&& f) {
  const auto b = std::size_t(block);
  if (p.block_tree_a[b] >= 0) f(p.block_tree_a[b], p.jacobian.data() + p.block_jacobian_a[b]);
  if (p.block_tree_b[b] >= 0) f(p.block_tree_b[b], p.jacobian.data() + p.block_jacobian_b[b]);
}

// Y = J L⁻¹ of one block and tree, row by row: W of two blocks is the sum of Y Yᵀ over the trees that they share.
struct Whitened {
  int block = 0;
  std::vector<double> rows;
};

std::vector<std::vector<Whitened>> whiten(const ContactProblem& p) {
  std::vector<std::vector<Whitened>> out(std::size_t(p.ntree));
  for (int b = 0; b < p.nblock; ++b)
    for_each_tree(p, b, [&](int tree, const double* J) {
      const int n = p.tree_size(tree), rows = p.block_size(b);
      Whitened entry{b, {J, J + rows * n}};
      stiction::whiten(p.inertia_factor.data() + p.tree_inertia[std::size_t(tree)], n, rows, entry.rows.data());
      out[std::size_t(tree)].push_back(std::move(entry));
    });
  return out;
}

// Adds W_ij of two rows to the matrix in which it belongs; V holds the upper half of what couples both kinds.
void put_response(const ContactProblem& p, const Layout& layout, int a, int i, int b, int j, double value,
                  FrictionProblem& out) {
  if (value == 0) return;
  const bool equality_a = p.block_law[std::size_t(a)] == Law::kBox,
             equality_b = p.block_law[std::size_t(b)] == Law::kBox;
  const int row = layout.first[std::size_t(a)] + i, col = layout.first[std::size_t(b)] + j;
  if (equality_a && equality_b)
    out.R.add(row, col, value);
  else if (equality_b)
    out.V.add(row, col, value);
  else if (!equality_a)
    out.W.add(row, col, value);
}

void put_stored_response(const ContactProblem& p, const Layout& layout, FrictionProblem& out) {
  for (int a = 0; a < p.nblock; ++a)
    for (int b = 0; b < p.nblock; ++b)
      for (int i = 0; i < p.block_size(a); ++i)
        for (int j = 0; j < p.block_size(b); ++j) {
          const int row = p.block_row[std::size_t(a)] + i, col = p.block_row[std::size_t(b)] + j;
          put_response(p, layout, a, i, b, j, p.response[std::size_t(row) * std::size_t(p.nrow) + std::size_t(col)],
                       out);
        }
}

void put_tree_response(const ContactProblem& p, const Layout& layout, FrictionProblem& out) {
  const std::vector<std::vector<Whitened>> whitened = whiten(p);
  for (int t = 0; t < p.ntree; ++t) {
    const int n = p.tree_size(t);
    for (const Whitened& a : whitened[std::size_t(t)])
      for (const Whitened& b : whitened[std::size_t(t)])
        for (int i = 0; i < p.block_size(a.block); ++i)
          for (int j = 0; j < p.block_size(b.block); ++j) {
            double sum = 0;
            for (int d = 0; d < n; ++d) sum += a.rows[std::size_t(i * n + d)] * b.rows[std::size_t(j * n + d)];
            put_response(p, layout, a.block, i, b.block, j, sum, out);
          }
  }
}

}  // namespace

FrictionProblem local_form(const ContactProblem& p) {
  FrictionProblem out;
  const Layout layout = lay_out(p, out);
  const int rows = layout.dim * layout.contacts, equalities = layout.equalities;
  out.W.rows = out.W.cols = out.V.rows = rows;
  out.V.cols = out.R.rows = out.R.cols = equalities;
  if (equalities == 0) out.V.rows = 0;
  std::vector<double> free = p.bias;  // J ũ + b
  for (int b = 0; b < p.nblock; ++b)
    for_each_tree(p, b, [&](int tree, const double* J) {
      const int n = p.tree_size(tree);
      for (int k = 0; k < p.block_size(b); ++k)
        for (int d = 0; d < n; ++d)
          free[std::size_t(p.block_row[std::size_t(b)] + k)] +=
              J[k * n + d] * p.free_velocity[std::size_t(p.tree_dof[std::size_t(tree)] + d)];
    });
  put_vector(p, layout, free, out.q, out.s);
  p.nresponse > 0 ? put_stored_response(p, layout, out) : put_tree_response(p, layout, out);
  return out;
}

FrictionProblem global_form(const ContactProblem& p) {
  if (p.nresponse > 0) throw Error("a problem that is given by its response matrix has a local form only");
  FrictionProblem out;
  out.global = true;
  const Layout layout = lay_out(p, out);
  out.M.rows = out.M.cols = out.H.rows = p.nv;
  out.H.cols = layout.dim * layout.contacts;
  out.G.cols = layout.equalities;
  out.G.rows = layout.equalities > 0 ? p.nv : 0;
  out.f.assign(std::size_t(p.nv), 0.0);
  for (int t = 0; t < p.ntree; ++t) {
    const int n = p.tree_size(t), first = p.tree_dof[std::size_t(t)];
    const double* M = p.inertia.data() + p.tree_inertia[std::size_t(t)];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if (M[i * n + j] != 0) out.M.add(first + i, first + j, M[i * n + j]);
        out.f[std::size_t(first + i)] += M[i * n + j] * p.free_velocity[std::size_t(first + j)];
      }
  }
  for (int b = 0; b < p.nblock; ++b)
    for_each_tree(p, b, [&](int tree, const double* J) {
      const int n = p.tree_size(tree);
      SparseEntries& to = p.block_law[std::size_t(b)] == Law::kBox ? out.G : out.H;
      for (int k = 0; k < p.block_size(b); ++k)
        for (int d = 0; d < n; ++d)
          if (J[k * n + d] != 0)
            to.add(p.tree_dof[std::size_t(tree)] + d, layout.first[std::size_t(b)] + k, J[k * n + d]);
    });
  put_vector(p, layout, p.bias, out.w, out.b);
  return out;
}

}  // namespace stiction::detail
