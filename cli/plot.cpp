#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <stiction/error.hpp>

namespace stiction::cli {
namespace {

constexpr double kWidth = 420, kHeight = 320, kLeft = 70, kTop = 60, kGap = 90, kBottom = 75;
constexpr double kLeast = 1e-16;  // a residual of zero is drawn here
// Okabe and Ito's palette, told apart by most eyes.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

// A logarithmic axis from 10^first to 10^last, or a linear one from first to last.
struct Axis {
  int first = 0, last = 1;
  bool linear = false;
  double place(double value, double length) const {
    const double at = linear ? value : std::log10(std::max(value, kLeast));
    return length * (at - first) / (last - first);
  }
  // Where lines are drawn: at most about eight.
  int step() const {
    const int span = last - first;
    if (!linear) return std::max(1, span / 8);
    int step = 1;
    while (span / step > 8) step *= step % 10 == 0 || step == 1 ? 5 : 2;
    return step;
  }
  double value(int mark) const { return linear ? mark : std::pow(10.0, mark); }
  std::string label(int mark) const { return linear ? fmt::format("{}", mark) : fmt::format("1e{}", mark); }
};

Axis axis_of(const Panel& panel, bool x) {
  double least = INFINITY, most = 0;
  for (const Curve& curve : panel.curves)
    for (const auto& [px, py] : curve.points) {
      const double value = std::max(x ? px : py, kLeast);
      if (!std::isfinite(value)) continue;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  if (x && panel.linear_x) return {0, std::max(1, int(std::ceil(most))), true};
  if (!(most > 0)) return {};
  const int first = int(std::floor(std::log10(least)));
  return {first, std::max(first + 1, int(std::ceil(std::log10(most))))};
}

std::string draw_axes(const Panel& panel, const Axis& x, const Axis& y) {
  std::string text = fmt::format("<rect width='{}' height='{}' fill='none' stroke='#888'/>\n", kWidth, kHeight);
  text += fmt::format("<text x='{}' y='-8' text-anchor='middle' font-size='13'>{}</text>\n", 0.5 * kWidth, panel.title);
  for (int mark = x.first; mark <= x.last; mark += x.step())
    text += fmt::format(
        "<line x1='{0:.1f}' x2='{0:.1f}' y2='{1}' stroke='#ddd'/><text x='{0:.1f}' y='{2}' "
        "text-anchor='middle'>{3}</text>\n",
        x.place(x.value(mark), kWidth), kHeight, kHeight + 16, x.label(mark));
  for (int mark = y.first; mark <= y.last; mark += y.step()) {
    const double at = kHeight - y.place(y.value(mark), kHeight);
    text += fmt::format(
        "<line y1='{0:.1f}' y2='{0:.1f}' x2='{1}' stroke='#ddd'/><text x='-6' y='{2:.1f}' "
        "text-anchor='end'>{3}</text>\n",
        at, kWidth, at + 4, y.label(mark));
  }
  text +=
      fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", 0.5 * kWidth, kHeight + 36, panel.x_label);
  text += fmt::format("<text transform='translate(-50,{}) rotate(-90)' text-anchor='middle'>{}</text>\n", 0.5 * kHeight,
                      panel.y_label);
  return text;
}

std::string draw_curves(const Panel& panel, const Axis& x, const Axis& y) {
  std::string text;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const char* colour = kColours[i % std::size(kColours)];
    std::string line;
    for (const auto& [px, py] : panel.curves[i].points)
      if (std::isfinite(py)) line += fmt::format("{:.1f},{:.1f} ", x.place(px, kWidth), kHeight - y.place(py, kHeight));
    text += fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='1.8'{}/>\n", line, colour,
                        panel.curves[i].dashed ? " stroke-dasharray='5 4'" : "");
    text += fmt::format("<text x='{}' y='{}' text-anchor='end' fill='{}'>{}</text>\n", kWidth - 8, 18 + 15 * double(i),
                        colour, panel.curves[i].name);
  }
  return text;
}

}  // namespace

void write_plot(const std::string& path, const std::string& title, const std::vector<Panel>& panels, int columns) {
  const int count = int(panels.size()), across = columns > 0 ? columns : count;
  const int down = (count + across - 1) / across;
  const double width = kLeft + across * (kWidth + kGap), height = kTop + down * (kHeight + kBottom);
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' font-family='sans-serif' font-size='12'>\n"
      "<rect width='{0}' height='{1}' fill='white'/>\n<text x='{2}' y='24' font-size='15'>{3}</text>\n",
      width, height, kLeft, title);
  for (int i = 0; i < count; ++i) {
    const Panel& panel = panels[std::size_t(i)];
    const Axis x = axis_of(panel, true), y = axis_of(panel, false);
    const int column = i % across, row = i / across;
    text += fmt::format("<g transform='translate({},{})'>\n{}{}</g>\n", kLeft + column * (kWidth + kGap),
                        kTop + row * (kHeight + kBottom), draw_axes(panel, x, y), draw_curves(panel, x, y));
  }
  std::ofstream file(path);
  file << text << "</svg>\n";
  file.close();
  if (!file) throw Error(fmt::format("{}: cannot be written", path));
}

}  // namespace stiction::cli
