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

#include "llvm/IR/Function.h"

namespace indexical::compiled {

struct CompiledLaunch {
  std::optional<std::array<int64_t, 3>> block, grid;
  int64_t lanes = 32;
};

/// Returns what the function says, which has all calls inlined.
CompiledLaunch launchOf(const llvm::Function &function);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_LAUNCH_H
