// A text file of numbers, line by line and word by word; '#' begins a comment. Errors name the file and the line.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace stiction::detail {

class TextLines {
 public:
  explicit TextLines(const std::string& path);

  // The words of the next line that holds any; false at the end.
  bool next();
  // The same, with as many words as there must be.
  void need(std::size_t count, const std::string& what);

  const std::string& word(std::size_t i) const { return words_[i]; }
  std::size_t count() const { return words_.size(); }
  int integer(std::size_t i) const;
  double real(std::size_t i) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  template <class T>
  T number(std::size_t i, const char* kind) const;

  std::string path_;
  std::ifstream file_;
  std::vector<std::string> words_;
  int number_ = 0;
};

}  // namespace stiction::detail
