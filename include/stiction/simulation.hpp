// One world in motion: model, state, control in; contacts and a certified report out.
#pragma once

#include <memory>

#include <stiction/report.hpp>
#include <stiction/state.hpp>

namespace stiction {

struct Workspace;

class Simulation {
 public:
  // Throws Error if the model holds something that step cannot simulate yet, or an option is out of range.
  explicit Simulation(const std::shared_ptr<const Model>& model);
  Simulation(std::shared_ptr<const Model> model, const Options& options);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  // One time step. Never throws: a bad step sets status bits and keeps the last good state.
  const StepReport& step();

  const Model& model() const { return *model_; }
  const Options& options() const { return options_; }
  State& state() { return state_; }
  const State& state() const { return state_; }
  Control& control() { return control_; }
  const Control& control() const { return control_; }
  const Contacts& contacts() const { return contacts_; }
  const Constraints& constraints() const { return constraints_; }
  const StepReport& report() const { return report_; }
  // The contact problem of the last step and its solution.
  const ContactProblem& problem() const;
  const Solution& solution() const;
  // Pose of a body frame in the world for the current state.
  Transform body_pose(int body) const;
  // Pose of every shape in the world for the current state. Valid until the next call or step.
  const std::vector<Transform>& shape_poses() const;
  // All sensors at the current state, Model::nsensordata numbers; contact forces and accelerations are those of the
  // last step. Valid until the next call.
  const std::vector<double>& sensor_data() const;
  // The numbers of one sensor of them; throws Error if there is none of that name.
  std::vector<double> sensor(const std::string& name) const;
  // Forces on the degrees of freedom at the current state and control [N or N m]: those of springs, dampers, fluid and
  // carried weight, and those of actuators. Valid until the next call or step.
  const std::vector<double>& passive_force() const;
  const std::vector<double>& actuator_joint_force() const;

  // Back to the reference configuration, or to a keyframe.
  void reset();
  void reset(const std::string& key);

  // The last step in words: which status bits, which contact (by the names of its bodies) or constraint, what to do.
  std::string describe() const;

 private:
  std::shared_ptr<const Model> model_;
  Options options_;
  State state_;
  Control control_;
  Contacts contacts_;
  Constraints constraints_;
  StepReport report_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace stiction
