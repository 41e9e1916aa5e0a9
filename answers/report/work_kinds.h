// What kernels do, in the words of models: products, attention, copies…
//
//   gemm_fusion_dot.5     products      it multiplies matrices
//   custom-call.3         attention     __cudnn$fmhaSoftmax
//   copy.28               copies        it only moves data
//   all-gather.1          collectives   it goes between devices
//   input_reduce_fusion   reductions    it holds a reduce, and no product
//   loop_add_fusion       elementwise   none of these
//
// Each microsecond counts once, for the one kind of its kernel. Kernels whose
// text is not known, and sorts, are `others`.
#ifndef INDEXICAL_ANSWERS_REPORT_WORK_KINDS_H
#define INDEXICAL_ANSWERS_REPORT_WORK_KINDS_H

#include <array>
#include <cstddef>
#include <cstdint>

#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/program.h"

namespace indexical {

struct KernelCost;

enum class WorkKind : uint8_t {
  Products,
  Attention,
  Copies,
  Collectives,
  Reductions,
  Elementwise,
  Others,
};
constexpr size_t kWorkKinds = 7;
/// Returns `products`, `attention`, …
llvm::StringRef nameOf(WorkKind kind);

/// Returns the kind of a kernel of the module, whose facts are known.
WorkKind workKindOf(const Module &module, const KernelCost &kernel);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_WORK_KINDS_H
