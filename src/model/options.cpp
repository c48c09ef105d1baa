// Options from text, and their ranges. Names, units and meanings come from the table of options.hpp.
#include <stiction/options.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include <stiction/error.hpp>
#include <stiction/problem.hpp>

#include "model/contact_model.hpp"
#include "model/integrator.hpp"
#include "model/named_value.hpp"
#include "model/solver_names.hpp"
#include "model/spring_presets.hpp"

namespace stiction {

namespace {

using detail::require;

constexpr std::string_view kSpace = " \t\n,";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

// The whole text as one number of type T.
template <class T>
bool parse_number(std::string_view text, T& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

[[noreturn]] void wrong_kind(const FieldInfo& field, std::string_view text, std::string_view wanted) {
  throw Error(fmt::format("option {}: '{}' is not {} ({})", field.name, text, wanted, field.meaning));
}

void parse(const FieldInfo& field, std::string_view text, double& value) {
  if (!parse_number(trimmed(text), value)) wrong_kind(field, text, "a number");
}
void parse(const FieldInfo& field, std::string_view text, int& value) {
  if (!parse_number(trimmed(text), value)) wrong_kind(field, text, "a whole number");
}
void parse(const FieldInfo& field, std::string_view text, bool& value) {
  const std::string_view word = trimmed(text);
  if (word == "true" || word == "1" || word == "on")
    value = true;
  else if (word == "false" || word == "0" || word == "off")
    value = false;
  else
    wrong_kind(field, text, "true or false");
}
void parse(const FieldInfo&, std::string_view text, std::string& value) {
  value = std::string(trimmed(text));
}
// Three numbers with spaces or commas between them: "0 0 -1.62", "0,0,-1.62".
void parse(const FieldInfo& field, std::string_view text, Vec3& value) {
  std::string_view rest = trimmed(text);
  for (int i = 0; i < 3; ++i) {
    const std::size_t end = std::min(rest.find_first_of(kSpace), rest.size());
    if (!parse_number(rest.substr(0, end), value[i])) wrong_kind(field, text, "three numbers (\"0 0 -9.81\")");
    rest = trimmed(rest.substr(end));
  }
  if (!rest.empty()) wrong_kind(field, text, "three numbers (\"0 0 -9.81\")");
}

// The springs of the compliant models: each number in its range or −1, and none of them without any resistance.
void check_springs(const Options& options) {
  const auto given = [](double x) { return x == -1 || (std::isfinite(x) && x >= 0); };
  const std::string_view range = "at least 0 and finite, or −1 for that of the preset";
  require(given(options.pin_stiffness), "pin_stiffness", options.pin_stiffness, range);
  require(given(options.pin_damping), "pin_damping", options.pin_damping, range);
  require(given(options.normal_stiffness), "normal_stiffness", options.normal_stiffness, range);
  require(given(options.normal_damping), "normal_damping", options.normal_damping, range);
  require(given(options.friction_damping), "friction_damping", options.friction_damping, range);
  const detail::Springs springs = detail::springs(options);
  const std::string_view some = "greater than 0: a spring without stiffness holds nothing";
  require(springs.pin.stiffness > 0, "pin_stiffness", springs.pin.stiffness, some);
  require(springs.normal.stiffness > 0, "normal_stiffness", springs.normal.stiffness, some);
  require(springs.friction_damping > 0, "friction_damping", springs.friction_damping,
          "greater than 0: for surfaces without friction set their coefficient to 0");
}

}  // namespace

void detail::check_contact_model_name(std::string_view name) {
  const std::vector<std::string> names = {STICTION_CONTACT_MODELS(STICTION_NAME)};
  if (std::find(names.begin(), names.end(), name) == names.end())
    detail::throw_unknown("contact model", "Contact models", name, names);
}

detail::Springs detail::springs(const Options& options) {
  Springs out = detail::value_named<Springs>("spring preset", "Presets", options.spring_preset,
                                             {STICTION_SPRING_PRESETS(STICTION_PRESET_NAME)},
                                             {STICTION_SPRING_PRESETS(STICTION_PRESET_VALUE)});
  const auto replace = [](double given, double& value) {
    if (given >= 0) value = given;
  };
  replace(options.pin_stiffness, out.pin.stiffness);
  replace(options.pin_damping, out.pin.damping);
  replace(options.normal_stiffness, out.normal.stiffness);
  replace(options.normal_damping, out.normal.damping);
  replace(options.friction_damping, out.friction_damping);
  return out;
}

namespace {

void check_ranges(const Options& options) {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  const auto not_negative = [](double x) { return std::isfinite(x) && x >= 0; };
  require(positive(options.timestep), "timestep", options.timestep, "greater than 0 s and finite");
  for (int i = 0; i < 3; ++i)
    require(std::isfinite(options.gravity[i]), "gravity", options.gravity[i], "finite in all three components");
  require(not_negative(options.fluid_density), "fluid_density", options.fluid_density, "at least 0 kg/m³ and finite");
  require(not_negative(options.fluid_viscosity), "fluid_viscosity", options.fluid_viscosity,
          "at least 0 Pa s and finite");
  for (int i = 0; i < 3; ++i)
    require(std::isfinite(options.wind[i]), "wind", options.wind[i], "finite in all three components");
  detail::check_solver_name(options.solver);
  detail::check_contact_model_name(options.contact_model);
  detail::check_integrator_name(options.integrator);
  detail::check_solver_ranges(solver_settings(options));
  check_springs(options);
  require(not_negative(options.spring_stiffness), "spring_stiffness", options.spring_stiffness,
          "at least 0 N/m and finite");
  require(not_negative(options.spring_damping), "spring_damping", options.spring_damping,
          "at least 0 N s/m and finite");
  require(positive(options.slip_speed), "slip_speed", options.slip_speed, "greater than 0 m/s and finite");
  require(not_negative(options.push_out_speed), "push_out_speed", options.push_out_speed, "at least 0 m/s and finite");
  require(not_negative(options.restitution_speed), "restitution_speed", options.restitution_speed,
          "at least 0 m/s and finite");
  require(not_negative(options.touching_gap), "touching_gap", options.touching_gap, "at least 0 m and finite");
  require(not_negative(options.contact_margin), "contact_margin", options.contact_margin, "at least 0 m and finite");
  require(not_negative(options.sleep_time), "sleep_time", options.sleep_time, "at least 0 s and finite");
  require(not_negative(options.sleep_speed), "sleep_speed", options.sleep_speed, "at least 0 m/s and finite");
}

}  // namespace

void set_option(Options& options, std::string_view name, std::string_view value) {
  Options changed = options;
  bool found = false;
  std::vector<std::string> names;
  Options::visit(changed, [&](const FieldInfo& field, auto& member) {
    names.emplace_back(field.name);
    if (name != field.name) return;
    found = true;
    parse(field, value, member);
  });
  if (!found) detail::throw_unknown("option", "Options", name, names);
  check_ranges(changed);
  options = changed;
}

void check_options(const Options& options) {
  check_ranges(options);
  detail::check_solver_settings(options.solver, solver_settings(options));
}

}  // namespace stiction
