// Levers of free bodies that are turned ahead within the step (problem/lead.hpp).
#pragma once

#include "step/workspace.hpp"

namespace stiction {

// The point at which a lever from the centre of mass of a body's link to `point` ends when it is turned.
inline Vec3 turned_point(const Workspace& w, int body, const Vec3& turn, const Vec3& point) {
  const auto b = std::size_t(body);
  const Transform link = w.body_pose[b] * inverse(w.plan.body_in_link[b]);
  const Vec3 com = link * w.plan.link[std::size_t(w.plan.body_link[b])].com;
  return com + rotate(quat_from_rotation_vector(turn), point - com);
}

}  // namespace stiction
