// stiction check: computes every certificate of a recording again from its states, controls and forces.
#include <fmt/format.h>

#include <memory>

#include <stiction/recording.hpp>
#include <stiction/version.hpp>

#include "commands.hpp"
#include "json.hpp"
#include "progress.hpp"
#include "run_summary.hpp"

namespace stiction::cli {
namespace {

constexpr std::size_t kListedFindings = 20;

WorstResidual worst_of(const Recording& recording, const RecordingCheck& check) {
  if (check.worst_step == 0) return {};
  return find_worst(*recording.model(), recording.contacts(check.worst_step), recording.constraints(check.worst_step),
                    check.largest, check.worst_step);
}

void print_json(const Recording& recording, const RecordingCheck& check) {
  JsonObject certificate = certificate_json(check.largest);
  if (check.worst_step > 0)
    certificate.add("worst", worst_json(worst_of(recording, check)));
  else
    certificate.add_null("worst");
  std::vector<std::string> listed = check.findings;
  if (listed.size() > kListedFindings) listed.resize(kListedFindings);
  fmt::print("{}\n", JsonObject()
                         .add("recording", recording.path())
                         .add("version", kVersion)
                         .add("recorded_by", recording.version())
                         .add("steps", check.steps)
                         .add("tolerance", recording.options().tolerance)
                         .add("status", check.findings.empty() ? "ok" : "bad")
                         .add("certificate", certificate)
                         .add("contact_mismatch_m", check.contact_mismatch)
                         .add("state_mismatch_m_s", check.state_mismatch)
                         .add("certificate_mismatch", check.certificate_mismatch)
                         .add("findings", JsonObject().add("count", check.findings.size()).add("first", listed))
                         .text());
}

void print_text(const Recording& recording, const RecordingCheck& check) {
  fmt::print("{}: {} steps, written by stiction {}\n", recording.path(), check.steps, recording.version());
  fmt::print("certificate recomputed from states and forces, largest over all steps (relative, absolute):\n{}",
             certificate_text(check.largest));
  if (check.worst_step > 0) fmt::print("  {:<16} {}\n", "worst", worst_text(worst_of(recording, check)));
  fmt::print("largest difference from the recording: contacts {:.2e} m, states {:.2e} m/s, residuals {:.2e}\n",
             check.contact_mismatch, check.state_mismatch, check.certificate_mismatch);
  if (check.findings.empty()) fmt::print("every step holds, tolerance {:.0e}\n", recording.options().tolerance);
}

int check_file(const std::string& path, bool json) {
  const Recording recording(path);
  const StopSignal stop;
  RecordingCheck check;
  {
    ProgressBar bar("check", recording.steps(), true);
    check = check_recording(recording, [&](int step) {
      bar.show(step);
      return !stop.requested();
    });
  }
  if (json)
    print_json(recording, check);
  else
    print_text(recording, check);
  for (std::size_t i = 0; i < check.findings.size() && i < kListedFindings; ++i)
    fmt::print(stderr, "stiction: {}: {}\n", path, check.findings[i]);
  if (check.findings.size() > kListedFindings)
    fmt::print(stderr, "stiction: {}: and {} more\n", path, check.findings.size() - kListedFindings);
  if (!check.findings.empty()) return kExitBad;
  return check.steps < recording.steps() ? kExitInterrupted : kExitGood;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "Recompute every certificate of a recording");
  const auto path = std::make_shared<std::string>();
  const auto json = std::make_shared<bool>(false);
  command->add_option("recording", *path, "HDF5 file written by `stiction run --out`")->required();
  command->add_flag("--json", *json, "Print one JSON object and nothing else on standard output");
  command->footer(R"(
No solver runs and no recorded residual is trusted: contacts, forces and states must agree with each other.
Exit code 0: every step holds. 1: it names those that do not. 2: bad usage, or the file cannot be read.)");
  command->callback([path, json, &exit_code] { exit_code = check_file(*path, *json); });
}

}  // namespace stiction::cli
