// Recordings and stored contact problems in HDF5: readable with h5py, replayable bit by bit on the same machine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <stiction/simulation.hpp>

namespace stiction {

// Writes a simulation step by step: model, options and version once; then state, contacts and report of every step.
class Recorder {
 public:
  // Creates the file (Error if it cannot be written) and stores the model, the options and the current state.
  Recorder(const std::string& path, const Simulation& simulation);
  ~Recorder();  // closes the file; a recording that was not finished is marked as truncated
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  void add(const Simulation& simulation);  // after a step
  void finish();                           // writes what is left and marks the file as complete

 private:
  struct File;
  std::unique_ptr<File> file_;
};

// A recording read back. Errors: not a recording, truncated, of another version: each says so and what to do.
// Steps count from 1: step k leads from state(k - 1) to state(k).
class Recording {
 public:
  explicit Recording(const std::string& path);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  const std::string& path() const { return path_; }
  const std::shared_ptr<const Model>& model() const { return model_; }
  const Options& options() const { return options_; }
  int steps() const { return steps_; }
  const std::string& version() const { return version_; }  // of the program that wrote it
  // The state after the step, with all that a simulation needs to go on from there; 0: before the first step.
  State state(int step) const;
  Contacts contacts(int step) const;
  Constraints constraints(int step) const;
  StepReport report(int step) const;
  Control control(int step) const;  // what acted during the step

 private:
  struct File;
  void require_step(int step, int first) const;

  std::unique_ptr<File> file_;
  std::string path_;
  std::shared_ptr<const Model> model_;
  Options options_;
  std::string version_;
  int steps_ = 0;
};

// Called now and then with the number of steps done; false stops.
using Progress = std::function<bool(int)>;

// A second look at a recording: every step is computed again from its start state, control, contact forces and end
// state by code that knows no solver. Nothing is taken from the recorded certificates; they are only compared.
struct RecordingCheck {
  int steps = 0;        // steps looked at
  Certificate largest;  // recomputed: each residual and length the largest over the steps; worst_block of worst_step
  int worst_step = 0;   // step of the largest residual
  double contact_mismatch = 0;        // recorded contacts against the geometry [m]; ∞ if they are others
  double state_mismatch = 0;          // recorded end states against where the forces lead [m/s]
  double certificate_mismatch = 0;    // recorded relative residuals against the recomputed ones [1]
  std::vector<std::string> findings;  // one line for each step that does not hold, with its number; empty: all is well
};
RecordingCheck check_recording(const Recording& recording, const Progress& progress = {});

// Simulates a recording again from its initial state with its options and controls.
struct Replay {
  int steps = 0;           // steps compared
  std::string difference;  // the first difference in words; empty if all states are the same bit by bit
};
Replay replay_recording(const Recording& recording, const Progress& progress = {});

// Contact problems. A file holds one or more; names come in file order. Read are our own files, the reduced format,
// FCLIB's HDF5 and text files of frictional contact problems (docs/files.md), told apart by their content. A problem
// may come with the start that its step had. Writing a problem replaces one of the same name.
struct ProblemStart {
  std::vector<double> lambda;  // warm-start multipliers, one for each row; empty: none [N]
  std::vector<double> u;       // velocity at the start of the step, to which they belong; empty: not known [m/s, rad/s]
  std::vector<double> push_out;  // factors on push-out, one for each block; empty: in full
};
std::vector<std::string> list_problems(const std::string& path);
ContactProblem read_problem(const std::string& path, const std::string& name);
ProblemStart read_problem_start(const std::string& path, const std::string& name);
void write_problem(const std::string& path, const std::string& name, const ContactProblem& problem,
                   const ProblemStart& start = {});
// A problem in FCLIB's format, the only one of its file, with impulses h λ: local (W, q) or global (M, H, f, w). Error
// if it has a law that the format has not: a bounded box, torsion, rolling.
enum class FclibForm { kLocal, kGlobal };
void write_fclib_problem(const std::string& path, const ContactProblem& problem, FclibForm form);
// The problem and the start of the simulation's last step, which began in the state `before`.
void write_step_problem(const std::string& path, const std::string& name, const Simulation& simulation,
                        const State& before);

}  // namespace stiction
