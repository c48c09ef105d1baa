// Laws of a free rigid body: momentum, energy, equivalence of the inertia matrix with the kinetic energy.
#include "dynamics/free_body.hpp"

#include "math/cholesky.hpp"

#include <gtest/gtest.h>

#include <random>

namespace stiction {
namespace {

struct Body {
  FreeBody inertia;
  Mat3 inverse_inertia;
  Vec3 origin, velocity, omega;
  Quat q;

  Vec3 com() const { return origin + rotate(q, inertia.com); }
  Vec3 com_velocity() const { return velocity + rotate(q, cross(omega, inertia.com)); }
  // About the centre of mass, in the world frame.
  Vec3 angular_momentum() const { return rotate(q, inertia.inertia * omega); }
  double kinetic_energy() const {
    return 0.5 * inertia.mass * norm_squared(com_velocity()) + 0.5 * dot(omega, inertia.inertia * omega);
  }
  void move(double h) { move_free_body(inertia, inverse_inertia, h, origin, q, velocity, omega); }
};

Body random_body(std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto vector = [&] { return Vec3{unit(random), unit(random), unit(random)}; };
  Body body;
  body.inertia.mass = 2 + unit(random);
  body.inertia.com = vector() * 0.3;
  // Moments of a box: they meet the triangle inequality.
  const Vec3 s{1.1 + unit(random), 1.1 + unit(random), 1.1 + unit(random)};
  const Mat3 R = rotation_matrix(normalized(Quat{unit(random), unit(random), unit(random), unit(random)}));
  body.inertia.inertia =
      R * Mat3::diagonal({s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y}) * transpose(R);
  body.inverse_inertia = inverse(body.inertia.inertia);
  body.origin = vector();
  body.velocity = vector();
  body.omega = vector() * 5;
  body.q = normalized(Quat{unit(random), unit(random), unit(random), unit(random)});
  return body;
}

// Dzhanibekov: spun about the middle axis, the body tumbles, and momentum and energy stay. Rounding only: each of the
// 5,000 steps errs by a few units in the last place of 10, so 5e3 · 1e-15 bounds the relative drift generously.
TEST(FreeBody, torque_free_body_keeps_angular_momentum_and_energy) {
  Body body;
  body.inertia = {1, {}, Mat3::diagonal({1, 2, 3})};
  body.inverse_inertia = inverse(body.inertia.inertia);
  body.omega = {0.01, 5, 0.01};
  const Vec3 momentum = body.angular_momentum();
  const double energy = body.kinetic_energy();
  double lowest = 1;
  for (int i = 0; i < 5000; ++i) {
    body.move(0.002);
    lowest = std::min(lowest, rotation_matrix(body.q)(1, 1));
  }
  EXPECT_LT(lowest, -0.9) << "the body must tumble, or the test shows nothing";
  EXPECT_LT(norm(body.angular_momentum() - momentum) / norm(momentum), 5e-12);
  EXPECT_LT(std::abs(body.kinetic_energy() / energy - 1), 5e-12);
}

// The same for any inertia, centre of mass and step, also where a step turns the body by more than a radian.
TEST(FreeBody, any_body_keeps_linear_and_angular_momentum_and_energy) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    Body body = random_body(random);
    const double h = trial % 2 == 0 ? 0.002 : 0.3;
    const Vec3 angular = body.angular_momentum(), linear = body.com_velocity(), com = body.com();
    const double energy = body.kinetic_energy();
    for (int i = 0; i < 20; ++i) body.move(h);
    EXPECT_LT(norm(body.angular_momentum() - angular), 1e-12 * norm(angular));
    EXPECT_LT(norm(body.com_velocity() - linear), 1e-12 * (norm(linear) + norm(body.omega)));
    EXPECT_LT(norm(body.com() - (com + linear * (20 * h))), 1e-12 * (1 + norm(linear) * 20 * h));
    EXPECT_LT(std::abs(body.kinetic_energy() / energy - 1), 1e-11) << "h " << h << " trial " << trial;
  }
}

// Spin about a principal axis turns by h ω exactly.
TEST(FreeBody, principal_spin_turns_by_the_angle_h_omega) {
  Body body;
  body.inertia = {1, {}, Mat3::diagonal({1, 2, 3})};
  body.inverse_inertia = inverse(body.inertia.inertia);
  body.omega = {0, 0, 10};
  for (int i = 0; i < 10; ++i) body.move(0.01);
  const Mat3 R = rotation_matrix(body.q);
  EXPECT_NEAR(std::atan2(R(1, 0), R(0, 0)), 1.0, 1e-14);
}

// ½ uᵀ M u is the kinetic energy, and a Jacobian row gives the velocity of its point: for any offset of the mass
// centre.
TEST(FreeBody, inertia_matrix_gives_the_kinetic_energy) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Body body = random_body(random);
    const Mat3 R = rotation_matrix(body.q);
    double M[36], L[36];
    free_body_inertia(body.inertia, R, M);
    const double u[6] = {body.velocity.x, body.velocity.y, body.velocity.z, body.omega.x, body.omega.y, body.omega.z};
    double energy = 0;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) energy += 0.5 * u[i] * M[6 * i + j] * u[j];
    EXPECT_NEAR(energy, body.kinetic_energy(), 1e-13 * body.kinetic_energy());
    EXPECT_TRUE(cholesky_factor(M, 6, L));

    const Vec3 r{0.4, -0.7, 0.2}, d = normalized(Vec3{1, 2, -1});
    double row[6];
    free_body_row(R, r, d, row);
    double along = 0;
    for (int i = 0; i < 6; ++i) along += row[i] * u[i];
    EXPECT_NEAR(along, dot(d, body.velocity + cross(R * body.omega, r)), 1e-14 * 20);
  }
}

}  // namespace
}  // namespace stiction
