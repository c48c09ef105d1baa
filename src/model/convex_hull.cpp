// Quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The quickhull algorithm for convex hulls", 1996): from a
// tetrahedron on, the point farthest outside of a face replaces all faces that it sees by a cone over their outline.
// Every face keeps the list of points outside of it. Which faces a point sees is followed from neighbour to neighbour,
// so that the outline is one loop and the surface stays closed.
#include "model/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/flat_faces.hpp"

namespace stiction::detail {
namespace {

constexpr double kOutside = 1e-12;  // of the size: a point nearer to a face is on it
constexpr double kFlat = 1e-9;      // of the size: thinner points have no volume
constexpr double kFlatness = 1e-6;  // of the size: how far the corners of a face may lie out of its plane

struct Face {
  std::array<int, 3> vertex{};
  std::array<int, 3> neighbour{};  // behind the edge from vertex k to the next
  Vec3 normal{};
  std::vector<int> outside{};
  bool alive = true;
};

class Quickhull {
 public:
  explicit Quickhull(const std::vector<Vec3>& points) : points_(points) {
    Vec3 lower = points[0], upper = points[0];
    for (const Vec3& p : points) lower = min(lower, p), upper = max(upper, p);
    size_ = norm(upper - lower);
  }

  std::vector<std::array<int, 3>> run() {
    if (!start()) return {};
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (faces_[f].alive && !faces_[f].outside.empty()) add_farthest(f);
    std::vector<std::array<int, 3>> triangles;
    for (const Face& face : faces_)
      if (face.alive) triangles.push_back(face.vertex);
    return triangles;
  }

 private:
  const std::vector<Vec3>& points_;
  double size_ = 0;  // [m]
  std::vector<Face> faces_;

  const Vec3& point(int i) const { return points_[std::size_t(i)]; }
  double height(const Face& face, int p) const { return dot(face.normal, point(p) - point(face.vertex[0])); }

  template <class Measure>
  int farthest(const Measure& measure) const {
    int best = 0;
    double most = -1;
    for (int i = 0; i < int(points_.size()); ++i)
      if (const double value = measure(point(i)); value > most) most = value, best = i;
    return best;
  }

  std::size_t add_face(int a, int b, int c) {
    Face face;
    face.vertex = {a, b, c};
    const Vec3 n = cross(point(b) - point(a), point(c) - point(a));
    const double length = norm(n);
    if (length > 0) face.normal = n / length;
    faces_.push_back(std::move(face));
    return faces_.size() - 1;
  }

  // Points go to the first of the faces that they are outside of.
  void assign(const std::vector<int>& candidates, std::size_t first) {
    for (const int p : candidates)
      for (std::size_t f = first; f < faces_.size(); ++f)
        if (height(faces_[f], p) > kOutside * size_) {
          faces_[f].outside.push_back(p);
          break;
        }
  }

  // A tetrahedron of points that are far from each other; false if there is none.
  bool start() {
    if (!(size_ > 0)) return false;
    const int a = farthest([&](const Vec3& p) { return norm(p - points_[0]); });
    const int b = farthest([&](const Vec3& p) { return norm(p - point(a)); });
    const Vec3 line = normalized(point(b) - point(a));
    const int c = farthest([&](const Vec3& p) { return norm(cross(line, p - point(a))); });
    const Vec3 n = cross(line, point(c) - point(a));
    if (!(norm(n) > kFlat * size_)) return false;
    const Vec3 normal = normalized(n);
    int d = farthest([&](const Vec3& p) { return std::abs(dot(normal, p - point(a))); });
    const double h = dot(normal, point(d) - point(a));
    if (!(std::abs(h) > kFlat * size_)) return false;
    const int v[4] = {a, h < 0 ? b : c, h < 0 ? c : b, d};  // d is behind the first face
    const int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int f = 0; f < 4; ++f) {
      add_face(v[corners[f][0]], v[corners[f][1]], v[corners[f][2]]);
      faces_.back().neighbour = {beside[f][0], beside[f][1], beside[f][2]};
    }
    std::vector<int> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = int(i);
    assign(all, 0);
    return true;
  }

  struct OutlineEdge {
    int from, to, behind;  // behind: the face that stays
  };

  void add_farthest(std::size_t start_face) {
    const Face& seed = faces_[start_face];
    const int apex = *std::max_element(seed.outside.begin(), seed.outside.end(),
                                       [&](int p, int q) { return height(seed, p) < height(seed, q); });
    std::vector<std::size_t> seen{start_face};
    faces_[start_face].alive = false;
    std::vector<OutlineEdge> outline;
    std::vector<int> left_over;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Face& face = faces_[seen[i]];
      left_over.insert(left_over.end(), face.outside.begin(), face.outside.end());
      for (std::size_t k = 0; k < 3; ++k) {
        const auto next = std::size_t(face.neighbour[k]);
        if (!faces_[next].alive) continue;
        if (height(faces_[next], apex) > kOutside * size_) {
          faces_[next].alive = false;
          seen.push_back(next);
        }
      }
    }
    for (const std::size_t f : seen)
      for (std::size_t k = 0; k < 3; ++k)
        if (faces_[std::size_t(faces_[f].neighbour[k])].alive)
          outline.push_back({faces_[f].vertex[k], faces_[f].vertex[(k + 1) % 3], faces_[f].neighbour[k]});
    add_cone(apex, outline);
    std::erase(left_over, apex);
    assign(left_over, faces_.size() - outline.size());
  }

  // One face over each edge of the outline. Face k of the cone goes on behind its second and third edge.
  void add_cone(int apex, const std::vector<OutlineEdge>& outline) {
    std::map<int, std::size_t> from;  // face that starts at a vertex of the outline
    for (const OutlineEdge& edge : outline) {
      const std::size_t f = add_face(edge.from, edge.to, apex);
      from[edge.from] = f;
      faces_[f].neighbour[0] = edge.behind;
      Face& behind = faces_[std::size_t(edge.behind)];
      for (std::size_t k = 0; k < 3; ++k)
        if (behind.vertex[k] == edge.to && behind.vertex[(k + 1) % 3] == edge.from) behind.neighbour[k] = int(f);
    }
    for (const OutlineEdge& edge : outline) {
      const std::size_t f = from[edge.from], next = from[edge.to];
      faces_[f].neighbour[1] = int(next);
      faces_[next].neighbour[2] = int(f);
    }
  }
};

}  // namespace

std::vector<std::array<int, 3>> convex_hull(const std::vector<Vec3>& points) {
  return points.size() < 4 ? std::vector<std::array<int, 3>>{} : Quickhull(points).run();
}

int add_hull(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles, Model& model) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, norm(p));
  const auto faces = merge_flat_faces(points, triangles, kFlatness * size);
  std::map<int, int> number;  // vertices of the faces only, in their order
  for (const auto& face : faces)
    for (const int vertex : face) number.emplace(vertex, 0);
  int next = 0;
  for (auto& [vertex, own] : number) {
    own = next++;
    model.hull_vertex_position.push_back(points[std::size_t(vertex)]);
  }
  for (const auto& face : faces) {
    std::vector<Vec3> corners;
    for (const int vertex : face) {
      corners.push_back(points[std::size_t(vertex)]);
      model.hull_face_vertex_index.push_back(number[vertex]);
    }
    model.hull_face_normal.push_back(normalized(area_vector(corners)));
    model.hull_face_vertex.push_back(static_cast<int>(model.hull_face_vertex_index.size()));
  }
  model.hull_vertex.push_back(static_cast<int>(model.hull_vertex_position.size()));
  model.hull_face.push_back(static_cast<int>(model.hull_face_normal.size()));
  model.nhullvertex = static_cast<int>(model.hull_vertex_position.size());
  model.nhullface = static_cast<int>(model.hull_face_normal.size());
  model.nhullfacevertex = static_cast<int>(model.hull_face_vertex_index.size());
  return model.nhull++;
}

}  // namespace stiction::detail
