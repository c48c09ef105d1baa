#!/usr/bin/env bash
# Sets up all that the build needs: Debian packages, then the pinned Python packages in .venv.
# Does nothing (and downloads nothing) when the set-up already matches packages.txt and requirements.txt.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }

install_debian_packages() {
    local wanted missing=() package
    mapfile -t wanted < <(grep -v '^#' tools/packages.txt)
    if ! command -v dpkg-query >/dev/null; then
        say "no dpkg on this system: make sure that the counterparts of tools/packages.txt are installed"
        return
    fi
    for package in "${wanted[@]}"; do
        [[ "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null)" == "install ok installed" ]] || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    local as_root=()
    if [[ $EUID -ne 0 ]]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            as_root=(sudo -n)
        else
            fail "these Debian packages are missing; install them and run again:
    sudo apt-get install -y ${missing[*]}"
        fi
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
}

install_python_packages() {
    local python=${PYTHON:-python3} stamp=.venv/.setup-stamp key
    if [[ ! -x .venv/bin/python ]]; then
        command -v "$python" >/dev/null || fail "no $python; set PYTHON to an interpreter of version 3.10 or newer"
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
            fail "$("$python" --version) is too old; set PYTHON to an interpreter of version 3.10 or newer"
        say "creating .venv with $("$python" --version)"
        "$python" -m venv .venv
    fi
    key=$(sha256sum requirements.txt | cut -d' ' -f1)
    [[ -f $stamp && "$(<"$stamp")" == "$key" ]] && return
    say "installing the packages of requirements.txt into .venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
    printf '%s\n' "$key" >"$stamp"
}

install_debian_packages
install_python_packages
