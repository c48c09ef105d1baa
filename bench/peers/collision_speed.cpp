// Time of one collision of each pair of shapes in Stiction, MuJoCo and Coal, in one run: the same shapes of about 0.1
// m, the same 4,096 random poses (so many that a processor does not learn their branches by heart; of surfaces 256),
// the same margin of 2 mm. Poses: as a simulation has them, from 2 mm apart to 2 mm deep,
// or with --deep bounding balls that overlap by up to 40 %, most of them deep in each other or apart (not of surfaces).
// Stiction and MuJoCo give the whole patch, Coal one contact, of triangles up to eight. Meshes are tori of 768
// triangles, of which MuJoCo would take the hull, so that it is not asked; height fields have 32 × 32 cells, which Coal
// has as a hierarchy of triangles (its own height field was slower). The engines take turns; processor time of the
// thread, the least of all rounds.
//
//   collision_speed [--rounds N] [--deep] [--only box–hull]
#include <ctime>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <stiction/load.hpp>

#include "coal_pairs.hpp"
#include "collide/distance.hpp"
#include "collide/shape_set.hpp"
#include "support/meshes.hpp"

namespace stiction {
namespace {

constexpr int kTypes = 9;
constexpr double kMargin = 0.002;  // [m]
// In the order of ShapeType.
constexpr const char* kNames[kTypes] = {"plane",    "sphere",    "capsule", "box",        "hull",
                                        "cylinder", "ellipsoid", "mesh",    "heightField"};
constexpr const char* kSizes[kTypes] = {"0 0 1", "0.1", "0.04 0.1", "0.1 0.08 0.06", "", "0.08 0.1", "0.1 0.08 0.06"};
constexpr int kMesh = static_cast<int>(ShapeType::kMesh), kHeightField = static_cast<int>(ShapeType::kHeightField);
constexpr int kCells = 32;                               // of a height field, either way
constexpr double kFieldHalf = 0.5, kFieldHeight = 0.05;  // [m]

double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

template <class Values>
std::string in_words(const Values& values) {
  return fmt::format("{}", fmt::join(values, " "));
}

// Heights of hills, from 0 to 1.
std::string hills() {
  std::vector<double> heights;
  for (int row = 0; row <= kCells; ++row)
    for (int column = 0; column <= kCells; ++column)
      heights.push_back(0.5 + 0.25 * (std::sin(0.9 * row) + std::cos(0.7 * column)));
  return in_words(heights);
}

std::string scene(std::mt19937_64& random, int hull_points) {
  std::normal_distribution<double> normal;
  const TriangleMesh torus = test::torus_mesh(0.07, 0.03, 32, 12);
  std::string assets =
      fmt::format("<hfield name='hills' nrow='{0}' ncol='{0}' size='{1} {1} {2} 0.1' elevation='{3}'/>", kCells + 1,
                  kFieldHalf, kFieldHeight, hills());
  assets +=
      fmt::format("<mesh name='torus' vertex='{}' face='{}'/>", in_words(torus.vertices), in_words(torus.triangles));
  std::string geoms, triangles;
  for (int copy = 0; copy < 2; ++copy)
    for (int t = 0; t < kTypes; ++t) {
      const std::string name = fmt::format("{}{}", kNames[t], copy);
      if (t == static_cast<int>(ShapeType::kHull)) {
        assets += fmt::format("<mesh name='{}' vertex='", name);
        for (int i = 0; i < hull_points; ++i) {
          const Vec3 p = normalized(Vec3{normal(random), normal(random), normal(random)});
          assets += fmt::format("{} {} {} ", 0.1 * p.x, 0.08 * p.y, 0.06 * p.z);
        }
        assets += "'/>";
        geoms += fmt::format("<geom name='{0}' type='mesh' mesh='{0}'/>", name);
      } else if (t == kMesh) {
        geoms += fmt::format("<geom name='{}' type='mesh' mesh='torus'/>", name);
        triangles += fmt::format("<text name='meshes:{}' data='triangles'/>", name);
      } else if (t == kHeightField) {
        geoms += fmt::format("<geom name='{}' type='hfield' hfield='hills'/>", name);
      } else {
        geoms += fmt::format("<geom name='{}' type='{}' size='{}'/>", name, kNames[t], kSizes[t]);
      }
    }
  return fmt::format("<mujoco><custom>{}</custom><asset>{}</asset><worldbody>{}</worldbody></mujoco>", triangles,
                     assets, geoms);
}

int add_to_coal(const Model& model, const ShapeSet& shapes, int shape) {
  const auto s = static_cast<std::size_t>(shape);
  if (model.shape_type[s] == ShapeType::kMesh || model.shape_type[s] == ShapeType::kHeightField) {
    const SurfaceT<double>& surface = shapes[shape].surface;
    return coal_pairs::add_surface(&surface.vertex[0].x, surface.vertex_count, surface.triangle,
                                   surface.triangle_count);
  }
  const Vec3 size = model.shape_size[s];
  const double sizes[3] = {size.x, size.y, size.z};
  if (model.shape_type[s] != ShapeType::kHull)
    return coal_pairs::add_shape(static_cast<coal_pairs::Kind>(model.shape_type[s]), sizes);
  const auto hull = static_cast<std::size_t>(model.shape_hull[s]);
  std::vector<double> vertices;
  for (int v = model.hull_vertex[hull]; v < model.hull_vertex[hull + 1]; ++v) {
    const Vec3 p = model.hull_vertex_position[static_cast<std::size_t>(v)];
    vertices.insert(vertices.end(), {p.x, p.y, p.z});
  }
  std::vector<int> triangles;
  for (int f = model.hull_face[hull]; f < model.hull_face[hull + 1]; ++f) {
    const int begin = model.hull_face_vertex[static_cast<std::size_t>(f)];
    const int end = model.hull_face_vertex[static_cast<std::size_t>(f) + 1];
    const int* corner = model.hull_face_vertex_index.data();
    for (int k = begin + 1; k + 1 < end; ++k)
      triangles.insert(triangles.end(), {corner[begin], corner[k], corner[k + 1]});
  }
  return coal_pairs::add_hull(vertices.data(), static_cast<int>(vertices.size() / 3), triangles.data(),
                              static_cast<int>(triangles.size() / 3));
}

struct PosedPair {
  ShapeT<double> a, b;
  int coal_a, coal_b;  // poses
};

constexpr double kNever = std::numeric_limits<double>::infinity();

struct Times {
  double stiction = kNever, mujoco = kNever, coal = kNever;        // [s] of one collision; kNever: has no such pair
  double points_stiction = 0, points_mujoco = 0, points_coal = 0;  // mean
};

class Bench {
 public:
  Bench(int hull_points, bool deep) : deep_(deep) {
    std::mt19937_64 random(5);
    const std::string path = fmt::format("/tmp/collision_speed_{}.xml", static_cast<long>(std::time(nullptr)));
    std::ofstream(path) << scene(random, hull_points);
    model_ = load(path);
    shapes_ = std::make_unique<ShapeSet>(model_);
    char error[1000] = "";
    mujoco_ = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
    std::remove(path.c_str());
    if (mujoco_ == nullptr) throw Error(error);
    data_ = mj_makeData(mujoco_);
    mj_kinematics(mujoco_, data_);
    for (int i = 0; i < model_.nshape; ++i) coal_.push_back(add_to_coal(model_, *shapes_, i));
  }
  ~Bench() {
    mj_deleteData(data_);
    mj_deleteModel(mujoco_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Times measure(int type_a, int type_b, int rounds) {
    a_ = type_a, b_ = kTypes + type_b;
    draw();
    // Meshes are hulls there, and height fields do not meet planes or each other.
    const bool in_mujoco = type_b != kMesh && type_a != kMesh && type_a != kHeightField;
    Times times;
    for (int round = 0; round < rounds; ++round) {
      const auto turn = [&](auto&& once, double& least, double& points) {
        long found = 0;
        const double begin = now();
        for (PosedPair& pair : pairs_) found += once(pair);
        least = std::min(least, (now() - begin) / double(pairs_.size()));
        points = double(found) / double(pairs_.size());
      };
      turn([&](PosedPair& p) { return collide_pair(p.a, p.b, kMargin, points_); }, times.stiction,
           times.points_stiction);
      if (in_mujoco) turn([&](PosedPair& p) { return ask_mujoco(p); }, times.mujoco, times.points_mujoco);
      turn(
          [&](PosedPair& p) {
            return coal_pairs::collide(coal_[std::size_t(a_)], p.coal_a, coal_[std::size_t(b_)], p.coal_b, kMargin);
          },
          times.coal, times.points_coal);
    }
    return times;
  }

 private:
  Model model_;
  std::unique_ptr<ShapeSet> shapes_;
  mjModel* mujoco_ = nullptr;
  mjData* data_ = nullptr;
  std::vector<int> coal_;
  std::vector<PosedPair> pairs_;
  ContactPointT<double> points_[kMaxSurfacePoints];
  mjPreContact contacts_[mjMAXCONPAIR];
  int a_ = 0, b_ = 0;
  bool deep_ = false;

  void draw() {
    std::mt19937_64 random(static_cast<unsigned>(100 * a_ + b_));
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    const auto rotation = [&] {
      return rotation_matrix(normalized(Quat{normal(random), normal(random), normal(random), normal(random)}));
    };
    pairs_.clear();
    for (int i = b_ >= kTypes + kMesh ? 256 : 4096; i > 0; --i) {
      PosedPair pair{(*shapes_)[a_], (*shapes_)[b_], 0, 0};
      pair.a.R = rotation(), pair.b.R = rotation();
      const bool plane = pair.a.type == ShapeType::kPlane, surface = b_ >= kTypes + kMesh;
      const Vec3 toward = plane ? pair.a.R.column(2) : normalized(Vec3{normal(random), normal(random), normal(random)});
      const double near = uniform(random);
      if (b_ == kTypes + kHeightField)
        pair.b.p = field_below(pair, uniform(random), uniform(random));
      else
        pair.b.p = toward * ((pair.a.radius + pair.b.radius) * (surface ? 1 : 0.6 + 0.4 * near));
      if (!deep_ || surface) {
        const double gap = kMargin * (2 * uniform(random) - 1);
        // Of what is not convex another place may be the nearest then.
        for (int move = 0; move < (surface ? 4 : 1); ++move) {
          const ShapeDistanceT<double> found = shape_distance(pair.a, pair.b, 10.0);
          pair.b.p += found.normal * (gap - found.distance);
        }
      }
      const auto add = [](const ShapeT<double>& s) {
        const double p[3] = {s.p.x, s.p.y, s.p.z};
        return coal_pairs::add_pose(&s.R.row[0].x, p);
      };
      pair.coal_a = add(pair.a), pair.coal_b = add(pair.b);
      pairs_.push_back(pair);
    }
  }

  // Where the field is above whose middle half, shares u and v of it, shape A is, clear of its hills.
  static Vec3 field_below(const PosedPair& pair, double u, double v) {
    const double height = kFieldHeight + pair.a.radius + (pair.a.type == ShapeType::kHeightField ? kFieldHalf : 0);
    return pair.a.p - pair.b.R * Vec3{(u - 0.5) * kFieldHalf, (v - 0.5) * kFieldHalf, height};
  }

  int ask_mujoco(const PosedPair& pair) {
    int first = a_, second = b_;
    for (const auto& [geom, shape] : {std::pair{a_, &pair.a}, std::pair{b_, &pair.b}}) {
      std::memcpy(data_->geom_xpos + 3 * geom, &shape->p.x, 3 * sizeof(double));
      std::memcpy(data_->geom_xmat + 9 * geom, &shape->R.row[0].x, 9 * sizeof(double));
    }
    if (mujoco_->geom_type[first] > mujoco_->geom_type[second]) std::swap(first, second);
    return mjCOLLISIONFUNC[mujoco_->geom_type[first]][mujoco_->geom_type[second]](mujoco_, data_, contacts_, first,
                                                                                  second, kMargin);
  }
};

}  // namespace

static int measure_pairs(int argc, char** argv) {
  int rounds = 20;
  bool deep = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--rounds" && i + 1 < argc) rounds = std::max(1, std::atoi(argv[i + 1]));
    if (std::string(argv[i]) == "--only" && i + 1 < argc) only = argv[i + 1];
    deep = deep || std::string(argv[i]) == "--deep";
  }
  fmt::print("| pair | Stiction µs | MuJoCo µs | Coal µs | faster of both / Stiction | points S, M, C |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- |\n");
  Bench bench(32, deep);
  std::vector<double> ratios;
  const auto number = [](double seconds, double value, int digits) {
    return seconds == kNever ? std::string("–") : fmt::format("{:.{}f}", value, digits);
  };
  for (int a = 0; a < kTypes; ++a)
    for (int b = std::max(a, 1); b < kTypes; ++b) {
      const std::string name = fmt::format("{}–{}", kNames[a], kNames[b]);
      if ((!only.empty() && name != only) || (a == 0 && b == kHeightField)) continue;
      const Times t = bench.measure(a, b, rounds);
      ratios.push_back(std::min(t.mujoco, t.coal) / t.stiction);
      fmt::print("| {} | {:.3f} | {} | {:.3f} | {:.2f} | {:.1f}, {}, {:.1f} |\n", name, 1e6 * t.stiction,
                 number(t.mujoco, 1e6 * t.mujoco, 3), 1e6 * t.coal, ratios.back(), t.points_stiction,
                 number(t.mujoco, t.points_mujoco, 1), t.points_coal);
    }
  if (ratios.empty()) throw Error(fmt::format("collision_speed: no pair '{}': the table names them", only));
  std::sort(ratios.begin(), ratios.end());
  fmt::print("\nmedian ratio {:.2f}, least {:.2f}, {} of {} at least 1\n", ratios[ratios.size() / 2], ratios.front(),
             std::count_if(ratios.begin(), ratios.end(), [](double r) { return r >= 1; }), ratios.size());
  return 0;
}

}  // namespace stiction

int main(int argc, char** argv) {
  return stiction::measure_pairs(argc, argv);
}
