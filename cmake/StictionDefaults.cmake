# Language, build type, compiler flags and install folders that hold for every target of the project.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# Always-on checks do not depend on NDEBUG; only debug assertions do.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
# Tests and the command line compile in two thirds of the time so; what takes time when they run is in the library.
set(stiction_glue_options $<$<CONFIG:Release>:-O1>)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the checkout: two checkouts of the same text share their object files.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
                                  ${CCACHE_PROGRAM})
endif()

# Flags of our own code. No contraction into fused multiply-add: the CPU and the GPU must round alike.
add_library(stiction_flags INTERFACE)
target_compile_options(stiction_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                                -Werror -ffp-contract=off>)
if(STICTION_NATIVE)
  target_compile_options(stiction_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=native>)
endif()
if(STICTION_SANITIZE)
  # GCC's instrumentation makes its own standard library look uninitialised; the other builds keep that warning.
  target_compile_options(
    stiction_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${STICTION_SANITIZE} -fno-sanitize-recover=all
                             -fno-omit-frame-pointer -Wno-maybe-uninitialized>)
  target_link_options(stiction_flags INTERFACE -fsanitize=${STICTION_SANITIZE})
endif()
