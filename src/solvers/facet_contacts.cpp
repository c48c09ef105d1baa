#include "solvers/facet_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "solvers/block_law.hpp"
#include "solvers/scratch.hpp"

namespace stiction {
namespace {

constexpr int kMostChoices = 4096;  // of facets that are tried on one island

// Size of the impulse of a block as a velocity [m/s].
double impulse_size(const SolverScratch& s, const Iterate& x, int c) {
  const BlockScale<double>& scale = s.scale[std::size_t(c)];
  return scale.normal * std::abs(s.normal(x.p, c)) + scale.tangent * s.tangential(x.p, c);
}

double pyramid_residual(const SolverScratch& s, const Iterate& x, int c) {
  const auto residual = [&](auto law, const auto& parameters) {
    constexpr int N = decltype(law)::kRows;
    return norm(law.natural_map(s.rows<N>(x.v, c), s.rows<N>(x.p, c), parameters, s.scale[std::size_t(c)]));
  };
  if (s.island.block_size(c) == 1) return residual(UnilateralLaw{}, 0.0);
  return with_friction_law<PyramidLaw>(s.island, c, residual);
}

// The facet of [first, end) with the largest of something.
template <class Value>
int largest_facet(int first, int end, Value&& value) {
  int best = first;
  for (int f = first + 1; f < end; ++f)
    if (value(f) > value(best)) best = f;
  return best;
}

// First blocks of the contacts with facets.
std::vector<int> facet_contacts(const Island& island) {
  std::vector<int> out;
  out.reserve(std::size_t(island.nblock));
  for (int c = 0; c < island.nblock; ++c)
    if (island.law[std::size_t(c)] == Law::kFacet) out.push_back(c);
  return out;
}

// Choices that differ from the last one in one contact: first those that its solution asks for, as a facet holds the
// vertex that has left the shape by another, then all others.
class ChoiceQueue {
 public:
  explicit ChoiceQueue(std::vector<int> first) { add(std::move(first), true); }
  bool empty() const { return waiting_.empty(); }
  std::vector<int> take() {
    std::vector<int> out = waiting_.front();
    waiting_.pop_front();
    return out;
  }
  void add(std::vector<int> choice, bool soon) {
    if (!seen_.insert(choice).second) return;
    soon ? waiting_.push_front(std::move(choice)) : waiting_.push_back(std::move(choice));
  }

 private:
  std::deque<std::vector<int>> waiting_;
  std::set<std::vector<int>> seen_;
};

void add_neighbours(const SolverScratch& s, const std::vector<int>& contacts, const std::vector<int>& choice,
                    bool solved, double target, ChoiceQueue& queue) {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int first = contacts[k], end = s.island.facets_end(first), acting = first + choice[k];
    const int left_by = largest_facet(first, end, [&](int f) { return s.normal(s.current.v, f); });
    const bool held = solved && s.normal(s.current.p, acting) > 0 && s.normal(s.current.v, left_by) > target;
    for (int f = first; f < end; ++f) {
      std::vector<int> next = choice;
      next[k] = f - first;
      if (f != acting) queue.add(std::move(next), held && f == left_by);
    }
  }
}

}  // namespace

double facets_residual(const SolverScratch& s, const Iterate& x, int c) {
  if (s.island.law[std::size_t(c)] == Law::kNextFacet) return 0;
  const int end = s.island.facets_end(c);
  const auto velocity = [&](int f) { return s.normal(x.v, f); };
  const int acting = largest_facet(c, end, [&](int f) { return impulse_size(s, x, f); });
  double out = std::max(0.0, -velocity(largest_facet(c, end, velocity)));
  double law = pyramid_residual(s, x, acting);
  for (int f = c; f < end; ++f) {
    if (f == acting) continue;
    out = std::max(out, impulse_size(s, x, f));
    law = std::max(law, velocity(f));
  }
  // Either it acts by its law, or it does not act.
  return std::max(out, std::min(law, impulse_size(s, x, acting)));
}

void add_facet_conditions(const Island& island, LemkeScratch& l) {
  std::size_t more = 0;
  for (int c = 0, end; c < island.nblock; c = end) {
    end = island.facets_end(c);
    if (end > c + 1) more += 2 * std::size_t(end - c);
  }
  if (more == 0) return;
  const auto old = std::size_t(l.problem.n), n = old + more;
  const std::vector<double> M = l.problem.M;
  l.problem.n = int(n);
  l.problem.M.assign(n * n, 0);
  l.problem.q.resize(n);
  for (std::size_t i = 0; i < old; ++i) std::copy_n(M.begin() + std::ptrdiff_t(i * old), old, &l.problem.M[i * n]);
  std::size_t next = old;
  for (int c = 0, end; c < island.nblock; c = end) {
    end = island.facets_end(c);
    const auto count = std::size_t(end - c);
    if (count == 1) continue;
    const auto row_of = [&](std::size_t f) { return std::size_t(l.normal_variable[std::size_t(c) + f]); };
    // row += sign ψ_f
    const auto add_distance = [&](std::size_t row, std::size_t f, double sign) {
      for (std::size_t j = 0; j < old; ++j) l.problem.M[row * n + j] += sign * M[row_of(f) * old + j];
      l.problem.q[row] += sign * l.facet_rows[f];
    };
    l.facet_rows.resize(count);
    for (std::size_t f = 0; f < count; ++f) l.facet_rows[f] = l.problem.q[row_of(f)];
    const std::size_t c_first = next, d_first = c_first + count - 1, e = d_first + count;
    next = e + 1;
    // row += c_2 + … + c_k of the first k facets
    const auto add_rises = [&](std::size_t row, std::size_t k) {
      for (std::size_t f = 1; f < k; ++f) l.problem.M[row * n + c_first + f - 1] += 1;
    };
    for (std::size_t row = c_first; row < next; ++row) l.problem.q[row] = 0;
    for (std::size_t f = 0; f < count; ++f) {
      if (f > 0) {
        const std::size_t rise = c_first + f - 1;
        add_distance(rise, 0, 1);
        add_distance(rise, f, -1);
        add_rises(rise, f + 1);
      }
      const std::size_t depth = d_first + f, force = row_of(f);
      add_distance(depth, f, 1);
      l.problem.M[depth * n + depth] = 1;
      std::fill_n(&l.problem.M[force * n], n, 0.0);
      l.problem.q[force] = 0;
      add_distance(force, 0, 1);
      add_rises(force, count);
      l.problem.M[force * n + depth] = 1;
    }
    add_distance(e, 0, 1);
    add_rises(e, count);
    l.problem.M[e * n + e] = -1;
  }
}

int facet_unknowns(const ContactProblem& p, int island) {
  int count = 0;
  bool any = false;
  for (int k = p.island_block[std::size_t(island)]; k < p.island_block[std::size_t(island) + 1]; ++k) {
    const int block = p.island_block_list[std::size_t(k)], rows = p.block_size(block);
    const bool facet = is_facet(p.block_law[std::size_t(block)]);
    any = any || facet;
    count += facet ? 2 : 0;                                                             // c and d, or d and e
    count += p.block_law[std::size_t(block)] == Law::kBox || rows == 1 ? 1 : 2 * rows;  // p_n, ±p_t, σ
  }
  return any ? count : 0;
}

bool solve_facets(double target, SolverScratch& s, LemkeScratch& l) {
  if (facet_unknowns(*s.island.problem, s.island.index) > kMostFacetUnknowns) return false;
  const std::vector<int> contacts = facet_contacts(s.island);
  return_to_zero(s);
  const std::vector<double> free = s.current.v;
  s.best.copy(s.current);
  if (s.best.residual <= target) return true;
  double least = INFINITY;
  // Takes what a path led to if it is lawful and nearer to ũ: ‖u⁺ − ũ‖²_M = pᵀ (v − v(ũ)).
  const auto take_nearer = [&](bool solved) {
    double squared = 0;
    for (std::size_t i = 0; i < free.size(); ++i) squared += s.current.p[i] * (s.current.v[i] - free[i]);
    if (!solved || !(s.current.residual <= target) || !(squared < least)) return;
    least = squared;
    s.best.copy(s.current);
  };
  std::vector<int> first;
  first.reserve(contacts.size());
  for (const int c : contacts)
    first.push_back(largest_facet(c, s.island.facets_end(c), [&](int f) { return s.normal(free, f); }) - c);
  l.chosen = first;
  take_nearer(follow_path(FacetChoice::kChosen, s, l));
  take_nearer(follow_path(FacetChoice::kAll, s, l));
  if (least < INFINITY) return true;
  s.result.branched = true;
  ChoiceQueue queue(std::move(first));
  for (int tried = 0; tried < kMostChoices && !queue.empty(); ++tried) {
    l.chosen = queue.take();
    const bool solved = follow_path(FacetChoice::kChosen, s, l);
    keep_best(s);
    if (s.best.residual <= target) return true;
    add_neighbours(s, contacts, l.chosen, solved, target, queue);
  }
  return false;
}

}  // namespace stiction
