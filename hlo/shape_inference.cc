// The shape of an instruction that is written without one, where its operands
// tell it. Layouts are left out: XLA takes its default, row major.

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

#include "hlo/lexer.h"
#include "hlo/op_builder.h"

namespace indexical {
namespace {

constexpr int64_t kInferredTupleLimit = int64_t{1} << 18;

class ShapeInference {
 public:
  ShapeInference(const ResolvedInstruction &instruction, Shape &shape)
      : in_(instruction), shape_(shape) {}

  bool infer();

 private:
  bool elementwise();
  bool transpose();
  bool slice();
  bool dynamicSlice();
  bool concatenate();
  bool pad();
  bool gather();
  bool dot();
  bool reduce();
  bool reduceWindow();
  bool convolution();
  bool tuple();
  bool tupleElement();
  bool calledRoot();
  bool byName();
  bool sameAs(size_t operand);
  bool firstElement(int64_t index);
  bool cannot();
  /// A copy of the array of operand `i`, without layout.
  bool takeArray(size_t i, ArrayShape &array);
  bool finish(ArrayShape array);

  const ResolvedInstruction &in_;
  Shape &shape_;
};

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

/// Nodes and depth of a shape.
void measure(const Shape &shape, int64_t depth, int64_t &nodes,
             int64_t &deepest) {
  ++nodes;
  deepest = std::max(deepest, depth);
  for (const Shape &element : shape.elements)
    measure(element, depth + 1, nodes, deepest);
}

bool ShapeInference::cannot() {
  return in_.fail("the shape of " + in_.opcodeText() +
                  " does not follow from its operands; write it before the "
                  "opcode");
}

bool ShapeInference::finish(ArrayShape array) {
  shape_ = Shape::ofArray(std::move(array));
  return true;
}

bool ShapeInference::takeArray(size_t i, ArrayShape &array) {
  if (i >= in_.operands.size() || !in_.operands[i]->isArray()) return cannot();
  array = in_.operands[i]->array;
  array.layout.reset();
  return true;
}

bool ShapeInference::sameAs(size_t operand) {
  if (operand >= in_.operands.size()) return cannot();
  shape_ = *in_.operands[operand];
  return true;
}

bool ShapeInference::infer() {
  if (!in_.opcode) return cannot();
  switch (in_.opcode->family) {
    case Family::Elementwise:
      return elementwise();
    case Family::Transpose:
      return transpose();
    case Family::Reverse:
    case Family::Copy:
    case Family::DynamicUpdateSlice:
      return sameAs(0);
    case Family::Slice:
      return slice();
    case Family::DynamicSlice:
      return dynamicSlice();
    case Family::Concatenate:
      return concatenate();
    case Family::Pad:
      return pad();
    case Family::Gather:
      return gather();
    case Family::Dot:
      return dot();
    case Family::Reduce:
      return reduce();
    case Family::ReduceWindow:
      return reduceWindow();
    case Family::Forward:
      return in_.opcode->name == "tuple" ? tuple() : sameAs(0);
    case Family::GetTupleElement:
      return tupleElement();
    case Family::CopyDone:
      return firstElement(0);
    case Family::Call:
      return calledRoot();
    default:
      return byName();
  }
}

bool ShapeInference::byName() {
  llvm::StringRef name = in_.opcode->name;
  if (name == "after-all") {
    shape_ = Shape::token();
    return true;
  }
  if (name == "partition-id" || name == "replica-id")
    return finish(ArrayShape(ElementType::U32, {}));
  if (name == "get-dimension-size")
    return finish(ArrayShape(ElementType::S32, {}));
  if (name == "conditional") return calledRoot();
  if (name == "convolution") return convolution();
  if (name == "async-done" || name == "async-update")
    return name == "async-done" ? firstElement(1) : sameAs(0);
  if (name == "all-reduce-done") return sameAs(0);
  if (name == "collective-permute-done" || name == "all-gather-done")
    return firstElement(1);
  if (name == "triangular-solve") return sameAs(1);
  // These keep their operand's shape; several operands make a tuple.
  bool same = llvm::StringSwitch<bool>(name)
                  .Cases({"all-reduce", "all-reduce-start", "sort"}, true)
                  .Cases({"collective-permute", "collective-broadcast"}, true)
                  .Default(false);
  if (same) return in_.operands.size() == 1 ? sameAs(0) : tuple();
  if (name == "while") return in_.operands.size() == 1 ? sameAs(0) : tuple();
  if (name == "cholesky" || name == "select-and-scatter" ||
      name == "batch-norm-inference" || name == "shuffle")
    return sameAs(0);
  if (name == "scatter" && in_.operands.size() == 3) return sameAs(0);
  return cannot();
}

// The first operand that is not a scalar has the sizes.
bool ShapeInference::elementwise() {
  llvm::StringRef name = in_.opcode->name;
  if (in_.operands.empty() || name == "convert" || name == "rng" ||
      name == "stochastic-convert")
    return cannot();
  ArrayShape array;
  for (size_t i = 0; i < in_.operands.size(); ++i) {
    ArrayShape candidate;
    if (!takeArray(i, candidate)) return false;
    if (i == 0 || array.isScalar()) array = std::move(candidate);
  }
  // The operand that has the element type.
  ElementType type = in_.operands[0]->array.type;
  if (name == "select" || name == "clamp") type = in_.operands[1]->array.type;
  bool isComplex = type == ElementType::C64 || type == ElementType::C128;
  if (name == "compare" || name == "is-finite")
    type = ElementType::Pred;
  else if (name == "complex")
    type = type == ElementType::F64 ? ElementType::C128 : ElementType::C64;
  else if (isComplex && (name == "real" || name == "imag" || name == "abs"))
    type = type == ElementType::C128 ? ElementType::F64 : ElementType::F32;
  else if (name == "map" && !in_.calledRoots.empty() && in_.calledRoots[0] &&
           in_.calledRoots[0]->isArray())
    type = in_.calledRoots[0]->array.type;
  array.type = type;
  return finish(std::move(array));
}

bool ShapeInference::transpose() {
  ArrayShape operand;
  Int64s permutation;
  if (!takeArray(0, operand) ||
      !in_.attributes.requiredIntegers("dimensions", permutation))
    return false;
  ArrayShape result(operand.type, {});
  for (int64_t d : permutation) {
    if (d < 0 || d >= operand.rank()) return cannot();
    result.dimensions.push_back(operand.dimensions[d]);
    if (!operand.dynamic.empty()) result.dynamic.push_back(operand.dynamic[d]);
  }
  return finish(std::move(result));
}

bool ShapeInference::slice() {
  ArrayShape array;
  Int64s starts, limits, strides;
  if (!takeArray(0, array) || !in_.attributes.slices(starts, limits, strides))
    return false;
  if (static_cast<int64_t>(starts.size()) != array.rank()) return cannot();
  for (size_t d = 0; d < starts.size(); ++d) {
    if (strides[d] <= 0 || starts[d] < 0 || limits[d] < starts[d])
      return cannot();
    int64_t length = limits[d] - starts[d];
    array.dimensions[d] = length / strides[d] + (length % strides[d] != 0);
  }
  array.dynamic.clear();
  return finish(std::move(array));
}

bool ShapeInference::dynamicSlice() {
  ArrayShape array;
  Int64s sizes;
  if (!takeArray(0, array) ||
      !in_.attributes.requiredIntegers("dynamic_slice_sizes", sizes))
    return false;
  array.dimensions.assign(sizes.begin(), sizes.end());
  array.dynamic.clear();
  return finish(std::move(array));
}

bool ShapeInference::concatenate() {
  ArrayShape array;
  int64_t dimension;
  if (!takeArray(0, array) ||
      !in_.attributes.requiredInteger("dimensions", dimension))
    return false;
  if (dimension < 0 || dimension >= array.rank()) return cannot();
  int64_t &size = array.dimensions[dimension];
  for (size_t i = 1; i < in_.operands.size(); ++i) {
    ArrayShape other;
    if (!takeArray(i, other)) return false;
    if (dimension >= other.rank() || size == kDynamicSize ||
        other.dimensions[dimension] == kDynamicSize ||
        llvm::AddOverflow(size, other.dimensions[dimension], size))
      return cannot();
  }
  return finish(std::move(array));
}

bool ShapeInference::pad() {
  ArrayShape array;
  Int64s low, high, interior;
  if (!takeArray(0, array) || !in_.attributes.padding(low, high, interior))
    return false;
  if (static_cast<int64_t>(low.size()) != array.rank()) return cannot();
  for (size_t d = 0; d < low.size(); ++d) {
    int64_t &size = array.dimensions[d];
    int64_t inner;
    if (size == kDynamicSize) continue;
    if (interior[d] < 0 ||
        llvm::MulOverflow(std::max<int64_t>(size - 1, 0), interior[d], inner) ||
        llvm::AddOverflow(size, inner, size) ||
        llvm::AddOverflow(size, low[d], size) ||
        llvm::AddOverflow(size, high[d], size) || size < 0)
      return cannot();
  }
  return finish(std::move(array));
}

bool ShapeInference::gather() {
  ArrayShape operand, indices;
  Int64s offsetDims, collapsed, batching, sizes;
  int64_t vectorDim;
  const Attributes &a = in_.attributes;
  if (!takeArray(0, operand) || !takeArray(1, indices) ||
      !a.requiredIntegers("offset_dims", offsetDims) ||
      !a.integers("collapsed_slice_dims", collapsed) ||
      !a.integers("operand_batching_dims", batching) ||
      !a.requiredInteger("index_vector_dim", vectorDim) ||
      !a.requiredIntegers("slice_sizes", sizes))
    return false;
  Int64s batchSizes, offsetSizes;
  for (int64_t d = 0; d < indices.rank(); ++d)
    if (d != vectorDim) batchSizes.push_back(indices.dimensions[d]);
  for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d)
    if (!llvm::is_contained(collapsed, d) && !llvm::is_contained(batching, d))
      offsetSizes.push_back(sizes[d]);
  if (offsetSizes.size() != offsetDims.size()) return cannot();
  ArrayShape result(operand.type, {});
  size_t batch = 0, offset = 0;
  for (int64_t d = 0;
       d < static_cast<int64_t>(batchSizes.size() + offsetSizes.size()); ++d) {
    bool isOffset = llvm::is_contained(offsetDims, d);
    if (isOffset ? offset == offsetSizes.size() : batch == batchSizes.size())
      return cannot();
    result.dimensions.push_back(isOffset ? offsetSizes[offset++]
                                         : batchSizes[batch++]);
  }
  return finish(std::move(result));
}

// Batch, free of the first operand, free of the second.
bool ShapeInference::dot() {
  ArrayShape lhs, rhs;
  Int64s lhsBatch, rhsBatch, lhsContracting, rhsContracting;
  const Attributes &a = in_.attributes;
  if (in_.operands.size() != 2 || !a.has("lhs_contracting_dims"))
    return cannot();
  if (!takeArray(0, lhs) || !takeArray(1, rhs) ||
      !a.integers("lhs_batch_dims", lhsBatch) ||
      !a.integers("rhs_batch_dims", rhsBatch) ||
      !a.integers("lhs_contracting_dims", lhsContracting) ||
      !a.integers("rhs_contracting_dims", rhsContracting))
    return false;
  ArrayShape result(lhs.type, {});
  for (int64_t d : lhsBatch) {
    if (d < 0 || d >= lhs.rank()) return cannot();
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
  return finish(std::move(result));
}

bool ShapeInference::reduce() {
  Int64s dimensions;
  if (!in_.attributes.requiredIntegers("dimensions", dimensions)) return false;
  size_t count = in_.operands.size() / 2;
  std::vector<Shape> results;
  for (size_t i = 0; i < count; ++i) {
    ArrayShape operand;
    if (!takeArray(i, operand)) return false;
    ArrayShape result(operand.type, {});
    for (int64_t d = 0; d < operand.rank(); ++d)
      if (!llvm::is_contained(dimensions, d))
        result.dimensions.push_back(operand.dimensions[d]);
    results.push_back(Shape::ofArray(std::move(result)));
  }
  if (count == 0) return cannot();
  shape_ = count == 1 ? results[0] : Shape::ofTuple(std::move(results));
  return true;
}

bool ShapeInference::reduceWindow() {
  llvm::SmallVector<WindowDimension, 4> window;
  if (in_.attributes.has("window") && !in_.attributes.window(window))
    return false;
  std::vector<Shape> results;
  for (size_t i = 0; i < in_.operands.size() / 2; ++i) {
    ArrayShape array;
    if (!takeArray(i, array)) return false;
    if (static_cast<int64_t>(window.size()) != array.rank()) return cannot();
    for (size_t d = 0; d < window.size(); ++d)
      if (!windowed(window[d], array.dimensions[d])) return cannot();
    results.push_back(Shape::ofArray(std::move(array)));
  }
  if (results.empty()) return cannot();
  shape_ =
      results.size() == 1 ? results[0] : Shape::ofTuple(std::move(results));
  return true;
}

// dim_labels, as in `b01f_01io->b01f`, say which dimension of the input, the
// kernel and the result is the batch, the feature, and the window's n-th.
bool ShapeInference::convolution() {
  ArrayShape input, kernel;
  llvm::SmallVector<WindowDimension, 4> window;
  if (!takeArray(0, input) || !takeArray(1, kernel) ||
      (in_.attributes.has("window") && !in_.attributes.window(window)))
    return false;
  auto [operands, resultLabels] = in_.attributes.raw("dim_labels").split("->");
  auto [inputLabels, kernelLabels] = operands.split('_');
  int64_t groups = 1;
  if (in_.attributes.has("batch_group_count") &&
      !in_.attributes.requiredInteger("batch_group_count", groups))
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
      if (groups <= 0) return cannot();
      if (size != kDynamicSize) size /= groups;
    } else if (label == 'f') {
      size = sizeOf(kernel, kernelLabels, 'o');
    } else {
      size_t d = label - '0';
      if (label < '0' || d >= window.size()) return cannot();
      size = sizeOf(input, inputLabels, label);
      if (!windowed(window[d], size)) return cannot();
    }
    if (size == kDynamicSize) return cannot();
    result.dimensions.push_back(size);
  }
  return resultLabels.empty() ? cannot() : finish(std::move(result));
}

bool ShapeInference::tuple() {
  // A chain of tuples of tuples may grow without bounds.
  int64_t nodes = 0, depth = 0;
  for (const Shape *operand : in_.operands)
    if (nodes <= kInferredTupleLimit) measure(*operand, 1, nodes, depth);
  if (nodes > kInferredTupleLimit || depth >= kNestingLimit)
    return in_.fail("this tuple is too large to find its shape");
  std::vector<Shape> elements;
  elements.reserve(in_.operands.size());
  for (const Shape *operand : in_.operands) elements.push_back(*operand);
  shape_ = Shape::ofTuple(std::move(elements));
  return true;
}

bool ShapeInference::tupleElement() {
  int64_t index;
  if (!in_.attributes.requiredInteger("index", index)) return false;
  const Shape &tuple = *in_.operands[0];
  if (!tuple.isTuple() || index < 0 ||
      index >= static_cast<int64_t>(tuple.elements.size())) {
    // The op builder says what is wrong.
    shape_ = Shape::token();
    return true;
  }
  shape_ = tuple.elements[index];
  return true;
}

// Element `index` of operand 0, a tuple.
bool ShapeInference::firstElement(int64_t index) {
  if (in_.operands.empty()) return cannot();
  const Shape &tuple = *in_.operands[0];
  if (!tuple.isTuple() || index >= static_cast<int64_t>(tuple.elements.size()))
    return cannot();
  shape_ = tuple.elements[index];
  return true;
}

bool ShapeInference::calledRoot() {
  if (in_.calledRoots.empty() || !in_.calledRoots[0]) return cannot();
  shape_ = *in_.calledRoots[0];
  return true;
}

}  // namespace

bool inferShape(const ResolvedInstruction &instruction, Shape &shape) {
  return ShapeInference(instruction, shape).infer();
}

}  // namespace indexical
