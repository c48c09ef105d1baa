// docs/collision.md holds the table that dispatches the pairs.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "collide/pair_table.hpp"

namespace stiction::test {
namespace {

std::string name(const std::string& type) {
  std::string text = type.substr(1);
  text[0] = char(std::tolower(text[0]));
  return text;
}

TEST(CollisionPage, table_of_pairs_is_current) {
  std::string table = "| A | B | routine | points at most | what they are |\n| --- | --- | --- | --- | --- |\n";
#define STICTION_PAIR_ROW(type_a, type_b, routine, most, points) \
  table += "| " + name(#type_a) + " | " + name(#type_b) + " | `" #routine "` | " #most " | " points " |\n";
  STICTION_PAIR_TABLE(STICTION_PAIR_ROW)
  std::ifstream file(STICTION_SOURCE_DIR "/docs/collision.md");
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string begin = "<!-- pairs: begin -->\n", end = "<!-- pairs: end -->";
  ASSERT_NE(page.find(begin), std::string::npos) << "docs/collision.md is missing or has no mark for the table";
  const std::size_t from = page.find(begin) + begin.size();
  EXPECT_EQ(page.substr(from, page.find(end) - from), table) << "copy the expected table into docs/collision.md";
}

}  // namespace
}  // namespace stiction::test
