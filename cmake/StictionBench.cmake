# C++ benchmarks: one program, bench_stiction, from bench/*.cpp.

file(GLOB bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
if(bench_sources)
  find_package(benchmark REQUIRED)
  add_executable(bench_stiction ${bench_sources})
  # Benchmarks measure the problems that the tests use.
  target_include_directories(bench_stiction PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(bench_stiction PRIVATE STICTION_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(bench_stiction PRIVATE -fopenmp-simd)
  target_link_libraries(bench_stiction PRIVATE stiction_flags stiction::stiction benchmark::benchmark_main)
endif()

# Beside peers, by `make bench-peers`.
foreach(program tree_speed contact_speed)
  add_executable(${program} "${PROJECT_SOURCE_DIR}/bench/peers/${program}.cpp"
                            "${PROJECT_SOURCE_DIR}/bench/peers/peer_robot.cpp")
  target_include_directories(${program} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_options(${program} PRIVATE ${stiction_tree_options})
  target_link_libraries(${program} PRIVATE stiction_flags stiction::stiction)
endforeach()

add_executable(step_speed "${PROJECT_SOURCE_DIR}/bench/peers/step_speed.cpp")
target_link_libraries(step_speed PRIVATE stiction_flags stiction::stiction MuJoCo::mujoco fmt::fmt)
set_target_properties(step_speed PROPERTIES BUILD_RPATH "${MuJoCo_LIBRARY_DIR}")

# Collision beside MuJoCo and Coal, whose headers and library come with the PyPI package.
get_filename_component(coal_prefix "${MuJoCo_LIBRARY_DIR}/../cmeel.prefix" ABSOLUTE)
set(coal_library "${coal_prefix}/lib/libcoal.so")
if(EXISTS "${coal_library}")
  # Coal is compiled for any machine: with other vector registers Eigen's types would be laid out differently.
  add_library(coal_pairs STATIC "${PROJECT_SOURCE_DIR}/bench/peers/coal_pairs.cpp")
  target_include_directories(coal_pairs SYSTEM PRIVATE "${coal_prefix}/include")
  target_link_libraries(coal_pairs PRIVATE Eigen3::Eigen "${coal_library}")
  add_executable(collision_speed "${PROJECT_SOURCE_DIR}/bench/peers/collision_speed.cpp")
  # As the library compiles them.
  target_include_directories(collision_speed PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_options(collision_speed PRIVATE -fno-math-errno -fno-trapping-math -fopenmp-simd
                                                 ${stiction_collide_options})
  target_link_libraries(collision_speed PRIVATE stiction_flags stiction::stiction coal_pairs fmt::fmt MuJoCo::mujoco)
  set_target_properties(collision_speed PROPERTIES BUILD_RPATH "${coal_prefix}/lib;${MuJoCo_LIBRARY_DIR}")
endif()
