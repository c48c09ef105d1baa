#include "step/fingerprint.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace stiction {
namespace {

struct AddField {
  Fingerprint& out;

  template <class T>
  void operator()(const FieldInfo&, const std::vector<T>& array) const {
    out.add(array.data(), array.size());
  }
  void operator()(const FieldInfo&, const std::vector<std::string>&) const {}
  template <class T>
  void operator()(const FieldInfo& field, const T& value) const {
    if (std::string_view(field.name) != "threads") out.add(&value, 1);
  }
  void operator()(const FieldInfo&, const std::string& text) const { out.add(text.data(), text.size()); }
};

}  // namespace

std::uint64_t fingerprint(const Model& model) {
  Fingerprint out;
  Model::visit_arrays(model, AddField{out});
  return out.value();
}

std::uint64_t fingerprint(const Options& options) {
  Fingerprint out;
  Options::visit(options, AddField{out});
  return out.value();
}

}  // namespace stiction
