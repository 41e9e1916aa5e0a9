// Reading a GPU kernel that was compiled: LLVM's IR, as text or bitcode, to a
// kernel as relations.
//
//   %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
//   %p = getelementptr float, ptr %arg0, i32 %t
//   %v = load <2 x float>, ptr %p
//
//     load, argument 0: (bl_x, bl_y, bl_z, t0, t1) -> (t0 + t1)
//     t0 is the thread, t1 the element of the vector
//
// XLA writes such files beside its dumps of HLO (`*.ir-with-opt.ll`), Triton in
// its cache (`.llir`), and clang for CUDA C++ and HIP (`-S -emit-llvm`).
// Threads are the tile of an access: its sides are those of the block, z first,
// x last, and behind them the elements of one vector. If x or y is no power of
// two, one side has all threads.
//
// An array has elements of the least width with which it is accessed; of bytes,
// if an address is no multiple of that.
#ifndef INDEXICAL_IMPORT_LLVM_READ_H
#define INDEXICAL_IMPORT_LLVM_READ_H

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical::kernels {

/// Returns whether a text or bitcode is LLVM's IR.
bool looksLikeLlvm(llvm::StringRef text);

/// Returns whether these are the bytes of bitcode. The functions below trust
/// bitcode: LLVM's reader believes the sizes in it, so that damaged bytes can
/// make it crash or take all memory. The command reads bitcode in a process of
/// its own (answers/inputs/bytecode.h) and goes on with its text.
bool isLlvmBitcode(llvm::StringRef bytes);

/// Returns a module in bitcode as text, as llvm-dis prints it. Returns an
/// InvalidArgument status if it is no valid module.
absl::StatusOr<std::string> textOfBitcode(llvm::StringRef bytes);

/// Returns the names of the kernels in a module, in its order. Returns an
/// InvalidArgument status with its place if it is no valid module.
absl::StatusOr<std::vector<std::string>> llvmKernelsIn(llvm::StringRef text);

/// Returns the text of a module without the bodies of its other kernels: their
/// lines are empty. Bitcode, and a text of one kernel, stay as they are.
std::string llvmTextOf(llvm::StringRef text, const std::string &kernel,
                       llvm::ArrayRef<std::string> kernels);

/// Returns a kernel of a module: the one that the options name, else the only
/// one. Returns an InvalidArgument status if the module is not valid, there is
/// no such kernel or argument, or the block or the grid is not known. Returns
/// the status of the stop once that is reached.
absl::StatusOr<TritonKernel> readLlvmKernel(llvm::StringRef text,
                                            const ReadOptions &options = {});

/// Returns all kernels of a module.
absl::StatusOr<std::vector<TritonKernel>> readLlvmKernels(
    llvm::StringRef text, const ReadOptions &options = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_IMPORT_LLVM_READ_H
