// The experiments of Macklin et al. 2019, Non-Smooth Newton Methods for Deformable Multi-Body Dynamics, on our scenes
// of the same bodies: which linear solver, which complementarity preconditioner, what single precision can reach.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plot.hpp"

namespace stiction::cli {

struct FigureRow {
  std::string panel, curve;
  double first = 0, last = 0;  // residual at the start, and the least one
  int iterations = 0;          // to the least one
};

struct PaperFigure {
  std::string title;
  std::vector<Panel> panels;
  int columns = 0;
  std::vector<FigureRow> table;
};

// Reports what share of a figure is done, 0 … 1.
using Progress = std::function<void(double)>;

struct PaperExperiment {
  int number = 0;  // of the figure in the paper
  const char* meaning = "";
  PaperFigure (*run)(const Progress& progress);
};

const std::vector<PaperExperiment>& paper_004();

}  // namespace stiction::cli
