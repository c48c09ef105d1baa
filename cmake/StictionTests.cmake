# C++ tests: one program for each folder of tests/, one ctest entry for each test.

find_package(GTest REQUIRED)
include(GoogleTest)
file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cpp")
set(test_folders)
foreach(source IN LISTS test_sources)
  get_filename_component(folder "${source}" DIRECTORY)
  list(APPEND test_folders "${folder}")
endforeach()
list(REMOVE_DUPLICATES test_folders)

# What several folders share; the linker takes from it only what a program uses.
file(GLOB support_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
add_library(test_support STATIC ${support_sources})
target_include_directories(test_support PUBLIC "${PROJECT_SOURCE_DIR}/tests")
target_compile_definitions(test_support PRIVATE STICTION_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(test_support PRIVATE stiction_flags stiction::stiction MuJoCo::mujoco OpenMP::OpenMP_CXX)

foreach(folder IN LISTS test_folders)
  get_filename_component(name "${folder}" NAME)
  # Beside the tests a folder may hold helpers that they share.
  file(GLOB folder_sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  add_executable(test_${name} ${folder_sources})
  target_compile_definitions(test_${name} PRIVATE STICTION_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(test_${name} PRIVATE ${stiction_glue_options})
  target_link_libraries(test_${name} PRIVATE stiction_flags stiction::stiction test_support GTest::gtest_main
                                             Eigen3::Eigen fmt::fmt HDF5::HDF5 MuJoCo::mujoco OpenMP::OpenMP_CXX)
  gtest_discover_tests(
    test_${name}
    DISCOVERY_MODE PRE_TEST
    TEST_PREFIX ${name}/
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    # Tests run side by side: a team that spins would wait for the cores of the others.
    PROPERTIES TIMEOUT 600 ENVIRONMENT OMP_WAIT_POLICY=passive)
endforeach()

# The installed package serves a project that knows nothing of our dependencies.
if(NOT STICTION_SANITIZE)
  add_test(NAME consumer/installed_package_builds_and_runs
           COMMAND ${CMAKE_COMMAND} -D BUILD_DIR=${PROJECT_BINARY_DIR} -D CONSUMER_DIR=${PROJECT_SOURCE_DIR}/tests/consumer
                   -D WORK_DIR=${PROJECT_BINARY_DIR}/consumer -P ${PROJECT_SOURCE_DIR}/tests/consumer/run.cmake)
endif()

# docs/data.md is printed from the field tables.
add_executable(print_tables "${PROJECT_SOURCE_DIR}/tools/print_tables.cpp")
target_compile_options(print_tables PRIVATE ${stiction_glue_options})
target_include_directories(print_tables PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(print_tables PRIVATE stiction_flags fmt::fmt)
add_test(NAME docs/data_page_is_current COMMAND print_tables --check "${PROJECT_SOURCE_DIR}/docs/data.md")
