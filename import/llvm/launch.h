// The launch that a compiled kernel names; private to import/llvm.
//
//   "nvvm.reqntid"="128,1,1"                     blocks of 128 threads
//   call … @llvm.nvvm.read.ptx.sreg.ctaid.x(), !range !{i32 0, i32 40}
//                                                a grid of 40 blocks
//
// XLA's emitters write the ranges of both; Triton and clang write the block
// alone. An axis along which nothing reads the block's number has one block.
#ifndef INDEXICAL_IMPORT_LLVM_LAUNCH_H
#define INDEXICAL_IMPORT_LLVM_LAUNCH_H

#include <array>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "llvm/IR/Function.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical::compiled {

struct CompiledLaunch {
  std::optional<std::array<int64_t, 3>> block, grid;
  int64_t lanes = 32;
};

/// Returns what the function says, which has all calls inlined.
CompiledLaunch launchOf(const llvm::Function &function);

/// Sets the threads of a block, the grid and the lanes of a warp: those of the
/// options, else those that the function says. Returns an error with that place
/// if the block or the grid is not known.
absl::Status setLaunch(const llvm::Function &function,
                       const kernels::ReadOptions &options, const Place &place,
                       kernels::TritonKernel &kernel);

/// Puts what is known of the launch into the function: the numbers of threads
/// and blocks, and the values of integer arguments. So counts of loops that
/// depend on them are numbers.
void putLaunch(llvm::Function &function, const kernels::TritonKernel &kernel);

/// Adds the function's arguments to the kernel.
void addArguments(const llvm::Function &function,
                  kernels::TritonKernel &kernel);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_LAUNCH_H
