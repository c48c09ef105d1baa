// Builds a Model in code. Every call checks its arguments and throws Error with the element's name.
#pragma once

#include <stiction/model.hpp>

namespace stiction {

// Surface and filter of a shape, as MJCF names them.
struct ShapeSettings {
  std::string name = "";
  double density = 1000;            // [kg/m³], used if the body's mass is computed from its shapes
  Vec3 friction{1, 0.005, 0.0001};  // sliding [1], torsional [m], rolling [m]
  double restitution = 0;           // in [0, 1]
  int condim = 3;
  int contype = 1, conaffinity = 1;
  int priority = 0;
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

  int add_shape_plane(int body, const Transform& pose, const ShapeSettings& settings = {});
  int add_shape_sphere(int body, double radius, const Transform& pose = {}, const ShapeSettings& settings = {});
  int add_shape_capsule(int body, double radius, double half_length, const Transform& pose = {},
                        const ShapeSettings& settings = {});
  int add_shape_box(int body, const Vec3& half_sizes, const Transform& pose = {}, const ShapeSettings& settings = {});
  void exclude(int body_a, int body_b);

  // The finished model, checked. The builder can be used on.
  Model build() const;

 private:
  struct Body {
    std::string name;
    int parent = -1;
    Transform pose;
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
  };
  struct Shape {
    ShapeSettings settings;
    int body = 0;
    ShapeType type = ShapeType::kPlane;
    Vec3 size;
    Transform pose;
  };
  std::string name_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Shape> shapes_;
  std::vector<int> exclude_a_, exclude_b_;

  int add_shape(int body, ShapeType type, const Vec3& size, const Transform& pose, const ShapeSettings& settings);
  void require(bool holds, const std::string& element, const std::string& problem) const;
  void require_body(int body, const std::string& element) const;
  void fill_bodies(Model& model) const;
  void fill_joints(Model& model) const;
  void fill_shapes(Model& model) const;
};

}  // namespace stiction
