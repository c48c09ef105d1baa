#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <stiction/error.hpp>

namespace stiction::cli {
namespace {

constexpr double kWidth = 420, kHeight = 320, kLeft = 70, kTop = 50, kGap = 90, kBottom = 60;
constexpr double kLeast = 1e-16;  // a residual of zero is drawn here
// Okabe and Ito's palette, told apart by most eyes.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

struct Decades {
  int first = 0, last = 1;
  double place(double value, double length) const {
    return length * (std::log10(std::max(value, kLeast)) - first) / (last - first);
  }
};

Decades decades_of(const Panel& panel, bool x) {
  double least = INFINITY, most = 0;
  for (const Curve& curve : panel.curves)
    for (const auto& [px, py] : curve.points) {
      const double value = std::max(x ? px : py, kLeast);
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  if (!(most > 0)) return {};
  const int first = int(std::floor(std::log10(least)));
  return {first, std::max(first + 1, int(std::ceil(std::log10(most))))};
}

std::string draw_axes(const Panel& panel, const Decades& x, const Decades& y) {
  std::string text = fmt::format("<rect width='{}' height='{}' fill='none' stroke='#888'/>\n", kWidth, kHeight);
  for (int d = x.first; d <= x.last; ++d) {
    const double at = x.place(std::pow(10.0, d), kWidth);
    text += fmt::format(
        "<line x1='{0:.1f}' x2='{0:.1f}' y2='{1}' stroke='#ddd'/><text x='{0:.1f}' y='{2}' "
        "text-anchor='middle'>1e{3}</text>\n",
        at, kHeight, kHeight + 16, d);
  }
  for (int d = y.first, step = std::max(1, (y.last - y.first) / 8); d <= y.last; d += step) {
    const double at = kHeight - y.place(std::pow(10.0, d), kHeight);
    text += fmt::format(
        "<line y1='{0:.1f}' y2='{0:.1f}' x2='{1}' stroke='#ddd'/><text x='-6' y='{2:.1f}' "
        "text-anchor='end'>1e{3}</text>\n",
        at, kWidth, at + 4, d);
  }
  text +=
      fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", 0.5 * kWidth, kHeight + 36, panel.x_label);
  text += fmt::format("<text transform='translate(-50,{}) rotate(-90)' text-anchor='middle'>{}</text>\n", 0.5 * kHeight,
                      panel.y_label);
  return text;
}

std::string draw_curves(const Panel& panel, const Decades& x, const Decades& y) {
  std::string text;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const char* colour = kColours[i % std::size(kColours)];
    std::string line;
    for (const auto& [px, py] : panel.curves[i].points)
      if (std::isfinite(py)) line += fmt::format("{:.1f},{:.1f} ", x.place(px, kWidth), kHeight - y.place(py, kHeight));
    text += fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='1.8'/>\n", line, colour);
    text += fmt::format("<text x='{}' y='{}' text-anchor='end' fill='{}'>{}</text>\n", kWidth - 8, 18 + 15 * double(i),
                        colour, panel.curves[i].name);
  }
  return text;
}

}  // namespace

void write_plot(const std::string& path, const std::string& title, const std::vector<Panel>& panels) {
  const double width = kLeft + double(panels.size()) * (kWidth + kGap), height = kTop + kHeight + kBottom;
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' font-family='sans-serif' font-size='12'>\n"
      "<rect width='{0}' height='{1}' fill='white'/>\n<text x='{2}' y='28' font-size='15'>{3}</text>\n",
      width, height, kLeft, title);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Decades x = decades_of(panels[i], true), y = decades_of(panels[i], false);
    text += fmt::format("<g transform='translate({},{})'>\n{}{}</g>\n", kLeft + double(i) * (kWidth + kGap), kTop,
                        draw_axes(panels[i], x, y), draw_curves(panels[i], x, y));
  }
  std::ofstream file(path);
  file << text << "</svg>\n";
  file.close();
  if (!file) throw Error(fmt::format("{}: cannot be written", path));
}

}  // namespace stiction::cli
