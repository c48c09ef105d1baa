// Trapezoidal screw threads as closed meshes, after the profile of ISO 2904: flanks at 15° to the plane across the
// axis.
#pragma once

#include <map>

#include "support/meshes.hpp"

namespace stiction::test {

constexpr double kFlank = 15 * std::numbers::pi / 180;  // [rad]

// One pitch of a thread: between z = 0 and `crest_width` the radius is `crest`, after a flank `root`, before the next
// pitch a flank again.
struct ThreadProfile {
  double root, crest, crest_width, pitch;  // [m]
};

// Around z, with `sides` facets a turn. Without `outer` a bolt, solid inside; with it a nut whose wall has that radius.
// Row k of corner i is k mod 4 along the profile, on a helix: corner `sides` of row k is corner 0 of row k + 4.
inline TriangleMesh thread_mesh(const ThreadProfile& profile, int turns, int sides, double outer, double bottom) {
  constexpr int kRows = 4;
  const double flank = (profile.crest - profile.root) * std::tan(kFlank);
  const double along[kRows] = {0, profile.crest_width, profile.crest_width + flank, profile.pitch - flank};
  const double radius[kRows] = {profile.crest, profile.crest, profile.root, profile.root};
  TriangleMesh mesh;
  std::map<std::pair<int, int>, int> found[2];  // on the thread and on the wall
  const auto corner = [&](bool wall, int i, int k) {
    if (i == sides) i = 0, k += kRows;
    const auto [at, is_new] = found[wall].try_emplace({i, k}, int(mesh.vertices.size() / 3));
    if (is_new) {
      const double angle = 2 * std::numbers::pi * i / sides, r = wall ? outer : radius[k % kRows];
      const int turn = k / kRows;
      const double height = bottom + profile.pitch * (turn + double(i) / sides) + along[k % kRows];
      add_vertex(mesh, {r * std::cos(angle), r * std::sin(angle), height});
    }
    return at->second;
  };
  const bool is_nut = outer > 0;
  const int rows = kRows * turns;
  for (int i = 0; i < sides; ++i)
    for (int k = 0; k < rows; ++k)
      for (int wall = 0; wall <= int(is_nut); ++wall) {
        const int a = corner(wall, i, k), b = corner(wall, i + 1, k), c = corner(wall, i + 1, k + 1),
                  d = corner(wall, i, k + 1);
        if (is_nut && wall == 0)
          add_quad(mesh, a, d, c, b);
        else
          add_quad(mesh, a, b, c, d);
      }
  // An end: a turn of the helix, and the step of one pitch at its corner 0.
  for (const int end : {0, rows}) {
    std::vector<std::pair<int, int>> loop;
    for (int i = 0; i <= sides; ++i) loop.push_back({i, end});
    for (int k = kRows - 1; k >= 0; --k) loop.push_back({0, end + k});
    const int turn = end / kRows;
    const int centre = is_nut ? -1 : add_vertex(mesh, {0, 0, bottom + profile.pitch * (turn + 0.5)});
    for (std::size_t j = 0; j + 1 < loop.size(); ++j) {
      const auto [i, k] = loop[j];
      const auto [i_next, k_next] = loop[j + 1];
      const int a = corner(false, i, k), b = corner(false, i_next, k_next);
      if (is_nut) {
        const int c = corner(true, i_next, k_next), d = corner(true, i, k);
        if (end == 0)
          add_quad(mesh, a, b, c, d);
        else
          add_quad(mesh, a, d, c, b);
      } else if (end == 0) {
        add_triangle(mesh, centre, b, a);
      } else {
        add_triangle(mesh, centre, a, b);
      }
    }
  }
  return mesh;
}

}  // namespace stiction::test
