// Loads MJCF and URDF through MuJoCo's own parser and compiler.
#pragma once

#include <stiction/model.hpp>

namespace stiction {

// One thing that the file says and the engine does not do.
struct LoadIssue {
  bool changes_physics = false;  // an error unless LoadOptions::allow_unsupported
  std::string element;           // "geom 'foot' (line 12)" …
  std::string missing;           // what is missing, and what to do
};

struct LoadReport {
  std::vector<LoadIssue> issues;
  std::vector<std::string> notes;  // said once: what was left out on purpose (solref, solimp …)
  std::string text() const;        // the report as lines
};

// How `geom type="mesh"` collides: as its convex hull, as in MuJoCo, or triangle by triangle.
enum class MeshShapes { kHulls, kTriangles };

enum class Coordinates { kReduced, kMaximal };

struct LoadOptions {
  bool allow_unsupported = false;  // load anyway, with what changes the physics as warnings in the report
  Coordinates coordinates = Coordinates::kReduced;  // kMaximal: to_maximal of the file's model
  MeshShapes meshes = MeshShapes::kHulls;
};

// Throws Error with file and line for a file that cannot be read or compiled, and with the whole list of issues where
// one changes the physics. The report is filled in either case.
Model load(const std::string& path, const LoadOptions& options = {}, LoadReport* report = nullptr);

}  // namespace stiction
