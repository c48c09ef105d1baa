// Velocities, accelerations and forces body by body, for sensors: all trees, free bodies among them.
#pragma once

#include "dynamics/sensors.hpp"

namespace stiction {

class BodyMotion {
 public:
  // Poses and the mechanism go before. Fills the links of all trees with velocities and accelerations, weight included,
  // and, where a sensor asks for it, the wrenches on all bodies from outside of their tree.
  BodyMotion(const Model& model, const Options& options, const SensorInput& input, Workspace& workspace);

  // At the point p of a body, in world axes; a body fixed to the world only has its weight.
  Spatial velocity(int body, const Vec3& p) const;
  Spatial acceleration(int body, const Vec3& p) const;
  // Force and torque about p with which the parent holds the body and all that it carries.
  Spatial support(int body, const Vec3& p) const;

  // Of a body and all its descendants.
  Vec3 subtree_com(int body) const;               // [m]
  Vec3 subtree_velocity(int body) const;          // of the centre of mass [m/s]
  Vec3 subtree_angular_momentum(int body) const;  // about the centre of mass [N m s]
  double kinetic_energy() const;                  // of all trees [J]

 private:
  bool carries(int ancestor, int body) const;
  // f(body, its centre of mass) for a body and its descendants.
  template <class Visit>
  void over_subtree(int body, Visit&& visit) const;
  void add_contacts(std::vector<Spatial>& wrench) const;
  void add_loops(std::vector<Spatial>& wrench) const;
  void add_tendons(std::vector<Spatial>& wrench) const;

  const Model& model_;
  const Options& options_;
  const SensorInput& in_;
  const Workspace& w_;
};

}  // namespace stiction
