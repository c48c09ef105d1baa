// ConstrainedDynamics: accelerations and shocks of trees that are held by points, frames and loops. The interpreter's
// lock is kept, as for Dynamics.
#include <stiction/constrained_dynamics.hpp>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "module.hpp"
#include "vectors.hpp"

namespace stiction::python {
namespace {

using Answer = std::tuple<Vector, Vector, ProximalResult>;

void bind_constraint(nb::module_& module) {
  nb::enum_<BilateralType>(module, "BilateralType", "What a BilateralConstraint holds: a point or a frame.")
      .value("point", BilateralType::kPoint)
      .value("frame", BilateralType::kFrame);
  const nb::tuple zero = nb::make_tuple(0, 0, 0), identity = nb::make_tuple(1, 0, 0, 0);
  nb::class_<BilateralConstraint>(
      module, "BilateralConstraint",
      "Holds a point (3 rows) or a frame (6 rows) of body a at one of body b, in world axes: velocity of the points, "
      "then angular velocities, a minus b. Two bodies of one tree make a loop.")
      .def(
          "__init__",
          [](BilateralConstraint* self, BilateralType type, int body_a, const ArrayLike& position_a,
             const ArrayLike& quaternion_a, int body_b, const ArrayLike& position_b, const ArrayLike& quaternion_b,
             double stiffness, double damping) {
            new (self) BilateralConstraint{type,
                                           body_a,
                                           body_b,
                                           {to_vec3(position_a, "position_a"), to_quat(quaternion_a, "quaternion_a")},
                                           {to_vec3(position_b, "position_b"), to_quat(quaternion_b, "quaternion_b")},
                                           stiffness,
                                           damping};
          },
          nb::arg("type"), nb::arg("body_a"), nb::arg("position_a") = zero, nb::arg("quaternion_a") = identity,
          nb::arg("body_b") = 0, nb::arg("position_b") = zero, nb::arg("quaternion_b") = identity,
          nb::arg("stiffness") = 0.0, nb::arg("damping") = 0.0)
      .def_ro("type", &BilateralConstraint::type, "point or frame")
      .def_ro("body_a", &BilateralConstraint::body_a, "index of a body; 0: the world")
      .def_ro("body_b", &BilateralConstraint::body_b, "index of a body; 0: the world")
      .def_ro("pose_a", &BilateralConstraint::pose_a, "of the point or frame in body a")
      .def_ro("pose_b", &BilateralConstraint::pose_b, "of the point or frame in body b")
      .def_ro("stiffness", &BilateralConstraint::stiffness, "Baumgarte's, on the error [1/s^2]")
      .def_ro("damping", &BilateralConstraint::damping, "Baumgarte's, on the velocity [1/s]");
  nb::class_<ProximalResult>(module, "ProximalResult", "How the proximal iteration ended.")
      .def_ro("iterations", &ProximalResult::iterations, "solutions with the factor of the damped Delassus matrix")
      .def_ro("converged", &ProximalResult::converged, "the tolerance was reached")
      .def_ro("consistent", &ProximalResult::consistent, "false: rows contradict each other")
      .def_ro("residual", &ProximalResult::residual, "largest violation of a row [m/s^2 or rad/s^2; of impulses m/s]");
}

}  // namespace

void bind_constrained_dynamics(nb::module_& module) {
  bind_constraint(module);
  using Bound = ConstrainedDynamics;
  const ProximalSettings settings;
  nb::class_<Bound> bound(module, "ConstrainedDynamics",
                          "The dynamics of a model's kinematic trees held by points, frames and loops: M udot + bias = "
                          "tau + J^T lambda, by the principle of least constraint.");
  bound.def(
      "__init__",
      [](Bound* self, std::shared_ptr<const Model> model, std::vector<BilateralConstraint> constraints, double mu,
         double tolerance, int max_iterations) {
        new (self) Bound(std::move(model), std::move(constraints), {mu, tolerance, max_iterations});
      },
      nb::arg("model"), nb::arg("constraints"), nb::arg("mu") = settings.mu, nb::arg("tolerance") = settings.tolerance,
      nb::arg("max_iterations") = settings.max_iterations);
  bound.def_prop_ro(
      "model", [](const Bound& self) -> const Model& { return self.model(); }, nb::rv_policy::reference_internal,
      "the model");
  bound.def_prop_ro("rows", &Bound::rows, "number of rows of all constraints");
  bound.def(
      "accelerations",
      [](Bound& self, const ArrayLike& q, const ArrayLike& u, const ArrayLike& tau) {
        const Model& model = self.model();
        ProximalResult result;
        Vector lambda;
        Vector udot = filled<Vector>({std::size_t(model.nv)}, [&](std::span<double> out) {
          lambda = filled<Vector>({std::size_t(self.rows())}, [&](std::span<double> forces) {
            result = self.accelerations(Input(q, model.nq, "q"), Input(u, model.nv, "u"), Input(tau, model.nv, "tau"),
                                        out, forces);
          });
        });
        return Answer(udot, lambda, result);
      },
      nb::arg("q"), nb::arg("u"), nb::arg("tau"), "Accelerations, multipliers and how the iteration ended.");
  bound.def(
      "impulses",
      [](Bound& self, const ArrayLike& q, const ArrayLike& u, double restitution) {
        const Model& model = self.model();
        ProximalResult result;
        Vector lambda;
        Vector next = filled<Vector>({std::size_t(model.nv)}, [&](std::span<double> out) {
          lambda = filled<Vector>({std::size_t(self.rows())}, [&](std::span<double> shocks) {
            result = self.impulses(Input(q, model.nq, "q"), Input(u, model.nv, "u"), restitution, out, shocks);
          });
        });
        return Answer(next, lambda, result);
      },
      nb::arg("q"), nb::arg("u"), nb::arg("restitution") = 0.0,
      "Velocities after a shock, its impulses and how the iteration ended.");
  bound.def(
      "jacobian",
      [](Bound& self, const ArrayLike& q) {
        const Model& model = self.model();
        return filled<Matrix>({std::size_t(self.rows()), std::size_t(model.nv)},
                              [&](std::span<double> out) { self.jacobian(Input(q, model.nq, "q"), out); });
      },
      nb::arg("q"), "Velocity of the rows for unit velocities: rows x nv.");
  bound.def(
      "delassus",
      [](Bound& self, const ArrayLike& q) {
        const auto n = std::size_t(self.rows());
        return filled<Matrix>({n, n},
                              [&](std::span<double> out) { self.delassus(Input(q, self.model().nq, "q"), out); });
      },
      nb::arg("q"), "J M^-1 J^T: rows x rows.");
}

}  // namespace stiction::python
