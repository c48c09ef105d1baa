#include "io/hdf5_group.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace stiction::detail {
namespace {

// Groups remember the order of their members.
Handle group_properties(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose);
  H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return properties;
}

// The format of HDF5 1.10 has checksums of its structure (damage is an error instead of nonsense) and a mark of files
// that were not closed; older formats have neither.
Handle access_properties() {
  Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(properties.get(), H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  return properties;
}

const char* kind_name(H5T_class_t kind) {
  switch (kind) {
    case H5T_FLOAT:
      return "real numbers";
    case H5T_INTEGER:
      return "integers";
    case H5T_STRING:
      return "text";
    case H5T_ENUM:
      return "booleans";
    default:
      return "something else";
  }
}

std::string dims_text(const Dims& dims) {
  return fmt::format("({})", fmt::join(dims, ", "));
}

Handle space_of(const Dims& dims) {
  return dims.empty() ? Handle(H5Screate(H5S_SCALAR), H5Sclose)
                      : Handle(H5Screate_simple(int(dims.size()), dims.data(), nullptr), H5Sclose);
}

hsize_t count_of(const Dims& dims) {
  hsize_t count = 1;
  for (hsize_t n : dims) count *= n;
  return count;
}

void write_text_attribute(hid_t object, const char* name, const std::string& value) {
  const Handle type = string_type(), space = space_of({});
  const Handle attribute =
      Handle(H5Acreate2(object, name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const char* text = value.c_str();
  if (!attribute || H5Awrite(attribute.get(), type.get(), &text) < 0) throw Error(name);
}

}  // namespace

Group::Group(Handle id, std::string file, std::string path)
    : id_(std::make_shared<Handle>(std::move(id))), file_(std::move(file)), path_(std::move(path)) {}

hid_t Group::id() const {
  return id_->get();
}

std::string Group::path_of(const std::string& name) const {
  return name.empty() ? path_ : path_ + "/" + name;
}

void Group::fail(const std::string& name, const std::string& what) const {
  throw Error(fmt::format("{}: '{}' {}", file_, path_of(name), what));
}

Group Group::create_file(const std::string& path) {
  const QuietErrors quiet;
  const Handle properties = group_properties(H5P_FILE_CREATE), access = access_properties();
  Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties.get(), access.get()), H5Fclose);
  if (!file)
    throw Error(
        fmt::format("{}: cannot be created; check that the folder exists and can be written, and that no "
                    "other program has the file open",
                    path));
  return Group(std::move(file), path, "");
}

bool Group::is_hdf5(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Error(fmt::format("{}: no such file", path));
  if (std::filesystem::is_directory(path)) throw Error(fmt::format("{}: is a folder, not an HDF5 file", path));
  const QuietErrors quiet;
  return H5Fis_hdf5(path.c_str()) > 0;
}

Group Group::open_file(const std::string& path, bool write) {
  const QuietErrors quiet;
  if (!is_hdf5(path)) throw Error(fmt::format("{}: is not an HDF5 file", path));
  const Handle access = access_properties();
  Handle file(H5Fopen(path.c_str(), write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file)
    throw Error(
        fmt::format("{}: is an HDF5 file but cannot be opened: it is truncated or damaged (the program that "
                    "wrote it did not finish), or another program is writing it",
                    path));
  return Group(std::move(file), path, "");
}

Group Group::create_group(const std::string& name) const {
  const QuietErrors quiet;
  const Handle properties = group_properties(H5P_GROUP_CREATE);
  Handle group(H5Gcreate2(id(), name.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Gclose);
  if (!group) fail(name, "cannot be created");
  return Group(std::move(group), file_, path_of(name));
}

Group Group::open_group(const std::string& name) const {
  const QuietErrors quiet;
  if (!has(name)) fail(name, "is missing");
  Handle group(H5Gopen2(id(), name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group) fail(name, "is not a group");
  return Group(std::move(group), file_, path_of(name));
}

bool Group::has(const std::string& name) const {
  const QuietErrors quiet;
  return H5Lexists(id(), name.c_str(), H5P_DEFAULT) > 0;
}

void Group::remove(const std::string& name) const {
  const QuietErrors quiet;
  if (H5Ldelete(id(), name.c_str(), H5P_DEFAULT) < 0) fail(name, "cannot be removed");
}

std::vector<std::string> Group::group_names() const {
  const QuietErrors quiet;
  H5G_info_t info{};
  if (H5Gget_info(id(), &info) < 0) fail("", "cannot be read: the file is damaged");
  // A file of another program may not keep the order of creation; then the names give the order.
  Handle probe(H5Oopen_by_idx(id(), ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, 0, H5P_DEFAULT), H5Oclose);
  const H5_index_t order = probe ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  std::vector<std::string> names;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length = H5Lget_name_by_idx(id(), ".", order, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT);
    if (length < 0) fail("", "cannot be listed: the file is damaged");
    std::string name(std::size_t(length), '\0');
    H5Lget_name_by_idx(id(), ".", order, H5_ITER_INC, i, name.data(), name.size() + 1, H5P_DEFAULT);
    const Handle object(H5Oopen(id(), name.c_str(), H5P_DEFAULT), H5Oclose);
    if (object && H5Iget_type(object.get()) == H5I_GROUP) names.push_back(std::move(name));
  }
  return names;
}

bool Group::has_attribute(const std::string& name) const {
  const QuietErrors quiet;
  return H5Aexists(id(), name.c_str()) > 0;
}

void Group::write_attribute(const std::string& name, const std::string& value) const {
  const QuietErrors quiet;
  if (has_attribute(name)) H5Adelete(id(), name.c_str());
  try {
    write_text_attribute(id(), name.c_str(), value);
  } catch (const Error&) {
    fail("@" + name, "cannot be written: is the disk full?");
  }
}

void Group::write_attribute(const std::string& name, std::int64_t value) const {
  const QuietErrors quiet;
  if (has_attribute(name)) H5Adelete(id(), name.c_str());
  const Handle type = memory_type(Scalar::kInt64), space = space_of({});
  const Handle attribute =
      Handle(H5Acreate2(id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute || H5Awrite(attribute.get(), type.get(), &value) < 0)
    fail("@" + name, "cannot be written: is the disk full?");
}

void Group::read_attribute(const std::string& name, H5T_class_t kind, const Handle& type, void* value) const {
  const QuietErrors quiet;
  if (!has_attribute(name)) fail("@" + name, "is missing");
  const Handle attribute(H5Aopen(id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle stored(H5Aget_type(attribute.get()), H5Tclose);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose);
  if (!attribute || H5Tget_class(stored.get()) != kind || H5Sget_simple_extent_npoints(space.get()) != 1 ||
      (kind == H5T_STRING && H5Tis_variable_str(stored.get()) <= 0))
    fail("@" + name, fmt::format("should be one value, {}", kind_name(kind)));
  if (H5Aread(attribute.get(), type.get(), value) < 0) fail("@" + name, "cannot be read: the file is damaged");
}

std::string Group::read_text_attribute(const std::string& name) const {
  char* text = nullptr;
  read_attribute(name, H5T_STRING, string_type(), &text);
  std::string value = text ? text : "";
  H5free_memory(text);
  return value;
}

std::int64_t Group::read_integer_attribute(const std::string& name) const {
  std::int64_t value = 0;
  read_attribute(name, H5T_INTEGER, memory_type(Scalar::kInt64), &value);
  return value;
}

double Group::read_double_attribute(const std::string& name) const {
  double value = 0;
  read_attribute(name, H5T_FLOAT, memory_type(Scalar::kDouble), &value);
  return value;
}

void Group::describe(const Handle& dataset, const FieldInfo& field) const {
  try {
    write_text_attribute(dataset.get(), "unit", field.unit);
    write_text_attribute(dataset.get(), "meaning", field.meaning);
  } catch (const Error&) {
    fail(field.name, "cannot be described: is the disk full?");
  }
}

Handle Group::create_dataset(const std::string& name, const Handle& type, const Handle& space,
                             const Handle& properties) const {
  const QuietErrors quiet;
  Handle dataset(H5Dcreate2(id(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                 H5Dclose);
  if (!dataset) fail(name, "cannot be created: is the disk full?");
  return dataset;
}

void Group::write(const FieldInfo& field, Scalar scalar, const Dims& dims, const void* data) const {
  const QuietErrors quiet;
  const Handle type = memory_type(scalar), properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle dataset = create_dataset(field.name, type, space_of(dims), properties);
  if (count_of(dims) > 0 && H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    fail(field.name, "cannot be written: is the disk full?");
  describe(dataset, field);
}

void Group::write(const FieldInfo& field, const Dims& dims, std::span<const std::string> text) const {
  const QuietErrors quiet;
  const Handle type = string_type(), properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle dataset = create_dataset(field.name, type, space_of(dims), properties);
  std::vector<const char*> pointers;
  for (const std::string& value : text) pointers.push_back(value.c_str());
  if (!pointers.empty() && H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
    fail(field.name, "cannot be written: is the disk full?");
  describe(dataset, field);
}

Handle Group::open_dataset(const std::string& name) const {
  const QuietErrors quiet;
  if (!has(name)) fail(name, "is missing");
  Handle dataset(H5Dopen2(id(), name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) fail(name, "is not a dataset");
  return dataset;
}

Dims Group::dims(const std::string& name) const {
  const QuietErrors quiet;
  const Handle dataset = open_dataset(name);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0) fail(name, "cannot be read: the file is damaged");
  Dims result(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), result.data(), nullptr);
  return result;
}

void Group::check_dims(const std::string& name, const Dims& wanted) const {
  const Dims stored = dims(name);
  if (stored != wanted) fail(name, fmt::format("has the shape {}, expected {}", dims_text(stored), dims_text(wanted)));
}

Handle Group::open_dataset(const std::string& name, Scalar scalar, const Dims& wanted) const {
  const QuietErrors quiet;
  check_dims(name, wanted);
  Handle dataset = open_dataset(name);
  const Handle type = memory_type(scalar), stored_type(H5Dget_type(dataset.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get()), stored_kind = H5Tget_class(stored_type.get());
  if (kind != stored_kind) fail(name, fmt::format("holds {}, expected {}", kind_name(stored_kind), kind_name(kind)));
  return dataset;
}

void Group::read(const std::string& name, Scalar scalar, const Dims& wanted, void* data) const {
  const QuietErrors quiet;
  const Handle dataset = open_dataset(name, scalar, wanted), type = memory_type(scalar);
  if (count_of(wanted) > 0 && H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    fail(name, "cannot be read: the file is truncated or damaged");
}

void Group::read(const std::string& name, const Dims& wanted, std::span<std::string> text) const {
  const QuietErrors quiet;
  check_dims(name, wanted);
  const Handle dataset = open_dataset(name);
  const Handle type = string_type(), stored_type(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Tis_variable_str(stored_type.get()) <= 0) fail(name, "should hold text of variable length");
  if (text.empty()) return;
  std::vector<char*> pointers(text.size(), nullptr);
  if (H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
    fail(name, "cannot be read: the file is truncated or damaged");
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = pointers[i] ? pointers[i] : "";
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, pointers.data());
}

void Group::flush() const {
  const QuietErrors quiet;
  if (H5Fflush(id(), H5F_SCOPE_GLOBAL) < 0) throw Error(fmt::format("{}: cannot be written: is the disk full?", file_));
}

}  // namespace stiction::detail
