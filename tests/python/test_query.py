"""Rays against MuJoCo; distances, overlaps and filters of a scene."""

import mujoco
import numpy as np
import pytest

import stiction

SHAPES = """<mujoco>
<asset><mesh name="rock" vertex="1 0 0  -1 0 0  0 1 0  0 -1 0  0 0 1  0 0 -1  .7 .7 .2"/></asset><worldbody>
<geom name="floor" type="plane" size="0 0 1" pos="0 0 -4"/>
<body name="a" pos="-2 0 0"><freejoint/><geom name="ball" type="sphere" size=".5"/>
  <geom name="rod" type="capsule" size=".2 .6" pos="0 1.5 0" euler="20 40 0" group="2"/></body>
<body name="b" pos="2 0 0" euler="10 20 30"><freejoint/><geom name="brick" type="box" size=".3 .5 .7"/>
  <geom name="egg" type="ellipsoid" size=".3 .5 .7" pos="0 2 0" euler="0 30 0"/></body>
<body name="c" pos="0 -2 1" euler="50 0 0"><freejoint/><geom name="can" type="cylinder" size=".4 .6"/>
  <geom name="rock" type="mesh" mesh="rock" pos="0 0 2.5" group="3"/></body>
<geom name="post" type="box" size=".2 .2 2" pos="0 3 0" group="1"/>
</worldbody></mujoco>"""


@pytest.fixture
def world(tmp_path):
    path = tmp_path / "shapes.xml"
    path.write_text(SHAPES)
    model = stiction.load(path)
    oracle = mujoco.MjModel.from_xml_string(SHAPES)
    data = mujoco.MjData(oracle)
    mujoco.mj_forward(oracle, data)
    return model, stiction.Query(model), oracle, data


@pytest.mark.parametrize("groups", [None, [0, 3]])
@pytest.mark.parametrize("exclude", [-1, 2])
@pytest.mark.parametrize("fixed", [True, False])
def test_rays_meet_what_mujoco_says(world, groups, exclude, fixed):
    model, query, oracle, data = world
    rng = np.random.default_rng(3)
    count = 1500
    # A third of the rays begins inside a shape.
    origins = rng.uniform(-4, 4, (count, 3))
    origins[::3] = data.geom_xpos[rng.integers(1, oracle.ngeom, len(origins[::3]))] + rng.uniform(-0.2, 0.2, 3)
    directions = rng.normal(size=(count, 3))
    hits = query.rays(origins, directions, groups=groups, exclude=None if exclude < 0 else exclude, fixed=fixed)
    mask = None if groups is None else np.isin(np.arange(6), groups).astype(np.uint8)
    met = 0
    for i in range(count):
        geom, normal = np.zeros(1, np.int32), np.zeros(3)
        unit = directions[i] / np.linalg.norm(directions[i])
        distance = mujoco.mj_ray(oracle, data, origins[i], unit, mask, int(fixed), exclude, geom, normal)
        assert hits["shape"][i] == geom[0]
        if geom[0] < 0:
            assert distance == -1 and np.isinf(hits["distance"][i])
            continue
        met += 1
        # The vertices of MuJoCo's meshes are floats.
        assert hits["distance"][i] == pytest.approx(distance, rel=2e-6 if model.shape_type[geom[0]] == 4 else 1e-12)
        assert hits["body"][i] == model.shape_body[geom[0]]
        assert np.allclose(hits["point"][i], origins[i] + unit * hits["distance"][i], atol=1e-12)
        # MuJoCo's normal of a mesh faces the origin of the ray; ours goes out of the shape.
        assert abs(np.dot(normal, hits["normal"][i])) == pytest.approx(1, abs=1e-6)
    assert met > (100 if groups or not fixed else 300)


def test_single_ray_is_the_ray_of_many(world):
    model, query, _, _ = world
    hit = query.ray([-4, 0, 0], [2, 0, 0])
    assert hit and hit.shape == model.shape("ball") and hit.body == model.body("a")
    assert hit.distance == pytest.approx(1.5, abs=1e-15)
    assert np.allclose(hit.point, [-2.5, 0, 0]) and np.allclose(hit.normal, [-1, 0, 0])
    assert not query.ray([-4, 0, 0], [2, 0, 0], limit=1.4)
    assert not query.ray([-4, 0, 0], [0, 0, 0]) and not query.ray([np.nan, 0, 0], [1, 0, 0])
    rows = query.rays([-4, 0, 0], np.eye(3), threads=1)
    assert rows["shape"].tolist() == [hit.shape, -1, -1]
    with pytest.raises(stiction.Error, match="origins"):
        query.rays(np.zeros((2, 3)), np.ones((3, 3)))


@pytest.mark.parametrize("length", [1e-320, 1e-300, 1e-160, 1e160, 1e300])
def test_directions_may_have_any_length(world, length):
    _, query, _, _ = world
    hit, wanted = query.ray([-4, 0.1, 0], [length, 0, 0]), query.ray([-4, 0.1, 0], [1, 0, 0])
    assert wanted and hit.shape == wanted.shape and hit.distance == wanted.distance


@pytest.mark.parametrize("exclude", [-1, -2, 4, 99, "nobody"])
def test_a_body_to_exclude_must_be_there(world, exclude):
    _, query, _, _ = world
    for ask in (
        lambda: query.ray([0, 0, 5], [0, 0, -1], exclude=exclude),
        lambda: query.rays([0, 0, 5], [0, 0, -1], exclude=exclude),
        lambda: query.overlaps(exclude=exclude),
    ):
        with pytest.raises(stiction.Error, match="no body"):
            ask()


def test_rays_do_not_depend_on_threads(world):
    _, query, _, _ = world
    rng = np.random.default_rng(4)
    origins, directions = rng.uniform(-4, 4, (2000, 3)), rng.normal(size=(2000, 3))
    one, two = (query.rays(origins, directions, threads=n) for n in (1, 2))
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_gradient_of_the_distance_is_the_normal(world):
    """d(p + ε) − d(p) = n·ε to first order, by central differences."""
    _, query, _, _ = world
    rng = np.random.default_rng(6)
    poses = rng.normal(size=(2, 7, 7))
    poses[1, :, :3] += 2.5
    for i, shape in enumerate(range(1, 8)):
        a, b = poses[0, i], poses[1, i]
        exact = query.distances_at(shape, "brick", a, b)["normal"][0]
        step = 1e-6
        moved = [[np.r_[b[:3] + s * step * e, b[3:]] for s in (1, -1)] for e in np.eye(3)]
        d = query.distances_at(shape, "brick", np.tile(a, (6, 1)), np.reshape(moved, (6, 7)))["distance"].reshape(3, 2)
        assert np.allclose((d[:, 0] - d[:, 1]) / (2 * step), exact, atol=1e-6)


def test_bodies_have_the_distance_of_their_nearest_shapes(world):
    model, query, _, _ = world
    for a in range(1, 4):
        for b in range(1, 4):
            if a == b:
                continue
            shapes = [[i for i in range(model.nshape) if model.shape_body[i] == body] for body in (a, b)]
            pairs = [(i, j) for i in shapes[0] for j in shapes[1]]
            all_pairs = query.distances(pairs)
            nearest = int(np.argmin(all_pairs["distance"]))
            found = query.body_distance(a, b)
            assert (found.shape_a, found.shape_b) == pairs[nearest]
            assert found.distance == all_pairs["distance"][nearest]
            assert np.array_equal(found.normal, all_pairs["normal"][nearest])
            assert not query.body_distance(a, b, limit=found.distance * 0.99)


def test_overlaps_are_the_pairs_of_negative_distance():
    builder = stiction.Builder("heap")
    builder.add_shape_plane(0)
    rng = np.random.default_rng(8)
    for i in range(60):
        body = builder.add_body(f"b{i}", position=rng.uniform(-1, 1, 3))
        builder.add_joint_free(body)
        (builder.add_shape_sphere if i % 2 else lambda b, r: builder.add_shape_box(b, (r, r, r)))(body, 0.2)
    query = stiction.Query(builder.build())
    wanted = [(a, b) for a in range(61) for b in range(a + 1, 61) if query.distance(a, b).distance <= 0]
    assert query.overlaps() == wanted and 60 < len(wanted) < 600
    assert query.overlap(*wanted[0])
    assert query.overlaps(fixed=False) == [p for p in wanted if p[0] > 0]


def test_many_overlaps_are_the_single_ones():
    builder = stiction.Builder("pair")
    for name, add in (("box", builder.add_shape_box), ("egg", builder.add_shape_ellipsoid)):
        body = builder.add_body(name)
        builder.add_joint_free(body)
        add(body, (0.2, 0.3, 0.4), name=name)
    query = stiction.Query(builder.build())
    rng = np.random.default_rng(9)
    poses = rng.normal(size=(2, 600, 7)) * [0.3, 0.3, 0.3, 1, 1, 1, 1]
    for a, b in (("box", "egg"), ("egg", "egg")):  # a shape and its copy, too
        found = query.overlaps_at(a, b, *poses)
        assert found.dtype == bool and 100 < found.sum() < 500
        assert np.array_equal(found, query.distances_at(a, b, *poses)["distance"] <= 0)
        assert np.array_equal(found, query.overlaps_at(a, b, *poses, threads=1))
    for pose_a, pose_b, overlap in zip(*poses[:, :20], query.overlaps_at("box", "egg", *poses[:, :20])):
        query.place([pose_a, pose_b])
        assert query.overlap("box", "egg") == overlap
        assert np.array_equal(query.overlap_pairs([(0, 1), (1, 0)]), [overlap, overlap])
    assert query.overlap_pairs([]).shape == (0,)
    with pytest.raises(stiction.Error, match="no shape 2 of 2"):
        query.overlap_pairs([(0, 2)])
    with pytest.raises(stiction.Error, match="1 and 2 poses"):
        query.overlaps_at(0, 1, [[0, 0, 0, 1, 0, 0, 0]], [[0, 0, 0, 1, 0, 0, 0]] * 2)


def test_nothing_has_a_distance_to_itself(world):
    _, query, _, _ = world
    for ask in (
        lambda: query.distance("egg", "egg"),
        lambda: query.overlap("egg", "egg"),
        lambda: query.distances([(0, 1), (2, 2)]),
        lambda: query.overlap_pairs([(0, 1), (2, 2)]),
        lambda: query.body_distance("a", "a"),
    ):
        with pytest.raises(stiction.Error, match="is given twice"):
            ask()


def test_place_follows_a_simulation_and_refuses_nonsense(box_model):
    sim = stiction.Simulation(box_model)
    query = stiction.Query(box_model)
    sim.state.q[2] = 1.05
    query.place(sim)
    assert query.distance("floor", "box").distance == pytest.approx(1, abs=1e-12)
    assert query.ray([0, 0, 5], [0, 0, -1]).distance == pytest.approx(5 - 1.1, abs=1e-12)
    with pytest.raises(stiction.Error, match="pose of shape 'box' is not finite"):
        query.place([[0, 0, 0, 1, 0, 0, 0], [np.nan, 0, 0, 1, 0, 0, 0]])
    with pytest.raises(stiction.Error, match="shape_poses: the quaternion of row 1 is zero"):
        query.place([[0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0]])
    with pytest.raises(stiction.Error, match="poses_b: the quaternion of row 0 is zero"):
        query.distances_at("floor", "box", [[0, 0, 0, 1, 0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0]])
    with pytest.raises(stiction.Error, match="1 poses for 2 shapes"):
        query.place([[0, 0, 0, 1, 0, 0, 0]])
    with pytest.raises(stiction.Error, match="no shape 9 of 2"):
        query.distance(0, 9)
    with pytest.raises(stiction.Error, match="different models"):
        stiction.Query(stiction.Builder("other").build()).place(sim)
    for ask in (query.distances_at, query.overlaps_at):
        for wrong, words in (
            ([0, 0, np.inf, 1, 0, 0, 0], "pose 1 of shape 'box' is not finite"),
            ([0, np.nan, 0, 1, 0, 0, 0], "pose 1 of shape 'box' is not finite"),
            ([0, 0, 0, 1, np.nan, 0, 0], "poses_b: the quaternion of row 1 is not finite"),
        ):
            with pytest.raises(stiction.Error, match=words):
                ask("floor", "box", [[0, 0, 0, 1, 0, 0, 0]] * 2, [[0, 0, 0, 1, 0, 0, 0], wrong])


def test_results_say_what_they_are(box_model):
    query = stiction.Query(box_model)
    assert str(query.ray([0, 0, 5], [0, 0, 1])) == "RayHit(nothing)"
    assert str(query.ray([0, 0, 5], [0, 0, -1])).startswith("RayHit(shape=1, body=1, distance=")
    assert str(query.distance("floor", "box")).startswith("Distance(shape_a=0, shape_b=1, distance=")
    assert str(query.distance("floor", "box", limit=-1)) == "Distance(beyond the limit)"
