// Inductor's `call` as a module of HLO: what passes from step to step.
//
//   buf0 = empty_strided_cuda((64, 10), (10, 1), torch.float32)
//   triton_poi_fused_relu_0.run(arg0_1, buf0, 640, stream=stream0)
//   extern_kernels.mm(buf0, arg1_1, out=buf1)
//
//   arg0_1 = f32[64,10]{1,0} parameter(0)
//   arg1_1 = f32[10,8]{1,0} parameter(1)
//   triton_poi_fused_relu_0 = (f32[64,10]{1,0}) custom-call(arg0_1), …
//   buf0 = f32[64,10]{1,0} get-tuple-element(triton_poi_fused_relu_0), index=0
//   extern_kernels.mm = f32[64,8]{1,0} dot(buf0, arg1_1), …
//   buf1 = f32[64,8]{1,0} bitcast(extern_kernels.mm)
//
// Each memory is one array at a time: a store to it makes the next one, with
// the one before as an operand if a part of that remains. A view that the
// library does not know (a part of a memory, a broadcast array) is a call that
// no GPU launches.
#ifndef INDEXICAL_ANSWERS_REPORT_INDUCTOR_MODULE_H
#define INDEXICAL_ANSWERS_REPORT_INDUCTOR_MODULE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/output_code.h"

namespace indexical {

/// Whether a launch loads an array, and whether it stores to it.
struct LaunchedArray {
  bool isLoaded = true, isStored = true;
};

/// A step of the file as an instruction of the module.
struct InductorStep {
  std::string name;
  /// Each array of a launch is this operand and this result of the
  /// instruction, if it is one.
  std::vector<std::optional<size_t>> operandOf, resultOf;
};

struct InductorModule {
  std::string text;                 ///< of HLO
  std::vector<InductorStep> steps;  ///< those of the file, in order
  /// Instructions that nothing launches.
  std::vector<std::string> views;
  /// By memory: the first array that it is; "" if no step has it.
  std::vector<std::string> arrays;
};

/// How calls of libraries are written.
enum class LibraryForm : uint8_t {
  Ops,     ///< products and convolutions as those of HLO
  Opaque,  ///< as calls of what is not known
};

/// The uses of a launch's arrays, in order; nothing if they are not known.
using LaunchUses = std::optional<std::vector<LaunchedArray>>;

/// Returns the module, whose name is that of the file. `uses` has those of each
/// step. A launch whose uses are not known is a view, which reads and writes
/// all of its arrays.
InductorModule inductorModuleOf(const python::OutputCode &code,
                                llvm::StringRef name,
                                llvm::ArrayRef<LaunchUses> uses,
                                LibraryForm form = LibraryForm::Ops);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_INDUCTOR_MODULE_H
