// Options from text: every kind of value, and the errors of wrong names, kinds and ranges.
#include <gtest/gtest.h>

#include <stiction/error.hpp>
#include <stiction/options.hpp>

namespace stiction {
namespace {

std::string error_of(std::string_view name, std::string_view value) {
  Options options;
  try {
    set_option(options, name, value);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

TEST(options, text_sets_each_kind_of_value) {
  Options options;
  set_option(options, "timestep", "0.01");
  set_option(options, "gravity", "0 0 -1.62");
  set_option(options, "solver", "newton-fb");
  set_option(options, "warm_start", "false");
  set_option(options, "max_iterations", "17");
  EXPECT_EQ(options.timestep, 0.01);
  EXPECT_EQ(options.gravity, (Vec3{0, 0, -1.62}));
  EXPECT_EQ(options.solver, "newton-fb");
  EXPECT_FALSE(options.warm_start);
  EXPECT_EQ(options.max_iterations, 17);
  set_option(options, "gravity", "1,2,-3e-1");
  EXPECT_EQ(options.gravity, (Vec3{1, 2, -0.3}));
  set_option(options, "gravity", " 1, 2, 3 ");
  EXPECT_EQ(options.gravity, (Vec3{1, 2, 3}));
}

TEST(options, unknown_name_gives_the_list_and_the_nearest) {
  const std::string text = error_of("timestpe", "0.01");
  EXPECT_TRUE(says(text, "did you mean 'timestep'?")) << text;
  EXPECT_TRUE(says(text, "push_out_speed")) << text;
}

TEST(options, wrong_kind_names_the_option_and_the_value) {
  for (const auto& [name, value] :
       {std::pair{"timestep", "fast"}, std::pair{"timestep", "0.01s"}, std::pair{"timestep", ""},
        std::pair{"gravity", "0 0"}, std::pair{"gravity", "0 0 -9.81 1"}, std::pair{"max_iterations", "2.5"},
        std::pair{"warm_start", "perhaps"}}) {
    const std::string text = error_of(name, value);
    EXPECT_TRUE(says(text, name) && says(text, value) && says(text, "is not")) << name << "=" << value << ": " << text;
  }
}

TEST(options, an_unknown_solver_is_refused_at_once_with_the_names) {
  const std::string text = error_of("solver", "newton-bf");
  EXPECT_TRUE(says(text, "there is no solver 'newton-bf'; did you mean 'newton-fb'")) << text;
  EXPECT_TRUE(says(text, "Solvers: newton, newton-fb, newton-minmap")) << text;
}

// Options of a linear solver can be set in any order, and a simulation refuses those that its solver does not look at.
TEST(options, what_the_solver_does_not_use_is_refused_with_who_does) {
  for (const auto& [name, value] :
       {std::pair{"linear_solver", "pcr"}, std::pair{"linear_solver", "ldlt"}, std::pair{"precision", "float"},
        std::pair{"preconditioner", "h2"}, std::pair{"linear_iterations", "40"}, std::pair{"linear_forcing", "0.5"},
        std::pair{"linear_preconditioner", "block-diagonal"}}) {
    Options options;
    set_option(options, name, value);
    try {
      check_options(options);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_TRUE(says(error.what(), name) && says(error.what(), "solver 'newton'") &&
                  says(error.what(), "newton-fb and newton-minmap"))
          << error.what();
    }
    set_option(options, "solver", "newton-minmap");
    EXPECT_NO_THROW(check_options(options)) << name;
  }
}

TEST(options, values_out_of_range_are_refused_and_leave_the_options_alone) {
  for (const auto& [name, value] :
       {std::pair{"timestep", "0"}, std::pair{"timestep", "-0.1"}, std::pair{"timestep", "nan"},
        std::pair{"timestep", "inf"}, std::pair{"gravity", "0 0 nan"}, std::pair{"tolerance", "0"},
        std::pair{"max_iterations", "0"}, std::pair{"push_out_speed", "-1"}, std::pair{"restitution_speed", "-1"},
        std::pair{"touching_gap", "-1"}, std::pair{"contact_margin", "-1"}, std::pair{"threads", "-1"},
        std::pair{"solver", ""}, std::pair{"linear_solver", "lu"}, std::pair{"linear_preconditioner", "none"},
        std::pair{"linear_forcing", "1"}, std::pair{"linear_forcing", "nan"}, std::pair{"linear_iterations", "0"}})
    EXPECT_NE(error_of(name, value), "") << name << "=" << value;
  Options options;
  EXPECT_THROW(set_option(options, "timestep", "-1"), Error);
  EXPECT_EQ(options.timestep, Options{}.timestep);
}

}  // namespace
}  // namespace stiction
