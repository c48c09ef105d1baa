// Many rows whitened at once are those whitened one by one, for trees with and without zeros in their factor and any
// number of rows.
#include "math/whitened_columns.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/tree_cholesky.hpp"

namespace stiction {
namespace {

TEST(WhitenedColumns, are_the_rows_whitened_one_by_one) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const int n : {1, 6, 7, 8, 27, 33})
    for (const int count : {1, 3, 8, 17, 40}) {
      // Two branches from degree of freedom 2 on: no entry of L joins one with the other.
      const auto apart = [](int k, int j) { return j >= 2 && k % 2 != j % 2; };
      std::vector<double> L(std::size_t(n * n)), J(std::size_t(count * n));
      for (int k = 0; k < n; ++k)
        for (int j = 0; j <= k; ++j)
          L[std::size_t(k * n + j)] = j == k ? 1 + 0.5 * uniform(random) : (apart(k, j) ? 0 : 0.3 * uniform(random));
      // Rows that move one branch alone.
      for (int i = 0; i < count; ++i)
        for (int d = 0; d < n; ++d) J[std::size_t(i * n + d)] = d % 2 == 1 && d >= 2 ? 0 : uniform(random);
      std::vector<const double*> rows;
      rows.reserve(std::size_t(count));
      for (int i = 0; i < count; ++i) rows.push_back(J.data() + std::ptrdiff_t(i) * n);
      const int stride = detail::padded(count, detail::kLane);
      detail::AlignedVector X(std::size_t(n * stride), NAN);
      detail::gather_columns(rows.data(), count, n, X.data(), stride);
      detail::whiten_columns(L.data(), n, X.data(), stride);
      whiten(L.data(), n, count, J.data());
      for (int d = 0; d < n; ++d)
        for (int c = 0; c < stride; ++c)
          // The same operations in the same order.
          ASSERT_EQ(X[std::size_t(d * stride + c)], c < count ? J[std::size_t(c * n + d)] : 0.0)
              << n << " degrees of freedom, " << count << " rows: " << d << ", " << c;
    }
}

}  // namespace
}  // namespace stiction
