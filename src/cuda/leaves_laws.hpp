// Leaves of src/laws: complementarity functions, unilateral contact, Coulomb's law, the box law, friction compliance,
// the second-order cone.
#pragma once

#include <type_traits>

#include "cuda/leaf.hpp"
#include "laws/box.hpp"
#include "laws/coulomb.hpp"
#include "laws/friction_compliance.hpp"
#include "laws/second_order_cone.hpp"
#include "laws/unilateral.hpp"

namespace stiction::cuda {

template <class Map>
struct ComplementarityFunction {
  static constexpr LeafInfo kInfo{std::is_same_v<Map, MinimumMap> ? "minimum map" : "Fischer-Burmeister",
                                  "laws/complementarity.hpp"};
  template <class T>
  struct In {
    T a, b;
  };
  template <class T>
  struct Out {
    Complementarity<T> phi;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out.phi = Map::evaluate(in.a, in.b);
  }
  static void draw(Random& random, In<double>& in) { in = {random.uniform(-1.1, 1.1), random.uniform(-1.3, 1.3)}; }
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 4);
    if (kind == 0) in = {0, 0};
    if (kind == 1) in.a = in.b;
    if (kind == 2) in.a = 0;
    if (kind == 3) in.b = 0;
    if (kind == 4) in.a = random.log_uniform(1e-16, 1e-8);
  }
};

template <class Map>
struct FrictionCompliance {
  static constexpr LeafInfo kInfo{
      std::is_same_v<Map, MinimumMap> ? "friction compliance, minimum map" : "friction compliance, Fischer-Burmeister",
      "laws/friction_compliance.hpp", 0, 1e-5};
  template <class T>
  struct In {
    T speed, friction, radius, r;
  };
  template <class T>
  struct Out {
    T compliance;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out.compliance = friction_compliance<Map>(in.speed, in.friction, in.radius, in.r);
  }
  static void draw(Random& random, In<double>& in) {
    in = {random.uniform(0.01, 1.1), random.uniform(0.01, 1.3), random.uniform(0.01, 0.9), random.uniform(0.3, 3)};
  }
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 3);
    if (kind == 0) in.speed = 0;
    if (kind == 1) in.friction = 0;
    if (kind == 2) in.friction = in.radius;
    if (kind == 3) in.radius = random.log_uniform(1e-30, 1e-12), in.speed = in.friction = 0;
  }
};

template <int N>
VecN<double, N> draw_rows(Random& random, double size) {
  VecN<double, N> out;
  for (int i = 0; i < N; ++i) out[i] = random.uniform(-size, size);
  return out;
}

// One law: both projections, the natural map, the piece it selects (code) and the linearisation on every piece.
template <class Law>
struct ContactLaw {
  static constexpr int kRows = Law::kRows;
  static constexpr const char* kNames[kMostBlockRows] = {"unilateral law",      "coulomb law, 2 rows",
                                                         "coulomb law, 3 rows", "coulomb law, 4 rows",
                                                         "coulomb law, 5 rows", "coulomb law, 6 rows"};
  static constexpr LeafInfo kInfo{kNames[kRows - 1], kRows > 1 ? "laws/coulomb.hpp" : "laws/unilateral.hpp", 0, 5e-7,
                                  1e-4};
  static constexpr int kCodes = 1;
  template <class T>
  struct In {
    VecN<T, kRows> v, p;
    T mu;
    BlockScale<T> w;
  };
  template <class T>
  struct Out {
    VecN<T, kRows> projected, dual, natural;
    BlockSystem<T, kRows> open, stick, slide, selected;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out, int* codes) {
    out = {Law::project(in.p, in.mu),
           Law::project_dual(in.v, in.mu),
           Law::natural_map(in.v, in.p, in.mu, in.w),
           Law::linearise(ContactPiece::kOpen, in.v, in.p, in.mu, in.w),
           Law::linearise(ContactPiece::kStick, in.v, in.p, in.mu, in.w),
           Law::linearise(ContactPiece::kSlide, in.v, in.p, in.mu, in.w),
           Law::linearise(in.v, in.p, in.mu, in.w)};
    codes[0] = static_cast<int>(Law::piece(in.v, in.p, in.mu, in.w));
  }
  static void draw(Random& random, In<double>& in) {
    in = {draw_rows<kRows>(random, 1.1),
          draw_rows<kRows>(random, 1.3),
          random.uniform(0, 1.5),
          {random.uniform(0.3, 3), random.uniform(0.3, 3)}};
    in.p[0] += 0.7;
  }
  // No friction, no impulse, no velocity, no tangential part, the boundary of either cone, huge and tiny sizes.
  static void draw_degenerate(Random& random, In<double>& in) {
    const double size = random.log_uniform(1e-12, 1e12);
    switch (random.integer(0, 8)) {
      case 0:
        in.mu = 0;
        break;
      case 1:
        in.p = {};
        break;
      case 2:
        in.v = {};
        break;
      case 3:
        in.p = {}, in.v = {};
        break;
      case 4:
        for (int i = 1; i < kRows; ++i) in.p[i] = in.v[i] = 0;
        break;
      case 5:
        in.p[0] = 0;
        break;
      case 6:  // on the boundary of either cone
        in.mu = 0.5, in.p = {}, in.v = {};
        in.p[0] = in.v[0] = 0.5;
        if (kRows > 1) in.p[kRows > 1 ? 1 : 0] = 0.25, in.v[kRows - 1] = -1;
        break;
      case 7:
        in.mu = 0.5, in.p = {}, in.v = {};
        in.p[0] = 0.5;
        if (kRows > 1) in.p[kRows - 1] = 0.25;
        break;
      default:
        in.v *= size, in.p *= size;
        break;
    }
  }
  // Velocities, whichever of v and W p is larger.
  static double scale(const In<double>& in) {
    const double w = in.w.normal > in.w.tangent ? in.w.normal : in.w.tangent;
    return norm(in.v) + (1 + w) * norm(in.p);
  }
};

// The box law: projection, natural map, the piece it selects (code), its linearisation, both complementarity functions.
struct BoxRow {
  static constexpr LeafInfo kInfo{"box law", "laws/box.hpp", 0, 5e-7, 1e-4};
  static constexpr int kCodes = 1;
  template <class T>
  struct In {
    VecN<T, 1> v, p;
    BoxBounds<T> box;
    BlockScale<T> w;
  };
  template <class T>
  struct Out {
    VecN<T, 1> projected, natural;
    BlockSystem<T, 1> selected;
    BoxComplementarity<T> minimum, burmeister;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out, int* codes) {
    out = {BoxLaw::project(in.p, in.box), BoxLaw::natural_map(in.v, in.p, in.box, in.w),
           BoxLaw::linearise(in.v, in.p, in.box, in.w), BoxLaw::complementarity<MinimumMap>(in.v, in.p, in.box, in.w),
           BoxLaw::complementarity<FischerBurmeister>(in.v, in.p, in.box, in.w)};
    codes[0] = static_cast<int>(BoxLaw::piece(in.v, in.p, in.box, in.w));
  }
  static void draw(Random& random, In<double>& in) {
    in = {draw_rows<1>(random, 1.1),
          draw_rows<1>(random, 1.3),
          {random.uniform(-1.5, -0.1), random.uniform(0.1, 1.5), random.uniform(0, 1)},
          {random.uniform(0.3, 3), random.uniform(0.3, 3)}};
  }
  // Rigid, no range, no impulse, no velocity, an impulse on the bound.
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 4);
    if (kind == 0) in.box.compliance = 0;
    if (kind == 1) in.box.upper = in.box.lower;
    if (kind == 2) in.p = {};
    if (kind == 3) in.v = {}, in.box.compliance = 0;
    if (kind == 4) in.p[0] = in.box.lower;
  }
  static double scale(const In<double>& in) {
    return norm(in.v) + (1 + in.w.normal + in.box.compliance) * (norm(in.p) + in.box.upper - in.box.lower);
  }
};

// A point inside the cone, at a distance of its boundary between almost all and 1e-10 of its size.
template <int N>
VecN<double, N> draw_inside_cone(Random& random, double nearest) {
  VecN<double, N> out = draw_rows<N>(random, 1.1);
  out[0] = tail_norm(out) * (1 + nearest) + random.log_uniform(nearest, 1);
  return out;
}

template <int N>
VecN<double, N> on_the_axis(const VecN<double, N>& x) {
  VecN<double, N> out;
  out[0] = x[0];
  return out;
}

template <int N>
struct ConeAlgebra {
  static constexpr LeafInfo kInfo{N == 3 ? "cone algebra, 3 rows" : "cone algebra, 6 rows",
                                  "laws/second_order_cone.hpp", 0, 2e-6};
  template <class T>
  struct In {
    VecN<T, N> x, d;
    T limit;
  };
  template <class T>
  struct Out {
    VecN<T, N> product, quotient;
    T determinant, interior, upper, step;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out = {jordan_product(in.x, in.d), jordan_divide(in.d, in.x), cone_determinant(in.x),
           cone_interior(in.x),        cone_upper(in.x),          step_to_boundary(in.x, in.d, in.limit)};
  }
  static void draw(Random& random, In<double>& in) {
    in = {draw_inside_cone<N>(random, 0.05), draw_rows<N>(random, 1.3), random.uniform(0.5, 2)};
  }
  // Almost on the boundary, on the ray, no direction, a direction along the boundary.
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 4);
    if (kind == 0) in.x = draw_inside_cone<N>(random, 1e-10);
    if (kind == 1) in.x = on_the_axis(in.x);
    if (kind == 2) in.d = {};
    if (kind == 3) in.d = {-5, 3, 4};
    if (kind == 4) in.x = {1}, in.d = {-1};
  }
};

template <int N>
struct NesterovToddScaling {
  static constexpr LeafInfo kInfo{N == 3 ? "Nesterov-Todd scaling, 3 rows" : "Nesterov-Todd scaling, 6 rows",
                                  "laws/second_order_cone.hpp", 0, 2e-6};
  template <class T>
  struct In {
    VecN<T, N> x, y, a;
  };
  template <class T>
  struct Out {
    NesterovTodd<T, N> scaling;
    VecN<T, N> forth, back;
    MatN<T, N> inverse_squared;
  };
  template <class T>
  static STICTION_HD void evaluate(const In<T>& in, Out<T>& out) {
    out.scaling = NesterovTodd<T, N>::from(in.x, in.y);
    out.forth = out.scaling.apply(in.a);
    out.back = out.scaling.apply_inverse(in.a);
    out.inverse_squared = out.scaling.inverse_squared();
  }
  static void draw(Random& random, In<double>& in) {
    in = {draw_inside_cone<N>(random, 0.05), draw_inside_cone<N>(random, 0.05), draw_rows<N>(random, 1.3)};
  }
  static void draw_degenerate(Random& random, In<double>& in) {
    const int kind = random.integer(0, 3);
    if (kind == 0) in.x = draw_inside_cone<N>(random, 1e-10);
    if (kind == 1) in.y = draw_inside_cone<N>(random, 1e-10);
    if (kind == 2) in.x = on_the_axis(in.x), in.y = on_the_axis(in.y);
    if (kind == 3) in.y = in.x, in.a = {};
  }
};

using LawLeaves = LeafList<ComplementarityFunction<MinimumMap>, ComplementarityFunction<FischerBurmeister>,
                           FrictionCompliance<MinimumMap>, FrictionCompliance<FischerBurmeister>,
                           ContactLaw<UnilateralLaw>, ContactLaw<CoulombLaw<2>>, ContactLaw<CoulombLaw<3>>,
                           ContactLaw<CoulombLaw<4>>, ContactLaw<CoulombLaw<5>>, ContactLaw<CoulombLaw<6>>, BoxRow,
                           ConeAlgebra<3>, ConeAlgebra<6>, NesterovToddScaling<3>, NesterovToddScaling<6>>;

}  // namespace stiction::cuda
