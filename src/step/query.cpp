#include <stiction/query.hpp>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <stiction/simulation.hpp>

#include "collide/distance.hpp"
#include "collide/ray.hpp"
#include "collide/shape_set.hpp"

namespace stiction {

namespace {

constexpr int kSerialQueries = 256;  // fewer are not worth waking threads for

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// Calls f(i) for i in [0, count), in parallel; each writes to its own place.
template <class F>
void for_each(std::size_t count, int threads, F&& f) {
  const int team = threads > 0 ? threads : omp_get_num_procs();
  const int size = static_cast<int>(count);
#pragma omp parallel for schedule(dynamic, 64) num_threads(team) if (team > 1 && size >= kSerialQueries)
  for (int i = 0; i < size; ++i) f(static_cast<std::size_t>(i));
}

// Of any length: one that is tiny or huge is scaled before it is squared.
Vec3 unit(const Vec3& direction) {
  const double length = norm(direction);
  if (length > 1e-150 && length < 1e150) return direction / length;
  const double largest = std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)});
  return largest > 0 && std::isfinite(largest) ? normalized(direction / largest) : Vec3{};
}

bool is_finite_pose(const Transform& pose) {
  return is_finite(pose.p) && is_finite(rotation_matrix(pose.q).row[0]);
}

// A quaternion that the caller forgot to fill is no rotation.
void check_rotations(std::span<const Transform> pose) {
  for (std::size_t i = 0; i < pose.size(); ++i)
    if (pose[i].q.w == 0 && pose[i].q.x == 0 && pose[i].q.y == 0 && pose[i].q.z == 0)
      throw Error(fmt::format("pose {}: its quaternion is zero, which is no rotation", i));
}

Distance in_words(const ShapeDistanceT<double>& found, int a, int b) {
  if (!found.valid) return {};
  return {a, b, found.distance, found.on_a, found.on_b, found.normal, found.cut_short};
}

// The box with a ray: whether the ray meets it before `limit`. Directions of zero make infinities of the right sign,
// and NaN for a ray inside a face, which counts as met.
bool ray_meets(const Bounds& box, const Vec3& origin, const Vec3& inverse, double limit) {
  double enter = 0, leave = limit;
  for (int k = 0; k < 3; ++k) {
    const double t0 = (box.lower[k] - origin[k]) * inverse[k], t1 = (box.upper[k] - origin[k]) * inverse[k];
    const double low = t0 < t1 ? t0 : t1, high = t0 < t1 ? t1 : t0;
    if (low > enter) enter = low;
    if (high < leave) leave = high;
  }
  return !(enter > leave);
}

}  // namespace

struct Query::Shapes {
  explicit Shapes(std::shared_ptr<const Model> query_model) : model(std::move(query_model)), set(*model) {
    for (int i = 0; i < model->nshape; ++i)
      if (set[i].type == ShapeType::kPlane) planes.push_back(i);
    bounds.resize(at(model->nshape));
  }

  std::shared_ptr<const Model> model;
  ShapeSet set;
  std::vector<int> planes;
  std::vector<Bounds> bounds;
  BroadPhase tree;

  void place(std::span<const Transform> pose) {
    set.place(pose);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (int i = 0; i < set.size(); ++i) {
      bounds[at(i)] = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}};
      // Boxes are wider by what rounding may take from them.
      if (set[i].type != ShapeType::kPlane) bounds[at(i)] = set.bounds(i, 1e-9 * set[i].radius);
    }
    tree.build(bounds);
  }
  bool fixed(int shape) const { return model->body_tree[at(model->shape_body[at(shape)])] < 0; }
  bool sees(const QueryFilter& filter, int shape) const {
    const int body = model->shape_body[at(shape)], group = std::clamp(model->shape_group[at(shape)], 0, 31);
    return body != filter.excluded_body && ((filter.groups >> group) & 1u) != 0 && (filter.fixed || !fixed(shape));
  }
  void check_shape(int shape) const {
    if (shape < 0 || shape >= set.size()) throw Error(fmt::format("there is no shape {} of {}", shape, set.size()));
  }
  void check_pair(int a, int b) const {
    check_shape(a);
    check_shape(b);
    if (a == b)
      throw Error(
          fmt::format("shape '{}' is given twice: a distance or overlap is that of two", model->shape_name[at(a)]));
  }
  void check_filter(const QueryFilter& filter) const {
    if (filter.excluded_body < -1 || filter.excluded_body >= model->nbody)
      throw Error(fmt::format("there is no body {} of {} to exclude", filter.excluded_body, model->nbody));
  }
  void check_poses(int a, int b, std::span<const Transform> pose_a, std::span<const Transform> pose_b,
                   std::size_t results) const {
    check_shape(a);
    check_shape(b);
    if (pose_a.size() != results || pose_b.size() != results)
      throw Error(fmt::format("{} and {} poses, {} results", pose_a.size(), pose_b.size(), results));
    for (const auto& [shape, pose] : {std::pair{a, pose_a}, std::pair{b, pose_b}}) {
      check_rotations(pose);
      for (std::size_t i = 0; i < pose.size(); ++i)
        if (!is_finite_pose(pose[i]))
          throw Error(fmt::format("pose {} of shape '{}' is not finite", i, model->shape_name[at(shape)]));
    }
  }
  // Two shapes at poses of their own.
  ShapeDistanceT<double> distance_at(int a, int b, const Transform& pose_a, const Transform& pose_b,
                                     double limit) const {
    return shape_distance(placed(set[a], pose_a), placed(set[b], pose_b), limit);
  }
  RayHit ray(const Vec3& origin, const Vec3& direction, double limit, const QueryFilter& filter) const;
  // Lower bound of the distance of two shapes that are not planes.
  double least_distance(int a, int b) const {
    if (set[a].type == ShapeType::kPlane || set[b].type == ShapeType::kPlane) return -Query::kNoLimit;
    const Vec3 apart = max(bounds[at(a)].lower - bounds[at(b)].upper, bounds[at(b)].lower - bounds[at(a)].upper);
    const double distance = norm(max(apart, Vec3{}));
    return distance > 0 ? distance : -Query::kNoLimit;
  }
};

Query::Query(std::shared_ptr<const Model> model) : shapes_(std::make_unique<Shapes>(std::move(model))) {
  const Model& m = *shapes_->model;
  // Bodies stand behind their parents.
  std::vector<Transform> body(at(m.nbody)), shape(at(m.nshape));
  for (std::size_t i = 1; i < body.size(); ++i) body[i] = body[at(m.body_parent[i])] * m.body_pose[i];
  for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = body[at(m.shape_body[i])] * m.shape_pose[i];
  place(shape);
}

Query::~Query() = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(Query&&) noexcept = default;

const Model& Query::model() const {
  return *shapes_->model;
}

void Query::place(const Simulation& simulation) {
  if (&simulation.model() != shapes_->model.get())
    throw Error("the query and the simulation are of different models: make the query with the simulation's model");
  place(simulation.shape_poses());
}

void Query::place(std::span<const Transform> shape_pose) {
  if (static_cast<int>(shape_pose.size()) != shapes_->set.size())
    throw Error(fmt::format("place: {} poses for {} shapes", shape_pose.size(), shapes_->set.size()));
  check_rotations(shape_pose);
  for (std::size_t i = 0; i < shape_pose.size(); ++i)
    if (!is_finite_pose(shape_pose[i]))
      throw Error(fmt::format("place: the pose of shape '{}' is not finite", shapes_->model->shape_name[i]));
  shapes_->place(shape_pose);
}

RayHit Query::Shapes::ray(const Vec3& origin, const Vec3& direction, double limit, const QueryFilter& filter) const {
  RayHit hit;
  const Vec3 d = unit(direction);
  if (!(norm(d) > 0) || !is_finite(origin) || std::isnan(limit)) return hit;
  double nearest = limit;
  const auto consider = [&](int i) {
    RayPointT<double> met;
    if (!sees(filter, i) || !ray_shape(set[i], origin, d, nearest, met)) return;
    // Of surfaces at one place the first shape.
    if (met.distance == nearest && hit.shape >= 0 && i > hit.shape) return;
    nearest = met.distance;
    hit = {i, model->shape_body[at(i)], met.distance, origin + d * met.distance, met.normal};
  };
  for (const int plane : planes) consider(plane);
  const Vec3 inverse{1 / d.x, 1 / d.y, 1 / d.z};
  tree.visit([&](const Bounds& box) { return ray_meets(box, origin, inverse, nearest); }, consider);
  return hit;
}

RayHit Query::ray(const Vec3& origin, const Vec3& direction, double limit, const QueryFilter& filter) const {
  shapes_->check_filter(filter);
  return shapes_->ray(origin, direction, limit, filter);
}

void Query::rays(std::span<const Vec3> origins, std::span<const Vec3> directions, std::span<RayHit> hits, double limit,
                 const QueryFilter& filter, int threads) const {
  if (hits.size() != directions.size() || (origins.size() != 1 && origins.size() != directions.size()))
    throw Error(fmt::format("rays: {} origins (one, or one for each), {} directions, {} results", origins.size(),
                            directions.size(), hits.size()));
  shapes_->check_filter(filter);
  for_each(directions.size(), threads, [&](std::size_t i) {
    hits[i] = shapes_->ray(origins[origins.size() == 1 ? 0 : i], directions[i], limit, filter);
  });
}

Distance Query::distance(int shape_a, int shape_b, double limit) const {
  shapes_->check_pair(shape_a, shape_b);
  return in_words(shape_distance(shapes_->set[shape_a], shapes_->set[shape_b], limit), shape_a, shape_b);
}

Distance Query::body_distance(int body_a, int body_b, double limit) const {
  const Model& m = *shapes_->model;
  for (const int body : {body_a, body_b})
    if (body < 0 || body >= m.nbody) throw Error(fmt::format("there is no body {} of {}", body, m.nbody));
  if (body_a == body_b)
    throw Error(fmt::format("body '{}' is given twice: a distance is that of two", m.body_name[at(body_a)]));
  Distance nearest;
  for (int a = 0; a < m.nshape; ++a) {
    if (m.shape_body[at(a)] != body_a) continue;
    for (int b = 0; b < m.nshape; ++b) {
      const double least = std::min(limit, nearest.distance);
      if (m.shape_body[at(b)] != body_b || shapes_->least_distance(a, b) > least) continue;
      const Distance found = distance(a, b, least);
      if (found.shape_a >= 0 && found.distance < nearest.distance) nearest = found;
    }
  }
  return nearest;
}

void Query::distances(std::span<const std::pair<int, int>> shapes, std::span<Distance> result, double limit,
                      int threads) const {
  if (shapes.size() != result.size())
    throw Error(fmt::format("distances: {} pairs, {} results", shapes.size(), result.size()));
  for (const auto& [a, b] : shapes) shapes_->check_pair(a, b);
  for_each(shapes.size(), threads,
           [&](std::size_t i) { result[i] = distance(shapes[i].first, shapes[i].second, limit); });
}

void Query::distances(int shape_a, int shape_b, std::span<const Transform> pose_a, std::span<const Transform> pose_b,
                      std::span<Distance> result, double limit, int threads) const {
  shapes_->check_poses(shape_a, shape_b, pose_a, pose_b, result.size());
  for_each(result.size(), threads, [&](std::size_t i) {
    result[i] = in_words(shapes_->distance_at(shape_a, shape_b, pose_a[i], pose_b[i], limit), shape_a, shape_b);
  });
}

bool Query::overlap(int shape_a, int shape_b) const {
  shapes_->check_pair(shape_a, shape_b);
  if (shapes_->least_distance(shape_a, shape_b) > 0) return false;
  const ShapeDistanceT<double> found = shape_distance(shapes_->set[shape_a], shapes_->set[shape_b], 0.0);
  return found.valid && found.distance <= 0;
}

void Query::overlap(std::span<const std::pair<int, int>> shapes, std::span<bool> result, int threads) const {
  if (shapes.size() != result.size())
    throw Error(fmt::format("overlap: {} pairs, {} results", shapes.size(), result.size()));
  for (const auto& [a, b] : shapes) shapes_->check_pair(a, b);
  for_each(shapes.size(), threads, [&](std::size_t i) { result[i] = overlap(shapes[i].first, shapes[i].second); });
}

void Query::overlap(int shape_a, int shape_b, std::span<const Transform> pose_a, std::span<const Transform> pose_b,
                    std::span<bool> result, int threads) const {
  shapes_->check_poses(shape_a, shape_b, pose_a, pose_b, result.size());
  for_each(result.size(), threads, [&](std::size_t i) {
    const ShapeDistanceT<double> found = shapes_->distance_at(shape_a, shape_b, pose_a[i], pose_b[i], 0.0);
    result[i] = found.valid && found.distance <= 0;
  });
}

std::vector<std::pair<int, int>> Query::overlaps(const QueryFilter& filter) const {
  shapes_->check_filter(filter);
  const Model& m = *shapes_->model;
  std::vector<std::pair<int, int>> found;
  const auto consider = [&](int a, int b) {
    if (m.shape_body[at(a)] == m.shape_body[at(b)] || (shapes_->fixed(a) && shapes_->fixed(b))) return;
    if (shapes_->sees(filter, a) && shapes_->sees(filter, b) && overlap(a, b)) found.emplace_back(a, b);
  };
  for (int a = 0; a < m.nshape; ++a) {
    if (shapes_->set[a].type == ShapeType::kPlane) {
      for (int b = 0; b < m.nshape; ++b)
        if (b != a) consider(std::min(a, b), std::max(a, b));
      continue;
    }
    shapes_->tree.visit([&](const Bounds& box) { return stiction::overlap(box, shapes_->bounds[at(a)]); },
                        [&](int b) {
                          if (b > a) consider(a, b);
                        });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace stiction
