# How the components are built: a library each, of the files that
# scripts/cmake/libraries.cmake names. Sources include indexical/FOLDER/FILE.h, which is
# the checkout under that name, or what was generated.
set(INDEXICAL_INCLUDE ${PROJECT_BINARY_DIR}/include)
set(INDEXICAL_GENERATED ${PROJECT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${INDEXICAL_INCLUDE} ${INDEXICAL_GENERATED}/indexical)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${INDEXICAL_INCLUDE}/indexical SYMBOLIC)

# indexical_units(TARGET NAME): compiles the sources of a unit together, as Bazel
# does (bazel/library.bzl).
function(indexical_units target name)
  if(NOT INDEXICAL_UNITS)
    return()
  endif()
  foreach(unit IN LISTS INDEXICAL_${name}_UNITS)
    string(REPLACE "," ";" sources "${unit}")
    list(POP_FRONT sources group)
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON
    UNITY_BUILD_MODE GROUP)
  # A unit is a header to GCC, which warns of what is nameless in one.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# indexical_component(NAME [COMPONENT|LIBRARY]... [PRIVATE LIBRARY...])
function(indexical_component name)
  cmake_parse_arguments(PARSE_ARGV 1 own "" "" "PRIVATE")
  string(TOUPPER ${name} upper)
  set(target indexical_${name})
  add_library(${target} ${INDEXICAL_${upper}_SOURCES})
  add_library(Indexical::${name} ALIAS ${target})
  indexical_units(${target} ${upper})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION}
    # Before 1.0 a minor version may change what is exported.
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    # One of ours finds the next one, and LLVM, without help of the program.
    INSTALL_RPATH "$ORIGIN"
    INSTALL_RPATH_USE_LINK_PATH ON
    # Objects are the same for archives and shared libraries.
    DEFINE_SYMBOL ""
    VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_include_directories(${target} PUBLIC
    "$<BUILD_INTERFACE:${INDEXICAL_INCLUDE};${INDEXICAL_GENERATED}>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  foreach(each IN LISTS own_UNPARSED_ARGUMENTS)
    if(TARGET indexical_${each})
      target_link_libraries(${target} PUBLIC indexical_${each})
    else()
      target_link_libraries(${target} PUBLIC ${each})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE ${own_PRIVATE})
  if(TARGET indexical_definitions AND name STREQUAL mlir)
    add_dependencies(${target} indexical_definitions)
  endif()
  if(BUILD_SHARED_LIBS)
    # What is exported is namespace indexical; LLVM's and Abseil's templates,
    # and all that is nameless, stay inside.
    target_link_options(${target} PRIVATE
      "-Wl,--version-script=${PROJECT_SOURCE_DIR}/scripts/cmake/exported.map"
      "-Wl,--no-undefined")
    set_property(TARGET ${target} APPEND PROPERTY
      LINK_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/cmake/exported.map)
  endif()
endfunction()

# indexical_definitions(FILE|FLAGS|DEFINITIONS...): what mlir-tblgen writes.
function(indexical_definitions)
  file(GLOB definitions CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/import/stablehlo/*/*.td)
  set(all)
  foreach(each IN LISTS ARGV)
    string(REPLACE "|" ";" parts "${each}")
    list(GET parts 0 file)
    list(GET parts 1 flags)
    list(GET parts 2 source)
    string(REPLACE "," ";" flags "${flags}")
    set(output ${INDEXICAL_GENERATED}/indexical/${file})
    get_filename_component(folder ${output} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${INDEXICAL_TABLEGEN} ${flags} -I . -I ${MLIR_INCLUDE_DIRS}
              ${source} -o ${output}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      DEPENDS ${definitions}
      VERBATIM)
    list(APPEND all ${output})
  endforeach()
  add_custom_target(indexical_definitions DEPENDS ${all})
endfunction()

# The command, and the pages and the schema that it contains as strings.
function(indexical_command)
  set(text ${INDEXICAL_GENERATED}/indexical/writers/page_text.h)
  file(MAKE_DIRECTORY ${INDEXICAL_GENERATED}/indexical/writers)
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/writers/page/*)
  list(JOIN INDEXICAL_PAGE " " arguments)
  add_custom_command(
    OUTPUT ${text}
    COMMAND sh -c "${Python3_EXECUTABLE} writers/page/embed.py ${arguments} > ${text}"
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DEPENDS ${parts} ${PROJECT_SOURCE_DIR}/docs/formats.schema.json
    VERBATIM)
  # All of it but its main, which the module for Python does without.
  set(parts_of_it ${INDEXICAL_COMMAND_SOURCES})
  list(REMOVE_ITEM parts_of_it tools/main.cc)
  add_library(indexical_tools STATIC ${parts_of_it} ${text})
  indexical_units(indexical_tools COMMAND)
  target_link_libraries(indexical_tools PUBLIC
    indexical_analysis indexical_mlir ZLIB::ZLIB ${INDEXICAL_ZSTD_LIBRARY})
  add_executable(indexical tools/main.cc)
  target_link_libraries(indexical PRIVATE indexical_tools)
endfunction()

# The extension module of Python. It exports one symbol, so that what it has of
# LLVM and what else is in the process never meet.
function(indexical_python)
  pybind11_add_module(indexical_python MODULE NO_EXTRAS
                      ${INDEXICAL_PYTHON_SOURCES})
  set_target_properties(indexical_python PROPERTIES
    OUTPUT_NAME _indexical
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/indexical
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/python/exported.lds)
  target_include_directories(indexical_python PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(indexical_python PRIVATE indexical_tools)
  target_link_options(indexical_python PRIVATE
    "-Wl,--version-script=${PROJECT_SOURCE_DIR}/python/exported.lds"
    "-Wl,--gc-sections")
  # The program that reads bytecode for it.
  add_executable(indexical_reader tools/read_bytecode.cc)
  set_target_properties(indexical_reader PROPERTIES
    OUTPUT_NAME _read_bytecode
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/indexical)
  target_link_libraries(indexical_reader PRIVATE indexical_tools)
  target_link_options(indexical_reader PRIVATE "-Wl,--gc-sections")
  add_dependencies(indexical_python indexical_reader)
endfunction()
