// Curves of residuals as an SVG picture: logarithmic axes, several panels side by side, one colour for each name.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stiction::cli {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x > 0, y ≥ 0
};

struct Panel {
  std::string x_label, y_label;
  std::vector<Curve> curves;
};

// Throws Error if the file cannot be written.
void write_plot(const std::string& path, const std::string& title, const std::vector<Panel>& panels);

}  // namespace stiction::cli
