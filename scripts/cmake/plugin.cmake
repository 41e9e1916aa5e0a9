# The plugin for mlir-opt and tools like it. Whatever the libraries are, it is
# linked to the shared MLIR and LLVM, which the tool that loads it has: a
# process with two copies of MLIR has two types of each name.
function(indexical_plugin)
  add_library(indexical_mlir_plugin MODULE tools/mlir_plugin.cc)
  set_target_properties(indexical_mlir_plugin PROPERTIES
    PREFIX "" OUTPUT_NAME IndexicalPlugin)
  target_compile_features(indexical_mlir_plugin PRIVATE cxx_std_17)
  target_include_directories(indexical_mlir_plugin PRIVATE
    ${INDEXICAL_INCLUDE} ${INDEXICAL_GENERATED})
  target_include_directories(indexical_mlir_plugin SYSTEM PRIVATE
    ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  if(BUILD_SHARED_LIBS)
    target_link_libraries(indexical_mlir_plugin PRIVATE indexical_mlir)
  else()
    # As files: the targets would bring MLIR's archives with them.
    target_link_libraries(indexical_mlir_plugin PRIVATE
      $<TARGET_FILE:indexical_mlir> $<TARGET_FILE:indexical_analysis>
      $<TARGET_FILE:indexical_hlo> $<TARGET_FILE:indexical_core> ${INDEXICAL_ABSL} ${INDEXICAL_ISL}
      MLIR LLVM)
    add_dependencies(indexical_mlir_plugin
      indexical_mlir indexical_analysis indexical_hlo indexical_core)
  endif()
  # Nothing of ours is to meet a name of the tool's.
  target_link_options(indexical_mlir_plugin PRIVATE
    "-Wl,--version-script=${PROJECT_SOURCE_DIR}/scripts/cmake/plugin.map"
    "-Wl,--no-undefined")
  set_property(TARGET indexical_mlir_plugin APPEND PROPERTY
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/scripts/cmake/plugin.map)
  install(TARGETS indexical_mlir_plugin COMPONENT plugin
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/indexical)
endfunction()
