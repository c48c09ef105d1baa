"""Prints the figures of the demo: what each scene did, its worst certificate, and a law checked on its recording.

.venv/bin/python tools/demo_table.py    (after tools/demo.sh has filled out/)
"""

import json
from pathlib import Path

import numpy as np

import stiction

OUT = Path(__file__).resolve().parent.parent / "out"
G = 9.81  # [m/s²]
RESIDUALS = ("momentum", "complementarity", "cone", "dissipation", "box")


def moved(recording, *names):
    """Distance that each of the named free bodies has moved from the first to the last step [m]."""
    model = recording.model
    first = model.joint_q[model.body_joint[[model.body(name) for name in names]]]
    begin, end = recording.state(0).q, recording.state(recording.steps).q
    return np.array([np.linalg.norm(end[k : k + 3] - begin[k : k + 3]) for k in first])


def slope(recording):
    return f"creeps {moved(recording, 'box').max():.1e} m in {recording.state(recording.steps).time:g} s; exact: 0"


def launch(recording):
    v = np.linalg.norm(recording.state(0).u[:3])
    mu = recording.contacts(1).friction.max()
    exact = v**2 / (2 * mu * G)
    return f"stops after {moved(recording, 'box')[0]:.6f} m; exact: v²/(2 μ g) = {exact:.6f} m"


def heavy_stack(recording):
    boxes = recording.model.body_name[1:]
    return f"moves {moved(recording, *boxes).max():.1e} m under loads of 4096:1; exact: 0"


def demo(recording):
    return f"the logs creep {moved(recording, 'log0', 'log1', 'log2').max():.1e} m while the rest falls; exact: 0"


LAWS = {"incline_26": slope, "sliding_box_0": launch, "heavy_stack": heavy_stack, "demo": demo}


def main():
    print(f"{'scene':14} {'bodies':>6} {'contacts':>8} {'steps':>5} {'steps/s':>7} {'residual':>8} {'missed':>6}  law")
    for name, law in LAWS.items():
        figures = json.loads((OUT / f"{name}.json").read_text())
        worst = max(figures["certificate"][residual] for residual in RESIDUALS)
        missed = figures["tolerance_missed"]["count"]
        print(
            f"{name:14} {figures['bodies']:6} {figures['contacts']['max']:8.0f} {figures['steps']:5}"
            f" {figures['steps_per_s']:7.0f} {worst:8.0e} {missed:6}  {law(stiction.Recording(OUT / f'{name}.h5'))}"
        )
    print("residual: the worst of all steps, relative to the contact velocities; missed: steps with more than 1e-8")


if __name__ == "__main__":
    main()
