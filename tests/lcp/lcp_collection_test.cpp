// The twelve problems of ../shared/data/problems/lcp, with the number of basic solutions that an independent
// enumeration found: degenerate, non-P, Murty's, one without a solution.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include <stiction/lcp.hpp>

#include "support/shared_data.hpp"

namespace stiction {
namespace {

struct Entry {
  std::string name, solutions;
};

std::vector<Entry> read_index(const std::filesystem::path& folder) {
  std::ifstream file(folder / "index.csv");
  std::string line;
  std::getline(file, line);
  std::vector<Entry> out;
  while (std::getline(file, line)) out.push_back({line.substr(0, line.find(',')), line.substr(line.rfind(',') + 1)});
  return out;
}

TEST(LcpCollection, every_problem_is_classified_right) {
  if (test::shared_data().empty()) GTEST_SKIP() << "../shared/data is absent";
  const std::filesystem::path folder = test::shared_data() / "problems/lcp";
  const std::vector<Entry> index = read_index(folder);
  ASSERT_EQ(index.size(), 12u);
  for (const Entry& entry : index) {
    const std::string path = (folder / (entry.name + ".lcp")).string();
    ASSERT_TRUE(is_lcp_file(path));
    const Lcp problem = read_lcp(path);
    const LcpResult lemke = solve_lcp(problem, "lemke");
    if (entry.solutions == "0") {
      EXPECT_EQ(lemke.status, LcpStatus::kInfeasible) << entry.name << ": " << lemke.message;
      EXPECT_LE(lemke.ray_residual, 1e-12) << entry.name;
      EXPECT_FALSE(lemke.ray.direction.empty()) << entry.name;
      EXPECT_GT(lemke.no_solution_below, 1e9) << entry.name;
    } else {
      EXPECT_EQ(lemke.status, LcpStatus::kSolved) << entry.name << ": " << lemke.message;
      EXPECT_LE(lemke.certificate.residual(), 1e-9) << entry.name;
    }
    if (!entry.solutions.empty()) {
      EXPECT_EQ(solve_lcp(problem, "enumerate").solutions.size(), std::stoul(entry.solutions)) << entry.name;
    }
    for (const char* method : {"pgs", "newton-minmap"}) {
      const LcpResult result = solve_lcp(problem, method);
      if (result.status == LcpStatus::kSolved) {
        EXPECT_NE(entry.solutions, "0") << entry.name << " " << method;
      }
    }
  }
}

}  // namespace
}  // namespace stiction
