// Linear complementarity problems as plain text; the layout stands in stiction/lcp.hpp.
#include <fmt/format.h>

#include <stiction/lcp.hpp>

#include "io/text_lines.hpp"

namespace stiction {

bool is_lcp_file(const std::string& path) {
  detail::TextLines lines(path);
  return lines.next() && lines.count() == 2 && lines.word(0) == "n" && lines.next() && lines.count() == 1 &&
         lines.word(0) == "M";
}

Lcp read_lcp(const std::string& path) {
  detail::TextLines lines(path);
  const auto need_word = [&](const char* word) {
    lines.need(1, fmt::format("'{}'", word));
    if (lines.word(0) != word) lines.fail(fmt::format("should hold '{}'", word));
  };
  Lcp out;
  lines.need(2, "'n N'");
  if (lines.word(0) != "n") lines.fail("should hold 'n N'");
  out.n = lines.integer(1);
  if (out.n < 0) lines.fail(fmt::format("n is {}: it must be at least 0", out.n));
  const auto n = std::size_t(out.n);
  const auto read_row = [&](std::vector<double>& values, const std::string& what) {
    lines.need(n, fmt::format("the {} numbers of {}", n, what));
    for (std::size_t j = 0; j < n; ++j) values.push_back(lines.real(j));
  };
  need_word("M");
  for (std::size_t i = 0; i < n; ++i) read_row(out.M, fmt::format("row {} of M", i));
  need_word("q");
  if (n > 0) read_row(out.q, "q");
  while (lines.next())
    if (lines.word(0) != "solution") lines.fail(fmt::format("'{}' is not understood", lines.word(0)));
  return out;
}

}  // namespace stiction
