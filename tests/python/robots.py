"""Robots in Pinocchio and here, for the tests that take it as an oracle."""

import warnings
from pathlib import Path

import numpy as np
import pytest

import stiction

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data"


def relative(ours, theirs, floor=0.0):
    """Largest difference over the largest size."""
    theirs = np.asarray(theirs)
    return np.abs(ours - theirs).max() / max(np.abs(theirs).max(), floor)


def load(path):
    """What the trees alone need, without a word about the rest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return stiction.load(path, allow_unsupported=True)


ROBOTS = {  # name: URDF, beside the checkout or in example-robot-data
    "solo8": SHARED / "robots_urdf" / "solo8",
    "anymal_b": SHARED / "robots_urdf" / "anymal_b",
    "icub": SHARED / "robots_urdf" / "icub",
    "talos": Path("talos_data/robots/talos_reduced.urdf"),
}


def urdf_of(robot):
    place = ROBOTS[robot]
    if robot == "talos":
        import pinocchio

        prefix = next(p for p in Path(pinocchio.__file__).parents if p.name == "cmeel.prefix")
        place = prefix / "share" / "example-robot-data" / "robots" / place
        if not place.is_file():
            pytest.skip("PyPI package example-robot-data is not installed")
        return place
    if not place.is_dir():
        pytest.skip("../shared/data is not there")
    return next(iter(sorted(place.rglob("*.urdf"))))


def quaternion_of(rotation):
    import pinocchio

    x, y, z, w = pinocchio.Quaternion(np.asarray(rotation)).coeffs()
    return w, x, y, z


class Pair:
    """A robot in Pinocchio and, joint by joint, here: with a floating base, at a random state."""

    def __init__(self, robot):
        self.pin = pytest.importorskip("pinocchio", reason="PyPI package pin is not installed")
        pin = self.pin
        self.theirs = pin.buildModelFromUrdf(str(urdf_of(robot)), pin.JointModelFreeFlyer())
        self.data = self.theirs.createData()
        builder = stiction.Builder(robot)
        for i in range(1, self.theirs.njoints):
            self.add_joint(builder, i)
        self.model = builder.build()
        self.ours = stiction.Dynamics(self.model)
        rng = np.random.default_rng(1)
        nv = self.theirs.nv
        self.q = pin.integrate(self.theirs, pin.neutral(self.theirs), rng.uniform(-2, 2, nv))
        self.v, self.a, self.tau = rng.uniform(-2, 2, (3, nv))

    def add_joint(self, builder, i):
        theirs = self.theirs
        moments, axes = np.linalg.eigh(theirs.inertias[i].inertia)
        axes[:, 2] *= np.linalg.det(axes)
        # iCub's file has links that no body can be: both sides get the nearest moments that one can.
        moments = np.maximum(moments, 1e-9)
        moments[0] = max(moments[0], moments[2] - moments[1])
        theirs.inertias[i].inertia = axes @ np.diag(moments) @ axes.T
        placement, inertia = theirs.jointPlacements[i], theirs.inertias[i]
        # Joint i moves body i: both count the world as 0.
        body = builder.add_body(
            theirs.names[i], placement.translation, quaternion_of(placement.rotation), theirs.parents[i]
        )
        builder.set_inertia(body, inertia.mass, inertia.lever, moments, quaternion_of(axes))
        kind = theirs.joints[i].shortname().removeprefix("JointModel")
        if kind == "FreeFlyer":
            builder.add_joint_free(body)
            return
        axis = theirs.joints[i].extract().axis if "Unaligned" in kind else np.eye(3)["XYZ".index(kind[-1])]
        builder.add_joint(body, stiction.JointType.hinge, axis)

    # Pinocchio's free joint: quaternion (x, y, z, w), linear velocity in body axes.
    @property
    def rotation(self):
        return self.pin.Quaternion(self.q[3:7]).toRotationMatrix()

    @property
    def our_q(self):
        return np.concatenate([self.q[:3], self.q[[6, 3, 4, 5]], self.q[7:]])

    @property
    def our_u(self):
        return self.to_ours(self.v)

    @property
    def our_udot(self):
        """d/dt (R v) = R (a + ω × v) for the linear part."""
        a = self.a.copy()
        a[:3] += np.cross(self.v[3:6], self.v[:3])
        return self.to_ours(a)

    def to_ours(self, x):
        """Velocities or forces."""
        return np.concatenate([self.rotation @ x[:3], x[3:]])

    def columns(self, matrix):
        """Columns of a Jacobian or of M: those of the linear velocity in world axes."""
        return np.hstack([matrix[:, :3] @ self.rotation.T, matrix[:, 3:]])
