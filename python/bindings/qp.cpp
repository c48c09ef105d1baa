// Quadratic programmes: solve_qp and its certificate.
#include <stiction/qp.hpp>

#include <filesystem>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/tuple.h>

#include "module.hpp"
#include "vectors.hpp"

namespace stiction::python {
namespace {

// q decides n, l decides m.
Qp to_qp(const ArrayLike& P, const ArrayLike& q, const ArrayLike& A, const ArrayLike& l, const ArrayLike& u) {
  const std::size_t n = size_of(q), m = size_of(l);
  Qp out;
  out.n = int(n);
  out.m = int(m);
  out.P = to_vector(P, {n, n}, "P");
  out.q = to_vector(q, {n}, "q");
  out.A = to_vector(A, {m, n}, "A");
  out.l = to_vector(l, {m}, "l");
  out.u = to_vector(u, {m}, "u");
  return out;
}

Matrix matrix_of(const std::vector<double>& from, int rows, int columns) {
  return filled<Matrix>({std::size_t(rows), std::size_t(columns)},
                        [&](std::span<double> out) { std::copy(from.begin(), from.end(), out.begin()); });
}

}  // namespace

void bind_qp(nb::module_& module) {
  nb::enum_<QpStatus>(module, "QpStatus", "How solve_qp ended.")
      .value("solved", QpStatus::kSolved, "the certificate is within the tolerance")
      .value("infeasible", QpStatus::kInfeasible, "no point satisfies the rows")
      .value("unbounded", QpStatus::kUnbounded, "the objective falls for ever along a direction")
      .value("not_converged", QpStatus::kNotConverged, "limit of iterations");
  nb::class_<QpCertificate>(module, "QpCertificate", "Residuals of x and y, relative to the terms of each row.")
      .def_ro("stationarity", &QpCertificate::stationarity, "largest |P x + q + A^T y|")
      .def_ro("feasibility", &QpCertificate::feasibility, "largest distance of A x from [l, u]")
      .def_ro("complementarity", &QpCertificate::complementarity, "sum of |y| times the distance to its bound")
      .def_prop_ro("residual", &QpCertificate::residual, "the largest of all");
  nb::class_<QpResult>(module, "QpResult", "The answer of solve_qp with its certificate.")
      .def_ro("status", &QpResult::status, "how it ended")
      .def_prop_ro(
          "x", [](const QpResult& self) { return copy_of(self.x); }, nb::rv_policy::move, "the minimiser")
      .def_prop_ro(
          "y", [](const QpResult& self) { return copy_of(self.y); }, nb::rv_policy::move,
          "multipliers of the rows: P x + q + A^T y = 0")
      .def_ro("objective", &QpResult::objective, "1/2 x^T P x + q^T x")
      .def_ro("certificate", &QpResult::certificate, "residuals of x and y")
      .def_ro("iterations", &QpResult::iterations, "of the proximal method")
      .def_ro("message", &QpResult::message, "one sentence")
      .def("__repr__", [](const QpResult& self) { return "QpResult(" + self.message + ")"; });

  const QpSettings settings;
  module.def(
      "solve_qp",
      [](const ArrayLike& P, const ArrayLike& q, const ArrayLike& A, const ArrayLike& l, const ArrayLike& u,
         double tolerance, int max_iterations) {
        return solve_qp(to_qp(P, q, A, l, u), {tolerance, max_iterations});
      },
      nb::arg("P"), nb::arg("q"), nb::arg("A"), nb::arg("l"), nb::arg("u"), nb::arg("tolerance") = settings.tolerance,
      nb::arg("max_iterations") = settings.max_iterations,
      "Minimises 1/2 x^T P x + q^T x subject to l <= A x <= u; bounds may be infinite.");
  module.def(
      "certify_qp",
      [](const ArrayLike& P, const ArrayLike& q, const ArrayLike& A, const ArrayLike& l, const ArrayLike& u,
         const ArrayLike& x, const ArrayLike& y) {
        const Qp problem = to_qp(P, q, A, l, u);
        return certify_qp(problem, Input(x, problem.n, "x"), Input(y, problem.m, "y"));
      },
      nb::arg("P"), nb::arg("q"), nb::arg("A"), nb::arg("l"), nb::arg("u"), nb::arg("x"), nb::arg("y"),
      "Residuals of a solution, from the problem, x and y alone.");
  module.def(
      "read_qp",
      [](const std::filesystem::path& path) {
        const Qp p = read_qp(path.string());
        return std::tuple(matrix_of(p.P, p.n, p.n), copy_of(p.q), matrix_of(p.A, p.m, p.n), copy_of(p.l), copy_of(p.u),
                          p.constant);
      },
      nb::arg("path"), "P, q, A, l, u and the constant of the objective of a text file.");
}

}  // namespace stiction::python
