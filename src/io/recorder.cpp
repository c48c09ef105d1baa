// Writes recordings: see recording_layout.hpp. All numbers are stored as they are in memory, so that a replay can be
// compared bit by bit.
#include <fmt/format.h>

#include <cstring>

#include <stiction/recording.hpp>

#include "io/file_format.hpp"
#include "io/hdf5_series.hpp"
#include "io/recording_layout.hpp"

namespace stiction {
namespace {

using detail::ArraySeries;
using detail::Group;
using detail::Rows;
using detail::Scalar;
using detail::ScalarSeries;
using detail::Series;

bool same_bits(const Control& a, const Control& b) {
  std::vector<std::pair<const void*, std::size_t>> parts;
  Control::visit_arrays(a, [&]<class T>(const FieldInfo&, const std::vector<T>& array) {
    parts.emplace_back(array.data(), array.size() * sizeof(T));
  });
  bool same = true;
  std::size_t next = 0;
  Control::visit_arrays(b, [&]<class T>(const FieldInfo&, const std::vector<T>& array) {
    const auto& [data, bytes] = parts[next++];
    same = same && bytes == array.size() * sizeof(T) && (bytes == 0 || std::memcmp(data, array.data(), bytes) == 0);
  });
  return same;
}

void write_model(const Group& root, const Model& model) {
  const Group group = root.create_group("model");
  group.write_attribute("name", model.name);
  detail::write_table(group, model);
  Options::visit(model.options, detail::WriteScalars{group.create_group("options")});
}

}  // namespace

struct Recorder::File {
  Group root, states, controls, contacts_group, constraints_group;
  Series time, steps, q, u, activation, rest_time, sleep_group, sleep_mark, step_mark, first_step, offset,
      constraints_offset;
  ArraySeries<Control, Rows::kWide> control;
  ArraySeries<Contacts, Rows::kRagged> contacts;
  ArraySeries<Constraints, Rows::kRagged> constraints;
  ScalarSeries<StepReport> reports;
  ScalarSeries<Certificate> certificates;
  Control last_control;
  std::int64_t count = 0, contact_count = 0, constraint_count = 0;
  bool finished = false;

  File(const std::string& path, const Simulation& simulation)
      : root(Group::create_file(path)),
        states(root.create_group("states")),
        controls(root.create_group("controls")),
        contacts_group(root.create_group("contacts")),
        constraints_group(root.create_group("constraints")),
        time(states, detail::kTimeField, Scalar::kDouble, {}),
        steps(states, detail::kStepsField, Scalar::kInt64, {}),
        q(states, {"q", "m or rad", "positions, in the order of Model.joint_q"}, Scalar::kDouble,
          {hsize_t(simulation.model().nq)}),
        u(states, {"u", "m/s or rad/s", "velocities, in the order of Model.joint_dof"}, Scalar::kDouble,
          {hsize_t(simulation.model().nv)}),
        activation(states, {"activation", "", "activations, in the order of Model.actuator_activation"},
                   Scalar::kDouble, {hsize_t(simulation.model().nactivation)}),
        rest_time(states, {"rest_time", "s", "as State.rest_time; no columns where none sleeps"}, Scalar::kDouble,
                  {detail::sleep_columns(simulation.options(), simulation.model())}),
        sleep_group(states, {"sleep_group", "", "as State.sleep_group, likewise"}, Scalar::kInt32,
                    {detail::sleep_columns(simulation.options(), simulation.model())}),
        sleep_mark(states, {"sleep_mark", "", "as State.sleep_mark, likewise"}, Scalar::kUInt64,
                   {detail::sleep_columns(simulation.options(), simulation.model())}),
        step_mark(states, {"step_mark", "", "as State.step_mark; no columns with the integrator euler"},
                  Scalar::kUInt64, {detail::midpoint_columns(simulation.options(), simulation.model())}),
        first_step(controls, detail::kFirstStepField, Scalar::kInt64, {}),
        offset(contacts_group, detail::kOffsetField, Scalar::kInt64, {}),
        constraints_offset(constraints_group, detail::kOffsetField, Scalar::kInt64, {}),
        control(controls, simulation.control()),
        contacts(contacts_group, Contacts{}),
        constraints(constraints_group, Constraints{}),
        reports(root.create_group("reports")),
        certificates(root.create_group("certificates")) {}

  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (finished) return;
    try {
      flush();
    } catch (const std::exception&) {  // the file stays marked as not complete
    }
  }

  void add_state(const State& state) {
    time.append(&state.time);
    steps.append(&state.steps);
    q.append(state.q.data());
    u.append(state.u.data());
    activation.append(state.activation.data());
    rest_time.append(state.rest_time.data());
    sleep_group.append(state.sleep_group.data());
    sleep_mark.append(state.sleep_mark.data());
    step_mark.append(state.step_mark.data());
  }

  void flush() {
    for (Series* series : {&time, &steps, &q, &u, &activation, &rest_time, &sleep_group, &sleep_mark, &step_mark,
                           &first_step, &offset, &constraints_offset})
      series->flush();
    control.flush();
    contacts.flush();
    constraints.flush();
    reports.flush();
    certificates.flush();
    root.write_attribute("steps", count);
  }
};

Recorder::Recorder(const std::string& path, const Simulation& simulation)
    : file_(std::make_unique<File>(path, simulation)) {
  File& file = *file_;
  detail::write_format(file.root, detail::kRecordingKind);
  file.root.write_attribute("complete", std::int64_t(0));
  write_model(file.root, simulation.model());
  Options::visit(simulation.options(), detail::WriteScalars{file.root.create_group("options")});
  const State& state = simulation.state();
  const Group initial = file.root.create_group("initial");
  initial.write_attribute("nwarm", std::int64_t(state.nwarm));
  initial.write_attribute("nwarmrow", std::int64_t(state.nwarmrow));
  State::visit_arrays(state, detail::WriteArrays{initial});
  file.add_state(state);
  file.offset.append(&file.contact_count);
  file.constraints_offset.append(&file.constraint_count);
  // From here on a reader of the file, whatever happens to this program, sees that it is not complete.
  file.root.flush();
}

Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

void Recorder::add(const Simulation& simulation) {
  File& file = *file_;
  if (file.finished) throw Error(fmt::format("{}: the recording is finished, no step can be added", file.root.file()));
  ++file.count;
  if (file.count == 1 || !same_bits(file.last_control, simulation.control())) {
    file.last_control = simulation.control();
    file.first_step.append(&file.count);
    file.control.append(file.last_control);
  }
  file.add_state(simulation.state());
  file.contact_count += simulation.contacts().ncontact;
  file.offset.append(&file.contact_count);
  file.contacts.append(simulation.contacts());
  file.constraint_count += simulation.constraints().nconstraint;
  file.constraints_offset.append(&file.constraint_count);
  file.constraints.append(simulation.constraints());
  file.reports.append(simulation.report());
  file.certificates.append(simulation.report().certificate);
}

void Recorder::finish() {
  if (file_->finished) return;
  file_->flush();
  file_->root.write_attribute("complete", std::int64_t(1));
  file_->root.flush();
  file_->finished = true;
}

}  // namespace stiction
