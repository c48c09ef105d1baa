#include "solvers/block_factor.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace stiction::detail {

void BlockFactor::analyse(const BlockGraph& graph) {
  Kept& kept = kept_[std::size_t(std::bit_width(unsigned(graph.size())))];
  if (!(kept.graph == graph)) {
    kept.graph = graph;
    kept.pattern.analyse(graph);
    ++orders_;
  }
  pattern_ = &kept.pattern;
  panel_.resize(pattern_->panel_size);
  update_.resize(pattern_->update_size);
  border_.resize(std::size_t(pattern_->widest_border));
  own_.resize(std::size_t(pattern_->widest));
  pivot_.resize(std::size_t(pattern_->order));
  inverse_.resize(std::size_t(pattern_->order));
  least_.resize(std::size_t(pattern_->order));
}

void BlockFactor::clear(bool symmetric) {
  if (!symmetric) return std::fill(panel_.begin(), panel_.end(), 0.0);
  for (const Front& front : pattern_->front)
    std::fill(panel_.begin() + std::ptrdiff_t(front.corner), panel_.begin() + std::ptrdiff_t(front.below), 0.0);
}

bool BlockFactor::factor(bool symmetric) {
  for (const Front& front : pattern_->front) set_least_pivots(front);
  for (const Front& front : pattern_->front) {
    if (front.leaf) {
      double* update = update_.data() + front.update;
      std::fill(update, update + std::ptrdiff_t(front.border) * front.border_stride, 0.0);
    }
    if (!(symmetric ? eliminate_symmetric(front) : eliminate(front))) return false;
    if (front.parent >= 0) pass_up(front, symmetric);
  }
  return true;
}

// A pivot of the size of the rounding errors of its column carries no digit.
void BlockFactor::set_least_pivots(const Front& front) {
  double* least = least_.data() + front.place;
  std::fill(least, least + front.width, std::numeric_limits<double>::min());
  for (int i = 0; i < front.width; ++i) {
    const double* row = panel_.data() + front.corner + std::ptrdiff_t(i) * front.stride;
    for (int j = 0; j < front.width; ++j)
      least[j] = std::max(least[j], std::numeric_limits<double>::epsilon() * std::abs(row[j]));
  }
}

// [F₁₁ F₁₂] = P⁻¹ L₁₁ [U₁₁ U₁₂],  L₂₁ᵀ = U₁₁⁻ᵀ F₂₁ᵀ,  F₂₂ ← F₂₂ − L₂₁ U₁₂, kPanel pivots at a time.
bool BlockFactor::eliminate(const Front& front) {
  const int width = front.width, stride = front.stride, border_stride = front.border_stride;
  double* corner = panel_.data() + front.corner;
  double* right = panel_.data() + front.right;
  double* below = panel_.data() + front.below;
  const auto corner_at = [&](int i, int j) { return corner + std::ptrdiff_t(i) * stride + j; };
  const auto right_at = [&](int i) { return right + std::ptrdiff_t(i) * border_stride; };
  const auto below_at = [&](int i) { return below + std::ptrdiff_t(i) * border_stride; };

  for (int j = 0; j < width; j += kPanel) {
    const int n = std::min(kPanel, width - j), next = j + n, tail = stride - j - kPanel;
    int* pivot = pivot_.data() + front.place + j;
    double* inverse = inverse_.data() + front.place + j;
    if (!factor_columns(corner_at(j, j), stride, width - j, n, least_.data() + front.place + j, pivot, inverse))
      return false;
    for (int c = 0; c < n; ++c) {
      const int row = j + c, other = j + pivot[c];
      pivot[c] = other;
      if (row == other) continue;
      swap_rows(corner_at(row, 0), corner_at(other, 0), j);
      if (tail > 0) swap_rows(corner_at(row, j + kPanel), corner_at(other, j + kPanel), tail);
      swap_rows(right_at(row), right_at(other), border_stride);
    }
    const Entries lower{corner_at(j, j), 1, stride}, upper{corner_at(j, j), stride, 1};
    if (tail > 0) substitute(corner_at(j, j + kPanel), stride, tail, n, lower, nullptr);
    substitute(right_at(j), border_stride, border_stride, n, lower, nullptr);
    substitute(below_at(j), border_stride, border_stride, n, upper, inverse);
    if (next == width) break;
    const int rows = width - next;
    const Entries lower_rest{corner_at(next, j), 1, stride}, upper_rest{corner_at(j, next), stride, 1};
    subtract_product(corner_at(next, next), stride, rows, tail, lower_rest, corner_at(j, next), stride, n);
    subtract_product(right_at(next), border_stride, rows, border_stride, lower_rest, right_at(j), border_stride, n);
    subtract_product(below_at(next), border_stride, rows, border_stride, upper_rest, below_at(j), border_stride, n);
  }
  subtract_product(update_.data() + front.update, border_stride, front.border, border_stride,
                   Entries{below, border_stride, 1}, right, border_stride, width);
  return true;
}

// F₁₁ = L₁₁ D L₁₁ᵀ,  U₁₂ = L₁₁⁻¹ F₁₂,  L₂₁ᵀ = D⁻¹ U₁₂,  F₂₂ ← F₂₂ − L₂₁ U₁₂, upper triangles of F₁₁ and F₂₂ alone.
bool BlockFactor::eliminate_symmetric(const Front& front) {
  const int width = front.width, stride = front.stride, border_stride = front.border_stride;
  double* right = panel_.data() + front.right;
  double* below = panel_.data() + front.below;
  const auto corner_at = [&](int i, int j) { return panel_.data() + front.corner + std::ptrdiff_t(i) * stride + j; };
  const auto right_at = [&](int i) { return right + std::ptrdiff_t(i) * border_stride; };
  for (int j = 0; j < width; j += kPanel) {
    const int n = std::min(kPanel, width - j), next = j + n, rows = width - next, tail = stride - j - kPanel;
    double* inverse = inverse_.data() + front.place + j;
    if (!factor_symmetric(corner_at(j, j), stride, n, least_.data() + front.place + j, inverse)) return false;
    for (int c = j; c < next; ++c) pivot_[std::size_t(front.place + c)] = c;
    const Entries lower{corner_at(j, j), 1, stride}, lower_rest{corner_at(next, j), 1, stride};
    substitute(right_at(j), border_stride, border_stride, n, lower, nullptr);
    for (int c = 0; c < n; ++c)
      copy_scaled(below + std::ptrdiff_t(j + c) * border_stride, inverse[c], right_at(j + c), border_stride);
    if (rows == 0) break;
    substitute(corner_at(j, next), stride, tail, n, lower, nullptr);
    for (int i = next; i < width; ++i)
      for (int c = 0; c < n; ++c) *corner_at(i, j + c) = *corner_at(j + c, i) * inverse[c];
    subtract_upper_product(corner_at(next, next), stride, rows, tail, lower_rest, corner_at(j, next), stride, n);
    subtract_product(right_at(next), border_stride, rows, border_stride, lower_rest, right_at(j), border_stride, n);
  }
  subtract_upper_product(update_.data() + front.update, border_stride, front.border, border_stride,
                         Entries{below, border_stride, 1}, right, border_stride, width);
  return true;
}

// Adds the update of a front into its parent; a symmetric one from its diagonal on. Runs in the parent's pivots come
// first, so in the parent, too, that is the part right of the diagonal.
void BlockFactor::pass_up(const Front& front, bool symmetric) {
  const Front& parent = pattern_->front[std::size_t(front.parent)];
  double* corner = panel_.data() + parent.corner;
  double* right = panel_.data() + parent.right;
  double* below = panel_.data() + parent.below;
  double* update = update_.data() + parent.update;
  if (front.first_child) std::fill(update, update + std::ptrdiff_t(parent.border) * parent.border_stride, 0.0);
  const BorderRun* begin = pattern_->run.data() + front.run_first;
  const BorderRun* end = pattern_->run.data() + front.run_last;
  for (const BorderRun* rows = begin; rows != end; ++rows)
    for (int i = 0; i < rows->length; ++i) {
      const double* from = update_.data() + front.update + std::ptrdiff_t(rows->local + i) * front.border_stride;
      const std::ptrdiff_t target = rows->target + i;
      for (const BorderRun* columns = symmetric ? rows : begin; columns != end; ++columns) {
        const double* source = from + columns->local;
        if (!rows->in_pivots && columns->in_pivots) {  // a column of the parent: stored transposed
          double* to = below + std::ptrdiff_t(columns->target) * parent.border_stride + target;
          for (int k = 0; k < columns->length; ++k) to[std::ptrdiff_t(k) * parent.border_stride] += source[k];
          continue;
        }
        double* to = !rows->in_pivots     ? update + target * parent.border_stride
                     : columns->in_pivots ? corner + target * parent.stride
                                          : right + target * parent.border_stride;
        to += columns->target;
        for (int k = symmetric && columns == rows ? i : 0; k < columns->length; ++k) to[k] += source[k];
      }
    }
}

// Forward: x₁ ← L₁₁⁻¹ P x₁,  x₂ ← x₂ − L₂₁ x₁. Backward: x₁ ← U₁₁⁻¹ (x₁ − U₁₂ x₂).
void BlockFactor::solve(double* x) {
  for (const Front& front : pattern_->front) solve_lower(front, x);
  for (auto front = pattern_->front.rbegin(); front != pattern_->front.rend(); ++front) solve_upper(*front, x);
}

void BlockFactor::solve_lower(const Front& f, double* x) {
  double* own = own_.data();
  double* border = border_.data();
  std::copy(x + f.place, x + f.place + f.width, own);
  for (int i = 0; i < f.width; ++i) std::swap(own[i], own[pivot_[std::size_t(f.place + i)]]);
  for (int i = 1; i < f.width; ++i) {
    const double* l = panel_.data() + f.corner + std::ptrdiff_t(i) * f.stride;
    const int whole = i - i % kLane;
    double sum = whole > 0 ? own[i] - dot(l, own, whole) : own[i];
    for (int j = whole; j < i; ++j) sum -= l[j] * own[j];
    own[i] = sum;
  }
  std::copy(own, own + f.width, x + f.place);
  std::fill(border, border + f.border_stride, 0.0);
  for (int i = 0; i < f.width; ++i)
    add_scaled(border, own[i], panel_.data() + f.below + std::ptrdiff_t(i) * f.border_stride, f.border_stride);
  for (int k = f.run_first; k < f.run_last; ++k) {
    const BorderRun& run = pattern_->run[std::size_t(k)];
    for (int i = 0; i < run.length; ++i) x[run.place + i] -= border[run.local + i];
  }
}

void BlockFactor::solve_upper(const Front& f, double* x) {
  double* own = own_.data();
  double* border = border_.data();
  std::copy(x + f.place, x + f.place + f.width, own);
  std::fill(own + f.width, own + f.stride, 0.0);
  std::fill(border + f.border, border + f.border_stride, 0.0);
  for (int k = f.run_first; k < f.run_last; ++k) {
    const BorderRun& run = pattern_->run[std::size_t(k)];
    std::copy(x + run.place, x + run.place + run.length, border + run.local);
  }
  for (int i = f.width - 1; i >= 0; --i) {
    const double* u = panel_.data() + f.corner + std::ptrdiff_t(i) * f.stride;
    const double* right = panel_.data() + f.right + std::ptrdiff_t(i) * f.border_stride;
    const int whole = padded(i + 1, kLane);
    double sum = own[i] - dot(right, border, f.border_stride) - dot(u + whole, own + whole, f.stride - whole);
    for (int j = i + 1; j < std::min(whole, f.width); ++j) sum -= u[j] * own[j];
    own[i] = sum * inverse_[std::size_t(f.place + i)];
  }
  std::copy(own, own + f.width, x + f.place);
}

}  // namespace stiction::detail
