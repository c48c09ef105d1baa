// Leaves of src/dynamics: one free rigid body.
#pragma once

#include "cuda/leaf.hpp"
#include "dynamics/free_body.hpp"

namespace stiction::cuda {

// A body whose principal inertias obey the triangle inequality, its axes turned.
inline FreeBody draw_body(Random& random) {
  const double a = random.uniform(0.1, 0.9), b = random.uniform(0.1, 0.9), c = random.uniform(0.1, 0.9);
  const Mat3 R = rotation_matrix(random.rotation());
  const Mat3 inertia = R * Mat3::diagonal({b + c, a + c, a + b}) * transpose(R);
  return {random.uniform(0.3, 7), random.vector(0.3), inertia};
}

struct FreeBodyRows {
  static constexpr LeafInfo kInfo{"free body inertia, row, force", "dynamics/free_body.hpp"};
  template <class T>
  struct In {
    FreeBodyT<T> body;
    QuatT<T> q;
    Vec3T<T> r, d, force, torque;
  };
  template <class T>
  struct Out {
    T M[36], row[6], generalized[6];
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    const Mat3T<T> R = rotation_matrix(in.q);
    free_body_inertia(in.body, R, out.M);
    free_body_row(R, in.r, in.d, out.row);
    free_body_force(in.body, R, in.force, in.torque, out.generalized);
  }
  static void draw(Random& random, In<double>& in) {
    in = {draw_body(random),  random.rotation(),  random.vector(1.1),
          random.direction(), random.vector(1.3), random.vector(0.9)};
  }
  static void draw_degenerate(Random& random, In<double>& in) {
    if (random.chance(0.5)) in.body.com = {};
    if (random.chance(0.5)) in.q = {};
    if (random.chance(0.5)) in.r = {};
  }
};

// Angles of at most 0.25 rad, as move_free_body asks for. Newton's iteration stops at rounding, after one change more
// or less where sin and cos differ in their last bit: such results differ by the rounding of a whole iteration.
struct TorqueFreeTurn {
  static constexpr LeafInfo kInfo{"torque-free turn", "dynamics/free_body.hpp", 4, 1e-6};
  template <class T>
  struct In {
    FreeBodyT<T> body;
    T h;
    QuatT<T> q;
    Vec3T<T> omega;
  };
  template <class T>
  struct Out {
    QuatT<T> q;
    Vec3T<T> omega;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {in.q, in.omega};
    turn_torque_free(in.body.inertia, inverse(in.body.inertia), in.h, out.q, out.omega);
  }
  static void draw(Random& random, In<double>& in) {
    in = {draw_body(random), random.uniform(0.001, 0.01), random.rotation(), random.vector(14)};
  }
  // At rest, hardly turning, a ball, turning about a principal axis.
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 3);
    if (kind == 0) in.omega = {};
    if (kind == 1) in.omega *= 1e-9;
    if (kind == 2) in.body.inertia = Mat3::identity() * 0.4;
    if (kind == 3) in.body.inertia = Mat3::diagonal({0.3, 0.4, 0.5}), in.omega.x = in.omega.y = 0;
  }
};

// Up to 64 turns one after the other, each with the difference of a single one.
struct FreeBodyMotion {
  static constexpr LeafInfo kInfo{"free body motion", "dynamics/free_body.hpp", 256, 1e-5};
  template <class T>
  struct In {
    FreeBodyT<T> body;
    T h;
    TransformT<T> pose;
    Vec3T<T> velocity, omega;
  };
  template <class T>
  struct Out {
    TransformT<T> pose;
    Vec3T<T> velocity, omega;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {in.pose, in.velocity, in.omega};
    move_free_body(in.body, inverse(in.body.inertia), in.h, out.pose.p, out.pose.q, out.velocity, out.omega);
  }
  static void draw(Random& random, In<double>& in) {
    in = {draw_body(random),
          random.uniform(0.001, 0.01),
          {random.vector(2.1), random.rotation()},
          random.vector(3),
          random.direction() * random.log_uniform(0.1, 1000)};
  }
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 3);
    if (kind == 0) in.omega = {};
    if (kind == 1) in.omega = in.velocity = {};
    if (kind == 2) in.body.com = {};
    if (kind == 3) in.body.inertia = Mat3::identity() * 0.4;
  }
};

using DynamicsLeaves = LeafList<FreeBodyRows, TorqueFreeTurn, FreeBodyMotion>;

}  // namespace stiction::cuda
