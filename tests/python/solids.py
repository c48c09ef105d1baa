"""Places of bodies that turn, and boxes of triangles."""

import numpy as np


def rotated(quaternion, x):
    w, v = quaternion[0], np.asarray(quaternion[1:])
    return x + 2 * np.cross(v, np.cross(v, x) + w * np.asarray(x))


def box_triangles(lower, upper):
    """Vertices and triangles, outward."""
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)])
    quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
    triangles = [t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])]
    return np.where(corners, upper, lower), np.array(triangles)
