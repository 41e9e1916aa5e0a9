// The constraints of the ops that reduce, order and window.
#include "indexical/stablehlo/dialect/reduction.h"
#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

std::string numbered(llvm::StringRef name, size_t i) {
  return (name + "[" + llvm::Twine(i) + "]").str();
}

// As many inputs as inits and results, all inputs of one shape.
LogicalResult checkCounts(Operation *op, llvm::StringRef countConstraint,
                          llvm::StringRef shapeConstraint) {
  size_t operands = op->getNumOperands(), results = op->getNumResults();
  if (operands == 0 || operands % 2 != 0 || results != operands / 2)
    return broken(op, countConstraint)
           << "there must be as many init_values and results as inputs, and at "
              "least one, but there are "
           << operands << " operands and " << results << " results";
  for (size_t i = 0; i < results; ++i)
    if (failed(sameShape(op, shapeConstraint, "inputs[0]",
                         tensorType(op->getOperand(0)), numbered("inputs", i),
                         tensorType(op->getOperand(i)))))
      return failure();
  return success();
}

// Inits have the element types of inputs, and rank 0; or the shape of rows,
// some of `sizes` in their order, which the body then computes with.
LogicalResult checkInits(Operation *op, llvm::StringRef constraint,
                         Numbers sizes) {
  size_t count = op->getNumResults();
  for (size_t i = 0; i < count; ++i) {
    RankedTensorType init = tensorType(op->getOperand(count + i));
    if (failed(sameElements(op, constraint, numbered("inputs", i),
                            tensorType(op->getOperand(i)),
                            numbered("init_values", i), init)))
      return failure();
    size_t next = 0;
    for (int64_t d = 0; d < init.getRank(); ++d) {
      Size size = sizeOf(init, d);
      while (next < sizes.size() && !agree({sizes[next], sizes[next]}, size))
        ++next;
      if (next++ >= sizes.size())
        return broken(op, constraint)
               << numbered("init_values", i)
               << " must be a tensor of rank 0, not " << init;
    }
  }
  return success();
}

// Element types of results are those that the body computes.
LogicalResult checkElements(Operation *op, llvm::StringRef constraint,
                            mlir::TypeRange elements) {
  for (auto [i, element] : llvm::enumerate(elements))
    if (!elementsAgree(op->getResult(i).getType(), element))
      return broken(op, constraint)
             << "results[" << i << "] must have the element type " << element
             << " that the body returns, but is " << op->getResult(i).getType();
  return success();
}

}  // namespace

LogicalResult ReduceOp::verify() {
  if (failed(checkCounts(*this, "C3", "C1"))) return failure();
  RankedTensorType input = tensorType(getOperand(0));
  llvm::SmallVector<int64_t> dimensions = getDimensions();
  llvm::SmallVector<mlir::Type> elements;
  if (failed(inRange(*this, "C4", "dimensions", dimensions, input.getRank(),
                     "rank(inputs[0])")) ||
      failed(isUnique(*this, "C5", "dimensions", dimensions)))
    return failure();
  llvm::SmallVector<int64_t> kept;
  for (int64_t d = 0; d < input.getRank(); ++d)
    if (!llvm::is_contained(dimensions, d)) kept.push_back(input.getDimSize(d));
  if (failed(checkInits(*this, "C2", kept))) return failure();
  if (failed(isReduction(*this, "C6", "the body", getBody(),
                         getInputs().getTypes(), getInitValues().getTypes(),
                         elements)))
    return failure();
  for (auto [i, result] : llvm::enumerate(getResults()))
    if (failed(shapeIs(*this, "C7", numbered("results", i), tensorType(result),
                       kept, "that of the inputs without dimensions")))
      return failure();
  return checkElements(*this, "C8", elements);
}

//===-- Windows -----------------------------------------------------------===//

namespace {

// The attributes of a window; an absent list is ones, absent padding none.
struct Window {
  Operation *op;
  RankedTensorType over;
  std::optional<llvm::SmallVector<int64_t>> sizes, strides, baseDilations,
      dilations;
  mlir::Attribute padding;
};

// One entry a dimension, at least 1 each; the constraints follow one another,
// the size's first.
LogicalResult checkList(const Window &window, int constraint,
                        llvm::StringRef name,
                        const std::optional<llvm::SmallVector<int64_t>> &list) {
  if (!list) return success();
  std::string size = "C" + std::to_string(constraint);
  std::string least = "C" + std::to_string(constraint + 1);
  if (failed(hasSize(window.op, size, name, *list, window.over.getRank(),
                     "the rank of inputs[0]")))
    return failure();
  return atLeast(window.op, least, name, *list, 1);
}

LogicalResult checkPadding(const Window &window, llvm::StringRef constraint) {
  if (!window.padding) return success();
  Numbers shape =
      llvm::cast<mlir::ElementsAttr>(window.padding).getShapedType().getShape();
  if (shape[0] == window.over.getRank() && shape[1] == 2) return success();
  return broken(window.op, constraint)
         << "padding must have the shape [" << window.over.getRank()
         << ", 2], but has " << listed(shape);
}

// The number of windows along each dimension.
llvm::SmallVector<int64_t> windows(const Window &window) {
  llvm::SmallVector<int64_t> counts;
  auto padding = integerTable(window.padding);
  for (int64_t d = 0; d < window.over.getRank(); ++d) {
    auto at = [&](const std::optional<llvm::SmallVector<int64_t>> &list) {
      return list ? (*list)[d] : 1;
    };
    int64_t size = window.over.getDimSize(d);
    if (size == kUnknown) {
      counts.push_back(kUnknown);
      continue;
    }
    WindowSteps steps{at(window.sizes),         at(window.strides),  0, 0,
                      at(window.baseDilations), at(window.dilations)};
    if (window.padding) {
      steps.low = padding[d][0];
      steps.high = padding[d][1];
    }
    counts.push_back(windowCount(size, steps));
  }
  return counts;
}

}  // namespace

LogicalResult ReduceWindowOp::verify() {
  if (failed(checkCounts(*this, "C1", "C2"))) return failure();
  Window window{*this,
                tensorType(getOperand(0)),
                getWindowDimensions(),
                getWindowStrides(),
                getBaseDilations(),
                getWindowDilations(),
                getPaddingAttr()};
  if (failed(checkInits(*this, "C3", getWindowDimensions()))) return failure();
  llvm::SmallVector<mlir::Type> elements;
  if (failed(checkList(window, 4, "window_dimensions", window.sizes)) ||
      failed(checkList(window, 6, "window_strides", window.strides)) ||
      failed(checkList(window, 8, "base_dilations", window.baseDilations)) ||
      failed(checkList(window, 10, "window_dilations", window.dilations)) ||
      failed(checkPadding(window, "C12")) ||
      failed(isReduction(*this, "C13", "the body", getBody(),
                         getInputs().getTypes(), getInitValues().getTypes(),
                         elements)))
    return failure();
  llvm::SmallVector<int64_t> expected = windows(window);
  for (auto [i, result] : llvm::enumerate(getResults()))
    if (failed(shapeIs(*this, "C15", numbered("results", i), tensorType(result),
                       expected, "the number of windows along each dimension")))
      return failure();
  return checkElements(*this, "C16", elements);
}

LogicalResult SelectAndScatterOp::verify() {
  RankedTensorType operand = getOperand().getType();
  RankedTensorType source = getSource().getType();
  RankedTensorType init = getInitValue().getType();
  Window window{*this, operand, getWindowDimensions(), getWindowStrides(),
                {},    {},      getPaddingAttr()};
  if (failed(sameElements(*this, "C1", "operand", operand, "source", source)))
    return failure();
  if (init.getRank() != 0)
    return broken(*this, "C3")
           << "init_value must be a tensor of rank 0, not " << init;
  if (failed(
          sameElements(*this, "C3", "operand", operand, "init_value", init)) ||
      failed(checkList(window, 4, "window_dimensions", window.sizes)) ||
      failed(checkList(window, 6, "window_strides", window.strides)) ||
      failed(checkPadding(window, "C8")) ||
      failed(shapeIs(*this, "C2", "source", source, windows(window),
                     "the number of windows along each dimension")))
    return failure();
  mlir::Block *select = onlyBlock(*this, "C9", "select", getSelect());
  if (!select) return failure();
  mlir::Operation &last = select->back();
  if (select->getNumArguments() != 2 || last.getNumOperands() != 1 ||
      !isTensorOf(last.getOperand(0).getType(), kPred))
    return broken(*this, "C9") << "select must take two elements and return a "
                                  "tensor<i1>, but takes "
                               << select->getNumArguments() << " and returns "
                               << last.getOperandTypes();
  for (mlir::Value argument : select->getArguments())
    if (!isTensorOf(argument.getType(), kAny) ||
        tensorType(argument).getRank() != 0 ||
        !elementsAgree(argument.getType(), operand))
      return broken(*this, "C9")
             << "select must take tensor<" << operand.getElementType()
             << ">, but takes " << argument.getType();
  llvm::SmallVector<mlir::Type> elements;
  if (failed(isReduction(*this, "C10", "scatter", getScatter(), {operand}, {},
                         elements)) ||
      failed(sameShape(*this, "C11", "operand", operand, "result", getType())))
    return failure();
  return checkElements(*this, "C12", elements);
}

//===-- sort, map ---------------------------------------------------------===//

LogicalResult SortOp::verify() {
  if (getInputs().empty())
    return broken(*this, "C1") << "there must be at least one input";
  if (getInputs().size() != getResults().size())
    return broken(*this, "C2")
           << "there must be a result for each of the " << getInputs().size()
           << " inputs, not " << getResults().size();
  RankedTensorType first = tensorType(getInputs()[0]);
  for (size_t i = 0; i < getInputs().size(); ++i) {
    RankedTensorType input = tensorType(getInputs()[i]);
    RankedTensorType result = tensorType(getResults()[i]);
    if (failed(sameElements(*this, "C2", numbered("inputs", i), input,
                            numbered("results", i), result)) ||
        failed(sameShape(*this, "C3", "inputs[0]", first, numbered("inputs", i),
                         input)) ||
        failed(sameShape(*this, "C3", "inputs[0]", first,
                         numbered("results", i), result)))
      return failure();
  }
  int64_t rank = first.getRank();
  if (rank != 0 && failed(inRange(*this, "C4", "dimension", {getDimension()},
                                  rank, "rank(inputs[0])", -rank)))
    return failure();
  mlir::Block *block =
      onlyBlock(*this, "C5", "the comparator", getComparator());
  if (!block) return failure();
  if (block->getNumArguments() != 2 * getInputs().size())
    return broken(*this, "C5")
           << "the comparator must take two values for each of the "
           << getInputs().size() << " inputs, but takes "
           << block->getNumArguments();
  for (auto [i, argument] : llvm::enumerate(block->getArguments())) {
    mlir::Type element = tensorType(getInputs()[i / 2]).getElementType();
    if (!isTensorOf(argument.getType(), kAny) ||
        tensorType(argument).getRank() != 0 ||
        !elementsAgree(argument.getType(), element))
      return broken(*this, "C5")
             << "argument " << i << " of the comparator must be tensor<"
             << element << ">, but is " << argument.getType();
  }
  mlir::Operation &last = block->back();
  if (last.getNumOperands() != 1 ||
      !isTensorOf(last.getOperand(0).getType(), kPred) ||
      tensorType(last.getOperand(0)).getRank() != 0)
    return broken(*this, "C5")
           << "the comparator must return one tensor<i1>, but returns "
           << last.getOperandTypes();
  return success();
}

LogicalResult MapOp::verify() {
  if (getInputs().empty())
    return broken(*this, "C2") << "there must be at least one input";
  RankedTensorType result = getType();
  for (auto [i, input] : llvm::enumerate(getInputs()))
    if (failed(sameShape(*this, "C1", numbered("inputs", i), tensorType(input),
                         "result", result)))
      return failure();
  llvm::SmallVector<int64_t> dimensions = getDimensions();
  int64_t rank = tensorType(getInputs()[0]).getRank();
  if (!llvm::equal(dimensions, llvm::seq<int64_t>(0, rank)))
    return broken(*this, "C3")
           << "dimensions must be all of the " << rank
           << " dimensions in order, but is " << listed(dimensions);
  mlir::Block *block =
      onlyBlock(*this, "C4", "the computation", getComputation());
  if (!block) return failure();
  mlir::Operation &last = block->back();
  if (block->getNumArguments() != getInputs().size() ||
      last.getNumOperands() != 1 ||
      !isTensorOf(last.getOperand(0).getType(), kAny) ||
      tensorType(last.getOperand(0)).getRank() != 0 ||
      !elementsAgree(last.getOperand(0).getType(), result))
    return broken(*this, "C4")
           << "the computation must take an element of each of the "
           << getInputs().size() << " inputs and return tensor<"
           << result.getElementType() << ">, but takes "
           << block->getNumArguments() << " and returns "
           << last.getOperandTypes();
  for (auto [i, argument] : llvm::enumerate(block->getArguments()))
    if (!isTensorOf(argument.getType(), kAny) ||
        tensorType(argument).getRank() != 0 ||
        !elementsAgree(argument.getType(), getInputs()[i].getType()))
      return broken(*this, "C4")
             << "argument " << i
             << " of the computation must be an element of input " << i
             << ", but is " << argument.getType();
  return success();
}

}  // namespace indexical::stablehlo
