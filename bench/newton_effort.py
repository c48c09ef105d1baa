"""Factorisations that `newton` needs on the scenes of Macklin et al. 2019 and on stored contact problems.

    .venv/bin/python bench/newton_effort.py [--problems FILE…] [--keep DIR] [--plot effort.svg] [--sets arch,stack,…]

Takes the contact problem of steps all over a run of each scene, solves each from zero and from the forces and
velocities of the step before to --tolerance (1e-10), and prints a table over islands: a stored problem is one, a crowd
has hundreds. An island whose warm start was good enough takes none. A step is unsolved where its certificate is above
the tolerance. --keep leaves the problems in DIR, one file for each set; --plot draws the certified residual against
factorisations.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import stiction

ROOT = Path(__file__).parent.parent
PROGRAM = Path(sys.executable).parent / "stiction"
sys.path.insert(0, str(ROOT / "examples"))
import grasp  # noqa: E402
import humanoids  # noqa: E402
import yumis  # noqa: E402


def scene(name):
    """A shipped scene in its start."""
    simulation = stiction.Simulation(stiction.load(ROOT / "scenes" / f"{name}.xml"))
    if "start" in simulation.model.key_name:
        simulation.reset("start")
    return simulation, simulation.step


def held(kind):
    hand = grasp.Grasp(kind)
    return hand.simulation, hand.step


def crowd(example, count):
    simulation = example.make(count)
    return simulation, simulation.step


# Name: how to make it, first step that is taken, distance of those that are, number of them.
SETS = {
    "arch": (lambda: scene("arch_20"), 1, 12, 20),
    "stack": (lambda: scene("stack_32768"), 1, 12, 20),
    "card house": (lambda: scene("card_house"), 1, 12, 20),
    "tables": (lambda: scene("tables_54"), 20, 10, 20),
    "beam": (lambda: scene("beam_16"), 10, 10, 28),
    "grasp stone": (lambda: held("stone"), 60, 15, 20),
    "grasp angle": (lambda: held("angle"), 60, 15, 20),
    "grasp jack": (lambda: held("jack"), 60, 15, 20),
    "400 humanoids": (lambda: crowd(humanoids, 400), 10, 10, 5),
    "100 Yumis": (lambda: crowd(yumis, 100), 10, 10, 5),
}
CROWDS = ("400 humanoids", "100 Yumis")


def take(make, first, stride, count, path):
    """Writes the problems of `count` steps to a file."""
    simulation, step = make()
    for number in range(1, first + (count - 1) * stride + 1):
        wanted = number >= first and (number - first) % stride == 0
        before = simulation.state.copy() if wanted else None
        step()
        if wanted and simulation.problem.nblock > 0:
            stiction.write_step_problem(path, f"step {number}", simulation, before)


def solve(path, tolerance, cold):
    """(factorisations of all islands, number of unsolved problems, those with less push-out)."""
    command = [PROGRAM, "solve", path, "--tolerance", str(tolerance), "--json"] + (["--cold"] if cold else [])
    done = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    islands = [n for problem in done["problems"] for n in problem["island_factorisations"]]
    summary = done["summary"][0]
    return np.array(islands), summary["unsolved"], summary["reduced"], summary["problems"]


def show(counts):
    return f"{np.median(counts):g}, {np.mean(counts):.1f}, {counts.max()}" if len(counts) else "–"


def plot(curves, tolerance, path):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    axes.set_prop_cycle(color=pyplot.get_cmap("tab20").colors)
    for name, points in curves.items():
        count, _, residual = zip(*points)
        axes.plot(count, residual, marker=".", label=name)
    axes.axhline(tolerance, color="grey", linestyle="--", linewidth=0.8)
    axes.set(yscale="log", xlabel="factorisations", ylabel="certified residual, relative", xlim=(0, None))
    axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


def middle(path, tolerance):
    """Convergence on the problem of one island that took the median of factorisations."""
    runs = []
    for name in stiction.list_problems(path):
        problem = stiction.read_problem(path, name)
        if problem.nisland > 1:
            continue
        points = stiction.convergence(problem, tolerance=tolerance)
        if points and points[-1][2] <= tolerance and points[-1][0] > 0:
            runs.append(points)
    runs.sort(key=lambda points: points[-1][0])
    return runs[len(runs) // 2] if runs else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", nargs="*", default=[], metavar="FILE", help="more problems; from zero only")
    parser.add_argument("--sets", default=",".join(SETS), help="scenes (all)")
    parser.add_argument("--tolerance", type=float, default=1e-10)
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--plot", metavar="FILE.svg")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(arguments.keep or scratch)
        folder.mkdir(parents=True, exist_ok=True)
        files = {}
        for name in filter(None, arguments.sets.split(",")):
            if name not in SETS:
                parser.error(f"there is no set '{name}'. Sets: {', '.join(SETS)}")
            files[name] = folder / (name.replace(" ", "_") + ".h5")
            if not files[name].exists():
                take(*SETS[name], files[name])
        stored = {Path(file).name: Path(file) for file in arguments.problems}
        effort = "median, mean, most"
        print(f"| problems | number | islands | cold: {effort} | not solved | warm: {effort} | not solved |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        all_cold, all_warm, curves = {}, {}, {}
        for name, path in (files | stored).items():
            cold, unsolved, reduced, count = solve(path, arguments.tolerance, True)
            row = f"| {name} | {count} | {len(cold)} | {show(cold)} | {len(unsolved)} |"
            all_cold[name] = cold
            if name in files:
                warm, missed, _, _ = solve(path, arguments.tolerance, False)
                all_warm[name] = warm
                row += f" {show(warm)} | {len(missed)} |"
            else:
                row += " | |"
            if reduced or unsolved:
                print(f"{name}: {reduced} with less push-out, not solved: {unsolved}", file=sys.stderr)
            print(row, flush=True)
            if arguments.plot and (curve := middle(path, arguments.tolerance)):
                curves[name] = curve
        # The crowds have most of all islands, and most of theirs are easy: one row without them.
        for title, left_out in (("all", ()), ("all but the crowds", CROWDS)):
            cold = [n for name, counts in all_cold.items() if name not in left_out for n in counts]
            warm = [n for name, counts in all_warm.items() if name not in left_out for n in counts]
            print(f"| {title} | | {len(cold)} | {show(np.array(cold))} | | {show(np.array(warm))} | |")
        if arguments.plot:
            plot(curves, arguments.tolerance, arguments.plot)


if __name__ == "__main__":
    main()
