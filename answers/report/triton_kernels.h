// Kernels of Triton among those of a report.
//
//   call = f32[256] custom-call(x), custom_call_target="triton_kernel_call_ffi"
//     reads   x, by the load in line 7 of its kernel
//     writes  result 0
//   add_kernel.ttir, a record of tritonparse
//     a module in which each kernel, or launch of one, is a call
//
// The loads and stores of a kernel become reads and writes of an instruction,
// with the kernel's own threads. A custom call has the arrays of its operands
// and results. A kernel of a file has its arguments as operands, and those that
// it stores to as results.
// kernel_call.h says how reads and writes are numbered.
#ifndef INDEXICAL_ANSWERS_REPORT_TRITON_KERNELS_H
#define INDEXICAL_ANSWERS_REPORT_TRITON_KERNELS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/measure_kernels.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The measured custom calls of a program's Triton kernels.
class TritonCalls : public KnownCosts {
 public:
  /// Reads and measures the kernels. For each call, adds a computation to the
  /// module, which has the origins of its loads and stores, and which nothing
  /// runs. A call whose kernel cannot be read is left out, with a warning, and
  /// so is a call of several kernels, since the runtime chooses among them.
  /// Devices are defaultDevice() if there are none.
  TritonCalls(Program &program, const ModuleDevices &devices, const Ask &ask);

  std::shared_ptr<const Measurement> at(size_t module,
                                        const KernelSite &site) const override;

 private:
  std::map<std::tuple<size_t, ComputationId, InstructionId>, Measurement>
      found_;
};

/// Kernels as a module of their own.
struct TritonProgram {
  Program program;
  std::vector<KernelCost> kernels;
  size_t failed = 0;  ///< kernels that could not be read
};

/// Reads and measures the kernels of an input for which holdsKernels() is true.
/// If the only kernel cannot be read, returns an error. If there are several,
/// the error is a message.
absl::StatusOr<TritonProgram> readTritonProgram(const Input &input,
                                                const KernelQuestion &question,
                                                const Ask &ask);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_TRITON_KERNELS_H
