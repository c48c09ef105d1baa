// Leaves of src/math: vectors, matrices, quaternions, transforms, spatial algebra, Cholesky.
#pragma once

#include <limits>

#include "cuda/leaf.hpp"
#include "math/cholesky.hpp"
#include "math/spatial.hpp"

namespace stiction::cuda {

struct Vectors {
  static constexpr LeafInfo kInfo{"vectors", "math/vec3.hpp"};
  template <class T>
  struct In {
    Vec3T<T> a, b;
  };
  template <class T>
  struct Out {
    T along, length;
    Vec3T<T> cross, unit, scaled, absolute, low, high;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {dot(in.a, in.b),    norm(in.a), cross(in.a, in.b), normalized(in.a),
           scaled(in.a, in.b), abs(in.a),  min(in.a, in.b),   max(in.a, in.b)};
  }
  static void draw(Random& random, In<double>& in) { in = {random.vector(1.1), random.vector(1.3)}; }
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 2);
    if (kind == 0) in.a = {};
    if (kind == 1) in.b = in.a;
    if (kind == 2) in.a.x = -0.0, in.b.y = 0;
  }
  static double scale(const In<double>&) { return 1; }
};

struct TangentFrame {
  static constexpr LeafInfo kInfo{"tangent frame", "math/vec3.hpp"};
  template <class T>
  struct In {
    Vec3T<T> n;
  };
  template <class T>
  struct Out {
    Vec3T<T> t1, t2;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    tangent_frame(in.n, out.t1, out.t2);
  }
  static void draw(Random& random, In<double>& in) { in.n = random.direction(); }
  // Axes, diagonals and the zero vector: ties between the axes.
  static void draw_degenerate(Random& random, In<double>& in) {
    in.n =
        normalized(Vec3{double(random.integer(-1, 1)), double(random.integer(-1, 1)), double(random.integer(-1, 1))});
    if (random.chance(0.1)) in.n = {};
  }
};

struct Matrices {
  static constexpr LeafInfo kInfo{"matrices", "math/mat3.hpp"};
  template <class T>
  struct In {
    Mat3T<T> a, b;
    Vec3T<T> v;
  };
  template <class T>
  struct Out {
    Mat3T<T> sum, difference, product, inverse_a, outer_product;
    Vec3T<T> image, back, crossed;
    T determinant_a;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {in.a + in.b,
           in.a - transpose(in.b),
           in.a * in.b,
           inverse(in.a),
           outer(in.v, in.a.column(1)),
           in.b * in.v,
           transpose_times(in.a, in.v),
           skew(in.v) * in.a.column(0),
           determinant(in.a)};
  }
  // Away from singular matrices: the diagonal dominates.
  static void draw(Random& random, In<double>& in) {
    for (int i = 0; i < 3; ++i) in.a.row[i] = random.vector(0.9), in.b.row[i] = random.vector(1.1);
    for (int i = 0; i < 3; ++i) in.a(i, i) += in.a(i, i) < 0 ? -2 : 2;
    in.v = random.vector(1.3);
  }
};

struct Quaternions {
  static constexpr LeafInfo kInfo{"quaternions", "math/quat.hpp"};
  template <class T>
  struct In {
    QuatT<T> a, b;
    Vec3T<T> v;
  };
  template <class T>
  struct Out {
    QuatT<T> product, unit;
    Mat3T<T> matrix;
    Vec3T<T> turned, back;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {in.a * in.b, normalized(conjugate(in.b)), rotation_matrix(in.a), rotate(in.a, in.v),
           rotate_inverse(in.a, in.v)};
  }
  static void draw(Random& random, In<double>& in) {
    in.a = random.rotation();
    in.b = {random.normal(), random.normal(), random.normal(), random.normal()};
    in.v = random.vector(1.1);
  }
  static void draw_degenerate(Random& random, In<double>& in) {
    if (random.chance(0.5)) in.b = {0, 0, 0, 0};
    if (random.chance(0.5)) in.a = {};
    if (random.chance(0.5)) in.v = {};
  }
};

// sin and cos: their rounding differs between the CPU's library and the GPU's (documented: 2 ulp there, under 1 here);
// a quotient and a product add an ulp.
struct RotationVector {
  static constexpr LeafInfo kInfo{"rotation vector", "math/quat.hpp", 4};
  template <class T>
  struct In {
    Vec3T<T> theta;
  };
  template <class T>
  struct Out {
    QuatT<T> q;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out.q = quat_from_rotation_vector(in.theta);
  }
  static void draw(Random& random, In<double>& in) { in.theta = random.direction() * random.log_uniform(1e-6, 6); }
  static void draw_degenerate(Random& random, In<double>& in) {
    in.theta = random.chance(0.5) ? Vec3{} : random.direction() * 1e-4;
  }
};

struct Transforms {
  static constexpr LeafInfo kInfo{"transforms", "math/quat.hpp"};
  template <class T>
  struct In {
    TransformT<T> a, b;
    Vec3T<T> v;
  };
  template <class T>
  struct Out {
    TransformT<T> product, inverse_a;
    Vec3T<T> image;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {in.a * in.b, inverse(in.a), in.a * in.v};
  }
  static void draw(Random& random, In<double>& in) {
    in = {{random.vector(2.1), random.rotation()}, {random.vector(1.1), random.rotation()}, random.vector(1.3)};
  }
};

struct SpatialAlgebra {
  static constexpr LeafInfo kInfo{"spatial algebra", "math/spatial.hpp"};
  template <class T>
  struct In {
    SpatialT<T> v, m, f;
    Vec3T<T> r;
  };
  template <class T>
  struct Out {
    SpatialT<T> moved, about, rate_of_motion, rate_of_force;
    T power;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {motion_at(in.v, in.r), force_at(in.f, in.r), cross_motion(in.v, in.m - in.v),
           cross_force(in.v, in.f + in.m * T(2)), dot(in.v, in.f)};
  }
  static void draw(Random& random, In<double>& in) {
    in = {{random.vector(1.1), random.vector(1.3)},
          {random.vector(0.7), random.vector(0.9)},
          {random.vector(1.9), random.vector(1.7)},
          random.vector(0.6)};
  }
};

struct BodyInertia {
  static constexpr LeafInfo kInfo{"spatial inertia", "math/spatial.hpp"};
  template <class T>
  struct In {
    T mass;
    Vec3T<T> c;
    Mat3T<T> about_com;
    SpatialT<T> v;
  };
  template <class T>
  struct Out {
    SpatialInertiaT<T> inertia;
    SpatialT<T> momentum;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out.inertia = spatial_inertia(in.mass, in.c, in.about_com);
    out.momentum = (out.inertia + out.inertia) * in.v;
  }
  static void draw(Random& random, In<double>& in) {
    const Vec3 d = random.vector(0.3) + Vec3{0.5, 0.5, 0.5};
    in = {random.uniform(0.1, 7), random.vector(0.3), Mat3::diagonal(d), {random.vector(1.1), random.vector(1.3)}};
  }
};

// M x = b. Code: 1 if M is positive definite. M = B Bᵀ + 1; degenerate: indefinite, zero, not finite.
template <int N>
struct Cholesky {
  static constexpr LeafInfo kInfo{N == 3 ? "cholesky 3" : "cholesky 6", "math/cholesky.hpp"};
  static constexpr int kCodes = 1;
  template <class T>
  struct In {
    T M[N * N], b[N];
  };
  template <class T>
  struct Out {
    T L[N * N], x[N];
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out, int* codes) {
    codes[0] = cholesky_factor(in.M, N, out.L) ? 1 : 0;
    for (int i = 0; i < N; ++i) out.x[i] = codes[0] ? in.b[i] : T(0);
    if (codes[0]) cholesky_solve(out.L, N, out.x);
  }
  static void draw(Random& random, In<double>& in) {
    double B[N * N];
    for (double& entry : B) entry = random.uniform(-1.1, 1.1);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {
        in.M[N * i + j] = i == j ? 1 : 0;
        for (int k = 0; k < N; ++k) in.M[N * i + j] += B[N * i + k] * B[N * j + k];
      }
    for (double& entry : in.b) entry = random.uniform(-1.3, 1.3);
  }
  static void draw_degenerate(Random& random, In<double>& in) {
    const int place = random.integer(0, N - 1);
    const int kind = random.integer(0, 2);
    if (kind == 0) in.M[(N + 1) * place] -= 3;
    if (kind == 1) in.M[(N + 1) * place] = std::numeric_limits<double>::infinity();
    if (kind == 2)
      for (double& entry : in.M) entry = 0;
  }
};

using MathLeaves = LeafList<Vectors, TangentFrame, Matrices, Quaternions, RotationVector, Transforms, SpatialAlgebra,
                            BodyInertia, Cholesky<3>, Cholesky<6>>;

}  // namespace stiction::cuda
