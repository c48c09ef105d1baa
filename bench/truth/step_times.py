"""Time per step of Stiction and MuJoCo on the scenes of truth.py: the table of times of docs/truth.md.

    .venv/bin/python bench/truth/step_times.py PEERS [--rounds 15] [--scene arch,bowling]

PEERS is the folder with truth.py, engine_mujoco.py and results_mujoco.json. All run at 2 ms on one thread: Stiction
with its default options, MuJoCo as shipped, and MuJoCo with its best single setting for the scene. That is the setting,
of those at 2 ms in results_mujoco.json, with the least geometric mean of the scene's errors in docs/truth.md. It must
answer every question there with yes; errors below 1e-7 in the unit shown count as 1e-7 (best_setting() in table.py).

In every round each of the three in turn is loaded, launched and run by truth.py for the whole length of the scene, as
for the errors. The steps of a run are one call into the engine, and only that call is timed: no Python and no measure
of the driver is in the times. They are processor time, the median over the rounds; the ratio is the median of those of
the rounds. Contacts are the mean over the steps, of Stiction and of MuJoCo's best setting, with those without force.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import engine_stiction
import mujoco
from table import STEP, best_setting, lines

LEAST = 0.05  # processor time of a round [s]: short scenes are run again until they reach it


class Player(NamedTuple):
    """An engine with one setting, how it takes a number of steps, and how many contacts the last one had."""

    engine: object
    config: dict
    advance: Callable
    contacts: Callable


def stiction_player():
    def advance(sim, steps):
        if not sim.sim.step(steps).ok:
            raise RuntimeError(f"{sim.m.name}: a step is not certified")

    return Player(engine_stiction, engine_stiction.CONFIGS["default 2ms"], advance, lambda sim: len(sim.sim.contacts))


def mujoco_player(engine, setting):
    def advance(sim, steps):
        mujoco.mj_step(sim.m, sim.d, steps)

    return Player(engine, engine.CONFIGS[setting], advance, lambda sim: sim.d.ncon)


def play(truth, scene, player, advance):
    """The scene as truth.py plays it, with advance(sim, steps) for the steps; what it measures then means nothing."""

    def run(sim, seconds, each=lambda: None):
        advance(sim, round(seconds / sim.dt))
        for _ in range(4):  # truth.py fits a line to the second half of what it saw
            each()

    truth.run = run
    truth.MEASURES[scene](lambda name: player.engine.Engine().load(truth.SCENES / f"{name}.xml", player.config))


def step_time(truth, scene, player):
    """Processor time per step [µs] over all runs of the scene."""
    spent = count = 0

    def timed(sim, steps):
        nonlocal spent, count
        begin = time.process_time()
        player.advance(sim, steps)
        spent += time.process_time() - begin
        count += steps

    while spent < LEAST:
        play(truth, scene, player, timed)
    return spent / count * 1e6


def mean_contacts(truth, scene, player):
    counts = []

    def counted(sim, steps):
        for _ in range(steps):
            player.advance(sim, 1)
            counts.append(player.contacts(sim))

    play(truth, scene, player, counted)
    return statistics.mean(counts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peers", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--scene", default="all", help="all, or names separated by commas")
    args = parser.parse_args()

    sys.path.insert(0, str(args.peers))
    import engine_mujoco
    import truth

    results = json.loads((args.peers / "results_mujoco.json").read_text())
    heads = ["scene", "contacts, Stiction / MuJoCo", "Stiction [µs]", "MuJoCo default [µs]"]
    heads += ["MuJoCo best setting [µs]", "Stiction / best setting"]
    rows = []
    for scene in truth.MEASURES if args.scene == "all" else args.scene.split(","):
        setting = best_setting(results, scene)
        players = [stiction_player(), *(mujoco_player(engine_mujoco, name) for name in ("default 2ms", setting))]
        contacts = " / ".join(f"{mean_contacts(truth, scene, player):.3g}" for player in players[::2])
        rounds = [[step_time(truth, scene, player) for player in players] for _ in range(args.rounds)]
        own, default, best = (statistics.median(times) for times in zip(*rounds))
        ratio = statistics.median(times[0] / times[2] for times in rounds)
        best = f"{best:.3g} ({setting.removesuffix(STEP)})"
        rows.append([scene, contacts, f"{own:.3g}", f"{default:.3g}", best, f"{ratio:.2g}"])
        spread = max(max(times) / min(times) for times in zip(*rounds))
        print(f"{scene:17} largest over least round: {spread:.2f}", file=sys.stderr, flush=True)
    print(lines(heads, rows))


if __name__ == "__main__":
    main()
