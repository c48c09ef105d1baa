// Sensors against MuJoCo at random states with MuJoCo's accelerations; touch at a known contact force.
#include <gtest/gtest.h>

#include <stiction/load.hpp>
#include <stiction/simulation.hpp>

#include "dynamics/sensors.hpp"
#include "step/workspace.hpp"
#include "support/mujoco_state.hpp"
#include "support/shared_data.hpp"
#include "support/xml_file.hpp"

namespace stiction {
namespace {

using test::Difference;
using test::Random;

// Every kind of frame, joint and actuator, no contact and no constraint.
const std::string kScene =
    R"(<option gravity="1 2 -9"><flag contact="disable"/></option><worldbody><site name="w" pos="1 2 3" euler="10 20 30"/>
  <geom name="rock" size=".3" pos="1 2 3"/><body name="still" pos="1 1 1"><geom size=".2" pos="0 .2 .1"/></body>
  <body name="base" pos="0 0 1"><freejoint name="f"/><geom size=".2" pos=".1 .05 .02"/>
    <site name="s" pos=".1 .2 .3" euler="5 6 7"/>
    <body name="arm" pos=".5 0 0"><joint name="b" type="ball" stiffness="3" damping=".2"/>
      <geom name="g" type="box" size=".1 .2 .3" pos=".2 .1 0" euler="3 40 5"/>
      <body name="plate" pos=".1 .2 .3" euler="30 10 20"><geom type="box" size=".05 .1 .2" pos=".1 .2 .05"/>
        <site name="p" pos=".1 0 .1" euler="40 5 6"/></body>
      <body name="hand" pos=".5 0 0" euler="9 8 7"><joint name="h" axis="1 2 3" damping="3" stiffness="2" pos=".1 0 .1"/>
        <joint name="l" type="slide" axis="0 1 1" stiffness="5"/>
        <geom size=".1" pos=".1 .1 0"/><site name="c" pos=".1 .3 .1" euler="50 6 7"/></body></body></body></worldbody>
  <tendon><fixed name="x" stiffness="3" springlength=".1 .2"><joint joint="h" coef="2"/><joint joint="l"
    coef="-1"/></fixed><spatial name="y"><site site="w"/><site site="s"/><site site="c"/></spatial></tendon>
  <actuator><motor name="m" joint="h" gear="3"/><position name="t" tendon="y" kp="3"/></actuator>)";

std::string sensors() {
  std::string text;
  const auto add = [&](const std::string& element) { text += "<" + element + "/>\n"; };
  for (const char* kind : {"jointpos", "jointvel", "jointactuatorfrc"}) add(std::string(kind) + " joint=\"h\"");
  for (const char* kind : {"tendonpos", "tendonvel", "tendonactuatorfrc"}) add(std::string(kind) + " tendon=\"y\"");
  for (const char* kind : {"actuatorpos", "actuatorvel", "actuatorfrc"}) add(std::string(kind) + " actuator=\"t\"");
  add("actuatorfrc actuator=\"m\"");
  add("ballquat joint=\"b\"");
  add("ballangvel joint=\"b\"");
  for (const char* site : {"s", "c", "p", "w"})
    for (const char* kind : {"gyro", "velocimeter", "accelerometer"}) add(std::string(kind) + " site=\"" + site + "\"");
  for (const char* site : {"s", "c", "p"})
    for (const char* kind : {"force", "torque"}) add(std::string(kind) + " site=\"" + site + "\"");
  for (const char* object :
       {"objtype=\"body\" objname=\"arm\"", "objtype=\"xbody\" objname=\"hand\"", "objtype=\"geom\" objname=\"g\"",
        "objtype=\"site\" objname=\"p\"", "objtype=\"geom\" objname=\"rock\""}) {
    for (const char* kind :
         {"framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel"})
      for (const char* reference : {"", "reftype=\"site\" refname=\"c\"", "reftype=\"body\" refname=\"base\""})
        add(std::string(kind) + " " + object + " " + reference);
    for (const char* kind : {"framelinacc", "frameangacc"}) add(std::string(kind) + " " + object);
  }
  for (const char* body : {"base", "arm", "plate", "world"})
    for (const char* kind : {"subtreecom", "subtreelinvel", "subtreeangmom"})
      add(std::string(kind) + " body=\"" + body + "\"");
  add("jointvel joint=\"l\" cutoff=\".3\"");
  for (const char* kind : {"clock", "e_potential", "e_kinetic"}) add(kind);
  return "<sensor>" + text + "</sensor>";
}

TEST(sensors_mujoco, all_kinds_agree) {
  const std::string path = test::mjcf(kScene + sensors());
  const auto m = test::mujoco_model(path);
  ASSERT_TRUE(m);
  const std::unique_ptr<mjData, void (*)(mjData*)> d(mj_makeData(m.get()), mj_deleteData);
  LoadReport report;
  const Model model = load(path, {}, &report);
  EXPECT_TRUE(report.issues.empty()) << report.text();
  ASSERT_EQ(model.nsensor, m->nsensor);
  ASSERT_EQ(model.nsensordata, m->nsensordata);
  State state = make_state(model);
  Control control = make_control(model);
  Workspace workspace(model);
  Random random(2);
  std::vector<Difference> worst(std::size_t(model.nsensor));
  for (Difference& difference : worst) difference.floor(1);
  std::vector<double> ours(std::size_t(model.nsensordata)), udot(std::size_t(model.nv));
  for (int trial = 0; trial < 50; ++trial) {
    test::draw_state(*m, random, *d, 1);
    d->time = state.time = random.uniform(0, 5);
    for (std::size_t a = 0; a < 2; ++a) control.input[a] = d->ctrl[a] = random.uniform(-1, 1);
    for (std::size_t b = 1; b < std::size_t(model.nbody); ++b) {
      const Vec3 force = random.vector(3), torque = random.vector(3);
      control.wrench[b] = {torque, force};
      for (int i = 0; i < 3; ++i) {
        d->xfrc_applied[6 * b + std::size_t(i)] = force[i];
        d->xfrc_applied[6 * b + 3 + std::size_t(i)] = torque[i];
      }
    }
    mj_forward(m.get(), d.get());
    std::copy_n(d->qpos, m->nq, state.q.begin());
    std::copy_n(d->qvel, m->nv, state.u.begin());
    std::copy_n(d->qacc, m->nv, udot.begin());
    compute_sensors(model, model.options, {state, control, Contacts{}, Constraints{}, udot}, workspace, ours);
    for (std::size_t s = 0; s < worst.size(); ++s) {
      // q and −q are the same rotation.
      const auto first = std::size_t(model.sensor_data[s]), last = std::size_t(model.sensor_data[s + 1]);
      double product = 0;
      for (std::size_t i = first; i < last; ++i) product += ours[i] * d->sensordata[i];
      const bool turned = last - first == 4 && product < 0;
      for (std::size_t i = first; i < last; ++i) worst[s].add(turned ? -ours[i] : ours[i], d->sensordata[i]);
    }
  }
  for (std::size_t s = 0; s < worst.size(); ++s)
    EXPECT_LT(worst[s].relative(), 1e-11) << "sensor " << s << " of type " << int(model.sensor_type[s]);
}

// A ball of mass m at rest on a plate: the plate's touch sensor shows m g, one beside it nothing.
TEST(sensors_mujoco, touch_shows_the_weight_that_rests_on_it) {
  const std::string path = test::mjcf(R"(<worldbody><body name="plate"><geom type="box" size="1 1 .1"/>
      <site name="on" type="box" size=".2 .2 .11"/><site name="off" type="box" size=".1 .1 .11" pos=".5 0 0"/></body>
    <body pos="0 0 .2"><freejoint/><geom size=".1" mass="2"/><site name="below" type="sphere" size=".05" pos="0 0 -.2"/>
      <site name="at"/></body></worldbody>
    <sensor><touch name="on" site="on"/><touch name="off" site="off"/><touch name="below" site="below"/>
      <accelerometer name="up" site="at"/></sensor>)");
  Simulation sim(std::make_shared<const Model>(load(path)));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(sim.step().ok());
  const double weight = 2 * 9.81;
  EXPECT_NEAR(sim.sensor("on")[0], weight, 1e-7);
  EXPECT_EQ(sim.sensor("off")[0], 0);
  EXPECT_NEAR(sim.sensor("below")[0], weight, 1e-7);
  EXPECT_NEAR(sim.sensor("up")[2], 9.81, 1e-7);
  EXPECT_THROW(sim.sensor("of"), Error);
}

}  // namespace
}  // namespace stiction
