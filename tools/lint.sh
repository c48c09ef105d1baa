#!/usr/bin/env bash
# All checks that need no run: formatting, clang-tidy, ruff, and the rules of the tree. Names each finding.
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0

# check NAME COMMAND...: runs one check and goes on to the next when it fails.
check() {
    local name=$1
    shift
    if "$@"; then echo "lint: $name: ok"; else
        echo "lint: $name: FAILED"
        failed=1
    fi
}

clang_format() { git ls-files -z '*.hpp' '*.cpp' '*.cuh' '*.cu' | xargs -0 -r clang-format --dry-run -Werror; }

# git grep finds something → print it and fail.
absent() { ! git grep -nIE "$@"; }

check clang-format clang_format
check ruff .venv/bin/ruff check --quiet .
check ruff-format .venv/bin/ruff format --quiet --check .
check certify-knows-no-solver absent '#include.*solvers/' -- src/certify
check no-marks absent '\b(TO''DO|FIX''ME)\b' -- .
check tree python3 tools/check_tree.py
check clang-tidy python3 tools/clang_tidy.py --jobs "${JOBS:-2}"
exit "$failed"
