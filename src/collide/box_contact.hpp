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
  const int k = face >> 1, u = next_of_three(k), w = previous_of_three(k);
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

// The crossing of two edges, along e of A and f of B, whose common perpendicular n is the best axis. Any other contact
// has points x of A and y of B no farther apart than reach = max(margin, −separation), so along n their depths below
// the two edges add up to at most room = reach − separation. If both boxes are nothing but their edge there (the next
// edges are deeper), x is beside its edge, along n × e, by λ times its depth, between −n_2/n_1 and n_1/n_2 for the
// components n_1, n_2 of n along the two axes of A across e; y likewise by μ, between m_2/m_1 and −m_1/m_2. From the
// crossing, x lies by s along e and y by t along f, which follow from s e + λ n × e + δ = t f + μ n × f, |δ| ≤ reach:
//
//   s n·(e × f) = −μ + λ e·f + …,  t n·(e × f) = λ − μ e·f + …,  … ≤ reach
//
// If both edges go on for that, no other feature is there. The point is in the frame of A.
template <class T>
STICTION_HD bool crossing_alone(const PolyhedronPair<BoxPolyhedron<T>, BoxPolyhedron<T>>& pair, const EdgeAxis<T>& edge,
                                T sine_squared_least, ContactPointT<T>& out) {
  const int i = edge.edge_a >> 2, i1 = next_of_three(i), i2 = previous_of_three(i);
  const int j = edge.edge_b >> 2, j1 = next_of_three(j), j2 = previous_of_three(j);
  const Vec3T<T> in_b = transpose_times(pair.b_in_a.R, edge.normal), along_b = pair.b_in_a.R.column(j);
  const T ha[3] = {pair.A.h.x, pair.A.h.y, pair.A.h.z}, hb[3] = {pair.B.h.x, pair.B.h.y, pair.B.h.z};
  const T n[3] = {edge.normal.x, edge.normal.y, edge.normal.z}, m[3] = {in_b.x, in_b.y, in_b.z};
  const T f[3] = {along_b.x, along_b.y, along_b.z};
  const T cosine = f[i], sine = n[i2] * f[i1] - n[i1] * f[i2], sine_squared = sine * sine;
  if (sine_squared < sine_squared_least) return false;
  const T reach = maximum(pair.margin, -edge.separation), room = reach - edge.separation;
  const T next_a = minimum(ha[i1] * magnitude(n[i1]), ha[i2] * magnitude(n[i2]));
  const T next_b = minimum(hb[j1] * magnitude(m[j1]), hb[j2] * magnitude(m[j2]));
  if (!(T(2) * minimum(next_a, next_b) > room)) return false;
  const T lambda[2] = {-n[i2] / n[i1], n[i1] / n[i2]}, mu[2] = {m[j2] / m[j1], -m[j1] / m[j2]};
  T least_s{}, most_s{}, least_t{}, most_t{};  // per depth
  for (int k = 0; k < 2; ++k) {
    least_s = minimum(least_s, minimum(-mu[k], cosine * lambda[k]));
    most_s = maximum(most_s, maximum(-mu[k], cosine * lambda[k]));
    least_t = minimum(least_t, minimum(lambda[k], -cosine * mu[k]));
    most_t = maximum(most_t, maximum(lambda[k], -cosine * mu[k]));
  }

  // Middles of the edges, and the closest points middle + s e, middle + t f.
  T middle_a[3] = {}, middle_b[3] = {};
  middle_a[i1] = ha[i1] * T(2 * (edge.edge_a & 1) - 1);
  middle_a[i2] = ha[i2] * T((edge.edge_a & 2) - 1);
  middle_b[j1] = hb[j1] * T(2 * (edge.edge_b & 1) - 1);
  middle_b[j2] = hb[j2] * T((edge.edge_b & 2) - 1);
  const Vec3T<T> a{middle_a[0], middle_a[1], middle_a[2]};
  const Vec3T<T> b = pair.b_in_a(Vec3T<T>{middle_b[0], middle_b[1], middle_b[2]}), r = b - a;
  const T from[3] = {r.x, r.y, r.z}, across = dot(r, along_b);
  const T s = (from[i] - cosine * across) / sine_squared, t = s * cosine - across;
  // Ends of what may touch, times n·(e × f), against the ends of the edges.
  const T end_a = ha[i] * magnitude(sine), end_b = hb[j] * magnitude(sine);
  const T of_s = s * sine, of_t = t * sine;
  if (!(of_s + room * most_s + reach < end_a && of_s + room * least_s - reach > -end_a &&
        of_t + room * most_t + reach < end_b && of_t + room * least_t - reach > -end_b))
    return false;
  Vec3T<T> along_a{};
  along_a[i] = s;
  set_contact(out, (a + along_a + b + along_b * t) / T(2), edge.normal, edge.separation,
              feature_edges(edge.edge_a, edge.edge_b));
  return true;
}

}  // namespace stiction::detail
