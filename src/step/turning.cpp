#include "step/turning.hpp"

#include "dynamics/kinematics.hpp"
#include "math/row_products.hpp"
#include "model/contact_model.hpp"
#include "problem/reach.hpp"
#include "problem/trial_pose.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace stiction {
namespace {

constexpr double kAim = 5e-5;            // of the smaller shape's size: penetration that needs no correction
constexpr double kSameFace = 0.98;       // least cosine between the normals of a contact now and at the end of the step
constexpr double kSameSide = 0.7;        // the same of faces that bound a body on one side, of a drum, say
constexpr double kSamePlace = 0.1;       // of that size: how far on its bodies a contact may move and be the same
constexpr double kOnePlane = 1 - 1e-12;  // cosine of normals that are one
constexpr double kRepeated = 1.5;        // share of a difference that is taken where an earlier round left one
constexpr int kFewTrees = 8;             // in an island whose turning is given up as a whole
constexpr double kMostGain = 0.2;        // share of its kinetic energy that an island's turning may bring it in a step

// [m] penetration that a pair may end with.
double aim(const Model& model, const Workspace& w, const Contacts& k, std::size_t c) {
  double size = std::numeric_limits<double>::infinity();
  for (const int shape : {k.shape_a[c], k.shape_b[c]})
    if (model.body_tree[std::size_t(model.shape_body[std::size_t(shape)])] >= 0)
      size = std::min(size, 2 * w.shape_reach[std::size_t(shape)]);
  return kAim * size;
}

// [rad/s] of a body at the velocities u; links as compute_link_velocities left them.
double turning_speed(const Model& model, const Workspace& w, int body, const std::vector<double>& u) {
  const int tree = model.body_tree[std::size_t(body)];
  if (tree < 0) return 0;
  if (!w.tree_free[std::size_t(tree)]) return norm(w.links.velocity[w.plan.body_link[std::size_t(body)]].angular);
  const double* x = u.data() + model.tree_dof[std::size_t(tree)];
  return norm(Vec3{x[3], x[4], x[5]});
}

// Facets are deep by themselves where the vertex is beside them, and springs may be pressed in: turning is not foreseen
// for them.
bool may_be_deep(const Options& options) {
  const detail::ContactModel model = detail::contact_model(options);
  return model == detail::ContactModel::kNonconvex || detail::is_compliant(model);
}

// Has a surface whose next face may be met within the step.
bool is_faceted(const Model& model, int shape) {
  const ShapeType type = model.shape_type[std::size_t(shape)];
  return type == ShapeType::kMesh || type == ShapeType::kHeightField;
}

// [m] bound on what a contact's shapes move towards each other within the step at the velocities u; impacts may have
// made them faster than they were thought to be before the step.
double travel(const Model& model, const Options& options, const std::vector<double>& u, const Workspace& w,
              const Contacts& k, std::size_t c) {
  double speed = 0;
  for (const int shape : {k.shape_a[c], k.shape_b[c]}) {
    const auto s = std::size_t(shape);
    speed += std::max(w.shape_speed[s], shape_speed(model, u, w, s));
  }
  return options.timestep * speed;
}

using Range = std::pair<std::size_t, std::size_t>;  // contacts of a pair of shapes: first and one past the last

// The candidates from `first` on that are of one pair.
Range pair_from(const Contacts& k, std::size_t first) {
  std::size_t last = first + 1;
  while (last < std::size_t(k.ncontact) && k.shape_a[last] == k.shape_a[first] && k.shape_b[last] == k.shape_b[first])
    ++last;
  return {first, last};
}

bool is_selected(const Workspace& w, Range pair) {
  return std::any_of(w.selected.begin() + std::ptrdiff_t(pair.first), w.selected.begin() + std::ptrdiff_t(pair.second),
                     [](char selected) { return selected != 0; });
}

// n as it is at the end of the step on a body.
Vec3 turned_with(const Workspace& w, const TrialPoses& trial, int body, const Vec3& n) {
  return rotate(trial(body).q, rotate(conjugate(w.body_pose[std::size_t(body)].q), n));
}

// Is a pair at the end of the step on its two sides of a plane of one of its candidates, which stands or turns with one
// of the bodies, to within `most`?
bool stays_apart(const Workspace& w, const TrialPoses& trial, Range pair, double most) {
  const Contacts& k = w.candidates;
  const auto [first, last] = pair;
  const auto a = std::size_t(k.shape_a[first]), b = std::size_t(k.shape_b[first]);
  const double off = w.collider.standoff(int(a), int(b));
  const auto separates = [&](const Vec3& n) {
    return w.collider.separation(int(a), int(b), w.end_pose[a], w.end_pose[b], n) - off >= -most;
  };
  for (std::size_t c = first; c < last; ++c) {
    const Vec3& n = k.normal[c];
    if (c > first && dot(n, k.normal[c - 1]) > kOnePlane) continue;
    if (separates(n)) return true;
    for (const int body : {k.body_a[c], k.body_b[c]})
      if (const Vec3 m = turned_with(w, trial, body, n); dot(m, n) < kOnePlane && separates(m)) return true;
  }
  return false;
}

// Of planes and of balls and capsules among themselves every place that can come first is a candidate: what they leave
// out is of second order.
bool is_complete(const Model& model, int shape_a, int shape_b) {
  const auto type = [&](int shape) { return model.shape_type[std::size_t(shape)]; };
  const auto is_round = [&](int shape) {
    return type(shape) == ShapeType::kSphere || type(shape) == ShapeType::kCapsule;
  };
  const bool plane = type(shape_a) == ShapeType::kPlane || type(shape_b) == ShapeType::kPlane;
  if (is_faceted(model, shape_a) || is_faceted(model, shape_b)) return false;
  return plane || (is_round(shape_a) && is_round(shape_b));
}

// Does a candidate's pair move by more than may be left, or, where its candidates are complete, is what is not linear
// in the motion, h² ω v / 2 with all that turns and moves, more than that?
bool moves(const Model& model, const Options& options, const std::vector<double>& u, const Workspace& w,
           std::size_t c) {
  const Contacts& k = w.candidates;
  const double most = aim(model, w, k, c), moved = travel(model, options, u, w, k, c);
  if (!(moved > most)) return false;
  if (!is_complete(model, k.shape_a[c], k.shape_b[c])) return true;
  const double omega = turning_speed(model, w, k.body_a[c], u) + turning_speed(model, w, k.body_b[c], u);
  return options.timestep * omega * moved / 2 > most;
}

// Whether anything moves.
bool any_moves(const Model& model, const Options& options, const std::vector<double>& u, const Workspace& w) {
  for (std::size_t c = 0; c < std::size_t(w.candidates.ncontact); ++c)
    if (moves(model, options, u, w, c)) return true;
  return false;
}

// Whether a pair could end too deep: it moves, and no plane of its candidates is known to keep it apart. Their places
// are those of the start: where bodies turn, others come first, of pairs that did not close, too. On surfaces of many
// faces another one may be met.
bool may_end_deep(const Model& model, const Options& options, const std::vector<double>& u, const Workspace& w,
                  const TrialPoses& trial) {
  const Contacts& k = w.candidates;
  for (std::size_t first = 0; first < std::size_t(k.ncontact);) {
    const Range pair = pair_from(k, first);
    const std::size_t c = std::exchange(first, pair.second);
    if (w.last_look.is_as_before(k.shape_a[c], k.shape_b[c]) || !moves(model, options, u, w, c)) continue;
    if (is_selected(w, pair) && (is_faceted(model, k.shape_a[c]) || is_faceted(model, k.shape_b[c]))) return true;
    if (!stays_apart(w, trial, pair, aim(model, w, k, c))) return true;
  }
  return false;
}

TrialPoses place_at_end(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                        Workspace& w) {
  const TrialPoses trial = poses_at_end(model, options, state, u, w);
  for (std::size_t s = 0; s < std::size_t(model.nshape); ++s)
    w.end_pose[s] = trial(model.shape_body[s]) * model.shape_pose[s];
  return trial;
}

// The plane through candidate c at the end of the step, where the smaller of its two shapes is beyond it.
struct Side {
  Vec3 normal;
  double height;  // of the shape above the plane, negative [m]
  double most;    // penetration that the pair may end with [m]
};

// None where the pair is not too deep on that side, or deeper than all motion of the step, or was not on that side at
// the start either: bodies that are not convex reach around each other.
std::optional<Side> deep_side(const Model& model, const Options& options, const std::vector<double>& u,
                              const TrialPoses& trial, std::size_t c, const Workspace& w) {
  const Contacts& now = w.candidates;
  const int a = now.shape_a[c], b = now.shape_b[c];
  // The larger shape is the wall, the other one was in front of it at the start.
  const bool wall_is_a = w.collider.radius(a) >= w.collider.radius(b);
  const int body = wall_is_a ? now.body_a[c] : now.body_b[c], other = wall_is_a ? b : a;
  const double off = w.collider.standoff(a, b), most = aim(model, w, now, c), side = wall_is_a ? 1 : -1;
  const Vec3 at_wall = now.point[c] - now.normal[c] * (0.5 * side * (now.gap[c] + off));
  const auto height_over = [&](const Vec3& n, const Vec3& wall, const Transform& pose) {
    return -w.collider.reach(other, pose, n * -side) - dot(n, wall) * side - off;
  };
  const Vec3 n = turned_with(w, trial, body, now.normal[c]);
  const Vec3 wall = trial(body) * (inverse(w.body_pose[std::size_t(body)]) * at_wall);
  const double height = height_over(n, wall, w.end_pose[std::size_t(other)]);
  if (height > -most || -height > travel(model, options, u, w, now, c)) return {};
  const double before = height_over(now.normal[c], at_wall, w.shape_pose[std::size_t(other)]);
  if (before < std::min(now.gap[c], 0.0) - most) return {};
  return Side{n, height, most};
}

// Contacts that a pair has at the end of the step on a side of it, where those that were found there, the last ones
// from `first` on, do not tell: farther in than half a thin plate the other side is nearer. Those of a side on which it
// was not go.
void look_from_side(const Side& side, Range pair, std::size_t first, Workspace& w) {
  const Contacts& now = w.candidates;
  Contacts& then = w.end_contacts;
  const Vec3& n = side.normal;
  for (std::size_t k = first; k < std::size_t(then.ncontact); ++k)
    if (dot(then.normal[k], n) > kSameFace && then.gap[k] < side.height + side.most) return;
  w.collider.collide_from(now.shape_a[pair.first], now.shape_b[pair.first], n * (side.most - side.height),
                          w.side_contacts);
  bool any = false;
  const auto is_known = [&](std::size_t found) {
    for (std::size_t k = first; k < std::size_t(then.ncontact); ++k)
      if (then.key[k] == w.side_contacts.key[found] && then.gap[k] < w.side_contacts.gap[found] + side.most)
        return true;
    return false;
  };
  for (std::size_t k = 0; k < std::size_t(w.side_contacts.ncontact); ++k) {
    if (!(dot(w.side_contacts.normal[k], n) > kSameSide && w.side_contacts.gap[k] < -side.most)) continue;
    if (!is_known(k)) append_contacts(w.side_contacts, k, k + 1, then);
    any = true;
  }
  const auto was_there = [&](const Vec3& normal) {
    for (std::size_t k = pair.first; k < pair.second; ++k)
      if (dot(now.normal[k], normal) > kSameFace) return true;
    return false;
  };
  for (std::size_t k = first; any && k < std::size_t(then.ncontact);)
    if (dot(then.normal[k], n) < 0 && !was_there(then.normal[k]))
      erase_contact(k, then);
    else
      ++k;
}

// The same from all sides of a pair's candidates. Of what was found at the end of the step, as far as `taken` is in
// w.end_contacts; returns how far it is then. A pair is taken over when it is looked at: nothing moves behind it.
std::size_t look_from_sides(const Model& model, const Options& options, const std::vector<double>& u,
                            const TrialPoses& trial, Range pair, Range found, std::size_t taken, Workspace& w) {
  const Contacts& now = w.candidates;
  bool is_there = false;
  std::size_t first = 0;
  for (std::size_t c = pair.first, next = c; c < pair.second; c = next) {
    // Of a flat patch the nearest lies where it was found: the others have moved into its plane.
    std::size_t nearest = c;
    for (++next; next < pair.second && dot(now.normal[c], now.normal[next]) > kOnePlane; ++next)
      if (now.gap[next] < now.gap[nearest]) nearest = next;
    const std::optional<Side> side = deep_side(model, options, u, trial, nearest, w);
    if (!side) continue;
    if (!std::exchange(is_there, true)) {
      append_contacts(w.found_at_end, taken, found.second, w.end_contacts);
      first = std::size_t(w.end_contacts.ncontact) - (found.second - found.first);
    }
    look_from_side(*side, pair, first, w);
  }
  return is_there ? found.second : taken;
}

// w.end_contacts: what is found there, and what is found from the sides of the candidates, in the order of the pairs.
void collide_at_end(const Model& model, const Options& options, const std::vector<double>& u, const TrialPoses& trial,
                    Workspace& w) {
  w.collider.set_asleep(w.last_look.shapes_as_before());
  // Surfaces follow depths as far as the margin reaches.
  w.collider.collide(options, w.end_pose, model.nmesh + model.nheightfield > 0 ? w.shape_speed : w.no_speed,
                     w.found_at_end);
  w.collider.set_asleep(w.sleep.shape_asleep);
  const Contacts &now = w.candidates, &all = w.found_at_end;
  Contacts& then = w.end_contacts;
  then.ncontact = 0;
  then.resize();
  const auto shapes = [](const Contacts& k, std::size_t c) { return std::pair{k.shape_a[c], k.shape_b[c]}; };
  Range found{0, 0};
  std::size_t taken = 0;
  for (std::size_t first = 0; first < std::size_t(now.ncontact);) {
    const Range pair = pair_from(now, first);
    first = pair.second;
    if (w.last_look.is_as_before(now.shape_a[pair.first], now.shape_b[pair.first])) continue;
    found.first = found.second;
    while (found.first < std::size_t(all.ncontact) && shapes(all, found.first) < shapes(now, pair.first)) ++found.first;
    found.second = found.first;
    while (found.second < std::size_t(all.ncontact) && shapes(all, found.second) == shapes(now, pair.first))
      ++found.second;
    if (!moves(model, options, u, w, pair.first)) continue;
    taken = look_from_sides(model, options, u, trial, pair, found, taken, w);
  }
  append_contacts(all, taken, std::size_t(all.ncontact), then);
}

// [m/s] at which a gap grows with the velocities u, to first order.
double opening_speed(const Model& model, const Workspace& w, const Contacts& k, std::size_t c,
                     const std::vector<double>& u) {
  return dot(k.normal[c], relative_velocity(model, w, k.body_a[c], k.body_b[c], k.point[c], u));
}

// The point of contact k at the end of the step where it is on a body at the start.
Vec3 point_at_start(const Workspace& w, const TrialPoses& trial, std::size_t k, int body) {
  return w.body_pose[std::size_t(body)] * (inverse(trial(body)) * w.end_contacts.point[k]);
}

// [m] by which a contact at the end of the step is elsewhere on its bodies than a candidate; 0 where it is fixed to
// one.
double distance_between(const Workspace& w, const TrialPoses& trial, std::size_t c, std::size_t k) {
  const Contacts& then = w.end_contacts;
  double least = std::numeric_limits<double>::infinity();
  for (const int body : {then.body_a[k], then.body_b[k]})
    least = std::min(least, norm(point_at_start(w, trial, k, body) - w.candidates.point[c]));
  return least;
}

// Walks over the contacts at the end of the step with the first candidate of their pair.
template <class Visit>
void for_pairs(const Workspace& w, Visit&& visit) {
  const Contacts &now = w.candidates, &then = w.end_contacts;
  const auto pair_of = [](const Contacts& k, std::size_t c) { return std::pair{k.shape_a[c], k.shape_b[c]}; };
  std::size_t first = 0;
  for (std::size_t k = 0; k < std::size_t(then.ncontact); ++k) {
    while (first < std::size_t(now.ncontact) && pair_of(now, first) < pair_of(then, k)) ++first;
    std::size_t last = first;
    while (last < std::size_t(now.ncontact) && pair_of(now, last) == pair_of(then, k)) ++last;
    visit(k, first, last);
  }
}

// Calls visit(tree) for those that a contact touches.
template <class Visit>
void for_trees(const Model& model, const Contacts& k, std::size_t c, Visit&& visit) {
  for (const int body : {k.body_a[c], k.body_b[c]})
    if (const int tree = model.body_tree[std::size_t(body)]; tree >= 0) visit(std::size_t(tree));
}

bool is_unforeseen(const Model& model, const Workspace& w, const Contacts& k, std::size_t c) {
  bool any = false;
  for_trees(model, k, c, [&](std::size_t tree) { any = any || w.turns_unforeseen[tree] != 0; });
  return any;
}

// Contact k at the end of the step as a candidate of its start, in the order of keys among those of its pair: the plane
// that it has there, gap(u') = gap_end + h n·(v(u') − v(u)) to first order about the velocity u found.
void add_candidate(const Model& model, const Options& options, const TrialPoses& trial, const std::vector<double>& u,
                   std::size_t k, std::size_t first, std::size_t last, double aimed, Workspace& w) {
  Contacts& now = w.candidates;
  const Contacts& then = w.end_contacts;
  const auto at_start = [&](int body) { return point_at_start(w, trial, k, body); };
  const auto moves = [&](int body) { return model.body_tree[std::size_t(body)] >= 0; };
  const int a = then.body_a[k], b = then.body_b[k];
  const Vec3 point = moves(a) && moves(b) ? (at_start(a) + at_start(b)) * 0.5 : at_start(moves(a) ? a : b);
  const double speed = dot(then.normal[k], relative_velocity(model, w, a, b, point, u));
  const double gap = then.gap[k] - aimed - options.timestep * speed;
  std::uint64_t key = then.key[k];
  std::size_t at = first;
  for (; at < last && now.key[at] <= key; ++at) key += now.key[at] == key;
  insert_contact(then, k, now, at);
  now.key[at] = key;
  now.point[at] = point;
  now.gap[at] = std::max(gap, 0.0);
  now.turn[at] = std::min(gap, 0.0);
  w.selected.insert(w.selected.begin() + std::ptrdiff_t(at), 0);
  w.at_seam.insert(w.at_seam.begin() + std::ptrdiff_t(at), kForeseen);
  w.turn_before.insert(w.turn_before.begin() + std::ptrdiff_t(at), now.turn[at]);
}

// [J] of a tree at the velocities u.
double kinetic_energy(const ContactProblem& p, std::size_t tree, const std::vector<double>& u) {
  const int count = p.tree_size(int(tree));
  const double *x = u.data() + p.tree_dof[tree], *M = p.inertia.data() + p.tree_inertia[tree];
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += x[i] * row_dot(M + i * count, x, count);
  return sum / 2;
}

// Do contacts that open as their turning asks bring an island more energy than bodies that turn may have? What turns is
// held by the work of none.
bool is_driven(const Model& model, Workspace& w, int island) {
  const ContactProblem& p = w.problem;
  const Contacts& k = w.candidates;
  double before = 0, after = 0, work = 0;
  for (int i = p.island_tree[std::size_t(island)]; i < p.island_tree[std::size_t(island) + 1]; ++i) {
    const auto tree = std::size_t(p.island_tree_list[std::size_t(i)]);
    before += kinetic_energy(p, tree, p.free_velocity);
    after += kinetic_energy(p, tree, w.solution.u);
  }
  if (!(after - before > kMostGain * before)) return false;
  compute_link_velocities(w.solution.u, w);
  for (std::size_t c = 0; c < std::size_t(k.ncontact); ++c) {
    if (!(k.turn[c] < 0)) continue;
    bool here = false;
    for_trees(model, k, c, [&](std::size_t tree) { here = here || p.tree_island[tree] == island; });
    const double force = std::max(0.0, dot(k.force[c], k.normal[c]));
    if (here) work += p.timestep * force * std::max(0.0, opening_speed(model, w, k, c, w.solution.u));
  }
  return 2 * work > after - before;
}

}  // namespace

bool foresee_turning(const Model& model, const Options& options, const State& state, const std::vector<double>& u,
                     Workspace& w) {
  if (may_be_deep(options)) return false;
  compute_link_velocities(u, w);
  if (!any_moves(model, options, u, w)) return false;
  const TrialPoses trial = place_at_end(model, options, state, u, w);
  w.last_look.compare(model, u, w.sleep.shape_asleep);
  if (!may_end_deep(model, options, u, w, trial)) return false;
  collide_at_end(model, options, u, trial, w);
  Contacts& now = w.candidates;
  w.turn_before = now.turn;
  bool changed = false;
  for_pairs(w, [&](std::size_t k, std::size_t first, std::size_t last) {
    const double gap = w.end_contacts.gap[k], most = aim(model, w, w.end_contacts, k);
    if (gap > -most || w.end_contacts.compliance[k] > 0) return;  // a spring may be pressed in
    if (is_unforeseen(model, w, w.end_contacts, k)) return;
    std::size_t found = last;
    double least = std::numeric_limits<double>::infinity();  // of the pair at the start
    double nearest = kSamePlace * most / kAim;
    for (std::size_t c = first; c < last; ++c) {
      least = std::min(least, now.gap[c]);
      if (dot(now.normal[c], w.end_contacts.normal[k]) < kSameFace) continue;
      const double away = distance_between(w, trial, c, k);
      if (away < nearest || (now.key[c] == w.end_contacts.key[k] && away == nearest)) {
        found = c;
        nearest = away;
      }
    }
    // Old penetration may stay as far as it is not pushed out.
    const double old = found < last ? now.gap[found] : least;
    const double aimed = std::min(0.0, old + options.timestep * options.push_out_speed);
    if (gap - aimed > -most) return;
    // Deeper than by all motion of the step: it was there before, or is no way out of this place.
    const double before = found < last ? std::min(now.gap[found], 0.0) : 0.0;
    if (gap < before - travel(model, options, u, w, w.end_contacts, k)) return;
    if (found < last) {
      // gap(u') = gap_end + h n·(v(u') − v(u)), as of a contact that is added.
      const double share = w.turn_before[found] < 0 ? kRepeated : 1;
      const double foreseen = now.gap[found] + options.timestep * opening_speed(model, w, now, found, u);
      now.turn[found] = std::min(now.turn[found], share * (gap - aimed) - foreseen);
    } else {
      add_candidate(model, options, trial, u, k, first, last, aimed, w);
    }
    changed = true;
  });
  return changed;
}

bool give_up_turning(const Model& model, Workspace& w) {
  Contacts& k = w.candidates;
  const ContactProblem& p = w.problem;
  int judged = -1;  // island
  bool verdict = false;
  const auto is_given_up = [&](std::size_t c) {
    bool given_up = false;
    for_trees(model, k, c, [&](std::size_t tree) {
      const int island = p.tree_island[tree];
      if (island < 0) return;
      const auto i = std::size_t(island);
      if (std::exchange(judged, island) != island)
        verdict = p.island_tree[i + 1] - p.island_tree[i] <= kFewTrees &&
                  (!w.solver_workspace.results[i].solved || is_driven(model, w, island));
      given_up = given_up || verdict;
    });
    return given_up;
  };
  bool any = false;
  for (std::size_t c = 0; c < std::size_t(k.ncontact); ++c) {
    if (!(k.turn[c] < 0) || !is_given_up(c)) continue;
    for_trees(model, k, c, [&](std::size_t tree) { w.turns_unforeseen[tree] = 1; });
    any = true;
  }
  for (std::size_t c = 0; any && c < std::size_t(k.ncontact); ++c)
    if (is_unforeseen(model, w, k, c)) {
      k.turn[c] = 0;
      k.force[c] = k.torque[c] = {};
    }
  return any;
}

}  // namespace stiction
