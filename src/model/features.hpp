// What MJCF can say and what becomes of it here. One table: the loader's report, the check before stepping and the page
// docs/mjcf.md all take their words from it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace stiction::detail {

enum class Support {
  kYes,      // does what the file says
  kNotYet,   // changes the physics and is missing: an error unless asked otherwise
  kWarning,  // missing, but the motion is the same without it: a warning
  kNote,     // left out on purpose, said once per file where it is set away from its default
  kSilent,   // has no bearing on a simulation
};

// X(enumerator, MJCF, support, remark). The remark of a kNotYet row says what is missing and what to do.
#define STICTION_FEATURES(X)                                                                                           \
  X(kCompiler, "`include`, `default`, `frame`, `replicate`, `attach`, `compiler`", kYes,                               \
    "read and compiled by MuJoCo")                                                                                     \
  X(kUrdf, "URDF: links, joints, `mimic`, `package://` paths of meshes", kYes,                                         \
    "the folder of a package is looked for at and above the file; links without `inertial` are reported")              \
  X(kTimestep, "`option`: `timestep`, `gravity`", kYes, "`--timestep` and `--set gravity=…` override them")            \
  X(kFlags,                                                                                                            \
    "`flag`: `gravity`, `contact`, `constraint`, `limit`, `spring`, `damper`, `frictionloss`, `equality`, "            \
    "`clampctrl`",                                                                                                     \
    kYes, "what is disabled is left out of the model")                                                                 \
  X(kSoftContact, "`solref`, `solimp`, `solmix`, `solreffriction`, `impratio`", kNote,                                 \
    "settings of soft contact have no meaning for exact rigid contact")                                                \
  X(kSolverSettings,                                                                                                   \
    "`option`: `cone`, `solver`, `iterations`, `tolerance`, `ls_…`, `noslip_…`, `ccd_…`, `sdf_…`, "            \
    "`jacobian`; `flag`: `warmstart`, `refsafe`, `midphase`, `nativeccd`, `multiccd`, `island`, `diagexact`, "         \
    "`speculative`, `ipc`",                                                                                            \
    kNote, "MuJoCo's solver and collision settings: Stiction has its own (`--set solver=…`)")                          \
  X(kIntegrator, "`option`: `integrator`; `flag`: `eulerdamp`, `autoreset`", kNote,                                    \
    "Stiction has its own integrators: the midpoint rule, or semi-implicit (`--set integrator=euler`), both exact "    \
    "for torque-free rotation; it never resets a state")                                                               \
  X(kFluid, "`option`: `density`, `viscosity`, `wind`", kYes,                                                          \
    "each body as the box of its inertia; `--set fluid_density=…` and so on override them")                            \
  X(kFluidShape, "`geom`: `fluidshape=\"ellipsoid\"`", kNotYet,                                                        \
    "forces of a fluid on ellipsoids are not simulated: remove fluidshape, so that the box of the inertia counts")     \
  X(kOverride, "`flag`: `override`", kNotYet, "override of contact parameters is not simulated: set them on geoms")    \
  X(kSleep, "`flag`: `sleep`", kNotYet, "sleep is the option sleep_time of the simulation: remove the flag")           \
  X(kFilterParent, "`flag`: `filterparent`", kNotYet,                                                                  \
    "contact between parent and child cannot be switched on for a whole file: write contact pairs")                    \
  X(kActuationOff, "`flag`: `actuation`; `option`: `actuatorgroupdisable`", kNotYet,                                   \
    "actuators cannot be switched off by a flag: remove them")                                                         \
  X(kBody, "`body` (free, or fixed to the world or to another body), `inertial`, `geom`: `mass`, `density`", kYes,     \
    "inertia as MuJoCo compiles it")                                                                                   \
  X(kMocap, "`body`: `mocap`", kYes, "posed by `Control.mocap_pose`; what it touches sees it at rest")                 \
  X(kMocapChild, "`body`: `mocap` with joints below it", kNotYet,                                                      \
    "joints below a body moved by motion capture are not simulated: weld a body of its own to it")                     \
  X(kGravityCompensation, "`body`: `gravcomp`", kYes, "")                                                              \
  X(kFreeJoint, "`freejoint`, `joint type=\"free\"`", kYes, "")                                                        \
  X(kJointTypes, "`joint type=`: `hinge`, `slide`, `ball`", kYes,                                                      \
    "trees of any depth; reduced or maximal coordinates")                                                              \
  X(kJointLimit, "`joint`: `range`, `limited`", kYes, "exact: never passed within a step")                             \
  X(kJointSpring, "`joint`: `stiffness`, `springref`, `springdamper`", kYes, "implicit: stable at any stiffness")      \
  X(kJointDamping, "`joint`: `damping`", kYes, "implicit: stable at any damping")                                      \
  X(kJointFriction, "`joint`: `frictionloss`", kYes, "dry: a joint at rest stays at rest below it")                    \
  X(kJointArmature, "`joint`: `armature`", kYes, "")                                                                   \
  X(kJointNonlinear, "`joint`: `springyield`, polynomial `stiffness` and `damping`", kNotYet,                          \
    "yielding and nonlinear joint springs and dampers are not held by the model")                                      \
  X(kJointActuatorLimit, "`joint`: `actuatorfrcrange`, `actuatorgravcomp`", kYes, "")                                  \
  X(kShapes, "`geom type=`: `plane`, `sphere`, `capsule`, `box`, `cylinder`, `ellipsoid`", kYes, "")                   \
  X(kMeshGeom, "`geom type=\"mesh\"`", kYes,                                                                           \
    "collides as its convex hull, as in MuJoCo, or triangle by triangle (`meshes`)")                                   \
  X(kMeshSurface, "`geom type=\"mesh\"` of which MuJoCo makes no hull", kNotYet,                                       \
    "a mesh without a convex hull does not collide: load it with meshes=\"triangles\"")                                \
  X(kHeightField, "`geom type=\"hfield\"`, `asset`: `hfield`", kYes, "the solid between its heights and its base")     \
  X(kSdf, "`geom type=\"sdf\"`", kNotYet, "signed distance fields do not collide: use primitive geoms")                \
  X(kVisualGeom, "`geom` that can touch nothing (`contype=\"0\" conaffinity=\"0\"`)", kYes, "any type; for pictures")  \
  X(kFriction, "`geom`: `friction`, `condim` 1, 3, 4 (torsion) and 6 (rolling)", kYes,                                 \
    "the elliptic cone, exact; two geoms of one priority share the larger of each friction, as in MuJoCo")             \
  X(kContactBits, "`geom`: `priority`, `contype`, `conaffinity`", kYes, "")                                            \
  X(kRestitution, "`custom`: `numeric name=\"restitution\"`, `numeric name=\"restitution:GEOM\"`", kYes,               \
    "restitution of all geoms, and of one; MJCF has no attribute for it")                                              \
  X(kContactStiffness, "`custom`: `numeric name=\"contact_stiffness\"`, `numeric name=\"contact_stiffness:GEOM\"`",    \
    kYes, "stiffness [N/m] and damping [N s/m] of each contact point of all geoms, and of one; rigid otherwise")       \
  X(kPhaseProfile, "`custom`: `numeric name=\"phase_profile:ACTUATOR\"`", kYes,                                        \
    "the actuator follows f(α): what f gains in a turn, then its samples; its integrator is the phase α")              \
  X(kMeshChoice, "`custom`: `text name=\"meshes:GEOM\" data=\"triangles\"` or `\"hulls\"`", kYes,                      \
    "how the mesh of one geom collides, whatever holds for the others")                                                \
  X(kMargin, "`geom`, `pair`: `margin`", kYes, "surfaces touch at the sum of the margins of two geoms, as in MuJoCo")  \
  X(kGap, "`geom`, `pair`: `gap`", kSilent, "detection buffer of MuJoCo; `--set contact_margin=…` is ours")            \
  X(kSurfaceVelocity, "`geom`: `surfacevel`", kYes, "belts and turntables: what friction sees of the surface")         \
  X(kAdhesion, "`geom`, `pair`: `adhesion`", kNotYet, "adhesion is not simulated")                                     \
  X(kPair, "`contact`: `pair`, `exclude`", kYes, "")                                                                   \
  X(kVoidPair, "`pair` of a geom with itself, or of two geoms of which none moves", kWarning,                          \
    "a pair of a geom with itself, or of two geoms of which none moves, never acts")                                   \
  X(kAnisotropic, "`pair`: `friction` of two different values for sliding, or for rolling", kYes,                      \
    "along the tangents that MuJoCo makes of the normal")                                                              \
  X(kEquality, "`equality`: `connect`, `weld`, `joint`, `tendon`", kYes, "rigid: met at the end of every step")        \
  X(kInactiveEquality, "`equality` with `active=\"false\"`", kWarning, "inactive equality constraint left out")        \
  X(kTendonLimit, "`tendon`: `range`, `limited`", kYes, "")                                                            \
  X(kTendonFriction, "`tendon`: `frictionloss`", kYes, "")                                                             \
  X(kTendonTrees, "`tendon` with limit, friction or equality over more than two trees", kNotYet,                       \
    "a limit, friction or equality of a tendon may couple two trees at most")                                          \
  X(kTendonSpring, "`tendon`: `stiffness`, `springlength`, `damping`", kYes, "at the start of the step, as in MuJoCo") \
  X(kTendonArmature, "`tendon`: `armature`", kNotYet, "inertia of tendons is not simulated yet: set armature to 0")    \
  X(kTendonActuatorLimit, "`tendon`: `actuatorfrcrange`", kYes, "")                                                    \
  X(kTendonNonlinear, "`tendon`: `springyield`, polynomial `stiffness` and `damping`", kNotYet,                        \
    "yielding and nonlinear tendon springs and dampers are not held by the model")                                     \
  X(kTendon, "`tendon`: `fixed`, `spatial` with `site`, `geom` (sphere, cylinder, `sidesite`), `pulley`, `joint`",     \
    kYes, "length and velocity for sensors, actuators and equalities")                                                 \
  X(kFlex, "`deformable`: `flex`, `flexcomp`", kNotYet, "soft bodies are not simulated yet")                           \
  X(kPlugin, "`extension`: `plugin`", kNotYet, "plugins of MuJoCo are not run")                                        \
  X(kMotor,                                                                                                            \
    "`actuator`: `motor`, `position`, `velocity`, `intvelocity`, `damper`, `cylinder`, `muscle`, `general` on "        \
    "joints, tendons, sites (`refsite`), slider-cranks; `gear`, `ctrlrange`, `forcerange`, `actrange`, `actearly`",    \
    kYes, "servos on hinges and slides are implicit: stable at any gain")                                              \
  X(kActuatorAdhesion, "`actuator`: `adhesion`", kYes, "shared by the contacts of the body up to `contact_margin`")    \
  X(kActuatorServo, "`actuator`: `pid`, `dcmotor`, `orientation`, `plugin`, `gaintype=\"user\"`, `biastype=\"user\"`", \
    kNotYet, "this kind of actuator is not simulated: use `general` or `position`")                                    \
  X(kActuatorDynamics, "`actuator`: `dyntype=\"user\"`, `delay`", kNotYet,                                             \
    "activation by user code and delays are not simulated: compute the control in your own program")                   \
  X(kActuatorPassive, "`actuator`: `damping`, `armature`", kNotYet,                                                    \
    "damping and armature of actuators are not held by the model")                                                     \
  X(kKeyframe, "`keyframe`: `time`, `qpos`, `qvel`, `act`, `ctrl`, `mpos`, `mquat`", kYes,                             \
    "`stiction run` starts from the one named `start`")                                                                \
  X(kSensors,                                                                                                          \
    "`sensor`: position, velocity, force of joints, tendons, actuators; pose, velocity, acceleration of frames; "      \
    "`gyro`, `accelerometer`, `velocimeter`, `touch`, `force`, `torque`, `subtree…`, `e_potential`, `e_kinetic`, "   \
    "`clock`; `cutoff`",                                                                                               \
    kYes, "accelerations are means over the last step; `noise` is not added")                                          \
  X(kSensor,                                                                                                           \
    "other sensors: `rangefinder`, `magnetometer`, `camprojection`, limits, distances, `contact`, `tactile`, `user`, " \
    "`plugin`, on cameras, with delay",                                                                                \
    kWarning, "this kind of sensor is not evaluated")                                                                  \
  X(kSite, "`site`", kYes, "")                                                                                         \
  X(kVisual, "`light`, `camera`, `skin`, `material`, `texture`, `visual`, `statistic`", kSilent,                       \
    "pictures only: files of textures and skins are not even opened")                                                  \
  X(kUserData,                                                                                                         \
    "`user`, other `custom` elements, `option magnetic`; `flag`: `energy`, `fwdinv`, `invdiscrete`, "                  \
    "`sensor`",                                                                                                        \
    kSilent, "")

#define STICTION_ENUMERATE_FEATURE(enumerator, mjcf, support, remark) enumerator,
enum class Feature { STICTION_FEATURES(STICTION_ENUMERATE_FEATURE) kCount };
#undef STICTION_ENUMERATE_FEATURE

struct FeatureInfo {
  const char* mjcf;
  Support support;
  const char* remark;
};

const FeatureInfo& feature_info(Feature feature);

// All rows as a Markdown table, for docs/mjcf.md.
std::string feature_table();

// Lines "text: element, element …" from (element, text) pairs, one line per text in order of first appearance. Long
// lists of elements are cut, with their number.
std::vector<std::string> grouped_lines(const std::vector<std::pair<std::string, std::string>>& items);

}  // namespace stiction::detail
