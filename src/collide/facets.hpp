// Contacts of the model `nonconvex-lcp`: the vertices of two convex polyhedra (boxes, hulls) against the facets of the
// other that are near them. One point is written for each facet, with the place of the vertex, the facet's normal and
// the signed distance of the vertex to the facet's plane; all points of one vertex follow each other and make one
// contact, which is penetrated where all its distances are negative (solvers/facet_contacts.hpp).
// Source: Nguyen and Trinkle, section II.A, where any heuristic may choose the facets. Here: those that can hold the
// vertex at the end of the step, ψ > −margin; deep inside the nearest one.
#pragma once

#include <vector>

#include "collide/shape.hpp"

#include <stiction/state.hpp>

namespace stiction {

// Vertices and faces of a hull that the numbers of facets have room for.
constexpr int kMostFacetVertices = 1024;

bool is_polyhedron(ShapeType type);

// Appends the points of two polyhedra whose vertices are nearer than `margin` [m], ordered by feature. Edges that cross
// away from all vertices have one point, as under every other model.
void collide_facets(const ShapeT<double>& a, const ShapeT<double>& b, double margin,
                    std::vector<ContactPointT<double>>& out);

// Whether contact c is a further facet of the vertex of contact c − 1.
bool is_next_facet(const Contacts& contacts, std::size_t c);

// [m] deepest penetration: of facets the nearest counts.
double deepest_penetration(const Contacts& contacts);

// Error if the faces of a hull do not bound a convex shape, or if it has more of them than can be told apart.
void check_facets(const Model& model);

}  // namespace stiction
