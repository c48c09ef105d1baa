// The stored contact problems of robots and stacks (../shared/data/problems/robots): v = G Gᵀ p + q.
#pragma once

#include <stiction/problem.hpp>

#include <string>
#include <vector>

namespace stiction {

// All problems of one file; empty if the file is absent. Each is one tree with unit inertia, J = G and b = q.
std::vector<ContactProblem> read_robot_problems(const std::string& name);

}  // namespace stiction
