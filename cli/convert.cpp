// stiction convert: a stored contact problem in another format.
#include <fmt/format.h>

#include <memory>

#include <stiction/recording.hpp>

#include "commands.hpp"

namespace stiction::cli {
namespace {

constexpr char kOwn[] = "stiction", kLocal[] = "fclib-local", kGlobal[] = "fclib-global";

struct ConvertArguments {
  std::string from, to, name, format = kGlobal;
};

void convert(const ConvertArguments& a) {
  const std::vector<std::string> names = a.name.empty() ? list_problems(a.from) : std::vector{a.name};
  if (names.size() > 1 && a.format != kOwn)
    throw Error(
        fmt::format("{}: holds {} problems, and a file of FCLIB one: choose with --name", a.from, names.size()));
  for (const std::string& name : names) {
    const ContactProblem problem = read_problem(a.from, name);
    if (a.format == kGlobal && problem.nresponse > 0)
      throw Error(
          fmt::format("{}: '{}' is given by its response matrix W and has a local form only: write it with "
                      "--to {}",
                      a.from, name, kLocal));
    if (a.format == kOwn)
      write_problem(a.to, name, problem, read_problem_start(a.from, name));
    else
      write_fclib_problem(a.to, problem, a.format == kLocal ? FclibForm::kLocal : FclibForm::kGlobal);
  }
  fmt::print("{}: {} as {}\n", a.to, names.size() == 1 ? names.front() : fmt::format("{} problems", names.size()),
             a.format);
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("convert", "Write a stored contact problem in another format");
  const auto a = std::make_shared<ConvertArguments>();
  command->add_option("problem", a->from, "File with contact problems: ours, FCLIB's or text")->required();
  command->add_option("out", a->to, "File to write")->required();
  command->add_option("--name", a->name, "Only the problem of this name; default: all in the file");
  command->add_option("--to", a->format, "Format")
      ->check(CLI::IsMember({kOwn, kLocal, kGlobal}))
      ->capture_default_str();
  command->footer(R"(
Exit code 0: written. 2: bad usage or bad input, or a law that the format has not.

Examples:
  stiction convert hard.h5 hard.hdf5 --name step_120
  stiction convert Capsules.hdf5 capsules.h5 --to stiction)");
  command->callback([a, &exit_code] {
    convert(*a);
    exit_code = kExitGood;
  });
}

}  // namespace stiction::cli
