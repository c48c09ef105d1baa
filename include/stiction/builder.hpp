// Builds a Model in code. Every call checks its arguments and throws Error with the element's name.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include <stiction/mesh.hpp>
#include <stiction/model.hpp>

namespace stiction {

namespace detail {
struct MassProperties;
}

// Surface and filter of a shape, as MJCF names them.
struct ShapeSettings {
  std::string name = "";
  double density = 1000;            // [kg/m³], used if the body's mass is computed from its shapes
  Vec3 friction{1, 0.005, 0.0001};  // sliding [1], torsional [m], rolling [m]
  double restitution = 0;           // in [0, 1]
  double stiffness = INFINITY;      // of each contact point [N/m]; rigid unless it is finite
  double damping = 0;               // of each contact point of a shape that is not rigid [N s/m]
  Vec3 surface_velocity{};          // of a moving surface (belt, turntable), in the shape frame [m/s] …
  Vec3 surface_spin{};              // … and about its origin [rad/s]
  int condim = 3;
  int contype = 1, conaffinity = 1;
  int priority = 0;
};

// What two shapes have when they touch each other; what is not given follows from their own settings, as without a
// pair.
struct PairSettings {
  std::optional<PairFriction> friction = {};  // sliding along two tangents [1], torsion [m], rolling about them [m]
  std::optional<double> restitution = {};     // in [0, 1]
  std::optional<int> condim = {};             // 1, 3, 4 or 6
  double margin = 0;                          // [m] ≥ 0, distance at which they touch
};

// What a joint has beside its axis. Bounds hold where they are finite.
struct JointSettings {
  double lower = -INFINITY, upper = INFINITY;  // range [m or rad]; of a ball joint upper alone, the largest angle
  double stiffness = 0;                        // of its spring [N/m or N m/rad]
  double spring_reference = 0;                 // position of a hinge or slide at which the spring is at rest [m or rad]
  double damping = 0;                          // [N s/m or N m s/rad]
  double friction = 0;                         // dry friction [N or N m]
  double armature = 0;                         // [kg or kg m²]
};

// Bounds hold where they are finite.
struct TendonSettings {
  std::string name = "";
  double lower = -INFINITY, upper = INFINITY;   // range of the length [m or rad]
  double stiffness = 0, damping = 0;            // [N/m], [N s/m]
  double spring_lower = -1, spring_upper = -1;  // lengths between which the spring is slack; -1: the reference length
  double friction = 0;                          // [N]
};

// One object on the path of a spatial tendon: a site, a sphere (shape) with an optional side site, or a pulley that
// divides the branches after it.
struct PathObject {
  WrapType type = WrapType::kSite;
  int object = -1;
  int side_site = -1;
  double divisor = 1;
};

// Bounds hold where they are finite.
struct ActuatorSettings {
  std::string name = "";
  double gear = 1;
  double control_lower = -INFINITY, control_upper = INFINITY;
  double force_lower = -INFINITY, force_upper = INFINITY;  // [N or N m]
};

class Builder {
 public:
  explicit Builder(std::string name = "model");

  Options options;

  // A body with its pose in the parent; the world is body 0. It moves only if a joint is added.
  int add_body(const std::string& name, const Transform& pose = {}, int parent = 0);
  // Mass, centre of mass, principal inertia; without this call they follow from the shapes and their density.
  void set_inertia(int body, double mass, const Vec3& com, const Vec3& principal, const Quat& frame = {});
  int add_joint_free(int body, const std::string& name = "");
  int add_joint(int body, JointType type, const Vec3& axis, const Vec3& anchor = {}, const std::string& name = "");

  void set_joint(int joint, const JointSettings& settings);
  // Two hinges NAME_1 and NAME_2 about two axes through one anchor; returns the first.
  int add_joint_universal(int body, const Vec3& first_axis, const Vec3& second_axis, const Vec3& anchor = {},
                          const std::string& name = "");
  // Slides NAME_x and NAME_y in a plane and a hinge NAME_turn normal to it; returns the first.
  int add_joint_planar(int body, const Vec3& x_axis, const Vec3& y_axis, const Vec3& anchor = {},
                       const std::string& name = "");
  // The body is posed by Control::mocap_pose; it is a child of the world without joints.
  void set_mocap(int body);

  int add_site(int body, const Transform& pose = {}, const std::string& name = "");
  // The point `anchor` of body a, and the point of body b that meets it in the reference configuration, stay together.
  int add_equality_connect(int body_a, int body_b, const Vec3& anchor, const std::string& name = "");
  // The bodies keep the pose to each other that they have in the reference configuration.
  int add_equality_weld(int body_a, int body_b, const std::string& name = "");
  // Position of joint a = polynomial of that of joint b (-1: a constant), both from their references.
  int add_equality_joint(int joint_a, int joint_b, const Polynomial& polynomial, const std::string& name = "");
  // Length = Σ coefficient · position over (joint, coefficient).
  int add_tendon_fixed(const std::vector<std::pair<int, double>>& joints, const TendonSettings& settings = {});
  int add_tendon_spatial(const std::vector<PathObject>& path, const TendonSettings& settings = {});

  // force = control; = kp (control − length) − kv rate; = kv (control − rate). The target is a joint or a tendon.
  int add_motor(ActuatorTarget target, int index, const ActuatorSettings& settings = {});
  int add_position_servo(ActuatorTarget target, int index, double kp, double kv, const ActuatorSettings& settings = {});
  int add_velocity_servo(ActuatorTarget target, int index, double kv, const ActuatorSettings& settings = {});
  // Follows a profile: force = kp (f(α) − length) + kd (ḟ − rate), the phase α [rad] advances by the control [rad/s].
  // f(α) = advance · α / 2π + the periodic function through the samples (evenly spaced over one turn; none: zero). The
  // joint is a hinge or slide; a crank that turns evenly has the advance 2π and no samples.
  int add_phase_motor(int joint, const std::vector<double>& samples, double advance, double kp = 1e8, double kd = 1e5,
                      const ActuatorSettings& settings = {});
  int add_sensor(SensorType type, SensorObject kind, int object, const std::string& name = "");

  int add_shape_plane(int body, const Transform& pose, const ShapeSettings& settings = {});
  int add_shape_sphere(int body, double radius, const Transform& pose = {}, const ShapeSettings& settings = {});
  int add_shape_capsule(int body, double radius, double half_length, const Transform& pose = {},
                        const ShapeSettings& settings = {});
  int add_shape_box(int body, const Vec3& half_sizes, const Transform& pose = {}, const ShapeSettings& settings = {});
  int add_shape_cylinder(int body, double radius, double half_length, const Transform& pose = {},
                         const ShapeSettings& settings = {});
  int add_shape_ellipsoid(int body, const Vec3& radii, const Transform& pose = {}, const ShapeSettings& settings = {});
  // The convex hull of points [m], which have a volume; those inside it count for nothing. Of a mesh: its vertices.
  int add_shape_hull(int body, const std::vector<Vec3>& points, const Transform& pose = {},
                     const ShapeSettings& settings = {});
  // A surface of triangles, not convex in general. If it is closed, it is the solid inside, and has its mass; if it is
  // open, it has two sides and no mass (set_inertia).
  int add_shape_mesh(int body, const TriangleMesh& mesh, const Transform& pose = {},
                     const ShapeSettings& settings = {});
  // The solid under a grid of heights [m] over z = 0, row by row from −y, −x. It spans ± half_sizes along x and y and
  // goes down to z = −base.
  int add_shape_height_field(int body, int rows, int columns, const std::vector<double>& heights, double half_size_x,
                             double half_size_y, double base, const Transform& pose = {},
                             const ShapeSettings& settings = {});
  // The shapes of these two bodies never touch, unless they are a pair.
  void exclude(int body_a, int body_b);
  // An explicit pair: these two shapes touch whatever the rules for others say (contype, exclude, parent and child).
  void add_pair(int shape_a, int shape_b, const PairSettings& settings = {});

  // The finished model, checked. The builder can be used on.
  Model build() const;

 private:
  struct Body {
    std::string name;
    int parent = -1;
    Transform pose;
    bool mocap = false;
    bool has_inertia = false;  // given by set_inertia
    double mass = 0;           // [kg]
    Vec3 com, principal;       // [m], [kg m²]
    Quat frame;
  };
  struct Joint {
    std::string name;
    int body = 0;
    JointType type = JointType::kFree;
    Vec3 axis, anchor;
    JointSettings settings{};
  };
  struct Shape {
    ShapeSettings settings;
    int body = 0;
    ShapeType type = ShapeType::kPlane;
    Vec3 size;
    Transform pose;
    int table = -1;  // hull, mesh or height field
  };
  struct Pair {
    int a = -1, b = -1;
    PairSettings settings;
  };
  struct HeightField {
    int rows = 0, columns = 0;
    Vec3 size;
    std::vector<double> heights;
  };
  struct Site {
    std::string name;
    int body = 0;
    Transform pose;
  };
  struct Equality {
    std::string name;
    EqualityType type = EqualityType::kConnect;
    int a = -1, b = -1;
    Transform frame_a, frame_b;
    Polynomial polynomial{};
  };
  struct Tendon {
    TendonSettings settings;
    TendonType type = TendonType::kFixed;
    std::vector<PathObject> path;  // of a fixed tendon: joints, with their coefficients as divisors
  };
  struct Actuator {
    ActuatorSettings settings;
    ActuatorTarget target = ActuatorTarget::kJoint;
    int index = -1;
    double gain = 0;
    Parameters bias{};
    bool phase = false;
    std::vector<double> samples{};
    double advance = 0;
  };
  struct Sensor {
    std::string name;
    SensorType type = SensorType::kClock;
    SensorObject kind = SensorObject::kNone;
    int object = -1;
  };
  std::string name_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Shape> shapes_;
  std::vector<TriangleMesh> hulls_, meshes_;
  std::vector<HeightField> height_fields_;
  std::vector<int> exclude_a_, exclude_b_;
  std::vector<Pair> pairs_;
  std::vector<Site> sites_;
  std::vector<Equality> equalities_;
  std::vector<Tendon> tendons_;
  std::vector<Actuator> actuators_;
  std::vector<Sensor> sensors_;

  int add_shape(int body, ShapeType type, const Vec3& size, const Transform& pose, const ShapeSettings& settings);
  void require(bool holds, const std::string& element, const std::string& problem) const;
  void require_body(int body, const std::string& element) const;
  void fill_bodies(Model& model) const;
  void fill_joints(Model& model) const;
  void fill_shapes(Model& model) const;
  void fill_surfaces(Model& model) const;
  void fill_pairs(Model& model) const;
  detail::MassProperties shape_mass(const Shape& shape) const;
  void fill_joint_settings(Model& model) const;
  void fill_mechanism(Model& model) const;
  void fill_tendons(Model& model) const;
  void fill_actuators(Model& model) const;
  void fill_sensors(Model& model) const;
  // Pose of a body in the world in the reference configuration.
  Transform reference_pose(int body) const;
  int add_actuator(ActuatorTarget target, int index, double gain, const Parameters& bias,
                   const ActuatorSettings& settings);
};

}  // namespace stiction
