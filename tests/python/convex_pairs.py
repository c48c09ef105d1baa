"""Random shapes of all convex types for Stiction, MuJoCo and Coal, and their support functions in NumPy.

The support functions prove a signed distance without trusting any engine. Along a unit n from A to B the bodies are
apart by s(n) = min n·B - max n·A; the distance is the largest s(n). So a distance d with its normal is never too large
if s(n) = d; of bodies that are apart it is never too small if points of both are d apart.
"""

import coal
import mujoco
import numpy as np
from scipy.spatial import ConvexHull

import stiction

TYPES = ("plane", "sphere", "capsule", "box", "hull", "cylinder", "ellipsoid")
PAIRS = [(a, b) for i, a in enumerate(TYPES) for b in TYPES[max(i, 1) :]]


def rotations(q):
    """Matrices of unit quaternions (n, 4)."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


class Shape:
    """One shape in its own frame."""

    def __init__(self, model, index):
        self.kind = TYPES[model.shape_type[index]]
        self.size = np.array(model.shape_size[index])
        if self.kind == "hull":
            hull = model.shape_hull[index]
            self.vertices = np.array(model.hull_vertex_position[model.hull_vertex[hull] : model.hull_vertex[hull + 1]])
            self.faces = ConvexHull(self.vertices)

    @property
    def radius(self):
        r = self.size
        return {
            "plane": lambda: np.inf,
            "sphere": lambda: r[0],
            "capsule": lambda: r[0] + r[1],
            "box": lambda: np.linalg.norm(r),
            "hull": lambda: np.linalg.norm(self.vertices, axis=1).max(),
            "cylinder": lambda: np.hypot(r[0], r[1]),
            "ellipsoid": lambda: r.max(),
        }[self.kind]()

    def support(self, n):
        """max n·x over the shape, for each row of n."""
        r, across = self.size, np.hypot(n[:, 0], n[:, 1])
        match self.kind:
            case "plane":
                # The half-space ends at z = 0; along its normal only.
                return np.where(np.linalg.norm(n - [0, 0, 1], axis=1) < 1e-9, 0.0, np.inf)
            case "sphere":
                return np.full(len(n), r[0])
            case "capsule":
                return r[0] + r[1] * abs(n[:, 2])
            case "box":
                return abs(n) @ r
            case "hull":
                return (n @ self.vertices.T).max(axis=1)
            case "cylinder":
                return r[0] * across + r[1] * abs(n[:, 2])
            case "ellipsoid":
                return np.linalg.norm(n * r, axis=1)

    def outside(self, x):
        """How far rows of x are outside the shape, roughly: zero or less inside and on the surface."""
        r, across = self.size, np.hypot(x[:, 0], x[:, 1])
        match self.kind:
            case "plane":
                return x[:, 2]
            case "sphere":
                return np.linalg.norm(x, axis=1) - r[0]
            case "capsule":
                return np.hypot(across, abs(x[:, 2]) - np.minimum(abs(x[:, 2]), r[1])) - r[0]
            case "box":
                return (abs(x) - r).max(axis=1)
            case "hull":
                return (x @ self.faces.equations[:, :3].T + self.faces.equations[:, 3]).max(axis=1)
            case "cylinder":
                return np.maximum(across - r[0], abs(x[:, 2]) - r[1])
            case "ellipsoid":
                return (np.linalg.norm(x / r, axis=1) - 1) * r.min()

    def in_coal(self):
        r = self.size
        match self.kind:
            case "plane":
                return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
            case "sphere":
                return coal.Sphere(r[0])
            case "capsule":
                return coal.Capsule(r[0], 2 * r[1])
            case "box":
                return coal.Box(*(2 * r))
            case "cylinder":
                return coal.Cylinder(r[0], 2 * r[1])
            case "ellipsoid":
                return coal.Ellipsoid(*r)
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for p in self.vertices:
            points.append(p)
        for (a, b, c), plane in zip(self.faces.simplices, self.faces.equations):
            p = self.vertices
            turned = np.dot(np.cross(p[b] - p[a], p[c] - p[a]), plane[:3]) < 0
            triangles.append(coal.Triangle(int(a), int(c if turned else b), int(b if turned else c)))
        return coal.Convex(points, triangles)


def scene(rng):
    """MJCF with two shapes of each type; sizes from 0.1 to 1 m, each apart."""
    assets, geoms = [], []
    for copy in range(2):
        for kind in TYPES:
            size = " ".join(map(repr, np.exp(rng.uniform(np.log(0.1), 0, 3)).tolist()))
            name = f"{kind}{copy}"
            if kind == "hull":
                points = unit(rng.normal(size=(12, 3))) * rng.uniform(0.2, 1, 3)
                assets.append(f'<mesh name="{name}" vertex="{" ".join(map(repr, points.ravel().tolist()))}"/>')
                geoms.append(f'<geom name="{name}" type="mesh" mesh="{name}"/>')
            else:
                geoms.append(f'<geom name="{name}" type="{kind}" size="{"0 0 1" if kind == "plane" else size}"/>')
    return f"<mujoco><asset>{''.join(assets)}</asset><worldbody>{''.join(geoms)}</worldbody></mujoco>"


class Scene:
    """The same shapes in three engines."""

    def __init__(self, rng, folder):
        text = scene(rng)
        path = folder / "pairs.xml"
        path.write_text(text)
        self.model = stiction.load(path)
        self.query = stiction.Query(self.model)
        self.mujoco = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.mujoco)
        mujoco.mj_kinematics(self.mujoco, self.data)
        self.shapes = [Shape(self.model, i) for i in range(self.model.nshape)]
        self.coal = [shape.in_coal() for shape in self.shapes]

    def draw(self, rng, a, b, count):
        """Poses (x, y, z, qw, qx, qy, qz) of both: deep in each other up to half their sizes apart."""
        q = unit(rng.normal(size=(2, count, 4)))
        radii = self.shapes[a].radius, self.shapes[b].radius
        reach = min(radii) + (max(radii) if np.isfinite(max(radii)) else min(radii))
        position = rng.uniform(-1, 1, (count, 3))
        away = unit(rng.normal(size=(count, 3))) * reach * rng.uniform(0, 1.5, (count, 1))
        if self.shapes[a].kind == "plane":
            # Both sides of the surface.
            up = rotations(q[0])[:, :, 2]
            away -= up * (np.einsum("ij,ij->i", up, away) - reach * rng.uniform(-0.5, 1.5, count))[:, None]
        return np.hstack([position, q[0]]), np.hstack([position + away, q[1]])

    def separation(self, a, b, poses_a, poses_b, n):
        """s(n) for rows of n."""
        own = np.einsum("nij,ni->nj", rotations(poses_a[:, 3:]), n)
        other = -np.einsum("nij,ni->nj", rotations(poses_b[:, 3:]), n)
        along = np.einsum("ni,ni->n", n, poses_b[:, :3] - poses_a[:, :3])
        return along - self.shapes[a].support(own) - self.shapes[b].support(other)

    def outside(self, shape, poses, points):
        return self.shapes[shape].outside(np.einsum("nij,ni->nj", rotations(poses[:, 3:]), points - poses[:, :3]))

    def ask_coal(self, a, b, poses_a, poses_b):
        """Distances and normals, as finely as Coal can."""
        request = coal.DistanceRequest(True)
        request.gjk_tolerance = request.epa_tolerance = 1e-10
        request.gjk_max_iterations = request.epa_max_iterations = 1000
        frames = [[coal.Transform3s(R, p) for R, p in zip(rotations(x[:, 3:]), x[:, :3])] for x in (poses_a, poses_b)]
        distance, normal = np.zeros(len(poses_a)), np.zeros((len(poses_a), 3))
        for i, (X, Y) in enumerate(zip(*frames)):
            result = coal.DistanceResult()
            distance[i] = coal.distance(self.coal[a], X, self.coal[b], Y, request, result)
            normal[i] = result.normal
        return distance, normal

    def ask_mujoco(self, a, b, poses_a, poses_b):
        distance, ends = np.zeros(len(poses_a)), np.zeros((len(poses_a), 6))
        Ra, Rb = rotations(poses_a[:, 3:]).reshape(-1, 9), rotations(poses_b[:, 3:]).reshape(-1, 9)
        data, place, turn = self.data, self.data.geom_xpos, self.data.geom_xmat
        for i in range(len(poses_a)):
            place[a], place[b], turn[a], turn[b] = poses_a[i, :3], poses_b[i, :3], Ra[i], Rb[i]
            distance[i] = mujoco.mj_geomDistance(self.mujoco, data, a, b, 100.0, ends[i])
        v = (ends[:, 3:] - ends[:, :3]) * np.sign(distance)[:, None]
        length = np.linalg.norm(v, axis=1, keepdims=True)
        return distance, np.where(length > 0, v / np.where(length > 0, length, 1), [0, 0, 1])
