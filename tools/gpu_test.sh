#!/usr/bin/env bash
# Compares the leaves of the physics on the GPU with the CPU (docs/gpu.md). Needs nvcc, a C++20 compiler and a GPU, and
# none of the project's dependencies. Writes gpu_leaves.json into $OUT (out/ unless set); arguments go to the program.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=$PATH:/usr/local/cuda/bin
out=${OUT:-out}
build=build/gpu
mkdir -p "$out" "$build"
rm -f "$build"/*.o
command -v nvcc >/dev/null || { echo "gpu_test: nvcc not found: install the CUDA toolkit (13.0 or newer)" >&2; exit 2; }

# As in cmake/StictionCuda.cmake.
flags=(-std=c++20 -arch="${CUDA_ARCH:-sm_90}" -rdc=true -O3 --fmad=false --expt-relaxed-constexpr
    -Xcompiler=-ffp-contract=off -Isrc -Iinclude -Itests)
# What builds the surfaces that the cases share needs the standard library alone.
for source in src/cuda/*.cu src/collide/surface.cpp src/collide/surface_mend.cpp src/model/mesh_tables.cpp; do
    printf '%s\0' "$source"
done | xargs -0 -P "$(nproc)" -I{} sh -c 'nvcc "$@" -c "$0" -o '"$build"'/"$(basename "${0%.*}")".o' {} "${flags[@]}"
nvcc -arch="${CUDA_ARCH:-sm_90}" "$build"/*.o -o "$build/leaves_test"

"$build/leaves_test" --json "$@" >"$out/gpu_leaves.json"
