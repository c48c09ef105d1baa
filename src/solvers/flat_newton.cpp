#include "solvers/flat_newton.hpp"

#include <algorithm>

#include "solvers/scratch.hpp"

namespace stiction {

template <class T>
void FlatNewton<T>::begin(const Island& from, const std::vector<BlockScale<double>>& scales,
                          const std::vector<double>& delassus, const std::vector<double>& impulses) {
  island.gather(from, scales, delassus);
  linear.resize(island);
  p.assign(impulses.begin(), impulses.end());
  u.resize(std::size_t(island.nv));
  v.resize(std::size_t(island.nrow));
  evaluate();
}

template <class T>
void FlatNewton<T>::evaluate() {
  island.response_to(p.data(), u.data());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] += island.free_velocity[i];
  island.velocity(u.data(), p.data(), true, v.data());
}

template <class T>
void FlatNewton<T>::write(Iterate& out) const {
  std::copy(p.begin(), p.end(), out.p.begin());
  std::copy(u.begin(), u.end(), out.u.begin());
  std::copy(v.begin(), v.end(), out.v.begin());
}

template struct FlatNewton<float>;
template struct FlatNewton<double>;

}  // namespace stiction
