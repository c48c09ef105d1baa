#include <stiction/simulation.hpp>

#include "collide/facets.hpp"
#include "dynamics/kinematics.hpp"
#include "dynamics/sensors.hpp"
#include "model/contact_model.hpp"
#include "model/integrator.hpp"
#include "model/supported.hpp"
#include "problem/assemble.hpp"
#include "solvers/compliant_contacts.hpp"
#include "solvers/facet_contacts.hpp"
#include "step/check_start.hpp"
#include "step/step.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stiction {
namespace {

void require_supported(const Model& model) {
  const std::vector<std::string> missing = unsupported_by_step(model);
  if (missing.empty()) return;
  std::string text = fmt::format("model '{}' holds what this version cannot simulate:", model.name);
  for (const std::string& line : missing) text += "\n  " + line;
  throw Error(text);
}

// The island of a body in words, as StepReport counts them; empty where no row touches it.
std::string island_of_body(const Model& model, const ContactProblem& problem, int body) {
  const int tree = model.body_tree[std::size_t(body)];
  if (tree < 0) return {};
  const int dof = model.tree_dof[std::size_t(tree)];
  const auto after = std::upper_bound(problem.tree_dof.begin(), problem.tree_dof.end(), dof);
  const int island = problem.tree_island[std::size_t(after - problem.tree_dof.begin() - 1)];
  if (island < 0) return {};
  const auto i = std::size_t(island);
  const std::vector<int>&trees = problem.island_tree, &blocks = problem.island_block;
  return fmt::format(" in island {} of {} (trees: {}, blocks of rows: {})", island, problem.nisland,
                     trees[i + 1] - trees[i], blocks[i + 1] - blocks[i]);
}

std::string cut_short_in_words(const Model& model, const StepReport& report) {
  const auto shape = [&](int index) {
    const auto i = std::size_t(index);
    return fmt::format("shape '{}' of body '{}'", model.shape_name[i],
                       model.body_name[std::size_t(model.shape_body[i])]);
  };
  return fmt::format(
      "; searches for the closest points of shapes ended by their bound on iterations (pairs: {}), the best that they "
      "found was kept; the first is {} with {}: make the longest and the shortest size of these less different",
      report.cut_short_pairs, shape(report.cut_short_shape_a), shape(report.cut_short_shape_b));
}

}  // namespace

Workspace::Workspace(const Model& model)
    : plan(make_tree_plan(model)),
      tree_memory(plan),
      trial_memory(plan),
      links(tree_memory.data()),
      trial_links(trial_memory.data()),
      nv(model.nv),
      nbody(model.nbody),
      ntree(model.ntree),
      nshape(model.nshape),
      nmass(plan.nentry()),
      mechanism(model),
      held(model),
      mocap_pose(make_control(model).mocap_pose),
      sensor_data(std::size_t(model.nsensordata)),
      collider(model) {
  STICTION_WORKSPACE_ARRAYS(STICTION_RESIZE_ARRAY)
  prepare_trees(model, *this);
  prepare_sleep(model, *this);
  prepare_problem(model, *this);
  stiff.prepare(*this);
  smooth.prepare(model, *this);
  next = last_good = make_state(model);
}

Simulation::Simulation(const std::shared_ptr<const Model>& model) : Simulation(model, model->options) {}

Simulation::Simulation(std::shared_ptr<const Model> model, const Options& options)
    : model_(std::move(model)), options_(options) {
  check_options(options_);
  options_.integrator = detail::chosen_integrator(*model_, options_);
  check_model(*model_);
  require_supported(*model_);
  if (detail::contact_model(options_) == detail::ContactModel::kNonconvex) check_facets(*model_);
  const SolverEntry& solver = *find_solver(options_.solver);
  state_ = make_state(*model_);
  control_ = make_control(*model_);
  workspace_ = std::make_unique<Workspace>(*model_);
  workspace_->solver = &solver;
  check_start(*model_, options_, *workspace_);
  compute_poses(*model_, state_.q, *workspace_);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const StepReport& Simulation::step() {
  stiction::step(*model_, options_, control_, state_, contacts_, constraints_, *workspace_, report_);
  return report_;
}

const ContactProblem& Simulation::problem() const {
  return workspace_->problem;
}
const Solution& Simulation::solution() const {
  return workspace_->solution;
}

Transform Simulation::body_pose(int body) const {
  if (body < 0 || body >= model_->nbody) throw Error(fmt::format("there is no body {} of {}", body, model_->nbody));
  workspace_->mocap_pose = control_.mocap_pose;
  compute_poses(*model_, state_.q, *workspace_);
  return workspace_->body_pose[std::size_t(body)];
}

const std::vector<Transform>& Simulation::shape_poses() const {
  workspace_->mocap_pose = control_.mocap_pose;
  compute_poses(*model_, state_.q, *workspace_);
  return workspace_->shape_pose;
}

const std::vector<double>& Simulation::sensor_data() const {
  Workspace& w = *workspace_;
  compute_sensors(*model_, options_, {state_, control_, contacts_, constraints_, w.acceleration}, w, w.sensor_data);
  return w.sensor_data;
}

const std::vector<double>& Simulation::passive_force() const {
  compute_mechanism(*model_, options_, control_, state_, *workspace_);
  return workspace_->mechanism.passive_force;
}

const std::vector<double>& Simulation::actuator_joint_force() const {
  compute_mechanism(*model_, options_, control_, state_, *workspace_);
  return workspace_->mechanism.actuator_joint_force;
}

std::vector<double> Simulation::sensor(const std::string& name) const {
  const auto s = std::size_t(model_->sensor(name));
  const std::vector<double>& all = sensor_data();
  return {all.begin() + model_->sensor_data[s], all.begin() + model_->sensor_data[s + 1]};
}

void Simulation::reset() {
  const State start = make_state(*model_);
  state_ = start;
  workspace_->last_good = start;
  contacts_.ncontact = constraints_.nconstraint = 0;
  contacts_.resize();
  constraints_.resize();
  report_ = {};
}

void Simulation::reset(const std::string& key) {
  const State start = make_state(*model_, key);
  reset();
  state_ = start;
  workspace_->last_good = start;
  const Control control = make_control(*model_, key);
  std::copy(control.input.begin(), control.input.end(), control_.input.begin());
  std::copy(control.mocap_pose.begin(), control.mocap_pose.end(), control_.mocap_pose.begin());
}

std::string Simulation::describe() const {
  const Certificate& c = report_.certificate;
  // A refused step left the state before it.
  const bool refused = (report_.status & (kStatusNonFinite | kStatusSingularInertia)) != 0;
  std::string text = refused ? fmt::format("step {} (from t = {:.6g} s): ", state_.steps + 1, state_.time)
                             : fmt::format("step {} (t = {:.6g} s): ", state_.steps, state_.time);
  const auto bad_body = [&] {
    return report_.bad_body >= 0 ? model_->body_name[std::size_t(report_.bad_body)] : std::string("?");
  };
  if (report_.status & kStatusNonFinite)
    return text + fmt::format(
                      "a non-finite position, velocity or input at body '{}' was caught and the last good state kept; "
                      "check the "
                      "controls and applied forces of that body, or take a smaller time step",
                      bad_body());
  if (report_.status & kStatusSingularInertia)
    return text + fmt::format("the inertia of body '{}' is not positive definite; check its mass", bad_body());
  text += fmt::format("{} contacts, {} other rows, residual {:.2e} (tolerance {:.0e})", report_.contacts,
                      report_.constraints, c.residual(), options_.tolerance);
  if (c.worst_block >= 0 && c.worst_block < contacts_.ncontact) {
    const auto i = std::size_t(c.worst_block);
    text += fmt::format(", worst contact {} between '{}' and '{}'", c.worst_block,
                        model_->body_name[std::size_t(contacts_.body_a[i])],
                        model_->body_name[std::size_t(contacts_.body_b[i])]);
    const std::string island = island_of_body(*model_, problem(), contacts_.body_a[i]);
    text += island.empty() ? island_of_body(*model_, problem(), contacts_.body_b[i]) : island;
  } else if (const int r = c.worst_block - contacts_.ncontact; c.worst_block >= 0 && r < constraints_.nconstraint) {
    text +=
        ", worst: " + constraint_name(*model_, constraints_.kind[std::size_t(r)], constraints_.element[std::size_t(r)]);
  }
  if (report_.status & kStatusToleranceMissed) text += "; the tolerance was missed, the best iterate was kept";
  int facets = 0, springs = 0;  // unknowns and rows of the largest islands
  for (int island = 0; island < problem().nisland; ++island) {
    facets = std::max(facets, facet_unknowns(problem(), island));
    springs = std::max(springs, compliant_rows(problem(), island));
  }
  const auto too_large = [&](int size, int most, const char* what) {
    if (size > most)
      text += fmt::format(
          "; {} cannot hold so much in one island: its problem would have {} {}, {} are taken: use fewer bodies that "
          "touch each other, or another contact model",
          options_.contact_model, size, what, most);
  };
  too_large(facets, kMostFacetUnknowns, "unknowns");
  too_large(springs, kMostCompliantRows, "rows");
  if (report_.status & kStatusPushOutReduced)
    text +=
        fmt::format("; no solution with all push-out was found, that of {} contacts was reduced", c.push_out_reduced);
  if (report_.status & kStatusSearchCutShort) text += cut_short_in_words(*model_, report_);
  return text;
}

}  // namespace stiction
