// Random states for comparisons with MuJoCo, and differences relative to the size of what is compared.
#pragma once

#include <algorithm>
#include <cmath>

#include <mujoco/mujoco.h>

#include "support/random.hpp"

namespace stiction::test {

// A state with every quaternion of unit length; hinges and slides up to `reach` away from their reference.
inline void draw_state(const mjModel& m, Random& random, mjData& d, double reach = 3) {
  for (mjtSize i = 0; i < m.nq; ++i) d.qpos[i] = m.qpos0[i] + random.uniform(-reach, reach);
  for (int j = 0; j < int(m.njnt); ++j) {
    if (m.jnt_type[j] != mjJNT_FREE && m.jnt_type[j] != mjJNT_BALL) continue;
    mjtNum* q = d.qpos + m.jnt_qposadr[j] + (m.jnt_type[j] == mjJNT_FREE ? 3 : 0);
    const Quat turn = random.rotation();
    q[0] = turn.w, q[1] = turn.x, q[2] = turn.y, q[3] = turn.z;
  }
  for (mjtSize i = 0; i < m.nv; ++i) d.qvel[i] = random.uniform(-2, 2);
}

// Largest difference over the largest size.
class Difference {
 public:
  // The size that counts if all numbers are smaller.
  void floor(double size) { size_ = std::max(size_, std::abs(size)); }
  void add(double ours, double theirs) {
    floor(theirs);
    worst_ = std::max(worst_, std::abs(ours - theirs));
    bad_ = bad_ || !std::isfinite(ours);
  }
  double relative() const { return bad_ ? INFINITY : (size_ > 0 ? worst_ / size_ : worst_); }

 private:
  double size_ = 0, worst_ = 0;
  bool bad_ = false;
};

}  // namespace stiction::test
