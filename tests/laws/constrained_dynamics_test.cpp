// Laws of constrained dynamics on random trees with random points, frames and loops: momentum, rows, Gauss's principle,
// finite differences of the rows, energy of shocks; a pendulum; and what happens to dependent rows.
//
// Identities hold to rounding times the condition of the Delassus matrix; the bounds stand an order above the worst of
// all draws, which is noted beside them.
#include <gtest/gtest.h>

#include <cmath>

#include <stiction/constrained_dynamics.hpp>
#include <stiction/dynamics.hpp>

#include "support/allocation_count.hpp"
#include "support/random_tree.hpp"

namespace stiction {
namespace {

using test::Random;
using test::random_positions;
using test::random_vector;
using Numbers = std::vector<double>;

double size_of(const Numbers& x) {
  double size = 0;
  for (double value : x) size = std::max(size, std::abs(value));
  return size;
}

// A x for a matrix of x.size() columns.
Numbers product(const Numbers& A, const Numbers& x) {
  Numbers y(A.size() / x.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += A[i * x.size() + j] * x[j];
  return y;
}

// Aᵀ x.
Numbers transposed_product(const Numbers& A, const Numbers& x) {
  Numbers y(A.size() / x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < y.size(); ++j) y[j] += A[i * y.size() + j] * x[i];
  return y;
}

Numbers sum(const Numbers& a, double scale, const Numbers& b) {
  Numbers c = a;
  for (std::size_t i = 0; i < a.size(); ++i) c[i] += scale * b[i];
  return c;
}

double dot(const Numbers& a, const Numbers& b) {
  double total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

std::vector<BilateralConstraint> random_constraints(const Model& model, int count, Random& random) {
  std::vector<BilateralConstraint> constraints(static_cast<std::size_t>(count));
  for (BilateralConstraint& c : constraints) {
    c.type = random.chance(0.3) ? BilateralType::kFrame : BilateralType::kPoint;
    c.body_a = random.integer(0, model.nbody - 1);
    c.body_b = random.chance(0.5) ? 0 : random.integer(0, model.nbody - 1);
    c.pose_a = {random.vector(0.3), random.rotation()};
    c.pose_b = {random.vector(0.3), random.rotation()};
  }
  return constraints;
}

// A drawn tree with a drawn state and constraints.
struct Draw {
  Draw(int joints, int constraints, std::uint64_t seed)
      : random(seed),
        model(std::make_shared<const Model>(test::random_tree(joints, random))),
        dynamics(model),
        held(model, random_constraints(*model, constraints, random)),
        q(random_positions(*model, random)),
        u(random_vector(model->nv, random)),
        tau(random_vector(model->nv, random, 10)),
        udot(u.size()),
        lambda(std::size_t(held.rows())) {}

  Numbers mass() {
    Numbers M(u.size() * u.size());
    dynamics.crba(q, M);
    return M;
  }
  Numbers jacobian(const Numbers& at) {
    Numbers J(std::size_t(held.rows()) * u.size());
    held.jacobian(at, J);
    return J;
  }
  Numbers bias() {
    Numbers b(u.size());
    dynamics.bias_force(q, u, b);
    return b;
  }
  Numbers moved(double t) {
    Numbers next(q.size());
    dynamics.integrate(q, u, t, next);
    return next;
  }

  Random random;
  std::shared_ptr<const Model> model;
  Dynamics dynamics;
  ConstrainedDynamics held;
  Numbers q, u, tau, udot, lambda;
};

TEST(ConstrainedDynamics, forces_of_the_rows_make_up_the_balance_of_momentum) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draw draw(1 + int(seed), 1 + int(seed % 5), seed);
    const ProximalResult result = draw.held.accelerations(draw.q, draw.u, draw.tau, draw.udot, draw.lambda);
    EXPECT_TRUE(result.converged) << "seed " << seed;
    // M u̇ + bias − τ − Jᵀ λ = 0, whether the rows are dependent or not. Worst 6e-13 of the largest terms.
    const Numbers inertia = product(draw.mass(), draw.udot),
                  push = transposed_product(draw.jacobian(draw.q), draw.lambda);
    const Numbers balance = sum(sum(sum(inertia, 1, draw.bias()), -1, draw.tau), -1, push);
    EXPECT_LE(size_of(balance), 1e-11 * (size_of(inertia) + size_of(push) + 10)) << "seed " << seed;
  }
}

// J̇ u by central differences of the Jacobian with the step t = 1e-5: an error of t² and of rounding / t; worst
// 3e-11.
TEST(ConstrainedDynamics, rows_hold_to_second_order) {
  int met = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Draw draw(4 + int(seed), 1 + int(seed % 3), seed);
    const ProximalResult result = draw.held.accelerations(draw.q, draw.u, draw.tau, draw.udot, draw.lambda);
    if (!result.consistent) continue;
    ++met;
    const double t = 1e-5;
    const Numbers ahead = product(draw.jacobian(draw.moved(t)), draw.u);
    const Numbers behind = product(draw.jacobian(draw.moved(-t)), draw.u);
    Numbers rows = product(draw.jacobian(draw.q), draw.udot);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += (ahead[i] - behind[i]) / (2 * t);
    EXPECT_LE(size_of(rows), 1e-9 * (1 + size_of(draw.udot))) << "seed " << seed;
  }
  EXPECT_GE(met, 20);
}

// Gauss: no other acceleration that meets the rows is closer to the free one in the metric M. A step d along the rows
// (J d = 0) is M-orthogonal to u̇ − u̇_free, because that is M⁻¹ Jᵀ λ. Worst 3e-11.
TEST(ConstrainedDynamics, acceleration_is_the_one_of_least_constraint) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Draw draw(10 + int(seed % 20), 1 + int(seed % 4), seed);
    draw.held.accelerations(draw.q, draw.u, draw.tau, draw.udot, draw.lambda);
    Numbers free(draw.u.size()), along(draw.u.size()), ignored(draw.lambda.size());
    draw.dynamics.aba(draw.q, draw.u, draw.tau, free);
    // Any velocity after a shock without restitution meets J d = 0, dependent rows or not.
    draw.held.impulses(draw.q, random_vector(draw.model->nv, draw.random), 0, along, ignored);
    const Numbers deviation = sum(draw.udot, -1, free), weighted = product(draw.mass(), deviation);
    const double scale = std::sqrt(dot(weighted, deviation) * dot(product(draw.mass(), along), along));
    EXPECT_LE(std::abs(dot(weighted, along)), 1e-9 * scale + 1e-9) << "seed " << seed;
  }
}

// The kinetic energy that a shock takes: (1 − e²) ½ (u − u⁰)ᵀ M (u − u⁰), with u⁰ the velocity after e = 0. Worst
// 8e-12.
TEST(ConstrainedDynamics, shocks_lose_the_energy_of_the_velocity_that_they_stop) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Draw draw(3 + int(seed), 1 + int(seed % 4), seed);
    Numbers stopped(draw.u.size()), after(draw.u.size());
    draw.held.impulses(draw.q, draw.u, 0, stopped, draw.lambda);
    EXPECT_LE(size_of(product(draw.jacobian(draw.q), stopped)), 1e-10 * (1 + size_of(draw.u)));
    const Numbers lost = sum(draw.u, -1, stopped);
    const double energy = draw.dynamics.kinetic_energy(draw.q, draw.u);
    const double stop = 0.5 * dot(lost, product(draw.mass(), lost));
    for (const double e : {0.0, 0.5, 1.0}) {
      draw.held.impulses(draw.q, draw.u, e, after, draw.lambda);
      EXPECT_NEAR(draw.dynamics.kinetic_energy(draw.q, after), energy - (1 - e * e) * stop, 1e-10 * energy) << seed;
    }
  }
}

// A rod of length l hung by its end at the angle φ from straight down: φ̈ = −(3 g / 2 l) sin φ.
TEST(ConstrainedDynamics, rod_held_at_its_end_is_a_pendulum) {
  const double l = 0.8, m = 2, g = 9.81;
  Builder builder("rod");
  builder.options.gravity = {0, 0, -g};
  const int rod = builder.add_body("rod", {});
  builder.add_joint_free(rod);
  builder.set_inertia(rod, m, {0, 0, -l / 2}, {m * l * l / 12, m * l * l / 12, 1e-4});
  const auto model = std::make_shared<const Model>(builder.build());
  ConstrainedDynamics held(model, {{BilateralType::kPoint, rod}});
  for (const double phi : {0.0, 0.4, 1.3, 2.9}) {
    // Turned about y by −φ: the lower end moves towards +x.
    const Numbers q{0, 0, 0, std::cos(phi / 2), 0, -std::sin(phi / 2), 0};
    const double rate = 1.7;
    Numbers udot(6), lambda(3);
    held.accelerations(q, Numbers{0, 0, 0, 0, -rate, 0}, Numbers(6), udot, lambda);
    const double alpha = -1.5 * g / l * std::sin(phi);
    EXPECT_NEAR(udot[4], -alpha, 1e-14 * g / l);
    EXPECT_LE(size_of({udot[0], udot[1], udot[2], udot[3], udot[5]}), 1e-14 * g);
    // m (acceleration of the centre) = λ + m g
    const double s = std::sin(phi), c = std::cos(phi);
    EXPECT_NEAR(lambda[0], m * l / 2 * (alpha * c - rate * rate * s), 1e-13 * m * g);
    EXPECT_NEAR(lambda[2], m * g + m * l / 2 * (alpha * s + rate * rate * c), 1e-13 * m * g);
  }
}

// A body held to the world by a frame: nothing moves, and the row forces are weight and moment.
TEST(ConstrainedDynamics, frame_holds_a_body_against_its_weight) {
  Builder builder("beam");
  builder.options.gravity = {0, 0, -10};
  const int beam = builder.add_body("beam", {});
  builder.add_joint_free(beam);
  builder.set_inertia(beam, 3, {0.5, 0, 0}, {0.1, 0.2, 0.2});
  const auto model = std::make_shared<const Model>(builder.build());
  ConstrainedDynamics held(model, {{BilateralType::kFrame, beam}});
  Numbers udot(6), lambda(6);
  held.accelerations(Numbers{0, 0, 0, 1, 0, 0, 0}, Numbers(6), Numbers(6), udot, lambda);
  EXPECT_LE(size_of(udot), 1e-12);
  EXPECT_NEAR(lambda[2], 30, 1e-11);   // weight
  EXPECT_NEAR(lambda[4], -15, 1e-11);  // 0.5 m · 30 N about −y holds the tip up
}

// ë + 2 ė / T + e / T² = 0 for the error of a point: from rest, e = e₀ (1 + t/T) exp(−t/T). Integrated with steps of
// T / 1000; the error of h / T is worst 8e-5 here.
TEST(ConstrainedDynamics, baumgarte_terms_let_an_error_decay) {
  Builder builder("ball");
  builder.options.gravity = {0, 0, -10};
  const int body = builder.add_body("ball", {});
  builder.add_joint_free(body);
  builder.set_inertia(body, 3, {0.1, 0, 0}, {0.1, 0.2, 0.2});
  const auto model = std::make_shared<const Model>(builder.build());
  const double T = 0.05, h = T / 1000;
  ConstrainedDynamics held(model, {{BilateralType::kFrame, body, 0, {}, {{0, 0, -0.01}, {}}, 1 / (T * T), 2 / T}});
  Dynamics dynamics(model);
  Numbers q{0, 0, 0, 1, 0, 0, 0}, u(6), udot(6), lambda(6), next(7);
  for (int step = 0; step < 3000; ++step) {
    held.accelerations(q, u, Numbers(6), udot, lambda);
    u = sum(u, h, udot);
    dynamics.integrate(q, u, h, next);
    q = next;
  }
  EXPECT_NEAR(q[2] + 0.01, 0.01 * 4 * std::exp(-3), 0.01 * 2e-3);
}

// A point held three times carries a third of the force each time: the least of all forces that hold it. Rounding
// errors of a_f of 1e-16 come back over μ = 1e-8 in λ (worst 2e-8), not in u̇ (6e-15).
TEST(ConstrainedDynamics, dependent_rows_share_the_force) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    const auto model = std::make_shared<const Model>(test::random_tree(12, random));
    BilateralConstraint point{BilateralType::kPoint, model->nbody - 1, 0, {random.vector(0.3), {}}, {}};
    ConstrainedDynamics once(model, {point}), thrice(model, {point, point, point});
    const Numbers q = random_positions(*model, random), u = random_vector(model->nv, random);
    const Numbers tau = random_vector(model->nv, random, 10);
    Numbers expected(u.size()), udot(u.size()), single(3), shared(9);
    const ProximalResult first = once.accelerations(q, u, tau, expected, single);
    if (!first.consistent) continue;  // a chain that cannot move its end in all directions
    const ProximalResult result = thrice.accelerations(q, u, tau, udot, shared);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(size_of(sum(udot, -1, expected)), 1e-12 * (1 + size_of(expected))) << "seed " << seed;
    for (std::size_t k = 0; k < 9; ++k) EXPECT_NEAR(shared[k], single[k % 3] / 3, 2e-7 * (1 + size_of(single)));
  }
}

// Rows that nothing can move: two points of the world.
TEST(ConstrainedDynamics, rows_between_fixed_bodies_change_nothing) {
  Random random(3);
  const auto model = std::make_shared<const Model>(test::random_tree(8, random));
  BilateralConstraint fixed{BilateralType::kFrame, 0, 0, {}, {{1, 0, 0}, {}}, 100, 0};
  ConstrainedDynamics held(model, {fixed});
  Dynamics dynamics(model);
  const Numbers q = random_positions(*model, random), u = random_vector(model->nv, random), tau(u.size());
  Numbers udot(u.size()), free(u.size()), lambda(6);
  const ProximalResult result = held.accelerations(q, u, tau, udot, lambda);
  dynamics.aba(q, u, tau, free);
  EXPECT_LE(size_of(sum(udot, -1, free)), 1e-12 * (1 + size_of(free)));
  EXPECT_TRUE(result.converged);
  EXPECT_FALSE(result.consistent);
  EXPECT_NEAR(result.residual, 100, 1e-6);
}

TEST(ConstrainedDynamics, calls_do_not_touch_the_heap) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "a sanitizer holds the allocator";
  Draw draw(20, 4, 7);
  Numbers next(draw.u.size());
  const long before = test::allocation_count();
  for (int call = 0; call < 10; ++call) {
    draw.held.accelerations(draw.q, draw.u, draw.tau, draw.udot, draw.lambda);
    draw.held.impulses(draw.q, draw.u, 0.5, next, draw.lambda);
  }
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace stiction
