#include "step/seams.hpp"

#include "dynamics/kinematics.hpp"
#include "model/contact_model.hpp"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kLevel = 1e-6;           // of the smaller shape's size: a step lower than this is none
constexpr double kSameNormal = 1 - 1e-6;  // cosine of normals that are one
constexpr double kSamePoint = 1e-9;       // of the size: points that are one
constexpr double kFlattened = 0.02;       // of the size: how far patches that are made flat may be bent
constexpr double kLies = 0.1;             // sine of the angle from the normal to the axis of what lies

// gap + h v_n: what the contact will have at the end of the step, to first order [m].
double end_gap(const Model& model, const Options& options, const std::vector<double>& u, const Workspace& w,
               std::size_t c) {
  const Contacts& k = w.candidates;
  const Vec3 v = relative_velocity(model, w, k.body_a[c], k.body_b[c], k.point[c], u);
  return k.gap[c] + k.turn[c] + options.timestep * dot(k.normal[c], v);
}

class Seams {
 public:
  Seams(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w)
      : model_(model), options_(options), u_(u), w_(w), k_(w.candidates) {}

  // Lists the contacts of each moving body that touch at the end of the step.
  void list_touching() {
    const auto n = std::size_t(k_.ncontact);
    w_.touching_of_body.assign(std::size_t(model_.nbody), -1);
    w_.next_touching.resize(2 * n);
    for (std::size_t c = n; c-- > 0;) {
      if (!(end_gap(model_, options_, u_, w_, c) <= options_.touching_gap)) continue;
      for (const int side : {0, 1}) {
        int& first = w_.touching_of_body[std::size_t(side == 0 ? k_.body_a[c] : k_.body_b[c])];
        w_.next_touching[2 * c + std::size_t(side)] = first;
        first = int(2 * c) + side;
      }
    }
  }

  // The plane that body X (side of contact c) has, by its nearest contact, with all of the other shape below it.
  bool turn(std::size_t c, int side) {
    const int body = side == 0 ? k_.body_a[c] : k_.body_b[c];
    if (model_.body_tree[std::size_t(body)] < 0) return false;
    const auto x = std::size_t(side == 0 ? k_.shape_a[c] : k_.shape_b[c]);
    const auto s = std::size_t(side == 0 ? k_.shape_b[c] : k_.shape_a[c]);
    const double tolerance = options_.touching_gap + kLevel * std::min(size_of(x), size_of(s));
    const double off = w_.collider.standoff(k_.shape_a[c], k_.shape_b[c]);
    // What was found too deep at the end of the step needs a plane that separates there, too.
    const bool foreseen = w_.at_seam[c] == kForeseen || k_.turn[c] < 0;
    int best = -1;
    Vec3 plane{};
    for (int slot = w_.touching_of_body[std::size_t(body)]; slot >= 0; slot = w_.next_touching[std::size_t(slot)]) {
      const auto k = std::size_t(slot / 2);
      if (k == c || (best >= 0 && !(k_.gap[k] < k_.gap[std::size_t(best)]))) continue;
      const Vec3 m = towards(k, slot % 2);
      const double least = k_.gap[k] + off - tolerance;
      if (!(dot(m, towards(c, side)) * (k_.gap[c] + off) >= least)) continue;
      if (!(w_.collider.separation(int(s), int(x), w_.shape_pose[s], w_.shape_pose[x], m) >= least)) continue;
      if (foreseen && !(w_.collider.separation(int(s), int(x), w_.end_pose[s], w_.end_pose[x], m) >= -tolerance))
        continue;
      best = int(k);
      plane = m;
    }
    if (best < 0) return false;
    const SeamPlane level = seam_plane(model_, w_, c, side, plane);
    // What acts along that normal already stays where it is, but for a round body whose patch was made flat: the other
    // places of a rim and the other end of a line hold their own parts up.
    const double rolled = level.rolled / size_of(x);
    if (dot(plane, towards(c, side)) > kSameNormal && (rolled <= kSamePoint || rolled > kFlattened)) return false;
    k_.normal[c] = level.normal;
    k_.gap[c] = level.gap;
    k_.turn[c] = 0;
    k_.point[c] = level.point;
    return true;
  }

 private:
  const Model& model_;
  const Options& options_;
  const std::vector<double>& u_;
  Workspace& w_;
  Contacts& k_;

  // Normal towards the body on a side of a contact.
  Vec3 towards(std::size_t c, int side) const { return side == 0 ? -k_.normal[c] : k_.normal[c]; }
  double size_of(std::size_t shape) const { return 2 * w_.collider.radius(int(shape)); }
};

// Its normals turn with the point of contact and not at an edge.
bool is_round(ShapeType type) {
  return type == ShapeType::kSphere || type == ShapeType::kCapsule || type == ShapeType::kEllipsoid;
}

// Planes have no edge, and round shapes none to meet each other at.
bool may_have_seam(ShapeType a, ShapeType b) {
  return a != ShapeType::kPlane && b != ShapeType::kPlane && !(is_round(a) && is_round(b));
}

// [m] of the shift of a point of contact, what is across the normal, and across the axis of what lies on its side:
// along that nothing rolls.
double rolled(ShapeType type, const Transform& pose, const Vec3& normal, const Vec3& shift) {
  const bool has_axis = type == ShapeType::kCapsule || type == ShapeType::kCylinder;
  const Vec3 across = has_axis ? cross(rotate(pose.q, Vec3{0, 0, 1}), normal) : Vec3{};
  const double lies = norm(across);
  return lies > kLies ? std::abs(dot(across, shift)) / lies : norm(shift - normal * dot(normal, shift));
}

}  // namespace

SeamPlane seam_plane(const Model& model, const Workspace& w, std::size_t c, int side, const Vec3& plane) {
  const Contacts& k = w.candidates;
  const int x = side == 0 ? k.shape_a[c] : k.shape_b[c], s = side == 0 ? k.shape_b[c] : k.shape_a[c];
  const Transform &pose_x = w.shape_pose[std::size_t(x)], &pose_s = w.shape_pose[std::size_t(s)];
  const double off = w.collider.standoff(x, s), between = k.gap[c] + off;
  const Vec3 n = side == 0 ? -k.normal[c] : k.normal[c];
  const Vec3 of_x = k.point[c] + n * (0.5 * between), of_s = k.point[c] - n * (0.5 * between);
  const auto foot_along = [&](const Vec3& m) { return w.collider.foremost(x, pose_x, of_x, -m); };
  const auto apart_along = [&](const Vec3& m) {
    return dot(m, foot_along(m) - w.collider.foremost(s, pose_s, of_s, m));
  };
  // Points of patches that were made flat may be a little inside the shapes, or beside them: a curved shape brings its
  // own back, and is then farther from the other one's than the contact says.
  const double moved = std::max(0.0, apart_along(n) - between);
  const double gap =
      std::max(w.collider.separation(s, x, pose_s, pose_x, plane), apart_along(plane) - moved * dot(plane, n));
  const Vec3 foot = foot_along(plane);
  return {side == 0 ? -plane : plane, foot - plane * (0.5 * gap), gap - off,
          rolled(model.shape_type[std::size_t(x)], pose_x, plane, foot - of_x)};
}

bool chooses_planes(const Options& options) {
  const detail::ContactModel contact = detail::contact_model(options);
  return contact != detail::ContactModel::kPyramid && contact != detail::ContactModel::kNonconvex;
}

int turn_at_seams(const Model& model, const Options& options, const std::vector<double>& u, Workspace& w) {
  if (!chooses_planes(options)) return 0;
  const Contacts& k = w.candidates;
  Seams seams(model, options, u, w);
  bool moved = false, listed = false;
  int turned = 0;
  for (std::size_t c = 0; c < std::size_t(k.ncontact); ++c) {
    if (!may_have_seam(model.shape_type[std::size_t(k.shape_a[c])], model.shape_type[std::size_t(k.shape_b[c])]))
      continue;
    if (w.at_seam[c] == kAtSeam) continue;
    if (!moved) compute_link_velocities(u, w);
    moved = true;
    const bool pressed = dot(k.force[c], k.normal[c]) > 0;
    if (!pressed && !(end_gap(model, options, u, w, c) < 0)) continue;
    if (!listed) seams.list_touching();
    listed = true;
    if (!seams.turn(c, 0) && !seams.turn(c, 1)) continue;
    w.at_seam[c] = kAtSeam;
    ++turned;
  }
  return turned;
}

}  // namespace stiction
