#include "collide/collide.hpp"

#include <omp.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "collide/broad_phase.hpp"
#include "collide/extent.hpp"
#include "collide/facets.hpp"
#include "collide/flush_patches.hpp"
#include "collide/inner_ball.hpp"
#include "collide/pair_rules.hpp"
#include "collide/pair_table.hpp"
#include "collide/ray.hpp"
#include "collide/shape_set.hpp"
#include "model/contact_model.hpp"

namespace stiction {

namespace {

constexpr int kSerialPairs = 128;  // fewer are not worth waking threads for (about 20 µs of work)

struct Pair {
  int a, b;
  int explicit_pair;
};

// A pair whose boxes overlap if both are widened enough: by x and y on each side, where gap ≤ x weight_a + y weight_b.
struct NearPair {
  Pair pair;
  double gap, weight_a, weight_b;
};

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

bool is_surface(ShapeType type) {
  return type == ShapeType::kMesh || type == ShapeType::kHeightField;
}

}  // namespace

struct Collider::Scratch {
  explicit Scratch(const Model& model)
      : rules(model),
        surface_velocity(model.shape_surface_velocity),
        surface_spin(model.shape_surface_spin),
        shapes(model) {
    for (int i = 0; i < model.nshape; ++i) {
      if (rules.participates(i)) (shapes[i].type == ShapeType::kPlane ? planes : solids).push_back(i);
      bodies.push_back(model.shape_body[at(i)]);
      moving.push_back(rules.moves(i) ? 1 : 0);
      inner.push_back(rules.moves(i) ? ball_about_centre(model, i) : InnerBall{});
      driven.push_back(model.body_mocap[at(bodies.back())] >= 0 ? 1 : 0);
      awake.push_back(moving.back() | driven.back());
    }
    bounds.resize(at(model.nshape));
    own_speed.resize(at(model.nshape));
    speed.resize(at(model.nshape));
    first_pair.resize(at(model.nshape) + 1);
    if (!BroadPhase::is_few(bounds.size())) return;
    wanted.emplace(model.nshape, [&](int a, int b) {
      return (moving[at(a)] || moving[at(b)]) && (rules.explicit_pair(a, b) >= 0 || rules.may_touch(a, b));
    });
  }

  // Of the largest ball in a shape about the centre of mass of its body.
  InnerBall ball_about_centre(const Model& model, int shape) const {
    const Vec3& com = model.body_com[at(model.shape_body[at(shape)])];
    return inner_ball(shapes[shape], inverse(model.shape_pose[at(shape)]) * com);
  }

  // Constant
  PairRules rules;
  std::vector<int> bodies, planes, solids;
  std::vector<char> moving, driven;                  // of a tree; of a body moved by motion capture
  std::vector<Vec3> surface_velocity, surface_spin;  // of belts, in the shape frame [m/s], [rad/s]
  std::vector<InnerBall> inner;                      // of moving shapes
  std::optional<WantedPairs> wanted;                 // of few shapes

  // Of this step
  std::vector<char> awake;  // moving or driven, and not asleep: pairs need one such shape
  ShapeSet shapes;
  std::vector<Bounds> bounds;            // fattened by the margin
  std::vector<double> own_speed, speed;  // [m/s] as given, and as it may become by a push
  BroadPhase broad_phase;
  std::vector<NearPair> near;
  std::vector<Pair> found, pairs;
  std::vector<int> first_pair, first_point, count;
  std::vector<ContactPointT<double>> points;  // most_points places for each pair
  FlushPatches flush;
  CutShort cut_short;

  void place(std::span<const Transform> pose, std::span<const double> shape_speed);
  void set_bounds(const Options& options);
  void widen_bounds(const Options& options);
  double near_reach(const Options& options) const;
  void find_near(const Options& options, double reach);
  bool raise_speeds(const Options& options);
  void keep_pairs(const Options& options);
  void sort_pairs();
  void narrow_phase(const Options& options);
  int collide_inner_balls(const Pair& pair, double reach, ContactPointT<double>* out) const;
  void narrow_phase_facets(const Options& options);
  void flatten_across_shapes();
  void add_belt(int shape, double sign, std::size_t contact, Contacts& contacts) const;
  void note_cut_short();
  void write(Contacts& contacts) const;

  // [m] gap below which a pair has contacts.
  double margin(const Options& options, const Pair& pair) const {
    return options.contact_margin + options.timestep * (speed[at(pair.a)] + speed[at(pair.b)]);
  }
  void consider(int a, int b, double gap, double weight_a, double weight_b) {
    if (!awake[at(a)] && !awake[at(b)]) return;
    const int explicit_pair = rules.explicit_pair(a, b);
    if (explicit_pair < 0 && !rules.may_touch(a, b)) return;
    near.push_back({{a, b, explicit_pair}, gap, weight_a, weight_b});
  }
  // [m] by how much a margin has grown.
  double growth(const Options& options, int i) const { return options.timestep * (speed[at(i)] - own_speed[at(i)]); }
};

void Collider::Scratch::place(std::span<const Transform> pose, std::span<const double> shape_speed) {
  shapes.place(pose);
  for (std::size_t i = 0; i < speed.size(); ++i) {
    // A speed that is not a number must not spread.
    speed[i] = moving[i] && shape_speed[i] > 0 ? shape_speed[i] : 0;
  }
}

void Collider::Scratch::set_bounds(const Options& options) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::fill(bounds.begin(), bounds.end(), Bounds{{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}});
  for (const int i : solids) {
    const double fat = options.contact_margin + rules.widest_margin(i) + options.timestep * speed[at(i)];
    bounds[at(i)] = shapes.bounds(i, fat);
  }
}

// By what the speeds were raised.
void Collider::Scratch::widen_bounds(const Options& options) {
  for (const int i : solids) {
    const double more = growth(options, i);
    bounds[at(i)].lower -= Vec3{more, more, more};
    bounds[at(i)].upper += Vec3{more, more, more};
  }
}

// How far beyond an overlap pairs can come into question by raise_speeds [m]; of many shapes they are searched again.
double Collider::Scratch::near_reach(const Options& options) const {
  if (!wanted) return 0;
  double fastest = 0;
  for (const double v : speed) fastest = std::max(fastest, v);
  return std::min(2 * options.timestep * fastest, std::numeric_limits<double>::max());
}

// All pairs whose fattened boxes overlap, and every solid that reaches the fattened half-space of a plane, up to
// `reach`.
void Collider::Scratch::find_near(const Options& options, double reach) {
  near.clear();
  for (const int plane : planes) {
    const ShapeT<double>& half_space = shapes[plane];
    const Vec3 n = half_space.R.column(2), size = abs(n);
    const double fat = options.contact_margin + rules.widest_margin(plane) + options.timestep * speed[at(plane)];
    const double sum = size.x + size.y + size.z;
    for (const int i : solids) {
      if (!moving[at(i)] && !moving[at(plane)]) continue;
      // Lowest corner of the box, which is fattened along each axis: an upper bound of the reach along n.
      const Vec3 centre = (bounds[at(i)].lower + bounds[at(i)].upper) * 0.5, half = bounds[at(i)].upper - centre;
      const double gap = dot(n, centre - half_space.p) - dot(size, half) - fat;
      if (!(gap <= sum * reach)) continue;
      plane < i ? consider(plane, i, gap, 1, sum) : consider(i, plane, gap, sum, 1);
    }
  }
  if (wanted)
    broad_phase.find_near(bounds, *wanted, reach, [&](int a, int b, double gap) { consider(a, b, gap, 1, 1); });
  else
    broad_phase.find_pairs(bounds, moving, [&](int a, int b) { consider(a, b, 0, 1, 1); });
}

// Momentum can be passed on within a step: a shape may get as fast as a shape that it can touch. One round; true if
// margins grew so much that pairs may be missing.
bool Collider::Scratch::raise_speeds(const Options& options) {
  own_speed = speed;
  double most = 0;
  for (const NearPair& candidate : near) {
    if (candidate.gap > 0) continue;
    const Pair& pair = candidate.pair;
    const double faster = std::max(own_speed[at(pair.a)], own_speed[at(pair.b)]);
    for (const int i : {pair.a, pair.b}) {
      if (!moving[at(i)]) continue;
      most = std::max(most, faster - own_speed[at(i)]);
      speed[at(i)] = std::max(speed[at(i)], faster);
    }
  }
  return options.timestep * most > 0.1 * options.contact_margin;
}

// Those of the near pairs whose boxes overlap, widened by what the speeds were raised.
void Collider::Scratch::keep_pairs(const Options& options) {
  found.clear();
  for (const NearPair& n : near)
    if (n.gap <= n.weight_a * growth(options, n.pair.a) + n.weight_b * growth(options, n.pair.b))
      found.push_back(n.pair);
}

// By first shape (counting), then by second (few each). Those of few shapes mostly come in that order.
void Collider::Scratch::sort_pairs() {
  if (std::is_sorted(found.begin(), found.end(),
                     [](const Pair& x, const Pair& y) { return x.a != y.a ? x.a < y.a : x.b < y.b; })) {
    pairs.swap(found);
    return;
  }
  std::fill(first_pair.begin(), first_pair.end(), 0);
  for (const Pair& pair : found) ++first_pair[at(pair.a) + 1];
  for (std::size_t i = 1; i < first_pair.size(); ++i) first_pair[i] += first_pair[i - 1];
  pairs.resize(found.size());
  for (const Pair& pair : found) pairs[at(first_pair[at(pair.a)]++)] = pair;
  // first_pair[a] is now the end of a's pairs.
  int begin = 0;
  for (std::size_t a = 0; a + 1 < first_pair.size(); ++a) {
    std::sort(pairs.begin() + begin, pairs.begin() + first_pair[a],
              [](const Pair& x, const Pair& y) { return x.b < y.b; });
    begin = first_pair[a];
  }
}

// Each pair writes to its own places, so the result does not depend on who computes it.
void Collider::Scratch::narrow_phase(const Options& options) {
  const int size = static_cast<int>(pairs.size());
  count.resize(pairs.size());
  first_point.resize(pairs.size());
  int places = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    first_point[i] = places;
    places += most_points(shapes[pairs[i].a].type, shapes[pairs[i].b].type);
  }
  points.resize(at(places));
  const auto collide = [&](int i) {
    const Pair& pair = pairs[at(i)];
    ContactPointT<double>* out = points.data() + first_point[at(i)];
    // The surfaces stand off the shapes by their margins.
    const double off = rules.standoff(pair.a, pair.b, pair.explicit_pair);
    const double reach = off + margin(options, pair);
    count[at(i)] = collide_pair(shapes[pair.a], shapes[pair.b], reach, out);
    if (count[at(i)] == 0) count[at(i)] = collide_inner_balls(pair, reach, out);
    for (int c = 0; c < count[at(i)]; ++c) out[c].gap -= off;
    char done[kMaxSurfacePoints];
    detail::flatten_patches(out, count[at(i)], detail::kWithinPair, done);
  };
  const int threads = options.threads > 0 ? options.threads : omp_get_num_procs();
  if (threads == 1 || size < kSerialPairs) {
    for (int i = 0; i < size; ++i) collide(i);
  } else {
#pragma omp parallel for schedule(dynamic, 32) num_threads(threads)
    for (int i = 0; i < size; ++i) collide(i);
  }
  flatten_across_shapes();
}

// Bodies that have pierced the wall of a surface need not have a feature within it; the ball about the centre of mass
// inside such a body tells on which side it belongs.
int Collider::Scratch::collide_inner_balls(const Pair& pair, double reach, ContactPointT<double>* out) const {
  if (!is_surface(shapes[pair.a].type) && !is_surface(shapes[pair.b].type)) return 0;
  for (const int side : {0, 1}) {
    const int own = side == 0 ? pair.a : pair.b;
    if (!(inner[at(own)].radius > 0)) continue;
    ShapeT<double> ball;
    ball.p = shapes[own].p + shapes[own].R * inner[at(own)].centre;
    ball.R = shapes[own].R;
    ball.size.x = ball.radius = inner[at(own)].radius;
    const int number =
        side == 0 ? collide_pair(ball, shapes[pair.b], reach, out) : collide_pair(shapes[pair.a], ball, reach, out);
    if (number == 0) continue;
    out[0] = *std::min_element(out, out + number, [](const auto& x, const auto& y) { return x.gap < y.gap; });
    out[0].feature = feature_of_centre(side);
    return 1;
  }
  return 0;
}

void Collider::Scratch::flatten_across_shapes() {
  flush.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [a, b, rule] = pairs[i];
    if (count[i] > 0 && (rules.is_compound(a) || rules.is_compound(b)))
      flush.add(rules.rigid_body(a), rules.rigid_body(b), points.data() + first_point[i], count[i]);
  }
  flush.flatten();
}

// The same for the contact model whose vertices have many facets: their number has no bound, so pair after pair.
void Collider::Scratch::narrow_phase_facets(const Options& options) {
  count.resize(pairs.size());
  first_point.resize(pairs.size());
  points.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    const ShapeT<double>&a = shapes[pair.a], &b = shapes[pair.b];
    const double off = rules.standoff(pair.a, pair.b, pair.explicit_pair), reach = off + margin(options, pair);
    const std::size_t first = points.size();
    first_point[i] = static_cast<int>(first);
    if (is_polyhedron(a.type) && is_polyhedron(b.type)) {
      collide_facets(a, b, reach, points);
    } else {
      ContactPointT<double> found_points[kMaxSurfacePoints];
      const int number = collide_pair(a, b, reach, found_points);
      char done[kMaxSurfacePoints];
      detail::flatten_patches(found_points, number, detail::kWithinPair, done);
      points.insert(points.end(), found_points, found_points + number);
    }
    for (std::size_t c = first; c < points.size(); ++c) points[c].gap -= off;
    count[i] = static_cast<int>(points.size() - first);
  }
}

// The surface of a shape moves by v + ω × r in its frame, r from its origin.
void Collider::Scratch::add_belt(int shape, double sign, std::size_t k, Contacts& contacts) const {
  const ShapeT<double>& placed = shapes[shape];
  const Vec3 spin = placed.R * surface_spin[at(shape)];
  contacts.surface_spin[k] += sign * spin;
  contacts.surface_velocity[k] +=
      sign * (placed.R * surface_velocity[at(shape)] + cross(spin, contacts.point[k] - placed.p));
}

void Collider::Scratch::note_cut_short() {
  CutShort met;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto first = points.begin() + first_point[i];
    if (std::none_of(first, first + count[i], [](const auto& point) { return point.cut_short; })) continue;
    if (met.pairs++ == 0) met.shape_a = pairs[i].a, met.shape_b = pairs[i].b;
  }
  if (met.pairs > cut_short.pairs) cut_short = met;
}

void Collider::Scratch::write(Contacts& contacts) const {
  int total = 0;
  for (const int c : count) total += c;
  contacts.ncontact = total;
  contacts.resize();
  std::size_t k = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (count[i] == 0) continue;
    const Pair& pair = pairs[i];
    const PairSurface surface = rules.surface(pair.a, pair.b, pair.explicit_pair);
    const std::uint64_t shapes_key =
        (static_cast<std::uint64_t>(pair.a) << 44) | (static_cast<std::uint64_t>(pair.b) << 24);
    for (int c = 0; c < count[i]; ++c, ++k) {
      const ContactPointT<double>& point = points[at(first_point[i] + c)];
      contacts.shape_a[k] = pair.a;
      contacts.shape_b[k] = pair.b;
      contacts.body_a[k] = bodies[at(pair.a)];
      contacts.body_b[k] = bodies[at(pair.b)];
      contacts.key[k] = shapes_key | point.feature;
      contacts.point[k] = point.point;
      contacts.normal[k] = point.normal;
      contacts.gap[k] = point.gap;
      contacts.turn[k] = 0;
      contacts.push_out[k] = 1;
      contacts.friction[k] = surface.friction;
      contacts.friction_second[k] = surface.friction_second;
      contacts.friction_torque[k] = surface.friction_torque;
      contacts.restitution[k] = surface.restitution;
      contacts.compliance[k] = surface.compliance;
      contacts.damping[k] = surface.damping;
      contacts.surface_velocity[k] = contacts.surface_spin[k] = {};
      if (rules.is_belt(pair.b)) add_belt(pair.b, 1, k, contacts);
      if (rules.is_belt(pair.a)) add_belt(pair.a, -1, k, contacts);
    }
  }
}

Collider::Collider(const Model& model) : scratch_(std::make_unique<Scratch>(model)) {}
Collider::~Collider() = default;

void Collider::collide(const Options& options, std::span<const Transform> shape_pose,
                       std::span<const double> shape_speed, Contacts& contacts) {
  Scratch& s = *scratch_;
  s.place(shape_pose, shape_speed);
  s.set_bounds(options);
  const double reach = s.near_reach(options);
  s.find_near(options, reach);
  if (s.raise_speeds(options) && !s.wanted) {
    s.widen_bounds(options);
    s.own_speed = s.speed;
    s.find_near(options, reach);
  }
  s.keep_pairs(options);
  s.sort_pairs();
  if (detail::contact_model(options) == detail::ContactModel::kNonconvex)
    s.narrow_phase_facets(options);
  else
    s.narrow_phase(options);
  s.note_cut_short();
  s.write(contacts);
}

void Collider::collide_from(int shape_a, int shape_b, const Vec3& lift, Contacts& contacts) {
  Scratch& s = *scratch_;
  const Pair pair{shape_a, shape_b, s.rules.explicit_pair(shape_a, shape_b)};
  const double off = s.rules.standoff(pair.a, pair.b, pair.explicit_pair);
  ShapeT<double> moved = s.shapes[pair.b];
  moved.p += lift;
  s.pairs.assign(1, pair);
  s.first_point.assign(1, 0);
  s.points.resize(kMaxSurfacePoints);
  s.count.assign(1, collide_pair(s.shapes[pair.a], moved, off + norm(lift), s.points.data()));
  for (int c = 0; c < s.count[0]; ++c) {
    ContactPointT<double>& point = s.points[at(c)];
    const double back = dot(lift, point.normal);
    point.point -= point.normal * (0.5 * back);
    point.gap -= back + off;
  }
  char done[kMaxSurfacePoints];
  detail::flatten_patches(s.points.data(), s.count[0], detail::kWithinPair, done);
  s.note_cut_short();
  s.write(contacts);
}

void Collider::set_asleep(std::span<const char> shape_asleep) {
  Scratch& s = *scratch_;
  for (std::size_t i = 0; i < s.awake.size(); ++i) s.awake[i] = (s.moving[i] | s.driven[i]) && !shape_asleep[i];
}

double Collider::least_gap(int shape_a, int shape_b, const Transform& pose_a, const Transform& pose_b, double reach) {
  Scratch& s = *scratch_;
  const ShapeT<double> a = placed(s.shapes[shape_a], pose_a), b = placed(s.shapes[shape_b], pose_b);
  const double off = standoff(shape_a, shape_b);
  ContactPointT<double> point[kMaxSurfacePoints];
  double least = reach;
  for (int c = collide_pair(a, b, off + reach, point) - 1; c >= 0; --c) {
    least = std::min(least, point[c].gap - off);
    if (point[c].cut_short && s.cut_short.pairs == 0) s.cut_short = {1, shape_a, shape_b};
  }
  return least;
}

const CutShort& Collider::cut_short() const {
  return scratch_->cut_short;
}

void Collider::forget_cut_short() {
  scratch_->cut_short = {};
}

double Collider::standoff(int shape_a, int shape_b) const {
  const PairRules& rules = scratch_->rules;
  return rules.standoff(shape_a, shape_b, rules.explicit_pair(shape_a, shape_b));
}

double Collider::radius(int shape) const {
  return scratch_->shapes[shape].radius;
}

double Collider::reach(int shape, const Transform& pose, const Vec3& n) const {
  return reach_along(placed(scratch_->shapes[shape], pose), n);
}

double Collider::separation(int shape_a, int shape_b, const Transform& pose_a, const Transform& pose_b,
                            const Vec3& n) const {
  return -reach(shape_b, pose_b, -n) - reach(shape_a, pose_a, n);
}

bool Collider::passing_axis(int shape_a, int shape_b, const Transform& start_a, const Transform& start_b,
                            const Transform& end_a, const Transform& end_b, Vec3& n) const {
  const ShapeSet& shapes = scratch_->shapes;
  const ShapeT<double>&a = shapes[shape_a], &b = shapes[shape_b];
  if (!stiction::passing_axis(placed(a, inverse(start_b) * start_a), placed(a, inverse(end_b) * end_a),
                              placed(b, Transform{}), n))
    return false;
  n = rotate(start_b.q, n);
  return true;
}

double Collider::inner_radius(int shape) const {
  const double radius = scratch_->inner[at(shape)].radius;
  return radius > 0 ? radius : std::numeric_limits<double>::infinity();
}

bool Collider::entry(int shape_a, int shape_b, const Transform& start_a, const Transform& start_b,
                     const Transform& end_a, const Transform& end_b, Entry& entry) const {
  const InnerBall& ball = scratch_->inner[at(shape_a)];
  if (!(ball.radius > 0)) return false;
  const Vec3 start = inverse(start_b) * (start_a * ball.centre), end = inverse(end_b) * (end_a * ball.centre);
  const double length = norm(end - start);
  if (!(length > ball.radius)) return false;
  const Vec3 along = (end - start) / length;
  RayPointT<double> hit;
  if (!ray_shape(placed(scratch_->shapes[shape_b], Transform{}), start, along, length, hit)) return false;
  const double height = -hit.distance * dot(hit.normal, along);
  if (!(height > 0)) return false;  // it was inside, and leaves
  const Vec3 outward = rotate(start_b.q, hit.normal);
  entry.gap = std::max(0.0, height - ball.radius - standoff(shape_a, shape_b));
  entry.normal = -outward;
  entry.point = start_a * ball.centre - outward * (ball.radius + 0.5 * entry.gap);
  return true;
}

Vec3 Collider::foremost(int shape, const Transform& pose, const Vec3& x, const Vec3& n) const {
  return stiction::foremost(placed(scratch_->shapes[shape], pose), x, n);
}

}  // namespace stiction
