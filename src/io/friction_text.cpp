#include "io/friction_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <stiction/error.hpp>

namespace stiction::detail {

SparseEntries read_matrix(TextLines& lines) {
  if (lines.count() != 5) lines.fail("should hold 'matrix NAME rows columns entries'");
  SparseEntries out;
  out.rows = lines.integer(2);
  out.cols = lines.integer(3);
  const int count = lines.integer(4);
  if (out.rows < 0 || out.cols < 0 || count < 0) lines.fail("a matrix cannot have a negative size");
  const std::string what = fmt::format("'row column value', an entry of matrix {}", lines.word(1));
  for (int k = 0; k < count; ++k) {
    lines.need(3, what);
    const int i = lines.integer(0), j = lines.integer(1);
    if (i < 0 || i >= out.rows || j < 0 || j >= out.cols)
      lines.fail(fmt::format("entry ({}, {}) is outside the {} × {} matrix", i, j, out.rows, out.cols));
    out.add(i, j, lines.real(2));
  }
  return out;
}

std::vector<double> read_vector(TextLines& lines) {
  if (lines.count() != 3) lines.fail("should hold 'vector NAME entries'");
  const int count = lines.integer(2);
  const std::string what = fmt::format("a value of vector {}", lines.word(1));
  if (count < 0) lines.fail("a vector cannot have a negative size");
  std::vector<double> out;
  out.reserve(std::size_t(count));
  for (int k = 0; k < count; ++k) {
    lines.need(1, what);
    out.push_back(lines.real(0));
  }
  return out;
}

namespace {

// The member of that name; null if the form of the problem has none.
SparseEntries* matrix_of(FrictionProblem& problem, const std::string& name) {
  if (problem.global) return name == "M" ? &problem.M : (name == "H" ? &problem.H : nullptr);
  return name == "W" ? &problem.W : nullptr;
}
std::vector<double>* vector_of(FrictionProblem& problem, const std::string& name) {
  if (name == "mu") return &problem.mu;
  if (problem.global) return name == "f" ? &problem.f : (name == "w" ? &problem.w : nullptr);
  return name == "q" ? &problem.q : nullptr;
}

}  // namespace

bool is_friction_text(const std::string& path) {
  TextLines lines(path);
  return lines.next() && lines.word(0) == "kind";
}

FrictionProblem read_friction_text(const std::string& path) {
  TextLines lines(path);
  FrictionProblem out;
  int contacts = -1;
  std::vector<std::string> seen;
  const auto note_once = [&](const std::string& name) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      lines.fail(fmt::format("holds {} a second time", name));
    seen.push_back(name);
  };
  while (lines.next()) {
    const std::string& key = lines.word(0);
    const std::string name = lines.count() > 1 ? lines.word(1) : "";
    if (key == "kind" && (name == "local" || name == "global")) {
      out.global = name == "global";
    } else if (key == "dim" && lines.count() == 2) {
      out.dim = lines.integer(1);
    } else if (key == "nc" && lines.count() == 2) {
      contacts = lines.integer(1);
    } else if (SparseEntries* matrix = key == "matrix" ? matrix_of(out, name) : nullptr) {
      note_once(name);
      *matrix = read_matrix(lines);
    } else if (std::vector<double>* vector = key == "vector" ? vector_of(out, name) : nullptr) {
      note_once(name);
      *vector = read_vector(lines);
    } else {
      lines.fail(fmt::format("'{} {}' is not understood: expected kind local|global, dim, nc, matrix {}, vector {}",
                             key, name, out.global ? "M or H" : "W", out.global ? "f, w or mu" : "q or mu"));
    }
  }
  if (contacts != int(out.mu.size()))
    throw Error(fmt::format("{}: has nc {} and {} friction coefficients in mu", path, contacts, out.mu.size()));
  return out;
}

}  // namespace stiction::detail
