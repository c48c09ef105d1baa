// What every file of ours says at its root: which kind it is, the number of its format and the version that wrote it.
#pragma once

#include "io/hdf5_group.hpp"

namespace stiction::detail {

// A kind of file and the number of its format, raised by one whenever an old reader could not read the new files.
struct FileKind {
  const char* name;
  int format;
};
inline constexpr FileKind kRecordingKind{"stiction recording", 15};
inline constexpr FileKind kProblemsKind{"stiction problems", 7};

void write_format(const Group& root, const FileKind& kind);
// Throws Error if the file is of another kind or another format number.
void check_format(const Group& root, const FileKind& kind);
// Whether the file says at all that it is one of ours.
bool has_format(const Group& root);

}  // namespace stiction::detail
