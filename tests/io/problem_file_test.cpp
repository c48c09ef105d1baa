// Contact problems in files: what is written is read back bit by bit; the reduced format means v = G Gᵀ p + q; a file
// that cannot be read says why.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include <stiction/recording.hpp>

#include "io/file_format.hpp"
#include "io/hdf5_fields.hpp"
#include "io/same_bits.hpp"

namespace stiction {
namespace {

using test::error_of;
using ProblemFile = test::FileTest;

// Two trees of six degrees of freedom, one of two; a Coulomb block between the first two, a unilateral one below the
// last. Numbers are random, some of them at the ends of what a double holds.
ContactProblem make_problem() {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  ContactProblem p;
  p.timestep = 0.002;
  p.velocity_floor = 9.81 * p.timestep;
  p.nv = 14, p.ntree = 3, p.ninertia = 36 + 36 + 4, p.nblock = 2, p.nrow = 4, p.njacobian = 18 + 18 + 2;
  p.resize();
  p.tree_dof = {0, 6, 12, 14};
  p.tree_inertia = {0, 36, 72, 76};
  for (int t = 0; t < 3; ++t) {
    const int n = p.tree_size(t);
    double* M = p.inertia.data() + p.tree_inertia[std::size_t(t)];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) M[i * n + j] = M[j * n + i] = (i == j ? 10 : 0) + uniform(random);
  }
  for (double& x : p.free_velocity) x = uniform(random);
  for (double& x : p.jacobian) x = uniform(random);
  p.free_velocity[0] = -0.0;
  p.free_velocity[1] = 5e-324;
  p.jacobian[3] = 1.0 / 3;
  p.bias = {-0.1, 0, 0, 0.2};
  p.block_law = {Law::kCoulomb, Law::kUnilateral};
  p.block_row = {0, 3, 4};
  p.block_tree_a = {0, -1};
  p.block_tree_b = {1, 2};
  p.block_jacobian_a = {0, 0};
  p.block_jacobian_b = {18, 36};
  p.block_friction = {0.7, 0};
  EXPECT_EQ(finish_problem(p), -1);
  return p;
}

TEST_F(ProblemFile, a_problem_is_read_back_bit_by_bit) {
  const ContactProblem written = make_problem();
  write_problem(file("a.h5"), "first", written);
  const ContactProblem read = read_problem(file("a.h5"), "first");
  test::expect_same_bits(written, read);
  EXPECT_EQ(written.timestep, read.timestep);
  EXPECT_EQ(written.velocity_floor, read.velocity_floor);
}

TEST_F(ProblemFile, problems_are_listed_in_the_order_of_writing_and_replaced_by_name) {
  ContactProblem problem = make_problem();
  for (const char* name : {"zebra", "ant", "middle"}) write_problem(file("a.h5"), name, problem);
  EXPECT_EQ(list_problems(file("a.h5")), (std::vector<std::string>{"zebra", "ant", "middle"}));
  problem.bias[0] = -3;
  write_problem(file("a.h5"), "ant", problem);
  EXPECT_EQ(list_problems(file("a.h5")).size(), 3u);
  EXPECT_EQ(read_problem(file("a.h5"), "ant").bias[0], -3);
  EXPECT_EQ(read_problem(file("a.h5"), "zebra").bias[0], -0.1);
}

TEST_F(ProblemFile, every_dataset_carries_its_unit_and_meaning) {
  const ContactProblem problem = make_problem();
  write_problem(file("a.h5"), "p", problem);
  const detail::Handle opened(H5Fopen(file("a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  int datasets = 0;
  ContactProblem::visit_arrays(problem, [&](const FieldInfo& field, const auto&) {
    const std::string path = std::string("p/") + field.name;
    EXPECT_GT(H5Aexists_by_name(opened.get(), path.c_str(), "unit", H5P_DEFAULT), 0) << path;
    EXPECT_GT(H5Aexists_by_name(opened.get(), path.c_str(), "meaning", H5P_DEFAULT), 0) << path;
    ++datasets;
  });
  EXPECT_GT(datasets, 15);
}

// W = J M⁻¹ Jᵀ must be G Gᵀ, and b must be q: then the problem is the one that the file states.
TEST_F(ProblemFile, the_reduced_format_means_v_equals_G_Gt_p_plus_q) {
  const std::vector<double> G{1, 2, 0, -1, 0.5, 0.25, 3, 1e-3, 2, 2, -2, 7}, q{-1, 0.5, 0.25, -2, 0, 1}, mu{0.3, 0.9};
  {
    const detail::Group root = detail::Group::create_file(file("r.h5"));
    const detail::Group group = root.create_group("000");
    group.write({"G", "", ""}, detail::Scalar::kDouble, {6, 2}, G.data());
    group.write({"q", "", ""}, detail::Scalar::kDouble, {6}, q.data());
    group.write({"mu", "", ""}, detail::Scalar::kDouble, {2}, mu.data());
  }
  {
    const detail::Handle opened(H5Fopen(file("r.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const detail::Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const detail::Handle h(H5Acreate2(opened.get(), "h", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT),
                           H5Aclose);
    const double timestep = 0.005;
    H5Awrite(h.get(), H5T_NATIVE_DOUBLE, &timestep);
  }
  const ContactProblem p = read_problem(file("r.h5"), "000");
  EXPECT_EQ(p.timestep, 0.005);
  EXPECT_EQ(p.nblock, 2);
  EXPECT_EQ(p.nisland, 1);
  EXPECT_EQ(p.bias, q);
  EXPECT_EQ(p.block_friction, mu);
  EXPECT_EQ(p.free_velocity, (std::vector<double>{0, 0}));
  EXPECT_EQ(p.inertia, (std::vector<double>{1, 0, 0, 1}));
  EXPECT_EQ(p.jacobian, G);
  // Largest ‖q_c‖ of a contact that closes: both do, the second has √5.
  EXPECT_DOUBLE_EQ(p.island_scale[0], std::sqrt(5.0));
}

TEST_F(ProblemFile, problems_of_robots_are_all_readable) {
  const std::filesystem::path folder = std::filesystem::path(STICTION_SOURCE_DIR) / "../shared/data/problems/robots";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no " << folder << ": the collected problems are not here";
  int problems = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".h5") continue;
    for (const std::string& name : list_problems(entry.path().string())) {
      const ContactProblem p = read_problem(entry.path().string(), name);
      EXPECT_EQ(p.nrow, 3 * p.nblock);
      EXPECT_EQ(p.nisland, 1);
      ++problems;
    }
  }
  EXPECT_EQ(problems, 328);
}

TEST_F(ProblemFile, keeps_the_start_of_a_step) {
  const ContactProblem problem = make_problem();
  ProblemStart start{.lambda = std::vector<double>(std::size_t(problem.nrow)),
                     .u = std::vector<double>(std::size_t(problem.nv)),
                     .push_out = std::vector<double>(std::size_t(problem.nblock), 0.25)};
  for (std::size_t i = 0; i < start.lambda.size(); ++i) start.lambda[i] = 0.1 + double(i);
  for (std::size_t i = 0; i < start.u.size(); ++i) start.u[i] = -0.3 * double(i);
  write_problem(file("a.h5"), "with", problem, start);
  write_problem(file("a.h5"), "without", problem);
  EXPECT_EQ(read_problem_start(file("a.h5"), "with").lambda, start.lambda);
  EXPECT_EQ(read_problem_start(file("a.h5"), "with").u, start.u);
  EXPECT_EQ(read_problem_start(file("a.h5"), "with").push_out, start.push_out);
  EXPECT_TRUE(read_problem_start(file("a.h5"), "without").lambda.empty());
  EXPECT_TRUE(read_problem_start(file("a.h5"), "without").u.empty());
  EXPECT_TRUE(read_problem_start(file("a.h5"), "without").push_out.empty());
  start.u.pop_back();
  const std::string message = error_of([&] { write_problem(file("a.h5"), "bad", problem, start); });
  EXPECT_NE(message.find("velocities for"), std::string::npos) << message;
}

TEST_F(ProblemFile, bad_files_say_what_is_wrong) {
  EXPECT_NE(error_of([&] { list_problems(file("none.h5")); }).find("no such file"), std::string::npos);
  std::ofstream(file("text.h5")) << "this is not HDF5";
  EXPECT_NE(error_of([&] { list_problems(file("text.h5")); }).find("is not an HDF5 file"), std::string::npos);

  write_problem(file("a.h5"), "p", make_problem());
  const std::string unknown = error_of([&] { read_problem(file("a.h5"), "q"); });
  EXPECT_NE(unknown.find("no contact problem 'q'; it holds p"), std::string::npos) << unknown;

  std::filesystem::copy(file("a.h5"), file("cut.h5"));
  std::filesystem::resize_file(file("cut.h5"), std::filesystem::file_size(file("cut.h5")) / 2);
  EXPECT_NE(error_of([&] { read_problem(file("cut.h5"), "p"); }).find("truncated or damaged"), std::string::npos);

  std::filesystem::copy(file("a.h5"), file("gap.h5"));
  detail::Group::open_file(file("gap.h5"), true).open_group("p").remove("bias");
  const std::string missing = error_of([&] { read_problem(file("gap.h5"), "p"); });
  EXPECT_NE(missing.find("gap.h5: '/p/bias' is missing"), std::string::npos) << missing;

  detail::Group::open_file(file("a.h5"), true).write_attribute("format", std::int64_t(99));
  const std::string other = error_of([&] { list_problems(file("a.h5")); });
  EXPECT_NE(other.find("format number 99"), std::string::npos) << other;
  EXPECT_NE(other.find("reads format number " + std::to_string(detail::kProblemsKind.format)), std::string::npos)
      << other;
}

TEST_F(ProblemFile, an_inconsistent_problem_is_refused_with_its_name) {
  ContactProblem problem = make_problem();
  problem.block_friction[0] = -1;
  write_problem(file("a.h5"), "p", problem);
  const std::string text = error_of([&] { read_problem(file("a.h5"), "p"); });
  EXPECT_NE(text.find("'/p'"), std::string::npos) << text;
  EXPECT_NE(text.find("friction"), std::string::npos) << text;

  problem = make_problem();
  problem.inertia[0] = -5;
  write_problem(file("a.h5"), "p", problem);
  EXPECT_NE(error_of([&] { read_problem(file("a.h5"), "p"); }).find("not positive definite"), std::string::npos);

  const auto message = [&](const ContactProblem& bad) {
    write_problem(file("a.h5"), "p", bad);
    return error_of([&] { read_problem(file("a.h5"), "p"); });
  };
  problem = make_problem();
  problem.bias[1] = NAN;
  EXPECT_NE(message(problem).find("bias[1] is not finite"), std::string::npos) << message(problem);
  problem = make_problem();
  problem.inertia[1] += 0.01;
  EXPECT_NE(message(problem).find("inertia of tree 0 is not symmetric in row 1, column 0"), std::string::npos)
      << message(problem);
}

}  // namespace
}  // namespace stiction
