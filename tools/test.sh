#!/usr/bin/env bash
# Runs every test of a finished build: C++ (release), Python, C++ under sanitizers. Closes with one line for each.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
log=build/test-log
mkdir -p "$log"
failed=0

# section NAME COMMAND...: runs the command, keeps its output in the log, and goes on to the next when it fails.
section() {
    local name=$1
    shift
    printf '\n== %s\n' "$name"
    "$@" 2>&1 | tee "$log/$name.txt" || failed=1
}

section release ctest --preset release -j "$jobs"
[[ -d tests/python ]] && section python .venv/bin/python -m pytest -q tests/python
export UBSAN_OPTIONS=print_stacktrace=1
section asan ctest --preset asan -j "$jobs"

printf '\n== summary\n'
closing() { grep -hE "$2" "$log/$1.txt" | tail -n 1 | sed "s/^/$1: /" || true; }
closing release 'tests passed|tests failed|No tests'
[[ -d tests/python ]] && closing python '(passed|failed|error|skipped|no tests ran).* in '
closing asan 'tests passed|tests failed|No tests'
if ((failed)); then
    echo "make test: FAILED"
    exit 1
fi
echo "make test: all passed"
