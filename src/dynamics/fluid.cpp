// Forces of the fluid around all bodies: the inertia-box model of MJCF (MuJoCo's documentation, "Computation", section
// "Fluid forces"). A body is taken as the box with its mass and inertia; with b its sides, d their mean, v and ω its
// velocities in the axes of its inertia, v at its centre of mass and against the wind, ρ the density and β the
// viscosity:
//
//   viscous:  f = −3π d β v,            τ = −π d³ β ω
//   drag:     f_i = −½ ρ b_j b_k |v_i| v_i,   τ_i = −ρ b_i (b_j⁴ + b_k⁴) |ω_i| ω_i / 64
//
// taken at the velocity at the start of the step.
#include "dynamics/kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kLeast = 1e-15;  // of masses [kg] and moments of inertia [kg m²]

Vec3 box_sides(double mass, const Vec3& inertia) {
  const double sum = inertia.x + inertia.y + inertia.z;
  Vec3 sides;
  for (int i = 0; i < 3; ++i) sides[i] = std::sqrt(6 * std::max(kLeast, sum - 2 * inertia[i]) / mass);
  return sides;
}

Spatial fluid_force(const Options& options, const Vec3& b, const Vec3& v, const Vec3& omega) {
  const double d = (b.x + b.y + b.z) / 3, viscous = std::numbers::pi * d * options.fluid_viscosity;
  Spatial f{omega * (-viscous * d * d), v * (-3 * viscous)};
  for (int i = 0; i < 3; ++i) {
    const double second = b[(i + 1) % 3], third = b[(i + 2) % 3];
    const double fourth_powers = std::pow(second, 4) + std::pow(third, 4);
    f.linear[i] -= 0.5 * options.fluid_density * second * third * std::abs(v[i]) * v[i];
    f.angular[i] -= options.fluid_density * b[i] * fourth_powers * std::abs(omega[i]) * omega[i] / 64;
  }
  return f;
}

}  // namespace

void add_fluid_forces(const Model& model, const Options& options, const State& state, Workspace& w) {
  if (options.fluid_density == 0 && options.fluid_viscosity == 0) return;
  compute_link_velocities(state.u, w);
  for (int body = 1; body < model.nbody; ++body) {
    const auto b = std::size_t(body);
    if (model.body_tree[b] < 0 || model.body_mass[b] < kLeast) continue;
    const Vec3 com = w.body_pose[b] * model.body_com[b];
    const Mat3 axes = rotation_matrix(w.body_pose[b].q * model.body_inertia_frame[b]);
    const Vec3 v = transpose_times(axes, point_velocity(model, w, body, com, state.u) - options.wind);
    const Vec3 omega = transpose_times(axes, angular_velocity(model, w, body, state.u));
    const Spatial f = fluid_force(options, box_sides(model.body_mass[b], model.body_inertia[b]), v, omega);
    add_wrench(model, w, body, com, axes * f.linear, axes * f.angular, w.mechanism.passive_force.data());
  }
}

}  // namespace stiction
