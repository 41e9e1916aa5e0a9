// The ops that reduce, order and window: the types of inits, bodies and
// results. Shapes and attributes are their families' (ops/reduction/,
// ops/algorithms/).
#include "indexical/import/stablehlo/dialect/reduction.h"
#include "indexical/import/stablehlo/dialect/rules.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

std::string numbered(llvm::StringRef name, size_t i) {
  return (name + "[" + llvm::Twine(i) + "]").str();
}

// The rules of a reduction. StableHLO's alone: an init may be a row, some of
// `sizes` in their order, with which the body then computes. A family knows
// scalars.
LogicalResult keepsRulesOfReduction(Operation *op, Describer describe,
                                    llvm::StringRef inits, Numbers sizes) {
  OpShapes shapes = ruleShapes(op);
  const size_t count = shapes.operands.size() / 2;
  for (size_t i = count; i < shapes.operands.size(); ++i)
    if (!shapes.operands[i].isScalar())
      shapes.operands.mutableAt(i) = ArrayShape(ElementType::Unknown, {});
  if (failed(keepsRules(op, describe(op, std::move(shapes))))) return failure();
  for (size_t i = 0; i < count; ++i) {
    RankedTensorType init = tensorType(op->getOperand(count + i));
    if (failed(sameElements(op, inits, numbered("inputs", i),
                            tensorType(op->getOperand(i)),
                            numbered("init_values", i), init)))
      return failure();
    size_t next = 0;
    for (int64_t d = 0; d < init.getRank(); ++d) {
      Size size = sizeOf(init, d);
      while (next < sizes.size() && !agree({sizes[next], sizes[next]}, size))
        ++next;
      if (next++ >= sizes.size())
        return broken(op, inits) << numbered("init_values", i)
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
  llvm::SmallVector<int64_t> dimensions = getDimensions(), kept;
  if (getNumOperands() > 0)
    for (auto [d, size] : llvm::enumerate(tensorType(getOperand(0)).getShape()))
      if (!llvm::is_contained(dimensions, static_cast<int64_t>(d)))
        kept.push_back(size);
  if (failed(keepsRulesOfReduction(*this, rows::describeReduce, "C2", kept)))
    return failure();
  llvm::SmallVector<mlir::Type> elements;
  if (failed(isReduction(*this, "C6", "the body", getBody(),
                         getInputs().getTypes(), getInitValues().getTypes(),
                         elements)))
    return failure();
  return checkElements(*this, "C8", elements);
}

LogicalResult ReduceWindowOp::verify() {
  if (failed(keepsRulesOfReduction(*this, rows::describeReduceWindow, "C3",
                                   getWindowDimensions())))
    return failure();
  llvm::SmallVector<mlir::Type> elements;
  if (failed(isReduction(*this, "C13", "the body", getBody(),
                         getInputs().getTypes(), getInitValues().getTypes(),
                         elements)))
    return failure();
  return checkElements(*this, "C16", elements);
}

LogicalResult SelectAndScatterOp::verify() {
  RankedTensorType operand = getOperand().getType();
  if (failed(sameElements(*this, "C1", "operand", operand, "source",
                          getSource().getType())) ||
      failed(sameElements(*this, "C3", "operand", operand, "init_value",
                          getInitValue().getType())) ||
      failed(keepsRules(*this, rows::describeSelectAndScatter)))
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
                         elements)))
    return failure();
  return checkElements(*this, "C12", elements);
}

//===-- sort, map ---------------------------------------------------------===//

LogicalResult SortOp::verify() {
  // StableHLO's alone: scalars are taken as they are, and the dimension may
  // count from the end.
  const int64_t rank =
      getNumOperands() > 0 ? tensorType(getOperand(0)).getRank() : -1;
  if (rank == 0) {
    if (failed(verifyAgreeingShapes(*this))) return failure();
  } else if ((rank > 0 &&
              failed(inRange(*this, "C4", "dimension", {getDimension()}, rank,
                             "rank(inputs[0])", -rank))) ||
             failed(keepsRules(*this, rows::describeSort))) {
    return failure();
  }
  for (size_t i = 0; i < getInputs().size(); ++i)
    if (failed(sameElements(*this, "C2", numbered("inputs", i),
                            tensorType(getInputs()[i]), numbered("results", i),
                            tensorType(getResults()[i]))))
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
