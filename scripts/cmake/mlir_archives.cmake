# Indexical::mlir_archives: MLIR as archives, with LLVM's archives below it.
#
# Debian's MLIR targets, which are archives, name the shared LLVM. A program that
# links one of them beside LLVMSupport has two LLVMs: twice the same option is
# registered, and it ends before its main. So the archives are taken as files,
# in one group, and LLVM's targets, which name archives, stand for the rest.
#
#   indexical_mlir_archives(MLIRIR MLIRParser)
function(indexical_mlir_archives)
  set(open ${ARGV})
  set(seen)
  set(files)
  while(open)
    list(POP_FRONT open each)
    if(each IN_LIST seen OR NOT each MATCHES "^MLIR" OR NOT TARGET ${each})
      continue()
    endif()
    list(APPEND seen ${each})
    get_target_property(kind ${each} TYPE)
    if(kind STREQUAL STATIC_LIBRARY)
      list(APPEND files $<TARGET_FILE:${each}>)
    endif()
    get_target_property(needs ${each} INTERFACE_LINK_LIBRARIES)
    if(needs)
      list(TRANSFORM needs REPLACE "\\$<LINK_ONLY:(.*)>" "\\1")
      list(APPEND open ${needs})
    endif()
  endwhile()
  add_library(Indexical::mlir_archives INTERFACE IMPORTED GLOBAL)
  set_target_properties(Indexical::mlir_archives PROPERTIES
    INTERFACE_LINK_LIBRARIES
    "-Wl,--start-group;${files};-Wl,--end-group;LLVMCore;LLVMSupport")
endfunction()
