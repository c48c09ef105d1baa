// Newton matrix in body space, K = M + Jᵀ C J: assembly, factorisation and refined solution. See newton_matrix.hpp for
// the system, contact_stiffness.hpp for C, block_factor.hpp for the sparse LU.
#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/block_factor.hpp"
#include "solvers/contact_stiffness.hpp"
#include "solvers/newton_matrix.hpp"

namespace stiction {
namespace {

using detail::BlockPlace;

// All blocks between the same two trees (second: -1 if there is only one), and where their part of K is added.
struct Coupling {
  int first = 0, second = -1;
  int begin = 0, end = 0;  // of Storage::sorted_block
  bool in_order = true;    // whether first is eliminated before second
  BlockPlace first_first, first_second, second_first, second_second;
};

// Rows of one tree of a coupling, stacked and padded: J and C J.
struct StackedRows {
  detail::AlignedVector J, CJ;
  int dofs = 0, stride = 0;
};

constexpr int kStackRows = 24;        // rows that are multiplied at a time
constexpr int kRefinements = 8;       // corrections at most
constexpr double kContraction = 0.5;  // a correction that gains less is the last one
constexpr double kGoal = 1e-11;       // relative residual that needs no further correction

// Copies the rows of one block and one tree, and C times them; padding is zero. Sizes known at compile time (Rows, Dofs
// > 0) are those of a frictional contact of a free body.
template <int Rows, int Dofs>
void copy_rows(const double* C, const double* from, int n, int dofs, int stride, double* J, double* CJ) {
  const int rows = Rows > 0 ? Rows : n, count = Dofs > 0 ? Dofs : dofs;
  for (int i = 0; i < rows; ++i, J += stride, CJ += stride) {
    for (int d = 0; d < count; ++d) J[d] = from[i * count + d];
    for (int d = 0; d < count; ++d) CJ[d] = C[rows * i] * from[d];
    for (int j = 1; j < rows; ++j)
      for (int d = 0; d < count; ++d) CJ[d] += C[rows * i + j] * from[j * count + d];
    for (int d = count; d < stride; ++d) J[d] = CJ[d] = 0;
  }
}

}  // namespace

struct BodySpaceMatrix::Storage {
  const Island* island = nullptr;
  detail::ContactStiffness contacts;
  detail::BlockGraph graph;
  detail::BlockFactor matrix;
  std::vector<int> sorted_block, sorted_by_second, count;
  std::vector<Coupling> coupling;
  std::vector<BlockPlace> inertia_place;
  StackedRows first_rows, second_rows;
  detail::AlignedVector product;
  std::vector<double> residual, correction, trial, velocity, accepted, body, ordered;

  void sort_blocks();
  void build_graph();
  void size_stacks();
  void stack(const Coupling& pair, int& next, int& rows);
  void add_product(const double* A, const StackedRows& a, const double* B, const StackedRows& b, int rows,
                   const BlockPlace& place);
  void assemble(bool symmetric);
  void solve_body();
  void correct();
  double measure(const double* r, const double* delta_p, double* delta_u);
};

BodySpaceMatrix::BodySpaceMatrix() : storage_(std::make_unique<Storage>()) {}
BodySpaceMatrix::~BodySpaceMatrix() = default;

// Blocks in the order of (first tree, second tree), first ≤ second, by two stable counting sorts. Blocks without any
// tree are left out.
void BodySpaceMatrix::Storage::sort_blocks() {
  const auto trees = [&](int c) {
    const int a = island->tree_a[std::size_t(c)], b = island->tree_b[std::size_t(c)];
    return a < 0 || b < 0 ? std::pair{std::max(a, b), -1} : std::pair{std::min(a, b), std::max(a, b)};
  };
  const auto counting_sort = [&](const std::vector<int>& in, std::vector<int>& out, auto&& key) {
    count.assign(std::size_t(island->ntree) + 2, 0);
    for (int c : in) ++count[std::size_t(key(c)) + 1];
    for (std::size_t k = 1; k < count.size(); ++k) count[k] += count[k - 1];
    out.resize(in.size());
    for (int c : in) out[std::size_t(count[std::size_t(key(c))]++)] = c;
  };
  sorted_block.clear();
  for (int c = 0; c < island->nblock; ++c)
    if (trees(c).first >= 0) sorted_block.push_back(c);
  counting_sort(sorted_block, sorted_by_second, [&](int c) { return trees(c).second + 1; });
  counting_sort(sorted_by_second, sorted_block, [&](int c) { return trees(c).first; });
  coupling.clear();
  for (int k = 0; k < int(sorted_block.size()); ++k) {
    const auto [first, second] = trees(sorted_block[std::size_t(k)]);
    if (coupling.empty() || coupling.back().first != first || coupling.back().second != second)
      coupling.push_back({first, second, k, k, true, {}, {}, {}, {}});
    coupling.back().end = k + 1;
  }
}

// Trees joined by a block are neighbours.
void BodySpaceMatrix::Storage::build_graph() {
  const auto trees = std::size_t(island->ntree);
  graph.weight.resize(trees);
  for (int t = 0; t < island->ntree; ++t) graph.weight[std::size_t(t)] = island->tree_size(t);
  graph.first.assign(trees + 1, 0);
  for (const Coupling& pair : coupling)
    if (pair.second >= 0) {
      ++graph.first[std::size_t(pair.first) + 1];
      ++graph.first[std::size_t(pair.second) + 1];
    }
  for (std::size_t t = 0; t < trees; ++t) graph.first[t + 1] += graph.first[t];
  graph.neighbour.resize(std::size_t(graph.first[trees]));
  count.assign(graph.first.begin(), graph.first.end());
  for (const Coupling& pair : coupling)
    if (pair.second >= 0) {
      graph.neighbour[std::size_t(count[std::size_t(pair.first)]++)] = pair.second;
      graph.neighbour[std::size_t(count[std::size_t(pair.second)]++)] = pair.first;
    }
}

void BodySpaceMatrix::Storage::size_stacks() {
  int largest = 0;
  for (int weight : graph.weight) largest = std::max(largest, weight);
  const auto stride = std::size_t(detail::padded(largest, detail::kLane));
  for (auto* rows : {&first_rows.J, &first_rows.CJ, &second_rows.J, &second_rows.CJ}) rows->resize(kStackRows * stride);
  product.resize(std::size_t(largest) * stride);
}

void BodySpaceMatrix::prepare(const Island& island, const double* delassus_blocks) {
  Storage& s = *storage_;
  s.island = &island;
  s.contacts.prepare(island, delassus_blocks);
  s.sort_blocks();
  s.build_graph();
  s.matrix.analyse(s.graph);
  const detail::BlockPattern& pattern = s.matrix.pattern();
  for (Coupling& pair : s.coupling) {
    pair.first_first = pattern.find(pair.first, pair.first);
    if (pair.second < 0) continue;
    pair.in_order = pattern.node_place[std::size_t(pair.first)] < pattern.node_place[std::size_t(pair.second)];
    pair.second_second = pattern.find(pair.second, pair.second);
    pair.first_second = pattern.find(pair.first, pair.second);
    pair.second_first = pattern.find(pair.second, pair.first);
  }
  s.inertia_place.resize(std::size_t(island.ntree));
  for (int t = 0; t < island.ntree; ++t) s.inertia_place[std::size_t(t)] = pattern.find(t, t);
  s.size_stacks();
  for (auto* rows : {&s.residual, &s.correction, &s.trial, &s.velocity, &s.accepted})
    rows->resize(std::size_t(island.nrow));
  for (auto* dofs : {&s.body, &s.ordered}) dofs->resize(std::size_t(island.nv));
}

// Stacks J and C J of the pair's blocks from `next` on, as many as fit.
void BodySpaceMatrix::Storage::stack(const Coupling& pair, int& next, int& rows) {
  rows = 0;
  for (auto [tree, side] : {std::pair{pair.first, &first_rows}, std::pair{pair.second, &second_rows}}) {
    side->dofs = tree < 0 ? 0 : island->tree_size(tree);
    side->stride = detail::padded(side->dofs, detail::kLane);
  }
  for (; next < pair.end; ++next) {
    const int c = sorted_block[std::size_t(next)], n = island->block_size(c);
    if (rows + n > kStackRows) return;
    const double* C = contacts.stiffness(c);
    const bool in_order = island->tree_a[std::size_t(c)] == pair.first;
    const double* jacobian[2] = {island->jacobian_a[std::size_t(c)], island->jacobian_b[std::size_t(c)]};
    for (int side = 0; side < (pair.second < 0 ? 1 : 2); ++side) {
      StackedRows& to = side == 0 ? first_rows : second_rows;
      const double* from = jacobian[(side == 0) == in_order ? 0 : 1];
      const std::ptrdiff_t offset = std::ptrdiff_t(rows) * to.stride;
      const auto copy = n == 3 && to.dofs == 6 ? copy_rows<3, 6> : copy_rows<0, 0>;
      copy(C, from, n, to.dofs, to.stride, to.J.data() + offset, to.CJ.data() + offset);
    }
    rows += n;
  }
}

// Adds Aᵀ B to the block at `place`, or its transpose Bᵀ A where that is what is stored there.
void BodySpaceMatrix::Storage::add_product(const double* A, const StackedRows& a, const double* B, const StackedRows& b,
                                           int rows, const BlockPlace& place) {
  const double* left = place.transposed ? B : A;
  const double* right = place.transposed ? A : B;
  const StackedRows& l = place.transposed ? b : a;
  const StackedRows& r = place.transposed ? a : b;
  detail::form_product(product.data(), r.stride, l.dofs, r.stride, {left, l.stride, 1}, right, r.stride, rows);
  for (int i = 0; i < l.dofs; ++i) {
    double* to = matrix.values() + place.offset + std::ptrdiff_t(i) * place.stride;
    const double* from = product.data() + std::ptrdiff_t(i) * r.stride;
    for (int j = 0; j < r.dofs; ++j) to[j] += from[j];
  }
}

// K = M + Σ_c J_cᵀ C_c J_c; of a symmetric one the part right of the diagonal.
void BodySpaceMatrix::Storage::assemble(bool symmetric) {
  matrix.clear(symmetric);
  const ContactProblem& problem = *island->problem;
  for (int t = 0; t < island->ntree; ++t) {
    const int n = island->tree_size(t);
    const BlockPlace& place = inertia_place[std::size_t(t)];
    const double* M = problem.inertia.data() + problem.tree_inertia[std::size_t(island->tree[std::size_t(t)])];
    for (int i = 0; i < n; ++i)
      std::copy(M + i * n, M + (i + 1) * n, matrix.values() + place.offset + std::ptrdiff_t(i) * place.stride);
  }
  for (const Coupling& pair : coupling)
    for (int next = pair.begin, rows = 0; next < pair.end;) {
      stack(pair, next, rows);
      const StackedRows &f = first_rows, &g = second_rows;
      add_product(f.J.data(), f, f.CJ.data(), f, rows, pair.first_first);
      if (pair.second < 0) continue;
      add_product(g.J.data(), g, g.CJ.data(), g, rows, pair.second_second);
      if (!symmetric || pair.in_order) add_product(f.J.data(), f, g.CJ.data(), g, rows, pair.first_second);
      if (!symmetric || !pair.in_order) add_product(g.J.data(), g, f.CJ.data(), f, rows, pair.second_first);
    }
}

bool BodySpaceMatrix::factor(const double* A, const double* B, double shift, bool symmetric) {
  Storage& s = *storage_;
  if (!s.contacts.factor(A, B, shift)) return false;
  s.assemble(symmetric);
  return s.matrix.factor(symmetric);
}

int BodySpaceMatrix::orders() const {
  return storage_->matrix.orders();
}

// body ← K⁻¹ body.
void BodySpaceMatrix::Storage::solve_body() {
  const detail::BlockPattern& pattern = matrix.pattern();
  const auto each_tree = [&](auto&& move) {
    for (int t = 0; t < island->ntree; ++t)
      move(body.data() + island->dof[std::size_t(t)], ordered.data() + pattern.node_place[std::size_t(t)],
           island->tree_size(t));
  };
  each_tree([](double* own, double* place, int n) { std::copy(own, own + n, place); });
  matrix.solve(ordered.data());
  each_tree([](double* own, double* place, int n) { std::copy(place, place + n, own); });
}

// correction = D⁻¹ residual − C J x,  K x = Jᵀ D⁻¹ residual.
void BodySpaceMatrix::Storage::correct() {
  correction = residual;
  contacts.solve(correction.data());
  generalized_impulse(*island, correction.data(), body.data());
  solve_body();
  contact_velocity(*island, body.data(), false, velocity.data());
  contacts.subtract_stiffness(velocity.data(), correction.data());
}

// δu = M⁻¹ Jᵀ δp, residual = r − (A J δu + B δp); returns its size as a velocity.
double BodySpaceMatrix::Storage::measure(const double* r, const double* delta_p, double* delta_u) {
  generalized_impulse(*island, delta_p, delta_u);
  apply_inverse_inertia(*island, delta_u);
  contact_velocity(*island, delta_u, false, velocity.data());
  residual.assign(r, r + island->nrow);
  contacts.subtract_rows(velocity.data(), delta_p, residual.data());
  return contacts.norm(residual.data());
}

double BodySpaceMatrix::solve(const double* r, double enough, double* delta_p, double* delta_u) {
  Storage& s = *storage_;
  const auto nrow = std::size_t(s.island->nrow);
  std::fill(delta_p, delta_p + nrow, 0.0);
  std::fill(delta_u, delta_u + s.island->nv, 0.0);
  s.residual.assign(r, r + nrow);
  const double size = s.contacts.norm(r);
  std::fill(s.accepted.begin(), s.accepted.end(), 0.0);
  if (size == 0) return 0;
  const double goal = std::max(kGoal * size, enough);
  double reached = size;
  for (int round = 0; round <= kRefinements; ++round) {
    s.correct();
    for (std::size_t i = 0; i < nrow; ++i) s.trial[i] = delta_p[i] + s.correction[i];
    const double before = reached, after = s.measure(r, s.trial.data(), s.body.data());
    if (round > 0 && !(after < before)) break;
    std::copy(s.trial.begin(), s.trial.end(), delta_p);
    std::copy(s.body.begin(), s.body.end(), delta_u);
    s.accepted.swap(s.velocity);
    reached = after;
    if (!(after > goal) || (round > 0 && after > kContraction * before)) break;
  }
  return std::isfinite(reached) ? reached / size : std::numeric_limits<double>::infinity();
}

const double* BodySpaceMatrix::velocity() const {
  return storage_->accepted.data();
}

// K δu = J_cᵀ p.
void BodySpaceMatrix::respond(int block, const double* impulse, double* delta_u) {
  Storage& s = *storage_;
  std::fill(s.body.begin(), s.body.end(), 0.0);
  add_block_impulse(*s.island, block, impulse, s.body.data());
  s.solve_body();
  std::copy(s.body.begin(), s.body.end(), delta_u);
}

}  // namespace stiction
