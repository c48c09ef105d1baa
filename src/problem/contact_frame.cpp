#include "problem/contact_frame.hpp"

#include "dynamics/kinematics.hpp"

#include <algorithm>

namespace stiction {
namespace {

// Tangents of a contact whose friction depends on the direction: MJCF names them by the frame that MuJoCo makes of the
// normal, with the y axis of the world, or the z axis where the normal is near y, made orthogonal to it.
void directed_tangents(const Vec3& n, Vec3& t1, Vec3& t2) {
  const Vec3 axis = std::abs(n.y) < 0.5 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
  t1 = normalized(axis - n * dot(axis, n));
  t2 = cross(n, t1);
}

// x of a scaled row in units of the direction itself. Most weights are 1.
double unscaled(double x, double weight) {
  return weight == 1 ? x : x / (weight * weight);
}

}  // namespace

ContactFrame::ContactFrame(const Contacts& contacts, std::size_t c) {
  const Vec3& normal = contacts.normal[c];
  const double sliding[2] = {contacts.friction[c], contacts.friction_second[c]};
  const Vec3& turning = contacts.friction_torque[c];
  axis[0] = normal;
  weight[0] = 1;
  const double largest = std::max(sliding[0], sliding[1]);
  if (largest > 0)
    friction = largest;
  else if (turning.x > 0 || turning.y > 0 || turning.z > 0)
    friction = 1;
  else
    return;
  Vec3 tangent[2];
  if (sliding[0] == sliding[1] && turning.y == turning.z)
    tangent_frame(normal, tangent[0], tangent[1]);
  else
    directed_tangents(normal, tangent[0], tangent[1]);
  const auto add = [&](double coefficient, const Vec3& direction) {
    if (!(coefficient > 0)) return;
    weight[rows] = coefficient == friction ? 1.0 : coefficient / friction;
    axis[rows] = coefficient == friction ? direction : direction * weight[rows];
    ++rows;
  };
  add(sliding[0], tangent[0]);
  add(sliding[1], tangent[1]);
  linear = rows;
  add(turning.x, normal);
  add(turning.y, tangent[0]);
  add(turning.z, tangent[1]);
}

void ContactFrame::multipliers(const Vec3& f, const Vec3& t, double* lambda) const {
  for (int k = 0; k < rows; ++k) lambda[k] = unscaled(dot(axis[k], k < linear ? f : t), weight[k]);
}

Vec3 ContactFrame::force(const double* lambda) const {
  Vec3 sum;
  for (int k = 0; k < linear; ++k) sum += axis[k] * lambda[k];
  return sum;
}

Vec3 ContactFrame::torque(const double* lambda) const {
  Vec3 sum;
  for (int k = linear; k < rows; ++k) sum += axis[k] * lambda[k];
  return sum;
}

Vec3 ContactFrame::velocity(const double* rows_velocity) const {
  Vec3 sum;
  for (int k = 0; k < linear; ++k) sum += axis[k] * unscaled(rows_velocity[k], weight[k]);
  return sum;
}

void ContactFrame::surface_velocity(const Vec3& velocity, const Vec3& spin, double* rows_velocity) const {
  rows_velocity[0] = 0;
  for (int k = 1; k < linear; ++k) rows_velocity[k] = dot(axis[k], velocity);
  for (int k = linear; k < rows; ++k) rows_velocity[k] = dot(axis[k], axis[0]) * dot(axis[0], spin);
}

void make_frames(const Contacts& contacts, std::vector<ContactFrame>& frames) {
  const auto count = std::size_t(contacts.ncontact);
  frames.clear();
  frames.reserve(count);
  for (std::size_t c = 0; c < count; ++c) frames.emplace_back(contacts, c);
}

void add_frame_rows(const Model& model, const Workspace& w, const ContactFrame& frame, int body, const Vec3& point,
                    double sign, double* out) {
  add_point_rows(model, w, body, point, sign, frame.axis, frame.linear, out);
  const int dofs = w.problem.tree_size(model.body_tree[std::size_t(body)]);
  for (int k = frame.linear; k < frame.rows; ++k) add_turn_row(model, w, body, sign, frame.axis[k], out + k * dofs);
}

}  // namespace stiction
