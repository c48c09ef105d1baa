// Layout of a recording, shared by its writer and its reader. Steps count from 1; docs/files.md describes the file.
//
//   /                attributes kind, format, version, complete, steps
//   /model           every array of the Model; attributes: its sizes and name; /model/options as loaded
//   /options         options of the simulation
//   /initial         warm-start arrays of the state before the first step
//   /states          time, steps, q, u, activation: row k is the state after step k, row 0 the state before the first;
//                    rest_time, sleep_group, sleep_mark, without columns where sleep_time is 0; step_mark, without
//                    columns with the integrator euler
//   /controls        first_step and the arrays of Control: a row for each change, valid from first_step on
//   /contacts        offset: contacts of step k are the rows offset[k-1] … offset[k]-1; the arrays of Contacts
//   /constraints     the same of Constraints: the rows that are not contacts
//   /reports         a row per step of every scalar of StepReport (row k-1 is step k)
//   /certificates    the same of Certificate
#pragma once

#include "model/integrator.hpp"

#include <stiction/model.hpp>

namespace stiction::detail {

inline constexpr FieldInfo kTimeField{"time", "s", "time"};
inline constexpr FieldInfo kStepsField{"steps", "1", "steps taken so far"};
inline constexpr FieldInfo kFirstStepField{"first_step", "", "first step for which the row holds"};
inline constexpr FieldInfo kOffsetField{"offset", "",
                                        "first contact or row of each step; the last entry is their number"};

// Columns of what states say of sleep.
inline unsigned long long sleep_columns(const Options& options, const Model& model) {
  return options.sleep_time > 0 ? static_cast<unsigned long long>(model.ntree) : 0;
}
// Columns of what states say of the midpoint rule.
inline unsigned long long midpoint_columns(const Options& options, const Model& model) {
  return is_midpoint(options) ? static_cast<unsigned long long>(model.ntree) : 0;
}

}  // namespace stiction::detail
