// The launch that a compiled kernel names; private to import/llvm.
//
//   "nvvm.reqntid"="128,1,1"                     blocks of 128 threads
//   call … @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !{i32 0, i32 40}
//                                                a grid of 40 blocks
//
// XLA's emitters write the ranges of both; Triton and clang write only the
// block. An axis along which nothing reads the block's number has one block.
#ifndef INDEXICAL_IMPORT_LLVM_LAUNCH_H
#define INDEXICAL_IMPORT_LLVM_LAUNCH_H

#include <array>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical::compiled {

struct CompiledLaunch {
  std::optional<std::array<int64_t, 3>> block, grid;
  int64_t lanes = 32;
  /// Whether the code is for that block alone.
  bool isBlockRequired = false;
  /// The threads of a block that it is for: at least and at most so many.
  int64_t leastThreads = 1, mostThreads = INT64_MAX;
};

/// Returns the launch that the function names. All its calls have to be
/// inlined.
CompiledLaunch launchOf(const llvm::Function &function);

/// Sets the threads of a block, the grid and the lanes of a warp: those of the
/// options, else those that the function names. Returns an error at `place` if
/// the block or the grid is unknown, or if the code is not for such a block.
absl::Status setLaunch(const llvm::Function &function,
                       const kernels::ReadOptions &options, const Place &place,
                       kernels::TritonKernel &kernel);

/// Replaces the numbers of threads and blocks, and the integer arguments with
/// known values, by constants. Trip counts that depend on them are then
/// constant. On AMD these numbers are loaded (hidden_launch.cc): passes each
/// such load to `remove` when nothing uses it any more.
void putLaunch(llvm::Function &function, const kernels::TritonKernel &kernel,
               llvm::function_ref<void(llvm::Instruction &)> remove);

/// Replaces the numbers of threads and blocks that AMD's code loads, as
/// putLaunch() does.
void putHiddenLaunch(llvm::Function &function,
                     const kernels::TritonKernel &kernel,
                     llvm::function_ref<void(llvm::Instruction &)> remove);

/// Adds the function's arguments to the kernel.
void addArguments(const llvm::Function &function,
                  kernels::TritonKernel &kernel);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_LAUNCH_H
