// Files that cannot be loaded: an Error with the file, the line or the name of the element, and what is wrong.
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include <stiction/load.hpp>

#include "support/xml_file.hpp"

namespace stiction {
namespace {

using test::mjcf;
using test::xml_file;

std::string error_of(const std::string& path) {
  try {
    load(path, {.allow_unsupported = true});
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find(path + ": "), 0u) << text;
    return text.substr(path.size() + 2);
  }
  return "";
}

// Every part in the text.
void expect_says(const std::string& text, const std::vector<std::string>& parts) {
  EXPECT_FALSE(text.empty()) << "loaded without an error";
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text << " lacks: " << part;
}

std::string body(const std::string& content) {
  return mjcf("<worldbody><body name=\"foot\"><freejoint/>\n" + content + "</body></worldbody>");
}

TEST(load_bad_input, file_that_is_not_there) {
  expect_says(error_of("/nowhere/scene.xml"), {"there is no such file"});
  expect_says(error_of(""), {"there is no such file"});
  expect_says(error_of(testing::TempDir()), {"folder"});
}

TEST(load_bad_input, text_that_is_not_xml) {
  expect_says(error_of(xml_file("broken.xml", "<mujoco>\n<worldbody>\n<geom size=\"1\" </worldbody></mujoco>")),
              {"line 3", "malformed"});
  expect_says(error_of(xml_file("open.xml", "<mujoco>\n<worldbody>\n</mujoco>")), {"line 2: the XML is malformed"});
  expect_says(error_of(xml_file("empty.xml", "")), {"the file is empty"});
  expect_says(error_of(xml_file("words.xml", "once upon a time")), {"malformed"});
  expect_says(error_of(xml_file("empty.xml", "")), {"empty"});
  expect_says(error_of(xml_file("other.xml", "<html/>")), {"html"});
  expect_says(error_of(xml_file("binary.xml", std::string("\x7f\x45\x4c\x46\0\x01\xff", 7))), {"malformed"});
}

TEST(load_bad_input, words_that_mjcf_does_not_have) {
  expect_says(error_of(mjcf("<worldbody>\n<geom sise=\"1\"/></worldbody>")), {"'sise'", "line 2", "geom"});
  expect_says(error_of(mjcf("<worldbody>\n<gem/></worldbody>")), {"gem", "line 2"});
  expect_says(error_of(mjcf("<worldbody>\n<geom type=\"cube\"/></worldbody>")), {"'cube'", "line 2"});
}

TEST(load_bad_input, missing_files) {
  expect_says(error_of(mjcf(R"(<asset><mesh name="m" file="nowhere.stl"/></asset>)")), {"nowhere.stl", "meshdir"});
  expect_says(error_of(mjcf("\n<include file=\"nowhere.xml\"/>")), {"nowhere.xml", "line 2"});
}

TEST(load_bad_input, masses_that_no_body_has) {
  expect_says(error_of(body(R"(<geom name="g" size="1" mass="0"/>)")), {"mass and inertia of moving bodies", "'foot'"});
  expect_says(error_of(body(R"(<geom name="g" size="1" mass="-1"/>)")), {"negative", "'g'", "line 2"});
  expect_says(error_of(body(R"(<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/>)")), {"mass", "'foot'"});
  expect_says(error_of(body(R"(<inertial pos="0 0 0" mass="nan" diaginertia="1 1 1"/>)")), {"mass", "'foot'"});
  expect_says(error_of(body(R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>)")), {"A + B >= C", "'foot'"});
  expect_says(error_of(body(R"(<inertial pos="0 0 0" mass="1" diaginertia="0 1 1"/>)")), {"inertia", "'foot'"});
  expect_says(error_of(body(R"(<inertial pos="0 0 0" mass="1" fullinertia="1 1 1 2 0 0"/>)")), {"inertia", "'foot'"});
  expect_says(error_of(body("")), {"mass", "'foot'"});
}

TEST(load_bad_input, numbers_that_are_not) {
  expect_says(error_of(body(R"(<geom name="g" size="1" friction="nan"/>)")), {"shape 'g'", "nan"});
  expect_says(error_of(body(R"(<geom name="g" size="1" pos="inf 0 0"/>)")), {"inf"});
  expect_says(error_of(body(R"(<geom name="g" size="1" friction="-1"/>)")), {"shape 'g'", "friction"});
  expect_says(error_of(body(R"(<geom name="g" size="one"/>)")), {"size", "line 2"});
  expect_says(error_of(body(R"(<geom name="g" size="-1"/>)")), {"size", "'g'"});
  expect_says(error_of(mjcf(R"(<option timestep="0"/>)")), {"timestep", "greater than 0"});
  expect_says(error_of(mjcf(R"(<option gravity="0 0 nan"/>)")), {"gravity", "finite"});
  expect_says(error_of(mjcf("<worldbody><body name=\"foot\"><freejoint/><geom size=\"1\"/></body></worldbody>"
                            "<keyframe><key name=\"k\" qvel=\"nan 0 0 0 0 0\"/></keyframe>")),
              {"nan"});
}

TEST(load_bad_input, names_that_clash_or_lead_nowhere) {
  expect_says(error_of(mjcf("<worldbody><body name=\"a\"/>\n<body name=\"a\"/></worldbody>")), {"'a'", "body"});
  expect_says(error_of(mjcf("<worldbody>\n<geom type=\"mesh\" mesh=\"m\"/></worldbody>")), {"'m'", "line 2"});
  expect_says(error_of(mjcf("<worldbody/>\n<contact><exclude body1=\"a\" body2=\"b\"/></contact>")), {"'a'"});
}

TEST(load_bad_input, restitution_out_of_range_or_of_nothing) {
  const std::string ball = R"(<worldbody><geom name="ball" size="1"/></worldbody>)";
  expect_says(error_of(mjcf("<custom>\n<numeric name=\"restitution\" data=\"1.5\"/></custom>")),
              {"numeric 'restitution' (line 2)", "[0, 1]"});
  expect_says(error_of(mjcf("<custom><numeric name=\"restitution\" data=\"0.1 0.2\"/></custom>")), {"one number"});
  expect_says(error_of(mjcf("<custom><numeric name=\"restitution:bal\" data=\"0.5\"/></custom>" + ball)),
              {"no geom named 'bal'", "did you mean 'ball'?"});
}

TEST(load_bad_input, contact_stiffness_of_nothing_or_not_positive) {
  const std::string ball = R"(<worldbody><geom name="ball" size="1"/></worldbody>)";
  const auto error_with = [&](const std::string& name, const std::string& data) {
    return error_of(mjcf("<custom>\n<numeric name=\"" + name + "\" data=\"" + data + "\"/></custom>" + ball));
  };
  expect_says(error_with("contact_stiffness", "0"), {"numeric 'contact_stiffness' (line 2)", "> 0"});
  expect_says(error_with("contact_stiffness", "1e4 -1"), {"damping"});
  expect_says(error_with("contact_stiffness", "1e4 1 1"), {"damping"});
  expect_says(error_with("contact_stiffness:bal", "1e4"), {"no geom named 'bal'", "did you mean 'ball'?"});
}

}  // namespace
}  // namespace stiction
