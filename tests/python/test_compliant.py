"""The compliant contact models (Bharaj et al. 2015): the quadratic programme against SciPy's active set method, the
limit of stiff springs against rigid constraints, and the artefacts that the laws have in closed form."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from dense_problem import inertia_and_jacobian
from scipy.optimize import lsq_linear

import stiction

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("compliant", "compliant-force", "compliant-energy")
FREE, BOX = 1e15, 2  # no bound [N]; the law of boxes


def random_scene(rng, contact_model):
    """Boxes, balls and capsules that tumble onto a floor, pinned to each other here and there, some with arms."""
    springs = {"spring_preset": rng.choice(["automata", "stiff"])}
    if rng.random() < 0.5:
        # Rows measured as forces differ as their stiffnesses do: the condition of the problem grows with the range.
        least = (6, 3) if contact_model == "compliant-force" else (4, 0)
        springs = {f"{name}_stiffness": 10 ** rng.uniform(least[0], 9) for name in ("pin", "normal")}
        springs |= {f"{name}_damping": 10 ** rng.uniform(least[1], 5) for name in ("pin", "normal", "friction")}
    builder = stiction.Builder("random")
    builder.add_shape_plane(0, friction=rng.uniform(0.1, 1))
    before = None
    for i in range(rng.integers(2, 6)):
        body = builder.add_body(
            f"body{i}", position=(*rng.uniform(-0.15, 0.15, 2), 0.1 + 0.12 * i), quaternion=rng.normal(size=4)
        )
        builder.add_joint_free(body)
        surface = {"friction": rng.uniform(0.1, 1), "density": 1000 * 10 ** rng.uniform(-1, 1)}
        kind = rng.integers(3)
        if kind == 0:
            builder.add_shape_box(body, rng.uniform(0.03, 0.1, 3), **surface)
        elif kind == 1:
            builder.add_shape_sphere(body, rng.uniform(0.03, 0.1), **surface)
        else:
            builder.add_shape_capsule(body, rng.uniform(0.03, 0.06), 0.06, **surface)
        if before is not None and rng.random() < 0.6:
            builder.add_equality_connect(before, body, rng.uniform(-0.05, 0.05, 3))
        if rng.random() < 0.4:
            arm = builder.add_body(f"arm{i}", position=(0.1, 0, 0), parent=body)
            joint = builder.add_joint(arm, stiction.JointType.hinge, rng.normal(size=3))
            builder.add_shape_capsule(arm, 0.02, 0.1, **surface)
            target = stiction.ActuatorTarget.joint
            builder.add_velocity_servo(target, joint, 10.0, force_lower=-0.5, force_upper=0.5)
        before = body
    sim = stiction.Simulation(builder.build(), contact_model=contact_model, timestep=0.004, **springs)
    sim.state.u[:] = rng.normal(size=len(sim.state.u))
    sim.control.input[:] = rng.normal(size=len(sim.control.input))
    return sim


def dense(problem):
    """A and c of w = A λ + c, what λ does to u, and the compliances of the rows."""
    M, J = inertia_and_jacobian(problem)
    inverse, e = np.linalg.inv(M), np.zeros(problem.nrow)
    for b in range(problem.nblock):
        first = problem.block_row[b]
        e[first : problem.block_row[b + 1]] = problem.block_friction_compliance[b]
        e[first] = problem.block_compliance[b]
    h = problem.timestep
    A = h * J @ inverse @ J.T + np.diag(e)
    return A, J @ problem.free_velocity + problem.bias, h * inverse @ J.T, e


def rows_to_square(problem, contact_model):
    """F and f of the least ‖F λ + f‖²: A and c, the same over the compliances, or Lᵀ and L⁻¹ c with A = L Lᵀ."""
    A, c, _, e = dense(problem)
    if contact_model == "compliant-energy":
        L = np.linalg.cholesky(A)
        return L.T, np.linalg.solve(L, c)
    S = np.ones(len(c)) if contact_model == "compliant" else 1 / e
    return S[:, None] * A, S * c


def by_scipy(problem, contact_model):
    """λ of the programme. A pyramid is what its edges (1, ±μ, ±μ) span with factors ≥ 0, so that bounds are all there
    is."""
    columns, lower, upper = [], [], []
    for b in range(problem.nblock):
        first, last = problem.block_row[b : b + 2]
        if problem.block_law[b] == BOX:
            column = np.zeros(problem.nrow)
            column[first] = 1
            columns.append(column)
            lower.append(max(problem.block_lower[b], -FREE))
            upper.append(min(problem.block_upper[b], FREE))
            continue
        for corner in range(2 ** (last - first - 1)):
            column = np.zeros(problem.nrow)
            column[first] = 1
            for k in range(first + 1, last):
                column[k] = problem.block_friction[b] * (1 if corner >> (k - first - 1) & 1 else -1)
            columns.append(column)
            lower.append(0.0)
            upper.append(np.inf)
    R = np.array(columns).T
    F, f = rows_to_square(problem, contact_model)
    matrix, right = F @ R, -f
    # Columns of one size: the method stops by the size of the gradient.
    size = np.linalg.norm(matrix, axis=0)
    bounds = np.array(lower) * size, np.array(upper) * size
    found = lsq_linear(matrix / size, right, bounds, method="bvls", tol=1e-15, max_iter=2000)
    return R @ (found.x / size)


@pytest.mark.parametrize("contact_model", MODELS)
def test_forces_and_velocities_are_those_of_scipy(contact_model):
    rng = np.random.default_rng(7)
    compared = acting = bounded = 0
    while compared < (25 if contact_model == "compliant-force" else 100):
        sim = random_scene(rng, contact_model)
        sim.step(int(rng.integers(5, 20 if contact_model == "compliant-force" else 60)))
        problem = sim.problem
        laws = np.array(problem.block_law)
        if not (laws > BOX).any():
            continue
        A, c, to_u, e = dense(problem)
        rows = A if contact_model != "compliant-force" else A / e[:, None]
        if np.linalg.cond(rows) > 1e6:
            continue  # rounding errors of least squares grow with its square
        solution, stats = stiction.solve(problem, "newton", tolerance=1e-10)
        assert stats.failed == 0
        certificate = stiction.certify(problem, solution)
        assert certificate.residual <= 1e-9
        # Islands of boxes alone have the least energy, which is the least square only where no bound acts.
        islands = np.array(problem.block_island)
        alone = ~np.isin(islands, islands[laws > BOX])
        if (np.isfinite(problem.block_lower) & alone).any():
            continue
        reference = by_scipy(problem, contact_model)
        u = problem.free_velocity + to_u @ reference
        assert solution.lambda_ == pytest.approx(reference, abs=1e-8 * max(1, abs(reference).max()))
        assert solution.u == pytest.approx(u, abs=1e-8 * max(1, abs(u).max()))
        compared += 1
        w = A @ reference + c
        acting += (reference[problem.block_row[:-1][laws > BOX]] > 0).any()
        bounded += (abs(w) > 1e-6).any()
    assert acting > compared / 2 and bounded > compared / 2  # the bounds matter


def four_bar(contact_model, **options):
    """Positions of the bodies of a planar loop in fall after 0.2 s."""
    sim = stiction.Simulation(stiction.load(ROOT / "scenes" / "four_bar.xml"), contact_model=contact_model, **options)
    for _ in range(100):
        assert sim.step().ok, sim.describe()
    return np.array(sim.state.q)


@pytest.mark.parametrize("contact_model", MODELS)
def test_stiff_pins_approach_rigid_ones_as_one_over_their_stiffness(contact_model):
    rigid = four_bar("coulomb")
    errors = [abs(four_bar(contact_model, pin_stiffness=k, pin_damping=0) - rigid).max() for k in (1e6, 1e7, 1e8, 1e9)]
    for soft, stiff in itertools.pairwise(errors):
        assert stiff == pytest.approx(soft / 10, rel=0.1)


def box_on_slope(angle, friction, contact_model, **options):
    gravity = (9.81 * math.sin(angle), 0, -9.81 * math.cos(angle))
    builder = stiction.Builder("slope", gravity=gravity)
    builder.add_shape_plane(0, friction=friction)
    body = builder.add_body("box", position=(0, 0, 0.1))
    builder.add_joint_free(body)
    builder.add_shape_box(body, (0.1, 0.1, 0.1), friction=friction, density=1000)
    return stiction.Simulation(builder.build(), contact_model=contact_model, **options)


@pytest.mark.parametrize("contact_model", MODELS)
def test_a_box_at_rest_sinks_and_creeps_as_its_springs_say(contact_model):
    """At rest λ = m g / 4 at each corner: depth λ_n / k_p, and v_t = λ_t / k_d, as friction has no k_p."""
    angle, weight, k, d = math.radians(15), 8 * 9.81, 1e6, 1e4
    sim = box_on_slope(angle, 0.6, contact_model, normal_stiffness=k, friction_damping=d)
    for _ in range(500):
        assert sim.step().ok, sim.describe()
    # The weight acts at 0.1 m above the floor: the lower corners carry more by tan(angle).
    carry = weight * math.cos(angle) / 4 * np.array([1 - math.tan(angle), 1 + math.tan(angle)])
    assert sorted(sim.contacts.gap) == pytest.approx(sorted([*-carry / k, *-carry / k]), rel=1e-3)
    assert sim.state.u[0] == pytest.approx(weight * math.sin(angle) / 4 / d, rel=1e-3)


@pytest.mark.parametrize("contact_model", MODELS)
def test_stiff_contacts_approach_rigid_ones_as_one_over_their_stiffness(contact_model):
    """A box that sticks on a slope: it sinks as 1/k_p and creeps as 1/k_d from where Coulomb's law has it."""
    away = []
    for k in (1e5, 1e6, 1e7):
        sim = box_on_slope(math.radians(15), 0.6, contact_model, normal_stiffness=k, friction_damping=k)
        sim.step(250)
        away.append(np.linalg.norm(sim.body_pose("box").position - (0, 0, 0.1)))
    assert away[1] == pytest.approx(away[0] / 10, rel=0.1)
    assert away[2] == pytest.approx(away[1] / 10, rel=0.1)


def opening_of_tied_sliders(contact_model, stiffness):
    """Two masses on rails are tied by a pin; one of them slides on the floor. Opening of the pin after a step, and the
    speed of what slides."""
    builder = stiction.Builder("tied")
    builder.add_shape_plane(0, friction=0.3)
    slider = builder.add_body("slider", position=(0, 0, 0.1))
    first = builder.add_joint(slider, stiction.JointType.slide, (1, 0, 0))
    builder.add_joint(slider, stiction.JointType.slide, (0, 0, 1))
    builder.add_shape_sphere(slider, 0.1, friction=0.3)
    builder.set_inertia(slider, 1.0, (0, 0, 0), (0.01, 0.01, 0.01))
    load = builder.add_body("load", position=(0, 0, 1))
    second = builder.add_joint(load, stiction.JointType.slide, (1, 0, 0))
    builder.set_inertia(load, 3.0, (0, 0, 0), (0.01, 0.01, 0.01))
    builder.add_equality_joint(first, second, [0, 1])
    sim = stiction.Simulation(builder.build(), contact_model=contact_model, pin_stiffness=stiffness, pin_damping=0)
    sim.state.u[:] = [2, 0, 2]
    assert sim.step().ok, sim.describe()
    assert sim.contacts.force[0][0] < 0  # slides, with all the friction that the pyramid has
    return abs(sim.state.q[0] - sim.state.q[2]), sim.state.u[0]


def test_least_squares_of_velocities_open_pins_of_any_stiffness_where_something_slides():
    """Stationary in λ of the pin: A_pp w_p + A_pt w_t = 0, so that w_p = C⁺/h = w_t m₂ / (m₁ + m₂) for k → ∞."""
    for stiffness in (1e8, 1e10, 1e12):
        opened, speed = opening_of_tied_sliders("compliant", stiffness)
        assert opened == pytest.approx(0.002 * speed * 3 / 4, rel=0.01)  # a of friction is 1 % of A_tt and more


def test_least_squares_of_forces_and_least_energy_close_stiff_pins():
    """With S the pin opens as 1/k² for what slides and as λ/k for what it carries; the least energy has only that."""
    for contact_model in ("compliant-force", "compliant-energy"):
        soft, middle, stiff = (opening_of_tied_sliders(contact_model, k)[0] for k in (1e8, 1e9, 1e10))
        assert soft < 3e-5 and middle < soft / 5 and stiff < middle / 5


def test_what_slides_under_the_least_energy_moves_apart_as_under_relaxed():
    """K* ∋ w ⊥ λ ∈ K: a steady slide along a direction of the pyramid hovers at μ v h, less what the spring gives."""
    angle, friction = math.radians(35), 0.4
    sim = box_on_slope(angle, friction, "compliant-energy", spring_preset="stiff")
    for _ in range(250):
        assert sim.step().ok, sim.describe()
    speed = sim.state.u[0]
    assert speed > 1
    assert sim.body_pose("box").position[2] - 0.1 == pytest.approx(friction * speed * 0.002, rel=1e-3)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"spring_preset": "soft"}, "spring preset 'soft'.*automata, stiff"),
        ({"pin_stiffness": -2}, "pin_stiffness = -2.*−1 for that of the preset"),
        ({"normal_stiffness": 0}, "normal_stiffness = 0.*holds nothing"),
        ({"friction_damping": 0}, "friction_damping = 0.*coefficient"),
    ],
)
def test_bad_springs_are_named(options, words):
    with pytest.raises(stiction.Error, match=words):
        box_on_slope(0, 0.5, "compliant", **options)
