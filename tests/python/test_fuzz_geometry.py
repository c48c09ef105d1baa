"""Geometry that nobody would draw on purpose: needles, far places, coincident vertices, numbers that are not finite.

Nothing crashes or hangs, results are finite, and a distance is still one: along its normal the bodies are apart by it,
up to the rounding of the coordinates. No search is cut short by its bound on iterations; where one is, all say so.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from convex_pairs import TYPES, Shape, rotations, unit

import stiction

SEARCH_CUT_SHORT = 16  # bit of StepReport.status


def needle_scene(tmp_path):
    """Shapes whose sizes differ by 1:10⁴, two of each."""
    geoms = {
        "sphere": 'type="sphere" size="{s}"',
        "capsule": 'type="capsule" size="{s} {l}"',
        "box": 'type="box" size="{s} {l} {m}"',
        "cylinder": 'type="cylinder" size="{m} {s}"',
        "ellipsoid": 'type="ellipsoid" size="{l} {s} {m}"',
    }
    text = "<mujoco><worldbody><geom name='plane0' type='plane' size='0 0 1'/>"
    for copy, (s, m, length) in enumerate([(1e-4, 1e-2, 1.0), (5e-5, 0.5, 0.5)]):
        for name, geom in geoms.items():
            text += f'<geom name="{name}{copy}" {geom.format(s=s, m=m, l=length)}/>'
    path = tmp_path / "needles.xml"
    path.write_text(text + "</worldbody></mujoco>")
    return stiction.load(path)


@pytest.mark.parametrize("offset", [0, 1e3, 1e6])
def test_needles_and_far_places_have_finite_proven_distances(tmp_path, offset):
    model = needle_scene(tmp_path)
    query = stiction.Query(model)
    shapes = [Shape(model, i) for i in range(model.nshape)]
    rng = np.random.default_rng(11)
    count, begin = 60, time.monotonic()
    for a in range(model.nshape):
        for b in range(max(a, 1), model.nshape):
            q = unit(rng.normal(size=(2, count, 4)))
            special = rng.integers(-1, 2, (2, len(q[0, ::4]), 4))  # axes on axes
            q[:, ::4] = unit(special + np.array([1e-12, 0, 0, 0]))
            place = offset * rng.uniform(-1, 1, (count, 3))
            poses = [np.hstack([place, q[0]]), np.hstack([place + rng.uniform(-1, 1, (count, 3)) * 0.5, q[1]])]
            found = query.distances_at(a, b, *poses)
            d, n = found["distance"], found["normal"]
            assert np.isfinite(d).all() and np.isfinite(found["point_a"]).all() and np.isfinite(found["point_b"]).all()
            assert abs(np.linalg.norm(n, axis=1) - 1).max() < 1e-9
            assert not found["cut_short"].any()
            if shapes[a].kind == "plane":
                continue
            own = np.einsum("nij,ni->nj", rotations(poses[0][:, 3:]), n)
            other = -np.einsum("nij,ni->nj", rotations(poses[1][:, 3:]), n)
            apart = np.einsum("ni,ni->n", n, poses[1][:, :3] - poses[0][:, :3])
            s = apart - shapes[a].support(own) - shapes[b].support(other)
            # Coordinates of 10⁶ m are rounded to 1e-10 m; a needle of 50 µm knows a direction to 1e-6.
            assert abs(s - d).max() <= 2e-6 + 1e-9 * offset, (TYPES[model.shape_type[a]], TYPES[model.shape_type[b]])
    assert time.monotonic() - begin < 60


def test_steps_of_needles_are_finite(tmp_path):
    text = "<mujoco><option timestep='.001'/><worldbody><geom type='plane' size='0 0 1'/>"
    for i, geom in enumerate(['box" size="1 .01 .0001', 'capsule" size=".0001 1', 'cylinder" size=".5 .0001']):
        text += f'<body pos="0 {0.2 * i} {0.05 + 0.02 * i}" euler="3 4 {50 * i}"><freejoint/>'
        text += f'<geom type="{geom}" density="1e5"/></body>'
    path = tmp_path / "falling.xml"
    path.write_text(text + "</worldbody></mujoco>")
    sim = stiction.Simulation(stiction.load(path))
    for _ in range(200):
        sim.step()
        assert np.isfinite(sim.state.q).all() and np.isfinite(sim.state.u).all()
        assert sim.report.cut_short_pairs == 0 and not sim.report.status & SEARCH_CUT_SHORT


def test_hull_of_coincident_and_flat_points_collides(tmp_path):
    rng = np.random.default_rng(2)
    points = np.repeat(rng.uniform(-1, 1, (10, 3)), 3, axis=0)
    points = np.vstack([points, points[:5] + 1e-9, [[0, 0, 0]] * 4])
    vertices = " ".join(map(repr, points.ravel().tolist()))
    path = tmp_path / "hull.xml"
    path.write_text(
        f'<mujoco><asset><mesh name="m" vertex="{vertices}"/></asset><worldbody><geom type="mesh" mesh="m"/>'
        '<geom type="box" size=".1 .2 .3"/><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )
    query = stiction.Query(stiction.load(path))
    poses = np.hstack([rng.uniform(-1.5, 1.5, (200, 3)), unit(rng.normal(size=(200, 4)))])
    for other in (1, 2):
        found = query.distances_at(0, other, np.tile([0, 0, 0, 1, 0, 0, 0], (200, 1)), poses)
        assert np.isfinite(found["distance"]).all() and not found["cut_short"].any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -1.0, 0.0])
def test_bad_sizes_are_refused_by_name(bad):
    for shape, arguments in {
        "sphere": (bad,),
        "capsule": (bad, 0.1),
        "box": ((0.1, bad, 0.1),),
        "cylinder": (0.1, bad),
        "ellipsoid": ((0.1, 0.1, bad),),
    }.items():
        builder = stiction.Builder("bad")
        with pytest.raises(stiction.Error, match="odd one"):
            getattr(builder, f"add_shape_{shape}")(0, *arguments, name="odd one")
            builder.build()


def soup(rng):
    """Triangles at random, some without area: a vertex twice, three on a line; a needle of 1:10⁴; one there twice."""
    vertices = rng.uniform(-0.3, 0.3, (30, 3))
    vertices[20:24] = vertices[:4]  # coincident
    vertices[24:27] = vertices[4] + np.outer([0, 1, 2], [0.1, 0.05, 0.02])  # on a line
    vertices[27:30] = vertices[5] + [[0, 0, 0], [0.3, 0, 0], [0.3, 3e-5, 0]]  # a needle
    triangles = rng.integers(0, 30, (24, 3))
    triangles = np.vstack(
        [triangles, [[0, 0, 1], [2, 2, 2], [24, 25, 26], [27, 28, 29], [0, 20, 7], [3, 4, 5], [5, 4, 3]]]
    )
    return stiction.TriangleMesh(vertices, triangles.astype(np.int32))


@pytest.mark.parametrize("offset", [0, 1e6])
def test_triangles_without_area_meet_every_shape_in_bounded_time(offset):
    rng = np.random.default_rng(3)
    for _ in range(2):
        builder = stiction.Builder()
        builder.add_shape_mesh(0, soup(rng), position=(offset, 0, 0))
        shapes = {
            "sphere": (0.1,),
            "capsule": (0.05, 0.1),
            "box": ((0.1, 0.05, 1e-5),),
            "cylinder": (0.1, 0.05),
            "ellipsoid": ((0.1, 0.05, 0.07),),
        }
        for name, arguments in shapes.items():
            place = (offset + rng.uniform(-0.2, 0.2), *rng.uniform(-0.2, 0.2, 2))
            body = builder.add_body(name, position=place, quaternion=unit(rng.normal(size=4)))
            builder.add_joint_free(body)
            getattr(builder, f"add_shape_{name}")(body, *arguments)
        body = builder.add_body("soup", position=(offset, 0, 0.1))
        builder.add_joint_free(body)
        builder.set_inertia(body, 1.0, com=(0, 0, 0), principal=(0.1, 0.1, 0.1))
        builder.add_shape_mesh(body, soup(rng))
        sim = stiction.Simulation(builder.build())
        begin = time.monotonic()
        for _ in range(3):
            sim.step()
            assert np.isfinite(sim.state.q).all() and np.isfinite(sim.state.u).all()
            assert np.isfinite(sim.contacts.gap).all() and np.isfinite(sim.contacts.normal).all()
            assert sim.report.cut_short_pairs == 0
        assert time.monotonic() - begin < 60


def test_mesh_without_area_is_refused_by_name():
    builder = stiction.Builder()
    line = stiction.TriangleMesh([[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1, 2], [2, 1, 0]])
    with pytest.raises(stiction.Error, match=r"shape 'wire'.*none of its 2 triangles has an area"):
        builder.add_shape_mesh(builder.add_body("part"), line, name="wire")


# Two needles in each other, whose depth hardly depends on the direction across both: the search for it meets its bound.
CROSSED_NEEDLES = """<mujoco><worldbody>
  <geom name="thorn" type="ellipsoid" size=".001 .0001 .1"/>
  <body name="straw" pos=".3 .4 .1" quat="-1 1 -2 2"><freejoint/>
    <geom name="stalk" type="ellipsoid" size="1 .001 .001" density="1e6"/></body>
  <body name="ball" pos="5 0 0"><freejoint/><geom type="sphere" size=".1"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def crossed_needles(tmp_path):
    path = tmp_path / "crossed.xml"
    path.write_text(CROSSED_NEEDLES)
    return path


def test_search_that_is_cut_short_is_in_the_report_and_in_words(crossed_needles, tmp_path):
    sim = stiction.Simulation(stiction.load(crossed_needles))
    with stiction.Recorder(tmp_path / "crossed.h5", sim) as recorder:
        sim.step()
        recorder.add()
    report = sim.report
    assert report.status & SEARCH_CUT_SHORT and report.ok and report.cut_short_pairs == 1
    names = sim.model.shape_name
    assert {names[report.cut_short_shape_a], names[report.cut_short_shape_b]} == {"thorn", "stalk"}
    words = sim.describe()
    assert "shape 'thorn' of body 'world' with shape 'stalk' of body 'straw'" in words and "(pairs: 1)" in words
    assert np.isfinite(sim.state.q).all() and np.isfinite(sim.contacts.gap).all()
    recorded = stiction.Recording(tmp_path / "crossed.h5").report(1)
    assert recorded.as_dict() == report.as_dict()

    # Apart, there is nothing to say any more.
    sim.state.q[:3] = [0, 0, 3]
    sim.step()
    assert sim.report.cut_short_pairs == 0 and sim.report.cut_short_shape_a == -1 and not sim.report.status
    assert "bound" not in sim.describe()


def test_search_that_is_cut_short_is_in_queries(crossed_needles):
    query = stiction.Query(stiction.load(crossed_needles))
    near = query.distance("thorn", "stalk")
    assert near.cut_short and np.isfinite(near.distance) and near.distance < 0
    assert query.distances([(0, 1), (0, 2)])["cut_short"].tolist() == [True, False]
    assert query.body_distance("world", "straw").cut_short and not query.body_distance("world", "ball").cut_short


def test_search_that_is_cut_short_is_in_the_summary_of_a_run(crossed_needles):
    command = [Path(sys.executable).parent / "stiction", "run", str(crossed_needles), "--steps", "1"]
    run = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=True, text=True).stdout)
    assert run["search_cut_short"] == {"steps": 1, "pairs": 1} and run["status"] == "ok"
    text = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert "cut short in 1 steps" in text and "'stalk'" in text
