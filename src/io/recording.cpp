// Reads recordings: see recording_layout.hpp. Rows are read when they are asked for; nothing but the model and the
// options is kept in memory.
#include <fmt/format.h>

#include <algorithm>

#include <stiction/recording.hpp>

#include "dynamics/kinematics.hpp"
#include "io/file_format.hpp"
#include "io/hdf5_series.hpp"
#include "io/recording_layout.hpp"
#include "problem/warm_start.hpp"

namespace stiction {
namespace {

using detail::ArraySeriesReader;
using detail::Group;
using detail::Rows;
using detail::Scalar;
using detail::ScalarSeriesReader;
using detail::SeriesReader;

Group open_recording(const std::string& path) {
  Group root = Group::open_file(path);
  detail::check_format(root, detail::kRecordingKind);
  if (root.read_integer_attribute("complete") != 1)
    throw Error(fmt::format(
        "{}: the recording is truncated: the run that wrote it ended before it was finished; run it again", path));
  return root;
}

// Number of steps; the series must have the lengths that follow from it.
std::int64_t read_steps(const Group& root) {
  const std::int64_t steps = root.read_integer_attribute("steps");
  if (steps < 0 || steps > INT32_MAX) root.fail("@steps", "is not a number of steps");
  return steps;
}

std::shared_ptr<const Model> read_model(const Group& root) {
  const Group group = root.open_group("model");
  auto model = std::make_shared<Model>();
  model->name = group.read_text_attribute("name");
  detail::read_table(group, *model);
  Options::visit(model->options, detail::ReadScalars{group.open_group("options")});
  try {
    check_model(*model);
  } catch (const Error& error) {
    group.fail("", fmt::format("holds a model that cannot be: {}", error.what()));
  }
  return model;
}

Options read_options(const Group& root) {
  const Group group = root.open_group("options");
  Options options;
  Options::visit(options, detail::ReadScalars{group});
  try {
    check_options(options);
  } catch (const Error& error) {
    group.fail("", error.what());
  }
  return options;
}

// A column of integers that is small enough to keep.
std::vector<std::int64_t> read_column(const Group& group, const FieldInfo& field) {
  const detail::Dims dims = group.dims(field.name);
  if (dims.size() != 1) group.fail(field.name, "should have one dimension");
  std::vector<std::int64_t> column(dims[0]);
  group.read(field.name, Scalar::kInt64, dims, column.data());
  if (!std::is_sorted(column.begin(), column.end())) group.fail(field.name, "should ascend: the file is damaged");
  return column;
}

}  // namespace

struct Recording::File {
  hsize_t steps;
  std::vector<std::int64_t> offset, constraints_offset, first_step;
  SeriesReader time, step_number, q, u, activation, rest_time, sleep_group, sleep_mark, step_mark;
  bool sleeps, has_step_marks;
  ArraySeriesReader<Control, Rows::kWide> controls;
  ArraySeriesReader<Contacts, Rows::kRagged> contacts;
  ArraySeriesReader<Constraints, Rows::kRagged> constraints;
  ScalarSeriesReader<StepReport> reports;
  ScalarSeriesReader<Certificate> certificates;
  State initial;
  std::unique_ptr<Workspace> workspace;  // for warm-start arrays; made when they are first asked for

  File(const Group& root, const Model& model, const Options& options)
      : steps(hsize_t(read_steps(root))),
        offset(read_column(root.open_group("contacts"), detail::kOffsetField)),
        constraints_offset(read_column(root.open_group("constraints"), detail::kOffsetField)),
        first_step(read_column(root.open_group("controls"), detail::kFirstStepField)),
        time(root.open_group("states"), "time", Scalar::kDouble, steps + 1, {}),
        step_number(root.open_group("states"), "steps", Scalar::kInt64, steps + 1, {}),
        q(root.open_group("states"), "q", Scalar::kDouble, steps + 1, {hsize_t(model.nq)}),
        u(root.open_group("states"), "u", Scalar::kDouble, steps + 1, {hsize_t(model.nv)}),
        activation(root.open_group("states"), "activation", Scalar::kDouble, steps + 1, {hsize_t(model.nactivation)}),
        rest_time(root.open_group("states"), "rest_time", Scalar::kDouble, steps + 1,
                  {detail::sleep_columns(options, model)}),
        sleep_group(root.open_group("states"), "sleep_group", Scalar::kInt32, steps + 1,
                    {detail::sleep_columns(options, model)}),
        sleep_mark(root.open_group("states"), "sleep_mark", Scalar::kUInt64, steps + 1,
                   {detail::sleep_columns(options, model)}),
        step_mark(root.open_group("states"), "step_mark", Scalar::kUInt64, steps + 1,
                  {detail::midpoint_columns(options, model)}),
        sleeps(options.sleep_time > 0),
        has_step_marks(detail::midpoint_columns(options, model) > 0),
        controls(root.open_group("controls"), first_step.size(), make_control(model)),
        contacts(root.open_group("contacts"), hsize_t(offset.empty() ? 0 : offset.back()), Contacts{}),
        constraints(root.open_group("constraints"), hsize_t(constraints_offset.empty() ? 0 : constraints_offset.back()),
                    Constraints{}),
        reports(root.open_group("reports"), steps),
        certificates(root.open_group("certificates"), steps) {
    if (offset.size() != steps + 1 || offset.front() != 0)
      root.fail("contacts/offset", "does not fit the number of steps: the file is damaged");
    if (constraints_offset.size() != steps + 1 || constraints_offset.front() != 0)
      root.fail("constraints/offset", "does not fit the number of steps: the file is damaged");
    if (steps > 0 && (first_step.empty() || first_step.front() != 1))
      root.fail("controls/first_step", "does not begin with step 1: the file is damaged");
    read_initial(root.open_group("initial"), model);
  }

  // Without the warm-start arrays.
  State read_state(const Model& model, int step) const {
    State state = make_state(model);
    const auto row = hsize_t(step);
    time.read(row, 1, &state.time);
    step_number.read(row, 1, &state.steps);
    q.read(row, 1, state.q.data());
    u.read(row, 1, state.u.data());
    activation.read(row, 1, state.activation.data());
    if (has_step_marks) step_mark.read(row, 1, state.step_mark.data());
    if (!sleeps) return state;
    rest_time.read(row, 1, state.rest_time.data());
    sleep_group.read(row, 1, state.sleep_group.data());
    sleep_mark.read(row, 1, state.sleep_mark.data());
    return state;
  }

  void read_initial(const Group& group, const Model& model) {
    initial = make_state(model);
    detail::ReadSizes{group}({"nwarm", "", ""}, initial.nwarm);
    detail::ReadSizes{group}({"nwarmrow", "", ""}, initial.nwarmrow);
    initial.resize();
    State::visit_arrays(initial, detail::ReadArrays{group});
    time.read(0, 1, &initial.time);
    step_number.read(0, 1, &initial.steps);
  }
};

Recording::Recording(const std::string& path) {
  const Group root = open_recording(path);
  path_ = path;
  version_ = root.read_text_attribute("version");
  model_ = read_model(root);
  options_ = read_options(root);
  file_ = std::make_unique<File>(root, *model_, options_);
  steps_ = int(file_->steps);
}

Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

void Recording::require_step(int step, int first) const {
  if (step < first || step > steps_)
    throw Error(fmt::format("{}: there is no step {}: it holds the steps {} … {}", path_, step, first, steps_));
}

// Positions and velocities are stored; the warm-start arrays of a step follow from its contacts and the poses in which
// they were found, by the same code as in the step.
State Recording::state(int step) const {
  require_step(step, 0);
  if (step == 0) return file_->initial;
  State state = file_->read_state(*model_, step), before = file_->read_state(*model_, step - 1);
  // A step that was refused kept the state before it: look further back for the step that made it.
  while (step > 0 && before.steps == state.steps)
    if (--step > 0) before = file_->read_state(*model_, step - 1);
  if (step == 0) return file_->initial;
  if (!file_->workspace) file_->workspace = std::make_unique<Workspace>(*model_);
  compute_poses(*model_, before.q, *file_->workspace);
  write_warm_start(contacts(step), *file_->workspace, state);
  write_row_warm_start(constraints(step), state);
  return state;
}

Contacts Recording::contacts(int step) const {
  require_step(step, 1);
  const auto row = std::size_t(step);
  Contacts contacts;
  contacts.ncontact = int(file_->offset[row] - file_->offset[row - 1]);
  contacts.resize();
  file_->contacts.read(hsize_t(file_->offset[row - 1]), contacts);
  return contacts;
}

Constraints Recording::constraints(int step) const {
  require_step(step, 1);
  const auto row = std::size_t(step);
  Constraints constraints;
  constraints.nconstraint = int(file_->constraints_offset[row] - file_->constraints_offset[row - 1]);
  constraints.resize();
  file_->constraints.read(hsize_t(file_->constraints_offset[row - 1]), constraints);
  return constraints;
}

StepReport Recording::report(int step) const {
  require_step(step, 1);
  StepReport report;
  file_->reports.read(hsize_t(step - 1), report);
  file_->certificates.read(hsize_t(step - 1), report.certificate);
  return report;
}

Control Recording::control(int step) const {
  require_step(step, 1);
  Control control = make_control(*model_);
  const auto& first = file_->first_step;
  const auto after = std::upper_bound(first.begin(), first.end(), std::int64_t(step));
  file_->controls.read(hsize_t(after - first.begin() - 1), control);
  return control;
}

}  // namespace stiction
