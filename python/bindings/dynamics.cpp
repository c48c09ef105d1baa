// Dynamics: the functions of kinematic trees, with arrays in and arrays out. The interpreter's lock is kept: a call
// takes microseconds, and an object has one scratch memory.
#include <stiction/dynamics.hpp>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/variant.h>

#include "module.hpp"
#include "vectors.hpp"

namespace stiction::python {
namespace {

using BodyName = std::variant<std::string, int>;
using Motion = std::pair<Array3, Array3>;  // linear, angular

int body_index(const Dynamics& self, const BodyName& body) {
  return std::holds_alternative<int>(body) ? std::get<int>(body) : self.model().body(std::get<std::string>(body));
}

Input positions(const Dynamics& self, const ArrayLike& q) {
  return {q, self.model().nq, "q"};
}
Input dofs(const Dynamics& self, const ArrayLike& x, const char* name) {
  return {x, self.model().nv, name};
}

std::size_t nv(const Dynamics& self) {
  return std::size_t(self.model().nv);
}

Motion motion(const Spatial& v) {
  return {from_vec3(v.linear), from_vec3(v.angular)};
}

void bind_forces(nb::class_<Dynamics>& bound) {
  bound.def(
      "rnea",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u, const ArrayLike& udot) {
        return filled<Vector>({nv(self)}, [&](std::span<double> out) {
          self.rnea(positions(self, q), dofs(self, u, "u"), dofs(self, udot, "udot"), out);
        });
      },
      nb::arg("q"), nb::arg("u"), nb::arg("udot"), "Generalized forces of a motion (recursive Newton-Euler).");
  bound.def(
      "aba",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u, const ArrayLike& tau) {
        return filled<Vector>({nv(self)}, [&](std::span<double> out) {
          self.aba(positions(self, q), dofs(self, u, "u"), dofs(self, tau, "tau"), out);
        });
      },
      nb::arg("q"), nb::arg("u"), nb::arg("tau"), "Accelerations of generalized forces (articulated bodies).");
  bound.def(
      "crba",
      [](Dynamics& self, const ArrayLike& q) {
        return filled<Matrix>({nv(self), nv(self)}, [&](std::span<double> out) { self.crba(positions(self, q), out); });
      },
      nb::arg("q"), "Mass matrix (composite rigid bodies), with armature.");
  bound.def(
      "solve_mass",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& x) {
        return filled<Vector>({nv(self)}, [&](std::span<double> out) {
          const Input in = dofs(self, x, "x");
          const std::span<const double> from = in;
          std::copy(from.begin(), from.end(), out.begin());
          self.solve_mass(positions(self, q), out);
        });
      },
      nb::arg("q"), nb::arg("x"), "M⁻¹ x by the tree-sparse factor of the mass matrix.");
  bound.def(
      "bias_force",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u) {
        return filled<Vector>(
            {nv(self)}, [&](std::span<double> out) { self.bias_force(positions(self, q), dofs(self, u, "u"), out); });
      },
      nb::arg("q"), nb::arg("u"), "Gravity, Coriolis and centrifugal force: rnea with udot = 0.");
  bound.def(
      "gravity_force",
      [](Dynamics& self, const ArrayLike& q) {
        return filled<Vector>({nv(self)}, [&](std::span<double> out) { self.gravity_force(positions(self, q), out); });
      },
      nb::arg("q"), "Forces that hold the robot still.");
}

void bind_bodies(nb::class_<Dynamics>& bound) {
  bound.def(
      "body_pose",
      [](Dynamics& self, const ArrayLike& q, const BodyName& body) {
        return self.body_pose(positions(self, q), body_index(self, body));
      },
      nb::arg("q"), nb::arg("body"), "Pose of a body (name or index) in the world.");
  bound.def(
      "body_velocity",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u, const BodyName& body) {
        return motion(self.body_velocity(positions(self, q), dofs(self, u, "u"), body_index(self, body)));
      },
      nb::arg("q"), nb::arg("u"), nb::arg("body"), nb::rv_policy::automatic,
      "Velocity of the body origin and angular velocity, in world axes.");
  bound.def(
      "body_acceleration",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u, const ArrayLike& udot, const BodyName& body) {
        return motion(self.body_acceleration(positions(self, q), dofs(self, u, "u"), dofs(self, udot, "udot"),
                                             body_index(self, body)));
      },
      nb::arg("q"), nb::arg("u"), nb::arg("udot"), nb::arg("body"), nb::rv_policy::automatic,
      "Acceleration of the body origin and angular acceleration, in world axes, without gravity.");
  bound.def(
      "point_jacobian",
      [](Dynamics& self, const ArrayLike& q, const BodyName& body, const ArrayLike& point) {
        return filled<Matrix>({3, nv(self)}, [&](std::span<double> out) {
          self.point_jacobian(positions(self, q), body_index(self, body), to_vec3(point, "point"), out);
        });
      },
      nb::arg("q"), nb::arg("body"), nb::arg("point"),
      "Jacobian of the velocity, in world axes, of a point given in the body frame.");
  bound.def(
      "point_bias",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u, const BodyName& body, const ArrayLike& point) {
        return from_vec3(
            self.point_bias(positions(self, q), dofs(self, u, "u"), body_index(self, body), to_vec3(point, "point")));
      },
      nb::arg("q"), nb::arg("u"), nb::arg("body"), nb::arg("point"), nb::rv_policy::automatic,
      "Acceleration of the point at udot = 0: the derivative of its Jacobian times u.");
  bound.def(
      "frame_jacobian",
      [](Dynamics& self, const ArrayLike& q, const BodyName& body) {
        return filled<Matrix>({6, nv(self)}, [&](std::span<double> out) {
          self.frame_jacobian(positions(self, q), body_index(self, body), out);
        });
      },
      nb::arg("q"), nb::arg("body"), "Rows 0 to 2: velocity of the body origin; rows 3 to 5: angular velocity.");
  bound.def(
      "frame_bias",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u, const BodyName& body) {
        return motion(self.frame_bias(positions(self, q), dofs(self, u, "u"), body_index(self, body)));
      },
      nb::arg("q"), nb::arg("u"), nb::arg("body"), nb::rv_policy::automatic,
      "Acceleration of the body origin and angular acceleration at udot = 0.");
}

void bind_sums(nb::class_<Dynamics>& bound) {
  bound.def(
      "kinetic_energy",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u) {
        return self.kinetic_energy(positions(self, q), dofs(self, u, "u"));
      },
      nb::arg("q"), nb::arg("u"), "Kinetic energy [J].");
  bound.def(
      "potential_energy", [](Dynamics& self, const ArrayLike& q) { return self.potential_energy(positions(self, q)); },
      nb::arg("q"), "Potential energy of weight [J].");
  bound.def_prop_ro("mass", &Dynamics::mass, "mass of the moving bodies [kg]");
  bound.def(
      "centre_of_mass",
      [](Dynamics& self, const ArrayLike& q) { return from_vec3(self.centre_of_mass(positions(self, q))); },
      nb::arg("q"), nb::rv_policy::automatic, "Centre of mass of the moving bodies [m].");
  bound.def(
      "centroidal_momentum",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u) {
        return motion(self.centroidal_momentum(positions(self, q), dofs(self, u, "u")));
      },
      nb::arg("q"), nb::arg("u"), nb::rv_policy::automatic,
      "Linear momentum and angular momentum about the centre of mass.");
  bound.def(
      "centroidal_matrix",
      [](Dynamics& self, const ArrayLike& q) {
        return filled<Matrix>({6, nv(self)},
                              [&](std::span<double> out) { self.centroidal_matrix(positions(self, q), out); });
      },
      nb::arg("q"), "Matrix of the centroidal momentum: rows 0 to 2 linear, 3 to 5 angular.");
  bound.def(
      "integrate",
      [](Dynamics& self, const ArrayLike& q, const ArrayLike& u, double h) {
        return filled<Vector>({std::size_t(self.model().nq)}, [&](std::span<double> out) {
          self.integrate(positions(self, q), dofs(self, u, "u"), h, out);
        });
      },
      nb::arg("q"), nb::arg("u"), nb::arg("h"), "Positions after the time h [s] at the velocity u.");
}

}  // namespace

void bind_dynamics(nb::module_& module) {
  nb::class_<Dynamics> bound(module, "Dynamics",
                             "The dynamics of a model's kinematic trees, function by function: M(q) udot + bias(q, u) "
                             "= tau. Rigid bodies and joints alone, without contacts, limits or actuators.");
  bound.def(nb::init<std::shared_ptr<const Model>>(), nb::arg("model"));
  bound.def_prop_ro(
      "model", [](const Dynamics& self) -> const Model& { return self.model(); }, nb::rv_policy::reference_internal,
      "the model");
  bind_forces(bound);
  bind_bodies(bound);
  bind_sums(bound);
}

}  // namespace stiction::python
