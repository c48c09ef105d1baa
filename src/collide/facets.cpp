#include "collide/facets.hpp"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include <stiction/error.hpp>

#include "collide/pair_table.hpp"
#include "collide/polyhedron.hpp"

namespace stiction {
namespace {

constexpr std::uint32_t kFacetMark = 1u << 21;  // of feature ids; no other of kind kOther has it
constexpr std::uint32_t kFacetBits = 10;
constexpr double kFlush = 1e-6;       // of the smaller shape's radius: a vertex as near to a facet lies in it
constexpr double kLeastSlope = 0.01;  // [rad] by which an edge of a shape has to dip below a plane to pass it
constexpr double kConvex = 1e-6;      // of a hull's size: a vertex farther outside of a facet is no rounding error

// Facet of the second shape, of a vertex of the first (side 0), or the other way round (1).
std::uint32_t facet_id(int side, int vertex, int facet) {
  return feature_id(FeatureKind::kOther, kFacetMark | (std::uint32_t(side) << 20) |
                                             (std::uint32_t(vertex) << kFacetBits) | std::uint32_t(facet));
}

bool is_facet_key(std::uint64_t key) {
  const auto feature = std::uint32_t(key & ((1u << kFeatureBits) - 1));
  return feature >> 22 == std::uint32_t(FeatureKind::kOther) && (feature & kFacetMark) != 0;
}

template <class Function>
void with_polyhedron(const ShapeT<double>& shape, Function&& f) {
  if (shape.type == ShapeType::kBox)
    f(detail::as_box(shape));
  else
    f(detail::as_hull(shape));
}

// Whether the convex shape lies on both sides of a plane through its vertex v: some other vertex is below the plane by
// more than a small angle.
template <class P>
bool is_cut(const P& vertices, int v, const Vec3& normal) {
  for (int other = 0; other < vertices.vertex_count(); ++other) {
    const Vec3 way = vertices.vertex(other) - vertices.vertex(v);
    if (dot(normal, way) < -kLeastSlope * norm(way)) return true;
  }
  return false;
}

// Vertices of `of` against the facets of `against`.
template <class P, class Q>
void add_vertices(const ShapeT<double>& of, const P& vertices, const ShapeT<double>& against, const Q& facets, int side,
                  double margin, std::vector<ContactPointT<double>>& out) {
  const double touch = kFlush * std::min(of.radius, against.radius);
  for (int v = 0; v < vertices.vertex_count(); ++v) {
    const Vec3 point = of.p + of.R * vertices.vertex(v), local = transpose(against.R) * (point - against.p);
    int nearest = 0;
    double largest = dot(facets.face_normal(0), local) - facets.face_offset(0);
    for (int f = 1; f < facets.face_count() && largest <= margin; ++f)
      if (const double psi = dot(facets.face_normal(f), local) - facets.face_offset(f); psi > largest)
        largest = psi, nearest = f;
    if (!(largest <= margin)) continue;
    // Where shapes lie flush, a vertex lies in the planes of several facets. It cannot leave by one that its own shape
    // lies on both sides of: what is behind it would pass through. If it can leave by none, all of them stay.
    const auto psi_of = [&](int f) { return dot(facets.face_normal(f), local) - facets.face_offset(f); };
    const auto is_near = [&](int f) { return f == nearest || psi_of(f) > -margin; };
    const auto is_way_out = [&](int f) {
      return psi_of(f) > touch || !is_cut(vertices, v, transpose(of.R) * (against.R * facets.face_normal(f)));
    };
    bool choose = false;
    for (int f = 0; largest <= touch && f < facets.face_count() && !choose; ++f) choose = is_near(f) && is_way_out(f);
    for (int f = 0; f < facets.face_count(); ++f) {
      if (!is_near(f) || (choose && !is_way_out(f))) continue;
      const Vec3 outward = against.R * facets.face_normal(f);  // from `against` to the vertex
      out.push_back({point, side == 0 ? -outward : outward, psi_of(f), facet_id(side, v, f)});
    }
  }
}

// Crossing edges, unless a vertex is where they cross: that has facets.
void add_crossings(const ShapeT<double>& a, const ShapeT<double>& b, double margin,
                   std::vector<ContactPointT<double>>& out) {
  ContactPointT<double> point[kMaxPoints];
  const int count = collide_pair(a, b, margin, point);
  const double touch = 1e-6 * std::min(a.radius, b.radius);
  for (int i = 0; i < count; ++i) {
    if (point[i].feature >> 22 != std::uint32_t(FeatureKind::kEdges)) continue;
    const double beside = std::abs(point[i].gap) + touch;
    bool at_vertex = false;
    for (const ShapeT<double>* shape : {&a, &b})
      with_polyhedron(*shape, [&](const auto& poly) {
        for (int v = 0; v < poly.vertex_count(); ++v)
          at_vertex = at_vertex || norm(shape->p + shape->R * poly.vertex(v) - point[i].point) <= beside;
      });
    if (!at_vertex) out.push_back(point[i]);
  }
}

}  // namespace

bool is_polyhedron(ShapeType type) {
  return type == ShapeType::kBox || type == ShapeType::kHull;
}

void collide_facets(const ShapeT<double>& a, const ShapeT<double>& b, double margin,
                    std::vector<ContactPointT<double>>& out) {
  add_crossings(a, b, margin, out);
  with_polyhedron(a, [&](const auto& A) {
    with_polyhedron(b, [&](const auto& B) {
      add_vertices(a, A, b, B, 0, margin, out);
      add_vertices(b, B, a, A, 1, margin, out);
    });
  });
}

bool is_next_facet(const Contacts& k, std::size_t c) {
  return c > 0 && is_facet_key(k.key[c]) && k.key[c] >> kFacetBits == k.key[c - 1] >> kFacetBits;
}

double deepest_penetration(const Contacts& k) {
  double deepest = 0;
  const auto n = std::size_t(k.ncontact);
  for (std::size_t first = 0, end; first < n; first = end) {
    double gap = k.gap[first];
    for (end = first + 1; end < n && is_next_facet(k, end); ++end) gap = std::max(gap, k.gap[end]);
    deepest = std::max(deepest, -gap);
  }
  return deepest;
}

void check_facets(const Model& model) {
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s) {
    if (model.shape_compliance[s] > 0)
      throw Error(
          fmt::format("contact model nonconvex-lcp: shape '{}' has a contact stiffness, and facets are rigid: take the "
                      "stiffness away or use another contact model",
                      model.shape_name[s]));
    if (model.shape_type[s] != ShapeType::kHull) continue;
    const auto hull = std::size_t(model.shape_hull[s]);
    const int vertices = model.hull_vertex[hull + 1] - model.hull_vertex[hull];
    const int most = std::max(vertices, model.hull_face[hull + 1] - model.hull_face[hull]);
    if (most > kMostFacetVertices)
      throw Error(
          fmt::format("contact model nonconvex-lcp: the hull of shape '{}' has {} vertices or faces, at most {} "
                      "can be told apart: use a simpler hull or another contact model",
                      model.shape_name[s], most, kMostFacetVertices));
    const Vec3* vertex = model.hull_vertex_position.data() + model.hull_vertex[hull];
    double size = 0;
    for (int v = 0; v < vertices; ++v) size = std::max(size, norm(vertex[v]));
    for (int f = model.hull_face[hull]; f < model.hull_face[hull + 1]; ++f) {
      const auto first = std::size_t(model.hull_face_vertex[std::size_t(f)]);
      const Vec3 origin = vertex[model.hull_face_vertex_index[first]];
      for (int v = 0; v < vertices; ++v) {
        const double outside = dot(model.hull_face_normal[std::size_t(f)], vertex[v] - origin);
        if (outside > kConvex * size)
          throw Error(
              fmt::format("contact model nonconvex-lcp: the facets of shape '{}' are not convex: vertex {} lies {} "
                          "m outside of facet {}: split the shape into convex parts",
                          model.shape_name[s], v, outside, f - model.hull_face[hull]));
      }
    }
  }
}

}  // namespace stiction
