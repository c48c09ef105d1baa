#include "oracles/robot_problems.hpp"

#include <hdf5.h>

#include <filesystem>

namespace stiction {
namespace {

std::vector<double> read_array(hid_t group, const char* name, std::vector<hsize_t>& shape) {
  const hid_t set = H5Dopen2(group, name, H5P_DEFAULT), space = H5Dget_space(set);
  shape.resize(std::size_t(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  std::size_t count = 1;
  for (hsize_t extent : shape) count *= extent;
  std::vector<double> values(count);
  H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(set);
  return values;
}

double read_attribute(hid_t file, const char* name) {
  const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
  double value = 0;
  H5Aread(attribute, H5T_NATIVE_DOUBLE, &value);
  H5Aclose(attribute);
  return value;
}

ContactProblem make_problem(const std::vector<double>& G, const std::vector<double>& q, const std::vector<double>& mu,
                            int nv, double timestep) {
  ContactProblem p;
  p.timestep = timestep;
  p.nv = nv;
  p.ntree = 1;
  p.ninertia = nv * nv;
  p.nblock = int(mu.size());
  p.nrow = int(q.size());
  p.njacobian = int(G.size());
  p.resize();
  p.tree_dof = {0, nv};
  p.tree_inertia = {0, nv * nv};
  for (int i = 0; i < nv; ++i) p.inertia[std::size_t(i * nv + i)] = 1;
  for (int b = 0; b < p.nblock; ++b) {
    const auto i = std::size_t(b);
    p.block_law[i] = Law::kCoulomb;
    p.block_row[i + 1] = 3 * (b + 1);
    p.block_tree_b[i] = -1;
    p.block_jacobian_a[i] = 3 * b * nv;
  }
  p.jacobian = G;
  p.bias = q;
  p.block_friction = mu;
  finish_problem(p);
  return p;
}

}  // namespace

std::vector<ContactProblem> read_robot_problems(const std::string& name) {
  const std::string path = std::string(STICTION_SOURCE_DIR) + "/../shared/data/problems/robots/" + name + ".h5";
  std::vector<ContactProblem> problems;
  if (!std::filesystem::exists(path)) return problems;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const double timestep = read_attribute(file, "h");
  hsize_t count = 0;
  H5Gget_num_objs(file, &count);
  for (hsize_t k = 0; k < count; ++k) {
    char group_name[64];
    H5Gget_objname_by_idx(file, k, group_name, sizeof group_name);
    const hid_t group = H5Gopen2(file, group_name, H5P_DEFAULT);
    std::vector<hsize_t> shape, other;
    const std::vector<double> G = read_array(group, "G", shape), q = read_array(group, "q", other),
                              mu = read_array(group, "mu", other);
    problems.push_back(make_problem(G, q, mu, int(shape[1]), timestep));
    H5Gclose(group);
  }
  H5Fclose(file);
  return problems;
}

}  // namespace stiction
