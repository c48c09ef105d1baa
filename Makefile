# Every target sets up what it needs by itself; a second run downloads nothing and rebuilds nothing.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-nightly bench bench-peers lint format asan tsan cuda clean

JOBS ?= $(shell nproc)
PEERS ?= ../shared/peers
export PATH := $(PATH):/usr/local/cuda/bin

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: ## Install the Debian packages and the pinned Python packages (.venv)
	@tools/setup.sh

# Ninja configures again by itself when a CMake file changes, but does not watch the presets or the interpreter.
build/%/build.ninja: CMakePresets.json requirements.txt | setup
	cmake --preset $*
	@touch $@

build: setup build/release/build.ninja ## Build and install into .venv: bin/stiction, the Python package, the library
	cmake --build --preset release -j $(JOBS)
	@cmake --install build/release --prefix .venv >build/release/install.log

demo: build ## Show free bodies stack, slide and topple, each step certified
	@if [[ -x tools/demo.sh ]]; then tools/demo.sh; else .venv/bin/stiction --version; fi

test: build build/asan/build.ninja ## Run the C++ tests, the Python tests and the C++ tests under sanitizers
	cmake --build --preset asan -j $(JOBS)
	@JOBS=$(JOBS) tools/test.sh

test-nightly: build ## Run the tests whose number of random cases can be raised, with 100,000 for each pair of shapes
	STICTION_POSES=100000 .venv/bin/python -m pytest -q tests/python/test_query_distance.py tests/python/test_surface_distance.py

asan: setup build/asan/build.ninja ## Run the C++ tests under the address and undefined-behaviour sanitizers
	cmake --build --preset asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

tsan: setup build/tsan/build.ninja ## Run the C++ tests under the thread sanitizer
	cmake --build --preset tsan -j $(JOBS)
	ctest --preset tsan -j $(JOBS)

cuda: setup build/cuda/build.ninja ## Compile the CUDA sources and their test programs (needs nvcc)
	cmake --build --preset cuda -j $(JOBS)

bench: build ## Measure: the C++ benchmarks
	@if [[ -x build/release/bench_stiction ]]; then build/release/bench_stiction; else echo "bench/ holds no C++ benchmark"; fi

bench-peers: build ## Measure truth and speed beside other engines (PEERS=folder that holds their programs)
	@test -f $(PEERS)/truth.py || { echo "no $(PEERS)/truth.py: set PEERS to the folder that holds it" >&2; exit 1; }
	PYTHONPATH=bench/truth .venv/bin/python $(PEERS)/truth.py --engine stiction --scene all
	.venv/bin/python bench/peers/tree_table.py $(PEERS)
	build/release/step_speed $(PEERS)/../data/scenes/mujoco_model/humanoid/humanoid.xml 3000 10

lint: build ## Check the formatting, clang-tidy, ruff and the rules of the tree
	@JOBS=$(JOBS) tools/lint.sh

format: setup ## Format the C++ and Python sources in place
	@git ls-files -z '*.hpp' '*.cpp' '*.cuh' '*.cu' | xargs -0 -r clang-format -i
	@.venv/bin/ruff format --quiet . && .venv/bin/ruff check --quiet --fix .

clean: ## Remove the build folders and the .venv
	rm -rf build .venv
