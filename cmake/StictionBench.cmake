# C++ benchmarks: one program, bench_stiction, from bench/*.cpp.

file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
if(bench_sources)
  find_package(benchmark REQUIRED)
  add_executable(bench_stiction ${bench_sources})
  # Benchmarks measure the problems that the tests use.
  target_include_directories(bench_stiction PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(bench_stiction PRIVATE STICTION_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(bench_stiction PRIVATE stiction_flags stiction::stiction benchmark::benchmark_main)
endif()

# Beside peers, by `make bench-peers`.
add_executable(tree_speed "${PROJECT_SOURCE_DIR}/bench/peers/tree_speed.cpp")
target_compile_options(tree_speed PRIVATE ${stiction_tree_options})
target_link_libraries(tree_speed PRIVATE stiction_flags stiction::stiction)

add_executable(step_speed "${PROJECT_SOURCE_DIR}/bench/peers/step_speed.cpp")
target_link_libraries(step_speed PRIVATE stiction_flags stiction::stiction MuJoCo::mujoco fmt::fmt)
set_target_properties(step_speed PROPERTIES BUILD_RPATH "${MuJoCo_LIBRARY_DIR}")
