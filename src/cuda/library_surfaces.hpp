// Surfaces with trees of boxes that the cases of a leaf share: hills as a height field, a torus, a torus with a hole in
// its skin, and a bent sheet. They are built on the CPU and copied to the GPU. Vertices are rounded to float, so that
// float and double see one surface.
#pragma once

#include <cmath>
#include <vector>

#include "collide/surface.hpp"
#include "model/mesh_tables.hpp"
#include "support/meshes.hpp"

namespace stiction::cuda {

enum LibrarySurface { kHills, kTorus, kTornTorus, kSheet, kLibrarySurfaces };

constexpr Vec3 kHillsHalf{0.5, 0.4, 0.25};        // [m] the heights are below the third, the base at minus the third
constexpr double kRing = 0.4, kTube = 0.15;       // [m] radii of the torus
constexpr double kSheetHalf = 0.5, kBend = 0.25;  // [m] side and rise of the sheet

// Half of a box about the origin that holds the surface.
constexpr Vec3 library_half(int which) {
  if (which == kHills) return kHillsHalf;
  if (which == kSheet) return {kSheetHalf, kSheetHalf, kBend};
  return {kRing + kTube, kRing + kTube, kTube};
}

inline TriangleMesh library_mesh(int which) {
  if (which == kHills) {
    Model model;
    model.height_field_rows = {5}, model.height_field_columns = {7};
    model.height_field_size = {kHillsHalf};
    model.height_field_sample = {0};
    for (int r = 0; r < 5; ++r)
      for (int c = 0; c < 7; ++c) model.height_field_height.push_back(0.12 * (std::sin(1.3 * c) + std::cos(1.7 * r)));
    return detail::height_field_of(model, 0);
  }
  if (which == kSheet)
    return test::sheet(
        kSheetHalf, kSheetHalf, 6, 6, [](double x, double y) { return kBend * (4 * x * y + x * x - y * y); }, true);
  TriangleMesh torus = test::torus_mesh(kRing, kTube, 12, 6);
  if (which == kTornTorus) torus.triangles.resize(torus.triangles.size() - 9);
  return torus;
}

template <class T>
std::vector<Surface<T>> build_library() {
  std::vector<Surface<T>> surfaces;
  for (int which = 0; which < kLibrarySurfaces; ++which) {
    TriangleMesh mesh = library_mesh(which);
    for (double& coordinate : mesh.vertices) coordinate = double(float(coordinate));
    surfaces.emplace_back(mesh);
  }
  return surfaces;
}

// The library on the CPU.
template <class T>
const SurfaceT<T>* library_on_host() {
  static const std::vector<Surface<T>> surfaces = build_library<T>();
  static const std::vector<SurfaceT<T>> views = [] {
    std::vector<SurfaceT<T>> all;
    all.reserve(surfaces.size());
    for (const Surface<T>& surface : surfaces) all.push_back(surface.view());
    return all;
  }();
  return views.data();
}

}  // namespace stiction::cuda
