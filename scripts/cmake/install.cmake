# What is installed: libraries, public headers, the command with its pages and
# completions, and what finds them: a CMake package and indexical.pc.
set(INDEXICAL_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Indexical)
set(INDEXICAL_INSTALLED core hlo analysis)
if(INDEXICAL_MLIR)
  list(APPEND INDEXICAL_INSTALLED mlir)
endif()

foreach(each IN LISTS INDEXICAL_INSTALLED)
  install(TARGETS indexical_${each} EXPORT IndexicalTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
      COMPONENT runtime NAMELINK_COMPONENT dev)
  string(TOUPPER ${each} upper)
  set(headers ${INDEXICAL_${upper}_HEADERS})
  if(each STREQUAL analysis)
    list(APPEND headers ${INDEXICAL_API_HEADERS})
  endif()
  foreach(header IN LISTS headers)
    get_filename_component(folder "${header}" DIRECTORY)
    set(place ${PROJECT_SOURCE_DIR}/${header})
    if(header MATCHES "\\.inc$")
      set(place ${INDEXICAL_GENERATED}/indexical/${header})
    endif()
    install(FILES ${place} COMPONENT dev
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/indexical/${folder})
  endforeach()
endforeach()

if(INDEXICAL_MLIR)
  install(FILES import/stablehlo/indexical/indexical.td COMPONENT dev
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/indexical/import/stablehlo/indexical)
endif()

install(EXPORT IndexicalTargets NAMESPACE Indexical:: COMPONENT dev
  DESTINATION ${INDEXICAL_CMAKE_DIR})
configure_package_config_file(scripts/cmake/IndexicalConfig.cmake.in
  IndexicalConfig.cmake INSTALL_DESTINATION ${INDEXICAL_CMAKE_DIR})
write_basic_package_version_file(IndexicalConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/IndexicalConfig.cmake
  ${PROJECT_BINARY_DIR}/IndexicalConfigVersion.cmake
  scripts/cmake/mlir_archives.cmake
  DESTINATION ${INDEXICAL_CMAKE_DIR} COMPONENT dev)

# Headers use LLVM's and Abseil's, so who links us links them: they are no
# private needs of a shared library. isl is one.
set(INDEXICAL_PC_LLVM "-L${LLVM_LIBRARY_DIR} -lLLVM")
set(INDEXICAL_PC_PRIVATE "")
set(INDEXICAL_PC_REQUIRES "absl_status absl_statusor absl_strings")
set(INDEXICAL_PC_REQUIRES_PRIVATE "isl")
if(NOT BUILD_SHARED_LIBS)
  set(INDEXICAL_PC_LLVM "")
  set(INDEXICAL_PC_PRIVATE
      "-L${LLVM_LIBRARY_DIR} -lLLVMSupport -lLLVMDemangle -lpthread -ldl -lm")
  set(INDEXICAL_PC_REQUIRES "")
  set(INDEXICAL_PC_REQUIRES_PRIVATE
      "absl_status absl_statusor absl_strings isl zlib libzstd")
endif()
configure_file(scripts/cmake/indexical.pc.in indexical.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/indexical.pc COMPONENT dev
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(INDEXICAL_COMMAND)
  install(TARGETS indexical COMPONENT command
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  set(pages ${PROJECT_BINARY_DIR}/pages)
  add_custom_command(
    OUTPUT ${pages}/done
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/cmake/write_pages.sh
            $<TARGET_FILE:indexical> ${pages}
    DEPENDS indexical ${PROJECT_SOURCE_DIR}/scripts/cmake/write_pages.sh
    VERBATIM)
  add_custom_target(indexical_pages ALL DEPENDS ${pages}/done)
  install(DIRECTORY ${pages}/man1 COMPONENT command
    DESTINATION ${CMAKE_INSTALL_MANDIR})
  install(FILES ${pages}/bash/indexical COMPONENT command
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${pages}/zsh/_indexical COMPONENT command
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${pages}/fish/indexical.fish COMPONENT command
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

if(INDEXICAL_PYTHON)
  set(INDEXICAL_PYTHON_DIR lib/python3/dist-packages CACHE STRING
      "Where Python looks for packages, below the prefix")
  # The module looks for the reader of bytecode beside itself.
  install(TARGETS indexical_python indexical_reader COMPONENT python
    LIBRARY DESTINATION ${INDEXICAL_PYTHON_DIR}/indexical
    RUNTIME DESTINATION ${INDEXICAL_PYTHON_DIR}/indexical)
  install(DIRECTORY python/indexical COMPONENT python
    DESTINATION ${INDEXICAL_PYTHON_DIR}
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed"
    PATTERN "__pycache__" EXCLUDE)
endif()
