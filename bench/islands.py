"""Cost of a step against the number of islands: 1 to 1,000 towers of five boxes, each an island of its own.

    .venv/bin/python bench/islands.py [--steps 60] [--threads 2] [--plot islands.svg]

There are ten kinds of towers, which slide and topple differently; a single tower is each of them in turn. Times are
those of the processor per contact and step, the least of --repeats runs. Runs with one and with several threads must
end in the same bits.
"""

import argparse
import time

import numpy as np

import stiction

COUNTS = [1, 10, 100, 1000]
KINDS = 10
BOXES, HALF = 5, 0.1  # boxes of a tower and half their edge [m]
PARTS = ["kinematics", "collide", "assemble", "solve", "certify", "integrate"]


def towers(kinds):
    """Towers of these kinds on a square grid, their boxes a little aside of each other, and their velocities."""
    builder = stiction.Builder(f"{len(kinds)} towers", timestep=0.002)
    builder.add_shape_plane(0, friction=0.5)
    side = int(np.ceil(np.sqrt(len(kinds))))
    velocity = []
    for i, kind in enumerate(kinds):
        row, column = divmod(i, side)
        random = np.random.default_rng(kind)
        for level in range(BOXES):
            aside = random.uniform(-0.01, 0.01, 2)
            place = (2.0 * column + aside[0], 2.0 * row + aside[1], HALF * (2 * level + 1))
            body = builder.add_body(f"box_{i}_{level}", place)
            builder.add_joint_free(body)
            builder.add_shape_box(body, (HALF, HALF, HALF), friction=0.5)
            velocity.append(random.uniform(-0.3, 0.3, 2))
    return builder.build(), np.array(velocity)


class Run:
    """What the steps of one scene took, over all of them."""

    def __init__(self, scene, steps, threads):
        model, velocity = scene
        simulation = stiction.Simulation(model, threads=threads)
        simulation.state.u.reshape(-1, 6)[:, :2] = velocity
        self.contacts = self.islands = 0
        self.worst = self.wall = self.solving = 0.0
        begin = time.process_time()
        for _ in range(steps):
            report = simulation.step()
            self.wall += sum(getattr(report, f"{part}_seconds") for part in PARTS)
            self.solving += report.solve_seconds
            self.contacts += report.contacts
            self.islands = max(self.islands, report.islands)
            self.worst = max(self.worst, report.certificate.residual)
        self.processor = time.process_time() - begin
        self.end = np.concatenate([simulation.state.q, simulation.state.u])


def least(scenes, steps, threads, repeats):
    """The fastest run of each scene; all runs of a scene must end in the same bits."""
    out = []
    for scene in scenes:
        runs = [Run(scene, steps, threads) for _ in range(repeats)]
        require_same_bits(runs)
        out.append(min(runs, key=lambda run: run.processor))
    return out


def require_same_bits(runs):
    if any(not np.array_equal(runs[0].end, other.end) for other in runs):
        raise SystemExit("runs of the same scene ended in different bits")


def plot(rows, path):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    counts, step, solver = zip(*rows)
    axes.plot(counts, step, marker="o", label="whole step")
    axes.plot(counts, solver, marker="o", label="its solver")
    axes.set(xscale="log", xlabel="islands", ylabel="µs of the processor per contact and step", ylim=(0, None))
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--threads", type=int, default=2, help="of the other runs (2)")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--plot", metavar="FILE.svg")
    arguments = parser.parse_args()
    print("| towers | islands | contacts | step, µs per contact | its solver | worst residual |")
    print("| --- | --- | --- | --- | --- | --- |")
    rows = []
    for count in COUNTS:
        kinds = [i % KINDS for i in range(count)]
        scenes = [towers([kind]) for kind in range(KINDS)] if count == 1 else [towers(kinds)]
        single = least(scenes, arguments.steps, 1, arguments.repeats)
        shared = least(scenes, arguments.steps, arguments.threads, 1)
        for pair in zip(single, shared):
            require_same_bits(pair)
        contacts = sum(run.contacts for run in single)
        step = 1e6 * sum(run.processor for run in single) / contacts
        solver = step * sum(run.solving for run in single) / sum(run.wall for run in single)
        rows.append((count, step, solver))
        worst = max(run.worst for run in single)
        mean = contacts / len(single) / arguments.steps
        print(
            f"| {count:,} | {single[0].islands:,} | {mean:,.0f} | {step:.2f} | {solver:.2f} | {worst:.1e} |", flush=True
        )
    costs = [row[1] for row in rows]
    print(
        f"cost of 1,000 towers / least cost: {costs[-1] / min(costs):.2f}; same bits with {arguments.threads} threads"
    )
    if arguments.plot:
        plot(rows, arguments.plot)


if __name__ == "__main__":
    main()
