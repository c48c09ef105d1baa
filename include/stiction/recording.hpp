// Recordings and stored contact problems in HDF5: readable with h5py, replayable bit by bit on the same machine.
#pragma once

#include <memory>

#include <stiction/simulation.hpp>

namespace stiction {

// Writes a simulation step by step: model, options and version once; then state, contacts and report of every step.
class Recorder {
 public:
  // Creates the file (Error if it cannot be written) and stores the model, the options and the current state.
  Recorder(const std::string& path, const Simulation& simulation);
  ~Recorder();  // closes the file; a recording that was not finished is marked as truncated

  void add(const Simulation& simulation);  // after a step
  void finish();                           // writes what is left and marks the file as complete

 private:
  struct File;
  std::unique_ptr<File> file_;
};

// A recording read back. Errors: not a recording, truncated, of another version: each says so and what to do.
class Recording {
 public:
  explicit Recording(const std::string& path);
  ~Recording();

  const std::shared_ptr<const Model>& model() const { return model_; }
  const Options& options() const { return options_; }
  int steps() const { return steps_; }
  const std::string& version() const { return version_; }
  State state(int step) const;  // step 0 is the state before the first step
  Contacts contacts(int step) const;
  StepReport report(int step) const;
  Control control(int step) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
  std::shared_ptr<const Model> model_;
  Options options_;
  std::string version_;
  int steps_ = 0;
};

// Contact problems. A file holds one problem or a group of them; names come in file order.
std::vector<std::string> list_problems(const std::string& path);
ContactProblem read_problem(const std::string& path, const std::string& name);
void write_problem(const std::string& path, const std::string& name, const ContactProblem& problem);

}  // namespace stiction
