// Curves of residuals as an SVG picture: a logarithmic y axis, several panels in rows, one colour for each name.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stiction::cli {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // y ≥ 0; x > 0 on a logarithmic axis
  bool dashed = false;
};

struct Panel {
  std::string x_label, y_label;
  std::vector<Curve> curves;
  std::string title = {};
  bool linear_x = false;  // counts from 0 on; otherwise logarithmic
};

// columns: panels in a row; 0: all of them. Throws Error if the file cannot be written.
void write_plot(const std::string& path, const std::string& title, const std::vector<Panel>& panels, int columns = 0);

}  // namespace stiction::cli
