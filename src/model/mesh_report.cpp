// Volume, centre and inertia of a surface by the divergence theorem, as the sum of signed tetrahedra from one point (B.
// Mirtich, Fast and accurate computation of polyhedral mass properties, 1996, has the same integrals over projections).
// The point is the middle of the bounds: places far away keep their digits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include <stiction/error.hpp>
#include <stiction/mesh.hpp>

#include "math/mat3.hpp"
#include "model/mesh_edges.hpp"

namespace stiction {

namespace {

// Twice the area of a triangle is nothing below this share of its longest side squared.
constexpr double kFlat = 1e-12;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

Vec3 vertex(const TriangleMesh& mesh, int i) {
  const double* p = mesh.vertices.data() + 3 * at(i);
  return {p[0], p[1], p[2]};
}

std::tuple<double, double, double> place(const TriangleMesh& mesh, int i) {
  const Vec3 p = vertex(mesh, i);
  return {p.x, p.y, p.z};  // −0 equals 0
}

// Vertices in the order of their places; of those at one place the earliest first.
std::vector<int> by_place(const TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size() / 3);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const auto pa = place(mesh, a), pb = place(mesh, b);
    return pa < pb || (pa == pb && a < b);
  });
  return order;
}

std::array<int, 3> corners(const TriangleMesh& mesh, int triangle) {
  const int* corner = mesh.triangles.data() + 3 * at(triangle);
  return {corner[0], corner[1], corner[2]};
}

bool is_flat(const TriangleMesh& mesh, const detail::Corners& c) {
  const Vec3 p = vertex(mesh, c[0]), q = vertex(mesh, c[1]), r = vertex(mesh, c[2]);
  const double longest = std::max({norm_squared(q - p), norm_squared(r - q), norm_squared(p - r)});
  return norm(cross(q - p, r - p)) <= kFlat * longest;
}

void count_repeats(const TriangleMesh& mesh, MeshReport& report) {
  const std::vector<int> order = by_place(mesh);
  for (std::size_t i = 1; i < order.size(); ++i)
    report.duplicate_vertices += place(mesh, order[i]) == place(mesh, order[i - 1]) ? 1 : 0;
  std::vector<std::array<int, 3>> sorted(at(report.triangles));
  std::vector<char> used(at(report.vertices), 0);
  for (int t = 0; t < report.triangles; ++t) {
    std::array<int, 3> c = corners(mesh, t);
    for (const int i : c) used[at(i)] = 1;
    report.degenerate_triangles += is_flat(mesh, c) ? 1 : 0;
    std::sort(c.begin(), c.end());
    sorted[at(t)] = c;
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) report.duplicate_triangles += sorted[i] == sorted[i - 1] ? 1 : 0;
  report.unused_vertices = static_cast<int>(std::count(used.begin(), used.end(), 0));
}

// Triangles that make the surface: none that repeats another, and none that names a vertex twice, whose sides lie on
// each other. A triangle of no area with three vertices stays: it joins its neighbours.
std::vector<detail::Corners> surface_of(const TriangleMesh& mesh, int count) {
  std::vector<detail::Corners> all(at(count)), surface;
  for (int t = 0; t < count; ++t) all[at(t)] = corners(mesh, t);
  const std::vector<char> repeats = detail::repeated(all);
  for (std::size_t t = 0; t < all.size(); ++t) {
    const auto [a, b, c] = all[t];
    if (repeats[t] == 0 && a != b && b != c && c != a) surface.push_back(all[t]);
  }
  return surface;
}

void integrate(const TriangleMesh& mesh, const std::vector<detail::Corners>& surface, MeshReport& report) {
  const Vec3 lower{report.lower[0], report.lower[1], report.lower[2]};
  const Vec3 upper{report.upper[0], report.upper[1], report.upper[2]};
  const Vec3 middle = lower + (upper - lower) * 0.5;
  Vec3 first;     // ∫ x dV
  Mat3 second{};  // ∫ x xᵀ dV
  for (const detail::Corners& c : surface) {
    const Vec3 p = vertex(mesh, c[0]) - middle, q = vertex(mesh, c[1]) - middle, r = vertex(mesh, c[2]) - middle;
    report.area += norm(cross(q - p, r - p)) / 2;
    // Tetrahedron (0, p, q, r): V = p·(q × r)/6, ∫ x = V s/4, ∫ x xᵀ = V (p pᵀ + q qᵀ + r rᵀ + s sᵀ)/20, s = p + q + r
    const double volume = dot(p, cross(q, r)) / 6;
    const Vec3 s = p + q + r;
    report.volume += volume;
    first += s * (volume / 4);
    second = second + (outer(p, p) + outer(q, q) + outer(r, r) + outer(s, s)) * (volume / 20);
  }
  const Vec3 centre = report.volume != 0 ? first / report.volume : Vec3{};
  const Mat3 about = second - outer(centre, centre) * report.volume;
  const double trace = about(0, 0) + about(1, 1) + about(2, 2);
  // I = tr(S) 1 − S
  for (int i = 0; i < 3; ++i) {
    report.centre_of_mass[at(i)] = (centre + middle)[i];
    for (int j = 0; j < 3; ++j) report.inertia[at(3 * i + j)] = (i == j ? trace : 0) - about(i, j);
  }
}

}  // namespace

TriangleMesh merge_vertices(const TriangleMesh& mesh) {
  const std::vector<int> order = by_place(mesh);
  // Those that stay keep their order.
  std::vector<int> same(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool repeats = i > 0 && place(mesh, order[i]) == place(mesh, order[i - 1]);
    same[at(order[i])] = repeats ? same[at(order[i - 1])] : order[i];
  }
  TriangleMesh merged;
  merged.vertices.reserve(mesh.vertices.size());
  std::vector<int> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (same[i] != static_cast<int>(i)) continue;
    number[i] = static_cast<int>(merged.vertices.size() / 3);
    const auto begin = mesh.vertices.begin() + static_cast<std::ptrdiff_t>(3 * i);
    merged.vertices.insert(merged.vertices.end(), begin, begin + 3);
  }
  merged.triangles.reserve(mesh.triangles.size());
  for (const int v : mesh.triangles) merged.triangles.push_back(number[at(same[at(v)])]);
  return merged;
}

MeshReport inspect(const TriangleMesh& mesh) {
  if (mesh.vertices.size() % 3 != 0 || mesh.triangles.size() % 3 != 0)
    throw Error(fmt::format("mesh: {} coordinates and {} corners: both must be multiples of three",
                            mesh.vertices.size(), mesh.triangles.size()));
  MeshReport report;
  report.vertices = static_cast<int>(mesh.vertices.size() / 3);
  report.triangles = static_cast<int>(mesh.triangles.size() / 3);
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (mesh.triangles[i] < 0 || mesh.triangles[i] >= report.vertices)
      throw Error(fmt::format("mesh: triangle {} names vertex {} of {}", i / 3, mesh.triangles[i], report.vertices));
  for (int i = 0; i < report.vertices; ++i) report.not_finite += is_finite(vertex(mesh, i)) ? 0 : 1;
  if (report.not_finite > 0 || report.vertices == 0) return report;
  Vec3 lower = vertex(mesh, 0), upper = lower;
  for (int i = 1; i < report.vertices; ++i) {
    lower = min(lower, vertex(mesh, i));
    upper = max(upper, vertex(mesh, i));
  }
  report.lower = {lower.x, lower.y, lower.z};
  report.upper = {upper.x, upper.y, upper.z};
  report.size = norm(upper - lower);
  count_repeats(mesh, report);
  const std::vector<detail::Corners> surface = surface_of(mesh, report.triangles);
  detail::inspect_edges(surface, report);
  integrate(mesh, surface, report);
  report.outward = report.closed && report.oriented && report.volume > 0;
  return report;
}

std::vector<std::string> MeshReport::problems() const {
  std::vector<std::string> found;
  const auto add = [&](bool holds, const std::string& what) {
    if (holds) found.push_back(what);
  };
  if (not_finite > 0) return {fmt::format("{} vertices are NaN or infinite: the mesh cannot be used", not_finite)};
  if (triangles == 0) return {"there are no triangles"};
  add(boundary_edges > 0, fmt::format("open: {} edges have one triangle only{}", boundary_edges,
                                      duplicate_vertices > 0 ? "; merging vertices may close it" : ""));
  add(nonmanifold_edges > 0, fmt::format("{} edges have more than two triangles", nonmanifold_edges));
  add(flipped_edges > 0, fmt::format("{} triangles run against their neighbours, at {} edges: turn them over",
                                     flipped_triangles, flipped_edges));
  add(closed && oriented && volume < 0, "inside out: turn all triangles over");
  add(closed && oriented && volume == 0, "it encloses no volume");
  add(degenerate_triangles > 0, fmt::format("{} triangles have no area", degenerate_triangles));
  add(duplicate_triangles > 0, fmt::format("{} triangles repeat another", duplicate_triangles));
  add(duplicate_vertices > 0, fmt::format("{} vertices lie on another: merge them", duplicate_vertices));
  return found;
}

std::string MeshReport::text() const {
  const auto word = [](bool yes) { return yes ? "yes" : "no"; };
  std::string lines = fmt::format("{} vertices, {} triangles, {} parts\n", vertices, triangles, components);
  lines += fmt::format("closed {}, oriented {}, outward {}\n", word(closed), word(oriented), word(outward));
  lines += fmt::format("bounds ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m\n", lower[0], lower[1], lower[2],
                       upper[0], upper[1], upper[2]);
  lines += fmt::format("area {:.6g} m², volume {:.6g} m³, centre of mass ({:.6g}, {:.6g}, {:.6g}) m\n", area, volume,
                       centre_of_mass[0], centre_of_mass[1], centre_of_mass[2]);
  for (const std::string& problem : problems()) lines += fmt::format("- {}\n", problem);
  return lines;
}

}  // namespace stiction
