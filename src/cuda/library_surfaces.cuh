// The library of surfaces in device memory while this lives.
#pragma once

#include <algorithm>
#include <deque>

#include "cuda/device_array.cuh"
#include "cuda/library_surfaces.hpp"

namespace stiction::cuda {

template <class T>
class LibraryOnDevice {
 public:
  LibraryOnDevice() : views_(copy_of_all()) {}
  const SurfaceT<T>* data() const { return views_.data(); }

 private:
  std::deque<DeviceArray<unsigned char>> arrays_;
  DeviceArray<SurfaceT<T>> views_;

  template <class X>
  void move_to_device(const X*& array, int count) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(array);
    arrays_.emplace_back(std::vector<unsigned char>(bytes, bytes + std::size_t(count) * sizeof(X)));
    array = reinterpret_cast<const X*>(arrays_.back().data());
  }
  // Children lie behind their parent.
  static int nodes_of(const SurfaceT<T>& view) {
    int nodes = 1;
    for (int i = 0; i < nodes; ++i)
      if (view.node[i].count == 0) nodes = std::max(nodes, view.node[i].first + 2);
    return nodes;
  }
  std::vector<SurfaceT<T>> copy_of_all() {
    std::vector<SurfaceT<T>> views;
    for (int which = 0; which < kLibrarySurfaces; ++which) {
      SurfaceT<T> view = library_on_host<T>()[which];
      const int neighbours = view.neighbour_start[view.vertex_count], nodes = nodes_of(view);
      move_to_device(view.vertex, view.vertex_count);
      move_to_device(view.vertex_normal, view.vertex_count);
      move_to_device(view.vertex_feature, view.vertex_count);
      move_to_device(view.neighbour_start, view.vertex_count + 1);
      move_to_device(view.neighbour, neighbours);
      move_to_device(view.triangle, 3 * view.triangle_count);
      move_to_device(view.triangle_edge, 3 * view.triangle_count);
      move_to_device(view.owned, view.triangle_count);
      move_to_device(view.normal, view.triangle_count);
      move_to_device(view.edge, 4 * view.edge_count);
      move_to_device(view.edge_feature, view.edge_count);
      move_to_device(view.inward, 2 * view.edge_count);
      move_to_device(view.node, nodes);
      views.push_back(view);
    }
    return views;
  }
};

}  // namespace stiction::cuda
