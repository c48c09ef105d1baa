"""Writes the table of errors of docs/truth.md, and the one of errors that are not smaller, from results of truth.py.

.venv/bin/python bench/truth/table.py out/truth.json PEERS/results_mujoco.json PEERS/results_drake.json

Of each peer one plain setting at 2 ms (MuJoCo as shipped; Drake's SAP with hydroelastic contact at its default
stiffness), and for each figure the best of all its settings: chosen after the fact, another one for each figure.
Of MuJoCo also its best single setting for the scene, by the rule of best_setting().
"""

import json
import math
import sys
from pathlib import Path

# scene, figure, what the page calls it, factor to the unit shown, exact value with the error of the time step itself.
# The step errors are those of semi-implicit Euler with exact Coulomb contact at 2 ms and 10 ms.
FIGURES = [
    ("incline_stick_20", "creep_10s_m", "stick 20°: creep in 10 s [mm]", 1e3, "0"),
    ("incline_stick_26", "creep_10s_m", "stick 26°: creep in 10 s [mm]", 1e3, "0"),
    ("incline_slide", "distance_rel_error", "slide 35°: distance in 1 s [%]", 1e2, "0 (step: +0.2; +1)"),
    ("incline_slide", "acceleration_rel_error", "– acceleration, fit 0.5–1 s [%]", 1e2, "0"),
    ("incline_slide", "hop_m", "– hop off the slope [mm]", 1e3, "0"),
    ("incline_slide", "airborne_share", "– steps without contact [%]", 1e2, "0"),
    ("slide_stop", "distance_rel_error_0", "stop: distance at 0° [%]", 1e2, "0 (step: −0.29; −1.5)"),
    ("slide_stop", "distance_rel_error_22.5", "– distance at 22.5° [%]", 1e2, "same"),
    ("slide_stop", "distance_rel_error_45", "– distance at 45° [%]", 1e2, "same"),
    ("slide_stop", "direction_error_deg_22.5", "– direction at 22.5° [deg]", 1, "0"),
    ("slide_stop", "yaw_deg_22.5", "– yaw at 22.5° [deg]", 1, "0"),
    ("slide_stop", "hop_m_0", "– hop at 0° [mm]", 1e3, "0"),
    ("slide_stop", "speed_left_m_s_0", "– speed left after 1 s [mm/s]", 1e3, "0"),
    ("spin_stop", "angle_rel_error", "spin stop: angle [%]", 1e2, "0 (step: −1.2; −6.2)"),
    ("spin_stop", "drift_m", "– drift of the centre [mm]", 1e3, "0"),
    ("bowling", "speed_rel_error", "bowling: 5/7 v₀ at 2 s [%]", 1e2, "0"),
    ("bowling", "slip_m_s", "– slip left at 2 s [mm/s]", 1e3, "0"),
    ("bowling", "slip_time_error_s", "– slip below 0.5 % of v₀ [ms]", 1e3, "−1.46 (step: + 0 to h)"),
    ("bowling", "position_error_m", "– position at 2 s [mm]", 1e3, "0 (step: −0.57; −2.9)"),
    ("heavy_stack", "stands", "stack 4096:1 stands", 1, "yes"),
    ("heavy_stack", "sink_m", "– sinking after 5 s [mm]", 1e3, "0"),
    ("heavy_stack", "drift_m", "– drift [mm]", 1e3, "0"),
    ("heavy_stack", "penetration_max_m", "– largest penetration [mm]", 1e3, "0"),
    ("heavy_stack", "floor_force_rel_error", "– force on the floor [%]", 1e2, "0"),
    ("arch", "stands", "arch of 25 stands", 1, "yes"),
    ("arch", "displacement_m", "– displacement after 5 s [mm]", 1e3, "0"),
    ("arch", "penetration_max_m", "– largest penetration [mm]", 1e3, "0"),
    ("card_house", "stands", "card house stands", 1, "yes"),
    ("card_house", "displacement_m", "– displacement after 5 s [mm]", 1e3, "0"),
    ("card_house", "speed_end_m_s", "– speed at 5 s [mm/s]", 1e3, "0"),
    ("painleve_rod", "finite", "Painlevé's rod: finite", 1, "yes"),
    ("painleve_rod", "energy_gain_rel", "– energy gained [%]", 1e2, "0"),
    ("painleve_rod", "foot_travel_20ms_m", "– foot travel in 20 ms (jam) [mm]", 1e3, "0.758 (step: −0.08; −0.61)"),
    ("painleve_rod", "penetration_m", "– penetration [mm]", 1e3, "0"),
    ("ball_drop", "apex_1_rel_error", "ball e = 1: first apex [%]", 1e2, "0"),
    ("ball_drop", "apex_last_rel_error", "– last apex in 10 s [%]", 1e2, "0"),
    ("ball_drop", "penetration_m", "– penetration [mm]", 1e3, "0"),
    ("frictionless", "energy_rel_error", "frictionless slope: energy [%]", 1e2, "0 (step: −0.1; −0.5)"),
    ("frictionless", "speed_rel_error", "– speed after 2 s [%]", 1e2, "0"),
    ("free_body", "momentum_rel_drift", "tumbling body: angular momentum in 10 s [%]", 1e2, "0"),
    ("free_body", "energy_rel_drift", "– energy [%]", 1e2, "0"),
    ("free_body", "tumbles", "– tumbles", 1, "yes"),
    ("gripper_hold", "slip_1.05_10s_m", "gripper, 1.05 × the force that holds: slip in 10 s [mm]", 1e3, "0"),
    ("gripper_hold", "fall_0.95_rel_error", "– 0.95 ×: fall in 0.3 s [%]", 1e2, "0 (step: +0.67; +3.3)"),
    ("chain_reduced", "energy_rel_error_max", "chain 1000:1, hinges: energy, largest error in 10 s [%]", 1e2, "0"),
    ("chain_maximal", "joint_gap_m", "chain 1000:1, free bodies: joint gap [mm]", 1e3, "0"),
    ("chain_maximal", "energy_rel_error_end", "– energy after 10 s [%]", 1e2, "0"),
]
# Where the exact value is not 0. The tip of the rod is round (r = 10 mm): it sticks, and rolls by r Δθ.
TARGETS = {"foot_travel_20ms_m": 0.758e-3, "slip_time_error_s": -1.456e-3}
GONE = 1e4  # shown as "gone": above 10 m or 10⁴ %
ROUNDING = 1e-7  # an error below this, in the unit shown, is rounding or the tolerance of the certificate
STEP = " 2ms"  # how the settings at Stiction's step end
OWN = ("default 2ms", "default 10ms", "euler 2ms", "euler 10ms")


def show(value, factor):
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "**NO**"
    shown = value * factor
    if abs(shown) >= GONE:
        return "gone"
    if shown == 0:
        return "0"
    return f"{shown:.0e}".replace("e-0", "e-") if abs(shown) < 1e-3 else f"{shown:.3g}"


def cell(results, scene, figure, factor, config):
    row = results["scenes"].get(scene, {}).get(config, {})
    return "fails" if "failed" in row else show(row.get(figure), factor)


def error(value, figure):
    """Distance from the exact value. 0 for a yes; infinite for a no and where there is no figure."""
    if value is None or isinstance(value, bool):
        return 0.0 if value else math.inf
    return abs(value - TARGETS.get(figure, 0))


def best(results, scene, figure):
    """The figure of the setting that is nearest to the exact value, and this setting."""
    rows = results["scenes"].get(scene, {})
    setting = min(rows, key=lambda setting: error(rows[setting].get(figure), figure), default=None)
    return (rows[setting].get(figure) if rows else None), setting


def best_setting(results, scene):
    """The best single setting for a scene: the least geometric mean of the scene's errors in FIGURES.

    The settings at 2 ms take part that ran, have every figure and answer no question with no; errors below ROUNDING
    count as ROUNDING. Units do not matter: a factor on one figure multiplies the mean of every setting alike.
    """

    def mean(row):
        errors = [error(row.get(figure), figure) * factor for name, figure, _, factor, _ in FIGURES if name == scene]
        return math.exp(sum(math.log(max(e, ROUNDING)) for e in errors) / len(errors))

    rows = {setting: row for setting, row in results["scenes"][scene].items() if setting.endswith(STEP)}
    return min(rows, key=lambda setting: mean(rows[setting]))


def lines(heads, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---"] * len(heads), *rows])


def table(own, mujoco, drake):
    heads = ["scene and figure", "exact", "Stiction 2 ms", "Stiction 10 ms", "euler 2 ms", "euler 10 ms"]
    heads += ["MuJoCo default 2 ms"]
    heads += ["MuJoCo best setting for the scene, 2 ms", "MuJoCo best of 13"]
    heads += ["Drake sap hydro 2 ms", "Drake best of 11"]
    rows, named = [], set()
    for scene, figure, label, factor, exact in FIGURES:
        setting = best_setting(mujoco, scene)
        single = cell(mujoco, scene, figure, factor, setting)
        if scene not in named:
            single += f" ({setting.removesuffix(STEP)})"
        named.add(scene)
        cells = [cell(own, scene, figure, factor, config) for config in OWN]
        cells += [cell(mujoco, scene, figure, factor, "default 2ms"), single]
        cells += [show(best(mujoco, scene, figure)[0], factor)]
        cells += [cell(drake, scene, figure, factor, "sap hydro 2ms"), show(best(drake, scene, figure)[0], factor)]
        rows.append([label, exact, *cells])
    return lines(heads, rows)


def not_smaller(own, mujoco):
    """Where Stiction's error at 2 ms, with one of its integrators, is larger than that of MuJoCo's best setting for the
    scene, or of any setting of it."""
    rows, group = [], ""
    for scene, figure, label, factor, _ in FIGURES:
        group = group if label.startswith("–") else label.split(":")[0]
        single = best_setting(mujoco, scene)
        peers = [(mujoco["scenes"][scene][single].get(figure), single), best(mujoco, scene, figure)]
        values = [own["scenes"][scene][config][figure] for config in OWN if config.endswith(STEP)]
        least = min(error(v, figure) * factor for v, _ in peers) + ROUNDING
        if all(error(value, figure) * factor <= least for value in values):
            continue
        label = label.replace("–", f"{group}:", 1) if label.startswith("–") else label
        shown = [show(value, factor) for value in values]
        rows.append([label, *shown, *(f"{show(v, factor)} ({setting})" for v, setting in peers)])
    heads = ["figure", "Stiction 2 ms", "euler 2 ms", "MuJoCo best setting for the scene", "MuJoCo best of 13"]
    return lines(heads, rows)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    own, mujoco, drake = (json.loads(Path(path).read_text()) for path in sys.argv[1:])
    print(table(own, mujoco, drake), "Which errors are not smaller", not_smaller(own, mujoco), sep="\n\n")


if __name__ == "__main__":
    main()
