# Finds the headers of ProxSuite inside the PyPI package `proxsuite` of the interpreter Python_EXECUTABLE.
#
# Result: target ProxSuite::proxsuite, variables ProxSuite_VERSION, ProxSuite_INCLUDE_DIR.

if(Python_EXECUTABLE)
  execute_process(
    COMMAND
      ${Python_EXECUTABLE} -c
      "import importlib.metadata as m; d = m.distribution('proxsuite'); print(d.version); print(d.locate_file('cmeel.prefix/include'))"
    OUTPUT_VARIABLE proxsuite_package
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()

# A package folder that moved (another .venv) must not leave its old path in the cache.
unset(ProxSuite_INCLUDE_DIR CACHE)
if(proxsuite_package)
  string(REPLACE "\n" ";" proxsuite_package "${proxsuite_package}")
  list(GET proxsuite_package 0 ProxSuite_VERSION)
  list(GET proxsuite_package 1 proxsuite_include)
  find_path(ProxSuite_INCLUDE_DIR proxsuite/proxqp/dense/dense.hpp PATHS "${proxsuite_include}" NO_DEFAULT_PATH)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  ProxSuite
  REQUIRED_VARS ProxSuite_INCLUDE_DIR
  VERSION_VAR ProxSuite_VERSION
  REASON_FAILURE_MESSAGE "the Python interpreter '${Python_EXECUTABLE}' has no package 'proxsuite': run tools/setup.sh")

if(ProxSuite_FOUND AND NOT TARGET ProxSuite::proxsuite)
  add_library(ProxSuite::proxsuite INTERFACE IMPORTED)
  # The folder holds headers of other packages too: only proxsuite/ is taken.
  set(proxsuite_headers "${CMAKE_BINARY_DIR}/proxsuite-headers")
  file(MAKE_DIRECTORY "${proxsuite_headers}")
  file(CREATE_LINK "${ProxSuite_INCLUDE_DIR}/proxsuite" "${proxsuite_headers}/proxsuite" SYMBOLIC)
  set_target_properties(ProxSuite::proxsuite PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${proxsuite_headers}")
endif()
mark_as_advanced(ProxSuite_INCLUDE_DIR)
