// The constraints of control flow, tuples and barriers.
#include <string>

#include "llvm/ADT/STLExtras.h"

#include "indexical/import/stablehlo/dialect/control.h"
#include "indexical/import/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::success;

namespace {

LogicalResult listsAgree(Operation *op, llvm::StringRef constraint,
                         llvm::StringRef leftName, mlir::TypeRange left,
                         llvm::StringRef rightName, mlir::TypeRange right) {
  bool same = left.size() == right.size();
  for (size_t i = 0; same && i < left.size(); ++i)
    same = typesAgree(left[i], right[i]);
  if (same) return success();
  return broken(op, constraint) << leftName << " and " << rightName
                                << " must have the same types, but have ("
                                << left << ") and (" << right << ")";
}

// Checks that a branch takes no arguments, and returns the results.
LogicalResult checkBranch(Operation *op, mlir::Region &region,
                          llvm::StringRef name, llvm::StringRef inputs,
                          llvm::StringRef outputs) {
  mlir::Block *block = onlyBlock(op, inputs, name, region);
  if (!block) return failure();
  if (block->getNumArguments() != 0)
    return broken(op, inputs) << name << " must take no arguments, but takes "
                              << block->getNumArguments();
  return listsAgree(op, outputs, name, block->back().getOperandTypes(),
                    "the results", op->getResultTypes());
}

}  // namespace

LogicalResult IfOp::verify() {
  if (tensorType(getPred()).getRank() != 0)
    return broken(*this, "")
           << "pred must be a tensor of rank 0, not " << getPred().getType();
  if (failed(
          checkBranch(*this, getTrueBranch(), "the true branch", "C1", "C3")))
    return failure();
  return checkBranch(*this, getFalseBranch(), "the false branch", "C1", "C2");
}

LogicalResult CaseOp::verify() {
  if (tensorType(getIndex()).getRank() != 0)
    return broken(*this, "")
           << "index must be a tensor of rank 0, not " << getIndex().getType();
  if (getBranches().empty())
    return broken(*this, "C1") << "there must be at least one branch";
  for (auto [i, branch] : llvm::enumerate(getBranches()))
    if (failed(checkBranch(*this, branch, "branch " + std::to_string(i), "C2",
                           i == 0 ? "C4" : "C3")))
      return failure();
  return success();
}

LogicalResult WhileOp::verify() {
  mlir::Block *cond = onlyBlock(*this, "C1", "cond", getCond());
  if (!cond) return failure();
  mlir::Block *body = onlyBlock(*this, "C2", "the body", getBody());
  if (!body) return failure();
  mlir::TypeRange values = getOperandTypes();
  if (failed(listsAgree(*this, "C1", "the arguments of cond",
                        cond->getArgumentTypes(), "the operands", values)) ||
      failed(listsAgree(*this, "C2", "the arguments of the body",
                        body->getArgumentTypes(), "the operands", values)) ||
      failed(listsAgree(*this, "C2", "what the body returns",
                        body->back().getOperandTypes(), "the operands",
                        values)) ||
      failed(listsAgree(*this, "C3", "the results", getResultTypes(),
                        "the operands", values)))
    return failure();
  mlir::Operation &last = cond->back();
  if (last.getNumOperands() == 1 &&
      isTensorOf(last.getOperand(0).getType(), kPred) &&
      tensorType(last.getOperand(0)).getRank() == 0)
    return success();
  return broken(*this, "C1") << "cond must return one tensor<i1>, but returns ("
                             << last.getOperandTypes() << ")";
}

/// Verifies that results that come from outside the module have known sizes.
static LogicalResult resultsSayTheirSizes(Operation *op) {
  for (auto [k, type] : llvm::enumerate(op->getResultTypes()))
    if (failed(saysItsSizes(op, "results[" + std::to_string(k) + "]", type,
                            BoundedSizes::None)))
      return mlir::failure();
  return mlir::success();
}

LogicalResult InfeedOp::verify() { return resultsSayTheirSizes(*this); }

LogicalResult RecvOp::verify() { return resultsSayTheirSizes(*this); }

LogicalResult OptimizationBarrierOp::verify() {
  return listsAgree(*this, "C1", "the results", getResultTypes(),
                    "the operands", getOperandTypes());
}

LogicalResult TupleOp::verify() {
  return listsAgree(
      *this, "C1", "the parts of the result",
      llvm::cast<mlir::TupleType>(getResult().getType()).getTypes(),
      "the operands", getOperandTypes());
}

LogicalResult GetTupleElementOp::verify() {
  auto tuple = llvm::cast<mlir::TupleType>(getOperand().getType());
  int64_t index = getIndexAttr().getInt();
  if (failed(inRange(*this, "C1", "index", {index},
                     static_cast<int64_t>(tuple.size()),
                     "the number of the operand's parts")))
    return failure();
  return listsAgree(*this, "C2", "the result", getResult().getType(),
                    "that part of the operand", tuple.getType(index));
}

LogicalResult AsyncStartOp::verify() {
  mlir::Block *block = onlyBlock(*this, "", "the body", getBody());
  if (!block) return failure();
  if (failed(listsAgree(*this, "", "the arguments of the body",
                        block->getArgumentTypes(), "the operands",
                        getOperandTypes())))
    return failure();
  return listsAgree(*this, "", "what the body returns",
                    block->back().getOperandTypes(), "the future",
                    llvm::cast<FutureType>(getResult().getType()).getTypes());
}

LogicalResult AsyncDoneOp::verify() {
  return listsAgree(*this, "", "the results", getResultTypes(), "the future",
                    llvm::cast<FutureType>(getFuture().getType()).getTypes());
}

}  // namespace indexical::stablehlo
