// Two boxes that meet with one corner or with two crossing edges, and with nothing else within the margin: most
// contacts of boxes that do not lie flat on each other. Both tests are proofs that the general routines
// (face_contact.hpp, corner_contact.hpp) would find this one point; where the proof fails, those are asked.
#pragma once

#include "collide/separation.hpp"

namespace stiction::detail {

// The corner of `incident` that is lowest over a face of `reference`. Below the margin the incident box must be nothing
// but the three edges at that corner, v, and they must lie over the inside of the face up to there. The point is in the
// frame of the reference; its normal points out of the reference.
template <class T>
STICTION_HD bool corner_alone(const BoxPolyhedron<T>& reference, int face, const BoxPolyhedron<T>& incident,
                              const Placement<T>& place, bool reference_is_a, T margin, ContactPointT<T>& out) {
  const int k = face >> 1, u = k == 2 ? 0 : k + 1, w = k == 0 ? 2 : k - 1;
  const T sign = T(2 * (face & 1) - 1);
  const Vec3T<T> rise = place.R.row[k] * sign, steep = magnitude(rise);
  const int corner = (rise.x < T(0) ? 1 : 0) | (rise.y < T(0) ? 2 : 0) | (rise.z < T(0) ? 4 : 0);
  const Vec3T<T> v = place(incident.vertex(corner));
  const T gap = v[k] * sign - reference.h[k], room = margin - gap;
  // At the margin the edges are at v + room (R_xj sign rise_j)/|rise_j|.
  const Vec3T<T> signs{sign_of(rise.x), sign_of(rise.y), sign_of(rise.z)};
  const auto inside = [&](int x) {
    return steep * reference.h[x] - magnitude(steep * v[x] + scaled(place.R.row[x], signs) * room);
  };
  const Vec3T<T> next = scaled(steep, incident.h) * T(2) - Vec3T<T>{room, room, room};  // next corner over the margin
  const Vec3T<T> least = min(min(inside(u), inside(w)), next);
  const T of_corner = minimum(reference.h[u] - magnitude(v[u]), reference.h[w] - magnitude(v[w]));
  if (!(minimum(minimum(least.x, least.y), minimum(least.z, of_corner)) >= T(0))) return false;
  const Vec3T<T> n = reference.face_normal(face);
  set_contact(
      out, v - n * (gap / T(2)), n, gap,
      feature_id(reference_is_a ? FeatureKind::kVertexB : FeatureKind::kVertexA, static_cast<std::uint32_t>(corner)));
  return true;
}

// The crossing of two edges whose common perpendicular n is the best axis. Any other contact has points x of A and y of
// B no farther apart than reach = max(margin, −separation), so along n their depths below the two edges add up to at
// most room = reach − separation. If both boxes are nothing but their edge there (the next edges are deeper), x and y
// are beside the edges by at most the depth times the slope of the flatter side, and lie within (room · slope +
// reach)/sin of the crossing: if both edges go on for that, no other feature is there. The point is in the frame of A.
template <class T>
STICTION_HD bool crossing_alone(const PolyhedronPair<BoxPolyhedron<T>, BoxPolyhedron<T>>& pair, const EdgeAxis<T>& edge,
                                T sine_squared_least, ContactPointT<T>& out) {
  const Mat3T<T>& R = pair.b_in_a.R;
  const int i = edge.edge_a >> 2, i1 = i == 2 ? 0 : i + 1, i2 = i == 0 ? 2 : i - 1;
  const int j = edge.edge_b >> 2, j1 = j == 2 ? 0 : j + 1, j2 = j == 0 ? 2 : j - 1;
  // Components of e_i × b_j along the axes (i1, i2) of A and (j1, j2) of B.
  const T a1 = magnitude(R(i2, j)), a2 = magnitude(R(i1, j)), b1 = magnitude(R(i, j2)), b2 = magnitude(R(i, j1));
  const T sine_squared = a1 * a1 + a2 * a2;
  if (sine_squared < sine_squared_least) return false;
  using std::sqrt;
  const T sine = sqrt(sine_squared), reach = maximum(pair.margin, -edge.separation), room = reach - edge.separation;
  const T drop = room * sine;
  if (!(T(2) * minimum(minimum(pair.A.h[i1] * a1, pair.A.h[i2] * a2), minimum(pair.B.h[j1] * b1, pair.B.h[j2] * b2)) >
        drop))
    return false;
  const T slope = maximum(maximum(a1, a2) / minimum(a1, a2), maximum(b1, b2) / minimum(b1, b2));
  const T aside = (room * slope + reach) / sine;

  // Middles of the edges, and the closest points middle + s e_i, middle + t b_j.
  Vec3T<T> middle_a{}, in_b{};
  middle_a[i1] = pair.A.h[i1] * T(2 * (edge.edge_a & 1) - 1);
  middle_a[i2] = pair.A.h[i2] * T((edge.edge_a & 2) - 1);
  in_b[j1] = pair.B.h[j1] * T(2 * (edge.edge_b & 1) - 1);
  in_b[j2] = pair.B.h[j2] * T((edge.edge_b & 2) - 1);
  const Vec3T<T> middle_b = pair.b_in_a(in_b), r = middle_b - middle_a, b = R.column(j);
  const T cosine = R(i, j), rb = dot(r, b);
  const T s = (r[i] - cosine * rb) / sine_squared, t = s * cosine - rb;
  if (!(magnitude(s) + aside < pair.A.h[i] && magnitude(t) + aside < pair.B.h[j])) return false;
  Vec3T<T> x = middle_a;
  x[i] = s;
  set_contact(out, (x + middle_b + b * t) / T(2), edge.normal, edge.separation,
              feature_edges(edge.edge_a, edge.edge_b));
  return true;
}

}  // namespace stiction::detail
