# CUDA: every src/cuda/*_test.cu is a program of its own; the other src/cuda/*.cu are linked into each of them.
# No fused multiply-add on either side, so that CPU and GPU can be compared bit by bit.

file(GLOB cuda_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cuda/*.cu")
add_custom_target(cuda_programs)
if(NOT cuda_sources)
  message(STATUS "src/cuda holds no sources yet")
  return()
endif()

if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
set(CMAKE_CUDA_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
enable_language(CUDA)
# A function whose callers ptxas knows all of is optimised as a part of the kernel, and wrongly (docs/gpu.md).
set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake before 3.26 does not know the flag
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
endif()
add_library(stiction_cuda_flags INTERFACE)
target_include_directories(stiction_cuda_flags INTERFACE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src"
                                                         "${PROJECT_SOURCE_DIR}/tests")
target_compile_options(
  stiction_cuda_flags
  INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:--fmad=false --expt-relaxed-constexpr -Werror=all-warnings
            -Xcompiler=-ffp-contract=off,-fopenmp-simd,-Wall,-Wextra,-Wshadow,-Werror>)

set(cuda_programs ${cuda_sources})
list(FILTER cuda_programs INCLUDE REGEX "_test\\.cu$")
set(cuda_shared ${cuda_sources})
list(FILTER cuda_shared EXCLUDE REGEX "_test\\.cu$")
if(cuda_shared)
  # What builds the surfaces that the cases share needs the standard library alone.
  list(APPEND cuda_shared "${PROJECT_SOURCE_DIR}/src/collide/surface.cpp"
       "${PROJECT_SOURCE_DIR}/src/collide/surface_mend.cpp"
       "${PROJECT_SOURCE_DIR}/src/model/mesh_tables.cpp")
  add_library(stiction_cuda STATIC ${cuda_shared})
  target_link_libraries(stiction_cuda PUBLIC stiction_cuda_flags)
endif()
foreach(source IN LISTS cuda_programs)
  get_filename_component(name "${source}" NAME_WE)
  add_executable(${name} ${source})
  target_link_libraries(${name} PRIVATE stiction_cuda_flags $<TARGET_NAME_IF_EXISTS:stiction_cuda>)
  add_dependencies(cuda_programs ${name})
endforeach()
