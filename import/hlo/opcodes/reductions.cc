// Opcodes that reduce: along dimensions, and in windows.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
bool windowed(const WindowDimension &window, int64_t &size) {
  if (size == kDynamicSize) return true;
  int64_t base = 0, extent;
  if (window.size <= 0 || window.stride <= 0 || window.baseDilation <= 0 ||
      window.windowDilation <= 0 ||
      llvm::MulOverflow(window.size - 1, window.windowDilation, extent) ||
      llvm::MulOverflow(std::max<int64_t>(size - 1, 0), window.baseDilation,
                        base) ||
      llvm::AddOverflow(base, int64_t{size > 0}, base) ||
      llvm::AddOverflow(base, window.padLow, base) ||
      llvm::AddOverflow(base, window.padHigh, base))
    return false;
  // `extent` is one less than that of the window.
  size = base <= extent ? 0 : (base - extent - 1) / window.stride + 1;
  return true;
}

bool buildReduce(const ResolvedInstruction &in, const Shape &result,
                 OpDraft &out) {
  auto *op = makeOfArrays<ReduceOp>(in, result, out, Results::OneOrTuple);
  return op && in.attributes.requiredIntegers("dimensions", op->dimensions);
}

bool inferReduce(const ResolvedInstruction &in, Shape &shape) {
  Int64s dimensions;
  if (!in.attributes.requiredIntegers("dimensions", dimensions)) return false;
  size_t count = in.operands.size() / 2;
  std::vector<Shape> results;
  for (size_t i = 0; i < count; ++i) {
    ArrayShape operand;
    if (!takeArray(in, i, operand)) return false;
    ArrayShape result(operand.type, {});
    for (int64_t d = 0; d < operand.rank(); ++d)
      if (!llvm::is_contained(dimensions, d))
        result.dimensions.push_back(operand.dimensions[d]);
    results.push_back(Shape::ofArray(std::move(result)));
  }
  if (count == 0) return cannotInfer(in);
  shape = count == 1 ? results[0] : Shape::ofTuple(std::move(results));
  return true;
}

bool takeWindow(const ResolvedInstruction &in, int64_t dimensions,
                llvm::SmallVectorImpl<WindowDimension> &window) {
  if (in.attributes.has("window")) return in.attributes.window(window);
  return dimensions == 0 || in.attributes.failMissing(
                                "window", "{size=2x2 stride=1x2 pad=0_0x0_1}");
}

bool buildReduceWindow(const ResolvedInstruction &in, const Shape &result,
                       OpDraft &out) {
  auto *op = makeOfArrays<ReduceWindowOp>(in, result, out, Results::OneOrTuple);
  if (!op) return false;
  if (in.attributes.has("window")) return in.attributes.window(op->window);
  return op->operands[0].isScalar() ||
         in.attributes.failMissing("window",
                                   "{size=2x2 stride=1x2 pad=0_0x1_1}");
}

bool inferReduceWindow(const ResolvedInstruction &in, Shape &shape) {
  llvm::SmallVector<WindowDimension, 4> window;
  if (in.attributes.has("window") && !in.attributes.window(window))
    return false;
  std::vector<Shape> results;
  for (size_t i = 0; i < in.operands.size() / 2; ++i) {
    ArrayShape array;
    if (!takeArray(in, i, array)) return false;
    if (static_cast<int64_t>(window.size()) != array.rank())
      return cannotInfer(in);
    for (size_t d = 0; d < window.size(); ++d)
      if (!windowed(window[d], array.dimensions[d])) return cannotInfer(in);
    results.push_back(Shape::ofArray(std::move(array)));
  }
  if (results.empty()) return cannotInfer(in);
  shape = results.size() == 1 ? results[0] : Shape::ofTuple(std::move(results));
  return true;
}

bool buildSelectAndScatter(const ResolvedInstruction &in, const Shape &result,
                           OpDraft &out) {
  auto *op = makeOfArrays<SelectAndScatterOp>(in, result, out);
  return op && takeWindow(in, op->operands[0].rank(), op->window);
}

}  // namespace opcodes
}  // namespace indexical
