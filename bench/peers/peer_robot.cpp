#include "peer_robot.hpp"

#include <cstdlib>
#include <fstream>

namespace stiction {
namespace {

// Rotation by rows.
Quat quat_from(const double* r) {
  const double w = 1 + r[0] + r[4] + r[8], x = 1 + r[0] - r[4] - r[8];
  const double y = 1 - r[0] + r[4] - r[8], z = 1 - r[0] - r[4] + r[8];
  const double largest = std::max({w, x, y, z});
  if (largest == w) return normalized(Quat{w, r[7] - r[5], r[2] - r[6], r[3] - r[1]});
  if (largest == x) return normalized(Quat{r[7] - r[5], x, r[1] + r[3], r[2] + r[6]});
  if (largest == y) return normalized(Quat{r[2] - r[6], r[1] + r[3], y, r[5] + r[7]});
  return normalized(Quat{r[3] - r[1], r[2] + r[6], r[5] + r[7], z});
}

// Rotation by rows, then the origin.
Transform read_pose(std::istream& in) {
  double x[12];
  for (double& value : x) in >> value;
  return {{x[9], x[10], x[11]}, quat_from(x)};
}

}  // namespace

PeerRobot read_robot(const std::string& path, BilateralType foot_type) {
  std::ifstream in(path);
  if (!in) throw Error("cannot read " + path);
  const auto read = [&] {
    double value = 0;
    in >> value;
    return value;
  };
  struct Mass {
    double mass;
    Vec3 com;
    Sym3 inertia;
  };
  std::vector<Mass> masses;
  Builder builder;
  int joints = 0;
  in >> joints;
  for (int i = 0; i < joints; ++i) {
    std::string name, kind;
    int parent = 0;
    in >> name >> parent >> kind;
    Vec3 axis{read(), read(), read()};
    const int body = builder.add_body(name, read_pose(in), parent);
    builder.set_inertia(body, 1, {}, {1, 1, 1});  // set below: files hold inertias that no body has
    const double mass = read();
    const Vec3 com{read(), read(), read()};
    double I[6];
    for (double& value : I) value = read();
    masses.push_back({mass, com, {I[0], I[2], I[5], I[1], I[3], I[4]}});
    if (kind == "FreeFlyer") {
      builder.add_joint_free(body);
      continue;
    }
    if (kind != "RevoluteUnaligned") axis[kind.back() - 'X'] = 1;
    builder.add_joint(body, JointType::kHinge, axis);
  }
  int size = 0;
  in >> size;
  std::vector<double> standing(static_cast<std::size_t>(size));
  for (double& value : standing) value = read();
  int count = 0;
  in >> count;
  std::vector<BilateralConstraint> feet(static_cast<std::size_t>(count));
  for (BilateralConstraint& foot : feet) {
    std::string name;
    foot.type = foot_type;
    in >> name >> foot.body_a;
    foot.pose_a = read_pose(in);
  }
  if (!in) throw Error("malformed " + path);
  // Pinocchio's quaternion is (x, y, z, w).
  std::rotate(standing.begin() + 3, standing.begin() + 6, standing.begin() + 7);

  PeerRobot robot{builder.build(), {}, standing, feet};
  robot.plan = make_tree_plan(robot.model);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const Transform& body = robot.plan.body_in_link[i + 1];
    Link& link = robot.plan.link[std::size_t(robot.plan.body_link[i + 1])];
    link.mass = masses[i].mass;
    link.com = body * masses[i].com;
    link.inertia = turned(rotation_matrix(body.q), masses[i].inertia);
  }
  return robot;
}

int measure_robots(int argc, char** argv, MeasureRobot f) {
  PeerSettings settings;
  std::string models;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--repeats")
      settings.repeats = std::max(1, std::atoi(value)), ++i;
    else if (word == "--seconds")
      settings.seconds = std::atof(value), ++i;
    else
      models = word;
  }
  if (models.empty()) {
    std::fprintf(stderr, "usage: %s MODEL_DIR [--repeats N] [--seconds S]\n", argv[0]);
    return 2;
  }
  try {
    const auto run = [&](const std::string& name, BilateralType feet) {
      f(settings, name, read_robot(models + "/" + name + ".txt", feet));
    };
    run("solo8", BilateralType::kPoint);
    run("anymal_b", BilateralType::kPoint);
    run("icub", BilateralType::kFrame);
    run("talos", BilateralType::kFrame);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}

}  // namespace stiction
