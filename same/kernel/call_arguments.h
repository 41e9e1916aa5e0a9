// The arguments of a compiled kernel, by the instruction that calls it.
//
//   fusion(a, b, a), result r     kernel(a, b, r): operands 0 and 2 are one
//   r = fusion(p, v), which       kernel(p, v): the result is operand 0
//     updates p in place
//   r = fusion(p, v), which       the same where the kernel stores to its
//     adds both                     argument 0, in place of an operand
//
// XLA passes each buffer once: the operands, equal values once, then the
// results, without those that take the place of an operand.
#ifndef INDEXICAL_SAME_KERNEL_CALL_ARGUMENTS_H
#define INDEXICAL_SAME_KERNEL_CALL_ARGUMENTS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"

namespace indexical::kernels {

struct CallArguments {
  /// The kernel's argument of each leaf of the operands, and of the results.
  std::vector<int64_t> ofOperand, ofResult;
  int64_t count = 0;  ///< of arguments
};

/// Returns which argument each leaf of the instruction is, or nothing if the
/// kernel is none of that instruction: all arguments have to be pointers, and
/// of the sizes of the arrays where the kernel says these.
std::optional<CallArguments> argumentsOfCall(const Module &module,
                                             ComputationId computation,
                                             InstructionId instruction,
                                             const TritonKernel &kernel);

/// Returns the argument of each leaf that the kernel of a computation has: of
/// the parameters, then of the results. The arrays of the kernel stand in this
/// order, or else are those of `caller`, the instruction that calls the
/// computation, if that is not null. Returns nothing if neither fits.
std::optional<std::vector<int64_t>> argumentsOfLeaves(
    const TritonKernel &kernel, const Module &module, ComputationId computation,
    const Instruction *caller);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_CALL_ARGUMENTS_H
