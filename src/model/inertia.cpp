// Inertia of uniform shapes (textbook formulas) and the parallel-axis theorem for their sums.
#include "model/inertia.hpp"

#include <numbers>

#include <Eigen/Eigenvalues>

namespace stiction::detail {

namespace {

constexpr double kPi = std::numbers::pi;

MassProperties sphere(double r, double density) {
  // m = 4/3 π r³ ρ, I = 2/5 m r²
  const double mass = 4.0 / 3.0 * kPi * r * r * r * density;
  const double moment = 0.4 * mass * r * r;
  return {mass, {}, {}, {moment, moment, moment}};
}

// A cylinder of length L = 2 l along z, closed by two half balls.
MassProperties capsule(double r, double half_length, double density) {
  const double length = 2 * half_length;
  const double cylinder = kPi * r * r * length * density;
  const double ball = 4.0 / 3.0 * kPi * r * r * r * density;
  // I_z = m_c r²/2 + 2/5 m_b r²
  const double axial = cylinder * r * r / 2 + 0.4 * ball * r * r;
  // The centre of mass of a half ball lies 3r/8 beyond its flat face:
  // I_x = m_c (3 r² + L²)/12 + m_b (2/5 r² + L²/4 + 3/8 r L)
  const double across =
      cylinder * (3 * r * r + length * length) / 12 + ball * (0.4 * r * r + length * length / 4 + 0.375 * r * length);
  return {cylinder + ball, {}, {}, {across, across, axial}};
}

MassProperties box(const Vec3& half, double density) {
  // I_x = m (b² + c²)/3 with half-sizes b, c
  const double mass = 8 * half.x * half.y * half.z * density;
  const double xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z;
  return {mass, {}, {}, Vec3{yy + zz, xx + zz, xx + yy} * (mass / 3)};
}

// Along z.
MassProperties cylinder(double r, double half_length, double density) {
  // m = 2 π r² l ρ, I_z = m r²/2, I_x = m (3 r² + 4 l²)/12
  const double mass = 2 * kPi * r * r * half_length * density;
  const double across = mass * (3 * r * r + 4 * half_length * half_length) / 12;
  return {mass, {}, {}, {across, across, mass * r * r / 2}};
}

MassProperties ellipsoid(const Vec3& radii, double density) {
  // m = 4/3 π a b c ρ, I_x = m (b² + c²)/5
  const double mass = 4.0 / 3.0 * kPi * radii.x * radii.y * radii.z * density;
  const double xx = radii.x * radii.x, yy = radii.y * radii.y, zz = radii.z * radii.z;
  return {mass, {}, {}, Vec3{yy + zz, xx + zz, xx + yy} * (mass / 5)};
}

}  // namespace

MassProperties shape_mass(ShapeType type, const Vec3& size, double density) {
  switch (type) {
    case ShapeType::kSphere:
      return sphere(size.x, density);
    case ShapeType::kCapsule:
      return capsule(size.x, size.y, density);
    case ShapeType::kBox:
      return box(size, density);
    case ShapeType::kCylinder:
      return cylinder(size.x, size.y, density);
    case ShapeType::kEllipsoid:
      return ellipsoid(size, density);
    default:
      return {};
  }
}

MassProperties moved(const MassProperties& part, const Transform& pose) {
  return {part.mass, pose * part.com, pose.q * part.frame, part.principal};
}

MassProperties with_principal_axes(double mass, const Vec3& com, const Mat3& inertia) {
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) matrix(i, j) = (inertia(i, j) + inertia(j, i)) / 2;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(matrix);
  Eigen::Matrix3d axes = eigen.eigenvectors().rowwise().reverse();  // ascending order becomes descending
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  const Eigen::Quaterniond frame(axes);
  return {mass,
          com,
          normalized(Quat{frame.w(), frame.x(), frame.y(), frame.z()}),
          {eigen.eigenvalues()[2], eigen.eigenvalues()[1], eigen.eigenvalues()[0]}};
}

MassProperties combined(const std::vector<MassProperties>& parts) {
  MassProperties total;
  const MassProperties* last = nullptr;
  int count = 0;
  for (const MassProperties& part : parts) {
    if (!(part.mass > 0)) continue;
    total.mass += part.mass;
    total.com += part.com * part.mass;
    last = &part;
    ++count;
  }
  if (count == 0) return {};
  if (count == 1) return *last;
  total.com = total.com / total.mass;

  // I = Σ R diag(I_i) Rᵀ + m_i (|d|² 1 − d dᵀ), d from the common centre of mass
  Mat3 sum{};
  for (const MassProperties& part : parts) {
    if (!(part.mass > 0)) continue;
    const Mat3 R = rotation_matrix(part.frame);
    const Vec3 d = part.com - total.com;
    const Mat3 shift = (Mat3::identity() * dot(d, d) - outer(d, d)) * part.mass;
    sum = sum + R * Mat3::diagonal(part.principal) * transpose(R) + shift;
  }
  return with_principal_axes(total.mass, total.com, sum);
}

}  // namespace stiction::detail
