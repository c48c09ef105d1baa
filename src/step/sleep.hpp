// Sleep: free bodies at rest that cost nothing until something reaches them. Off unless Options::sleep_time > 0.
//
// An island falls asleep when every point of every body in it has been slower than sleep_speed for sleep_time, at both
// ends of each step of that time. Its bodies are then a group. A sleeping body has u⁺ = ũ = 0 and keeps q to the bit;
// it has no weight, no contacts and no rows, because with them it would be where it is. The last of its motion is lost
// in its first step asleep, as step_loss of the energy ledger. Left out is motion slower than
// sleep_speed: what a sleeper misses in the time T is at most sleep_speed · T.
//
// A group wakes as a whole, within the step, when
//   - a contact of one of its bodies enters the problem, which takes something awake, or a body of motion capture
//   - one of them is written to (q, u), or a wrench or generalized force acts on it
//   - the state was handed to a simulation of another model, or with other options (gravity)
// and the step then finds its contacts again. All that held a body up is in its group, so none is left in the air.
// Groups are a function of model, options, state and control: a step taken again from a recorded state sleeps as it
// did.
//
// Only free bodies sleep on which nothing but contacts acts: no joints, springs, dampers, tendons, equalities,
// actuators. Neither does what touches a body that never sleeps, a moving surface or a body of motion capture.
#pragma once

#include <stiction/options.hpp>
#include <stiction/state.hpp>

#include <vector>

namespace stiction {

struct Workspace;

struct Sleep {
  // Constant, of each tree
  std::vector<char> able;     // nothing but contacts acts on it
  std::vector<double> reach;  // [m] of its farthest point from its centre of mass
  // Constant, of the model (fingerprint.hpp)
  std::uint64_t model_mark = 0;

  // Of this step
  std::vector<int> group;             // of each tree, as State::sleep_group
  std::vector<char> stirred;          // 1 for trees that were woken or are acted on: they do not fall asleep
  std::vector<char> shape_asleep;     // 1 for the shapes of sleeping trees
  std::vector<char> restless;         // of each island: 1 if it does not fall asleep
  std::vector<double> free_velocity;  // ũ as if all were awake
  int count = 0;                      // trees asleep
  std::uint64_t circumstances = 0;    // under which they sleep: of model and options
};

// The constants; those of the trees (prepare_trees) go before.
void prepare_sleep(const Model& model, Workspace& workspace);

// Who sleeps at the start of the step: those of the state, less those that were written to or are acted on.
void begin_sleep(const Model& model, const Options& options, const Control& control, const State& state,
                 Workspace& workspace);

// Takes away what would move sleepers, and has collision leave out their pairs. The free velocity goes before.
void hold_sleepers(const Model& model, const Options& options, Workspace& workspace);

// Wakes the groups of which a contact is in the problem, and lets them move; true if there were any: contacts must be
// found again.
bool wake_touched(const Model& model, Workspace& workspace);

// Who sleeps after the step, in `next`, whose q and u are there already.
void end_sleep(const Model& model, const Options& options, const State& state, const Contacts& contacts,
               Workspace& workspace, State& next);

// begin_sleep of a step that was recorded: of those, the ones that its end still has asleep in the same group.
void recall_sleep(const Model& model, const Options& options, const Control& control, const State& state,
                  const State& next, Workspace& workspace);

// Sleepers are where they were, to the bit.
void keep_sleepers(const Model& model, const State& state, const Workspace& workspace, State& next);

}  // namespace stiction
