"""Cost of a contact against the size of a pile: mixed shapes that fall into pits of the same depth, four layers.

    .venv/bin/python bench/pile_scaling.py [--bodies 125,1000,8000] [--duration 0.6] [--plot piles.svg]

Each pile falls, hits the ground and itself, and jams. Times are those of the processor, per contact and step, over
stretches of --stretch seconds; a contact counts in every step in which it is part of the problem.
"""

import argparse
import time

import numpy as np

import stiction

CELL, LAYERS = 0.196, 4  # edge of the cubes in which the bodies start [m]
SURFACE = {"friction": 0.3, "density": 800.0}


def add_shape(builder, body, random):
    """A ball, ellipsoid, capsule, cylinder or box that fits into its cell however it is turned."""
    reach = random.uniform(0.6, 0.95) * CELL / 2
    kind, ratio = random.integers(5), random.uniform(0.4, 0.8)
    if kind == 0:
        builder.add_shape_sphere(body, reach, **SURFACE)
    elif kind == 1:
        builder.add_shape_ellipsoid(body, reach * np.array([1, ratio, random.uniform(0.4, 0.8)]), **SURFACE)
    elif kind == 2:
        builder.add_shape_capsule(body, (1 - ratio) * reach, ratio * reach, **SURFACE)
    elif kind == 3:
        builder.add_shape_cylinder(body, ratio * reach, np.sqrt(1 - ratio**2) * reach, **SURFACE)
    else:
        sides = random.uniform(0.4, 1, 3)
        builder.add_shape_box(body, sides / np.linalg.norm(sides) * reach, **SURFACE)


def pile(count):
    random = np.random.default_rng(count)
    side = int(np.ceil(np.sqrt(count / LAYERS)))
    builder = stiction.Builder(f"pile of {count}", timestep=0.005)
    builder.add_shape_plane(0, **SURFACE)
    half, height = side * CELL / 2 + 0.01, LAYERS * CELL
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        sizes = (0.05 if x else half + 0.1, 0.05 if y else half + 0.1, height / 2)
        builder.add_shape_box(0, sizes, ((half + 0.05) * x, (half + 0.05) * y, height / 2), **SURFACE)
    for i in range(count):
        layer, place = divmod(i, side * side)
        row, column = divmod(place, side)
        quaternion = random.normal(size=4)
        position = ((column - (side - 1) / 2) * CELL, (row - (side - 1) / 2) * CELL, 0.12 + layer * CELL)
        body = builder.add_body(f"body{i}", position, quaternion / np.linalg.norm(quaternion))
        builder.add_joint_free(body)
        add_shape(builder, body, random)
    return builder.build()


def run(count, steps, stretch, tolerance):
    """(processor seconds, contacts, largest certified residual) of each stretch of steps."""
    simulation = stiction.Simulation(pile(count), tolerance=tolerance, threads=1)
    rows = []
    for first in range(0, steps, stretch):
        contacts = worst = 0
        begin = time.process_time()
        for _ in range(min(stretch, steps - first)):
            report = simulation.step()
            contacts += report.contacts
            worst = max(worst, report.certificate.residual)
        rows.append((time.process_time() - begin, contacts, worst))
    return np.array(rows)


def plot(results, stretch, path):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    counts = list(results)
    for k in range(len(results[counts[0]])):
        cost = [1e6 * results[n][k, 0] / results[n][k, 1] for n in counts]
        axes.plot(counts, cost, marker="o", label=f"{k * stretch:.2f} to {(k + 1) * stretch:.2f} s")
    axes.plot(counts, [1e6 * r[:, 0].sum() / r[:, 1].sum() for r in results.values()], "k", marker="s", label="all")
    axes.set(xscale="log", yscale="log", xlabel="bodies", ylabel="processor time per contact and step [µs]")
    axes.set_xticks(counts, [f"{n:,}" for n in counts])
    axes.minorticks_off()
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bodies", default="125,1000,8000")
    parser.add_argument("--duration", type=float, default=0.6, help="simulated time [s]")
    parser.add_argument("--stretch", type=float, default=0.15, help="of it, for which times are shown [s]")
    parser.add_argument("--tolerance", type=float, default=1e-6)
    parser.add_argument("--plot", metavar="FILE.svg")
    arguments = parser.parse_args()
    steps, stretch = round(arguments.duration / 0.005), round(arguments.stretch / 0.005)
    results = {}
    print("| bodies | until | contacts a step | µs per contact | largest residual |")
    print("| --- | --- | --- | --- | --- |")
    for count in map(int, arguments.bodies.split(",")):
        results[count] = rows = run(count, steps, stretch, arguments.tolerance)
        for k, (seconds, contacts, worst) in enumerate(rows):
            until = min((k + 1) * stretch, steps)
            mean = contacts / (until - k * stretch)
            print(f"| {count:,} | {until * 0.005:.2f} s | {mean:.0f} | {1e6 * seconds / contacts:.1f} | {worst:.1e} |")
        seconds, contacts = rows[:, 0].sum(), rows[:, 1].sum()
        mean, worst = contacts / steps, rows[:, 2].max()
        print(f"| {count:,} | all | {mean:.0f} | {1e6 * seconds / contacts:.1f} | {worst:.1e} |", flush=True)
    if arguments.plot:
        plot(results, stretch * 0.005, arguments.plot)


if __name__ == "__main__":
    main()
