// Light links under large forces. A force F of a joint that acts on a link at r from its centre of mass turns it back
// with the stiffness of a pendulum (the second derivative of −F·(R r) by a rotation of the link):
//
//   K = Σ (F·r) 1 − sym(F rᵀ)
//
// The step takes joint forces along their directions at its start. That is stable only while h² k < 4 for the largest
// k of K x = k I x, I the link's inertia about its centre of mass: no mode of the mechanism is faster, as K is the same
// in all of them and I the least inertia that can move. A link of 1 kg that holds 1000 kg passes this bound at 3 ms.
// The paper (004, section 8.3) takes the directions at the end of the step, which damps every swing. We keep those of
// the start and add to the link only what stability asks for, as rotational inertia, which damps nothing:
//
//   A = [ h² K / 2 − I ]₊   (positive part in the metric of I),   so that h² K ≤ 2 (I + A) < 4 (I + A)
//
// Below the bound A is zero and nothing changes; above it, A is of the second order in h.
// F is known before the step is solved: on trees the force of weight and motion (RNEA at u̇ = 0), at loops and held
// joints the force of the rows in the step before.
#pragma once

#include <stiction/state.hpp>

#include "math/sym3.hpp"

namespace stiction {

struct Workspace;

struct GeometricStiffness {
  std::vector<Sym3> stiffness;        // of each link, world axes [N m]
  std::vector<double> least_inertia;  // smallest moment of inertia of each link [kg m²] (constant)
  std::vector<double> lever;          // distance of each link's joint from its centre of mass … [m] (constant)
  std::vector<double> parent_lever;   // … and from that of its parent, where a slide stands at its reference
  std::vector<double> bound;          // of each link's stiffness [N m]
  std::vector<double> added;          // A over the blocks of ContactProblem::inertia; empty where no link needs it

  void prepare(const Workspace& workspace);
};

// Adds A of all links to the inertia blocks of the problem. Inertia and bias force of trees go before.
void add_geometric_inertia(const Model& model, double timestep, const State& state, Workspace& workspace);

}  // namespace stiction
