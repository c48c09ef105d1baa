"""Speed of tree algorithms and contact problems beside Pinocchio's, in one run: a table of times and ratios.

python bench/peers/tree_table.py PEERS [--rounds N] [--seconds S]

PEERS holds pinocchio_speed.cpp and export_models.py; PyPI packages pin and example-robot-data are in the environment.
Pinocchio's program is compiled once (four minutes, 6 GB) with the flags that its own page states. The programs then
take turns; all read the processor time of their own thread (processor_time.c). The least time of all rounds counts.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "peers"
OURS = [ROOT / "build" / "release" / name for name in ("tree_speed", "contact_speed")]
THEIRS = BUILD / "pinocchio_speed"
CLOCK = BUILD / "processor_time.so"
ROBOTS = ["solo8", "anymal_b", "icub", "talos"]
# Pinocchio's functions that do what one of ours does; those of the same name do by themselves.
PEERS = {
    "constrained dynamics": ["constraintDynamics", "constrainedABA", "lcaba"],
    "contact problem to 1e-06": ["ADMM, Cholesky Delassus to 1e-06", "ADMM, dense Delassus to 1e-06"],
    "contact problem to 1e-09": ["ADMM, Cholesky Delassus to 1e-09", "ADMM, dense Delassus to 1e-09"],
}
DEFINITIONS = [
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
]


def build_pinocchio(peers):
    import pinocchio

    prefix = next(p for p in Path(pinocchio.__file__).parents if p.name == "cmeel.prefix")
    BUILD.mkdir(parents=True, exist_ok=True)
    source = peers / "pinocchio_speed.cpp"
    if not (BUILD / "models").is_dir():
        subprocess.run([sys.executable, peers / "export_models.py", BUILD / "models"], check=True)
    if THEIRS.exists() and THEIRS.stat().st_mtime > source.stat().st_mtime:
        return
    print("compiling Pinocchio's program: some minutes", flush=True)
    flags = ["-std=c++17", "-O3", "-DNDEBUG", "-march=native", "-Wno-deprecated-declarations"]
    # Eigen of the PyPI package cmeel-eigen where it is installed, else the system's.
    eigen = prefix / "include" / "eigen3"
    includes = ["-isystem", eigen if eigen.is_dir() else "/usr/include/eigen3", "-isystem", prefix / "include"]
    subprocess.run(["g++", *flags, *DEFINITIONS, source, *includes, "-o", THEIRS], check=True)


def build_clock():
    source = Path(__file__).with_name("processor_time.c")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", source, "-o", CLOCK], check=True)


def run(program, arguments, least):
    environment = {**os.environ, "LD_PRELOAD": str(CLOCK)}
    command = [program, BUILD / "models", *arguments]
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    for line in done.stdout.splitlines():
        row = json.loads(line)
        accuracy = f" to {row['tolerance']:.0e}" if "tolerance" in row else ""
        key = (row["what"] + accuracy, row["robot"])
        least[key] = min(least.get(key, row["us_min"]), row["us_min"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("peers", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.05)
    options = parser.parse_args()
    if not (options.peers / "pinocchio_speed.cpp").is_file():
        sys.exit(f"no {options.peers}/pinocchio_speed.cpp")
    build_pinocchio(options.peers)
    build_clock()
    arguments = ["--repeats", "5", "--seconds", str(options.seconds)]
    ours, theirs = {}, {}
    for _ in range(options.rounds):
        for program in OURS:
            run(program, arguments, ours)
        run(THEIRS, arguments, theirs)
    print("| µs: Stiction / Pinocchio = ratio | " + " | ".join(ROBOTS) + " |")
    print("| --- |" + " --- |" * len(ROBOTS))
    for what in dict.fromkeys(what for what, _ in ours):
        for name in PEERS.get(what, [what]):
            cells = []
            for robot in ROBOTS:
                mine, peer = ours[what, robot], theirs.get((name, robot))
                cells.append(f"{mine:.2f} / {peer:.2f} = **{mine / peer:.2f}**" if peer else f"{mine:.2f}")
            label = what if name == what else f"{what}, {name}"
            print(f"| {label} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
