# Debian packages: scripts/package.sh, or cpack in the folder of a build.
#
#   indexical              the command, its man pages and completions
#   python3-indexical      the module for Python
#   indexical-mlir-plugin  what mlir-opt loads
#   libindexical-dev       archives, headers, the CMake package and indexical.pc
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME indexical)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# There is no public address of the project: a maker of packages names one.
set(INDEXICAL_CONTACT "The authors of Indexical <indexical@example.org>"
    CACHE STRING "Who makes the packages: a name and an address")
set(CPACK_PACKAGE_CONTACT "${INDEXICAL_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL dev)
if(INDEXICAL_COMMAND)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()
if(INDEXICAL_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(INDEXICAL_MLIR AND INDEXICAL_PLUGIN)
  list(APPEND CPACK_COMPONENTS_ALL plugin)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME indexical)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
# What is loaded, and not linked, no list of libraries shows.
set(loaded "")
if(INDEXICAL_Z3)
  set(loaded "libz3-4")
endif()
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${loaded}")
set(CPACK_COMPONENT_COMMAND_DESCRIPTION
"The command reads modules of HLO, StableHLO and other MLIR, and says which
elements of a tensor each element depends on, what a kernel moves on a GPU and
what of that it wastes, what a tile of a result needs, and whether two modules
read the same elements.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-indexical)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
if(INDEXICAL_PYTHON)
  # The extension module is of one version of Python.
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "python3 (>= 3.${Python3_VERSION_MINOR}~), python3 (<< 3.${next})")
  if(loaded)
    string(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS ", ${loaded}")
  endif()
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy")
endif()
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"The module indexical: maps of HLO, StableHLO and other MLIR as objects of
Python, points as arrays of numpy, and what the command finds out (kernels and
what they move, tiles, utilization, whether two modules read the same) as data
classes with type stubs.")

set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME indexical-mlir-plugin)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SECTION devel)
# LLVM's libraries stand in a folder of their own, where dpkg-shlibdeps does not
# look; the tool that loads the plugin has them.
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_DEPENDS
    "libmlir-22, libllvm22, libabsl20220623, libstdc++6, libgcc-s1, libc6")
set(CPACK_DEBIAN_PLUGIN_PACKAGE_RECOMMENDS "mlir-22-tools")
set(CPACK_COMPONENT_PLUGIN_DESCRIPTION
"What mlir-opt loads to read StableHLO, to write into each op which elements of
its operands it reads, and to turn functions on tensors into loops that read
their arguments directly.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libindexical-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "llvm-22-dev, libabsl-dev, libisl-dev, libgmp-dev, zlib1g-dev, libzstd-dev")
if(INDEXICAL_MLIR)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libmlir-22-dev")
endif()
if(loaded)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", ${loaded}")
endif()
set(CPACK_COMPONENT_DEV_DESCRIPTION
"Headers and archives for compilers in C++: maps and their simplification,
proofs about them, HLO's ops as descriptors, programs from HLO text, and what
kernels move. With a CMake package (Indexical::core, hlo, analysis, mlir) and
indexical.pc.")

# What Debian wants of every package.
set(documents ${PROJECT_BINARY_DIR}/documents)
file(MAKE_DIRECTORY ${documents})
configure_file(scripts/cmake/copyright.in ${documents}/copyright @ONLY)
configure_file(scripts/cmake/changelog.in ${documents}/changelog @ONLY)
execute_process(COMMAND gzip -9nf ${documents}/changelog COMMAND_ERROR_IS_FATAL ANY)
foreach(each IN ITEMS "dev;libindexical-dev" "command;indexical"
        "python;python3-indexical" "plugin;indexical-mlir-plugin")
  list(GET each 0 component)
  list(GET each 1 name)
  install(FILES ${documents}/copyright ${documents}/changelog.gz
    COMPONENT ${component}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name})
endforeach()
include(CPack)
