"""The shipped scenes as MuJoCo sees them: valid, without overlaps at the start, and able to stand where they say so."""

import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest
from scipy.optimize import linprog

ROOT = Path(__file__).resolve().parents[2]
SCENES = sorted((ROOT / "scenes").glob("*.xml"))
NAMES = {
    *("incline_20", "incline_26", "incline_35", "sliding_box_0", "sliding_box_22_5", "sliding_box_45", "stack_10"),
    *("heavy_stack", "wall_100", "card_house", "bowling", "spinning_body", "bouncing_ball", "pile_500", "demo"),
    *("four_bar", "chebyshev_lambda", "jansen", "klann", "cracked_ramp", "peg_in_hole", "walker", "dog", "giraffe"),
    *("arch_20", "stack_32768", "tables_54", "beam_16"),
}
FLUSH = 1e-12  # [m] rounding of coordinates below 4 m
# Vertices of meshes are floats (1.2e-7 of stones up to 0.5 m); angles of the arm are rounded to 1e-7 rad.
COARSE = {"arch_20": 6e-8, "beam_16": 3.5e-7}


def opened(name):
    """Model and data at the keyframe `start` where there is one, with the contacts of gaps up to 10 µm."""
    model = mujoco.MjModel.from_xml_path(str(ROOT / "scenes" / f"{name}.xml"))
    model.geom_margin[:] = 5e-6  # contacts within the sum of two margins are found
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, model.key("start").id)
    mujoco.mj_forward(model, data)
    return model, data


def test_all_scenes_are_there():
    assert {path.stem for path in SCENES} == NAMES


def test_generated_scenes_are_what_the_program_writes():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "make_scenes.py", "--check"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", sorted(NAMES))
def test_bodies_do_not_overlap_at_the_start(name):
    _, data = opened(name)
    assert data.contact.dist.min(initial=0) > -COARSE.get(name, FLUSH)


@pytest.mark.parametrize(
    "name, contacts",
    [
        ("incline_20", 4),
        ("incline_26", 4),
        ("incline_35", 4),
        ("sliding_box_0", 4),
        ("sliding_box_22_5", 4),
        ("sliding_box_45", 4),
        ("bowling", 1),
        ("stack_10", 40),
        ("heavy_stack", 20),
        ("stack_32768", 20),
    ],
)
def test_what_the_law_needs_touches_from_the_start(name, contacts):
    _, data = opened(name)
    assert data.ncon == contacts
    assert np.abs(data.contact.dist).max() < FLUSH


def test_pile_has_500_bodies_of_all_three_kinds_over_the_middle_of_its_floor():
    model, data = opened("pile_500")
    assert model.nbody == 501
    kinds = model.geom_type[model.geom_bodyid > 0]
    for kind in (mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtGeom.mjGEOM_BOX):
        assert (kinds == kind).sum() > 120
    assert data.ncon == 0
    reach = np.abs(data.geom_xpos[model.geom_bodyid > 0, :2]) + model.geom_rbound[model.geom_bodyid > 0, None]
    assert reach.max() < 0.6


def balances(model, data, share, sides=32):
    """Do forces inside the cones of friction share·μ carry the weights? A linear programme over the edges of pyramids
    that lie inside the cones, so a yes holds for the cones; unknown is the force along each edge."""
    columns = []
    angles = 2 * np.pi * np.arange(sides) / sides
    bodies = model.geom_bodyid[data.contact.geom]
    for (a, b), point, frame, mu in zip(bodies, data.contact.pos, data.contact.frame, data.contact.friction[:, 0]):
        normal, first, second = frame.reshape(3, 3)
        for angle in angles:
            force = normal + share * mu * (np.cos(angle) * first + np.sin(angle) * second)
            wrench = np.zeros((model.nbody, 6))
            wrench[b] += np.r_[force, np.cross(point - data.xipos[b], force)]
            wrench[a] -= np.r_[force, np.cross(point - data.xipos[a], force)]
            columns.append(wrench[1:].ravel())
    load = np.zeros((model.nbody, 6))
    load[:, :3] = -model.body_mass[:, None] * model.opt.gravity / 9.81
    return linprog(np.ones(len(columns)), A_eq=np.array(columns).T, b_eq=load[1:].ravel(), method="highs").status == 0


# The least share of the friction that balances the scene: 0.728 and 0.975 for the slopes (tan θ / μ), 0.574 for the
# cards (tan 16° / μ), up to 0.5 % more for pyramids inside the cones; piles of flush boxes need none. The arch needs
# 0.304 by this programme: no closed form.
@pytest.mark.parametrize(
    "name, enough, too_little",
    [
        ("incline_20", 0.735, 0.725),
        ("incline_26", 0.981, 0.975),
        ("stack_10", 0.001, None),
        ("heavy_stack", 0.001, None),
        ("wall_100", 0.001, None),
        ("card_house", 0.58, 0.57),
        ("stack_32768", 0.001, None),
        ("arch_20", 0.31, 0.29),
    ],
)
def test_scene_can_stand(name, enough, too_little):
    model, data = opened(name)
    assert balances(model, data, enough)
    assert too_little is None or not balances(model, data, too_little)


def test_steep_slope_cannot_hold_the_box():
    assert not balances(*opened("incline_35"), 1.0)
