// Coal's collision of shape pairs behind a plain interface: Coal's library is compiled for any machine, and Eigen types
// must not meet code that is compiled for this one.
#pragma once

namespace coal_pairs {

enum class Kind { kPlane, kSphere, kCapsule, kBox, kHull, kCylinder, kEllipsoid };

// Sizes as Model::shape_size has them. Returns the number of the shape.
int add_shape(Kind kind, const double* size);
int add_hull(const double* vertices, int vertex_count, const int* triangles, int triangle_count);
// A surface of triangles, not convex. Returns the number of the shape.
int add_surface(const double* vertices, int vertex_count, const int* triangles, int triangle_count);
// Rotation matrix by rows and position. Returns the number of the pose.
int add_pose(const double* rotation, const double* position);
// Contacts, with normal, point and depth, below the distance `margin` [m].
int collide(int shape_a, int pose_a, int shape_b, int pose_b, double margin);

}  // namespace coal_pairs
