// Real robots and scenes: what MuJoCo refuses is an Error that names the file, and of what it accepts every field of
// the loaded Model is the array of MuJoCo's compiled model that it stands for. Numbers are copied, so they must be
// equal bit by bit; only hulls (load_hull_test.cpp) and trees are worked out by the loader.
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include <stiction/load.hpp>

#include "support/shared_data.hpp"

namespace stiction {
namespace {

// Flat numbers of an array field beside `theirs`.
template <class T, class U>
void expect_equal(const char* field, const std::vector<T>& ours, const U* theirs, std::size_t count) {
  using Scalar = typename FieldTraits<T>::Scalar;
  ASSERT_EQ(ours.size() * FieldTraits<T>::kComponents, count) << field;
  const Scalar* numbers = reinterpret_cast<const Scalar*>(ours.data());
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(numbers[i], static_cast<Scalar>(theirs[i])) << field << "[" << i << "]";
}

// Every `stride`-th number, from the `offset`-th on.
template <class U>
std::vector<double> column(const U* data, mjtSize count, int stride, int offset) {
  std::vector<double> values;
  for (mjtSize i = 0; i < count; ++i) values.push_back(static_cast<double>(data[i * stride + offset]));
  return values;
}

std::vector<double> poses(const mjtNum* position, const mjtNum* rotation, mjtSize count) {
  std::vector<double> values;
  for (mjtSize i = 0; i < count; ++i) {
    values.insert(values.end(), position + 3 * i, position + 3 * i + 3);
    values.insert(values.end(), rotation + 4 * i, rotation + 4 * i + 4);
  }
  return values;
}

void compare_bodies(const Model& ours, const mjModel& m) {
  const std::size_t n = std::size_t(m.nbody);
  ASSERT_EQ(ours.nbody, m.nbody);
  for (std::size_t b = 1; b < n; ++b) ASSERT_EQ(ours.body_parent[b], m.body_parentid[b]);
  expect_equal("body_tree", ours.body_tree, m.body_treeid, n);
  expect_equal("body_joint", ours.body_joint, m.body_jntadr, n);
  expect_equal("body_joint_count", ours.body_joint_count, m.body_jntnum, n);
  expect_equal("body_pose", ours.body_pose, poses(m.body_pos, m.body_quat, m.nbody).data(), 7 * n);
  expect_equal("body_mass", ours.body_mass, m.body_mass, n);
  expect_equal("body_com", ours.body_com, m.body_ipos, 3 * n);
  expect_equal("body_inertia_frame", ours.body_inertia_frame, m.body_iquat, 4 * n);
  expect_equal("body_inertia", ours.body_inertia, m.body_inertia, 3 * n);
  expect_equal("body_gravity_compensation", ours.body_gravity_compensation, m.body_gravcomp, n);
  ASSERT_EQ(ours.ntree, m.ntree);
  expect_equal("tree_root", ours.tree_root, m.tree_bodyadr, std::size_t(m.ntree));
  for (std::size_t t = 0; t < std::size_t(m.ntree); ++t) {
    ASSERT_EQ(ours.tree_dof[t], m.tree_dofadr[t]);
    ASSERT_EQ(ours.tree_dof[t + 1], m.tree_dofadr[t] + m.tree_dofnum[t]);
  }
}

void compare_joints(const Model& ours, const mjModel& m) {
  const std::size_t n = std::size_t(m.njnt), nv = std::size_t(m.nv), nq = std::size_t(m.nq);
  expect_equal("joint_type", ours.joint_type, m.jnt_type, n);
  expect_equal("joint_body", ours.joint_body, m.jnt_bodyid, n);
  expect_equal("joint_q", ours.joint_q, m.jnt_qposadr, n);
  expect_equal("joint_dof", ours.joint_dof, m.jnt_dofadr, n);
  expect_equal("joint_anchor", ours.joint_anchor, m.jnt_pos, 3 * n);
  expect_equal("joint_axis", ours.joint_axis, m.jnt_axis, 3 * n);
  const int disabled = m.opt.disableflags;
  for (std::size_t j = 0; j < n; ++j) {
    ASSERT_EQ(ours.joint_limited[j] != 0, m.jnt_limited[j] && !(disabled & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT)));
    ASSERT_EQ(ours.joint_stiffness[j], disabled & mjDSBL_SPRING ? 0 : m.jnt_stiffness[j]);
  }
  expect_equal("joint_lower", ours.joint_lower, column(m.jnt_range, m.njnt, 2, 0).data(), n);
  expect_equal("joint_upper", ours.joint_upper, column(m.jnt_range, m.njnt, 2, 1).data(), n);
  expect_equal("dof_body", ours.dof_body, m.dof_bodyid, nv);
  expect_equal("dof_joint", ours.dof_joint, m.dof_jntid, nv);
  expect_equal("dof_parent", ours.dof_parent, m.dof_parentid, nv);
  expect_equal("dof_armature", ours.dof_armature, m.dof_armature, nv);
  if (!(disabled & mjDSBL_DAMPER)) expect_equal("dof_damping", ours.dof_damping, m.dof_damping, nv);
  if (!(disabled & (mjDSBL_FRICTIONLOSS | mjDSBL_CONSTRAINT)))
    expect_equal("dof_friction", ours.dof_friction, m.dof_frictionloss, nv);
  expect_equal("q_reference", ours.q_reference, m.qpos0, nq);
  expect_equal("q_spring", ours.q_spring, m.qpos_spring, nq);
}

void compare_shapes(const Model& ours, const mjModel& m) {
  const std::size_t n = std::size_t(m.ngeom);
  const std::map<int, ShapeType> types{{mjGEOM_PLANE, ShapeType::kPlane},
                                       {mjGEOM_HFIELD, ShapeType::kHeightField},
                                       {mjGEOM_SPHERE, ShapeType::kSphere},
                                       {mjGEOM_CAPSULE, ShapeType::kCapsule},
                                       {mjGEOM_ELLIPSOID, ShapeType::kEllipsoid},
                                       {mjGEOM_CYLINDER, ShapeType::kCylinder},
                                       {mjGEOM_BOX, ShapeType::kBox},
                                       {mjGEOM_SDF, ShapeType::kMesh}};
  for (std::size_t s = 0; s < n; ++s) {
    if (m.geom_type[s] == mjGEOM_MESH)
      ASSERT_EQ(ours.shape_type[s] == ShapeType::kHull, m.mesh_graphadr[m.geom_dataid[s]] >= 0);
    else
      ASSERT_EQ(ours.shape_type[s], types.at(m.geom_type[s]));
  }
  expect_equal("shape_body", ours.shape_body, m.geom_bodyid, n);
  expect_equal("shape_pose", ours.shape_pose, poses(m.geom_pos, m.geom_quat, m.ngeom).data(), 7 * n);
  expect_equal("shape_size", ours.shape_size, m.geom_size, 3 * n);
  expect_equal("shape_friction", ours.shape_friction, m.geom_friction, 3 * n);
  expect_equal("shape_condim", ours.shape_condim, m.geom_condim, n);
  expect_equal("shape_priority", ours.shape_priority, m.geom_priority, n);
  expect_equal("shape_margin", ours.shape_margin, m.geom_margin, n);
  expect_equal("shape_gap", ours.shape_gap, m.geom_gap, n);
  expect_equal("shape_group", ours.shape_group, m.geom_group, n);
  if (m.opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) return;
  expect_equal("shape_contype", ours.shape_contype, m.geom_contype, n);
  expect_equal("shape_conaffinity", ours.shape_conaffinity, m.geom_conaffinity, n);
  expect_equal("pair_shape_a", ours.pair_shape_a, m.pair_geom1, std::size_t(m.npair));
  expect_equal("pair_shape_b", ours.pair_shape_b, m.pair_geom2, std::size_t(m.npair));
  expect_equal("pair_condim", ours.pair_condim, m.pair_dim, std::size_t(m.npair));
  for (std::size_t p = 0; p < std::size_t(m.npair); ++p) {
    for (std::size_t k = 0; k < 5; ++k) ASSERT_EQ(ours.pair_friction[p][k], m.pair_friction[5 * p + k]);
  }
  for (std::size_t e = 0; e < std::size_t(m.nexclude); ++e)
    ASSERT_EQ((ours.exclude_body_a[e] << 16) + ours.exclude_body_b[e], m.exclude_signature[e]);
}

void compare_actuators_and_keys(const Model& ours, const mjModel& m) {
  const std::size_t n = std::size_t(m.nactuator);
  ASSERT_EQ(ours.actuator_name.size(), n);
  for (std::size_t a = 0; a < n; ++a) {
    ASSERT_EQ(ours.actuator_target_index[a], m.actuator_trnid[2 * a]);
    const mjtNum* gear = m.actuator_gear + 6 * m.actuator_outadr[a];
    ASSERT_EQ(ours.actuator_gear[a].linear, (Vec3{gear[0], gear[1], gear[2]}));
    ASSERT_EQ(ours.actuator_gear[a].angular, (Vec3{gear[3], gear[4], gear[5]}));
    ASSERT_EQ(ours.actuator_second_site[a], m.actuator_trnid[2 * a + 1]);
    ASSERT_EQ(ours.actuator_activation_lower[a], m.actuator_actrange[2 * a]);
    ASSERT_EQ(ours.actuator_length_upper[a], m.actuator_lengthrange[2 * m.actuator_outadr[a] + 1]);
    ASSERT_EQ(ours.actuator_reference_acceleration[a], m.actuator_acc0[m.actuator_outadr[a]]);
    ASSERT_EQ(ours.actuator_gain[a] == ActuatorGain::kFixed, m.actuator_gaintype[a] == mjGAIN_FIXED);
    ASSERT_EQ(ours.actuator_bias[a] == ActuatorBias::kNone, m.actuator_biastype[a] == mjBIAS_NONE);
    ASSERT_EQ(ours.actuator_dynamics[a] == ActuatorDynamics::kNone, m.actuator_dyntype[a] == mjDYN_NONE);
    ASSERT_EQ(ours.actuator_force_limited[a] != 0, m.actuator_forcelimited[a]);
    ASSERT_EQ(ours.actuator_force_upper[a], m.actuator_forcerange[2 * a + 1]);
    if (m.actuator_ctrlnum[a] == 0) continue;
    ASSERT_EQ(ours.actuator_control_lower[a], m.actuator_ctrlrange[2 * m.actuator_ctrladr[a]]);
    ASSERT_EQ(ours.actuator_control_upper[a], m.actuator_ctrlrange[2 * m.actuator_ctrladr[a] + 1]);
  }
  expect_equal("actuator_dynamics_parameters", ours.actuator_dynamics_parameters, m.actuator_dynprm, mjNDYN * n);
  expect_equal("actuator_gain_parameters", ours.actuator_gain_parameters, m.actuator_gainprm, mjNGAIN * n);
  expect_equal("actuator_bias_parameters", ours.actuator_bias_parameters, m.actuator_biasprm, mjNBIAS * n);
  expect_equal("actuator_activation", ours.actuator_activation, m.actuator_actadr, n);
  expect_equal("actuator_activation_count", ours.actuator_activation_count, m.actuator_actnum, n);
  expect_equal("actuator_activation_early", ours.actuator_activation_early, m.actuator_actearly, n);
  expect_equal("actuator_activation_limited", ours.actuator_activation_limited, m.actuator_actlimited, n);
  expect_equal("actuator_crank_length", ours.actuator_crank_length, m.actuator_cranklength, n);
  expect_equal("key_activation", ours.key_activation, m.key_act, std::size_t(m.nkey * m.na));
  for (std::size_t i = 0; i < std::size_t(m.nkey * m.nmocap); ++i)
    ASSERT_EQ(ours.key_mocap_pose[i].p, (Vec3{m.key_mpos[3 * i], m.key_mpos[3 * i + 1], m.key_mpos[3 * i + 2]}));
  expect_equal("key_time", ours.key_time, m.key_time, std::size_t(m.nkey));
  expect_equal("key_q", ours.key_q, m.key_qpos, std::size_t(m.nkey * m.nq));
  expect_equal("key_u", ours.key_u, m.key_qvel, std::size_t(m.nkey * m.nv));
  if (m.nu == m.nactuator) expect_equal("key_control", ours.key_control, m.key_ctrl, std::size_t(m.nkey * m.nu));
}

void compare_tendons(const Model& ours, const mjModel& m) {
  const std::size_t n = std::size_t(m.ntendon), nwrap = std::size_t(m.nwrap);
  for (std::size_t t = 0; t < n; ++t) {
    ASSERT_EQ(ours.tendon_type[t] == TendonType::kSpatial, m.tendon_type[t] == mjTENDON_SPATIAL);
    ASSERT_EQ(ours.tendon_wrap[t], m.tendon_adr[t]);
    ASSERT_EQ(ours.tendon_wrap[t + 1], m.tendon_adr[t] + m.tendon_num[t]);
    ASSERT_EQ(ours.tendon_limited[t] != 0,
              m.tendon_limited[t] && !(m.opt.disableflags & (mjDSBL_LIMIT | mjDSBL_CONSTRAINT)));
  }
  expect_equal("tendon_upper", ours.tendon_upper, column(m.tendon_range, m.ntendon, 2, 1).data(), n);
  expect_equal("tendon_spring_lower", ours.tendon_spring_lower, column(m.tendon_lengthspring, m.ntendon, 2, 0).data(),
               n);
  expect_equal("tendon_reference_length", ours.tendon_reference_length, m.tendon_length0, n);
  expect_equal("tendon_armature", ours.tendon_armature, m.tendon_armature, n);
  if (!(m.opt.disableflags & mjDSBL_SPRING))
    expect_equal("tendon_stiffness", ours.tendon_stiffness, m.tendon_stiffness, n);
  if (!(m.opt.disableflags & mjDSBL_DAMPER)) expect_equal("tendon_damping", ours.tendon_damping, m.tendon_damping, n);
  for (std::size_t w = 0; w < nwrap; ++w) {
    if (ours.wrap_type[w] != WrapType::kPulley) {
      ASSERT_EQ(ours.wrap_object[w], m.wrap_objid[w]);
    }
    const bool curved = m.wrap_type[w] == mjWRAP_SPHERE || m.wrap_type[w] == mjWRAP_CYLINDER;
    if (m.wrap_type[w] != mjWRAP_SITE) {
      ASSERT_EQ(curved ? ours.wrap_side_site[w] : ours.wrap_parameter[w], m.wrap_prm[w]);
    }
  }
}

// Every sensor whose kind the Model knows has its name, object and number of values.
void compare_sensors_and_sites(const Model& ours, const mjModel& m) {
  const std::size_t n = std::size_t(m.nsite);
  expect_equal("site_body", ours.site_body, m.site_bodyid, n);
  expect_equal("site_pose", ours.site_pose, poses(m.site_pos, m.site_quat, m.nsite).data(), 7 * n);
  expect_equal("site_size", ours.site_size, m.site_size, 3 * n);
  for (std::size_t s = 0; s < ours.sensor_name.size(); ++s) {
    const int theirs = mj_name2id(&m, mjOBJ_SENSOR, ours.sensor_name[s].c_str());
    if (theirs < 0) continue;  // a made-up name
    ASSERT_EQ(ours.sensor_object[s], m.sensor_objid[theirs]);
    ASSERT_EQ(ours.sensor_reference[s], m.sensor_refid[theirs]);
    ASSERT_EQ(ours.sensor_data[s + 1] - ours.sensor_data[s], m.sensor_dim[theirs]);
  }
}

void compare_names(const Model& ours, const mjModel& m) {
  const auto compare = [&](const std::vector<std::string>& names, mjtObj type, mjtSize count) {
    ASSERT_EQ(names.size(), std::size_t(count));
    for (int i = 0; i < int(count); ++i) {
      const char* name = mj_id2name(&m, type, i);
      if (name && *name) {
        ASSERT_EQ(names[std::size_t(i)], name);
      }
      ASSERT_FALSE(names[std::size_t(i)].empty());
    }
  };
  compare(ours.body_name, mjOBJ_BODY, m.nbody);
  compare(ours.joint_name, mjOBJ_JOINT, m.njnt);
  compare(ours.shape_name, mjOBJ_GEOM, m.ngeom);
  compare(ours.site_name, mjOBJ_SITE, m.nsite);
  compare(ours.tendon_name, mjOBJ_TENDON, m.ntendon);
  compare(ours.actuator_name, mjOBJ_ACTUATOR, m.nactuator);
  compare(ours.key_name, mjOBJ_KEY, m.nkey);
}

void compare(const Model& ours, const mjModel& theirs) {
  EXPECT_EQ(ours.options.timestep, theirs.opt.timestep);
  const mjtNum* gravity = theirs.opt.gravity;
  const bool weightless = theirs.opt.disableflags & mjDSBL_GRAVITY;
  EXPECT_EQ(ours.options.gravity, weightless ? Vec3{} : (Vec3{gravity[0], gravity[1], gravity[2]}));
  compare_bodies(ours, theirs);
  compare_joints(ours, theirs);
  compare_shapes(ours, theirs);
  compare_actuators_and_keys(ours, theirs);
  compare_tendons(ours, theirs);
  compare_sensors_and_sites(ours, theirs);
  compare_names(ours, theirs);
}

// A file that MuJoCo refuses for want of a picture (which we do not open) may load.
bool wants_picture(const std::string& error) {
  return error.find(".png") != error.npos || error.find(".skn") != error.npos;
}

TEST(load_corpus, files_load_as_mujoco_compiles_them_or_are_refused_with_their_name) {
  const auto files = test::model_files({"robots_mjcf", "robots_urdf", "scenes"});
  if (files.empty()) GTEST_SKIP() << "../shared/data is not there";
  const std::filesystem::path log = std::filesystem::current_path() / "MUJOCO_LOG.TXT";
  const bool log_was_there = std::filesystem::exists(log);
  int refused = 0, loaded = 0, hinges = 0, pairs = 0, actuators = 0, keys = 0, tendons = 0, equalities = 0, sensors = 0;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    std::string why;
    const auto theirs = test::mujoco_model(path, &why);
    Model ours;
    try {
      ours = load(path.string(), {.allow_unsupported = true});
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_FALSE(theirs) << text;
      EXPECT_EQ(text.find(path.string() + ": "), 0u) << text;
      EXPECT_GT(text.size(), path.string().size() + 10) << text;
      ++refused;
      continue;
    }
    EXPECT_TRUE(theirs || wants_picture(why)) << why;
    if (!theirs) continue;
    compare(ours, *theirs);
    if (HasFatalFailure()) break;
    ++loaded;
    for (const JointType type : ours.joint_type) hinges += type == JointType::kHinge;
    pairs += ours.npair + ours.nexclude;
    actuators += ours.nactuator;
    keys += ours.nkey;
    tendons += ours.ntendon;
    equalities += ours.nequality;
    sensors += ours.nsensor;
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(std::filesystem::exists(log), log_was_there);
  std::printf("%d files loaded, %d refused; %d hinges, %d pairs and exclusions, %d actuators, %d keyframes\n", loaded,
              refused, hinges, pairs, actuators, keys);
  std::printf("%d tendons, %d equalities, %d sensors\n", tendons, equalities, sensors);
  // The set is not trivial. With MuJoCo 4.0.0: 254 loaded, 51 refused; 5672 hinges, 667 pairs and exclusions, 5397
  // actuators, 72 keyframes.
  EXPECT_GE(loaded, 200);
  EXPECT_GE(refused, 20);
  EXPECT_GE(hinges, 1000);
  EXPECT_GE(pairs, 100);
  EXPECT_GE(actuators, 1000);
  EXPECT_GE(keys, 20);
}

// mujoco_facts.csv lists the files that MuJoCo refuses (older versions too): each must be an Error here.
TEST(load_corpus, known_bad_files_are_refused) {
  const std::filesystem::path data = test::shared_data();
  if (data.empty()) GTEST_SKIP() << "../shared/data is not there";
  std::ifstream facts(data / "scenes" / "mujoco_facts.csv");
  int refused = 0;
  for (std::string line; std::getline(facts, line);) {
    const std::size_t comma = line.find(',');
    if (line.find("FAIL") != comma + 1 || wants_picture(line)) continue;
    const std::filesystem::path path = data / "scenes" / line.substr(0, comma);
    // Files in Gmsh's newer format: MuJoCo 4 reads them.
    if (line.find("Error reading Nodes header") != line.npos && line.find("malformed") == line.npos) continue;
    EXPECT_THROW(load(path.string(), {.allow_unsupported = true}), Error) << path;
    ++refused;
  }
  EXPECT_GE(refused, 15);
}

}  // namespace
}  // namespace stiction
