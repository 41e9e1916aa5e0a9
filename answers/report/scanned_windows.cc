#include "indexical/answers/report/scanned_windows.h"

#include <algorithm>

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// The least results that a window takes which a scan would not.
constexpr int64_t kLeastWindow = 8;

/// Returns how many elements a result takes at most, if the instruction reduces
/// windows that reach from each result to the first, or the last, element: a
/// sum of all before it. Else returns 0.
int64_t scannedBy(const Instruction &instruction) {
  const auto *op = innermost(instruction.op).as<ReduceWindowOp>();
  if (!op || shapesOf(instruction.op).operands.empty()) return 0;
  const ArrayShape &of = shapesOf(instruction.op).operands[0];
  for (size_t d = 0; d < op->window.size() && d < of.dimensions.size(); ++d) {
    const WindowDimension &window = op->window[d];
    const int64_t size = of.dimensions[d];
    const bool isPlain = window.stride == 1 && window.windowDilation == 1 &&
                         window.baseDilation == 1;
    const bool isPrefix = window.padLow == size - 1 && window.padHigh == 0;
    const bool isSuffix = window.padLow == 0 && window.padHigh == size - 1;
    if (isPlain && window.size == size && size >= kLeastWindow &&
        (isPrefix || isSuffix))
      return size;
  }
  return 0;
}

}  // namespace

int64_t scannedBy(const Module &module, const Instruction &kernel) {
  const auto callee = calleeOfCall(kernel);
  if (!callee || callee->computation < 0) return scannedBy(kernel);
  int64_t most = 0;
  for (const Instruction &inner :
       module.computations[callee->computation].instructions)
    most = std::max(most, scannedBy(inner));
  return most;
}

}  // namespace indexical
