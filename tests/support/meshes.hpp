// Surfaces of triangles for tests, in closed form.
#pragma once

#include <cmath>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include <stiction/mesh.hpp>

#include "math/vec3.hpp"

namespace stiction::test {

inline int add_vertex(TriangleMesh& mesh, const Vec3& p) {
  mesh.vertices.insert(mesh.vertices.end(), {p.x, p.y, p.z});
  return int(mesh.vertices.size() / 3) - 1;
}
inline void add_triangle(TriangleMesh& mesh, int a, int b, int c) {
  mesh.triangles.insert(mesh.triangles.end(), {a, b, c});
}
inline void add_quad(TriangleMesh& mesh, int a, int b, int c, int d, bool turned = false) {
  if (turned) {
    add_triangle(mesh, b, c, d);
    add_triangle(mesh, b, d, a);
  } else {
    add_triangle(mesh, a, b, c);
    add_triangle(mesh, a, c, d);
  }
}

// A sheet over [−x, x] × [−y, y] with the heights z(x, y), nx × ny cells whose diagonals alternate if asked. Inner
// vertices are moved sideways by `jitter` of a cell.
template <class Height>
TriangleMesh sheet(double x, double y, int nx, int ny, const Height& z, bool alternate = false, double jitter = 0) {
  TriangleMesh mesh;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const bool inner = i > 0 && i < nx && j > 0 && j < ny;
      const double shift = inner ? jitter : 0, px = x * (2 * (i + shift * std::sin(7.0 * i + 3 * j)) / nx - 1),
                   py = y * (2 * (j + shift * std::cos(5.0 * i + 11 * j)) / ny - 1);
      add_vertex(mesh, {px, py, z(px, py)});
    }
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int low = j * (nx + 1) + i, high = low + nx + 1;
      add_quad(mesh, low, low + 1, high + 1, high, alternate && (i + j) % 2 == 1);
    }
  return mesh;
}

// The solid below a sheet, down to a floor.
inline TriangleMesh block_under(const TriangleMesh& top, double floor) {
  TriangleMesh mesh = top;
  const int vertices = int(top.vertices.size() / 3);
  for (std::size_t i = 0; i < top.vertices.size(); i += 3)
    add_vertex(mesh, {top.vertices[i], top.vertices[i + 1], floor});
  std::set<std::pair<int, int>> sides;
  for (std::size_t t = 0; t < top.triangles.size(); t += 3) {
    const int* v = &top.triangles[t];
    add_triangle(mesh, v[0] + vertices, v[2] + vertices, v[1] + vertices);
    for (int k = 0; k < 3; ++k) sides.insert({v[k], v[(k + 1) % 3]});
  }
  for (const auto& [v, w] : sides)
    if (!sides.contains({w, v})) add_quad(mesh, w, v, v + vertices, w + vertices);
  return mesh;
}

// A closed box; each side is cut into cells × cells squares.
inline TriangleMesh box_mesh(const Vec3& half, int cells = 1) {
  TriangleMesh mesh;
  for (int face = 0; face < 6; ++face) {
    const int k = face / 2, u = (k + 1) % 3, w = (k + 2) % 3;
    const double sign = face % 2 == 0 ? -1 : 1;
    const int first = int(mesh.vertices.size() / 3);
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i) {
        Vec3 p;
        p[k] = sign * half[k];
        p[u] = half[u] * (2.0 * i / cells - 1);
        p[w] = half[w] * (2.0 * j / cells - 1);
        add_vertex(mesh, p);
      }
    for (int j = 0; j < cells; ++j)
      for (int i = 0; i < cells; ++i) {
        const int low = first + j * (cells + 1) + i, high = low + cells + 1;
        if (sign > 0)
          add_quad(mesh, low, low + 1, high + 1, high, (i + j) % 2 == 1);
        else
          add_quad(mesh, low, high, high + 1, low + 1, (i + j) % 2 == 1);
      }
  }
  return mesh;
}

// Around z, with the ring radius R and the tube radius r.
inline TriangleMesh torus_mesh(double ring, double tube, int around, int across) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double a = 2 * std::numbers::pi * i / around, b = 2 * std::numbers::pi * j / across;
      const double r = ring + tube * std::cos(b);
      add_vertex(mesh, {r * std::cos(a), r * std::sin(a), tube * std::sin(b)});
    }
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const int next = (i + 1) % around, up = (j + 1) % across;
      add_quad(mesh, i * across + j, next * across + j, next * across + up, i * across + up);
    }
  return mesh;
}

// The solid that a closed profile of places (radius, height), counter-clockwise, sweeps around z, with flat sides. The
// profile meets the axis in two places that follow each other, or in none.
inline TriangleMesh revolved_mesh(const std::vector<std::pair<double, double>>& profile, int sides, double phase = 0) {
  TriangleMesh mesh;
  std::vector<int> first;
  for (const auto& [r, z] : profile) {
    first.push_back(int(mesh.vertices.size() / 3));
    for (int i = 0; i < (r > 0 ? sides : 1); ++i) {
      const double a = 2 * std::numbers::pi * i / sides + phase;
      add_vertex(mesh, {r * std::cos(a), r * std::sin(a), z});
    }
  }
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const std::size_t l = (k + 1) % profile.size();
    const bool low = profile[k].first > 0, high = profile[l].first > 0;
    for (int i = 0; i < sides; ++i) {
      const int j = (i + 1) % sides, p = first[k], q = first[l];
      if (low && high)
        add_quad(mesh, p + i, p + j, q + j, q + i);
      else if (low)
        add_triangle(mesh, p + i, p + j, q);
      else if (high)
        add_triangle(mesh, p, q + j, q + i);
    }
  }
  return mesh;
}

// A ring around z between two radii, of half-height h: closed; its hole has `sides` flat walls.
inline TriangleMesh ring_mesh(double inner, double outer, double h, int sides, double phase = 0) {
  return revolved_mesh({{inner, -h}, {outer, -h}, {outer, h}, {inner, h}}, sides, phase);
}

}  // namespace stiction::test
