// Laws of the tree algorithms on random trees of up to 60 joints: identities between them, and finite differences.
//
// Identities hold to rounding, about 1e-15 per operation times the length of a path and the ratio of its inertias; the
// bounds below stand an order above the worst of all draws. Central differences with the step h = 1e-5 err by h² and by
// rounding / h, together about 1e-9.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/dynamics.hpp>

#include "math/sin_cos.hpp"
#include "support/random_tree.hpp"

namespace stiction {
namespace {

using test::Random;
using test::random_positions;
using test::random_vector;

constexpr double kStep = 1e-5;

double size_of(const std::vector<double>& x) {
  double size = 0;
  for (double value : x) size = std::max(size, std::abs(value));
  return size;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

double difference(const Vec3& a, const Vec3& b) {
  return norm(a - b);
}

// A drawn tree with a drawn state.
struct Draw {
  explicit Draw(int joints, std::uint64_t seed)
      : random(seed),
        model(std::make_shared<const Model>(test::random_tree(joints, random))),
        dynamics(model),
        n(std::size_t(model->nv)),
        q(random_positions(*model, random)),
        u(random_vector(model->nv, random)),
        udot(random_vector(model->nv, random, 3)) {}

  // q ⊕ t u.
  std::vector<double> moved(double t, const std::vector<double>& velocity) {
    std::vector<double> next(q.size());
    dynamics.integrate(q, velocity, t, next);
    return next;
  }
  std::vector<double> mass() {
    std::vector<double> M(n * n);
    dynamics.crba(q, M);
    return M;
  }
  // |M| |M⁻¹|, by their largest entries.
  double condition() {
    double inverse = 0;
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> column(n);
      column[k] = 1;
      dynamics.solve_mass(q, column);
      inverse = std::max(inverse, size_of(column));
    }
    return size_of(mass()) * inverse;
  }
  int any_body() { return random.integer(1, model->nbody - 1); }

  Random random;
  std::shared_ptr<const Model> model;
  Dynamics dynamics;
  std::size_t n;
  std::vector<double> q, u, udot;
};

class Trees : public testing::TestWithParam<int> {
 protected:
  // Calls law(draw) for many trees of this size.
  template <class Law>
  void for_draws(Law law) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Draw draw(GetParam(), seed);
      SCOPED_TRACE(seed);
      law(draw);
      if (HasFatalFailure()) return;
    }
  }
};

TEST_P(Trees, aba_undoes_rnea) {
  for_draws([](Draw& d) {
    std::vector<double> tau(d.n), back(d.n);
    d.dynamics.rnea(d.q, d.u, d.udot, tau);
    d.dynamics.aba(d.q, d.u, tau, back);
    // Errors of a linear system: rounding times the condition of M (1e8 for chains of 60). Weight acts like 10 m/s².
    ASSERT_LT(difference(back, d.udot), 1e-14 * d.condition() * (10 + size_of(d.udot)));
  });
}

TEST_P(Trees, mass_matrix_is_symmetric_and_its_columns_are_forces_of_unit_accelerations) {
  for_draws([](Draw& d) {
    const std::vector<double> M = d.mass(), zero(d.n);
    std::vector<double> bias(d.n), unit(d.n), column(d.n);
    d.dynamics.bias_force(d.q, zero, bias);
    const double size = size_of(M) + size_of(bias);
    for (std::size_t k = 0; k < d.n; ++k) {
      unit.assign(d.n, 0);
      unit[k] = 1;
      d.dynamics.rnea(d.q, zero, unit, column);
      for (std::size_t i = 0; i < d.n; ++i) {
        ASSERT_EQ(M[i * d.n + k], M[k * d.n + i]);
        ASSERT_NEAR(column[i] - bias[i], M[i * d.n + k], 1e-12 * size);
      }
    }
  });
}

TEST_P(Trees, mass_matrix_is_positive_definite_and_its_factor_solves) {
  for_draws([](Draw& d) {
    const std::vector<double> M = d.mass();
    std::vector<double> x = d.udot, product(d.n);
    d.dynamics.solve_mass(d.q, x);  // throws where M is not positive definite
    for (std::size_t i = 0; i < d.n; ++i)
      for (std::size_t j = 0; j < d.n; ++j) product[i] += M[i * d.n + j] * x[j];
    ASSERT_LT(difference(product, d.udot), 1e-14 * double(d.n) * size_of(M) * size_of(x));
  });
}

TEST_P(Trees, kinetic_energy_is_half_u_M_u) {
  for_draws([](Draw& d) {
    const std::vector<double> M = d.mass();
    double twice = 0;
    for (std::size_t i = 0; i < d.n; ++i)
      for (std::size_t j = 0; j < d.n; ++j) twice += d.u[i] * M[i * d.n + j] * d.u[j];
    const double energy = d.dynamics.kinetic_energy(d.q, d.u);
    ASSERT_GT(energy, 0);
    ASSERT_NEAR(energy, twice / 2, 1e-12 * energy);
  });
}

// Power of gravity and of inertia: u·(bias) at rest is the rate of potential energy; uᵀ(M u̇ + bias) that of all energy.
TEST_P(Trees, generalized_force_times_velocity_is_the_rate_of_energy) {
  for_draws([](Draw& d) {
    std::vector<double> tau(d.n);
    d.dynamics.rnea(d.q, d.u, d.udot, tau);
    double power = 0;
    for (std::size_t i = 0; i < d.n; ++i) power += tau[i] * d.u[i];
    const auto energy = [&](double t) {
      std::vector<double> u = d.u, mean = d.u;
      for (std::size_t i = 0; i < d.n; ++i) u[i] += t * d.udot[i], mean[i] += 0.5 * t * d.udot[i];
      const std::vector<double> q = d.moved(t, mean);
      return d.dynamics.kinetic_energy(q, u) + d.dynamics.potential_energy(q);
    };
    const double rate = (energy(kStep) - energy(-kStep)) / (2 * kStep);
    ASSERT_NEAR(power, rate, 1e-7 * (std::abs(energy(0)) + std::abs(power) + 1));
  });
}

TEST_P(Trees, jacobian_of_a_point_is_the_derivative_of_its_position) {
  for_draws([](Draw& d) {
    const int body = d.any_body();
    const Vec3 point = d.random.vector(0.5);
    std::vector<double> J(3 * d.n), frame(6 * d.n);
    d.dynamics.point_jacobian(d.q, body, point, J);
    d.dynamics.frame_jacobian(d.q, body, frame);
    const auto column = [&](const std::vector<double>& A, std::size_t row, std::size_t k) {
      return Vec3{A[row * d.n + k], A[(row + 1) * d.n + k], A[(row + 2) * d.n + k]};
    };
    for (std::size_t k = 0; k < d.n; ++k) {
      std::vector<double> unit(d.n);
      unit[k] = 1;
      const Transform plus = d.dynamics.body_pose(d.moved(kStep, unit), body);
      const Transform minus = d.dynamics.body_pose(d.moved(-kStep, unit), body);
      ASSERT_LT(difference((plus * point - minus * point) / (2 * kStep), column(J, 0, k)), 1e-8);
      ASSERT_LT(difference((plus.p - minus.p) / (2 * kStep), column(frame, 0, k)), 1e-8);
      // plus · minus⁻¹ turns by 2 h ω
      const Quat turn = plus.q * conjugate(minus.q);
      const Vec3 omega = Vec3{turn.x, turn.y, turn.z} * ((turn.w < 0 ? -1 : 1) / kStep);
      ASSERT_LT(difference(omega, column(frame, 3, k)), 1e-8);
    }
  });
}

TEST_P(Trees, velocity_is_the_jacobian_times_u) {
  for_draws([](Draw& d) {
    const int body = d.any_body();
    std::vector<double> J(6 * d.n), product(6);
    d.dynamics.frame_jacobian(d.q, body, J);
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t k = 0; k < d.n; ++k) product[i] += J[i * d.n + k] * d.u[k];
    const Spatial v = d.dynamics.body_velocity(d.q, d.u, body);
    ASSERT_LT(difference(v.linear, {product[0], product[1], product[2]}), 1e-11);
    ASSERT_LT(difference(v.angular, {product[3], product[4], product[5]}), 1e-11);
  });
}

TEST_P(Trees, bias_of_a_point_is_the_derivative_of_its_velocity_at_constant_u) {
  for_draws([](Draw& d) {
    const int body = d.any_body();
    const Vec3 point = d.random.vector(0.5);
    const auto velocity = [&](double t) {
      const std::vector<double> q = d.moved(t, d.u);
      const Spatial v = d.dynamics.body_velocity(q, d.u, body);
      return Spatial{v.angular, v.linear + cross(v.angular, rotate(d.dynamics.body_pose(q, body).q, point))};
    };
    const Spatial plus = velocity(kStep), minus = velocity(-kStep);
    const Vec3 bias = d.dynamics.point_bias(d.q, d.u, body, point);
    const double size = 1 + norm(bias);
    ASSERT_LT(difference((plus.linear - minus.linear) / (2 * kStep), bias), 1e-7 * size);
    const Spatial frame = d.dynamics.frame_bias(d.q, d.u, body);
    ASSERT_LT(difference((plus.angular - minus.angular) / (2 * kStep), frame.angular), 1e-7 * size);
    // With an acceleration: p̈ = J u̇ + J̇ u.
    std::vector<double> J(3 * d.n);
    d.dynamics.point_jacobian(d.q, body, {}, J);
    Vec3 expected = frame.linear;
    for (int i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < d.n; ++k) expected[i] += J[std::size_t(i) * d.n + k] * d.udot[k];
    ASSERT_LT(difference(d.dynamics.body_acceleration(d.q, d.u, d.udot, body).linear, expected), 1e-10 * size);
  });
}

TEST_P(Trees, momentum_is_mass_times_the_velocity_of_the_centre_of_mass_and_the_matrix_times_u) {
  for_draws([](Draw& d) {
    const Spatial h = d.dynamics.centroidal_momentum(d.q, d.u);
    const Vec3 plus = d.dynamics.centre_of_mass(d.moved(kStep, d.u));
    const Vec3 minus = d.dynamics.centre_of_mass(d.moved(-kStep, d.u));
    const double m = d.dynamics.mass();
    ASSERT_LT(difference((plus - minus) * (m / (2 * kStep)), h.linear), 1e-8 * m);
    std::vector<double> A(6 * d.n), product(6);
    d.dynamics.centroidal_matrix(d.q, A);
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t k = 0; k < d.n; ++k) product[i] += A[i * d.n + k] * d.u[k];
    const double size = m * (1 + norm(h.linear) + norm(h.angular));
    ASSERT_LT(difference(h.linear, {product[0], product[1], product[2]}), 1e-12 * size);
    ASSERT_LT(difference(h.angular, {product[3], product[4], product[5]}), 1e-12 * size);
  });
}

INSTANTIATE_TEST_SUITE_P(Sizes, Trees, testing::Values(1, 3, 10, 30, 60),
                         [](const auto& joints) { return std::to_string(joints.param) + "_joints"; });

// Whatever the joints of a floating robot do, only weight changes its momentum: ḣ = m g, no torque about its centre.
TEST(Tree, inner_forces_do_not_change_the_momentum_of_a_flying_robot) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    Builder builder("flying");
    builder.options.gravity = random.vector(10);
    int parent = 0;
    for (int i = 0; i < 12; ++i) {
      parent = builder.add_body("", {random.vector(0.4), random.rotation()}, i % 4 == 0 ? std::min(parent, 1) : parent);
      test::add_random_inertia(builder, parent, random);
      if (i == 0)
        builder.add_joint_free(parent);
      else
        builder.add_joint(parent, i % 5 == 0 ? JointType::kBall : JointType::kHinge, random.direction());
    }
    const auto model = std::make_shared<const Model>(builder.build());
    Dynamics dynamics(model);
    const std::vector<double> q = random_positions(*model, random), u = random_vector(model->nv, random);
    std::vector<double> tau = random_vector(model->nv, random, 5), udot(tau.size());
    std::fill(tau.begin(), tau.begin() + 6, 0.0);  // no force from outside
    dynamics.aba(q, u, tau, udot);
    const auto momentum = [&](double t) {
      std::vector<double> end = u, mean = u, next(q.size());
      for (std::size_t i = 0; i < end.size(); ++i) end[i] += t * udot[i], mean[i] += 0.5 * t * udot[i];
      dynamics.integrate(q, mean, t, next);
      return dynamics.centroidal_momentum(next, end);
    };
    const Spatial rate = (momentum(kStep) - momentum(-kStep)) * (1 / (2 * kStep));
    const double size = 1 + size_of(udot);
    EXPECT_LT(difference(rate.linear, model->options.gravity * dynamics.mass()), 1e-6 * size);
    EXPECT_LT(norm(rate.angular), 1e-6 * size);
    EXPECT_GT(size_of(udot), 1) << "the joints must move";
  }
}

TEST(Tree, wrong_arguments_are_named) {
  Random random(1);
  const auto model = std::make_shared<const Model>(test::random_tree(5, random));
  Dynamics dynamics(model);
  std::vector<double> q = model->q_reference, x(std::size_t(model->nv)), shorter(std::size_t(model->nv) - 1),
                      longer(q.size() + 1);
  const auto message = [](auto call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(message([&] { dynamics.rnea(q, x, shorter, x); }).find("udot has "), std::string::npos);
  EXPECT_NE(message([&] { dynamics.rnea(longer, x, x, x); }).find("q has "), std::string::npos);
  EXPECT_NE(message([&] { dynamics.crba(q, x); }).find("mass has "), std::string::npos);
  EXPECT_NE(message([&] { dynamics.body_pose(q, model->nbody); }).find("there is no body"), std::string::npos);
}

// A joint whose body resists no turn about its axis: the inertia of a point at the anchor.
TEST(Tree, a_joint_that_meets_no_inertia_is_named) {
  Builder builder;
  const int body = builder.add_body("point");
  builder.set_inertia(body, 1, {}, {});
  builder.add_joint(body, JointType::kHinge, {0, 0, 1}, {}, "spindle");
  Dynamics dynamics(std::make_shared<const Model>(builder.build()));
  std::vector<double> q(1), x(1);
  EXPECT_THROW(
      {
        try {
          dynamics.aba(q, x, x, x);
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("'spindle'"), std::string::npos);
          throw;
        }
      },
      Error);
  EXPECT_THROW(dynamics.solve_mass(q, x), Error);
}

// Against the library functions, which are right to less than one unit in the last place. Ours: measured 1.94 units.
TEST(SinCos, is_right_to_two_units_in_the_last_place) {
  Random random(3);
  double worst = 0;
  const auto check = [&](double x) {
    double s = 0, c = 0;
    sin_cos(x, s, c);
    const auto error = [](double value, long double exact) {
      const double unit = std::nextafter(std::abs(double(exact)), 10.0) - std::abs(double(exact));
      return double(std::abs((long double)(value)-exact)) / unit;
    };
    worst = std::max({worst, error(s, std::sin((long double)(x))), error(c, std::cos((long double)(x)))});
  };
  for (int i = 0; i < 200000; ++i) check(random.uniform(-10, 10));
  for (int i = 0; i < 100000; ++i) check(random.uniform(-1, 1) * random.log_uniform(1e-12, 1e7));
  for (int n = -1000; n <= 1000; ++n) check(n * 1.5707963267948966);  // where one of the two almost vanishes
  std::printf("largest error: %.3f units in the last place\n", worst);
  EXPECT_LT(worst, 2);
}

}  // namespace
}  // namespace stiction
