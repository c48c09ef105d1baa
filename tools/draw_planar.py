"""Draws where the boxes of planar scenes are under several contact models, side by side, as SVG.

python3 tools/draw_planar.py docs/pictures   writes cracked_ramp.svg and peg_in_hole.svg
"""

import sys
from pathlib import Path

import numpy as np

import stiction

SCENES = Path(__file__).resolve().parent.parent / "scenes"
MODELS = [("pyramid-lcp", "pyramid-lcp (old)"), ("coulomb", "coulomb"), ("nonconvex-lcp", "nonconvex-lcp (new)")]
# scene, moments [s], view (x from, x to, z from, z to) [m]
PICTURES = [
    ("cracked_ramp", [0, 1.2, 1.44, 1.52, 1.6, 1.68, 2.0, 2.32], (-2.7, 3.0, -1.5, 1.3)),
    ("peg_in_hole", [0, 0.4, 0.8, 1.2, 1.475, 2.0], (-10.5, 10.5, -1.2, 23)),
]
WIDTH = 300  # of a panel [px]


def corners(position, quaternion, half):
    """Outline of a box in the plane y = 0."""
    angle = 2 * np.arctan2(quaternion[2], quaternion[0])
    c, s = np.cos(angle), np.sin(angle)
    local = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [half[0], half[2]]
    return [(position[0] + c * x + s * z, position[2] - s * x + c * z) for x, z in local]


def run(scene, contact_model, moments):
    """Outlines of the fixed boxes, and of the moving one, the last shape, at each moment."""
    model = stiction.load(SCENES / f"{scene}.xml")
    simulation = stiction.Simulation(model, contact_model=contact_model)
    if "start" in model.key_name:
        simulation.reset("start")
    fixed = [corners(row[:3], row[3:], size) for row, size in zip(model.shape_pose, model.shape_size)][:-1]
    moving = []
    for moment in moments:
        while simulation.state.time < moment - 1e-9:
            simulation.step()
        pose = simulation.body_pose(model.nbody - 1)
        moving.append(corners(pose.position, pose.quaternion, model.shape_size[-1]))
    return fixed, moving


def panel(title, fixed, moving, view, left):
    x0, x1, z0, z1 = view
    scale = WIDTH / (x1 - x0)
    height = scale * (z1 - z0)

    def polygon(points, style):
        text = " ".join(f"{left + scale * (x - x0):.1f},{24 + height - scale * (z - z0):.1f}" for x, z in points)
        return f'<polygon points="{text}" {style}/>'

    lines = [f'<text x="{left + WIDTH / 2:.0f}" y="16" text-anchor="middle">{title}</text>']
    lines += [polygon(points, 'fill="#c8c8be"') for points in fixed]
    for i, points in enumerate(moving):
        shade = 0.05 + 0.3 * i / (len(moving) - 1)
        lines.append(polygon(points, f'fill="#33669a" fill-opacity="{shade:.2f}" stroke="#1c3a58"'))
    return lines, height


def main(folder):
    for scene, moments, view in PICTURES:
        lines, height = [], 0
        for i, (name, title) in enumerate(MODELS):
            drawn, height = panel(title, *run(scene, name, moments), view, i * (WIDTH + 10))
            lines += drawn
        times = ", ".join(f"{t:g}" for t in moments)
        width, total = len(MODELS) * (WIDTH + 10) - 10, height + 48
        lines.append(f'<text x="4" y="{total - 8:.0f}">{scene}, t = {times} s, later is darker</text>')
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{total:.0f}" '
            f'viewBox="0 0 {width} {total:.0f}" font-family="sans-serif" font-size="13">'
        )
        clip = f'<rect width="{width}" height="{total:.0f}" fill="white"/>'
        Path(folder, f"{scene}.svg").write_text("\n".join([head, clip, *lines, "</svg>"]) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
