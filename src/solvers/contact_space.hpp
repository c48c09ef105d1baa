// An island in contact space: v = W p + J ũ + b with the dense Delassus matrix W = J M⁻¹ Jᵀ, built once from the
// factors M = Lᵀ L of its trees. Newton's iterations then change diagonal blocks only, and nothing that they do grows
// with the degrees of freedom. For small islands; the trees of large ones stay as they are.
#pragma once

#include <vector>

#include "problem/island.hpp"
#include "solvers/block_kernels.hpp"

namespace stiction {

struct ContactSpaceScratch {
  std::vector<int> row;                  // rows that move a tree
  std::vector<const double*> jacobian;   // of each of these
  std::vector<double> free;              // J ũ
  detail::AlignedVector whitened, part;  // L⁻ᵀ J_tᵀ, and its share of W
};

// Whether dense matrices over the rows of the island are cheaper than sparse ones over its bodies
// (docs/performance.md).
bool prefers_contact_space(const Island& island);

// The island becomes a condensed one that keeps its trees: u stands for J (ũ + M⁻¹ Jᵀ p).
void enter_contact_space(ContactSpaceScratch& scratch, Island& island);

// ũ + M⁻¹ Jᵀ p of its trees, dofs one after the other as in Island::dof.
void tree_velocity(const Island& island, const double* p, std::vector<double>& u);

}  // namespace stiction
