"""Runs clang-tidy over our .cpp files of the release build, in parallel, and only over those that changed.

A file passes again without a run while its own text, the text of every header of ours that it includes, its compile
command and .clang-tidy stay the same; the passes are kept in build/clang-tidy.

python3 tools/clang_tidy.py [--jobs N]
"""

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
PASSED = ROOT / "build" / "clang-tidy"


def is_ours(path):
    return path.is_relative_to(ROOT) and not path.is_relative_to(ROOT / ".venv") and not path.is_relative_to(BUILD)


def dependencies():
    """Object file → files of ours that it was compiled from, as Ninja recorded them."""
    text = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], check=True, capture_output=True, text=True).stdout
    result, files = {}, []
    for line in text.splitlines():
        if line.startswith(" "):
            path = (BUILD / line.strip()).resolve()
            if is_ours(path):
                files.append(path)
        elif ": #deps" in line:
            files = result.setdefault(line.split(":")[0], [])
    return result


def key_of(entry, files):
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + entry["command"].encode())
    for path in sorted(set(files)):
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()


def check(source):
    command = ["clang-tidy", "--quiet", "-p", str(BUILD), str(source)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return run.returncode == 0, run.stdout if run.stdout else run.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs

    PASSED.mkdir(parents=True, exist_ok=True)
    objects = dependencies()
    pending = []
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        source = Path(entry["file"])
        if is_ours(source) and source.suffix == ".cpp":
            arguments = shlex.split(entry["command"])
            compiled = arguments[arguments.index("-o") + 1]
            key = key_of(entry, [*objects[compiled], source])
            if not (PASSED / key).exists():
                pending.append((source, PASSED / key))

    failures = 0
    with ThreadPoolExecutor(jobs) as pool:
        for (source, stamp), (passed, text) in zip(pending, pool.map(check, [source for source, _ in pending])):
            if passed:
                stamp.touch()
            else:
                failures += 1
                print(f"{source.relative_to(ROOT)}:\n{text}", flush=True)
    print(f"clang-tidy: {len(pending)} files checked, {failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
