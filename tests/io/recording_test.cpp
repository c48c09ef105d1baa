// Recordings: everything that a simulation was comes back bit by bit; a simulation goes on from any recorded state as
// it did; a file that is truncated, of another version, damaged or changed afterwards is found out.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include <stiction/stiction.hpp>

#include "io/file_format.hpp"
#include "io/hdf5_fields.hpp"
#include "io/same_bits.hpp"

namespace stiction {
namespace {

using detail::Group;
using test::error_of;

constexpr int kSteps = 300;

std::shared_ptr<const Model> make_model() {
  Builder builder("crate and ball");
  builder.options.timestep = 0.002;
  ShapeSettings surface;
  surface.friction = {0.5, 0, 0};
  builder.add_shape_plane(0, {}, surface);
  const int crate = builder.add_body("crate é", {{0, 0, 0.11}, {}});
  builder.add_joint_free(crate);
  builder.add_shape_box(crate, {0.1, 0.2, 0.1}, {}, surface);
  const int ball = builder.add_body("ball", {{1, 0, 0.15}, {}});
  builder.add_joint_free(ball);
  builder.add_shape_sphere(ball, 0.1, {}, surface);
  return std::make_shared<const Model>(builder.build());
}

// What a recording must give back.
struct History {
  std::vector<State> states;
  std::vector<Contacts> contacts;
  std::vector<Control> controls;
  std::vector<StepReport> reports;
};

// A push that changes a few times.
void set_control(int step, Control& control) {
  control.wrench[1].linear = {step < 50 ? 0.0 : 90.0, step < 120 ? 0.0 : 0.1 * step, 0};
}

class RecordingTest : public test::FileTest {
 protected:
  // Writes a run of kSteps steps to a.h5.
  History record() const {
    Simulation simulation(make_model());
    simulation.state().u = {1, 0.2, 0, 0, 0, 3, 2, 0, 0, 0, 0, 0};
    Recorder recorder(file("a.h5"), simulation);
    History history;
    history.states.push_back(simulation.state());
    for (int step = 1; step <= kSteps; ++step) {
      set_control(step, simulation.control());
      simulation.step();
      recorder.add(simulation);
      history.states.push_back(simulation.state());
      history.contacts.push_back(simulation.contacts());
      history.controls.push_back(simulation.control());
      history.reports.push_back(simulation.report());
    }
    recorder.finish();
    return history;
  }

  // Rewrites one number of a dataset of a.h5 by f.
  template <class F>
  void change(const std::string& group_name, const std::string& dataset, std::size_t entry, F f) const {
    const Group group = Group::open_file(file("a.h5"), true).open_group(group_name);
    const detail::Dims dims = group.dims(dataset);
    std::size_t size = 1;
    for (hsize_t n : dims) size *= n;
    std::vector<double> values(size);
    group.read(dataset, detail::Scalar::kDouble, dims, values.data());
    ASSERT_LT(entry, size);
    values[entry] = f(values[entry]);
    const detail::Handle handle = group.open_dataset(dataset, detail::Scalar::kDouble, dims);
    ASSERT_GE(H5Dwrite(handle.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }

  std::string open_error() const {
    return error_of([&] { Recording recording(file("a.h5")); });
  }
};

TEST_F(RecordingTest, everything_comes_back_bit_by_bit) {
  const History history = record();
  const Recording recording(file("a.h5"));
  EXPECT_EQ(recording.steps(), kSteps);
  EXPECT_EQ(recording.version(), kVersion);
  EXPECT_EQ(recording.model()->name, "crate and ball");
  test::expect_same_bits(*make_model(), *recording.model());
  Options in_force = make_model()->options;
  in_force.integrator = "midpoint";  // what auto is for free bodies
  test::expect_same_bits(in_force, recording.options());
  std::size_t contacts = 0;
  for (int step = 0; step <= kSteps; ++step) {
    const State& wanted = history.states[std::size_t(step)];
    const State read = recording.state(step);
    EXPECT_EQ(wanted.time, read.time);
    EXPECT_EQ(wanted.steps, read.steps);
    test::expect_same_bits(wanted, read);  // the warm-start arrays too
    if (step == 0) continue;
    const auto row = std::size_t(step - 1);
    test::expect_same_bits(history.contacts[row], recording.contacts(step));
    test::expect_same_bits(history.controls[row], recording.control(step));
    test::expect_same_bits(history.reports[row], recording.report(step));
    test::expect_same_bits(history.reports[row].certificate, recording.report(step).certificate);
    contacts += history.contacts[row].key.size();
    if (HasFailure()) FAIL() << "at step " << step;
  }
  EXPECT_GT(contacts, std::size_t(kSteps));  // the crate rests on four corners most of the time
}

TEST_F(RecordingTest, a_simulation_goes_on_from_a_recorded_state_with_the_same_bits) {
  const History history = record();
  const Recording recording(file("a.h5"));
  Simulation simulation(recording.model(), recording.options());
  simulation.state() = recording.state(200);
  for (int step = 201; step <= kSteps; ++step) {
    simulation.control() = recording.control(step);
    simulation.step();
  }
  test::expect_same_bits(history.states.back(), simulation.state());
}

TEST_F(RecordingTest, unchanged_controls_are_stored_once) {
  record();
  const Group controls = Group::open_file(file("a.h5")).open_group("controls");
  // Steps 1, 50, and every step from 120 on.
  EXPECT_EQ(controls.dims("first_step"), (detail::Dims{2 + kSteps - 119}));
}

TEST_F(RecordingTest, a_refused_step_is_recorded_with_the_state_that_was_kept) {
  Simulation simulation(make_model());
  State kept;
  {
    Recorder recorder(file("a.h5"), simulation);
    for (int step = 1; step <= 120; ++step) {
      if (step == 119) simulation.control().wrench[1].linear.x = NAN;
      simulation.step();
      recorder.add(simulation);
      if (step == 118) kept = simulation.state();
    }
    recorder.finish();
  }
  const Recording recording(file("a.h5"));
  EXPECT_TRUE(recording.report(118).ok());
  EXPECT_TRUE(recording.report(119).status & kStatusNonFinite);
  EXPECT_EQ(recording.contacts(119).ncontact, 0);
  test::expect_same_bits(kept, recording.state(119));
  test::expect_same_bits(kept, recording.state(120));
  EXPECT_TRUE(std::isnan(recording.control(120).wrench[1].linear.x));
}

TEST_F(RecordingTest, a_recording_that_was_not_finished_is_refused_as_truncated) {
  {
    Simulation simulation(make_model());
    Recorder recorder(file("a.h5"), simulation);
    simulation.step();
    recorder.add(simulation);
  }
  EXPECT_NE(open_error().find("the recording is truncated"), std::string::npos) << open_error();
}

TEST_F(RecordingTest, bad_files_say_what_is_wrong) {
  EXPECT_NE(open_error().find("no such file"), std::string::npos) << open_error();
  std::ofstream(file("a.h5")) << "text";
  EXPECT_NE(open_error().find("is not an HDF5 file"), std::string::npos) << open_error();
  std::filesystem::remove(file("a.h5"));
  Group::create_file(file("a.h5"));
  EXPECT_NE(open_error().find("not of the kind 'stiction recording'"), std::string::npos) << open_error();

  record();
  std::filesystem::resize_file(file("a.h5"), std::filesystem::file_size(file("a.h5")) * 3 / 4);
  EXPECT_NE(open_error().find("truncated or damaged"), std::string::npos) << open_error();

  record();
  Group::open_file(file("a.h5"), true).write_attribute("format", std::int64_t(detail::kRecordingKind.format + 1));
  const std::string ours = "format number " + std::to_string(detail::kRecordingKind.format);
  EXPECT_NE(open_error().find("format number " + std::to_string(detail::kRecordingKind.format + 1)), std::string::npos);
  EXPECT_NE(open_error().find("reads " + ours), std::string::npos) << open_error();

  record();
  Group::open_file(file("a.h5"), true).open_group("model").remove("body_mass");
  EXPECT_NE(open_error().find("'/model/body_mass' is missing"), std::string::npos) << open_error();

  record();
  Group::open_file(file("a.h5"), true).write_attribute("steps", std::int64_t(kSteps + 1));
  EXPECT_NE(open_error().find("has the shape"), std::string::npos) << open_error();

  record();
  change("model", "body_mass", 1, [](double) { return -1.0; });
  EXPECT_NE(open_error().find("crate é"), std::string::npos) << open_error();
}

TEST_F(RecordingTest, steps_outside_the_recording_are_refused) {
  record();
  const Recording recording(file("a.h5"));
  EXPECT_NE(error_of([&] { recording.contacts(0); }).find("no step 0"), std::string::npos);
  EXPECT_NE(error_of([&] { recording.state(kSteps + 1); }).find("no step 301"), std::string::npos);
}

TEST_F(RecordingTest, check_recomputes_the_recorded_certificates) {
  const History history = record();
  Certificate largest;
  for (const StepReport& report : history.reports) raise_to(report.certificate, largest);
  const RecordingCheck check = check_recording(Recording(file("a.h5")));
  EXPECT_TRUE(check.findings.empty()) << check.findings.front();
  EXPECT_EQ(check.steps, kSteps);
  EXPECT_EQ(check.contact_mismatch, 0);
  // u⁺ is rebuilt from forces in the world frame: rounding of velocities of about 1 m/s.
  EXPECT_LT(check.state_mismatch, 1e-13);
  EXPECT_LT(check.certificate_mismatch, 1e-12);
  EXPECT_NEAR(check.largest.dissipation, largest.dissipation, 1e-12);
  EXPECT_GT(check.largest.dissipation_velocity, 0);
}

// Each change of one number is seen at the step where it was made.
TEST_F(RecordingTest, check_finds_a_changed_file) {
  const History history = record();
  std::size_t row = 0;  // first contact of the last step
  for (const Contacts& contacts : history.contacts) row += contacts.key.size();
  row -= history.contacts.back().key.size();
  ASSERT_GT(history.contacts.back().force[0].z, 1.0);
  const auto findings = [&] { return check_recording(Recording(file("a.h5"))).findings; };
  const std::string last = "step " + std::to_string(kSteps) + ":";

  change("contacts", "force", 3 * row + 2, [](double f) { return f * (1 + 1e-5); });
  std::vector<std::string> found = findings();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().substr(0, last.size()), last);

  record();
  change("states", "u", 12 * std::size_t(kSteps), [](double u) { return u + 1e-7; });
  found = findings();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().substr(0, last.size()), last);

  record();
  change("states", "q", 14 * 150 + 2, [](double z) { return z + 1e-6; });
  found = findings();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().substr(0, 9), "step 150:");

  record();
  change("contacts", "gap", row, [](double gap) { return gap + 1e-6; });
  EXPECT_FALSE(findings().empty());

  record();
  change("certificates", "dissipation", kSteps - 1, [](double) { return 1e-9; });
  found = findings();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found.front().find("recorded certificate"), std::string::npos);

  record();
  change("contacts", "friction", row, [](double mu) { return 2 * mu; });
  EXPECT_FALSE(findings().empty());
}

TEST_F(RecordingTest, replay_gives_the_same_bits) {
  record();
  const Replay replay = replay_recording(Recording(file("a.h5")));
  EXPECT_EQ(replay.difference, "");
  EXPECT_EQ(replay.steps, kSteps);
}

TEST_F(RecordingTest, replay_names_the_first_difference) {
  record();
  change("states", "q", 14 * 100, [](double x) { return std::nextafter(x, 10); });
  const Replay replay = replay_recording(Recording(file("a.h5")));
  EXPECT_EQ(replay.steps, 100);
  EXPECT_NE(replay.difference.find("step 100: position, entry 0 of joint"), std::string::npos) << replay.difference;
  EXPECT_NE(replay.difference.find("crate é"), std::string::npos) << replay.difference;
}

TEST_F(RecordingTest, an_exported_step_repeats_the_solve_of_the_step) {
  Simulation simulation(make_model());
  State before;
  for (int step = 1; step <= 100; ++step) {
    before = simulation.state();
    simulation.step();
  }
  ASSERT_GT(simulation.report().warm_matched, 0);
  write_step_problem(file("p.h5"), "step_100", simulation, before);
  const ContactProblem problem = read_problem(file("p.h5"), "step_100");
  test::expect_same_bits(simulation.problem(), problem);
  Solution solution = simulation.solution();
  solution.lambda = read_problem_start(file("p.h5"), "step_100").lambda;
  const SolveStats stats = solve(problem, simulation.options().solver, {}, solution);
  EXPECT_EQ(stats.factorisations, simulation.report().factorisations);
  test::expect_same_bits(simulation.solution(), solution);
}

}  // namespace
}  // namespace stiction
