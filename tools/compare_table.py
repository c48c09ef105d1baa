"""Prints the tables of docs/contact-models.md: `stiction compare SCENE --models all` on the shipped scenes.

python3 tools/compare_table.py [--steps 500] [--program .venv/bin/stiction] [SCENE …]
"""

import argparse
import json
import subprocess
import sys

SCENES = (
    "incline_20 incline_26 incline_35 sliding_box_0 sliding_box_22_5 sliding_box_45 bouncing_ball bowling "
    "spinning_body heavy_stack stack_10 card_house"
).split()
TABLES = (
    ("exact_worst", "Largest relative residual of the exact laws over the steps; 1e-8 is the tolerance of `coulomb`"),
    ("apart_m", "Distance of a body from where `coulomb` has it at the end [m]"),
    ("penetration_m", "Deepest penetration [m]"),
    ("energy_gained_j", "Largest rise of the energy, which no contact of rigid bodies can give [J]"),
    ("seconds_per_step", "Processor time of a step [ms]"),
)


def compare(program, scene, steps):
    command = [program, "compare", scene, "--models", "all", "--steps", str(steps), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        sys.exit(f"{' '.join(command)} printed nothing (exit code {done.returncode})")
    return {row["model"]: row for row in json.loads(done.stdout)["models"]}


def cell(row, key):
    value = row.get(key, 0.0) * (1e3 if key == "seconds_per_step" else 1)
    text = "0" if value == 0 else (f"{value:.2g}" if key == "seconds_per_step" else f"{value:.0e}")
    return text + ("*" if row["missed"] > 0 or row["failure"] else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenes", nargs="*", default=SCENES)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--program", default=".venv/bin/stiction")
    a = parser.parse_args()
    runs = {}
    for scene in a.scenes:
        print(f"{scene} …", file=sys.stderr)
        runs[scene] = compare(a.program, scene, a.steps)
    models = list(next(iter(runs.values())))
    for key, title in TABLES:
        print(f"{title}:\n\n| model | " + " | ".join(f"`{scene}`" for scene in runs) + " |")
        print("| --- |" + " --- |" * len(runs))
        for model in models:
            print(f"| `{model}` | " + " | ".join(cell(run[model], key) for run in runs.values()) + " |")
        print()
    for scene, run in runs.items():
        for model, row in run.items():
            for note in [row["failure"], row.get("first_miss", ""), *row["left_out"]]:
                if note:
                    print(f"`{scene}`, `{model}`: {note}", file=sys.stderr)


if __name__ == "__main__":
    main()
