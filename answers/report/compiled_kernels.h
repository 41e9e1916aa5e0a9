// Measurements of instructions whose kernels a dump has as they were compiled.
//
//   module_0010.jit_f.sm_8.0_gpu_after_optimizations.txt   %fusion.24 = …
//   module_0010.jit_f.ir-with-opt.ll                       @fusion_24
//
// XLA names a kernel by its instruction, with `_` for `.` and `-`. A fusion
// with an equal body runs that one's kernel (kernel_classes.h). Arguments are
// the operands, each array once, then the results; a result that is written
// into an operand's memory is that argument: that of an update, or the one that
// the kernel stores to. Sizes must agree (`dereferenceable`): a
// kernel whose arguments are not those of the instruction is left out, with a
// note, and so is one whose grid is not known; the model stands in their place.
//
// A product of matrices whose code is not there is measured by its Triton IR,
// in module_0010.jit_f.gemm_fusion_dot.1.ttir: the blocks and the warps are
// those of its configuration. The model knows other fusions of Triton.
#ifndef INDEXICAL_ANSWERS_REPORT_COMPILED_KERNELS_H
#define INDEXICAL_ANSWERS_REPORT_COMPILED_KERNELS_H

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/report/measure_kernels.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the file of LLVM's IR that XLA's dumper wrote beside a module's
/// file, or "".
std::string compiledFileOf(const std::string &path);

/// The measured instructions of a program. All else is asked of `rest`.
class CompiledKernels : public KnownCosts {
 public:
  /// Reads the files beside those of the modules, `files` one each, and
  /// measures the kernels. Adds a computation to the module for each kernel,
  /// which has the origins of its accesses, and which nothing runs.
  CompiledKernels(Program &program, llvm::ArrayRef<std::string> files,
                  const ModuleDevices &devices,
                  std::shared_ptr<const KnownCosts> rest, const Ask &ask);

  std::shared_ptr<const Measurement> at(size_t module,
                                        const KernelSite &site) const override;

 private:
  using Key = std::tuple<size_t, ComputationId, InstructionId>;
  std::map<Key, std::shared_ptr<const Measurement>> found_;
  std::shared_ptr<const KnownCosts> rest_;
};

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_COMPILED_KERNELS_H
