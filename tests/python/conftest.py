"""Worlds that several tests use, built in code."""

import pytest

import stiction


def build_box(friction=0.3, **options):
    """A box of 4 kg (0.2 × 0.2 × 0.1 m) that lies on a floor."""
    builder = stiction.Builder("box on a floor", **options)
    builder.add_shape_plane(0, name="floor", friction=friction)
    box = builder.add_body("box", position=(0, 0, 0.05))
    builder.add_joint_free(box)
    builder.add_shape_box(box, (0.1, 0.1, 0.05), name="box", friction=friction)
    return builder.build()


def build_grid(side):
    """side² small balls that lie on a floor: a world whose step takes a while."""
    builder = stiction.Builder("grid")
    builder.add_shape_plane(0, friction=0.5)
    for i in range(side * side):
        ball = builder.add_body(f"ball{i}", position=(0.3 * (i % side), 0.3 * (i // side), 0.1))
        builder.add_joint_free(ball)
        builder.add_shape_sphere(ball, 0.1, friction=0.5)
    return builder.build()


@pytest.fixture
def box_model():
    return build_box()


@pytest.fixture
def box(box_model):
    return stiction.Simulation(box_model)


@pytest.fixture
def grid():
    return stiction.Simulation(build_grid(15))
