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
  /// The kernel's argument for each leaf of the operands, and of the results.
  std::vector<int64_t> ofOperand, ofResult;
  int64_t count = 0;  ///< of arguments
};

/// Returns the argument of each leaf of the instruction, or std::nullopt if the
/// kernel does not fit it: all arguments have to be pointers, with the sizes of
/// the arrays where the kernel states sizes.
std::optional<CallArguments> argumentsOfCall(const Module &module,
                                             ComputationId computation,
                                             InstructionId instruction,
                                             const TritonKernel &kernel);

/// Returns the argument of each leaf of a computation, the parameters' leaves,
/// then the results', in its kernel. The kernel's arrays are in this order, or
/// else are those of `caller`, the instruction that calls the computation, if
/// that is not null. Returns std::nullopt if neither fits.
std::optional<std::vector<int64_t>> argumentsOfLeaves(
    const TritonKernel &kernel, const Module &module, ComputationId computation,
    const Instruction *caller);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_CALL_ARGUMENTS_H
