// The last pass of a compiler: the kernels that were compiled, each compared
// with the instruction that runs it.
//
//   m.sm_8.0_gpu_after_optimizations.txt    fusion.24, loop_convert_fusion, …
//   m.ir-with-opt.ll                        @fusion_24, @loop_convert_fusion, …
//     same: each of these kernels stores what its instruction says
//
// The step is as good as the worst of its kernels. One that is not known to be
// the same values, or that cannot be compared, makes it undecided.
#ifndef INDEXICAL_ANSWERS_KERNEL_COMPILED_STEP_H
#define INDEXICAL_ANSWERS_KERNEL_COMPILED_STEP_H

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/same/passes/compare_dumps.h"
#include "indexical/same/values/float_laws.h"

namespace indexical {

/// Compares all kernels of a text of LLVM's IR with the instructions of the
/// module in the file `hlo`. Returns an error only if the budget's stop is
/// reached.
absl::StatusOr<DumpComparison> compareCompiled(const std::string &hlo,
                                               llvm::StringRef compiled,
                                               FloatLaws floats,
                                               const Budget &budget);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_COMPILED_STEP_H
