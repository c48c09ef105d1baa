#include "problem/facets.hpp"

#include "dynamics/kinematics.hpp"
#include "model/contact_model.hpp"
#include "problem/reach.hpp"

#include <algorithm>

namespace stiction {
namespace {

constexpr double kFixed = 1e-18;  // of the largest J Jᵀ of the contact's facets

// J Jᵀ of the normal of candidate c.
double mobility(const Model& model, std::size_t c, Workspace& w) {
  const Contacts& k = w.candidates;
  const int tree_a = model.body_tree[std::size_t(k.body_a[c])], tree_b = model.body_tree[std::size_t(k.body_b[c])];
  std::vector<double>&J = w.row_scratch[0], &J_b = w.row_scratch[1];
  J.assign(tree_a < 0 ? 0 : std::size_t(w.problem.tree_size(tree_a)), 0.0);
  if (tree_a >= 0) add_point_rows(model, w, k.body_a[c], k.point[c], -1, &k.normal[c], 1, J.data());
  if (tree_b >= 0 && tree_b == tree_a) add_point_rows(model, w, k.body_b[c], k.point[c], 1, &k.normal[c], 1, J.data());
  J_b.assign(tree_b < 0 || tree_b == tree_a ? 0 : std::size_t(w.problem.tree_size(tree_b)), 0.0);
  if (!J_b.empty()) add_point_rows(model, w, k.body_b[c], k.point[c], 1, &k.normal[c], 1, J_b.data());
  double sum = 0;
  for (const auto* row : {&J, &J_b})
    for (const double entry : *row) sum += entry * entry;
  return sum;
}

}  // namespace

void drop_fixed_facets(const Model& model, const Options& options, Workspace& w) {
  if (detail::contact_model(options) != detail::ContactModel::kNonconvex) return;
  Contacts& k = w.candidates;
  const auto n = std::size_t(k.ncontact);
  std::vector<double>& mobile = w.row_scratch[2];
  std::size_t to = 0;
  for (std::size_t first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && is_next_facet(k, end);) ++end;
    mobile.clear();
    for (std::size_t c = first; c < end; ++c) mobile.push_back(mobility(model, c, w));
    const double least = kFixed * *std::max_element(mobile.begin(), mobile.end());
    bool beside = false;
    for (std::size_t c = first; c < end; ++c)
      beside = beside || (!(mobile[c - first] > least) && k.gap[c] > options.touching_gap);
    for (std::size_t c = first; c < end && !beside; ++c)
      if (mobile[c - first] > least) copy_contact(k, c, k, to++);
  }
  k.ncontact = int(to);
  k.resize();
}

}  // namespace stiction
