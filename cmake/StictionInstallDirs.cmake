# Where things are installed, and the run paths from one to the other. Two layouts:
# a prefix (the .venv, /usr/local ...) and a wheel, in which the package folder is the prefix of the library.

set(python_site "python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}/site-packages")
if(SKBUILD)
  set(CMAKE_INSTALL_BINDIR "${SKBUILD_SCRIPTS_DIR}")
  set(CMAKE_INSTALL_LIBDIR stiction/lib)
  set(CMAKE_INSTALL_INCLUDEDIR stiction/include)
  set(CMAKE_INSTALL_DATADIR "${SKBUILD_DATA_DIR}/share")
  set(stiction_python_dir ".")
  set(stiction_program_rpath "$ORIGIN/../lib/${python_site}/stiction/lib")
  set(stiction_module_rpath "$ORIGIN/lib")
  set(stiction_library_rpath "$ORIGIN/../../mujoco")
else()
  # lib/ on every distribution, so that relative run paths can be written down.
  set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "Folder of libraries under the prefix")
  set(stiction_python_dir "${CMAKE_INSTALL_LIBDIR}/${python_site}")
  set(stiction_program_rpath "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  set(stiction_module_rpath "$ORIGIN/../../..")
  set(stiction_library_rpath "${MuJoCo_LIBRARY_DIR}")
endif()
include(GNUInstallDirs)
