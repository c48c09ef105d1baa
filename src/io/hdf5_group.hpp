// Thin layer over the C interface of HDF5 (serial): groups, whole datasets and attributes. Every failure is an Error
// that names the file and the path inside it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <stiction/error.hpp>
#include <stiction/field.hpp>

#include "io/hdf5_types.hpp"

namespace stiction::detail {

using Dims = std::vector<hsize_t>;

// A group of an open file. Copies share the file, which closes with the last of them.
class Group {
 public:
  // A new file (an old one of that name is overwritten), or an old one for reading or for reading and writing.
  static Group create_file(const std::string& path);
  static Group open_file(const std::string& path, bool write = false);
  static bool is_hdf5(const std::string& path);  // Error if there is no such file

  Group create_group(const std::string& name) const;  // its members keep the order in which they are written
  Group open_group(const std::string& name) const;
  bool has(const std::string& name) const;
  void remove(const std::string& name) const;
  std::vector<std::string> group_names() const;  // in the order of creation if the file knows it, otherwise by name

  bool has_attribute(const std::string& name) const;
  void write_attribute(const std::string& name, const std::string& value) const;
  void write_attribute(const std::string& name, std::int64_t value) const;
  std::string read_text_attribute(const std::string& name) const;
  std::int64_t read_integer_attribute(const std::string& name) const;
  double read_double_attribute(const std::string& name) const;

  // Whole datasets; no dims: a scalar. Each carries its unit and meaning as attributes.
  void write(const FieldInfo& field, Scalar scalar, const Dims& dims, const void* data) const;
  void write(const FieldInfo& field, const Dims& dims, std::span<const std::string> text) const;
  Dims dims(const std::string& name) const;
  // The dataset must have exactly these dims.
  void read(const std::string& name, Scalar scalar, const Dims& dims, void* data) const;
  void read(const std::string& name, const Dims& dims, std::span<std::string> text) const;

  // A dataset without data yet, and an old one that must have this type and these dims.
  Handle create_dataset(const std::string& name, const Handle& type, const Handle& space,
                        const Handle& properties) const;
  Handle open_dataset(const std::string& name, Scalar scalar, const Dims& dims) const;
  void describe(const Handle& dataset, const FieldInfo& field) const;  // writes unit and meaning
  void flush() const;

  const std::string& file() const { return file_; }
  std::string path_of(const std::string& name) const;  // path inside the file
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;

 private:
  Group(Handle id, std::string file, std::string path);
  hid_t id() const;
  Handle open_dataset(const std::string& name) const;
  void check_dims(const std::string& name, const Dims& wanted) const;
  void read_attribute(const std::string& name, H5T_class_t kind, const Handle& type, void* value) const;

  std::shared_ptr<Handle> id_;
  std::string file_;
  std::string path_;
};

}  // namespace stiction::detail
