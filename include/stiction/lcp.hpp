// Linear complementarity problems, solved by several methods and certified by none of them:
//
//   w = M z + q,   0 ≤ z ⊥ w ≥ 0.
//
// Source: Cottle, Pang, Stone, "The Linear Complementarity Problem" (1992): chapter 4.4 (Lemke), 5.2 (Gauss–Seidel),
// 5.7 (minimum map), 2.3 (copositive matrices and rays). Where we go beyond it: an answer comes with residuals that
// are recomputed from (M, q, z), an end on a ray with the ray, and "there is no solution" only with a proof.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stiction/error.hpp>

namespace stiction {

struct Lcp {
  int n = 0;
  std::vector<double> M;  // n × n, row-major
  std::vector<double> q;  // n
};

enum class LcpStatus {
  kSolved = 0,        // the certificate is within the tolerance
  kInfeasible = 1,    // no z ≥ 0 has M z + q ≥ 0: `farkas` proves it
  kNoSolution = 2,    // none of the 2ⁿ pieces holds a solution (enumerate)
  kRay = 3,           // Lemke's path left on a ray, which proves only that M is not strictly copositive
  kNotConverged = 4,  // limit of iterations, or the method does not apply: `message` says which
};
const char* lcp_status_name(LcpStatus status);

struct LcpSettings {
  double tolerance = 1e-9;  // > 0, of every residual of the certificate
  int max_iterations = 0;   // pivots, sweeps or Newton steps; 0: a limit that grows with n
};

// Relative to s_i = |q_i| + Σ_j |M_ij z_j| (rows) and to the largest |z_i|.
struct LcpCertificate {
  double equation = 0;         // largest |w − M z − q|_i / s_i
  double negative_z = 0;       // largest −z_i / max|z|
  double negative_w = 0;       // largest −w_i / s_i
  double complementarity = 0;  // largest min(|z_i| / max|z|, |w_i| / s_i)
  int worst = -1;              // index of the largest of all; −1: all are zero
  double residual() const;
};

// The end of Lemke's path. With z ≥ 0, z₀ ≥ 0 and the covering vector d > 0, all points (z, z₀) + θ (r, r₀), θ ≥ 0, are
// complementary and satisfy w = M z + d z₀ + q ≥ 0; hence rᵀ M r = −r₀ dᵀ r ≤ 0.
struct LcpRay {
  std::vector<double> z, direction, cover;  // z, r, d; empty: there is no ray
  double z0 = 0, direction0 = 0;            // z₀, r₀
};

struct LcpResult {
  LcpStatus status = LcpStatus::kNotConverged;
  std::vector<double> z, w;  // best found
  LcpCertificate certificate;
  int iterations = 0;
  LcpRay ray;                                  // of method lemke
  double ray_residual = 0;                     // certify_ray(ray)
  std::vector<double> farkas;                  // y ≥ 0 with Mᵀ y ≤ 0 and qᵀ y < 0; empty: none was found
  double no_solution_below = 0;                // infeasible_below(farkas)
  std::vector<std::vector<double>> solutions;  // of method enumerate: every basic solution
  std::string message;                         // one sentence
};

// lemke: complementary pivoting, lexicographic; ends for every M, on a solution or on a ray.
// pgs: projected Gauss–Seidel; needs a positive diagonal, converges for symmetric positive definite M.
// newton-minmap: damped Newton on min(z, M z + q) = 0; fast where it converges.
// enumerate: all 2ⁿ pieces, for n ≤ 20; proves that there is no solution.
std::vector<std::string> lcp_methods();

// Error if the shapes do not fit, a number is not finite or there is no such method.
LcpResult solve_lcp(const Lcp& problem, std::string_view method = "lemke", const LcpSettings& settings = {});

LcpCertificate certify_lcp(const Lcp& problem, std::span<const double> z, std::span<const double> w);
// Largest violation, relative to the terms of its row, of what a ray must satisfy.
double certify_ray(const Lcp& problem, const LcpRay& ray);
// What y proves: each z ≥ 0 with M z + q ≥ 0 has ‖z‖₁ at least this large; ∞: there is no such z; 0: nothing. Rounding
// errors of the check itself are counted.
double infeasible_below(const Lcp& problem, std::span<const double> y);

// Text: `n N`, `M` and n lines of n numbers, `q` and a line of n numbers; lines `solution …` are passed over, '#'
// begins a comment. Error with file and line.
// Whether the file exists and begins so.
bool is_lcp_file(const std::string& path);
Lcp read_lcp(const std::string& path);

}  // namespace stiction
