// Query: rays, distances and overlaps, one by one or over NumPy arrays, with the interpreter's lock released.
#include <stiction/query.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "module.hpp"
#include "simulation.hpp"

namespace stiction::python {
namespace {

using Name = std::variant<int, std::string>;
using Groups = std::optional<std::vector<int>>;

int shape_index(const Query& query, const Name& name) {
  return std::holds_alternative<int>(name) ? std::get<int>(name) : query.model().shape(std::get<std::string>(name));
}

int body_index(const Query& query, const Name& name) {
  return std::holds_alternative<int>(name) ? std::get<int>(name) : query.model().body(std::get<std::string>(name));
}

QueryFilter filter_of(const Query& query, const Groups& groups, const std::optional<Name>& exclude, bool fixed) {
  QueryFilter filter;
  filter.fixed = fixed;
  if (exclude) filter.excluded_body = body_index(query, *exclude);
  if (exclude && filter.excluded_body < 0)  // -1 is the word of C++ for none
    throw Error("there is no body " + std::to_string(filter.excluded_body) + " to exclude; None excludes none");
  if (!groups) return filter;
  filter.groups = 0;
  for (const int group : *groups) {
    if (group < 0 || group > 31) throw Error("groups are numbers from 0 to 31, not " + std::to_string(group));
    filter.groups |= 1u << group;
  }
  return filter;
}

// Rows of `columns` numbers; `empty` allows none.
std::vector<double> numbers(nb::handle value, std::size_t columns, const char* name, std::size_t& rows) {
  const nb::object array = nb::module_::import_("numpy").attr("atleast_2d")(value);
  rows = nb::cast<std::size_t>(array.attr("shape")[0]);
  const nb::object checked = to_array(array, "float64", {rows, columns}, name);
  const auto source = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(checked);
  return {source.data(), source.data() + source.size()};
}

std::vector<Vec3> vectors(nb::handle value, const char* name) {
  std::size_t rows = 0;
  const std::vector<double> x = numbers(value, 3, name, rows);
  std::vector<Vec3> result(rows);
  for (std::size_t i = 0; i < rows; ++i) result[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  return result;
}

std::vector<Transform> poses(nb::handle value, const char* name) {
  std::size_t rows = 0;
  const std::vector<double> x = numbers(value, 7, name, rows);
  std::vector<Transform> result(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double* p = x.data() + 7 * i;
    const Quat q{p[3], p[4], p[5], p[6]};
    if (q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0)
      throw Error(std::string(name) + ": the quaternion of row " + std::to_string(i) + " is zero");
    if (!std::isfinite(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z))
      throw Error(std::string(name) + ": the quaternion of row " + std::to_string(i) + " is not finite");
    result[i] = {{p[0], p[1], p[2]}, normalized(q)};
  }
  return result;
}

// One column of a result for all of its rows.
template <class Row, class Get>
auto column(const std::vector<Row>& rows, Get get) {
  std::vector<std::remove_cvref_t<decltype(get(rows[0]))>> values;
  values.reserve(rows.size());
  for (const Row& row : rows) values.push_back(get(row));
  return copy_of(values);
}

nb::object ray_arrays(const std::vector<RayHit>& hits) {
  nb::dict result;
  result["shape"] = column(hits, [](const RayHit& h) { return h.shape; });
  result["body"] = column(hits, [](const RayHit& h) { return h.body; });
  result["distance"] = column(hits, [](const RayHit& h) { return h.distance; });
  result["point"] = column(hits, [](const RayHit& h) { return h.point; });
  result["normal"] = column(hits, [](const RayHit& h) { return h.normal; });
  return result;
}

using Flags = nb::ndarray<nb::numpy, bool, nb::ndim<1>>;

// An array of `count` answers, which ask(span) writes without the interpreter's lock.
template <class Ask>
Flags flags(std::size_t count, Ask ask) {
  auto memory = std::make_unique<bool[]>(count);
  {
    const nb::gil_scoped_release unlocked;
    ask(std::span<bool>(memory.get(), count));
  }
  bool* data = memory.release();
  return {data, {count}, nb::capsule(data, [](void* p) noexcept { delete[] static_cast<bool*>(p); })};
}

nb::object distance_arrays(const std::vector<Distance>& rows) {
  nb::dict result;
  result["distance"] = column(rows, [](const Distance& d) { return d.distance; });
  result["normal"] = column(rows, [](const Distance& d) { return d.normal; });
  result["point_a"] = column(rows, [](const Distance& d) { return d.point_a; });
  result["point_b"] = column(rows, [](const Distance& d) { return d.point_b; });
  result["cut_short"] = flags(rows.size(), [&](std::span<bool> answer) {
    std::transform(rows.begin(), rows.end(), answer.begin(), [](const Distance& d) { return d.cut_short; });
  });
  return result;
}

void bind_results(nb::module_& module) {
  nb::class_<RayHit>(module, "RayHit", "Where a ray meets a shape.")
      .def_ro("shape", &RayHit::shape, "index of the shape; -1 if nothing was met")
      .def_ro("body", &RayHit::body, "index of its body")
      .def_ro("distance", &RayHit::distance, "[m]; infinite if nothing was met")
      .def_prop_ro(
          "point", [](const RayHit& self) { return from_vec3(self.point); }, nb::rv_policy::automatic, "[m]")
      .def_prop_ro(
          "normal", [](const RayHit& self) { return from_vec3(self.normal); }, nb::rv_policy::automatic,
          "outward normal of the surface")
      .def("__bool__", [](const RayHit& self) { return self.shape >= 0; })
      .def("__repr__", [](const RayHit& self) {
        if (self.shape < 0) return std::string("RayHit(nothing)");
        return "RayHit(shape=" + std::to_string(self.shape) + ", body=" + std::to_string(self.body) +
               ", distance=" + std::to_string(self.distance) + ")";
      });
  nb::class_<Distance>(module, "Distance", "Signed distance of two shapes.")
      .def_ro("shape_a", &Distance::shape_a, "index; -1 if they are farther apart than the limit")
      .def_ro("shape_b", &Distance::shape_b, "index; -1 if they are farther apart than the limit")
      .def_ro("distance", &Distance::distance, "[m]; negative: minus the depth of penetration")
      .def_prop_ro(
          "point_a", [](const Distance& self) { return from_vec3(self.point_a); }, nb::rv_policy::automatic,
          "closest point of A [m]")
      .def_prop_ro(
          "point_b", [](const Distance& self) { return from_vec3(self.point_b); }, nb::rv_policy::automatic,
          "closest point of B [m]")
      .def_prop_ro(
          "normal", [](const Distance& self) { return from_vec3(self.normal); }, nb::rv_policy::automatic,
          "unit, from A to B: the gradient of the distance when B is moved")
      .def_ro("cut_short", &Distance::cut_short,
              "True if a search was cut short by its bound on iterations: the best that it found")
      .def("__bool__", [](const Distance& self) { return self.shape_a >= 0; })
      .def("__repr__", [](const Distance& self) {
        if (self.shape_a < 0) return std::string("Distance(beyond the limit)");
        return "Distance(shape_a=" + std::to_string(self.shape_a) + ", shape_b=" + std::to_string(self.shape_b) +
               ", distance=" + std::to_string(self.distance) + ")";
      });
}

void bind_rays(nb::class_<Query>& bound) {
  bound.def(
      "ray",
      [](const Query& self, const ArrayLike& origin, const ArrayLike& direction, double limit, const Groups& groups,
         const std::optional<Name>& exclude, bool fixed) {
        return self.ray(to_vec3(origin, "origin"), to_vec3(direction, "direction"), limit,
                        filter_of(self, groups, exclude, fixed));
      },
      nb::arg("origin"), nb::arg("direction"), nb::arg("limit") = Query::kNoLimit, nb::arg("groups") = nb::none(),
      nb::arg("exclude") = nb::none(), nb::arg("fixed") = true,
      "First surface along a ray, from outside or from within a shape. groups: those that are seen; exclude: a body "
      "that is not; fixed=False: nothing that is fixed to the world.");
  bound.def(
      "rays",
      [](const Query& self, const ArrayLike& origins, const ArrayLike& directions, double limit, const Groups& groups,
         const std::optional<Name>& exclude, bool fixed, int threads) {
        const std::vector<Vec3> o = vectors(origins, "origins"), d = vectors(directions, "directions");
        const QueryFilter filter = filter_of(self, groups, exclude, fixed);
        std::vector<RayHit> hits(d.size());
        {
          const nb::gil_scoped_release unlocked;
          self.rays(o, d, hits, limit, filter, threads);
        }
        return ray_arrays(hits);
      },
      nb::arg("origins"), nb::arg("directions"), nb::arg("limit") = Query::kNoLimit, nb::arg("groups") = nb::none(),
      nb::arg("exclude") = nb::none(), nb::arg("fixed") = true, nb::arg("threads") = 0,
      nb::sig("def rays(self, origins: numpy.typing.ArrayLike, directions: numpy.typing.ArrayLike, limit: float = "
              "float('inf'), groups: collections.abc.Sequence[int] | None = None, exclude: int | str | None = None, "
              "fixed: bool = True, threads: int = 0) -> dict[str, numpy.ndarray]"),
      "Many rays, from one origin or one each: a dict of the arrays shape (-1: nothing met), body, distance, point, "
      "normal.");
}

void bind_distances(nb::class_<Query>& bound) {
  bound.def(
      "distance",
      [](const Query& self, const Name& a, const Name& b, double limit) {
        return self.distance(shape_index(self, a), shape_index(self, b), limit);
      },
      nb::arg("shape_a"), nb::arg("shape_b"), nb::arg("limit") = Query::kNoLimit,
      "Signed distance of two shapes (names or indices) with closest points.");
  bound.def(
      "body_distance",
      [](const Query& self, const Name& a, const Name& b, double limit) {
        return self.body_distance(body_index(self, a), body_index(self, b), limit);
      },
      nb::arg("body_a"), nb::arg("body_b"), nb::arg("limit") = Query::kNoLimit,
      "Least signed distance over the shapes of two bodies (names or indices).");
  bound.def(
      "distances",
      [](const Query& self, const std::vector<std::pair<int, int>>& pairs, double limit, int threads) {
        std::vector<Distance> rows(pairs.size());
        {
          const nb::gil_scoped_release unlocked;
          self.distances(pairs, rows, limit, threads);
        }
        return distance_arrays(rows);
      },
      nb::arg("pairs"), nb::arg("limit") = Query::kNoLimit, nb::arg("threads") = 0,
      nb::sig("def distances(self, pairs: collections.abc.Sequence[tuple[int, int]], limit: float = float('inf'), "
              "threads: int = 0) -> dict[str, numpy.ndarray]"),
      "Many pairs of shapes (indices): a dict of the arrays distance (infinite beyond the limit), normal, point_a, "
      "point_b, cut_short.");
  bound.def(
      "distances_at",
      [](const Query& self, const Name& a, const Name& b, const ArrayLike& poses_a, const ArrayLike& poses_b,
         double limit, int threads) {
        const std::vector<Transform> pa = poses(poses_a, "poses_a"), pb = poses(poses_b, "poses_b");
        const int shape_a = shape_index(self, a), shape_b = shape_index(self, b);
        std::vector<Distance> rows(pa.size());
        {
          const nb::gil_scoped_release unlocked;
          self.distances(shape_a, shape_b, pa, pb, rows, limit, threads);
        }
        return distance_arrays(rows);
      },
      nb::arg("shape_a"), nb::arg("shape_b"), nb::arg("poses_a"), nb::arg("poses_b"),
      nb::arg("limit") = Query::kNoLimit, nb::arg("threads") = 0,
      nb::sig("def distances_at(self, shape_a: int | str, shape_b: int | str, poses_a: numpy.typing.ArrayLike, "
              "poses_b: numpy.typing.ArrayLike, limit: float = float('inf'), threads: int = 0) -> "
              "dict[str, numpy.ndarray]"),
      "Two shapes at many poses in the world, rows of (x, y, z, qw, qx, qy, qz) each: a dict as distances gives.");
}

void bind_overlaps(nb::class_<Query>& bound) {
  bound.def(
      "overlap",
      [](const Query& self, const Name& a, const Name& b) {
        return self.overlap(shape_index(self, a), shape_index(self, b));
      },
      nb::arg("shape_a"), nb::arg("shape_b"), "Whether two shapes have a point in common.");
  bound.def(
      "overlap_pairs",
      [](const Query& self, const std::vector<std::pair<int, int>>& pairs, int threads) {
        return flags(pairs.size(), [&](std::span<bool> result) { self.overlap(pairs, result, threads); });
      },
      nb::arg("pairs"), nb::arg("threads") = 0,
      nb::sig("def overlap_pairs(self, pairs: collections.abc.Sequence[tuple[int, int]], threads: int = 0) -> "
              "numpy.ndarray"),
      "Whether each of many pairs of shapes (indices) has a point in common: an array of bools.");
  bound.def(
      "overlaps_at",
      [](const Query& self, const Name& a, const Name& b, const ArrayLike& poses_a, const ArrayLike& poses_b,
         int threads) {
        const std::vector<Transform> pa = poses(poses_a, "poses_a"), pb = poses(poses_b, "poses_b");
        const int shape_a = shape_index(self, a), shape_b = shape_index(self, b);
        return flags(pa.size(),
                     [&](std::span<bool> result) { self.overlap(shape_a, shape_b, pa, pb, result, threads); });
      },
      nb::arg("shape_a"), nb::arg("shape_b"), nb::arg("poses_a"), nb::arg("poses_b"), nb::arg("threads") = 0,
      nb::sig("def overlaps_at(self, shape_a: int | str, shape_b: int | str, poses_a: numpy.typing.ArrayLike, "
              "poses_b: numpy.typing.ArrayLike, threads: int = 0) -> numpy.ndarray"),
      "Two shapes at many poses in the world, rows of (x, y, z, qw, qx, qy, qz) each: an array of bools.");
  bound.def(
      "overlaps",
      [](const Query& self, const Groups& groups, const std::optional<Name>& exclude, bool fixed) {
        return self.overlaps(filter_of(self, groups, exclude, fixed));
      },
      nb::arg("groups") = nb::none(), nb::arg("exclude") = nb::none(), nb::arg("fixed") = true,
      "All pairs of shapes of different bodies that have a point in common.");
}

}  // namespace

void bind_query(nb::module_& module) {
  bind_results(module);
  nb::class_<Query> bound(module, "Query",
                          "Rays, distances and overlaps of the shapes of a model, where they were last placed. Margins "
                          "and contact filters play no part.");
  bound.def(nb::init<std::shared_ptr<const Model>>(), nb::arg("model"),
            "The shapes lie where the reference configuration has them.");
  bound.def(
      "place", [](Query& self, World& world) { world.alone([&](Simulation& simulation) { self.place(simulation); }); },
      nb::arg("simulation"), "Places the shapes at the current state of a simulation.");
  bound.def(
      "place", [](Query& self, const ArrayLike& shape_poses) { self.place(poses(shape_poses, "shape_poses")); },
      nb::arg("shape_poses"), "Places every shape: rows of (x, y, z, qw, qx, qy, qz) in the world.");
  bind_rays(bound);
  bind_distances(bound);
  bind_overlaps(bound);
}

}  // namespace stiction::python
