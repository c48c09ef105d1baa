// Copies the compiled model: bodies, joints, options, keyframes. MuJoCo's order of bodies, joints and coordinates is
// kept (the coordinates are laid out by our own rule, which gives the same order for depth-first bodies; a test holds
// the two together).
#include "io/load_parts.hpp"
#include "model/names.hpp"
#include "model/tree.hpp"

namespace stiction::detail {

namespace {

std::string name_of(const mjModel& m, mjtObj type, std::size_t id) {
  const char* name = mj_id2name(&m, type, static_cast<int>(id));
  return name ? name : "";
}

void fill_names_of(const mjModel& m, mjtObj type, const char* kind, std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = name_of(m, type, i);
  fill_names(kind, names);
}

void fill_bodies(const mjModel& m, Model& model) {
  fill_names_of(m, mjOBJ_BODY, "body", model.body_name);
  for (std::size_t b = 0; b < model.body_name.size(); ++b) {
    model.body_parent[b] = b == 0 ? -1 : m.body_parentid[b];
    model.body_joint[b] = m.body_jntadr[b];
    model.body_joint_count[b] = m.body_jntnum[b];
    model.body_pose[b] = {vec3(m.body_pos, b), quat(m.body_quat, b)};
    model.body_mass[b] = m.body_mass[b];
    model.body_com[b] = vec3(m.body_ipos, b);
    model.body_inertia_frame[b] = quat(m.body_iquat, b);
    model.body_inertia[b] = vec3(m.body_inertia, b);
    model.body_gravity_compensation[b] = m.body_gravcomp[b];
    model.body_mocap[b] = m.body_mocapid[b];
  }
}

void fill_joints(const mjModel& m, Model& model) {
  fill_names_of(m, mjOBJ_JOINT, "joint", model.joint_name);
  const bool limits = !disabled(m, mjDSBL_LIMIT) && !disabled(m, mjDSBL_CONSTRAINT);
  const bool springs = !disabled(m, mjDSBL_SPRING);
  for (std::size_t j = 0; j < model.joint_name.size(); ++j) {
    model.joint_type[j] = static_cast<JointType>(m.jnt_type[j]);  // same numbers
    model.joint_body[j] = m.jnt_bodyid[j];
    model.joint_anchor[j] = vec3(m.jnt_pos, j);
    model.joint_axis[j] = vec3(m.jnt_axis, j);
    model.joint_limited[j] = limits && m.jnt_limited[j] ? 1 : 0;
    model.joint_lower[j] = m.jnt_range[2 * j];
    model.joint_upper[j] = m.jnt_range[2 * j + 1];
    model.joint_margin[j] = m.jnt_margin[j];
    model.joint_stiffness[j] = springs ? m.jnt_stiffness[j] : 0;
    model.joint_force_limited[j] = m.jnt_actfrclimited[j] ? 1 : 0;
    model.joint_force_lower[j] = m.jnt_actfrcrange[2 * j];
    model.joint_force_upper[j] = m.jnt_actfrcrange[2 * j + 1];
    model.joint_actuator_compensates[j] = m.jnt_actgravcomp[j] ? 1 : 0;
  }
}

void fill_dofs(const mjModel& m, Model& model) {
  const bool damping = !disabled(m, mjDSBL_DAMPER);
  const bool friction = !disabled(m, mjDSBL_FRICTIONLOSS) && !disabled(m, mjDSBL_CONSTRAINT);
  for (std::size_t d = 0; d < model.dof_body.size(); ++d) {
    model.dof_armature[d] = m.dof_armature[d];
    model.dof_damping[d] = damping ? m.dof_damping[d] : 0;
    model.dof_friction[d] = friction ? m.dof_frictionloss[d] : 0;
  }
  model.q_reference.assign(m.qpos0, m.qpos0 + m.nq);
  model.q_spring.assign(m.qpos_spring, m.qpos_spring + m.nq);
}

void fill_exclusions(const mjModel& m, Model& model) {
  for (std::size_t e = 0; e < model.exclude_body_a.size(); ++e) {
    model.exclude_body_a[e] = m.exclude_signature[e] >> 16;
    model.exclude_body_b[e] = m.exclude_signature[e] & 0xFFFF;
  }
}

void fill_keyframes(const mjModel& m, Model& model) {
  fill_names_of(m, mjOBJ_KEY, "key", model.key_name);
  model.key_time.assign(m.key_time, m.key_time + m.nkey);
  model.key_q.assign(m.key_qpos, m.key_qpos + m.nkey * m.nq);
  model.key_u.assign(m.key_qvel, m.key_qvel + m.nkey * m.nv);
  model.key_activation.assign(m.key_act, m.key_act + m.nkey * m.na);
  for (std::size_t i = 0; i < model.key_mocap_pose.size(); ++i)
    model.key_mocap_pose[i] = {vec3(m.key_mpos, i), normalized(quat(m.key_mquat, i))};
  for (std::size_t k = 0; k < model.key_name.size(); ++k)
    for (std::size_t a = 0; a < model.actuator_name.size(); ++a)
      model.key_control[k * model.actuator_name.size() + a] =
          m.actuator_ctrlnum[a] > 0
              ? m.key_ctrl[k * static_cast<std::size_t>(m.nu) + std::size_t(m.actuator_ctrladr[a])]
              : 0;
}

}  // namespace

Model fill_model(const mjModel& m, const std::string& name, MeshShapes meshes) {
  Model model;
  model.name = name;
  model.options.timestep = m.opt.timestep;
  model.options.gravity = disabled(m, mjDSBL_GRAVITY) ? Vec3{} : vec3(m.opt.gravity, 0);
  const bool fluid = !disabled(m, mjDSBL_SPRING) || !disabled(m, mjDSBL_DAMPER);
  model.options.fluid_density = fluid ? m.opt.density : 0;
  model.options.fluid_viscosity = fluid ? m.opt.viscosity : 0;
  model.options.wind = vec3(m.opt.wind, 0);
  model.nbody = static_cast<int>(m.nbody);
  model.njoint = static_cast<int>(m.njnt);
  model.nshape = static_cast<int>(m.ngeom);
  model.npair = disabled(m, mjDSBL_CONTACT) || disabled(m, mjDSBL_CONSTRAINT) ? 0 : static_cast<int>(m.npair);
  model.nexclude = static_cast<int>(m.nexclude);
  model.nsite = static_cast<int>(m.nsite);
  model.ntendon = static_cast<int>(m.ntendon);
  model.nwrap = static_cast<int>(m.nwrap);
  model.nactuator = static_cast<int>(m.nactuator);
  model.nactivation = static_cast<int>(m.na);
  model.nmocap = static_cast<int>(m.nmocap);
  model.nkey = static_cast<int>(m.nkey);
  model.resize();
  fill_bodies(m, model);
  fill_joints(m, model);
  lay_out_coordinates(model);
  fill_dofs(m, model);
  fill_shapes(m, model);
  model.hull_vertex = model.hull_face = model.hull_face_vertex = {0};
  model.mesh_vertex = model.mesh_triangle = model.height_field_sample = {0};
  fill_triangles(m, geoms_as(MeshShapes::kTriangles, m, meshes), model);
  fill_hulls(m, geoms_as(MeshShapes::kHulls, m, meshes), model);
  fill_height_fields(m, model);
  fill_exclusions(m, model);
  fill_sites(m, model);
  fill_equalities(m, model);
  fill_tendons(m, model);
  fill_actuators(m, model);
  fill_sensors(m, model);
  fill_keyframes(m, model);
  fill_names_of(m, mjOBJ_GEOM, "shape", model.shape_name);
  fill_names_of(m, mjOBJ_SITE, "site", model.site_name);
  fill_names("equality", model.equality_name);
  fill_names_of(m, mjOBJ_TENDON, "tendon", model.tendon_name);
  fill_names_of(m, mjOBJ_ACTUATOR, "actuator", model.actuator_name);
  fill_names("sensor", model.sensor_name);
  return model;
}

}  // namespace stiction::detail
