// Trees that one row of the problem couples. A block of ContactProblem holds two at most; what couples more in maximal
// coordinates, such as a tendon over two joints of three bodies, joins these bodies to one tree with several roots
// (dynamics/tree_link.hpp). Its inertia keeps its pattern: bodies under different roots share no entry.
#pragma once

#include <stiction/model.hpp>

#include <set>

namespace stiction::detail {

// Trees that the path of a tendon touches.
std::set<int> trees_of_tendon(const Model& model, int tendon);

// For each tree the first of those with which it must be one, so that no row couples more than two.
std::vector<int> joined_trees(const Model& model);

}  // namespace stiction::detail
