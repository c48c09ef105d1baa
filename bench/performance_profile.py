"""Performance profile of the solvers (E. Dolan, J. Moré, "Benchmarking optimization software with performance
profiles", 2002): for each solver s the share of the problems that it solves within τ times the least time of all.

    .venv/bin/python bench/performance_profile.py FILES… [--each N] [--steps 30,100] [--limit S] [--plot profile.svg]

FILES are files of contact problems, and scenes (MJCF, URDF, or the name of a shipped one), of which the problems of
--steps are taken where they have contacts or other constraints. A problem counts as solved where the certificate, which
no solver has a part in, is within the tolerance. Every solver starts from zero on one thread, by `stiction compare`;
one that has not ended after --limit seconds has not solved it.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import stiction

SOLVERS = ["newton", "pgs", "admm"]
RATIOS = [1, 2, 5, 10, 100]
PROGRAM = Path(sys.executable).parent / "stiction"


def store_steps(scene, steps, folder):
    """A file with the problems of those of the steps that have blocks; None if none has."""
    simulation = stiction.Simulation(stiction.load(scene if Path(scene).suffix else stiction.scene(scene)))
    file, any_blocks = Path(folder) / f"{Path(scene).stem}.h5", False
    for step in range(1, max(steps) + 1):
        simulation.step()
        if step in steps and simulation.problem.nblock > 0:
            stiction.write_problem(file, f"step {step}", simulation.problem)
            any_blocks = True
    return file if any_blocks else None


def problems(files, each, steps, folder):
    """(file, name or None), at most `each` of a file, evenly spread."""
    for source in files:
        file = store_steps(source, steps, folder) if Path(source).suffix in ("", ".xml", ".urdf") else Path(source)
        if file is None:
            continue
        names = stiction.list_problems(file) if file.suffix in (".h5", ".hdf5") else [None]
        stride = max(1, math.ceil(len(names) / each))
        yield from ((file, name) for name in names[::stride])


def seconds(file, name, solver, tolerance, limit):
    """Time to the tolerance; infinite if it is not reached."""
    command = [PROGRAM, "compare", file, "--solvers", solver, "--tolerance", str(tolerance), "--json"]
    command += ["--max-iterations", "1000000"] + (["--name", name] if name else [])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return math.inf
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr)
    curve = json.loads(done.stdout)["solvers"][0]
    return curve["seconds"][-1] if curve["solved"] else math.inf


def profile(times):
    """{solver: ratios to the best, ascending} over the problems that one of them solved."""
    best = [min(row.values()) for row in times]
    return {
        solver: sorted(row[solver] / least for row, least in zip(times, best) if least < math.inf) for solver in SOLVERS
    }


def plot(ratios, count, path):
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 4))
    most = 2 * max(r for row in ratios.values() for r in row if r < math.inf)
    for solver, row in ratios.items():
        solved = [r for r in row if r < math.inf]
        shares = [100 * (i + 1) / count for i in range(len(solved))]
        axes.step([1, *solved, most], [0, *shares, shares[-1] if shares else 0], where="post", label=solver)
    axes.set(xscale="log", xlim=(1, most), ylim=(0, 102))
    axes.set(xlabel="time, as a multiple of the fastest", ylabel=f"solved [% of {count} problems]")
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--each", type=int, default=5, metavar="N", help="at most so many problems of a file (5)")
    parser.add_argument("--steps", default="30,100,300", help="of scenes (30,100,300)")
    parser.add_argument("--limit", type=float, default=20, metavar="S", help="seconds for one solve (20)")
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--plot", metavar="FILE.svg")
    arguments = parser.parse_args()

    times = []
    steps = [int(step) for step in arguments.steps.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        for file, name in problems(arguments.files, arguments.each, steps, folder):
            row = {s: seconds(file, name, s, arguments.tolerance, arguments.limit) for s in SOLVERS}
            times.append(row)
            label = f"{Path(file).stem} {name or ''}"
            print(f"{label:44}", *(f"{s} {1e6 * t:12.2f} µs" for s, t in row.items()), flush=True)
    ratios = profile(times)
    count = len(times)
    print(f"\n| solver | {' | '.join(f'within {r} ×' if r > 1 else 'fastest' for r in RATIOS)} | solved |")
    print("| --- |" + " --- |" * (len(RATIOS) + 1))
    for solver, row in ratios.items():
        shares = [sum(r <= limit * (1 + 1e-12) for r in row) for limit in RATIOS] + [sum(r < math.inf for r in row)]
        print(f"| `{solver}` | {' | '.join(f'{100 * s / count:.0f} %' for s in shares)} |")
    if arguments.plot:
        plot(ratios, count, arguments.plot)


if __name__ == "__main__":
    main()
