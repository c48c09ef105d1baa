// What every file of ours says at its root: which kind it is, the number of its format and the version that wrote it.
#pragma once

#include "io/hdf5_group.hpp"

namespace stiction::detail {

// Raised by one whenever an old reader could not read the new files.
inline constexpr int kFormatNumber = 3;

inline constexpr char kRecordingKind[] = "stiction recording";
inline constexpr char kProblemsKind[] = "stiction problems";

void write_format(const Group& root, const char* kind);
// Throws Error if the file is of another kind or another format number.
void check_format(const Group& root, const char* kind);
// Whether the file says at all that it is one of ours.
bool has_format(const Group& root);

}  // namespace stiction::detail
