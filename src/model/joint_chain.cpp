#include "model/joint_chain.hpp"

#include "model/tree.hpp"

namespace stiction::detail {

namespace {

Quat read_quat(const double* x) {
  return normalized(Quat{x[0], x[1], x[2], x[3]});
}

}  // namespace

int dof_count(const Model& model, const JointChain& chain) {
  int count = 0;
  for (int j = chain.first; j < chain.first + chain.count; ++j)
    count += dof_count(model.joint_type[static_cast<std::size_t>(j)]);
  return count;
}

Transform place_chain(const Model& model, const JointChain& chain, const double* q, Transform pose, Spatial* columns) {
  for (int joint = chain.first; joint < chain.first + chain.count; ++joint) {
    const auto j = static_cast<std::size_t>(joint);
    const int at = model.joint_q[j];
    const Vec3 anchor = pose * model.joint_anchor[j], axis = rotate(pose.q, model.joint_axis[j]);
    switch (model.joint_type[j]) {
      case JointType::kSlide:
        pose.p += axis * (q[at] - model.q_reference[static_cast<std::size_t>(at)]);
        if (columns) *columns++ = {{}, axis};
        break;
      case JointType::kHinge: {
        const double angle = q[at] - model.q_reference[static_cast<std::size_t>(at)];
        pose.q = normalized(pose.q * quat_from_rotation_vector(model.joint_axis[j] * angle));
        pose.p = anchor - rotate(pose.q, model.joint_anchor[j]);
        if (columns) *columns++ = {axis, cross(anchor, axis)};
        break;
      }
      case JointType::kBall: {
        pose.q = normalized(pose.q * read_quat(q + at));
        pose.p = anchor - rotate(pose.q, model.joint_anchor[j]);
        if (!columns) break;
        const Mat3 R = rotation_matrix(pose.q);
        for (int k = 0; k < 3; ++k) *columns++ = {R.column(k), cross(anchor, R.column(k))};
        break;
      }
      case JointType::kFree:
        break;  // never held
    }
  }
  return pose;
}

void move_chain(const Model& model, const JointChain& chain, const double* change, double* q) {
  for (int joint = chain.first; joint < chain.first + chain.count; ++joint) {
    const auto j = static_cast<std::size_t>(joint);
    double* x = q + model.joint_q[j];
    if (model.joint_type[j] == JointType::kBall) {
      const Quat turned = normalized(read_quat(x) * quat_from_rotation_vector(Vec3{change[0], change[1], change[2]}));
      x[0] = turned.w, x[1] = turned.x, x[2] = turned.y, x[3] = turned.z;
      change += 3;
    } else {
      x[0] += *change++;
    }
  }
}

}  // namespace stiction::detail
