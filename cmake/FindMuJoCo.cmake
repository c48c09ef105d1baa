# Finds MuJoCo's C library inside the PyPI package `mujoco` of the interpreter Python_EXECUTABLE.
#
# Result: target MuJoCo::mujoco, variables MuJoCo_VERSION, MuJoCo_LIBRARY, MuJoCo_LIBRARY_DIR, MuJoCo_INCLUDE_DIR.

if(Python_EXECUTABLE)
  # find_spec locates the package without importing it (importing loads OpenGL).
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c
            "import importlib.util as u; s = u.find_spec('mujoco'); print(s.submodule_search_locations[0] if s else '')"
    OUTPUT_VARIABLE mujoco_package
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()

# A package folder that moved (another .venv) must not leave its old paths in the cache.
unset(MuJoCo_INCLUDE_DIR CACHE)
unset(MuJoCo_LIBRARY CACHE)
if(mujoco_package)
  find_path(MuJoCo_INCLUDE_DIR mujoco/mujoco.h PATHS "${mujoco_package}/include" NO_DEFAULT_PATH)
  file(GLOB mujoco_candidates "${mujoco_package}/libmujoco.so*")
  if(mujoco_candidates)
    list(GET mujoco_candidates 0 mujoco_candidate)
    set(MuJoCo_LIBRARY "${mujoco_candidate}" CACHE FILEPATH "MuJoCo's shared library")
    get_filename_component(MuJoCo_LIBRARY_DIR "${mujoco_candidate}" DIRECTORY)
    string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" MuJoCo_VERSION "${mujoco_candidate}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  MuJoCo
  REQUIRED_VARS MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR
  VERSION_VAR MuJoCo_VERSION
  REASON_FAILURE_MESSAGE "the Python interpreter '${Python_EXECUTABLE}' has no package 'mujoco': run tools/setup.sh")

if(MuJoCo_FOUND AND NOT TARGET MuJoCo::mujoco)
  add_library(MuJoCo::mujoco SHARED IMPORTED)
  set_target_properties(MuJoCo::mujoco PROPERTIES IMPORTED_LOCATION "${MuJoCo_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                                       "${MuJoCo_INCLUDE_DIR}")
endif()
mark_as_advanced(MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR)
