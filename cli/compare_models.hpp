// stiction compare --models: one scene under several contact models, each judged against the exact laws.
#pragma once

#include <string>
#include <vector>

namespace stiction::cli {

struct CompareModelsArguments {
  std::string scene, plot;
  std::vector<std::string> models;    // names, or all
  std::vector<std::string> settings;  // NAME=VALUE, for every model
  int steps = 500;
  bool json = false;
};

// The exit code: 0, or 1 if a model ended before the last step.
int compare_models(const CompareModelsArguments& arguments);

}  // namespace stiction::cli
