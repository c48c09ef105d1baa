# The Python package: pure sources in python/stiction, compiled module stiction._stiction from python/bindings.

file(GLOB binding_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/bindings/*.cpp")
if(binding_sources)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  find_package(nanobind CONFIG REQUIRED)
  nanobind_add_module(_stiction NB_SUPPRESS_WARNINGS ${binding_sources})
  target_include_directories(_stiction PRIVATE "${PROJECT_SOURCE_DIR}/python/bindings")
  target_link_libraries(_stiction PRIVATE stiction_flags stiction::stiction)
  set_target_properties(_stiction PROPERTIES INSTALL_RPATH "${stiction_module_rpath}")
  install(TARGETS _stiction LIBRARY DESTINATION "${stiction_python_dir}/stiction")
  # Type stubs come from the compiled module itself, so they cannot fall behind it.
  nanobind_add_stub(
    _stiction_stub
    MODULE _stiction
    OUTPUT "${PROJECT_BINARY_DIR}/_stiction.pyi"
    PYTHON_PATH $<TARGET_FILE_DIR:_stiction>
    DEPENDS _stiction)
  install(FILES "${PROJECT_BINARY_DIR}/_stiction.pyi" DESTINATION "${stiction_python_dir}/stiction")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/python/stiction")
  install(
    DIRECTORY python/stiction
    DESTINATION "${stiction_python_dir}"
    FILES_MATCHING
    PATTERN "*.py"
    PATTERN "py.typed")
endif()
