// Shapes that lie in each other where the file starts: what a user would otherwise learn from bodies that push
// themselves apart, and from steps that take long.
#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "collide/collide.hpp"
#include "io/load_parts.hpp"

namespace stiction::detail {
namespace {

constexpr double kWorthTelling = 0.01;  // of the smaller shape's radius
constexpr std::size_t kNamed = 8;       // pairs

struct Overlap {
  int body_a, body_b;
  double depth;  // [m]
};

// By depth, the deepest first.
std::vector<Overlap> overlaps(const Model& model) {
  // Bodies stand behind their parents.
  std::vector<Transform> body(std::size_t(model.nbody)), shape(std::size_t(model.nshape));
  for (std::size_t i = 1; i < body.size(); ++i) body[i] = body[std::size_t(model.body_parent[i])] * model.body_pose[i];
  for (std::size_t i = 0; i < shape.size(); ++i)
    shape[i] = body[std::size_t(model.shape_body[i])] * model.shape_pose[i];
  Collider collider(model);
  Contacts contacts;
  collider.collide(model.options, shape, std::vector<double>(shape.size(), 0.0), contacts);
  std::map<std::pair<int, int>, double> deepest;
  for (std::size_t c = 0; c < std::size_t(contacts.ncontact); ++c) {
    double size = std::numeric_limits<double>::infinity();
    for (const int s : {contacts.shape_a[c], contacts.shape_b[c]})
      if (model.shape_type[std::size_t(s)] != ShapeType::kPlane) size = std::min(size, collider.radius(s));
    if (!(contacts.gap[c] < -kWorthTelling * size)) continue;
    double& depth = deepest[{contacts.body_a[c], contacts.body_b[c]}];
    depth = std::max(depth, -contacts.gap[c]);
  }
  std::vector<Overlap> result;
  result.reserve(deepest.size());
  for (const auto& [bodies, depth] : deepest) result.push_back({bodies.first, bodies.second, depth});
  std::stable_sort(result.begin(), result.end(), [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
  return result;
}

}  // namespace

void report_overlaps(const Model& model, LoadReport& report) {
  const std::vector<Overlap> found = overlaps(model);
  if (found.empty()) return;
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < std::min(found.size(), kNamed); ++i)
    pairs.push_back(fmt::format("'{}' and '{}' by {:.3g} mm", model.body_name[std::size_t(found[i].body_a)],
                                model.body_name[std::size_t(found[i].body_b)], 1e3 * found[i].depth));
  if (found.size() > kNamed) pairs.push_back(fmt::format("and {} more pairs", found.size() - kNamed));
  report.issues.push_back(
      {false, fmt::format("{}", fmt::join(pairs, ", ")),
       "bodies lie in each other in the reference configuration; contact pushes them apart, at "
       "push_out_speed at most: start from other positions (a keyframe, or the state's q) or exclude "
       "the pairs"});
}

}  // namespace stiction::detail
