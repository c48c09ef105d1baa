// minimise ½ yᵀ H y + qᵀ y, H positive definite, over y in a product of intervals and square pyramids
// {n ≥ 0, |t_i| ≤ μ n}.
//
// For a set of bounds that act, y = T x + o with free x: an interval is free or at one end, a pyramid closed (its tip,
// y = 0) or open with each t_i free or at ± μ n. The active set method solves Tᵀ H T x = −Tᵀ (H o + q) and changes all
// bounds that are violated or pull. Least squares are solved as such.
#pragma once

#include <Eigen/Dense>

#include <vector>

namespace stiction {

struct PyramidProgramme {
  Eigen::MatrixXd H;
  Eigen::VectorXd q;
  // Of least squares, ½ ‖G y + g‖²: H = Gᵀ G and q = Gᵀ g. Empty otherwise. H has lost half of the digits that G has.
  Eigen::MatrixXd G;
  Eigen::VectorXd g;
  Eigen::VectorXd unit;  // of the gradient of each row: its residual counts in these units
  struct Interval {
    int index;
    double lower, upper;
  };
  struct Pyramid {
    int first, rows;  // n, t_1 … of y
    double mu;
  };
  std::vector<Interval> intervals;
  std::vector<Pyramid> pyramids;

  Eigen::VectorXd gradient(const Eigen::VectorXd& y) const;
  // Largest change of y_k − gradient_k / H_kk of a row by projection on its pyramid or interval (in the metric H_kk),
  // times H_kk, in the unit of the row: 0 at the solution.
  double residual(const Eigen::VectorXd& y) const;
};

// y: on entry a guess, on return the best found; iterations: linear systems solved or iterations of ProxSuite.
// Returns the residual.
double solve_programme(const PyramidProgramme& programme, double tolerance, Eigen::VectorXd& y, int& iterations);

}  // namespace stiction
