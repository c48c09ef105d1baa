# Everything the library, the program and the Python module are linked with. Why each: docs/why.md.

if(NOT Python_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  set(Python_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python")
endif()
set(python_components Interpreter)
if(STICTION_BUILD_PYTHON)
  list(APPEND python_components Development.Module)
endif()
find_package(Python 3.10 REQUIRED COMPONENTS ${python_components})

find_package(MuJoCo 3.17 REQUIRED)
find_package(ProxSuite 0.8 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
enable_language(C) # HDF5's find module asks its C compiler wrapper
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C)
