"""Stepping from Python: reports, contacts, errors, threads."""

import signal
import threading
import time

import numpy as np
import pytest
from conftest import build_box

import stiction

G = 9.81


def test_sliding_stops_at_v2_over_2_mu_g():
    sim = stiction.Simulation(build_box(friction=0.3))
    sim.state.u[0] = 2
    sim.step(500)
    # The last step begins with a speed of at most μ g h and ends at rest: up to μ g h²/8 too far.
    assert 0 <= sim.state.q[0] - 4 / (2 * 0.3 * G) + 1e-10 < 0.3 * G * 0.002**2 / 8
    assert abs(sim.state.u).max() < 1e-8 * G * 0.002  # the tolerance times the velocity scale g h


def test_torsional_friction_slows_a_spinning_ball_by_mu_m_g_over_the_inertia():
    builder = stiction.Builder("ball")
    surface = {"friction": (0.5, 0.003, 0.0), "condim": 4}
    builder.add_shape_plane(0, **surface)
    ball = builder.add_body("ball", position=(0, 0, 0.1))
    builder.add_joint_free(ball)
    builder.add_shape_sphere(ball, 0.1, **surface)
    sim = stiction.Simulation(builder.build())
    mass = sim.model.body_mass[ball]
    sim.state.u[5] = 2
    sim.step(50)
    assert sim.contacts.torque[0] == pytest.approx([0, 0, -0.003 * mass * G], abs=1e-7)
    assert sim.contacts[0].friction_torque == pytest.approx([0.003, 0, 0])
    assert sim.state.u[5] == pytest.approx(2 - 50 * 0.002 * 0.003 * G / (0.4 * 0.1**2), abs=1e-7)


def test_contacts_carry_the_weight(box):
    report = box.step()
    contacts = box.contacts
    assert report.ok and report.contacts == len(contacts) == 4
    assert contacts.force.sum(axis=0) == pytest.approx([0, 0, 4 * G], abs=1e-9)
    assert contacts.bodies == [("world", "box")] * 4 and contacts.shapes == [("floor", "box")] * 4
    assert contacts.normal == pytest.approx(np.tile([0.0, 0.0, 1.0], (4, 1)))
    assert sorted(map(tuple, np.round(contacts.point[:, :2], 12))) == [
        (-0.1, -0.1),
        (-0.1, 0.1),
        (0.1, -0.1),
        (0.1, 0.1),
    ]
    assert [c.gap for c in contacts] == list(contacts.gap)
    last = contacts[-1]
    assert last.bodies == ("world", "box") and last.friction == 0.3
    assert np.array_equal(last.force, contacts.force[3]) and last.body_b == box.model.body("box")
    with pytest.raises(IndexError):
        contacts[4]


def test_contacts_are_kept_as_they_were(box):
    box.step()
    contacts = box.contacts
    force = contacts.force.copy()
    box.control.wrench[1, 5] = 100  # lifts the box
    box.step(200)
    assert len(box.contacts) == 0 and np.array_equal(contacts.force, force)


def test_contact_models_run_by_name():
    """Glued, the box does not slide; on springs it sinks by m g / 4 k."""
    glued = stiction.Simulation(build_box(friction=0.3), contact_model="bilateral")
    glued.control.wrench[1, 3] = 100  # 2.5 times the weight
    report = glued.step(100)
    assert report.ok and np.abs(glued.state.u).max() < 1e-10
    assert report.certificate.coulomb_cone > 0.1 and report.certificate.cone == 0
    assert glued.contacts.force.sum(axis=0) == pytest.approx([-100, 0, 4 * G], abs=1e-8)
    springs = stiction.Simulation(build_box(), contact_model="spring-implicit", spring_stiffness=1e4)
    springs.step(2000)
    assert springs.state.q[2] == pytest.approx(0.05 - 4 * G / 4e4, abs=1e-9)
    with pytest.raises(stiction.Error, match=r"sprin.*spring-explicit"):
        stiction.Simulation(build_box(), contact_model="sprin")


def test_certificate_is_attributes(box):
    box.state.u[0] = 1
    certificate = box.step().certificate
    assert 0 <= certificate.residual <= box.options.tolerance
    laws = ("momentum", "complementarity", "cone", "dissipation", "box")
    assert certificate.residual == max(getattr(certificate, law) for law in laws)
    assert certificate.kinetic_energy == pytest.approx(4 / 2 * (1 - 0.3 * G * 0.002) ** 2, rel=1e-9)
    assert certificate.friction_work < 0
    assert certificate.as_dict()["friction_work"] == certificate.friction_work
    with pytest.raises(AttributeError):
        certificate.momentum = 0


def test_options_come_from_the_model_and_from_keywords():
    model = build_box(timestep=0.005)
    assert model.options.timestep == 0.005
    sim = stiction.Simulation(model, gravity=np.array([0, 0, -1.62]), warm_start=False, tolerance=1e-9)
    assert sim.options.timestep == 0.005 and sim.options.tolerance == 1e-9 and sim.options.warm_start is False
    assert list(sim.options.gravity) == [0, 0, -1.62]
    assert stiction.Simulation(model, timestep=0.1 + 0.2).options.timestep == 0.1 + 0.2  # every bit arrives


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"timestp": 0.01}, "no option 'timestp'; did you mean 'timestep'"),
        ({"timestep": -1}, "option timestep = -1 is out of range"),
        ({"timestep": "soon"}, "option timestep: 'soon' is not a number"),
        ({"gravity": (0, 1)}, "option gravity: '0 1' is not three numbers"),
        ({"solver": "magic"}, "there is no solver 'magic'"),
    ],
)
def test_a_bad_option_is_an_error(box_model, options, words):
    with pytest.raises(stiction.Error, match=words):
        stiction.Simulation(box_model, **options)


def test_every_solver_by_name(box_model):
    for name in stiction.solvers():
        sim = stiction.Simulation(box_model, solver=name)
        sim.state.u[0] = 1
        assert sim.step(20).ok, f"{name}: {sim.describe()}"


def test_nan_in_a_control_keeps_the_last_good_state(box):
    box.state.u[0] = 1
    box.step(10)
    q, u, moment = box.state.q.copy(), box.state.u.copy(), box.state.time
    box.control.wrench[1, 3] = np.nan
    report = box.step(5)
    assert not report.ok and report.status == 2 and box.model.body_name[report.bad_body] == "box"
    assert "body 'box'" in box.describe() and "last good state" in box.describe()
    assert box.describe().startswith(f"step {box.state.steps + 1} (from t = {box.state.time:g} s)")
    assert np.array_equal(box.state.q, q) and np.array_equal(box.state.u, u) and box.state.time == moment
    box.control.wrench[1, 3] = 0
    assert box.step().ok and box.state.time == pytest.approx(moment + 0.002)


def test_nan_in_the_state_goes_back_to_the_last_step(box):
    box.state.u[0] = 1
    box.step(10)
    q, u = box.state.q.copy(), box.state.u.copy()
    box.state.u[2] = np.inf
    assert box.step().status == 2
    assert np.array_equal(box.state.q, q) and np.array_equal(box.state.u, u)


def test_step_counts(box):
    box.step(7)
    assert box.state.steps == 7 and box.state.time == pytest.approx(0.014)
    with pytest.raises(stiction.Error, match="at least 1, not 0"):
        box.step(0)


def test_body_pose(box):
    box.state.q = [1, 2, 3, np.sqrt(0.5), 0, 0, np.sqrt(0.5)]  # a quarter turn about z
    pose = box.body_pose("box")
    assert list(pose.position) == [1, 2, 3]
    assert pose.rotation == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-15)
    assert list(box.body_pose(1).quaternion) == list(pose.quaternion)
    with pytest.raises(stiction.Error, match="no body named 'bok'; did you mean 'box'"):
        box.body_pose("bok")


def steps_for(sim, seconds):
    """Number of steps that take about that long."""
    sim.step(20)
    begin = time.perf_counter()
    sim.step(50)
    return max(1, int(50 * seconds / (time.perf_counter() - begin)))


def test_other_threads_run_during_a_step(grid):
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.002):
            ticks.append(time.perf_counter())

    steps = steps_for(grid, 1.0)
    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    grid.step(steps)
    end = time.perf_counter()
    stop.set()
    thread.join()
    during = sum(begin < t < end for t in ticks)
    assert end - begin > 0.3
    assert during > 20 * (end - begin)  # with the lock held it would be none; without, up to 500 a second


def test_two_threads_step_one_simulation_in_turn(grid):
    threads = [threading.Thread(target=grid.step, args=(50,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert grid.state.steps == 200 and grid.report.ok


@pytest.fixture
def interruptible():
    """Ctrl-C as on a terminal, also where the tests run in the background and inherit that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_a_long_call(grid):
    steps = 1_000_000  # minutes: it has to be ended
    threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,)).start()
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        grid.step(steps)
    assert time.perf_counter() - begin < 5
    assert grid.step().ok


def test_arrays_of_the_options_cannot_be_written(box):
    for array in (box.options.gravity, box.options.wind):
        with pytest.raises(ValueError, match="read-only"):
            array[2] = 3
