"""The contact model `nonconvex-lcp` where shapes lie flush: a vertex in the planes of several facets leaves by none
that its own shape lies on both sides of, so that stacks stand, and what overhangs falls all the same."""

from pathlib import Path

import numpy as np
import pytest

import stiction

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("scene", ["stack_10", "heavy_stack", "card_house", "wall_100"])
def test_flush_boxes_stand(scene):
    model = stiction.load(ROOT / "scenes" / f"{scene}.xml")
    sim = stiction.Simulation(model, contact_model="nonconvex-lcp")
    start = sim.state.q.copy()
    for _ in range(100):
        assert sim.step().ok, sim.describe()
    assert sim.state.q == pytest.approx(start, abs=1e-9)


def two_boxes(shift, half=(0.1, 0.1, 0.1)):
    """Two boxes of one size on a floor, the upper one shifted along x."""
    builder = stiction.Builder("two")
    builder.add_shape_plane(0, friction=0.5)
    for i in range(2):
        body = builder.add_body(f"box{i}", position=(i * shift, 0, half[2] * (1 + 2 * i)))
        builder.add_joint_free(body)
        builder.add_shape_box(body, half, friction=0.5, density=1000)
    return stiction.Simulation(builder.build(), contact_model="nonconvex-lcp")


@pytest.mark.parametrize("shift", [0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.09])
def test_a_box_stands_wherever_its_centre_is_carried(shift):
    sim = two_boxes(shift)
    for _ in range(100):
        assert sim.step().ok, sim.describe()
    assert sim.body_pose("box1").position == pytest.approx((shift, 0, 0.3), abs=1e-8)


def test_a_box_whose_centre_overhangs_falls():
    sim = two_boxes(0.12)
    for _ in range(400):
        assert sim.step().certificate.penetration < 1e-3, sim.describe()
    assert sim.body_pose("box1").position[2] < 0.25


def test_a_box_beside_another_of_its_size_falls_past_it():
    """Flush with its side and level with its top: the side facet holds, the top one does not."""
    builder = stiction.Builder("beside")
    builder.add_shape_plane(0, friction=0.0)
    for i in range(2):
        body = builder.add_body(f"box{i}", position=(0.2 * i, 0, 0.1 + 0.2 * i))
        builder.add_joint_free(body)
        builder.add_shape_box(body, (0.1, 0.1, 0.1), friction=0.0, density=1000)
    sim = stiction.Simulation(builder.build(), contact_model="nonconvex-lcp")
    for _ in range(50):
        assert sim.step().ok, sim.describe()
    fall = 9.81 * 0.002**2 * 50 * 51 / 2
    assert sim.body_pose("box1").position == pytest.approx((0.2, 0, 0.3 - fall), abs=1e-6)
    assert np.abs(sim.body_pose("box0").position - (0, 0, 0.1)).max() < 1e-9
