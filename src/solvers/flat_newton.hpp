// What a Newton method without a matrix keeps in one scalar type: the island, its linear system, its iterate.
#pragma once

#include "solvers/linear_solver.hpp"

namespace stiction {

struct Iterate;

template <class T>
struct FlatNewton {
  FlatIsland<T> island;
  LinearScratch<T> linear;
  std::vector<T> p, u, v;  // as in Iterate

  // Takes the island over, with the impulses from which it starts.
  void begin(const Island& from, const std::vector<BlockScale<double>>& scales, const std::vector<double>& delassus,
             const std::vector<double>& impulses);
  // u = ũ + M⁻¹ Jᵀ p, v = J u + b + e p.
  void evaluate();
  // The iterate in double precision, as it is.
  void write(Iterate& out) const;
};

extern template struct FlatNewton<float>;
extern template struct FlatNewton<double>;

}  // namespace stiction
