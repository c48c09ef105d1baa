// Problem files of FCLIB (Acary et al., "Frictional Contact LIBrary"): HDF5 with one group `fclib_local` or
// `fclib_global`, spacedim, vectors and sparse matrices as entries (nz ≥ 0), by columns (nz = −1) or by rows (nz = −2).
// Their groups `solution` and `guesses` are not read: writers put the start of their solver there.
#pragma once

#include "io/friction_problem.hpp"
#include "io/hdf5_group.hpp"

namespace stiction::detail {

bool is_fclib(const Group& root);
FrictionProblem read_fclib(const Group& root);
void write_fclib(const Group& root, const FrictionProblem& problem);

}  // namespace stiction::detail
