# The program `stiction`.

file(GLOB cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.cpp")
if(cli_sources)
  find_package(CLI11 REQUIRED)
  add_executable(stiction_cli ${cli_sources})
  set_target_properties(stiction_cli PROPERTIES OUTPUT_NAME stiction INSTALL_RPATH "${stiction_program_rpath}")
  target_include_directories(stiction_cli PRIVATE "${PROJECT_SOURCE_DIR}/cli")
  target_compile_options(stiction_cli PRIVATE ${stiction_glue_options})
  target_link_libraries(stiction_cli PRIVATE stiction_flags stiction::stiction CLI11::CLI11 fmt::fmt spdlog::spdlog)
  install(TARGETS stiction_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# The shipped scenes, which the program and the Python package find relative to themselves.
if(EXISTS "${PROJECT_SOURCE_DIR}/scenes")
  install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction)
endif()
