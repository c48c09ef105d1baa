// What the engine does not do is said: every row of the feature table that is an error has a file here that raises it,
// with the element and its line.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include <stiction/load.hpp>

#include "model/features.hpp"
#include "support/xml_file.hpp"

namespace stiction {
namespace {

using detail::Feature;
using detail::feature_info;
using detail::Support;
using test::mjcf;

struct Case {
  Feature feature;
  std::string element;
  std::string text;
};

// One free ball on a floor; what is asked for stands on line 2.
std::string with_joint(const std::string& attributes) {
  return "<worldbody><body name=\"b\"><geom name=\"g\" size=\"1\" contype=\"0\"/>\n<joint name=\"j\" " + attributes +
         "/></body></worldbody>";
}
std::string with_geom(const std::string& attributes, const std::string& rest = "") {
  return "<worldbody><body name=\"b\"><freejoint name=\"j\"/><geom name=\"h\" size=\"1\"/>\n<geom name=\"g\" " +
         attributes + "/></body><geom name=\"f\" type=\"plane\" size=\"1 1 1\"/></worldbody>" + rest;
}
std::string with_actuator(const std::string& element) {
  return with_geom("size=\"1\"", "<actuator>\n\n" + element + "</actuator>");
}
const std::string kBall = R"(<worldbody><body name="b"><freejoint name="j"/><geom name="g" size="1"/><site name="s"/>
  </body></worldbody>)";
std::string with_tendon(const std::string& attributes) {
  return kBall + "<worldbody><site name=\"t\"/></worldbody>\n<tendon><spatial name=\"t\" " + attributes +
         R"(><site site="s"/><site site="t"/></spatial></tendon>)";
}

// Three free balls; the rest begins on line 5.
std::string with_many(const std::string& rest) {
  return kBall + R"(<worldbody>
    <body><freejoint/><geom size="1"/><site name="u"/></body>
    <body><freejoint/><geom size="1"/><site name="v"/></body></worldbody>
    )" + rest;
}

std::vector<Case> cases() {
  return {
      {Feature::kFluidShape, "geom 'leaf' (line 2)", R"(<option density="1.2"/>
          <worldbody><body><freejoint/><geom name="leaf" size="1" fluidshape="ellipsoid"/></body></worldbody>)"},
      {Feature::kOverride, "flag 'override'", R"(<option><flag override="enable"/></option>)" + kBall},
      {Feature::kSleep, "flag 'sleep'", R"(<option><flag sleep="enable"/></option>)" + kBall},
      {Feature::kFilterParent, "flag 'filterparent'", R"(<option><flag filterparent="disable"/></option>)" + kBall},
      {Feature::kActuationOff, "flag 'actuation'",
       R"(<option><flag actuation="disable"/></option>)" + with_actuator(R"(<motor name="a" joint="j"/>)")},
      {Feature::kActuationOff, "actuator 'a' (line 4)",
       R"(<option actuatorgroupdisable="3"/>)" + with_actuator(R"(<motor name="a" joint="j" group="3"/>)")},
      {Feature::kMocapChild, "body 'c' (line 2)",
       "<worldbody><body name=\"m\" mocap=\"true\">\n<body name=\"c\"><joint/><geom "
       "size=\"1\"/></body></body></worldbody>"},
      {Feature::kJointNonlinear, "joint 'j' (line 2)", with_joint(R"(type="free" damping="1 2")")},
      {Feature::kAdhesion, "geom 'g' (line 2)", with_geom(R"(size="1" adhesion="1")")},
      {Feature::kTendonTrees, "tendon 't' (line 5)",
       with_many(
           R"(<tendon><spatial name="t" range="0 1"><site site="s"/><site site="u"/><site site="v"/></spatial></tendon>)")},
      {Feature::kTendonArmature, "tendon 't' (line 3)", with_tendon(R"(armature="1")")},
      {Feature::kTendonNonlinear, "tendon 't' (line 3)", with_tendon(R"(damping="1 2")")},
      {Feature::kFlex, "flex 'c'",
       R"(<worldbody><flexcomp name="c" type="grid" count="3 3 1" spacing="1 1 1" mass="1" dim="2"><contact
         selfcollide="none"/></flexcomp></worldbody>)"},
      {Feature::kActuatorServo, "actuator 'a' (line 4)",
       with_actuator(R"(<general name="a" joint="j" gaintype="user"/>)")},
      {Feature::kActuatorDynamics, "actuator 'a' (line 4)",
       with_actuator(R"(<general name="a" joint="j" dyntype="user" actdim="1"/>)")},
      {Feature::kActuatorPassive, "actuator 'a' (line 4)",
       with_actuator(R"(<motor name="a" joint="j" armature="1"/>)")},
  };
}

bool has_issue(const LoadReport& report, const std::string& element, const std::string& missing, bool changes_physics) {
  for (const LoadIssue& issue : report.issues)
    if (issue.element == element && issue.missing == missing && issue.changes_physics == changes_physics) return true;
  return false;
}

TEST(load_issues, what_changes_the_physics_is_an_error_with_its_element_and_line) {
  for (const Case& c : cases()) {
    const std::string missing = feature_info(c.feature).remark;
    SCOPED_TRACE(c.text);
    const std::string path = mjcf(c.text);
    LoadReport report;
    try {
      load(path, {}, &report);
      ADD_FAILURE() << "loaded without: " << missing;
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.find(path + ": the file asks for what this version does not simulate:\n"), 0u) << text;
      EXPECT_NE(text.find(missing), text.npos) << text;
      EXPECT_NE(text.find(c.element), text.npos) << text;
    }
    EXPECT_TRUE(has_issue(report, c.element, missing, true)) << report.text();
    EXPECT_NO_THROW(load(path, {.allow_unsupported = true}));
  }
}

// Signed distance fields and plugins need plugin libraries, which the loader does not open: MuJoCo refuses such files.
// It makes a hull for every mesh that collides.
TEST(load_issues, every_error_of_the_feature_table_has_a_case) {
  std::set<Feature> covered{Feature::kSdf, Feature::kPlugin, Feature::kMeshSurface};
  for (const Case& c : cases()) covered.insert(c.feature);
  for (int i = 0; i < static_cast<int>(Feature::kCount); ++i) {
    const Feature feature = static_cast<Feature>(i);
    if (feature_info(feature).support == Support::kNotYet) {
      EXPECT_TRUE(covered.count(feature)) << feature_info(feature).mjcf;
    }
  }
}

TEST(load_issues, all_are_listed_at_once) {
  LoadReport report;
  const std::string path = mjcf(R"(<option viscosity="1"/>
    <worldbody><body><joint name="a" damping="1 2"/><joint name="b" axis="0 1 0" damping="2 1"/><geom size="1"/>
      <geom name="tin" size="1" adhesion="1" fluidshape="ellipsoid"/></body></worldbody>)");
  EXPECT_THROW(load(path, {}, &report), Error);
  EXPECT_EQ(
      report.text(),
      "not simulated: yielding and nonlinear joint springs and dampers are not held by the model: joint 'a' (line "
      "2), joint 'b' (line 2)\n"
      "not simulated: forces of a fluid on ellipsoids are not simulated: remove fluidshape, so that the box of the "
      "inertia counts: geom 'tin' (line 3)\n"
      "not simulated: adhesion is not simulated: geom 'tin' (line 3)\n");
}

TEST(load_issues, what_does_not_change_the_motion_is_a_warning) {
  LoadReport report;
  load(mjcf(kBall + R"(<sensor><rangefinder name="spin" site="s"/><gyro site="s"/></sensor>
    <equality><weld body1="b" active="false"/></equality>)"),
       {}, &report);
  EXPECT_TRUE(has_issue(report, "sensor 'spin' (line 2)", feature_info(Feature::kSensor).remark, false));
  EXPECT_TRUE(has_issue(report, "equality 0 (line 3)", feature_info(Feature::kInactiveEquality).remark, false));
  EXPECT_EQ(report.issues.size(), 2u);
}

TEST(load_issues, pairs_that_never_act_are_named) {
  LoadReport report;
  load(mjcf(kBall + R"(<worldbody><geom name="f" size="1" pos="9 0 0"/><geom name="h" size="1" pos="9 0 0"/></worldbody>
    <contact><pair geom1="g" geom2="f"/>
    <pair name="ends" geom1="f" geom2="h"/>
    <pair geom1="g" geom2="g"/></contact>)"),
       {}, &report);
  const std::string remark = feature_info(Feature::kVoidPair).remark;
  EXPECT_EQ(report.issues.size(), 2u) << report.text();
  EXPECT_TRUE(has_issue(report, "pair 'ends' (line 4)", remark, false)) << report.text();
  EXPECT_TRUE(has_issue(report, "pair 2 (line 5)", remark, false)) << report.text();
}

TEST(load_issues, warnings_of_mujoco_are_passed_on) {
  LoadReport report;
  load(mjcf(R"(<compiler settotalmass="3"/>)" + kBall), {}, &report);
  ASSERT_EQ(report.issues.size(), 1u);
  EXPECT_FALSE(report.issues[0].changes_physics);
  EXPECT_NE(report.issues[0].missing.find("settotalmass"), std::string::npos) << report.text();
}

TEST(load_issues, settings_of_soft_contact_are_left_out_and_said_once) {
  LoadReport report;
  load(mjcf(R"(<option impratio="10" cone="elliptic" noslip_iterations="3" integrator="implicitfast">
      <flag warmstart="disable" autoreset="disable"/></option>
    <worldbody><body><freejoint/><geom size="1" solref="0.01 1"/><geom size="1" solref="0.01 1" solimp="0.8 0.9 0.01"/>
    </body></worldbody>)"),
       {}, &report);
  EXPECT_TRUE(report.issues.empty()) << report.text();
  ASSERT_EQ(report.notes.size(), 3u) << report.text();
  EXPECT_NE(report.notes[0].find("(set in this file: solref, solimp, impratio)"), std::string::npos);
  EXPECT_NE(report.notes[1].find("(set in this file: cone, noslip_iterations, flag warmstart)"), std::string::npos);
  EXPECT_NE(report.notes[2].find("(set in this file: integrator, flag autoreset)"), std::string::npos);
}

// Depths in closed form: 2 r − distance of the centres. Touching bodies, bodies of one joint and excluded ones are
// none.
TEST(load_issues, bodies_in_each_other_at_the_start_are_named_with_their_depth) {
  LoadReport report;
  const std::string ball = R"(<freejoint/><geom size="0.1"/></body>)";
  const std::string bodies = R"(<worldbody><body name="a">)" + ball + R"(<body name="b" pos="0.15 0 0">)" + ball +
                             R"(<body name="c" pos="0.15 0.2 0">)" + ball + R"(<body name="d" pos="0.15 0.32 0">)" +
                             ball + "</worldbody>";
  load(mjcf(bodies), {}, &report);
  ASSERT_EQ(report.issues.size(), 1u) << report.text();
  EXPECT_FALSE(report.issues[0].changes_physics);
  EXPECT_EQ(report.issues[0].element, "'c' and 'd' by 80 mm, 'a' and 'b' by 50 mm");
  load(mjcf(bodies + R"(<contact><exclude body1="a" body2="b"/><exclude body1="c" body2="d"/></contact>)"), {},
       &report);
  EXPECT_TRUE(report.issues.empty()) << report.text();
}

TEST(load_issues, page_of_features_holds_the_table) {
  std::ifstream file(STICTION_SOURCE_DIR "/docs/mjcf.md");
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_NE(page.find(detail::feature_table()), std::string::npos) << "put this table into docs/mjcf.md:\n"
                                                                   << detail::feature_table();
}

}  // namespace
}  // namespace stiction
