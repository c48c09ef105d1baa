// Contact problems for tests and benchmarks, made without the simulator: bodies with true contact geometry (point,
// normal, tangents) and trees with random Jacobians. The same seed gives the same problem on every machine.
//
// A free body has u = (velocity of its centre of mass, angular velocity), both in world axes. A contact between a and b
// has its normal n from a to b and v_n = n · (velocity of b − velocity of a) at the contact point.
#pragma once

#include <stiction/problem.hpp>

#include "random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace stiction::test {

// How the contacts of a scene are made.
struct SceneOptions {
  std::uint64_t seed = 1;
  double timestep = 0.01;              // [s]
  double gravity = 9.81;               // [m/s²], along −z
  double speed = 0.5;                  // free velocities are random up to this, before gravity [m/s, rad/s]
  double friction = 0.6;               // largest μ; each contact has between half of it and all of it
  double gap = 1e-4;                   // gaps are random between 0 and this [m]; b_n = gap / h
  double penetration = 0;              // > 0: a third of the contacts overlaps by up to this [m]; b_n < 0
  double mass_low = 1, mass_high = 1;  // masses are random between them, evenly over the decades [kg]
};
// With penetration = 0 every b_n ≥ 0, so u = 0 satisfies J u + b ∈ K*: a solution exists.

class ProblemMaker {
 public:
  explicit ProblemMaker(const SceneOptions& options = {}) : options_(options), random_(options.seed) {
    problem_.timestep = options.timestep;
    problem_.velocity_floor = options.gravity * options.timestep;
    for (auto* list : {&problem_.tree_dof, &problem_.tree_inertia, &problem_.block_row}) list->assign(1, 0);
  }
  Random& random() { return random_; }
  const SceneOptions& options() const { return options_; }
  double random_mass() { return random_.log_uniform(options_.mass_low, options_.mass_high); }

  // A tree with the given inertia matrix (row-major) and free velocity. Returns its index.
  int add_tree(int dofs, const std::vector<double>& inertia, const std::vector<double>& free_velocity) {
    append(problem_.inertia, inertia);
    append(problem_.free_velocity, free_velocity);
    problem_.tree_dof.push_back(problem_.tree_dof.back() + dofs);
    problem_.tree_inertia.push_back(int(problem_.inertia.size()));
    position_.push_back({});
    return problem_.ntree++;
  }

  // A tree with a random positive definite inertia matrix: masses on the diagonal plus coupling.
  int add_random_tree(int dofs) {
    const auto n = std::size_t(dofs);
    const double mass = random_mass();
    std::vector<double> factor(n * n), inertia(n * n), velocity(n);
    for (double& f : factor) f = random_.normal();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = i == j ? 0.3 : 0.0;
        for (std::size_t k = 0; k < n; ++k) sum += factor[i * n + k] * factor[j * n + k] / double(n);
        inertia[i * n + j] = mass * sum;
      }
      velocity[i] = random_.uniform(-options_.speed, options_.speed);
    }
    return add_tree(dofs, inertia, velocity);
  }

  // A free box in a random or (upright) the identity orientation.
  int add_box(const Vec3& centre, const Vec3& half_extents, double mass, bool upright) {
    Quat q;
    if (!upright) q = quat_from_rotation_vector(random_.direction() * random_.uniform(0, 3));
    const Mat3 R = rotation_matrix(q);
    const Vec3 s = scaled(half_extents, half_extents);
    const Mat3 rotational = R * Mat3::diagonal(Vec3{s.y + s.z, s.x + s.z, s.x + s.y} * (mass / 3)) * transpose(R);
    std::vector<double> inertia(36, 0.0), velocity;
    for (int i = 0; i < 3; ++i) {
      inertia[std::size_t(7 * i)] = mass;
      for (int j = 0; j < 3; ++j) inertia[std::size_t(6 * (i + 3) + j + 3)] = rotational(i, j);
    }
    for (int i = 0; i < 6; ++i) velocity.push_back(random_.uniform(-options_.speed, options_.speed));
    velocity[2] -= options_.gravity * options_.timestep;
    const int tree = add_tree(6, inertia, velocity);
    position_.back() = centre;
    return tree;
  }

  // A block of rows with given Jacobians (row-major rows × dofs; empty where the tree is -1). Returns its index.
  int add_block(Law law, double friction, int tree_a, const std::vector<double>& jacobian_a, int tree_b,
                const std::vector<double>& jacobian_b, const std::vector<double>& bias) {
    problem_.block_law.push_back(law);
    problem_.block_friction.push_back(friction);
    problem_.block_tree_a.push_back(tree_a);
    problem_.block_tree_b.push_back(tree_b);
    problem_.block_jacobian_a.push_back(int(problem_.jacobian.size()));
    append(problem_.jacobian, jacobian_a);
    problem_.block_jacobian_b.push_back(int(problem_.jacobian.size()));
    append(problem_.jacobian, jacobian_b);
    append(problem_.bias, bias);
    problem_.block_row.push_back(int(problem_.bias.size()));
    return problem_.nblock++;
  }

  // A frictional contact of two free bodies (-1: the static world) at a point, normal from a to b, gap and μ random.
  int add_contact(int body_a, int body_b, const Vec3& point, const Vec3& normal) {
    const Vec3 other = std::abs(normal.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 t1 = normalized(cross(normal, other));
    const Vec3 t2 = cross(normal, t1);
    const bool overlaps = options_.penetration > 0 && random_.chance(1.0 / 3);
    const double gap = overlaps ? -random_.uniform(0, options_.penetration) : random_.uniform(0, options_.gap);
    const double friction = options_.friction * random_.uniform(0.5, 1);
    const int block =
        add_block(Law::kCoulomb, friction, body_a, point_jacobian(body_a, point, {normal, t1, t2}, -1), body_b,
                  point_jacobian(body_b, point, {normal, t1, t2}, 1), {gap / options_.timestep, 0, 0});
    problem_.block_push_out.resize(std::size_t(problem_.nblock));
    problem_.block_push_out.back() = std::max(0.0, -gap / options_.timestep);
    return block;
  }

  // A block of 1 to 6 rows with random Jacobians between two trees of any size (-1: none).
  int add_random_block(int tree_a, int tree_b, int rows) {
    const auto jacobian = [&](int tree) {
      std::vector<double> J(tree < 0 ? 0 : std::size_t(rows * problem_.tree_size(tree)));
      for (double& entry : J) entry = random_.normal();
      return J;
    };
    std::vector<double> bias(std::size_t(rows), 0.0);
    bias[0] = random_.uniform(0, options_.gap) / options_.timestep;
    const auto law = rows == 1 ? Law::kUnilateral : Law::kCoulomb;
    const auto J_a = jacobian(tree_a), J_b = jacobian(tree_b);
    return add_block(law, rows == 1 ? 0.0 : options_.friction * random_.uniform(0.5, 1), tree_a, J_a, tree_b, J_b,
                     bias);
  }

  ContactProblem finish() {
    problem_.nv = problem_.tree_dof.back();
    problem_.ninertia = int(problem_.inertia.size());
    problem_.nrow = int(problem_.bias.size());
    problem_.njacobian = int(problem_.jacobian.size());
    if (finish_problem(problem_) >= 0) throw std::logic_error("the inertia of a test problem is not positive definite");
    check_problem(problem_);
    return problem_;
  }

 private:
  static void append(std::vector<double>& list, const std::vector<double>& more) {
    list.insert(list.end(), more.begin(), more.end());
  }
  // Rows sign · (dᵀ, (r × d)ᵀ) for each direction d, r from the centre of mass to the point.
  std::vector<double> point_jacobian(int body, const Vec3& point, const std::vector<Vec3>& directions,
                                     double sign) const {
    std::vector<double> J;
    if (body < 0) return J;
    const Vec3 r = point - position_[std::size_t(body)];
    for (const Vec3& d : directions) {
      const Vec3 turn = cross(r, d);
      for (double entry : {d.x, d.y, d.z, turn.x, turn.y, turn.z}) J.push_back(sign * entry);
    }
    return J;
  }

  SceneOptions options_;
  Random random_;
  ContactProblem problem_;
  std::vector<Vec3> position_;
};

// The four corners of the horizontal rectangle in which two upright boxes (or a box and the ground) touch: more rows
// than a rigid pair can tell apart.
inline void add_corners(ProblemMaker& maker, int below, int above, double z, double x_low, double x_high,
                        double half_y) {
  for (double x : {x_low, x_high})
    for (double y : {-half_y, half_y}) maker.add_contact(below, above, {x, y, z}, {0, 0, 1});
}

// Upright boxes of half extent 0.5 m on each other and on the ground. The mass of each is ratio times that of the one
// below it.
inline ContactProblem box_stack(int boxes, double ratio, const SceneOptions& options = {}) {
  ProblemMaker maker(options);
  double mass = 1;
  for (int i = 0; i < boxes; ++i, mass *= ratio) {
    const int box = maker.add_box({0, 0, i + 0.5}, {0.5, 0.5, 0.5}, mass, true);
    add_corners(maker, box - 1, box, i, -0.5, 0.5, 0.5);
  }
  return maker.finish();
}

// A wall of boxes in running bond: each course is shifted by half a box. Four corners per pair.
inline ContactProblem box_wall(int columns, int courses, const SceneOptions& options = {}) {
  ProblemMaker maker(options);
  for (int i = 0; i < courses; ++i)
    for (int j = 0; j < columns; ++j) {
      const double x = j + 0.5 * (i % 2);
      const int box = maker.add_box({x, 0, i + 0.5}, {0.5, 0.5, 0.5}, maker.random_mass(), true);
      if (i == 0) {
        add_corners(maker, -1, box, 0, x - 0.5, x + 0.5, 0.5);
        continue;
      }
      // The boxes below have their centres at x ± 1/2.
      for (int side : {0, 1}) {
        const int k = j - 1 + side + i % 2;
        if (k >= 0 && k < columns)
          add_corners(maker, (i - 1) * columns + k, box, i, side == 0 ? x - 0.5 : x, side == 0 ? x : x + 0.5, 0.5);
      }
    }
  return maker.finish();
}

// A heap of bodies in all orientations on a jittered lattice: each touches about three bodies below or beside it, the
// lowest layer the ground, at one to four points. About five contacts per body, one island.
inline ContactProblem pile(int bodies, const SceneOptions& options = {}) {
  ProblemMaker maker(options);
  Random& random = maker.random();
  const int side = std::max(1, int(std::ceil(std::cbrt(bodies))));
  std::vector<Vec3> centre;
  const auto touch = [&](int a, int b, const Vec3& middle, const Vec3& toward) {
    const Vec3 n = normalized(toward + random.vector(0.2));
    const Vec3 t1 = normalized(cross(n, random.direction())), t2 = cross(n, t1);
    const int points = random.chance(0.6) ? 1 : random.integer(2, 4);
    for (int k = 0; k < points; ++k)
      maker.add_contact(a, b, middle + t1 * random.uniform(-0.4, 0.4) + t2 * random.uniform(-0.4, 0.4), n);
  };
  for (int i = 0; i < bodies; ++i) {
    const int x = i % side, y = (i / side) % side, z = i / (side * side);
    centre.push_back(Vec3{double(x), double(y), double(z)} + random.vector(0.2));
    maker.add_box(centre.back(), {0.5, 0.4, 0.3}, maker.random_mass(), false);
    const auto neighbour = [&](int j) {
      touch(j, i, (centre[std::size_t(j)] + centre.back()) / 2, centre.back() - centre[std::size_t(j)]);
    };
    if (z == 0) touch(-1, i, centre.back() - Vec3{0, 0, 0.5}, {0, 0, 1});
    if (z > 0) neighbour(i - side * side);
    if (z > 0 && x > 0 && random.chance(0.6)) neighbour(i - side * side - 1);
    if (x > 0 && random.chance(z == 0 ? 1.0 : 0.8)) neighbour(i - 1);
    if (y > 0 && random.chance(z == 0 ? 1.0 : 0.8)) neighbour(i - side);
  }
  return maker.finish();
}

struct ForestOptions {
  int trees = 10;
  int dofs_low = 1, dofs_high = 40;
  double extra_edges = 1;   // joined pairs beyond a spanning tree, per tree
  int blocks_per_pair = 2;  // at most
  double one_row = 0.2;     // share of blocks with one row
  double many_rows = 0;     // share of the others with 2, 4, 5 or 6 rows instead of 3
  double grounded = 0.3;    // share of trees with a block of their own
};

// Trees of any size with random Jacobians, one island.
inline ContactProblem random_forest(const ForestOptions& forest, const SceneOptions& options = {}) {
  ProblemMaker maker(options);
  Random& random = maker.random();
  for (int i = 0; i < forest.trees; ++i) maker.add_random_tree(random.integer(forest.dofs_low, forest.dofs_high));
  const auto join = [&](int a, int b) {
    for (int k = random.integer(1, forest.blocks_per_pair); k > 0; --k) {
      const bool swapped = random.chance(0.5);
      int rows = random.chance(forest.one_row) ? 1 : 3;
      if (rows == 3 && forest.many_rows > 0 && random.chance(forest.many_rows)) rows = random.integer(2, 6);
      maker.add_random_block(swapped ? b : a, swapped ? a : b, rows);
    }
  };
  for (int i = 1; i < forest.trees; ++i) join(random.integer(0, i - 1), i);
  for (int k = int(forest.extra_edges * forest.trees); k > 0 && forest.trees > 1; --k) {
    const int a = random.integer(0, forest.trees - 1), b = random.integer(0, forest.trees - 1);
    if (a != b) join(a, b);
  }
  for (int i = 0; i < forest.trees; ++i)
    if (forest.trees == 1 || random.chance(forest.grounded)) join(-1, i);
  return maker.finish();
}

}  // namespace stiction::test
