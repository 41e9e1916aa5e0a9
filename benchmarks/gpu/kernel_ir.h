// Kernels of textbook cases as LLVM IR.
//
//   reads (d0) -> (d0 * 2) of f32[2048], threads (bl_x * 128 + th_x)
//     address:  (th_x, …, bl_x, …) -> (th_x * 2 + bl_x * 256)
//
//     %1 = mul i32 %th_x, 2
//     %2 = mul i32 %bl_x, 256
//     %3 = add i32 %1, %2
//     %4 = getelementptr i32, ptr addrspace(1) %read0, i64 …
//     %5 = load i32, ptr addrspace(1) %4
//
// Addresses are written from the expressions of the maps themselves: the thread
// map, the read and the layout in one (`launchAddress`). So what is timed is
// what was predicted.
//
// A module holds `phase0` (and, if the case has a stage, `phase1`), the work of
// one thread between barriers, and the kernel, named `kernel`, which calls them
// with its coordinates. They have these parameters, in this order:
//
//   th_x … bl_z   i32        phases only
//   stage         ptr        phases only: shared memory
//   read0, …      ptr        one for each read
//   write         ptr        where the case writes
//   out           ptr        to an i64 a thread
//   kept          i64        threads of a smaller number store their sum in out
//   sentinel      i64        as do those whose sum it is
//
// To time reads alone, nothing is kept, and `sentinel` is a number that no sum
// is. No compiler knows that, so none can leave a load out.
//
// Laws (tests/benchmarks/kernel_ir_test.cc, each by running the phases for
// every thread of a launch): a thread's sum is that of the elements that its
// map reads, and `write` holds for each index the element that was read for it.
#ifndef INDEXICAL_BENCHMARKS_GPU_KERNEL_IR_H
#define INDEXICAL_BENCHMARKS_GPU_KERNEL_IR_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "benchmarks/gpu/textbook_cases.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace indexical {
namespace gpu {

/// (th_x, …, bl_z, loops, ranges){rt0} -> number of the element in memory; the
/// dimensions have all values of `launched`, and it is read where the map
/// holds.
struct LaunchAddress {
  IndexingMap map;
  std::vector<Interval> launched;
};
absl::StatusOr<LaunchAddress> launchAddress(const IndexingMap &threads,
                                            const CaseAccess &access);

/// Threads of a block, and blocks of a launch.
struct LaunchSize {
  std::array<int64_t, 3> block, grid;
  int64_t threads() const {
    return block[0] * block[1] * block[2] * grid[0] * grid[1] * grid[2];
  }
};
LaunchSize launchSize(const IndexingMap &threads);

/// Returns an error if a layout is not followed, or if an expression leaves 64
/// bits.
absl::StatusOr<std::unique_ptr<llvm::Module>> kernelModule(
    const TextbookCase &kernel, llvm::LLVMContext &context);

}  // namespace gpu
}  // namespace indexical

#endif  // INDEXICAL_BENCHMARKS_GPU_KERNEL_IR_H
