// Reads a compiled GPU kernel, LLVM IR as text or bitcode, into a kernel as
// relations.
//
//   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
//   %p = getelementptr float, ptr %arg0, i32 %t
//   %v = load <2 x float>, ptr %p
//
//     load, argument 0: (bl_x, bl_y, bl_z, t0, t1) -> (t0 + t1)
//     t0 is the thread, t1 the element of the vector
//
// XLA writes such files beside its dumps of HLO (`*.ir-with-opt.ll`), Triton in
// its cache (`.llir`), and clang for CUDA C++ and HIP (`-S -emit-llvm`). The
// threads are the tile of an access: its sides are those of the block, z first,
// x last, followed by the elements of one vector. If the block's x or y is not
// a power of two, one side has all threads.
//
// The elements of an array have the smallest width with which it is accessed;
// if an address is not a multiple of that, they are bytes.
#ifndef INDEXICAL_IMPORT_LLVM_READ_H
#define INDEXICAL_IMPORT_LLVM_READ_H

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical::kernels {

/// Returns whether a text or bitcode looks like LLVM IR. It is not parsed.
bool looksLikeLlvm(llvm::StringRef text);

/// Returns whether these are the bytes of bitcode. The functions below trust
/// bitcode: LLVM's reader does not check the sizes in it, so damaged bytes can
/// crash it or exhaust the memory. The command reads bitcode in a separate
/// process (answers/inputs/bytecode.h) and continues with its text.
bool isLlvmBitcode(llvm::StringRef bytes);

/// Returns a module in bitcode as text, as llvm-dis prints it. Returns an
/// InvalidArgument status if it is not a valid module.
absl::StatusOr<std::string> textOfBitcode(llvm::StringRef bytes);

/// Returns the names of the kernels of a module, in its order. Returns an
/// InvalidArgument status with its place if the module is not valid.
absl::StatusOr<std::vector<std::string>> llvmKernelsIn(llvm::StringRef text);

/// Returns the text of a module without the bodies of its other kernels: their
/// lines are empty. Returns bitcode, and a text of one kernel, unchanged.
std::string llvmTextOf(llvm::StringRef text, const std::string &kernel,
                       llvm::ArrayRef<std::string> kernels);

/// Returns a kernel of a module: the one that the options name, else the only
/// one. Returns an InvalidArgument status if the module is not valid, if there
/// is no such kernel or argument, or if the block or the grid is unknown.
/// Returns the status of the options' stop once that is reached.
absl::StatusOr<TritonKernel> readLlvmKernel(llvm::StringRef text,
                                            const ReadOptions &options = {});

/// Returns all kernels of a module, in its order. Errors are those of
/// readLlvmKernel().
absl::StatusOr<std::vector<TritonKernel>> readLlvmKernels(
    llvm::StringRef text, const ReadOptions &options = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_IMPORT_LLVM_READ_H
