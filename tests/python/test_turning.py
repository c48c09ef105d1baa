"""What a step foresees at its end may not drive bodies: a tetrahedron and a star, wedged by friction, where a
step foresaw a place 0.35 mm deep that was not. Pushed out of it they flew apart at 550 rad/s."""

import itertools

import numpy as np
from solids import rotated

import stiction

GOLDEN = (1 + 5**0.5) / 2


def star(inner, outer):
    """An icosahedron with a spike on each face."""
    corners = np.array([np.roll([0, a, b * GOLDEN], k) for k in range(3) for a in (-1, 1) for b in (-1, 1)])
    corners *= inner / np.linalg.norm(corners[0])
    side = min(np.linalg.norm(corners[0] - c) for c in corners[1:]) * 1.001
    vertices, triangles = list(corners), []
    for face in itertools.combinations(range(12), 3):
        a, b, c = corners[list(face)]
        if max(np.linalg.norm(a - b), np.linalg.norm(b - c), np.linalg.norm(c - a)) > side:
            continue
        i, j, k = face if np.dot(np.cross(b - a, c - a), a) > 0 else (face[0], face[2], face[1])
        tip = len(vertices)
        vertices.append((a + b + c) / np.linalg.norm(a + b + c) * outer)
        triangles += [(i, j, tip), (j, k, tip), (k, i, tip)]
    return stiction.TriangleMesh(vertices, triangles)


def test_foreseen_contacts_do_not_drive_bodies():
    mesh = star(0.012, 0.03)
    assert mesh.report().outward and len(mesh.triangles) == 60
    builder = stiction.Builder("wedged", timestep=0.001)
    for name in ("tetrahedron", "star"):
        builder.add_joint_free(builder.add_body(name))
    tip, width, height = -0.02, 0.0174, 0.02 / 3
    corners = [[0, 0, tip], [0.02, 0, height], [-0.01, width, height], [-0.01, -width, height]]
    builder.add_shape_hull(1, corners, friction=1.0)
    builder.add_shape_mesh(2, mesh, friction=1.0)
    sim = stiction.Simulation(builder.build(), integrator="euler")
    sim.state.q[:7] = (
        -0.01210122323680437,
        -0.007561305226188603,
        -0.07201375652731826,
        0.14341586673116258,
        -0.702117610456189,
        -0.2108677566461816,
        -0.664828955043361,
    )
    sim.state.q[7:] = (
        0.00975869844193727,
        -0.005121454314532356,
        -0.0490438101800533,
        0.7180006562277468,
        0.49181016167045555,
        -0.49024677794962446,
        -0.04749651823257415,
    )
    sim.state.u[:6] = (
        -0.044637642950989216,
        0.0877841425508155,
        0.033883106174904906,
        4.729719656635393,
        2.152444031385478,
        16.490319552237192,
    )
    sim.state.u[6:] = (
        -0.0015099202585569622,
        -0.33704073035702764,
        0.1155401203656281,
        8.233979101755994,
        -12.447215933271446,
        -13.91173706608364,
    )
    fastest = abs(sim.state.u).max()
    for _ in range(20):
        assert sim.step().ok, sim.describe()
        assert abs(sim.state.u).max() < 1.5 * fastest


def drum(inner, outer, half, sides):
    """A tube around z with flat sides."""
    profile = [(inner, -half), (outer, -half), (outer, half), (inner, half)]
    angles = 2 * np.pi * np.arange(sides) / sides
    vertices = [(r * np.cos(a), r * np.sin(a), z) for r, z in profile for a in angles]
    triangles = []
    for k in range(4):
        for i in range(sides):
            a, b = k * sides + i, k * sides + (i + 1) % sides
            c, d = (k + 1) % 4 * sides + (i + 1) % sides, (k + 1) % 4 * sides + i
            triangles += [(a, b, c), (a, c, d)]
    return stiction.TriangleMesh(vertices, triangles)


def test_a_tip_does_not_turn_through_the_side_of_a_drum():
    """The contact at the start is with one side, at the end with another."""
    sides, inner, outer, half, gap, spin = 14, 0.022, 0.025, 0.02, 1e-5, 60
    builder = stiction.Builder("drum", timestep=0.005, gravity=(0, 0, 0))
    builder.add_shape_mesh(0, drum(inner, outer, half, sides), friction=0)
    builder.add_joint_free(builder.add_body("tip"))
    corners = np.array([[0, 0, -0.02], [0.02, 0, 0.02 / 3], [-0.01, 0.0174, 0.02 / 3], [-0.01, -0.0174, 0.02 / 3]])
    tip = stiction.TriangleMesh(corners, [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)])
    builder.add_shape_mesh(1, tip, density=2000, friction=0)
    sim = stiction.Simulation(builder.build(), integrator="euler")
    query = stiction.Query(sim.model)

    angles = 2 * np.pi * (np.arange(sides) + 0.5) / sides
    normals = np.stack([np.cos(angles), np.sin(angles), 0 * angles])
    flat = np.cos(np.pi / sides)
    out, across = normals[:, 0], np.cross([0, 0, 1], normals[:, 0])
    share = np.linspace(0, 1, 101)[:, None]
    edges = np.vstack([a + share * (b - a) for a, b in itertools.combinations(corners, 2)])

    def depth(points):
        radius = (points @ normals).max(axis=1)
        return np.minimum.reduce([outer * flat - radius, radius - inner * flat, half - abs(points[:, 2])]).max()

    rng, looked_at = np.random.default_rng(1), 0
    while looked_at < 400:
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        if rotated(q, corners[0]) @ out > -0.6 * 0.02:
            continue
        place = out * (outer * flat + gap) + across * rng.uniform(-0.003, 0.003)
        velocity = rng.normal(size=3) * 0.5 - out * abs(rng.normal())
        omega = rng.normal(size=3)
        sim.state.q[:] = (*(place - rotated(q, corners[0])), *q)
        sim.state.u[:] = (*velocity, *(omega / np.linalg.norm(omega) * spin))
        query.place(sim)
        if query.distance(0, 1).distance <= 0:
            continue
        looked_at += 1
        assert sim.step().ok, sim.describe()
        pose = sim.body_pose(1)
        assert depth(np.array(pose.position) + rotated(pose.quaternion, edges)) < 1e-5, looked_at
