// Rows added in whole vectors give what they give number by number, for rows shorter and longer than a vector, and
// touch nothing beside them.
#include "math/row_sums.hpp"

#include <gtest/gtest.h>

#include <random>

#include "math/row_products.hpp"

namespace stiction {
namespace {

TEST(RowSums, are_those_of_the_rows_one_by_one) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto draw = [&](int count) {
    std::vector<double> out(static_cast<std::size_t>(count));
    for (double& x : out) x = uniform(random);
    return out;
  };
  for (int n = 1; n <= 40; ++n)
    for (const int rows : {1, 2, 3, 6, 27}) {
      const std::vector<double> s = draw(rows), a = draw(rows * n);
      std::vector<double> y = draw(n + 1), expected = y;
      detail::add_rows_times(s.data(), a.data(), rows, n, y.data());
      for (int k = 0; k < rows; ++k)
        add_row_times(s[std::size_t(k)], a.data() + std::ptrdiff_t(k) * n, n, expected.data());
      EXPECT_EQ(y, expected) << rows << " rows of " << n;  // the same operations in the same order
    }
}

}  // namespace
}  // namespace stiction
