"""Checks the rules of the tree: paths named in the documents exist, no file is too long.

python3 tools/check_tree.py
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = {".cpp": 600, ".hpp": 600, ".cu": 600, ".cuh": 600, ".py": 600}
MAX_README_LINES = 150
# A path of this repository in running text: begins with one of its folders, not inside a longer path or address.
FOLDERS = "include|src|cli|python|scenes|bench|docs|tools|tests|cmake"
PATH = re.compile(rf"(?<![\w./<>{{}}$-])(?:{FOLDERS})/[\w./*-]*")


def tracked(*patterns):
    """Files that git tracks or would track, relative to the root."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    return sorted(Path(name) for name in names if name and (ROOT / name).is_file())


def missing_paths(document):
    """(line number, path) of each path that the document names and the tree does not have."""
    for number, line in enumerate((ROOT / document).read_text().splitlines(), 1):
        for match in PATH.finditer(line):
            path = match.group().rstrip(".")
            if not any(ROOT.glob(path.rstrip("/"))):
                yield number, path


def main():
    findings = []
    for document in tracked("*.md"):
        for number, path in missing_paths(document):
            findings.append(f"{document}:{number}: '{path}' does not exist")
    for source in tracked(*(f"*{suffix}" for suffix in MAX_LINES)):
        lines = len((ROOT / source).read_text().splitlines())
        if lines > MAX_LINES[source.suffix]:
            findings.append(f"{source}: {lines} lines, at most {MAX_LINES[source.suffix]}: split it by subject")
    for readme in tracked("README.md"):
        lines = len((ROOT / readme).read_text().splitlines())
        if lines > MAX_README_LINES:
            findings.append(f"{readme}: {lines} lines, at most {MAX_README_LINES}")
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
