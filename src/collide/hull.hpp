// The convex hulls of a Model in the form that the narrow phase reads: with edges and their neighbouring faces.
#pragma once

#include <vector>

#include "collide/shape.hpp"

namespace stiction {

template <class T>
class HullArrays {
 public:
  // Throws Error if a hull is not a closed surface of convex polygons.
  explicit HullArrays(const Model& model);

  HullT<T> view(int hull) const;
  // [m] greatest distance of a vertex from the origin of the shape frame.
  T radius(int hull) const { return radius_[static_cast<std::size_t>(hull)]; }

 private:
  std::vector<Vec3T<T>> vertex_, normal_;
  std::vector<T> offset_, radius_;
  std::vector<int> face_start_, face_vertex_, face_edge_, edge_;
  std::vector<int> neighbour_start_, neighbour_, neighbour_edge_;
  std::vector<int> first_vertex_, first_face_, first_slot_, first_edge_;  // of each hull, with a closing entry

  void add_neighbours(int vertices, int edges);
};

}  // namespace stiction
