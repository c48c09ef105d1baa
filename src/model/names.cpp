// Look-up by name with suggestions: names are ranked by their edit distance (Levenshtein).
#include "model/names.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include <stiction/error.hpp>

namespace stiction::detail {

namespace {

constexpr std::size_t kMostSuggestions = 5;

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Letters to insert, delete or replace to turn a into b; upper and lower case count as equal.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string suggest_names(std::string_view wanted, std::span<const std::string> names) {
  if (names.empty()) return "; there are none";
  // Near: at most a third of the letters differ, or one name contains the other.
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wanted, name);
    const bool contains = !wanted.empty() && (name.find(wanted) != name.npos || wanted.find(name) != wanted.npos);
    if (distance <= std::max<std::size_t>(2, wanted.size() / 3) || (contains && !name.empty()))
      near.emplace_back(distance, fmt::format("'{}'", name));
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > kMostSuggestions) near.resize(kMostSuggestions);
  if (near.empty()) {
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kMostSuggestions); ++i)
      list += fmt::format("{}'{}'", i == 0 ? "" : ", ", names[i]);
    return fmt::format("; there are {} names: {}{}", names.size(), list, names.size() > kMostSuggestions ? " …" : "");
  }
  std::string list;
  for (std::size_t i = 0; i < near.size(); ++i)
    list += fmt::format("{}{}", i == 0 ? "" : (i + 1 == near.size() ? " or " : ", "), near[i].second);
  return fmt::format("; did you mean {}?", list);
}

std::string shape_called(const std::string& name, std::size_t index) {
  return name.empty() ? fmt::format("shape number {} (it has no name)", index) : fmt::format("shape '{}'", name);
}

void fill_names(std::string_view kind, std::span<std::string> names) {
  std::unordered_set<std::string> taken(names.begin(), names.end());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) continue;
    std::string made_up = fmt::format("{}{}", kind, i);
    while (!taken.insert(made_up).second) made_up += '_';
    names[i] = made_up;
  }
}

int find_name(std::string_view kind, std::string_view wanted, std::span<const std::string> names,
              std::string_view model) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  throw Error(fmt::format("model '{}' has no {} named '{}'{}", model, kind, wanted, suggest_names(wanted, names)));
}

}  // namespace stiction::detail
