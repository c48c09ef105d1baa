#include "solvers/condense.hpp"

#include <algorithm>

#include "solvers/natural_newton.hpp"

namespace stiction {
namespace {

// Compliance of the blocks that follow: redundant contacts would leave their impulses undetermined.
constexpr double kCompliance = 1e-9;

// Rows of the island that belong to the part, one after the other.
void list_rows(SolverScratch& s) {
  s.part_row.clear();
  for (int c : s.part)
    for (int k = 0; k < s.island.block_size(c); ++k) s.part_row.push_back(s.island.row[std::size_t(c)] + k);
}

// W of a row, as the law of its block has it.
double row_scale(const SolverScratch& s, int c, int row) {
  return row == 0 ? s.scale[std::size_t(c)].normal : s.scale[std::size_t(c)].tangent;
}

// The others follow by Newton's equation on their pieces, the part has given impulses: W_cc δp_c = r_c.
void fill_system(SolverScratch& s) {
  linearise_blocks(kCompliance, s);
  for (int c : s.part) {
    const int n = s.island.block_size(c);
    double* A = s.A.data() + s.island.square[std::size_t(c)];
    double* B = s.B.data() + s.island.square[std::size_t(c)];
    std::fill_n(A, n * n, 0.0);
    std::fill_n(B, n * n, 0.0);
    for (int i = 0; i < n; ++i) {
      B[(n + 1) * i] = row_scale(s, c, i);
      s.r[std::size_t(s.island.row[std::size_t(c)] + i)] = 0;
    }
  }
  s.newton_r = s.r;
}

// The part as an island without trees, but for its W and biases.
void gather_part(const SolverScratch& s, Island& to) {
  gather_blocks(s.island, s.part, to);
  to.condensed = true;
  to.ntree = 0;
  to.nv = to.nrow;
  to.tree.clear();
  to.dof.clear();
  to.own_response.clear();
  for (int block : s.part) {
    const auto c = std::size_t(block);
    to.own_response.insert(to.own_response.end(), s.delassus.begin() + s.island.square[c],
                           s.delassus.begin() + s.island.square[c + 1]);
  }
  to.free_velocity.assign(s.part_row.size(), 0.0);
}

// W': the velocities of the part that follow from a unit impulse in each of its rows.
void fill_response(SolverScratch& s, Island& to) {
  to.clear_response();
  for (std::size_t from = 0; from < s.part.size(); ++from)
    for (int k = 0; k < to.block_size(int(from)); ++k) {
      double impulse[kMostBlockRows] = {}, velocity[kMostBlockRows];
      impulse[k] = 1;
      s.matrix.respond(s.part[from], impulse, s.delta_u.data());
      const int column = to.row[from] + k;
      for (std::size_t i = 0; i < s.part.size(); ++i) {
        block_velocity(s.island, s.part[i], s.delta_u.data(), false, velocity);
        for (int l = 0; l < to.block_size(int(i)); ++l) to.response_row(to.row[i] + l)[column] = velocity[l];
      }
    }
  add_compliance_to_response(to);
}

}  // namespace

bool condense_island(SolverScratch& s) {
  SolverScratch& local = *s.local;
  list_rows(s);
  fill_system(s);
  if (!factor_system(s, true)) return false;
  gather_part(s, local.island);
  fill_response(s, local.island);
  if (!solve_system(s)) return false;
  local.island.bias.resize(s.part_row.size());
  if (!reset_island(local)) return false;
  for (std::size_t i = 0; i < s.part_row.size(); ++i) local.current.p[i] = s.current.p[std::size_t(s.part_row[i])];
  // q' = v + δv − W' p, where δv is what the others still do while the part keeps its impulses.
  generalized_impulse(local.island, local.current.p.data(), local.current.u.data());
  for (std::size_t i = 0; i < s.part_row.size(); ++i) {
    const auto row = std::size_t(s.part_row[i]);
    local.island.bias[i] = s.current.v[row] + s.delta_v[row] - local.current.u[i];
  }
  evaluate(local, local.current);
  keep_best(local);
  return true;
}

bool extend_part(SolverScratch& s) {
  const SolverScratch& local = *s.local;
  s.r = s.newton_r;
  for (std::size_t k = 0; k < s.part.size(); ++k) {
    const int c = s.part[k];
    for (int i = 0; i < s.island.block_size(c); ++i) {
      const auto own = std::size_t(local.island.row[k] + i), row = std::size_t(s.island.row[std::size_t(c)] + i);
      s.r[row] = row_scale(s, c, i) * (local.best.p[own] - s.current.p[row]);
    }
  }
  if (!solve_system(s)) return false;
  for (std::size_t i = 0; i < s.current.p.size(); ++i) s.current.p[i] += s.delta_p[i];
  evaluate(s, s.current);
  keep_best(s);
  return true;
}

}  // namespace stiction
