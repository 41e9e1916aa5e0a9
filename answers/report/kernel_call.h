// The measurement of an instruction that calls a kernel, made from that of the
// kernel: custom calls of Triton, and instructions whose compiled kernel a dump
// has.
//
//   fusion(a, b), kernel with arg0, arg1, arg2
//     argument 0 is operand 0, argument 1 operand 1, argument 2 the result
//
// A kernel may store to an operand, and load from a result. So reads are
// numbered over the leaves of the operands, then those of the results, and
// writes over the leaves of the results, then those of the operands.
#ifndef INDEXICAL_ANSWERS_REPORT_KERNEL_CALL_H
#define INDEXICAL_ANSWERS_REPORT_KERNEL_CALL_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/answers/kernel/findings.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// An instruction that calls a kernel, and the leaf of each argument.
struct KernelCall {
  ComputationId computation;
  InstructionId instruction;
  ComputationId origins;  ///< of addOrigins()
  std::vector<ArrayShape> operands, results;
  LaunchModel model = LaunchModel::Own;
  /// By the argument's number; nothing if the call has no such leaf.
  std::vector<std::optional<size_t>> operandOf, resultOf;
};

/// Returns the text, which lives as long as the program.
llvm::StringRef kept(Program &program, std::string text);

/// Adds a computation with an instruction for each access of the kernel, which
/// has the origin of the access. Returns its number.
ComputationId addOrigins(const kernels::TritonKernel &kernel,
                         const Metadata &call, Program &program,
                         Module &module);

/// Returns the measurement of the call, from that of its kernel.
Measurement measurementOf(const KernelFindings &found, const KernelCall &call);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_KERNEL_CALL_H
