// Opcodes that combine elements: products, reductions, windows.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

/// `size` becomes the number of places of the window; false where there is no
/// such number.
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

}  // namespace

bool buildDot(const ResolvedInstruction &in, const Shape &result, Op &out) {
  if (in.operands.size() > 2) {  // a sparse operand's metadata
    make<CoverOp>(in, result, out).reason =
        "the maps of a sparse `dot` are not known exactly";
    return true;
  }
  auto *op = makeOfArrays<DotOp>(in, result, out);
  if (!op || !in.attributes.integers("lhs_batch_dims", op->lhsBatch) ||
      !in.attributes.integers("rhs_batch_dims", op->rhsBatch) ||
      !in.attributes.integers("lhs_contracting_dims", op->lhsContracting) ||
      !in.attributes.integers("rhs_contracting_dims", op->rhsContracting))
    return false;
  // The oldest texts leave out the numbers of a plain matrix product.
  int64_t lhs = op->operands[0].rank(), rhs = op->operands[1].rank();
  bool given = in.attributes.has("lhs_contracting_dims") ||
               in.attributes.has("rhs_contracting_dims") ||
               in.attributes.has("lhs_batch_dims");
  if (!given && lhs > 0 && rhs > 0 && result.array.rank() == lhs + rhs - 2) {
    op->lhsContracting = {lhs - 1};
    op->rhsContracting = {0};
  }
  return true;
}

// Batch, free of the first operand, free of the second.
bool inferDot(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape lhs, rhs;
  Int64s lhsBatch, rhsBatch, lhsContracting, rhsContracting;
  const Attributes &a = in.attributes;
  if (in.operands.size() != 2 || !a.has("lhs_contracting_dims"))
    return cannotInfer(in);
  if (!takeArray(in, 0, lhs) || !takeArray(in, 1, rhs) ||
      !a.integers("lhs_batch_dims", lhsBatch) ||
      !a.integers("rhs_batch_dims", rhsBatch) ||
      !a.integers("lhs_contracting_dims", lhsContracting) ||
      !a.integers("rhs_contracting_dims", rhsContracting))
    return false;
  ArrayShape result(lhs.type, {});
  for (int64_t d : lhsBatch) {
    if (d < 0 || d >= lhs.rank()) return cannotInfer(in);
    result.dimensions.push_back(lhs.dimensions[d]);
  }
  auto appendFree = [&](const ArrayShape &side, const Int64s &batch,
                        const Int64s &contracting) {
    for (int64_t d = 0; d < side.rank(); ++d)
      if (!llvm::is_contained(batch, d) && !llvm::is_contained(contracting, d))
        result.dimensions.push_back(side.dimensions[d]);
  };
  appendFree(lhs, lhsBatch, lhsContracting);
  appendFree(rhs, rhsBatch, rhsContracting);
  return finish(shape, std::move(result));
}

bool buildReduce(const ResolvedInstruction &in, const Shape &result, Op &out) {
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

bool buildReduceWindow(const ResolvedInstruction &in, const Shape &result,
                       Op &out) {
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

// dim_labels, as in `b01f_01io->b01f`, say which dimension of the input, the
// kernel and the result is the batch, the feature, and the window's n-th.
bool inferConvolution(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape input, kernel;
  llvm::SmallVector<WindowDimension, 4> window;
  if (!takeArray(in, 0, input) || !takeArray(in, 1, kernel) ||
      (in.attributes.has("window") && !in.attributes.window(window)))
    return false;
  auto [operands, resultLabels] = in.attributes.raw("dim_labels").split("->");
  auto [inputLabels, kernelLabels] = operands.split('_');
  int64_t groups = 1;
  if (in.attributes.has("batch_group_count") &&
      !in.attributes.requiredInteger("batch_group_count", groups))
    return false;
  auto sizeOf = [](const ArrayShape &array, llvm::StringRef labels,
                   char label) -> int64_t {
    size_t d = labels.find(label);
    return d < array.dimensions.size() ? array.dimensions[d] : kDynamicSize;
  };
  ArrayShape result(input.type, {});
  for (char label : resultLabels) {
    int64_t size;
    if (label == 'b') {
      size = sizeOf(input, inputLabels, 'b');
      if (groups <= 0) return cannotInfer(in);
      if (size != kDynamicSize) size /= groups;
    } else if (label == 'f') {
      size = sizeOf(kernel, kernelLabels, 'o');
    } else {
      size_t d = label - '0';
      if (label < '0' || d >= window.size()) return cannotInfer(in);
      size = sizeOf(input, inputLabels, label);
      if (!windowed(window[d], size)) return cannotInfer(in);
    }
    if (size == kDynamicSize) return cannotInfer(in);
    result.dimensions.push_back(size);
  }
  return resultLabels.empty() ? cannotInfer(in)
                              : finish(shape, std::move(result));
}

}  // namespace opcodes
}  // namespace indexical
