#include "io/fclib_file.hpp"

#include <fmt/format.h>

namespace stiction::detail {
namespace {

constexpr char kLocal[] = "fclib_local", kGlobal[] = "fclib_global";

int read_integer(const Group& group, const std::string& name) {
  std::int32_t value = 0;
  group.read(name, Scalar::kInt32, {1}, &value);
  return value;
}

template <class T>
std::vector<T> read_list(const Group& group, const std::string& name) {
  const Dims dims = group.dims(name);
  if (dims.size() != 1) group.fail(name, "should be a list");
  std::vector<T> values(dims[0]);
  group.read(name, scalar_of<T>(), dims, values.data());
  return values;
}

// From the first entry of each row (or column) to the row (or column) of each entry.
std::vector<int> expand(const Group& group, const std::vector<int>& first, int lines, std::size_t count) {
  if (first.size() != std::size_t(lines) + 1 || first.front() != 0 || std::size_t(first.back()) > count)
    group.fail("p", fmt::format("should lead from 0 over {} steps to the number of entries", lines));
  std::vector<int> out(std::size_t(first.back()));
  for (int line = 0; line < lines; ++line) {
    const int begin = first[std::size_t(line)], end = first[std::size_t(line) + 1];
    if (begin > end || end > first.back()) group.fail("p", fmt::format("descends after entry {}", line));
    for (int k = begin; k < end; ++k) out[std::size_t(k)] = line;
  }
  return out;
}

SparseEntries read_matrix(const Group& parent, const std::string& name) {
  const Group group = parent.open_group(name);
  SparseEntries out;
  out.rows = read_integer(group, "m");
  out.cols = read_integer(group, "n");
  const int kind = read_integer(group, "nz");
  out.value = read_list<double>(group, "x");
  std::vector<int> inner = read_list<int>(group, "i"), outer = read_list<int>(group, "p");
  if (kind < -2)
    group.fail("nz", fmt::format("is {}: it should count the entries, or be -1 (columns) or -2 (rows)", kind));
  if (kind < 0) outer = expand(group, outer, kind == -1 ? out.cols : out.rows, out.value.size());
  const std::size_t count = kind >= 0 ? std::size_t(kind) : outer.size();
  if (inner.size() < count || outer.size() < count || out.value.size() < count)
    group.fail("", fmt::format("should have {} entries", count));
  for (auto* list : {&inner, &outer}) list->resize(count);
  out.value.resize(count);
  out.row = kind == -2 ? outer : inner;
  out.col = kind == -2 ? inner : outer;
  return out;
}

void write_integers(const Group& group, const char* name, const char* meaning, const std::vector<int>& values) {
  group.write({name, "", meaning}, Scalar::kInt32, {values.size()}, values.data());
}

void write_numbers(const Group& group, const char* name, const char* meaning, const std::vector<double>& values) {
  group.write({name, "", meaning}, Scalar::kDouble, {values.size()}, values.data());
}

void write_matrix(const Group& parent, const std::string& name, const SparseEntries& matrix) {
  const Group group = parent.create_group(name);
  write_integers(group, "m", "rows", {matrix.rows});
  write_integers(group, "n", "columns", {matrix.cols});
  write_integers(group, "nz", "entries", {matrix.count()});
  write_integers(group, "nzmax", "entries", {matrix.count()});
  write_integers(group, "i", "row of each entry", matrix.row);
  write_integers(group, "p", "column of each entry", matrix.col);
  write_numbers(group, "x", "value of each entry", matrix.value);
}

}  // namespace

bool is_fclib(const Group& root) {
  return root.has(kLocal) || root.has(kGlobal);
}

FrictionProblem read_fclib(const Group& root) {
  FrictionProblem out;
  out.global = root.has(kGlobal);
  const Group group = root.open_group(out.global ? kGlobal : kLocal), vectors = group.open_group("vectors");
  out.dim = read_integer(group, "spacedim");
  out.mu = read_list<double>(vectors, "mu");
  if (out.global) {
    out.M = read_matrix(group, "M");
    out.H = read_matrix(group, "H");
    out.f = read_list<double>(vectors, "f");
    out.w = read_list<double>(vectors, "w");
    if (group.has("G")) {
      out.G = read_matrix(group, "G");
      out.b = read_list<double>(vectors, "b");
    }
  } else {
    out.W = read_matrix(group, "W");
    out.q = read_list<double>(vectors, "q");
    if (group.has("V")) {
      out.V = read_matrix(group, "V");
      out.R = read_matrix(group, "R");
      out.s = read_list<double>(vectors, "s");
    }
  }
  return out;
}

void write_fclib(const Group& root, const FrictionProblem& problem) {
  const Group group = root.create_group(problem.global ? kGlobal : kLocal), vectors = group.create_group("vectors");
  write_integers(group, "spacedim", "rows per contact", {problem.dim});
  write_numbers(vectors, "mu", "friction coefficient of each contact", problem.mu);
  if (problem.global) {
    write_matrix(group, "M", problem.M);
    write_matrix(group, "H", problem.H);
    write_numbers(vectors, "f", "M times the velocity without contact", problem.f);
    write_numbers(vectors, "w", "bias of the contacts", problem.w);
    if (problem.G.cols == 0) return;
    write_matrix(group, "G", problem.G);
    write_numbers(vectors, "b", "bias of the equalities", problem.b);
  } else {
    write_matrix(group, "W", problem.W);
    write_numbers(vectors, "q", "velocity of the contacts without impulses", problem.q);
    if (problem.V.cols == 0) return;
    write_matrix(group, "V", problem.V);
    write_matrix(group, "R", problem.R);
    write_numbers(vectors, "s", "velocity of the equalities without impulses", problem.s);
  }
}

}  // namespace stiction::detail
