#include "cuda/report.hpp"

#include <ctime>

namespace stiction::cuda {
namespace {

double share(std::size_t part, std::size_t whole) {
  return whole > 0 ? double(part) / double(whole) : 0;
}

void print_device(const char* name, const DeviceReport& report, std::size_t cases, std::FILE* file) {
  const auto& [d, rate] = report;
  std::fprintf(file,
               "\"%s\": {\"bit_equal\": %.9g, \"ulps\": %.9g, \"other_codes\": %zu, \"unwritten\": %zu, "
               "\"millions_per_s\": %.6g, \"gigabytes_per_s\": %.6g}",
               name, share(d.equal_cases, cases), d.ulps, d.other_codes, d.unwritten, rate.millions, rate.gigabytes);
}

void print_leaf(const LeafReport& leaf, std::FILE* file) {
  const FloatError& error = leaf.float_error;
  std::fprintf(file,
               "    {\"name\": \"%s\", \"source\": \"src/%s\", \"cases\": %zu, \"degenerate\": %zu, \"hits\": %.6g, "
               "\"not_finite\": %zu, \"failure\": \"%s\",\n     \"bounds\": {\"ulps\": %g, \"float_error\": %g, "
               "\"float_other_codes\": %g},\n     \"float_error\": {\"most_cases\": %.6g, \"largest\": %.6g, "
               "\"other_codes\": %.6g}",
               leaf.info.name, leaf.info.source, leaf.cases, leaf.degenerate, leaf.hits, leaf.not_finite,
               broken_bound(leaf), leaf.info.ulps, leaf.info.float_error, leaf.info.float_codes, error.most_cases,
               error.largest, share(error.other_codes, error.cases));
  if (leaf.on_gpu) {
    std::fputs(",\n     ", file);
    print_device("double", leaf.in_double, leaf.cases, file);
    std::fputs(",\n     ", file);
    print_device("float", leaf.in_float, leaf.cases, file);
  }
  std::fputs("}", file);
}

}  // namespace

int failures(const RunReport& report) {
  int count = 0;
  for (const LeafReport& leaf : report.leaves) count += *broken_bound(leaf) ? 1 : 0;
  return count;
}

void print_table(const RunReport& report, std::FILE* file) {
  std::fprintf(file, "%s; %zu cases of each leaf, seed %llu\n",
               report.device.empty() ? "no GPU: float against double on the CPU" : report.device.c_str(),
               report.settings.cases, static_cast<unsigned long long>(report.settings.seed));
  std::fprintf(file, "%-42s %8s | %9s %7s %6s | %9s %7s %6s | %8s %8s %6s | %9s %9s\n", "", "touching",
               "double:", "largest", "other", "float:", "largest", "other", "float-", "double:", "other", "double",
               "float");
  std::fprintf(file, "%-42s %8s | %9s %7s %6s | %9s %7s %6s | %8s %8s %6s | %9s %9s\n", "leaf", "", "bit-equal", "ulp",
               "codes", "bit-equal", "ulp", "codes", "99 %", "largest", "codes", "10^6/s", "10^6/s");
  for (const LeafReport& leaf : report.leaves) {
    std::fprintf(file, "%-42s %7.1f%% |", leaf.info.name, 100 * leaf.hits);
    for (const Difference& d : {leaf.in_double.difference, leaf.in_float.difference})
      std::fprintf(file, " %8.4f%% %7.3g %6zu |", 100 * share(d.equal_cases, leaf.cases), d.ulps, d.other_codes);
    const FloatError& error = leaf.float_error;
    std::fprintf(file, " %8.1e %8.1e %5.2f%% | %9.1f %9.1f%s%s\n", error.most_cases, error.largest,
                 100 * share(error.other_codes, error.cases), leaf.in_double.rate.millions, leaf.in_float.rate.millions,
                 *broken_bound(leaf) ? "  FAILED: " : "", broken_bound(leaf));
  }
  std::fprintf(file, "%zu leaves, %d failed\n", report.leaves.size(), failures(report));
}

void print_json(const RunReport& report, std::FILE* file) {
  char date[16] = "";
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::fprintf(file,
               "{\n  \"date\": \"%s\", \"device\": \"%s\", \"nvcc\": \"%d.%d\", \"host_compiler\": \"g++ %s\",\n"
               "  \"cases\": %zu, \"seed\": %llu, \"failures\": %d,\n",
               date, report.device.c_str(), __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __VERSION__,
               report.settings.cases, static_cast<unsigned long long>(report.settings.seed), failures(report));
  std::fputs("  \"leaves\": [\n", file);
  for (std::size_t i = 0; i < report.leaves.size(); ++i) {
    print_leaf(report.leaves[i], file);
    std::fputs(i + 1 < report.leaves.size() ? ",\n" : "\n", file);
  }
  std::fputs("  ]\n}\n", file);
}

}  // namespace stiction::cuda
