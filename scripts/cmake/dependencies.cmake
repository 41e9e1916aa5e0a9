# LLVM, MLIR, Abseil and isl of the system: as archives where the libraries are
# archives, and else as shared libraries, so that a process has each once.
find_package(LLVM 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22)
find_package(absl REQUIRED CONFIG)
find_library(INDEXICAL_ISL_LIBRARY isl REQUIRED)
mark_as_advanced(INDEXICAL_ISL_LIBRARY)

# Z3's header alone; its library is loaded when it is asked first.
if(INDEXICAL_Z3)
  find_path(INDEXICAL_Z3_INCLUDE z3.h REQUIRED)
  mark_as_advanced(INDEXICAL_Z3_INCLUDE)
endif()

set(INDEXICAL_ABSL absl::status absl::statusor absl::strings)
set(INDEXICAL_ISL ${INDEXICAL_ISL_LIBRARY})
if(BUILD_SHARED_LIBS)
  set(INDEXICAL_LLVM LLVM)
else()
  set(INDEXICAL_LLVM LLVMSupport)
endif()

if(INDEXICAL_MLIR)
  find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22)
  find_program(INDEXICAL_TABLEGEN mlir-tblgen REQUIRED
               HINTS ${LLVM_TOOLS_BINARY_DIR})
  mark_as_advanced(INDEXICAL_TABLEGEN)
  if(BUILD_SHARED_LIBS)
    set(INDEXICAL_MLIR_LIBRARIES MLIR)
  else()
    set(INDEXICAL_MLIR_ROOTS
        MLIRIR MLIRParser MLIRBytecodeReader MLIRBytecodeWriter
        MLIRAffineDialect MLIRArithDialect MLIRBufferizationDialect
        MLIRComplexDialect MLIRControlFlowDialect MLIRFuncDialect
        MLIRLinalgDialect MLIRMLProgramDialect MLIRMathDialect
        MLIRMemRefDialect MLIRQuantDialect MLIRSCFDialect MLIRShapeDialect
        MLIRSparseTensorDialect MLIRTensorDialect MLIRTosaDialect
        MLIRUBDialect
        MLIRVectorDialect MLIROptLib MLIRPass MLIRTransforms)
    include(scripts/cmake/mlir_archives.cmake)
    indexical_mlir_archives(${INDEXICAL_MLIR_ROOTS})
    # Kernels that were compiled: LLVM's IR and its analyses.
    set(INDEXICAL_MLIR_LIBRARIES
        Indexical::mlir_archives LLVMAnalysis LLVMAsmParser LLVMBitReader
        LLVMScalarOpts LLVMTransformUtils)
  endif()
endif()

if(INDEXICAL_COMMAND)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_package(ZLIB REQUIRED)
  find_library(INDEXICAL_ZSTD_LIBRARY zstd REQUIRED)
  mark_as_advanced(INDEXICAL_ZSTD_LIBRARY)
endif()

if(INDEXICAL_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module)
  find_package(pybind11 REQUIRED CONFIG)
endif()
