// Kernels of benchmarks/gpu, run on this machine by LLVM's interpreter: every
// thread of a launch, one after another.
#ifndef INDEXICAL_TESTS_BENCHMARKS_INTERPRETED_KERNEL_H
#define INDEXICAL_TESTS_BENCHMARKS_INTERPRETED_KERNEL_H

#include <cstdint>
#include <memory>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ExecutionEngine/ExecutionEngine.h"
#include "llvm/IR/LLVMContext.h"

#include "benchmarks/gpu/kernel_ir.h"

namespace indexical {
namespace gpu {

class InterpretedKernel {
 public:
  explicit InterpretedKernel(const TextbookCase &kernel);

  /// Arguments in the order of the kernel's parameters; pointers are those of
  /// this machine.
  void launch(llvm::ArrayRef<uint64_t> arguments);

 private:
  TextbookCase kernel_;
  llvm::LLVMContext context_;
  std::vector<llvm::Function *> phases_;
  std::unique_ptr<llvm::ExecutionEngine> engine_;
};

}  // namespace gpu
}  // namespace indexical

#endif  // INDEXICAL_TESTS_BENCHMARKS_INTERPRETED_KERNEL_H
