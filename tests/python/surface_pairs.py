"""Meshes, height fields and tetrahedral surfaces with the shapes that meet them, for Stiction and Coal.

`off(x)` tells how far points are off a shape, by NumPy alone: it proves or refutes the witness points of a distance.
"""

import coal
import numpy as np
from scipy.spatial import ConvexHull

import stiction

RADIUS = 0.1  # [m] about that of every shape
BOX, CYLINDER, ELLIPSOID = (0.1, 0.07, 0.05), (0.06, 0.08), (0.1, 0.07, 0.05)
CAPSULE = (0.05, 0.06)
FIELD = (0.1, 0.08, 0.05)  # half-sizes and base


def torus(around=12, across=8):
    ring, tube = 0.07, 0.03
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = 2 * np.pi * u / around, 2 * np.pi * v / across
    reach = ring + tube * np.cos(b)
    vertices = np.stack([reach * np.cos(a), reach * np.sin(a), tube * np.sin(b)], axis=-1).reshape(-1, 3)
    index = u * across + v
    right, up = np.roll(index, -1, 0), np.roll(index, -1, 1)
    both = np.roll(right, -1, 1)
    faces = np.concatenate([np.stack([index, right, both], -1), np.stack([index, both, up], -1)]).reshape(-1, 3)
    return vertices, faces


def hills(rows=5, columns=7):
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return 0.03 * np.cos(5 * x) * np.cos(4 * y)


def hills_as_triangles(heights, half_x, half_y, base):
    """The solid under the heights, cells split from (-x, -y) to (x, y)."""
    rows, columns = heights.shape
    y, x = np.meshgrid(np.linspace(-half_y, half_y, rows), np.linspace(-half_x, half_x, columns), indexing="ij")
    top = np.stack([x, y, heights], -1).reshape(-1, 3)
    low = np.stack([x, y, np.full_like(heights, -base)], -1).reshape(-1, 3)
    index, faces = np.arange(rows * columns).reshape(rows, columns), []
    n = rows * columns
    for r in range(rows - 1):
        for c in range(columns - 1):
            a, b, d, e = index[r, c], index[r, c + 1], index[r + 1, c + 1], index[r + 1, c]
            faces += [[a, b, d], [a, d, e], [n + a, n + d, n + b], [n + a, n + e, n + d]]
    rim = [*index[0], *index[1:, -1], *index[-1, -2::-1], *index[-2:0:-1, 0]]
    for a, b in zip(rim, [*rim[1:], rim[0]], strict=True):
        faces += [[a, n + a, n + b], [a, n + b, b]]
    return np.concatenate([top, low]), np.array(faces)


def corner_of_cubes():
    """Three cubes around a fourth at the corner, each cut into six tetrahedra: not convex."""
    edge, points, cells = 0.07, {}, []
    paths = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (1, 0, 2), (2, 1, 0)]
    for cube in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)):
        for path in paths:
            at, cell = np.array(cube), []
            for axis in (None, *path):
                at = at if axis is None else at + np.eye(3, dtype=int)[axis]
                cell.append(points.setdefault(tuple(at), len(points)))
            # Odd paths give left-handed cells.
            cells.append(cell if path in paths[:3] else [cell[1], cell[0], *cell[2:]])
    return edge * (np.array(list(points), dtype=float) - 0.7), np.array(cells)


def coal_mesh(vertices, faces):
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(faces), len(vertices))
    for a, b, c in vertices[faces]:
        mesh.addTriangle(a, b, c)
    mesh.endModel()
    return mesh


def corners():
    points = np.random.default_rng(3).normal(size=(12, 3)) * [1, 0.7, 0.5]
    return RADIUS * points / np.linalg.norm(points, axis=1, keepdims=True)


def off_triangles(vertices, faces):
    """[m] distance to the nearest triangle: over its inside, or to its sides."""
    a = vertices[faces]
    side = np.roll(a, -1, axis=1) - a
    n = np.cross(side[:, 0], side[:, 1])
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    inward = np.cross(n[:, None], side)

    def off(x):
        r = x[:, None, None] - a  # point, triangle, corner
        over = (np.einsum("ntki,tki->ntk", r, inward) >= 0).all(axis=-1)
        height = abs(np.einsum("nti,ti->nt", r[:, :, 0], n))
        t = np.clip(np.einsum("ntki,tki->ntk", r, side) / (side**2).sum(-1), 0, 1)
        beside = np.linalg.norm(r - t[..., None] * side, axis=-1).min(axis=-1)
        return np.where(over, height, beside).min(axis=1)

    return off


def off_round(x):
    return abs(np.linalg.norm(x, axis=1) - RADIUS)


def off_capsule(x):
    radius, half = CAPSULE
    return abs(np.linalg.norm(x - np.array([0, 0, 1]) * np.clip(x[:, 2:], -half, half), axis=1) - radius)


def off_box(x):
    return abs((abs(x) - BOX).max(axis=1))


def off_cylinder(x):
    return abs(np.maximum(np.hypot(x[:, 0], x[:, 1]) - CYLINDER[0], abs(x[:, 2]) - CYLINDER[1]))


def off_ellipsoid(x):
    """To first order: |x/r| - 1 over the length of its gradient."""
    r = np.array(ELLIPSOID)
    level = np.linalg.norm(x / r, axis=1)
    return abs(level - 1) * level / np.linalg.norm(x / r**2, axis=1)


def shapes():
    """name: (adds itself to a builder, Coal's shape, off)"""
    vertices, faces = torus()
    hull = corners()
    hull_faces = ConvexHull(hull).simplices
    heights = hills()
    solid = hills_as_triangles(heights, *FIELD)
    mesh = stiction.TriangleMesh(vertices, faces)
    cells = stiction.TetrahedralMesh(*corner_of_cubes()).boundary()
    boundary = np.array(cells.vertices), np.array(cells.triangles)
    return {
        "mesh": (lambda b, i: b.add_shape_mesh(i, mesh), coal_mesh(vertices, faces), off_triangles(vertices, faces)),
        "height field": (
            lambda b, i: b.add_shape_height_field(i, heights, *FIELD),
            coal_mesh(*solid),
            off_triangles(*solid),
        ),
        "tetrahedra": (lambda b, i: b.add_shape_mesh(i, cells), coal_mesh(*boundary), off_triangles(*boundary)),
        "sphere": (lambda b, i: b.add_shape_sphere(i, RADIUS), coal.Sphere(RADIUS), off_round),
        "capsule": (
            lambda b, i: b.add_shape_capsule(i, *CAPSULE),
            coal.Capsule(CAPSULE[0], 2 * CAPSULE[1]),
            off_capsule,
        ),
        "box": (lambda b, i: b.add_shape_box(i, BOX), coal.Box(*(2 * s for s in BOX)), off_box),
        "cylinder": (
            lambda b, i: b.add_shape_cylinder(i, *CYLINDER),
            coal.Cylinder(CYLINDER[0], 2 * CYLINDER[1]),
            off_cylinder,
        ),
        "hull": (lambda b, i: b.add_shape_hull(i, hull), coal_mesh(hull, hull_faces), off_triangles(hull, hull_faces)),
        "ellipsoid": (lambda b, i: b.add_shape_ellipsoid(i, ELLIPSOID), coal.Ellipsoid(*ELLIPSOID), off_ellipsoid),
    }


SURFACES = ["mesh", "height field", "tetrahedra"]
PAIRS = [(a, b) for a in shapes() for b in SURFACES if a not in SURFACES or SURFACES.index(a) <= SURFACES.index(b)]
