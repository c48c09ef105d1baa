// Frictional contact problems as the literature writes them, with sparse matrices and impulses r:
//   local:   v = W r + V λ + q,                Vᵀ r + R λ + s = 0
//   global:  M u = H r + G λ + f,  v = Hᵀ u + w,  Gᵀ u + b = 0
// (v, r) obey Coulomb's law contact by contact, `dim` rows each, the normal first; λ belongs to equalities, which a
// problem may have. FCLIB files hold both forms (fclib_file.hpp), text files the ones without equalities
// (friction_text.hpp). The local form becomes a ContactProblem without trees, the global one a ContactProblem with a
// tree for each body, or for each set of degrees of freedom that M and the contacts do not tell apart, or, where M is
// not symmetric, without trees; h is 1 s, so that forces and impulses are the same numbers, and the velocity floor is
// zero.
#pragma once

#include <string>
#include <vector>

#include <stiction/problem.hpp>

namespace stiction::detail {

// Entries of a sparse matrix in any order; those of one place add up.
struct SparseEntries {
  int rows = 0, cols = 0;
  std::vector<int> row, col;
  std::vector<double> value;

  int count() const { return int(value.size()); }
  void add(int i, int j, double x);
};

struct FrictionProblem {
  bool global = false;
  int dim = 3;             // rows per contact, 2 or 3
  std::vector<double> mu;  // of each contact
  SparseEntries W, V, R;   // local
  std::vector<double> q, s;
  SparseEntries M, H, G;  // global
  std::vector<double> f, w, b;
};

// Throw Error with the matrix, row and column, or with the block, that cannot be what it should.
ContactProblem contact_problem(const FrictionProblem& problem);
// Blocks without friction become contacts with μ = 0 and empty tangential rows. Laws that the form does not have are
// refused: boxes other than equalities, contacts with torsion or rolling.
FrictionProblem local_form(const ContactProblem& problem);
FrictionProblem global_form(const ContactProblem& problem);

}  // namespace stiction::detail
