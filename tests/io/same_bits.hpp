// Comparison bit by bit of two structs that have field tables, and a folder for the files of a test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <stiction/error.hpp>
#include <stiction/field.hpp>

namespace stiction::test {

// Bytes of every field, name by name: -0.0 and 0.0 differ, a NaN equals itself.
struct CollectBits {
  std::vector<std::pair<std::string, std::string>>& out;

  template <class T>
  void operator()(const FieldInfo& field, const T& value) const {
    out.emplace_back(field.name, std::string(reinterpret_cast<const char*>(&value), sizeof(T)));
  }
  template <class T>
  void operator()(const FieldInfo& field, const std::vector<T>& array) const {
    out.emplace_back(field.name, std::string(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(T)));
  }
  void operator()(const FieldInfo& field, const std::string& value) const { out.emplace_back(field.name, value); }
  void operator()(const FieldInfo& field, const std::vector<std::string>& array) const {
    std::string joined;
    for (const std::string& text : array) joined += text + '\0';
    out.emplace_back(field.name, joined);
  }
};

template <class T>
std::vector<std::pair<std::string, std::string>> bits(const T& value) {
  std::vector<std::pair<std::string, std::string>> out;
  const CollectBits collect{out};
  if constexpr (requires { T::visit_sizes(value, collect); }) T::visit_sizes(value, collect);
  if constexpr (requires { T::visit_arrays(value, collect); }) T::visit_arrays(value, collect);
  if constexpr (requires { T::visit(value, collect); }) T::visit(value, collect);
  return out;
}

template <class T>
void expect_same_bits(const T& a, const T& b) {
  const auto bits_a = bits(a), bits_b = bits(b);
  ASSERT_FALSE(bits_a.empty());
  ASSERT_EQ(bits_a.size(), bits_b.size());
  for (std::size_t i = 0; i < bits_a.size(); ++i)
    EXPECT_TRUE(bits_a[i].second == bits_b[i].second) << "field " << bits_a[i].first << " differs";
}

// A folder of its own for each test, removed at the end.
class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / ("stiction_" + std::string(test->test_suite_name()) + "_" +
                                                        test->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

// Text of the Error that f throws; empty if it does not throw.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace stiction::test
