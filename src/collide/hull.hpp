// The convex hulls of a Model in the form that the narrow phase reads: with edges and their neighbouring faces.
#pragma once

#include <vector>

#include "collide/shape.hpp"

namespace stiction {

// Points by coordinate.
template <class T>
class PointArrays {
 public:
  void push_back(const Vec3T<T>& p) { x_.push_back(p.x), y_.push_back(p.y), z_.push_back(p.z); }
  // Those from `first` on.
  PointsT<T> from(int first) const { return {x_.data() + first, y_.data() + first, z_.data() + first}; }

 private:
  std::vector<T> x_, y_, z_;
};

template <class T>
class HullArrays {
 public:
  // Throws Error if a hull is not a closed surface of convex polygons.
  explicit HullArrays(const Model& model);

  HullT<T> view(int hull) const;
  // [m] greatest distance of a vertex from the origin of the shape frame.
  T radius(int hull) const { return radius_[static_cast<std::size_t>(hull)]; }

 private:
  PointArrays<T> vertex_, normal_;
  std::vector<T> offset_, radius_;
  std::vector<int> face_start_, face_vertex_, face_edge_, edge_;
  std::vector<int> neighbour_start_, neighbour_, neighbour_edge_;
  std::vector<int> first_vertex_, first_face_, first_slot_, first_edge_;  // of each hull, with a closing entry

  void add_neighbours(int vertices, int edges);
};

}  // namespace stiction
