// stiction bench: repeats published experiments on shipped scenes; pictures and a table.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include <stiction/error.hpp>

#include "commands.hpp"
#include "paper_004.hpp"
#include "progress.hpp"

namespace stiction::cli {
namespace {

struct BenchArguments {
  std::string experiment, out;
  std::vector<int> figures;
  bool quiet = false;
};

std::vector<PaperExperiment> chosen(const BenchArguments& a) {
  if (a.experiment != "paper-004")
    throw Error(fmt::format("there is no experiment '{}'. Experiments: paper-004", a.experiment));
  if (a.figures.empty()) return paper_004();
  std::vector<PaperExperiment> out;
  for (int number : a.figures) {
    const auto& all = paper_004();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const PaperExperiment& e) { return e.number == number; });
    if (found == all.end())
      throw Error(fmt::format("--figures {}: paper-004 has the figures 11, 16, 17 and 18", number));
    out.push_back(*found);
  }
  return out;
}

std::string table_of(const PaperFigure& figure) {
  std::string text = fmt::format("## {}\n\n| case | curve | first | least | at iteration |\n", figure.title);
  text += "| --- | --- | --- | --- | --- |\n";
  for (const FigureRow& row : figure.table)
    text +=
        fmt::format("| {} | {} | {:.1e} | {:.1e} | {} |\n", row.panel, row.curve, row.first, row.last, row.iterations);
  return text + "\n";
}

void bench(const BenchArguments& a) {
  const std::vector<PaperExperiment> experiments = chosen(a);
  const std::filesystem::path folder = a.out;
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw Error(fmt::format("--out {}: {}", a.out, failure.message()));
  const std::filesystem::path page = folder / "tables.md";
  std::ofstream file(page);
  for (const PaperExperiment& experiment : experiments) {
    constexpr int kTicks = 1000;
    ProgressBar bar(fmt::format("figure {}", experiment.number), kTicks, !a.quiet);
    if (!a.quiet && !bar.is_shown()) fmt::print(stderr, "figure {} …\n", experiment.number);
    const PaperFigure figure = experiment.run([&](double share) { bar.show(int(kTicks * share)); });
    const auto picture = folder / fmt::format("figure_{}.svg", experiment.number);
    write_plot(picture.string(), figure.title, figure.panels, figure.columns);
    // Each table as soon as it is there: the next figure may take minutes.
    file << table_of(figure) << std::flush;
    if (!file) throw Error(fmt::format("{}: cannot be written", page.string()));
    fmt::print("{}", table_of(figure));
    std::fflush(stdout);
  }
  fmt::print("pictures and tables.md in {}\n", folder.string());
}

}  // namespace

void add_bench(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("bench", "Repeat published experiments: pictures and a table");
  const auto a = std::make_shared<BenchArguments>();
  command->add_option("experiment", a->experiment, "paper-004: Macklin et al. 2019, figures 11, 16, 17, 18")
      ->required();
  command->add_option("--out", a->out, "Folder for figure_NN.svg and tables.md")->required()->type_name("DIR");
  command->add_option("--figures", a->figures, "Only these figures")->delimiter(',');
  command->add_flag("--quiet", a->quiet, "No progress");
  command->footer(R"(
Residuals are those of the certificate, relative to the velocity scale of an island. Exit code 0; 2: bad usage.

Example:
  stiction bench paper-004 --out paper --figures 11,17)");
  command->callback([a, &exit_code] {
    exit_code = kExitGood;
    bench(*a);
  });
}

}  // namespace stiction::cli
