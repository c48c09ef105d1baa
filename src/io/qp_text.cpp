// Quadratic programmes as plain text; the layout stands in stiction/qp.hpp.
#include <fmt/format.h>

#include <stiction/qp.hpp>

#include "io/friction_text.hpp"

namespace stiction {
namespace {

std::vector<double> to_dense(const detail::SparseEntries& from) {
  std::vector<double> out(std::size_t(from.rows) * std::size_t(from.cols), 0.0);
  for (std::size_t k = 0; k < std::size_t(from.count()); ++k)
    out[std::size_t(from.row[k]) * std::size_t(from.cols) + std::size_t(from.col[k])] += from.value[k];
  return out;
}

}  // namespace

Qp read_qp(const std::string& path) {
  detail::TextLines lines(path);
  Qp out;
  while (lines.next()) {
    const std::string key = lines.word(0), name = lines.count() > 1 ? lines.word(1) : "";
    if (key == "n" && lines.count() == 2) {
      out.n = lines.integer(1);
    } else if (key == "m" && lines.count() == 2) {
      out.m = lines.integer(1);
    } else if (key == "r" && lines.count() == 2) {
      out.constant = lines.real(1);
    } else if (key == "matrix" && (name == "P" || name == "A")) {
      const detail::SparseEntries entries = detail::read_matrix(lines);
      const int rows = name == "P" ? out.n : out.m;
      if (entries.rows != rows || entries.cols != out.n)
        lines.fail(
            fmt::format("matrix {} is {} × {}: it must be {} × {}", name, entries.rows, entries.cols, rows, out.n));
      (name == "P" ? out.P : out.A) = to_dense(entries);
    } else if (key == "vector" && (name == "q" || name == "l" || name == "u")) {
      (name == "q" ? out.q : (name == "l" ? out.l : out.u)) = detail::read_vector(lines);
    } else {
      lines.fail(
          fmt::format("'{} {}' is not understood: expected n, m, r, matrix P or A, vector q, l or u", key, name));
    }
  }
  return out;
}

}  // namespace stiction
