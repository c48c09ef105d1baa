# The shared library stiction::stiction, its headers and its CMake package.

file(GLOB_RECURSE stiction_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.cpp")
list(FILTER stiction_sources EXCLUDE REGEX "/src/cuda/")

# The public headers are listed for the sake of editors.
file(GLOB stiction_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/stiction/*.hpp")

add_library(stiction SHARED ${stiction_sources} ${stiction_headers})
add_library(stiction::stiction ALIAS stiction)
target_include_directories(
  stiction PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(stiction PUBLIC cxx_std_20)
target_link_libraries(stiction PRIVATE $<BUILD_INTERFACE:stiction_flags> Eigen3::Eigen fmt::fmt spdlog::spdlog
                                       OpenMP::OpenMP_CXX HDF5::HDF5 MuJoCo::mujoco
                                       $<BUILD_INTERFACE:ProxSuite::proxsuite>)
if(NOT SKBUILD) # a wheel holds no links: the versioned names would be copies
  set_target_properties(stiction PROPERTIES VERSION ${PROJECT_VERSION}
                                            SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()
set_target_properties(
  stiction
  PROPERTIES BUILD_RPATH "${MuJoCo_LIBRARY_DIR}"
             INSTALL_RPATH "${stiction_library_rpath}")

# No result depends on these. Functions may be inlined although the library exports them, and calls within it take no
# detour through the table of exported symbols; roots set no errno; and, as nobody reads the floating-point exception
# flags, choices become vector instructions. Functions begin with a line of the cache and loops with half of one: what
# a change elsewhere moves about costs up to a twentieth otherwise (docs/performance.md).
target_compile_options(stiction PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-semantic-interposition -fno-math-errno
                                        -fno-trapping-math -falign-functions=64 -falign-loops=32>)
target_link_options(stiction PRIVATE -Wl,-Bsymbolic-functions)

# GCC packs the scattered products of 3-vectors into vector registers at a loss: the tree algorithms take a fifth longer
# (docs/performance.md). Loops are vectorised all the same, and no result changes.
set(stiction_tree_options -fno-tree-slp-vectorize)
file(GLOB dynamics_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/dynamics/*.cpp")
set_source_files_properties(${dynamics_sources} PROPERTIES COMPILE_OPTIONS "${stiction_tree_options}")

# The routines of the narrow phase are large, and GCC stops to put small functions of vectors in place there: the calls
# cost two boxes a fifth of their time (docs/performance.md). clang-tidy reads the options too.
set(stiction_collide_options "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(stiction_collide_options --param=inline-unit-growth=1000 --param=large-function-growth=1000
                               --param=large-stack-frame-growth=10000 -Wno-unused-command-line-argument)
endif()
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/collide/collide.cpp" PROPERTIES COMPILE_OPTIONS
                                                                                     "${stiction_collide_options}")

# Eigen's products on AVX-512 go through intrinsics of GCC 12 that begin with a register of any content. clang does not
# know the name of GCC's warning, GCC is silent about the name of clang's.
set_source_files_properties("${PROJECT_SOURCE_DIR}/src/lcp/enumerate.cpp" "${PROJECT_SOURCE_DIR}/src/lcp/minimum_map.cpp"
                            "${PROJECT_SOURCE_DIR}/src/lcp/qp.cpp" "${PROJECT_SOURCE_DIR}/src/solvers/compliant_contacts.cpp"
                            "${PROJECT_SOURCE_DIR}/src/solvers/pyramid_programme.cpp"
                            PROPERTIES COMPILE_OPTIONS "-Wno-unknown-warning-option;-Wno-uninitialized;-Wno-maybe-uninitialized")

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
install(TARGETS stiction EXPORT stictionTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/stiction DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
# Installed public headers find "math/..." beside themselves; within src/math headers include each other as siblings.
install(DIRECTORY src/math DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction FILES_MATCHING PATTERN "*.hpp")
install(EXPORT stictionTargets NAMESPACE stiction:: DESTINATION ${package_dir})
configure_package_config_file(cmake/stictionConfig.cmake.in stictionConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(stictionConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/stictionConfig.cmake" "${PROJECT_BINARY_DIR}/stictionConfigVersion.cmake"
        DESTINATION ${package_dir})
