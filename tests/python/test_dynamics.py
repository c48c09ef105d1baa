"""Dynamics from Python: MuJoCo's reference values, Pinocchio as an oracle, errors."""

import json

import numpy as np
import pytest
from robots import ROBOTS, SHARED, Pair, load, relative, urdf_of

import stiction

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not there")


def reference_files():
    return sorted(SHARED.glob("*/_reference/*.json")) if SHARED.is_dir() else []


@needs_shared
@pytest.mark.parametrize("path", reference_files(), ids=lambda path: path.stem)
def test_mass_matrix_bias_and_poses_are_those_of_the_reference_files(path):
    reference = json.loads(path.read_text())
    model = load(path.parents[1] / reference["model"])
    dynamics = stiction.Dynamics(model)
    q, u = reference["qpos"], reference["qvel"]
    lower = reference["M_lower_rows"]
    mass = np.zeros((model.nv, model.nv))
    for i, row in enumerate(lower):
        mass[i, : i + 1] = row
        mass[: i + 1, i] = row
    assert relative(dynamics.crba(q), mass) < 1e-9
    assert relative(dynamics.bias_force(q, u), reference["qfrc_bias"], floor=np.diag(mass).max()) < 1e-9
    for index, body in enumerate(reference["bodies"], start=model.nbody - len(reference["bodies"])):
        pose = dynamics.body_pose(q, index)
        assert np.abs(pose.position - body["xpos"]).max() < 1e-9
        assert abs(pose.quaternion @ np.asarray(body["xquat"])) > 1 - 1e-12


@needs_shared
@pytest.mark.parametrize("path", reference_files(), ids=lambda path: path.stem)
def test_passive_forces_and_smooth_acceleration_are_those_of_the_reference_files(path):
    reference = json.loads(path.read_text())
    model = load(path.parents[1] / reference["model"])
    sim = stiction.Simulation(model)
    sim.state.q[:] = q = reference["qpos"]
    sim.state.u[:] = u = reference["qvel"]
    heaviest = max(np.abs(row).max() for row in reference["M_lower_rows"])  # one unit of acceleration
    passive, actuators = sim.passive_force, sim.actuator_joint_force
    assert relative(passive, reference["qfrc_passive"], floor=heaviest) < 1e-9
    if "dampratio" in (path.parents[1] / reference["model"]).read_text():
        # MuJoCo makes a servo's damping of it when it compiles, from 4.0 on of another inertia than 3.14 (the files);
        # tests/oracles/mechanism_mujoco_test.cpp compares with the MuJoCo that is linked.
        return
    assert relative(actuators, reference["qfrc_actuator"], floor=heaviest) < 1e-9
    smooth = stiction.Dynamics(model).aba(q, u, passive + actuators)
    assert relative(smooth, reference["qacc_smooth"], floor=1.0) < 1e-9


@pytest.fixture(scope="module", params=ROBOTS)
def pair(request):
    return Pair(request.param)


def test_rnea_aba_and_crba_are_those_of_pinocchio(pair):
    pin = pair.pin
    tau = pin.rnea(pair.theirs, pair.data, pair.q, pair.v, pair.a)
    assert relative(pair.ours.rnea(pair.our_q, pair.our_u, pair.our_udot), pair.to_ours(tau)) < 1e-9

    a = pin.aba(pair.theirs, pair.data, pair.q, pair.v, pair.tau).copy()
    a[:3] += np.cross(pair.v[3:6], pair.v[:3])
    assert relative(pair.ours.aba(pair.our_q, pair.our_u, pair.to_ours(pair.tau)), pair.to_ours(a)) < 1e-9

    mass = pin.crba(pair.theirs, pair.data, pair.q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    assert relative(pair.ours.crba(pair.our_q), pair.columns(pair.columns(mass).T)) < 1e-9


def test_gravity_energy_momentum_and_centre_of_mass_are_those_of_pinocchio(pair):
    pin = pair.pin
    gravity = pin.computeGeneralizedGravity(pair.theirs, pair.data, pair.q)
    assert relative(pair.ours.gravity_force(pair.our_q), pair.to_ours(gravity)) < 1e-9
    bias = pin.nonLinearEffects(pair.theirs, pair.data, pair.q, pair.v).copy()
    # At u̇ = 0 Pinocchio's linear acceleration is −ω × v: the difference is M times it.
    extra = np.zeros_like(bias)
    extra[:3] = -np.cross(pair.v[3:6], pair.v[:3])
    mass = pin.crba(pair.theirs, pair.data, pair.q)
    bias += (np.triu(mass) + np.triu(mass, 1).T) @ extra
    assert relative(pair.ours.bias_force(pair.our_q, pair.our_u), pair.to_ours(bias)) < 1e-9

    energy = pin.computeKineticEnergy(pair.theirs, pair.data, pair.q, pair.v)
    assert pair.ours.kinetic_energy(pair.our_q, pair.our_u) == pytest.approx(energy, rel=1e-9)
    height = pin.computePotentialEnergy(pair.theirs, pair.data, pair.q)
    assert pair.ours.potential_energy(pair.our_q) == pytest.approx(height, rel=1e-9)
    com = pin.centerOfMass(pair.theirs, pair.data, pair.q)
    assert relative(pair.ours.centre_of_mass(pair.our_q), com) < 1e-9
    momentum = pin.computeCentroidalMomentum(pair.theirs, pair.data, pair.q, pair.v)
    linear, angular = pair.ours.centroidal_momentum(pair.our_q, pair.our_u)
    assert relative(linear, momentum.linear) < 1e-9
    assert relative(angular, momentum.angular) < 1e-9
    matrix = pin.computeCentroidalMap(pair.theirs, pair.data, pair.q)
    assert relative(pair.ours.centroidal_matrix(pair.our_q), pair.columns(matrix)) < 1e-9


def test_jacobians_and_accelerations_of_all_joints_are_those_of_pinocchio(pair):
    pin = pair.pin
    pin.computeJointJacobians(pair.theirs, pair.data, pair.q)
    for i in range(1, pair.theirs.njoints):
        theirs = pin.getJointJacobian(pair.theirs, pair.data, i, pin.LOCAL_WORLD_ALIGNED)
        assert relative(pair.ours.frame_jacobian(pair.our_q, i), pair.columns(theirs)) < 1e-9
    pin.forwardKinematics(pair.theirs, pair.data, pair.q, pair.v, pair.a)
    point = np.array([0.1, -0.2, 0.3])
    for i in range(1, pair.theirs.njoints):
        pose = pair.data.oMi[i]
        ours = pair.ours.body_pose(pair.our_q, i)
        assert np.abs(ours.position - pose.translation).max() < 1e-9
        assert np.abs(ours.rotation - pose.rotation).max() < 1e-9
        velocity = pin.getVelocity(pair.theirs, pair.data, i, pin.LOCAL_WORLD_ALIGNED)
        linear, angular = pair.ours.body_velocity(pair.our_q, pair.our_u, i)
        assert relative(linear, velocity.linear) < 1e-9
        assert relative(angular, velocity.angular) < 1e-9
        acceleration = pin.getClassicalAcceleration(pair.theirs, pair.data, i, pin.LOCAL_WORLD_ALIGNED)
        linear, angular = pair.ours.body_acceleration(pair.our_q, pair.our_u, pair.our_udot, i)
        assert relative(linear, acceleration.linear) < 1e-9
        assert relative(angular, acceleration.angular) < 1e-9
        # A point of the body: p̈ = J u̇ + J̇ u.
        arm = pose.rotation @ point
        expected = linear + np.cross(angular, arm)
        omega = velocity.angular
        expected = expected + np.cross(omega, np.cross(omega, arm))
        J = pair.ours.point_jacobian(pair.our_q, i, point)
        found = J @ pair.our_udot + pair.ours.point_bias(pair.our_q, pair.our_u, i, point)
        assert relative(found, expected) < 1e-9


def test_a_urdf_with_a_fixed_base_is_the_same_robot():
    """Through the loader: joints by name, bodies lumped by MuJoCo's compiler."""
    pin = pytest.importorskip("pinocchio", reason="PyPI package pin is not installed")
    path = urdf_of("solo8")
    theirs = pin.buildModelFromUrdf(str(path))
    data = theirs.createData()
    model = load(path)
    ours = stiction.Dynamics(model)
    order = [theirs.joints[theirs.getJointId(name)].idx_v for name in model.joint_name]
    q, u, a = np.random.default_rng(2).uniform(-2, 2, (3, theirs.nv))
    tau = pin.rnea(theirs, data, q, u, a)[order]
    assert relative(ours.rnea(q[order], u[order], a[order]), tau) < 1e-9


def test_wrong_shapes_and_unknown_bodies_are_named(box_model):
    dynamics = stiction.Dynamics(box_model)
    q, u = box_model.q_reference, np.zeros(6)
    with pytest.raises(stiction.Error, match="u"):
        dynamics.rnea(q, np.zeros(5), u)
    with pytest.raises(stiction.Error, match="q"):
        dynamics.crba(u)
    with pytest.raises(stiction.Error, match=r"blox.*box"):
        dynamics.body_pose(q, "blox")
    with pytest.raises(stiction.Error, match="there is no body 7"):
        dynamics.frame_jacobian(q, 7)


def test_a_free_body_falls(box_model):
    dynamics = stiction.Dynamics(box_model)
    q = box_model.q_reference
    assert dynamics.aba(q, np.zeros(6), np.zeros(6)) == pytest.approx([0, 0, -9.81, 0, 0, 0])
    assert dynamics.mass == pytest.approx(4)
    assert dynamics.solve_mass(q, dynamics.gravity_force(q)) == pytest.approx([0, 0, 9.81, 0, 0, 0])
    assert dynamics.integrate(q, [1, 0, 0, 0, 0, np.pi], 0.5)[:3] == pytest.approx(np.add(q[:3], [0.5, 0, 0]))
