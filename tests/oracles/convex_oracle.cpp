#include "oracles/convex_oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stiction::test {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

double segment_distance(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  // Least value of the convex function |p(s) − q(t)|² over the unit square: inside, or on one of its four sides.
  const Vec3 d = p1 - p0, e = q1 - q0;
  const auto to_segment = [](const Vec3& x, const Vec3& o, const Vec3& along) {
    const double ll = dot(along, along);
    const double t = ll > 0 ? std::clamp(dot(x - o, along) / ll, 0.0, 1.0) : 0.0;
    return norm(x - (o + along * t));
  };
  double best = std::min({to_segment(p0, q0, e), to_segment(p1, q0, e), to_segment(q0, p0, d), to_segment(q1, p0, d)});
  // The crossing in long double: nearly parallel edges keep their perpendicular down to an angle of 1e-12.
  using Long = long double;
  const auto cross_of = [](const std::array<Long, 3>& a, const std::array<Long, 3>& b) {
    return std::array<Long, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto dot_of = [](const std::array<Long, 3>& a, const std::array<Long, 3>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const auto difference = [](const Vec3& a, const Vec3& b) {
    return std::array<Long, 3>{Long(a.x) - Long(b.x), Long(a.y) - Long(b.y), Long(a.z) - Long(b.z)};
  };
  const auto dl = difference(p1, p0), el = difference(q1, q0), r = difference(q0, p0), n = cross_of(dl, el);
  const Long nn = dot_of(n, n);
  if (nn > 1e-24L * dot_of(dl, dl) * dot_of(el, el)) {
    const Long s = dot_of(cross_of(r, el), n) / nn, t = dot_of(cross_of(r, dl), n) / nn;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = std::min(best, double(std::abs(dot_of(r, n)) / std::sqrt(nn)));
  }
  return best;
}

// Height of x over a face if its projection lies in it; infinity otherwise.
double height_over_face(const Polytope& a, std::size_t f, const Vec3& x) {
  const Vec3 n = a.face_normal(f);
  const auto& loop = a.face[f];
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3 p = a.vertex[at(loop[k])], q = a.vertex[at(loop[(k + 1) % loop.size()])];
    if (dot(cross(q - p, n), x - p) > 0) return std::numeric_limits<double>::infinity();
  }
  return std::abs(dot(n, x - a.vertex[at(loop[0])]));
}

}  // namespace

Vec3 Polytope::face_normal(std::size_t f) const {
  return polygon_normal(vertex, face[f]);
}

Polytope polytope(const ShapeT<double>& shape, const ShapeFactory& factory) {
  Polytope result;
  Solid solid;
  switch (shape.type) {
    case ShapeType::kSphere:
      result.vertex = {{}};
      result.radius = shape.size.x;
      break;
    case ShapeType::kCapsule:
      result.vertex = {{0, 0, -shape.size.y}, {0, 0, shape.size.y}};
      result.edge = {{0, 1}};
      result.radius = shape.size.x;
      break;
    case ShapeType::kBox:
      solid = box_solid(shape.size);
      break;
    case ShapeType::kHull:
      solid = factory.solid(shape);
      break;
    case ShapeType::kPlane: {
      solid = box_solid({1e3, 1e3, 50});
      for (Vec3& v : solid.vertex) v.z -= 50;
      break;
    }
    default:
      break;
  }
  if (!solid.vertex.empty()) {
    result.vertex = solid.vertex;
    result.face = solid.face;
    for (const auto& loop : solid.face)
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int i = loop[k], j = loop[(k + 1) % loop.size()];
        if (i < j) result.edge.push_back({i, j});
      }
  }
  for (Vec3& v : result.vertex) v = shape.p + shape.R * v;
  return result;
}

double Polytope::support(const Vec3& n) const {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec3& v : vertex) most = std::max(most, dot(n, v));
  return most + radius;
}

double separation_along(const Polytope& a, const Polytope& b, const Vec3& n) {
  return -b.support(-n) - a.support(n);
}

double brute_distance(const Polytope& a, const Polytope& b) {
  // Directions in which the polytopes could be apart: normals, cross products.
  Polytope core_a = a, core_b = b;
  core_a.radius = core_b.radius = 0;
  double separation = -std::numeric_limits<double>::infinity();
  const auto try_axis = [&](const Vec3& axis) {
    if (norm(axis) < 1e-9) return;
    const Vec3 n = normalized(axis);
    separation = std::max({separation, separation_along(core_a, core_b, n), separation_along(core_a, core_b, -n)});
  };
  for (std::size_t f = 0; f < a.face.size(); ++f) try_axis(a.face_normal(f));
  for (std::size_t f = 0; f < b.face.size(); ++f) try_axis(b.face_normal(f));
  for (const auto& [i, j] : a.edge)
    for (const auto& [k, l] : b.edge)
      try_axis(cross(normalized(a.vertex[at(j)] - a.vertex[at(i)]), normalized(b.vertex[at(l)] - b.vertex[at(k)])));

  double distance = std::numeric_limits<double>::infinity();
  for (const Vec3& v : b.vertex)
    for (std::size_t f = 0; f < a.face.size(); ++f) distance = std::min(distance, height_over_face(a, f, v));
  for (const Vec3& v : a.vertex)
    for (std::size_t f = 0; f < b.face.size(); ++f) distance = std::min(distance, height_over_face(b, f, v));
  const auto edges = [](const Polytope& p) {
    auto list = p.edge;
    if (list.empty()) list.push_back({0, 0});
    return list;
  };
  for (const auto& [i, j] : edges(a))
    for (const auto& [k, l] : edges(b))
      distance =
          std::min(distance, segment_distance(a.vertex[at(i)], a.vertex[at(j)], b.vertex[at(k)], b.vertex[at(l)]));
  // Penetrating cores have no axis with a positive separation; disjoint ones may lack one too (two balls), unless one
  // of them has a volume.
  const bool solid = !a.face.empty() || !b.face.empty();
  const bool penetrating = solid && separation <= 0 && std::isfinite(separation);
  // A point or segment inside: faces alone, and edges, were tried. A vertex pair apart shows by the surfaces' distance.
  if (penetrating) {
    bool inside = false;
    for (const Vec3& v : b.vertex) inside = inside || (!a.face.empty() && point_distance(core_a, v) <= 0);
    for (const Vec3& v : a.vertex) inside = inside || (!b.face.empty() && point_distance(core_b, v) <= 0);
    // Without a vertex inside an edge must pass through a face.
    const auto pierces = [](const Polytope& of, const Polytope& through) {
      for (const auto& [i, j] : of.edge) {
        double low = 0, high = 1;
        const Vec3 p = of.vertex[at(i)], d = of.vertex[at(j)] - p;
        for (std::size_t f = 0; f < through.face.size(); ++f) {
          const Vec3 n = through.face_normal(f);
          const double height = dot(n, p - through.vertex[at(through.face[f][0])]), slope = dot(n, d);
          if (slope > 0)
            high = std::min(high, -height / slope);
          else if (slope < 0)
            low = std::max(low, -height / slope);
          else if (height > 0)
            low = 2;
        }
        if (low <= high && !through.face.empty()) return true;
      }
      return false;
    };
    if (inside || pierces(a, b) || pierces(b, a)) return separation - a.radius - b.radius;
  }
  return distance - a.radius - b.radius;
}

double height_over_faces(const Polytope& a, const Vec3& x, const Vec3& n) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < a.face.size(); ++f)
    if (dot(a.face_normal(f), n) > 0.7) least = std::min(least, height_over_face(a, f, x));
  return least;
}

double point_distance(const Polytope& a, const Vec3& x) {
  if (!a.face.empty()) {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < a.face.size(); ++f)
      highest = std::max(highest, dot(a.face_normal(f), x - a.vertex[at(a.face[f][0])]));
    if (highest <= 0) return highest - a.radius;
  }
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < a.face.size(); ++f) distance = std::min(distance, height_over_face(a, f, x));
  for (const auto& [i, j] : a.edge)
    distance = std::min(distance, segment_distance(x, x, a.vertex[at(i)], a.vertex[at(j)]));
  for (const Vec3& v : a.vertex) distance = std::min(distance, norm(x - v));
  return distance - a.radius;
}

}  // namespace stiction::test
