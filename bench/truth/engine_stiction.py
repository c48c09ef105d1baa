"""Stiction behind the small interface that truth.py drives: scenes with known answers, one error figure per metric.

    PYTHONPATH=bench/truth .venv/bin/python ../shared/peers/truth.py --engine stiction --scene all --json out/truth.json

All options are the defaults but for the time step and, in the last two, the integrator. Energy and velocity are
computed here from the state, not taken from the engine's own ledger.
"""

import atexit

import numpy as np

import stiction

CONFIGS = {
    "default 2ms": {"dt": 0.002},
    "default 10ms": {"dt": 0.01},
    "euler 2ms": {"dt": 0.002, "integrator": "euler"},
    "euler 10ms": {"dt": 0.01, "integrator": "euler"},
}

VERSION = f"Stiction {stiction.__version__}"

STEPS = {}  # (scene, integrator, time step): (residual, ok) of every step, over all runs of the scene


@atexit.register
def report_certificates():
    """The certificates behind the figures: what a step that is not ok leads to is a figure, but not certified."""
    for (scene, integrator, dt), steps in STEPS.items():
        if not steps:
            continue
        bad = sum(not ok for _, ok in steps)
        worst = max(residual for residual, _ in steps)
        print(f"{scene:17} {integrator} {dt * 1e3:g} ms: {len(steps)} steps, worst residual {worst:.1e}, {bad} not ok")


class Engine:
    """One loaded scene. Vectors are in the world frame, units SI."""

    def load(self, path, config):
        self.dt = config["dt"]
        self.integrator = config.get("integrator", "auto")
        self._start(stiction.load(path))
        return self

    def _start(self, model):
        self.m = model
        self.sim = stiction.Simulation(model, timestep=self.dt, integrator=self.integrator)
        self.dynamics = stiction.Dynamics(model)
        self.steps = STEPS.setdefault((model.name, self.integrator, self.dt), [])

    def set_restitution(self, e):
        """Restitution e for every pair."""
        self._start(self.m.replace(shape_restitution=np.full(self.m.nshape, float(e))))
        return True

    def set_velocity(self, body, linear, angular=(0, 0, 0)):
        """For a free body: velocity of its origin [m/s], angular velocity [rad/s]."""
        k = self._dof(body)
        self.sim.state.u[k : k + 3] = linear
        self.sim.state.u[k + 3 : k + 6] = self.pose(body)[1].T @ np.asarray(angular, float)

    def set_control(self, values):
        self.sim.control.input = values

    def step(self):
        report = self.sim.step()
        self.steps.append((report.certificate.residual, report.ok))

    def bodies(self):
        return self.m.body_name[1:]

    def pose(self, body):
        """Position of the body's origin and its rotation matrix."""
        pose = self.sim.body_pose(body)
        return pose.position, pose.rotation

    def velocity(self, body):
        """Linear velocity of the origin, angular velocity."""
        return self.dynamics.body_velocity(self.sim.state.q, self.sim.state.u, self._index(body))

    def inertia(self, body):
        """Mass and the inertia matrix about the centre of mass."""
        i = self._index(body)
        R = self.pose(body)[1] @ rotation(self.m.body_inertia_frame[i])
        return self.m.body_mass[i], R @ np.diag(self.m.body_inertia[i]) @ R.T

    def energy(self):
        """½ m v² + ½ ω·I ω − m g·x over the bodies that move [J]."""
        total = 0.0
        for i in range(1, self.m.nbody):
            if self.m.body_tree[i] < 0:
                continue
            (x, R), (v, w), (mass, inertia) = self.pose(i), self.velocity(i), self.inertia(i)
            c = R @ self.m.body_com[i]
            v_com = v + np.cross(w, c)
            total += mass * (v_com @ v_com) / 2 + w @ inertia @ w / 2 - mass * self.sim.options.gravity @ (x + c)
        return float(total)

    def gap(self):
        """Smallest signed distance over the contacts of the last step [m]; 0 if there are none."""
        gap = self.sim.contacts.gap
        return float(gap.min()) if len(gap) else 0.0

    def contacts(self):
        """(body A, body B, position, normal A to B, gap, force on B) of the last step, where they press.

        Contacts exist before bodies touch; one that carries no force is not a touch.
        """
        return [(*c.bodies, c.point, c.normal, c.gap, c.force) for c in self.sim.contacts if c.force @ c.normal > 0]

    def _index(self, body):
        return self.m.body(body) if isinstance(body, str) else body

    def _dof(self, body):
        joint = self.m.body_joint[self._index(body)]
        if joint < 0 or self.m.joint_type[joint] != stiction.JointType.free:
            raise stiction.Error(f"body '{body}' has no free joint")
        return self.m.joint_dof[joint]


def rotation(q):
    """Rotation matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
