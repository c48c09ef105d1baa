"""Constrained dynamics: Pinocchio as an oracle on four robots, NumPy's pseudo-inverse where rows are dependent."""

import numpy as np
import pytest
from robots import ROBOTS, Pair, quaternion_of, relative

import stiction

POINT, FRAME = stiction.BilateralType.point, stiction.BilateralType.frame


class Held(Pair):
    """A robot held at the ends of its limbs: by points (quadrupeds) or frames (humanoids), or closed to a loop."""

    def __init__(self, robot):
        super().__init__(robot)
        parents = set(self.theirs.parents)
        self.ends = [i for i in range(1, self.theirs.njoints) if i not in parents]
        self.type = POINT if robot in ("solo8", "anymal_b") else FRAME
        # Solo8's legs move in planes: its four feet are a set of dependent rows, two are not.
        self.feet = self.ends[:2] if robot == "solo8" else (self.ends[:4] if robot == "anymal_b" else self.ends[:2])
        pin = self.pin
        self.place = pin.SE3(pin.Quaternion(0.5, 0.1, -0.7, 0.3).normalized(), np.array([0.02, -0.03, -0.15]))
        pin.forwardKinematics(self.theirs, self.data, self.q)

    def kind(self, type_):
        contact = self.pin.ContactType
        return contact.CONTACT_3D if type_ == POINT else contact.CONTACT_6D

    def hold(self, type_, a, b=0, error=None, gains=(0, 0)):
        """A constraint in both engines: the frame `place` of joint a, at rest in the world or on joint b."""
        pin = self.pin
        now = self.data.oMi[a] * self.place
        there = now if error is None else error * now
        other = self.data.oMi[b].inverse() * there if b else there
        theirs = pin.RigidConstraintModel(
            self.kind(type_), self.theirs, a, self.place, b, other, pin.ReferenceFrame.LOCAL
        )
        theirs.setBaumgarteCorrectorParameters(pin.BaumgarteCorrectorParameters(*gains))
        ours = stiction.BilateralConstraint(
            type_,
            a,
            self.place.translation,
            quaternion_of(self.place.rotation),
            b,
            other.translation,
            quaternion_of(other.rotation),
            *gains,
        )
        return ours, theirs

    def stop(self, constraints):
        """Takes out of the velocity what moves the rows, so that both engines differentiate the same thing."""
        held = stiction.ConstrainedDynamics(self.model, constraints)
        u, _, _ = held.impulses(self.our_q, self.our_u)
        self.v = np.concatenate([self.rotation.T @ u[:3], u[3:]])
        return held

    def solve(self, models, function, *arguments):
        """What a function of Pinocchio returns, and the forces in world axes."""
        pin = self.pin
        data = self.theirs.createData()
        contacts, contact_data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for model in models:
            contacts.append(model)
            contact_data.append(model.createData())
        pin.initConstraintDynamics(self.theirs, data, contacts, contact_data)
        accelerates = function == pin.constraintDynamics
        # Pinocchio's shocks take one iteration whatever is asked for: without damping, which independent rows allow.
        settings = pin.ProximalSettings(1e-14, 1e-14, 1e-8 if accelerates else 0, 100)
        arguments = [self.q, self.v, *([self.tau] if accelerates else []), contacts, contact_data, *arguments]
        answer = function(self.theirs, data, *arguments, settings).copy()
        return answer, self.forces(contacts, contact_data)

    def accelerate(self, models):
        a, force = self.solve(models, self.pin.constraintDynamics)
        a[:3] += np.cross(self.v[3:6], self.v[:3])
        return self.to_ours(a), force

    def shock(self, models, restitution):
        v, impulse = self.solve(models, self.pin.impulseDynamics, restitution)
        return self.to_ours(v), impulse

    def forces(self, contacts, contact_data):
        parts = []
        for model, data in zip(contacts, contact_data):
            axes = (self.data.oMi[model.joint1_id] * model.joint1_placement).rotation
            parts.append(axes @ data.contact_force.linear)
            if model.type == self.pin.ContactType.CONTACT_6D:
                parts.append(axes @ data.contact_force.angular)
        return np.concatenate(parts)


@pytest.fixture(params=ROBOTS)
def held(request):
    return Held(request.param)


def test_held_feet_accelerate_and_push_as_in_pinocchio(held):
    ours, theirs = zip(*[held.hold(held.type, foot) for foot in held.feet])
    dynamics = held.stop(list(ours))
    udot, force, result = dynamics.accelerations(held.our_q, held.our_u, held.to_ours(held.tau))
    a, expected = held.accelerate(theirs)
    assert result.converged and result.consistent
    assert relative(udot, a) < 1e-9
    assert relative(force, expected) < 1e-9
    assert np.abs(expected).max() > 1  # something is held


@pytest.mark.parametrize("type_", [POINT, FRAME], ids=["point", "frame"])
def test_loops_between_two_limbs_are_those_of_pinocchio(held, type_):
    ours, theirs = held.hold(type_, held.ends[0], held.ends[1])
    dynamics = held.stop([ours])
    udot, force, result = dynamics.accelerations(held.our_q, held.our_u, held.to_ours(held.tau))
    a, expected = held.accelerate([theirs])
    assert relative(udot, a) < 1e-9
    assert result.converged and result.consistent
    if np.linalg.matrix_rank(dynamics.delassus(held.our_q)) == dynamics.rows:  # not so where legs move in planes
        assert relative(force, expected) < 1e-9


def test_a_shock_turns_the_feet_around_as_in_pinocchio(held):
    ours, theirs = zip(*[held.hold(held.type, foot) for foot in held.feet])
    dynamics = stiction.ConstrainedDynamics(held.model, list(ours))
    for restitution in [0.0, 0.4, 1.0]:
        after, impulse, result = dynamics.impulses(held.our_q, held.our_u, restitution)
        v, expected = held.shock(theirs, restitution)
        assert result.converged
        assert relative(after, v) < 1e-9
        assert relative(impulse, expected) < 1e-9
    # Elastic shocks keep the energy.
    energy = held.ours.kinetic_energy(held.our_q, held.our_u)
    assert held.ours.kinetic_energy(held.our_q, after) == pytest.approx(energy, rel=1e-9)


def test_baumgarte_terms_of_points_are_those_of_pinocchio(held):
    pin = held.pin
    error = pin.SE3(np.eye(3), np.array([1e-2, -2e-2, 3e-2]))
    ours, theirs = zip(*[held.hold(POINT, foot, error=error, gains=(100.0, 20.0)) for foot in held.feet])
    dynamics = stiction.ConstrainedDynamics(held.model, list(ours))
    udot, force, result = dynamics.accelerations(held.our_q, held.our_u, held.to_ours(held.tau))
    a, expected = held.accelerate(theirs)
    assert result.converged
    assert relative(udot, a) < 1e-9
    assert relative(force, expected) < 1e-9


def least_constraint(held, dynamics):
    """The free acceleration, M = R Rᵀ and the rows J R⁻ᵀ of x = Rᵀ (u̇ − free), whose length is least."""
    q, u, tau = held.our_q, held.our_u, held.to_ours(held.tau)
    mass, J = held.ours.crba(q), dynamics.jacobian(q)
    free = held.ours.aba(q, u, tau)
    root = np.linalg.cholesky(mass)
    return free, root, np.linalg.solve(root, J.T).T


def drift_of(held, constraints):
    """J̇ u of points held in the world."""
    q, u = held.our_q, held.our_u
    return np.concatenate([held.ours.point_bias(q, u, c.body_a, c.pose_a.position) for c in constraints])


def test_dependent_points_give_the_least_constraint_and_the_least_force(held):
    """Five points of each foot, two of them the same: 15 rows of rank 6 (5 where a leg moves in a plane)."""
    points = [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0.1, 0.1, 0), (0.1, 0, 0)]
    constraints = [stiction.BilateralConstraint(POINT, foot, p) for foot in held.ends[:2] for p in points]
    dynamics = held.stop(constraints)
    udot, force, result = dynamics.accelerations(held.our_q, held.our_u, held.to_ours(held.tau))
    free, root, A = least_constraint(held, dynamics)
    rank = np.linalg.matrix_rank(A, tol=1e-9)
    assert rank < dynamics.rows
    right = -(dynamics.jacobian(held.our_q) @ free + drift_of(held, constraints))
    x = np.linalg.lstsq(A, right, rcond=1e-9)[0]
    assert result.converged and result.consistent
    assert relative(udot, free + np.linalg.solve(root.T, x)) < 1e-9
    # G λ = right: the least λ is that of the pseudo-inverse. μ = 1e-8 leaves rounding errors of about 1e-16 / 1e-8.
    expected = np.linalg.pinv(A @ A.T, rcond=1e-12, hermitian=True) @ right
    assert relative(force, expected) < 1e-6


def test_contradicting_rows_are_met_as_well_as_can_be(held):
    """The same point pulled to two places: it goes to the middle, and the residual says how far it is from both."""
    foot, gain = held.ends[0], 100.0
    here = held.ours.body_pose(held.our_q, foot).position
    shift = np.array([0.02, -0.01, 0.03])
    constraints = [
        stiction.BilateralConstraint(POINT, foot, position_b=here + sign * shift, stiffness=gain) for sign in (1, -1)
    ]
    dynamics = stiction.ConstrainedDynamics(held.model, constraints)
    tau = held.to_ours(held.tau)
    udot, force, result = dynamics.accelerations(held.our_q, held.our_u, tau)
    middle = stiction.ConstrainedDynamics(held.model, [stiction.BilateralConstraint(POINT, foot, position_b=here)])
    expected, single, _ = middle.accelerations(held.our_q, held.our_u, tau)
    assert result.converged and not result.consistent
    assert result.residual == pytest.approx(gain * np.abs(shift).max(), rel=1e-6)
    assert relative(udot, expected) < 1e-7
    assert relative(force[:3], single / 2) < 1e-6
    assert relative(force[3:], single / 2) < 1e-6


def test_delassus_matrix_and_jacobian_are_those_of_the_mass_matrix(held):
    a, b = held.ends[:2]
    constraints = [
        stiction.BilateralConstraint(FRAME, a, (0.1, 0.2, 0.3)),
        stiction.BilateralConstraint(POINT, a, (0, 0.1, 0), body_b=b, position_b=(0.1, 0, 0)),
        stiction.BilateralConstraint(FRAME, 1, body_b=b, position_b=(0, 0.2, 0)),
    ]
    dynamics = stiction.ConstrainedDynamics(held.model, constraints)
    q = held.our_q
    J = dynamics.jacobian(q)
    assert (
        relative(J[9:12], held.ours.point_jacobian(q, 1, (0, 0, 0)) - held.ours.point_jacobian(q, b, (0, 0.2, 0)))
        < 1e-12
    )
    assert relative(dynamics.delassus(q), J @ np.linalg.solve(held.ours.crba(q), J.T)) < 1e-9


def test_wrong_input_is_named(box_model):
    point = stiction.BilateralConstraint(POINT, 1)
    with pytest.raises(stiction.Error, match="constraint 1: there is no body 7"):
        stiction.ConstrainedDynamics(box_model, [point, stiction.BilateralConstraint(POINT, 7)])
    with pytest.raises(stiction.Error, match="constraint 0: stiffness"):
        stiction.ConstrainedDynamics(box_model, [stiction.BilateralConstraint(POINT, 1, stiffness=-1)])
    with pytest.raises(stiction.Error, match="constraint 0: damping"):
        stiction.ConstrainedDynamics(box_model, [stiction.BilateralConstraint(POINT, 1, damping=np.nan)])
    with pytest.raises(stiction.Error, match="mu"):
        stiction.ConstrainedDynamics(box_model, [point], mu=0)
    with pytest.raises(stiction.Error, match="tau"):
        stiction.ConstrainedDynamics(box_model, [point]).accelerations(box_model.q_reference, np.zeros(6), [1])
