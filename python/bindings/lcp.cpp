// Linear complementarity problems: solve_lcp and its certificate.
#include <stiction/lcp.hpp>

#include <filesystem>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>

#include "module.hpp"
#include "vectors.hpp"

namespace stiction::python {
namespace {

// M decides n; Error where it is not square or q does not fit.
Lcp to_lcp(const ArrayLike& M, const ArrayLike& q) {
  const std::size_t n = size_of(q);
  Lcp out;
  out.n = int(n);
  out.M = to_vector(M, {n, n}, "M");
  out.q = to_vector(q, {n}, "q");
  return out;
}

template <auto member>
auto as_array() {
  return [](const LcpResult& self) { return copy_of(self.*member); };
}

}  // namespace

void bind_lcp(nb::module_& module) {
  nb::enum_<LcpStatus>(module, "LcpStatus", "How a method of solve_lcp ended.")
      .value("solved", LcpStatus::kSolved, "the certificate is within the tolerance")
      .value("infeasible", LcpStatus::kInfeasible, "no z >= 0 has M z + q >= 0: farkas proves it")
      .value("no_solution", LcpStatus::kNoSolution, "none of the 2^n pieces holds a solution")
      .value("ray", LcpStatus::kRay, "Lemke's path left on a ray")
      .value("not_converged", LcpStatus::kNotConverged, "the message says why");
  nb::class_<LcpCertificate>(module, "LcpCertificate",
                             "Residuals of z and w, relative to the terms of each row and to the largest z.")
      .def_ro("equation", &LcpCertificate::equation, "largest |w - M z - q|")
      .def_ro("negative_z", &LcpCertificate::negative_z, "largest -z")
      .def_ro("negative_w", &LcpCertificate::negative_w, "largest -w")
      .def_ro("complementarity", &LcpCertificate::complementarity, "largest min(|z|, |w|)")
      .def_ro("worst", &LcpCertificate::worst, "index of the largest of all; -1: all are zero")
      .def_prop_ro("residual", &LcpCertificate::residual, "the largest of all");
  nb::class_<LcpRay>(module, "LcpRay", "The end of Lemke's path: (z, z0) + theta (direction, direction0).")
      .def_prop_ro(
          "z", [](const LcpRay& self) { return copy_of(self.z); }, nb::rv_policy::move, "a point of the path")
      .def_prop_ro(
          "direction", [](const LcpRay& self) { return copy_of(self.direction); }, nb::rv_policy::move, "of the ray")
      .def_prop_ro(
          "cover", [](const LcpRay& self) { return copy_of(self.cover); }, nb::rv_policy::move,
          "the covering vector d > 0")
      .def_ro("z0", &LcpRay::z0, "the artificial variable")
      .def_ro("direction0", &LcpRay::direction0, "its growth along the ray");
  nb::class_<LcpResult>(module, "LcpResult", "The answer of solve_lcp with its certificate or its proof.")
      .def_ro("status", &LcpResult::status, "how the method ended")
      .def_prop_ro("z", as_array<&LcpResult::z>(), nb::rv_policy::move, "best z found")
      .def_prop_ro("w", as_array<&LcpResult::w>(), nb::rv_policy::move, "M z + q")
      .def_ro("certificate", &LcpResult::certificate, "residuals of z and w")
      .def_ro("iterations", &LcpResult::iterations, "pivots, sweeps, Newton steps or pieces")
      .def_prop_ro(
          "ray", [](const LcpResult& self) { return self.ray.direction.empty() ? nb::none() : nb::cast(self.ray); },
          nb::sig("def ray(self) -> LcpRay | None"), "of method lemke, where it ended on one")
      .def_ro("ray_residual", &LcpResult::ray_residual, "largest violation of what a ray must satisfy")
      .def_prop_ro("farkas", as_array<&LcpResult::farkas>(), nb::rv_policy::move,
                   "y >= 0 with M^T y <= 0 and q^T y < 0; empty where there is no such proof")
      .def_ro("no_solution_below", &LcpResult::no_solution_below,
              "what farkas proves: z >= 0 with M z + q >= 0 has a sum at least this large; inf: there is none")
      .def_prop_ro(
          "solutions",
          [](const LcpResult& self) {
            nb::list out;
            for (const auto& z : self.solutions) out.append(copy_of(z));
            return out;
          },
          nb::sig("def solutions(self) -> list[numpy.typing.NDArray[numpy.float64]]"),
          "of method enumerate: every basic solution")
      .def_ro("message", &LcpResult::message, "one sentence")
      .def("__repr__", [](const LcpResult& self) { return "LcpResult(" + self.message + ")"; });

  const LcpSettings settings;
  module.def("lcp_methods", &lcp_methods, "The methods of solve_lcp.");
  module.def(
      "solve_lcp",
      [](const ArrayLike& M, const ArrayLike& q, std::string_view method, double tolerance, int max_iterations) {
        return solve_lcp(to_lcp(M, q), method, {tolerance, max_iterations});
      },
      nb::arg("M"), nb::arg("q"), nb::arg("method") = "lemke", nb::arg("tolerance") = settings.tolerance,
      nb::arg("max_iterations") = settings.max_iterations,
      "Solves w = M z + q, z >= 0, w >= 0, z^T w = 0 by lemke, pgs, newton-minmap or enumerate.");
  module.def(
      "certify_lcp",
      [](const ArrayLike& M, const ArrayLike& q, const ArrayLike& z, const ArrayLike& w) {
        const Lcp problem = to_lcp(M, q);
        return certify_lcp(problem, Input(z, problem.n, "z"), Input(w, problem.n, "w"));
      },
      nb::arg("M"), nb::arg("q"), nb::arg("z"), nb::arg("w"), "Residuals of a solution, from M, q, z and w alone.");
  module.def(
      "read_lcp",
      [](const std::filesystem::path& path) {
        const Lcp problem = read_lcp(path.string());
        const auto n = std::size_t(problem.n);
        const auto copy = [](const std::vector<double>& from) {
          return [&from](std::span<double> out) { std::copy(from.begin(), from.end(), out.begin()); };
        };
        return std::pair(filled<Matrix>({n, n}, copy(problem.M)), filled<Vector>({n}, copy(problem.q)));
      },
      nb::arg("path"), "M and q of a text file.");
}

}  // namespace stiction::python
