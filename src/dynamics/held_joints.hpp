// Held joints (maximal coordinates): their positions and rates from the poses and velocities of bodies, and the rows
// over the bodies' velocities that belong to them.
//
// The joints of a body are a chain from its parent (model/joint_chain.hpp) with n degrees of freedom. Their positions
// are those that bring the end of the chain nearest to the body: with the error δ = (translation of the last anchor,
// rotation vector) and the motion columns S (6×n) at that point, Sᵀ δ = 0, found by Gauss-Newton from the positions
// before, so that hinges count their turns. Then, of the velocity V of the body relative to its parent at that point,
//
//   rates of the joints   α̇ = (SᵀS)⁻¹ Sᵀ V      and      what the joints forbid   Nᵀ V = 0,   Nᵀ S = 0,
//
// N an orthonormal basis of the rest (6 − n columns), taken in the axes of the body so that it changes smoothly. The
// joints hold if δ = 0; as Sᵀδ = 0, that is Nᵀδ = 0. A force f on a joint acts as ((SᵀS)⁻¹Sᵀ)ᵀ f between the two
// bodies: any other left inverse of S differs from it by forces along N, which the rows take up.
#pragma once

#include <stiction/state.hpp>

namespace stiction {

struct Workspace;

// A row over the velocities of a body and of the free body that carries its joints: the wrench that a unit force makes
// of it, on the body, and its generalized forces. What does not move has none.
struct HeldRow {
  Spatial wrench;
  double child[6] = {}, parent[6] = {};
};

// Held joints of one body. Constant but for what compute_held_joints writes.
struct HeldBody {
  int body = 0;
  int carrier = 0;  // the free body to which its parent belongs; 0: the world
  int tree = 0, parent_tree = -1;
  int dof = 0, parent_dof = -1;  // first degrees of freedom of the two free bodies
  int first_dof = 0, dofs = 0;   // of the joints
  Vec3 anchor;                   // of the last joint in the body's frame: the point of the errors [m]
  Vec3 point;                    // in the world [m]
  Spatial error;                 // δ [rad, m]
  HeldRow rate[6];               // of the degrees of freedom
  HeldRow forbidden[6];          // 6 − dofs of them
  Spatial normal[6];             // N at the start of the step, as wrenches at `point`
  double lead = 0;               // share of the bodies' turn at which `forbidden` is taken (problem/lead.hpp)
};

struct HeldJoints {
  std::vector<HeldBody> bodies;
  std::vector<double> q;         // nq: positions of held joints; other entries have no meaning
  std::vector<int> body_of_dof;  // nv − tree_dofs: entry of bodies

  explicit HeldJoints(const Model& model);
  // The row of a held degree of freedom, and what it belongs to.
  const HeldBody& of_dof(const Model& model, int dof) const {
    return bodies[std::size_t(body_of_dof[std::size_t(dof - model.tree_dofs())])];
  }
  const HeldRow& rate(const Model& model, int dof) const {
    const HeldBody& body = of_dof(model, dof);
    return body.rate[dof - body.first_dof];
  }
};

// δ of a body's joints for poses of its parent and itself; moves the positions q of its joints to those that are
// nearest.
Spatial fit_held_joints(const Model& model, const HeldBody& body, const Transform& parent, const Transform& child,
                        double* q);

// Rates α̇ of a body's joints at the positions q, for velocities V of its parent and itself about the origin of the
// world.
void held_rates(const Model& model, const HeldBody& body, const Transform& parent, const Transform& child,
                const Spatial& parent_velocity, const Spatial& velocity, const double* q, double* rates);

// Positions, errors and rows of all held joints at the poses of the workspace, with the positions in q as a start.
void compute_held_joints(const Model& model, const std::vector<double>& q, Workspace& workspace);
// The rows that the joints of a body forbid, with N turned as the body and the levers of `point` turned as the two
// bodies are, about their centres of mass: rotation vectors in world axes.
void turn_forbidden_rows(const Model& model, const Vec3& turn, const Vec3& parent_turn, Workspace& workspace,
                         HeldBody& body);
// The positions of held joints, and their rates from the velocities of bodies, into the state.
void write_held_joints(const Model& model, const Workspace& workspace, State& state);

// The same at the positions and velocities of bodies in `next`. Poses of the workspace are then those of `next`.
void advance_held_joints(const Model& model, Workspace& workspace, State& next);

// Adds the generalized forces over bodies of forces on held joints: entries from tree_dofs on of `force`.
void add_held_forces(const Workspace& workspace, std::vector<double>& force);

}  // namespace stiction
