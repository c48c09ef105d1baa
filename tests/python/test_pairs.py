"""Explicit pairs built in code: their own surface, in spite of the filters; the same arrays as MJCF's."""

import numpy as np
import pytest

import stiction


def box_on_floor(pair=None, **box):
    """A box that slides at 1 m/s; `pair`: the arguments of an explicit pair with the floor."""
    builder = stiction.Builder("slide", timestep=0.01)
    floor = builder.add_shape_plane(0, friction=1, name="floor")
    body = builder.add_body("box", position=(0, 0, 0.1))
    builder.add_joint_free(body)
    shape = builder.add_shape_box(body, (0.1, 0.1, 0.1), friction=0.8, restitution=0.1, name="box", **box)
    if pair is not None:
        builder.add_pair(shape, floor, **pair)
    return builder


def slide(builder, steps=5):
    sim = stiction.Simulation(builder.build())
    sim.state.u[0] = 1
    assert sim.step(steps).ok
    return sim


def test_pair_friction_is_that_of_the_contact():
    # v = v₀ − μ g t
    for friction, pair in [(1, None), (0, {"friction": 0}), (0.5, {"friction": 0.5}), (0, {"condim": 1}), (1, {})]:
        sim = slide(box_on_floor(pair))
        assert sim.state.u[0] == pytest.approx(1 - friction * 9.81 * 0.05, abs=1e-9)


def test_pair_friction_of_five_numbers_differs_along_the_tangents():
    model = box_on_floor({"friction": [0.1, 0.2, 0.3, 0.4, 0.5], "condim": 6}).build()
    assert np.array_equal(model.pair_friction, [[0.1, 0.2, 0.3, 0.4, 0.5]])
    assert list(model.pair_condim) == [6]
    model = box_on_floor({"friction": [0.1, 0.3, 0.4]}).build()
    assert np.array_equal(model.pair_friction, [[0.1, 0.1, 0.3, 0.4, 0.4]])


def test_pair_passes_the_filters():
    alone = slide(box_on_floor(contype=0, conaffinity=0))
    assert len(alone.contacts) == 0
    paired = slide(box_on_floor({}, contype=0, conaffinity=0))
    assert len(paired.contacts) == 4
    builder = box_on_floor({})
    builder.exclude(0, 1)
    assert len(slide(builder).contacts) == 4


def test_pair_has_its_own_margin_and_restitution():
    sim = stiction.Simulation(box_on_floor({"margin": 0.01}).build())
    sim.step(100)
    assert sim.body_pose("box").position[2] == pytest.approx(0.11, abs=1e-6)
    for pair, restitution in [({}, 0.1), ({"restitution": 0.7}, 0.7)]:
        sim = stiction.Simulation(box_on_floor(pair).build(), gravity=(0, 0, 0))
        sim.state.u[2] = -1
        sim.step(2)
        assert sim.state.u[2] == pytest.approx(restitution, abs=1e-9)


def test_pair_is_that_of_mjcf(tmp_path):
    path = tmp_path / "pair.xml"
    path.write_text("""<mujoco><option timestep=".01"/><worldbody><geom name="floor" type="plane" size="0 0 1"/>
        <body pos="0 0 .11"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody>
        <contact><pair geom1="box" geom2="floor" friction=".1 .2 .3 .4 .5" condim="4" margin=".01"/></contact>
        </mujoco>""")
    loaded = stiction.load(path)
    built = box_on_floor({"friction": [0.1, 0.2, 0.3, 0.4, 0.5], "condim": 4, "margin": 0.01}).build()
    for array in ("pair_friction", "pair_condim", "pair_margin"):
        assert np.array_equal(getattr(loaded, array), getattr(built, array)), array
    assert {loaded.pair_shape_a[0], loaded.pair_shape_b[0]} == {built.pair_shape_a[0], built.pair_shape_b[0]}


@pytest.mark.parametrize(
    "shapes, settings, words",
    [
        ((0, 9), {}, "there is no shape 9 of 2"),
        ((-1, 0), {}, "there is no shape -1 of 2"),
        ((1, 1), {}, "a shape cannot touch itself"),
        ((0, 1), {"friction": -1}, "'floor' and 'box': friction must not be negative, it is -1"),
        ((0, 1), {"friction": [0, 1, 2, np.nan, 0]}, "'floor' and 'box', pair_friction: the number is nan"),
        ((0, 1), {"friction": [0, 1]}, "friction must have the shape"),
        ((0, 1), {"restitution": 1.5}, "restitution must lie in"),
        ((0, 1), {"condim": 2}, "condim must be 1, 3, 4 or 6, it is 2"),
        ((0, 1), {"margin": -1}, "margin must be at least 0 m, it is -1"),
        ((0, 1), {"margin": np.nan}, "margin must be at least 0 m, it is nan"),
    ],
)
def test_bad_pairs_are_refused_by_name(shapes, settings, words):
    builder = box_on_floor()
    with pytest.raises(stiction.Error, match=words):
        builder.add_pair(*shapes, **settings)
        builder.build()


def test_a_second_pair_of_the_same_shapes_is_refused():
    builder = box_on_floor({})
    with pytest.raises(stiction.Error, match="there is already a pair of these two"):
        builder.add_pair(0, 1)
