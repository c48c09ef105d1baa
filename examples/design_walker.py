"""Designs a walking machine by trial: varies the phase of the rear legs and the length of one link, keeps the best.

    python3 examples/design_walker.py            81 dogs, eight turns of their cranks each
    python3 examples/design_walker.py --quick    nine of them, two turns each

Each candidate is a world of its own, simulated on a thread of its own; what falls counts as 0 m.
"""

import argparse
import dataclasses
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import numpy as np

import stiction

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tools"))
from automata import DOG, automaton_scene  # noqa: E402

COLOURS = ["0.2 0.45 0.7 1", "0.8 0.4 0.2 1", "0.35 0.6 0.35 1"]
LIGHT = '<light pos="0 -2 4" dir="0 0.4 -1" directional="true"/>'
LOWER_ROCKER = 0.3206  # Klann's, in the linkage's own unit


def design(rear_phase, rocker):
    """The dog with its rear legs later by `rear_phase` turns, and a lower rocker of another length."""
    legs = [
        dataclasses.replace(leg, phase=(leg.phase + rear_phase) % 1) if "rear" in leg.name else leg for leg in DOG.legs
    ]
    linkage = DOG.linkage
    dyads = [(n, p, a, q, rocker * LOWER_ROCKER if b == LOWER_ROCKER else b, s) for n, p, a, q, b, s in linkage.dyads]
    changed = type(linkage)(
        linkage.name, linkage.head, linkage.scale, linkage.fixed, linkage.crank, dyads, linkage.links, linkage.loops,
        linkage.foot, linkage.extension,
    )  # fmt: skip
    return dataclasses.replace(DOG, legs=legs, linkage=changed)


def walk(machine, turns, folder, number):
    """Distance over the floor in metres for each turn of the cranks; 0 if the trunk tips or the linkage cannot turn."""
    try:
        path = Path(folder, f"{number}.xml")
        path.write_text(automaton_scene(machine, COLOURS, LIGHT))
    except ValueError:  # the circles of a dyad do not meet
        return 0.0
    simulation = stiction.Simulation(stiction.load(path))
    simulation.reset("start")
    first = np.array(simulation.body_pose("trunk").position)
    for _ in range(round(turns / machine.rate / simulation.options.timestep)):
        if not simulation.step().ok or simulation.body_pose("trunk").rotation[2][2] < 0.7:
            return 0.0
    return float(np.linalg.norm((np.array(simulation.body_pose("trunk").position) - first)[:2])) / turns


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    count, turns = (3, 2) if quick else (9, 8)
    phases, rockers = np.linspace(-0.2, 0.2, count), np.linspace(0.96, 1.04, count)
    candidates = [(phase, rocker) for phase in phases for rocker in rockers]
    found = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(walk, design(*c), turns, folder, i): c for i, c in enumerate(candidates)}
        for job in as_completed(jobs):
            found[jobs[job]] = job.result()
            done = 40 * len(found) // len(candidates)
            print(f"\r[{'#' * done}{'.' * (40 - done)}] {len(found)}/{len(candidates)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    best = max(found, key=found.get)
    plain = min(found, key=lambda c: abs(c[0]) + abs(c[1] - 1))
    print(f"as built: {found[plain]:.4f} m a turn; {sum(d == 0 for d in found.values())} of {len(found)} fall")
    print(f"best:     {found[best]:.4f} m a turn, rear legs later by {best[0]:.3f} turns, lower rocker × {best[1]:.3f}")


if __name__ == "__main__":
    main()
