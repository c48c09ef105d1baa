// A program outside the project: the installed headers compile by themselves and agree with the library.
#include <cstdio>
#include <stiction/stiction.hpp>

int main() {
  std::printf("stiction %s\n", stiction::kVersion);
  return 0;
}
