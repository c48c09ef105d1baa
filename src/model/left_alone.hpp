// Trees that are left to themselves: between contacts and limits nothing acts on them but their weight.
#pragma once

#include <stiction/state.hpp>

#include <vector>

namespace stiction::detail {

// For each tree 1 if it has no springs, dampers, dry friction, tendons, equalities, actuators or held joints.
std::vector<char> trees_left_alone(const Model& model);

// Marks the trees on which wrenches or generalized forces act.
void mark_acted_on(const Model& model, const Control& control, std::vector<char>& marked);

}  // namespace stiction::detail
