// Questions about the geometry of a scene: rays, signed distances with their closest points, overlaps. A Query holds
// the shapes of a model where they were last placed; margins and contact filters of the model play no part.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include <stiction/model.hpp>

namespace stiction {

class Simulation;

// Which shapes a query sees.
struct QueryFilter {
  std::uint32_t groups = ~0u;  // bit g: shapes of group g
  int excluded_body = -1;      // its shapes are not seen
  bool fixed = true;           // shapes that are fixed to the world are seen
};

struct RayHit {
  int shape = -1, body = -1;                                  // -1: nothing was met
  double distance = std::numeric_limits<double>::infinity();  // [m]
  Vec3 point, normal;                                         // [m]; outward normal of the surface there, unit
};

// From A to B. The gradient of the distance is `normal` where point_b moves with B, −normal where point_a moves with A.
struct Distance {
  int shape_a = -1, shape_b = -1;                             // -1: farther apart than the limit
  double distance = std::numeric_limits<double>::infinity();  // [m] negative: minus the depth of penetration
  Vec3 point_a, point_b;                                      // [m] on the two surfaces, distance · normal apart
  Vec3 normal;                                                // unit
  bool cut_short = false;  // a search was cut short by its bound on iterations: the best that it found
};

class Query {
 public:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  // The shapes lie where the reference configuration has them. Throws Error where a hull is not closed.
  explicit Query(std::shared_ptr<const Model> model);
  ~Query();
  Query(Query&&) noexcept;
  Query& operator=(Query&&) noexcept;

  const Model& model() const;
  // The current state of a simulation of the same model.
  void place(const Simulation& simulation);
  // X_WS of every shape.
  void place(std::span<const Transform> shape_pose);

  // First surface along the ray, from outside or from within a shape; a plane is seen from above. The direction may
  // have any length: distances are in metres. A ray that is not finite, or without direction, meets nothing.
  RayHit ray(const Vec3& origin, const Vec3& direction, double limit = kNoLimit, const QueryFilter& filter = {}) const;
  // Many at once, on `threads` threads (0: all cores). Either one origin for all or one for each.
  void rays(std::span<const Vec3> origins, std::span<const Vec3> directions, std::span<RayHit> hits,
            double limit = kNoLimit, const QueryFilter& filter = {}, int threads = 0) const;

  // Signed distance of two shapes; of two bodies the least over their shapes. None has a distance to itself: Error.
  Distance distance(int shape_a, int shape_b, double limit = kNoLimit) const;
  Distance body_distance(int body_a, int body_b, double limit = kNoLimit) const;
  // Many pairs of shapes (first, second) at once.
  void distances(std::span<const std::pair<int, int>> shapes, std::span<Distance> result, double limit = kNoLimit,
                 int threads = 0) const;
  // Two shapes, or one and its copy, at many poses X_WS of each.
  void distances(int shape_a, int shape_b, std::span<const Transform> pose_a, std::span<const Transform> pose_b,
                 std::span<Distance> result, double limit = kNoLimit, int threads = 0) const;

  // Whether two shapes have a point in common; many pairs at once; two shapes at many poses, as distances.
  bool overlap(int shape_a, int shape_b) const;
  void overlap(std::span<const std::pair<int, int>> shapes, std::span<bool> result, int threads = 0) const;
  void overlap(int shape_a, int shape_b, std::span<const Transform> pose_a, std::span<const Transform> pose_b,
               std::span<bool> result, int threads = 0) const;
  // All such pairs of shapes of different bodies, in ascending order; pairs fixed to the world are left out.
  std::vector<std::pair<int, int>> overlaps(const QueryFilter& filter = {}) const;

 private:
  struct Shapes;
  std::unique_ptr<Shapes> shapes_;
};

}  // namespace stiction
