// The contact model `nonconvex-lcp`: a vertex against a convex shape is one contact, of whose facets at most one acts.
// Random planar cases are checked against brute force: every choice of facets, each with every piece of the laws.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "support/convex_shapes.hpp"
#include "support/random_problem.hpp"
#include "support/solve_cold.hpp"
#include "support/worlds.hpp"

#include <stiction/load.hpp>
#include <stiction/report.hpp>

namespace stiction {
namespace {

struct Facet {
  Vec3 normal;      // outward, in the plane
  double distance;  // of the vertex, signed [m]
};

// Facets of a convex polygon around the origin that lie within `reach` of the point, or the nearest one.
std::vector<Facet> near_facets(const Vec3& point, int sides, double turn, double reach) {
  std::vector<Facet> all, out;
  for (int k = 0; k < sides; ++k) {
    const double angle = turn + 2 * std::numbers::pi * k / sides;
    const Vec3 n{std::cos(angle), std::sin(angle), 0};
    all.push_back({n, dot(n, point) - 1});
  }
  Facet nearest = all[0];
  for (const Facet& facet : all) {
    if (facet.distance > nearest.distance) nearest = facet;
    if (facet.distance > -reach) out.push_back(facet);
  }
  if (out.empty()) out.push_back(nearest);
  return out;
}

// Rows (n, t) of a point of a planar body, dofs (x, y, angle), at r from its centre.
std::vector<double> planar_rows(const Vec3& n, const Vec3& r, double sign, bool friction) {
  const Vec3 t{-n.y, n.x, 0};
  std::vector<double> J;
  for (const Vec3& d : friction ? std::vector<Vec3>{n, t} : std::vector<Vec3>{n})
    for (const double entry : {d.x, d.y, r.x * d.y - r.y * d.x}) J.push_back(sign * entry);
  return J;
}

struct Case {
  ContactProblem problem;
  std::vector<int> first;  // blocks of the contacts, with a closing entry
};

// One or two bodies, one to three contacts of their vertices with polygons of the world or of the other body.
Case random_case(std::uint64_t seed, int most_contacts) {
  test::SceneOptions scene;
  scene.seed = seed;
  test::ProblemMaker maker(scene);
  test::Random& random = maker.random();
  const double h = scene.timestep;
  const int bodies = random.integer(1, 2);
  for (int b = 0; b < bodies; ++b) {
    const double mass = random.log_uniform(0.3, 3), turn = mass * random.uniform(0.05, 0.5);
    maker.add_tree(3, {mass, 0, 0, 0, mass, 0, 0, 0, turn},
                   {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3)});
  }
  Case out;
  const int contacts = random.integer(1, most_contacts);
  for (int k = 0; k < contacts; ++k) {
    const int sides = random.integer(3, 8);
    // Two thirds of the vertices are near a corner.
    const double turn = random.uniform(0, 6), half = std::numbers::pi / sides;
    const double beside = random.chance(2.0 / 3) ? random.uniform(-0.05, 0.05) : random.uniform(-half, half);
    const double direction = turn + half * (1 + 2 * random.integer(0, sides - 1)) + beside;
    // Just outside of the polygon: a share of the motion of a step.
    Vec3 point{std::cos(direction), std::sin(direction), 0};
    double depth = -INFINITY;
    for (const Facet& facet : near_facets(point, sides, turn, 10)) depth = std::max(depth, facet.distance);
    point = point * ((1 + random.uniform(0, 2 * h)) / (1 + depth));
    const std::vector<Facet> facets = near_facets(point, sides, turn, 6 * h);
    const int vertex_body = random.integer(0, bodies - 1),
              other = bodies == 2 && random.chance(0.7) ? 1 - vertex_body : -1;
    const bool friction = random.chance(0.6);
    const double mu = random.uniform(0.1, 1);
    const Vec3 r = random.vector(0.5), s = random.vector(0.5);
    for (std::size_t f = 0; f < facets.size(); ++f) {
      std::vector<double> bias(friction ? 2 : 1, 0.0);
      bias[0] = facets[f].distance / h;
      maker.add_block(f == 0 ? Law::kFacet : Law::kNextFacet, friction ? mu : 0, other,
                      other < 0 ? std::vector<double>{} : planar_rows(facets[f].normal, s, -1, friction), vertex_body,
                      planar_rows(facets[f].normal, r, 1, friction), bias);
    }
  }
  out.problem = maker.finish();
  out.first.clear();
  for (int b = 0; b < out.problem.nblock; ++b)
    if (out.problem.block_law[std::size_t(b)] == Law::kFacet) out.first.push_back(b);
  out.first.push_back(out.problem.nblock);
  return out;
}

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;  // row by row

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// x with A x = b by elimination with full pivoting; where pivots vanish those unknowns are zero.
Vector solve_linear(Matrix A, Vector b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> column(n);
  for (std::size_t i = 0; i < n; ++i) column[i] = i;
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    std::size_t row = rank, at = rank;
    for (std::size_t i = rank; i < n; ++i)
      for (std::size_t j = rank; j < n; ++j)
        if (std::abs(A[i][j]) > std::abs(A[row][at])) row = i, at = j;
    if (!(std::abs(A[row][at]) > 1e-12)) break;
    std::swap(A[row], A[rank]);
    std::swap(b[row], b[rank]);
    for (Vector& line : A) std::swap(line[at], line[rank]);
    std::swap(column[at], column[rank]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == rank) continue;
      const double factor = A[i][rank] / A[rank][rank];
      for (std::size_t j = rank; j < n; ++j) A[i][j] -= factor * A[rank][j];
      b[i] -= factor * b[rank];
    }
  }
  Vector x(n, 0.0);
  for (std::size_t i = 0; i < rank; ++i) x[column[i]] = b[i] / A[i][i];
  return x;
}

// W and v(0) of all rows, from the masses on the diagonal.
struct Response {
  Matrix W;
  Vector v;
};

Response response_of(const ContactProblem& p) {
  const auto nrow = std::size_t(p.nrow), nv = std::size_t(p.nv);
  Matrix J(nrow, Vector(nv, 0.0)), scaled = J;
  for (int b = 0; b < p.nblock; ++b)
    for (int side = 0; side < 2; ++side) {
      const int tree = side == 0 ? p.block_tree_a[std::size_t(b)] : p.block_tree_b[std::size_t(b)];
      if (tree < 0) continue;
      const int start = side == 0 ? p.block_jacobian_a[std::size_t(b)] : p.block_jacobian_b[std::size_t(b)];
      for (int k = 0; k < p.block_size(b); ++k)
        for (int d = 0; d < 3; ++d) {
          const auto row = std::size_t(p.block_row[std::size_t(b)] + k), dof = std::size_t(3 * tree + d);
          J[row][dof] = p.jacobian[std::size_t(start + 3 * k + d)];
          scaled[row][dof] = J[row][dof] / p.inertia[std::size_t(9 * tree + 4 * d)];
        }
    }
  Response out{Matrix(nrow, Vector(nrow)), p.bias};
  for (std::size_t i = 0; i < nrow; ++i) {
    out.v[i] += product(J[i], p.free_velocity);
    for (std::size_t j = 0; j < nrow; ++j) out.W[i][j] = product(J[i], scaled[j]);
  }
  return out;
}

// What a contact can do: stay open, or act on one facet by sticking or sliding either way (frictionless: by pressing).
struct Piece {
  int block = -1;  // −1: open
  int slide = 0;   // 0: sticks; ±1: the sign of its friction
};

std::vector<Piece> pieces_of(const Case& c, std::size_t contact) {
  std::vector<Piece> out{{}};
  for (int f = c.first[contact]; f < c.first[contact + 1]; ++f) {
    out.push_back({f, 0});
    if (c.problem.block_size(f) == 1) continue;
    out.push_back({f, 1});
    out.push_back({f, -1});
  }
  return out;
}

// The impulses of one choice of pieces, or none if they break a law by more than 1e-7.
std::optional<Vector> solve_pieces(const Case& c, const Response& r, const std::vector<Piece>& pieces) {
  constexpr double kRounding = 1e-7;
  const ContactProblem& p = c.problem;
  const auto row_of = [&](int block) { return std::size_t(p.block_row[std::size_t(block)]); };
  const auto friction_of = [&](int block) { return p.block_friction[std::size_t(block)]; };
  // Unknowns: p_n of each facet that acts, and p_t of those that stick; impulse = Σ unknown · basis.
  Matrix basis;
  std::vector<std::size_t> zero;  // rows whose velocity vanishes
  for (const Piece& piece : pieces) {
    if (piece.block < 0) continue;
    const std::size_t row = row_of(piece.block);
    const bool friction = p.block_size(piece.block) > 1;
    Vector normal(r.v.size(), 0.0), tangent = normal;
    normal[row] = 1;
    if (friction) normal[row + 1] = piece.slide * friction_of(piece.block);
    basis.push_back(normal);
    zero.push_back(row);
    if (!friction || piece.slide != 0) continue;
    tangent[row + 1] = 1;
    basis.push_back(tangent);
    zero.push_back(row + 1);
  }
  Matrix A(zero.size(), Vector(zero.size()));
  Vector b(zero.size()), impulse(r.v.size(), 0.0), v = r.v;
  for (std::size_t i = 0; i < zero.size(); ++i) {
    b[i] = -r.v[zero[i]];
    for (std::size_t j = 0; j < zero.size(); ++j) A[i][j] = product(r.W[zero[i]], basis[j]);
  }
  const Vector x = solve_linear(A, b);
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::size_t i = 0; i < impulse.size(); ++i) impulse[i] += x[j] * basis[j][i];
  for (std::size_t i = 0; i < v.size(); ++i) v[i] += product(r.W[i], impulse);
  for (const std::size_t row : zero)
    if (std::abs(v[row]) > kRounding) return std::nullopt;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const Piece& piece = pieces[k];
    double nearest = -INFINITY;  // v_n of the facets that do not act
    for (int f = c.first[k]; f < c.first[k + 1]; ++f)
      if (f != piece.block) nearest = std::max(nearest, v[row_of(f)]);
    if (piece.block < 0 && nearest < -kRounding) return std::nullopt;
    if (piece.block < 0) continue;
    const std::size_t row = row_of(piece.block);
    if (impulse[row] < -kRounding || nearest > kRounding) return std::nullopt;
    if (p.block_size(piece.block) == 1) continue;
    const double most = friction_of(piece.block) * impulse[row] + kRounding;
    if (piece.slide == 0 && std::abs(impulse[row + 1]) > most) return std::nullopt;
    if (piece.slide * v[row + 1] > kRounding) return std::nullopt;
  }
  return impulse;
}

// All solutions: every choice of pieces.
Matrix brute_force(const Case& c) {
  const Response r = response_of(c.problem);
  std::vector<std::vector<Piece>> of(c.first.size() - 1);
  for (std::size_t k = 0; k < of.size(); ++k) of[k] = pieces_of(c, k);
  Matrix out;
  std::vector<std::size_t> at(of.size(), 0);
  while (true) {
    std::vector<Piece> pieces;
    for (std::size_t k = 0; k < of.size(); ++k) pieces.push_back(of[k][at[k]]);
    if (const auto impulse = solve_pieces(c, r, pieces)) out.push_back(*impulse);
    std::size_t k = 0;
    while (k < at.size() && ++at[k] == of[k].size()) at[k++] = 0;
    if (k == at.size()) return out;
  }
}

int acting_facets(const Case& c, const Solution& s, std::size_t contact) {
  int count = 0;
  for (int f = c.first[contact]; f < c.first[contact + 1]; ++f)
    count += c.problem.timestep * s.lambda[std::size_t(c.problem.block_row[std::size_t(f)])] > 1e-9;
  return count;
}

// 3,000 cases: each that has a solution is solved, the certificate of facets holds, and the answer is one of those that
// brute force finds. Coupled contacts with friction need not have one (two of the cases), single ones do.
TEST(Facets, random_planar_cases_are_solved_as_brute_force_says) {
  int branched = 0, touched = 0, several = 0, unsolvable = 0;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const Case c = random_case(seed, 3);
    const test::Solved solved = test::solve_cold(c.problem, "lemke");
    const Matrix all = brute_force(c);
    if (all.empty()) {
      EXPECT_GT(c.first.size(), 2u) << "seed " << seed;
      EXPECT_GT(solved.residual, 1e-8) << "seed " << seed;
      ++unsolvable;
      continue;
    }
    ASSERT_EQ(solved.stats.failed, 0) << "seed " << seed;
    ASSERT_LE(solved.residual, 1e-8) << "seed " << seed;
    EXPECT_EQ(solved.stats.reduced, 0) << "seed " << seed;
    branched += solved.stats.branched > 0;
    bool touches = false;
    for (std::size_t k = 0; k + 1 < c.first.size(); ++k) {
      EXPECT_LE(acting_facets(c, solved.solution, k), 1) << "seed " << seed;
      touches = touches || acting_facets(c, solved.solution, k) == 1;
      several += c.first[k + 1] - c.first[k] > 1;
    }
    touched += touches;
    double nearest = INFINITY;
    for (const Vector& impulse : all) {
      double apart = 0;
      for (std::size_t i = 0; i < impulse.size(); ++i)
        apart = std::max(apart, std::abs(impulse[i] - c.problem.timestep * solved.solution.lambda[i]));
      nearest = std::min(nearest, apart);
    }
    EXPECT_LE(nearest, 1e-6) << "seed " << seed;
  }
  EXPECT_GT(touched, 1000);
  EXPECT_GT(several, 3000);
  EXPECT_LE(unsolvable, 2);
  RecordProperty("branched_of_3000", branched);
}

// The minimal case of the paper's figure 1: a vertex 1 mm above the top and 1 mm beside a side of a square, moving down
// beside it. All half-spaces at once hold it on the plane of the top, which ends beside it; facets let it pass.
TEST(Facets, a_vertex_passes_a_corner_that_half_spaces_extend) {
  const double h = 0.01, speed = 1;
  for (const bool facets : {false, true}) {
    test::SceneOptions scene;
    scene.timestep = h;
    test::ProblemMaker maker(scene);
    const int body = maker.add_tree(3, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, -speed, 0});
    const Vec3 normals[] = {{0, 1, 0}, {1, 0, 0}};
    for (int f = 0; f < 2; ++f) {
      const Law law = facets ? (f == 0 ? Law::kFacet : Law::kNextFacet) : Law::kUnilateral;
      maker.add_block(law, 0, -1, {}, body, planar_rows(normals[f], {}, 1, false), {0.001 / h});
    }
    const test::Solved solved = test::solve_cold(maker.finish(), "lemke");
    ASSERT_LE(solved.residual, 1e-8);
    EXPECT_NEAR(solved.solution.u[1], facets ? -speed : -0.001 / h, 1e-12);
  }
}

Simulation simulate(const std::string& scene, const std::string& contact_model) {
  const auto model = std::make_shared<const Model>(load(STICTION_SOURCE_DIR "/scenes/" + scene + ".xml"));
  Options options = model->options;
  options.contact_model = contact_model;
  Simulation out(model, options);
  if (!model->key_name.empty()) out.reset("start");
  return out;
}

// From its landing on, the box slides level with the ramp with a = g (sin 20° − μ cos 20°), over the crack as before
// it. With half-spaces as they are the side of the lower plank stops it, and it turns over its edge; coulomb takes the
// plane of the ramp there (step/seams.hpp).
TEST(Facets, a_box_slides_over_a_crack_at_which_half_spaces_stop_it) {
  const double ramp = 20 * std::numbers::pi / 180, a = 9.81 * (std::sin(ramp) - 0.2 * std::cos(ramp)), h = 0.008;
  for (const char* contact_model : {"nonconvex-lcp", "pyramid-lcp", "coulomb"}) {
    Simulation sim = simulate("cracked_ramp", contact_model);
    const bool slides = std::string_view(contact_model) != "pyramid-lcp";
    double before = 0, turned = 0, error = 0;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(sim.step().ok()) << sim.describe();
      const double along = sim.state().u[0] * std::cos(ramp) - sim.state().u[1] * std::sin(ramp);
      if (i > 30) error = std::max(error, std::abs(along - before - h * a));
      before = along;
      turned = std::max(turned, std::abs(sim.state().q[2]));
    }
    if (slides) {
      EXPECT_LE(turned, 1e-9);
      EXPECT_LE(error, 1e-9);
      EXPECT_GT(sim.state().q[0], 3.5);  // the crack is at 1.88
    } else {
      EXPECT_GT(turned, 0.1) << contact_model;
      EXPECT_LT(sim.state().q[0], 2) << contact_model;
    }
  }
}

// In free fall over 10.5 m the peg stands after 1.463 s, 117 steps and one for the last of the way. Half-spaces of the
// rim turn it, and it arrives late; under `coulomb` it passes the rim along a plane that separates them.
TEST(Facets, a_peg_falls_into_a_hole_as_if_it_were_alone) {
  const auto arrival = [](const char* contact_model) {
    Simulation sim = simulate("peg_in_hole", contact_model);
    for (int i = 1; i <= 200; ++i) {
      EXPECT_TRUE(sim.step().ok()) << sim.describe();
      if (sim.state().q[1] < -10.4999) return i;
    }
    return 1000;
  };
  EXPECT_LE(arrival("nonconvex-lcp"), 118);
  EXPECT_GE(arrival("pyramid-lcp"), 130);
  EXPECT_LE(arrival("coulomb"), 118);
}

// Free boxes: one that lies on another, turned by 30° about the vertical, stays; one dropped on a corner comes to rest.
TEST(Facets, boxes_in_space_rest_on_vertices_and_crossing_edges) {
  for (const bool dropped : {false, true}) {
    Builder builder("boxes");
    builder.add_shape_box(0, {0.5, 0.5, 0.1}, {{0, 0, -0.1}, {}}, test::surface(0.5));
    const Quat turn = quat_from_rotation_vector(dropped ? Vec3{0.5, 0.3, 0.2} : Vec3{0, 0, 0.5236});
    const int box = builder.add_body("box", {{0, 0, dropped ? 0.3 : 0.05}, turn});
    builder.add_joint_free(box);
    builder.add_shape_box(box, {0.1, 0.15, 0.05}, {}, test::surface(0.5));
    const Model model = builder.build();
    Options options = model.options;
    options.contact_model = "nonconvex-lcp";
    Simulation sim(std::make_shared<const Model>(model), options);
    double penetration = 0;
    for (int i = 0; i < 600; ++i) {
      ASSERT_TRUE(sim.step().ok()) << sim.describe();
      penetration = std::max(penetration, sim.report().certificate.penetration);
    }
    for (const double u : sim.state().u) EXPECT_NEAR(u, 0, 1e-6);
    EXPECT_NEAR(sim.state().q[2], 0.05, 2e-3) << "the box lies flat";
    EXPECT_LE(penetration, 1e-3);
  }
}

TEST(Facets, facets_that_are_not_convex_are_refused) {
  Builder builder("dented");
  const int body = builder.add_body("stone", {{0, 0, 1}, {}});
  builder.add_joint_free(body);
  builder.add_shape_box(body, {0.1, 0.1, 0.1}, {}, test::surface(0.5));
  Model model = builder.build();
  test::Solid solid = test::prism(6, 0.1, 0.1);
  solid.vertex[0] = solid.vertex[0] * 0.5;  // a dent
  test::set_hulls(model, {solid});
  model.shape_type[0] = ShapeType::kHull;
  model.shape_hull[0] = 0;
  Options options = model.options;
  options.contact_model = "nonconvex-lcp";
  try {
    Simulation sim(std::make_shared<const Model>(model), options);
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("are not convex"), std::string::npos) << error.what();
  }
}

TEST(Facets, a_further_facet_needs_a_first_one) {
  test::ProblemMaker maker;
  const int body = maker.add_random_tree(3);
  maker.add_block(Law::kUnilateral, 0, -1, {}, body, {0, 1, 0}, {0.1});
  ContactProblem problem = maker.finish();
  problem.block_law[0] = Law::kNextFacet;
  EXPECT_NE(test::refusal(problem).find("further facet"), std::string::npos);
}

}  // namespace
}  // namespace stiction
