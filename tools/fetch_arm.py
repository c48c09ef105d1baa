"""An arm with the masses, lengths, limits and efforts of the Fetch robot, of boxes, and its inverse kinematics."""

import math

# Links from the torso to the gripper: joint at (x, z) of the link before, axis, range [rad], effort [N m], mass [kg],
# centre of mass, inertia (xx yy zz xy xz yz), bounds of the collision mesh: least and largest corner.
# fmt: off
LINKS = [
    ("shoulder_pan", (0.119525, 0.34858), "0 0 1", (-1.6056, 1.6056), 33.82, 2.5587, (0.0927, -0.0056, 0.0564),
     (0.0043, 0.0087, 0.0087, -0.0001, 0.001, -0.0001), (-0.052, -0.0745, -0.048), (0.1775, 0.052, 0.1205)),
    ("shoulder_lift", (0.117, 0.06), "0 1 0", (-1.221, 1.518), 131.76, 2.6615, (0.1432, 0.0072, -0.0001),
     (0.0028, 0.0111, 0.0112, -0.0021, 0, 0), (-0.06, -0.052, -0.0597), (0.172, 0.0705, 0.0597)),
    ("upperarm_roll", (0.219, 0), "1 0 0", None, 76.94, 2.3311, (0.1165, 0.0014, 0),
     (0.0019, 0.0045, 0.0047, -0.0001, 0, 0), (-0.048, -0.0705, -0.052), (0.185, 0.052, 0.052)),
    ("elbow_flex", (0.133, 0), "0 1 0", (-2.251, 2.251), 66.18, 2.1299, (0.1279, 0.0073, 0),
     (0.0024, 0.0082, 0.0084, -0.0016, 0, 0), (-0.052, -0.052, -0.052), (0.166, 0.0705, 0.052)),
    ("forearm_roll", (0.197, 0), "1 0 0", None, 29.35, 1.6563, (0.1097, -0.0266, 0),
     (0.0016, 0.003, 0.0035, -0.0003, 0, 0), (-0.032, -0.087, -0.052), (0.1765, 0.052, 0.052)),
    ("wrist_flex", (0.1245, 0), "0 1 0", (-2.16, 2.16), 25.7, 1.725, (0.0882, 0.0009, -0.0001),
     (0.0018, 0.0042, 0.0042, -0.0001, 0, 0), (-0.052, -0.054, -0.052), (0.1165, 0.067, 0.052)),
    ("wrist_roll", (0.1385, 0), "1 0 0", None, 7.36, 0.1354, (0.0095, 0.0004, -0.0002),
     (0.0001, 0.0001, 0.0001, 0, 0, 0), (-0.023, -0.0519, -0.052), (0.0195, 0.0519, 0.052)),
]
# fmt: on
TORSO = (-0.086875, 0.37743 + 0.19)  # [m] x and z of the torso's frame, lifted by half of its range
GRIPPER = 0.16645  # [m] from the last joint to the middle between the fingers
SERVO = 'kp="4000" kv="40"'


def rotation(axis, angle):
    """About x, y or z ("1 0 0" …)."""
    c, s, k = math.cos(angle), math.sin(angle), axis.split().index("1")
    i, j = (k + 1) % 3, (k + 2) % 3
    matrix = [[0.0] * 3 for _ in range(3)]
    matrix[k][k], matrix[i][i], matrix[j][j], matrix[i][j], matrix[j][i] = 1.0, c, c, -s, s
    return matrix


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def gripper_pose(angles):
    """Position and rotation matrix of the gripper."""
    place, turn = [TORSO[0], 0.0, TORSO[1]], [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
    for (_, (x, z), axis, *_), angle in zip(LINKS, angles):
        place = [p + r[0] * x + r[2] * z for p, r in zip(place, turn)]
        turn = product(turn, rotation(axis, angle))
    return [p + r[0] * GRIPPER for p, r in zip(place, turn)], turn


def error(angles, goal, roll):
    """What is to vanish: 3 of position, 3 of rotation (half the skew part: its sine about an axis), 1 of the roll."""
    place, turn = gripper_pose(angles)
    tilt = [turn[2][1] - turn[1][2], turn[0][2] - turn[2][0], turn[1][0] - turn[0][1]]
    return [p - g for p, g in zip(place, goal)] + [t / 2 for t in tilt] + [angles[2] - roll]


def solved(matrix, right):
    """Gaussian elimination with pivots."""
    rows, n = [[*row, r] for row, r in zip(matrix, right)], len(right)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                share = rows[i][k] / rows[k][k]
                rows[i] = [a - share * b for a, b in zip(rows[i], rows[k])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def reach(goal, start, roll):
    """Angles that put the gripper at `goal`, level and forwards, with the upper arm rolled by `roll`: Newton's method,
    derivatives by differences."""
    angles, step = list(start), 1e-6
    for _ in range(40):
        now = error(angles, goal, roll)
        columns = []
        for k in range(7):
            moved = [a + step * (i == k) for i, a in enumerate(angles)]
            columns.append([(m - n) / step for m, n in zip(error(moved, goal, roll), now)])
        change = solved([list(row) for row in zip(*columns)], now)
        scale = min(1.0, 0.3 / max(abs(c) for c in change))
        angles = [a - scale * c for a, c in zip(angles, change)]
    # The skew part vanishes for half a turn too; the trace tells them apart.
    turn = gripper_pose(angles)[1]
    if max(abs(e) for e in error(angles, goal, roll)) > 1e-9 or turn[0][0] + turn[1][1] + turn[2][2] < 2.9:
        raise ValueError(f"the arm does not reach {goal}")
    return [round(a, 7) for a in angles]
