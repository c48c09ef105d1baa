// Small worlds that many tests share, built in code.
#pragma once

#include <stiction/builder.hpp>
#include <stiction/simulation.hpp>

#include <cmath>
#include <memory>

namespace stiction::test {

inline ShapeSettings surface(double friction, double restitution = 0) {
  ShapeSettings settings;
  settings.friction = {friction, 0, 0};
  settings.restitution = restitution;
  return settings;
}

// A plane tilted by `angle` about y (downhill is +x) and a box (half-sizes s) flush on it.
inline Model box_on_slope(double angle, double friction, const Vec3& s = {0.1, 0.1, 0.05}) {
  Builder builder("slope");
  const Quat tilt{std::cos(angle / 2), 0, std::sin(angle / 2), 0};
  builder.add_shape_plane(0, {{}, tilt}, surface(friction));
  const int box = builder.add_body("box", {rotate(tilt, Vec3{0, 0, s.z}), tilt});
  builder.add_joint_free(box);
  builder.add_shape_box(box, s, {}, surface(friction));
  return builder.build();
}

// A column of cubes with edge 0.1 on a floor; mass of cube i = factorⁱ kg.
inline Model cube_stack(int count, double factor, double friction = 0.5) {
  Builder builder("stack");
  builder.add_shape_plane(0, {}, surface(friction));
  for (int i = 0; i < count; ++i) {
    const int cube = builder.add_body("cube" + std::to_string(i), {{0, 0, 0.05 + 0.1 * i}, {}});
    builder.add_joint_free(cube);
    ShapeSettings settings = surface(friction);
    settings.density = 1000 * std::pow(factor, i);
    builder.add_shape_box(cube, {0.05, 0.05, 0.05}, {}, settings);
  }
  return builder.build();
}

// A ball above a floor; gap between its lowest point and the floor.
inline Model ball_over_floor(double gap, double friction, double restitution, double radius = 0.1) {
  Builder builder("ball");
  builder.add_shape_plane(0, {}, surface(friction, restitution));
  const int ball = builder.add_body("ball", {{0, 0, radius + gap}, {}});
  builder.add_joint_free(ball);
  builder.add_shape_sphere(ball, radius, {}, surface(friction, restitution));
  return builder.build();
}

// side × side cubes above a floor, each turned and raised a little differently, none touching another: many islands.
inline Model scattered_cubes(int side) {
  Builder builder("scattered");
  builder.add_shape_plane(0, {}, surface(0.5));
  for (int i = 0; i < side * side; ++i) {
    const int row = i / side;
    const double x = 0.25 * (i % side), y = 0.25 * row, phase = 0.7 * i;
    const Quat turn = quat_from_rotation_vector(Vec3{std::sin(phase), std::cos(2 * phase), std::sin(3 * phase)});
    const int cube = builder.add_body("cube" + std::to_string(i), {{x, y, 0.1 + 0.01 * (i % 5)}, turn});
    builder.add_joint_free(cube);
    builder.add_shape_box(cube, {0.05, 0.05, 0.05}, {}, surface(0.5));
  }
  return builder.build();
}

inline Simulation simulate(const Model& model, double timestep = 0.002, int threads = 1) {
  Options options = model.options;
  options.timestep = timestep;
  options.threads = threads;
  return Simulation(std::make_shared<const Model>(model), options);
}

// For laws of the semi-implicit step, q⁺ = q ⊕ h u⁺, in closed form.
inline Simulation simulate_euler(Model model, double timestep) {
  model.options.integrator = "euler";
  return simulate(model, timestep);
}

}  // namespace stiction::test
