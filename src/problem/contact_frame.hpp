// The rows of one contact (docs/theory.md, "Friction"): its normal, the tangents along which it has friction, the axes
// of torsion and rolling. Every friction row is scaled by μ_i/μ, so that the elliptic cone of MJCF,
//
//   √(Σ (λ_i/μ_i)²) ≤ λ_n,   is the round cone   ‖λ_t‖ ≤ μ λ_n   of the problem's rows.
//
// μ is the larger coefficient of sliding; 1 for a contact that has torsion or rolling alone. Rows without friction are
// left out.
#pragma once

#include <stiction/state.hpp>

#include "laws/block.hpp"

namespace stiction {

struct Workspace;

struct ContactFrame {
  int rows = 1;                        // all of them: the normal, then those of friction
  int linear = 1;                      // the first of them are motions of the point, the others rotations
  double friction = 0;                 // μ [1]
  Vec3 axis[kMostBlockRows];           // direction of each row in the world, times its weight
  double weight[kMostBlockRows] = {};  // μ_i/μ; 1 for the normal [1; m for rotations]

  ContactFrame(const Contacts& contacts, std::size_t contact);

  // λ of each row from the force on body B and its torque about the point, in the world; and back.
  void multipliers(const Vec3& force, const Vec3& torque, double* lambda) const;
  Vec3 force(const double* lambda) const;
  Vec3 torque(const double* lambda) const;
  // Velocity of the point from those of the rows.
  Vec3 velocity(const double* rows_velocity) const;
  // What moving surfaces add to the velocity of each row: to sliding and torsion.
  void surface_velocity(const Vec3& velocity, const Vec3& spin, double* rows_velocity) const;
};

// The frames of all contacts.
void make_frames(const Contacts& contacts, std::vector<ContactFrame>& frames);

// Jacobian of the rows for a moving body, times the sign: rows × dofs of its tree. Adds to `out`.
void add_frame_rows(const Model& model, const Workspace& workspace, const ContactFrame& frame, int body,
                    const Vec3& point, double sign, double* out);

}  // namespace stiction
