"""Draws how the shipped machines walk: which foot carries when, and how far the trunk has come, as SVG.

python3 tools/draw_gaits.py docs/pictures/gaits.svg [MODEL[:maximal] …]   contact models and coordinates
"""

import sys
from pathlib import Path

import numpy as np

import stiction

SCENES = Path(__file__).resolve().parent.parent / "scenes"
MACHINES = ("walker", "dog", "giraffe")
COLOURS = ("#33669a", "#cc6633", "#599959")
TURNS = 2
SPRINGS = {"compliant-force": "stiff-pins", "compliant-energy": "stiff"}  # presets that keep loops closed
DEFAULT = (
    "coulomb",
    "coulomb:maximal",
    "compliant-force",
    "compliant-energy",
    "compliant-energy:maximal",
    "compliant",
    "compliant:maximal",
)
PANEL, ROW, LEFT = 330, 14, 84  # [px]


def walk(name, row):
    """(feet × steps: carries or not, names of feet, distance of the trunk [m] after each step)."""
    contact_model, _, coordinates = row.partition(":")
    model = stiction.load(SCENES / f"{name}.xml", coordinates=coordinates or "reduced")
    springs = {"spring_preset": SPRINGS[contact_model]} if contact_model in SPRINGS else {}
    sim = stiction.Simulation(model, contact_model=contact_model, **springs)
    sim.reset("start")
    feet = [i for i, shape in enumerate(model.shape_name) if shape.endswith("_foot")]
    carries, distance = [], []
    for _ in range(round(TURNS / sim.options.timestep)):
        sim.step()
        force = dict.fromkeys(feet, 0.0)
        for a, b, f in zip(sim.contacts.shape_a, sim.contacts.shape_b, sim.contacts.force):
            for shape in (a, b):
                if shape in force:
                    force[shape] += np.linalg.norm(f)
        carries.append([force[foot] > 0.01 for foot in feet])
        distance.append(np.hypot(*sim.body_pose("trunk").position[:2]))
    return np.array(carries).T, [model.shape_name[f][: -len("_foot")] for f in feet], np.array(distance)


def footfall(carries, names, left, top, colour):
    """A bar for each stretch of time in which a foot carries."""
    lines = []
    for row, (foot, name) in enumerate(zip(carries, names)):
        y = top + row * ROW
        lines.append(
            f'<text x="{left - 4}" y="{y + 10}" text-anchor="end" font-size="10">{name.replace("_", " ")}</text>'
        )
        edges = np.flatnonzero(np.diff(np.concatenate([[0], foot.astype(int), [0]])))
        for start, end in zip(edges[::2], edges[1::2]):
            x, w = left + PANEL * start / len(foot), PANEL * (end - start) / len(foot)
            lines.append(f'<rect x="{x:.1f}" y="{y + 2}" width="{w:.1f}" height="{ROW - 4}" fill="{colour}"/>')
    return lines


def main(path, models):
    lines, bottom = [], 0
    height = 4 * ROW + 130
    for i, row in enumerate(models):
        for k, name in enumerate(MACHINES):
            carries, feet, distance = walk(name, row)
            left, top = LEFT + k * (PANEL + LEFT + 10), 30 + i * height
            mean = (distance[-1] - distance[len(distance) // TURNS]) / (TURNS - 1)
            under = row.replace(":", ", ")
            title = f"{name}, {under}: {mean:.3f} m a turn"
            lines.append(f'<text x="{left + PANEL / 2:.0f}" y="{top - 8}" text-anchor="middle">{title}</text>')
            lines += footfall(carries, feet, left, top, COLOURS[k])
            base, scale = top + 4 * ROW + 90, 80 / 1.5
            points = " ".join(
                f"{left + PANEL * j / len(distance):.1f},{base - scale * d:.1f}"
                for j, d in enumerate(distance)
                if j % 10 == 0
            )
            lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[k]}" stroke-width="2"/>')
            for metres in (0, 0.5, 1, 1.5):
                y = base - scale * metres
                lines.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + PANEL}" y2="{y:.1f}" stroke="#ccc"/>')
                lines.append(f'<text x="{left - 4}" y="{y + 4:.1f}" text-anchor="end" font-size="10">{metres} m</text>')
            bottom = base + 24
    width = len(MACHINES) * (PANEL + LEFT + 10) + 10
    lines.append(f'<text x="{LEFT}" y="{bottom - 6}" font-size="11">{TURNS} turns; a bar: the foot carries</text>')
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{bottom}" '
        f'viewBox="0 0 {width} {bottom}" font-family="sans-serif" font-size="13">'
    )
    Path(path).write_text("\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *lines, "</svg>"]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or DEFAULT)
