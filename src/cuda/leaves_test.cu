// Evaluates the leaves of the physics (mathematics, laws, dynamics, collision) on the GPU and on the CPU, from one
// source, and compares: in double and in float the same bits, except behind sin and cos; float against double within
// each leaf's bound. Exit code 0 if every bound holds, 1 if one does not, 2 if the program could not run.
#include <cuda_runtime.h>

#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "cuda/report.hpp"

namespace {

constexpr const char* kUsage =
    "leaves_test [--cases N] [--seed N] [--repeats N] [--skip LEAF] [--only LEAF] [--cpu] [--json]\n"
    "  --cases N  cases of each leaf (32768)\n"
    "  --seed N   seed of the random inputs (1)\n"
    "  --repeats N  copies of the cases while throughput is measured (16)\n"
    "  --skip LEAF  leave one out, such as collide_pair\n"
    "  --only LEAF  run this one alone\n"
    "  --cpu      compare float with double on the CPU only; needs no GPU\n"
    "  --json     print JSON to standard output and the table to standard error\n";

// Stack of a thread [bytes]. The large routines call each other (STICTION_HD_CALL); behind calls that the compiler
// cannot follow it reserves no more than CUDA's default of one kilobyte.
constexpr std::size_t kStack = 65536;

using namespace stiction::cuda;  // NOLINT(google-build-using-namespace)

int run(RunReport& report, bool json) {
  if (report.settings.on_gpu) {
    cudaDeviceProp properties{};
    if (const cudaError_t status = cudaGetDeviceProperties(&properties, 0); status != cudaSuccess) {
      std::fprintf(stderr, "leaves_test: no CUDA device (%s); --cpu runs the part that needs none\n",
                   cudaGetErrorString(status));
      return 2;
    }
    report.device = properties.name;
    if (const cudaError_t status = cudaDeviceSetLimit(cudaLimitStackSize, kStack); status != cudaSuccess) {
      std::fprintf(stderr, "leaves_test: a stack of %zu bytes is refused (%s)\n", kStack, cudaGetErrorString(status));
      return 2;
    }
  }
  for (LeafGroup* group : kGroups) group(report.settings, report.leaves);
  if (report.leaves.empty()) {
    std::fprintf(stderr, "leaves_test: no leaf is called '%s': the table of docs/gpu.md lists the names\n",
                 std::string(report.settings.only).c_str());
    return 2;
  }
  print_table(report, json ? stderr : stdout);
  if (json) print_json(report, stdout);
  return failures(report) > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  RunReport report;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool numbered = argument == "--cases" || argument == "--seed" || argument == "--repeats";
    const bool with_number = numbered && i + 1 < argc;
    const unsigned long long number = with_number ? std::strtoull(argv[i + 1], nullptr, 10) : 0;
    if (with_number && number > 0) {
      RunSettings& settings = report.settings;
      (argument == "--cases" ? settings.cases : argument == "--seed" ? settings.seed : settings.repeats) = number;
      ++i;
    } else if (argument == "--skip" && i + 1 < argc) {
      report.settings.skipped = argv[++i];
    } else if (argument == "--only" && i + 1 < argc) {
      report.settings.only = argv[++i];
    } else if (argument == "--cpu") {
      report.settings.on_gpu = false;
    } else if (argument == "--json") {
      json = true;
    } else {
      std::fputs(kUsage, argument == "--help" ? stdout : stderr);
      return argument == "--help" ? 0 : 2;
    }
  }
  try {
    return run(report, json);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "leaves_test: %s\n", error.what());
    return 2;
  }
}
