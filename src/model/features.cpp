// The table of features.hpp as data and as text.
#include "model/features.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace stiction::detail {

namespace {

constexpr std::size_t kMostElements = 6;

#define STICTION_FEATURE_ROW(enumerator, mjcf, support, remark) FeatureInfo{mjcf, Support::support, remark},
constexpr std::array kTable{STICTION_FEATURES(STICTION_FEATURE_ROW)};
#undef STICTION_FEATURE_ROW

const char* support_text(Support support) {
  switch (support) {
    case Support::kYes:
      return "yes";
    case Support::kNotYet:
      return "**no**: error";
    case Support::kWarning:
      return "no: warning";
    case Support::kNote:
      return "left out, said once";
    case Support::kSilent:
      return "no bearing";
  }
  return "";
}

}  // namespace

const FeatureInfo& feature_info(Feature feature) {
  return kTable[static_cast<std::size_t>(feature)];
}

std::string feature_table() {
  std::string text = "| MJCF | supported | remark |\n| --- | --- | --- |\n";
  for (const FeatureInfo& row : kTable)
    text += fmt::format("| {} | {} | {} |\n", row.mjcf, support_text(row.support), row.remark);
  return text;
}

std::vector<std::string> grouped_lines(const std::vector<std::pair<std::string, std::string>>& items) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (const auto& [element, text] : items) {
    // Named once more for the lambda: clang before 16 cannot capture a structured binding.
    auto group =
        std::find_if(groups.begin(), groups.end(), [&wanted = text](const auto& g) { return g.first == wanted; });
    if (group == groups.end()) group = groups.insert(groups.end(), {text, {}});
    group->second.push_back(element);
  }
  std::vector<std::string> lines;
  for (const auto& [text, elements] : groups) {
    const std::size_t shown = std::min(elements.size(), kMostElements);
    std::string line =
        fmt::format("{}: {}", text, fmt::join(elements.begin(), elements.begin() + std::ptrdiff_t(shown), ", "));
    if (shown < elements.size()) line += fmt::format(" … and {} more", elements.size() - shown);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace stiction::detail
