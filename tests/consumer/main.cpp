// A program outside the project, which sees only what is installed: a ball falls onto a plane and comes to rest there.
#include <cmath>
#include <cstdio>
#include <memory>
#include <stiction/stiction.hpp>

int main() {
  const double radius = 0.1, height = 1.0;  // [m]
  stiction::Builder builder("ball");
  builder.add_shape_plane(0, {});
  stiction::Transform start;
  start.p = {0, 0, height};
  const int ball = builder.add_body("ball", start);
  builder.add_joint_free(ball);
  builder.add_shape_sphere(ball, radius);

  stiction::Simulation simulation(std::make_shared<const stiction::Model>(builder.build()));
  for (int k = 0; k < 1000; ++k) {
    if (!simulation.step().ok()) {
      std::fprintf(stderr, "%s\n", simulation.describe().c_str());
      return 1;
    }
  }
  const double rest = simulation.body_pose(ball).p.z;
  std::printf("stiction %s: the ball rests at %.9f m\n", stiction::kVersion, rest);
  return std::abs(rest - radius) <= 1e-6 ? 0 : 1;
}
