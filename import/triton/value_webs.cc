#include "indexical/import/triton/value_webs.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

namespace indexical::triton {

ValueWebs::ValueWebs(mlir::Operation *function) {
  function->walk([&](mlir::Operation *op) { join(op, function); });
}

void ValueWebs::join(mlir::Operation *op, mlir::Operation *function) {
  const void *self = op;
  webs_.insert(self);
  for (mlir::Value result : op->getResults())
    webs_.unionSets(self, result.getAsOpaquePointer());
  for (mlir::Value operand : op->getOperands()) {
    const auto argument = llvm::dyn_cast<mlir::BlockArgument>(operand);
    const bool isOfKernel =
        argument && argument.getOwner()->getParentOp() == function;
    if (!isOfKernel) webs_.unionSets(self, operand.getAsOpaquePointer());
  }
  if (op == function || op->getName().getStringRef() == "tt.func") return;
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &inner : region)
      for (mlir::Value argument : inner.getArguments())
        webs_.unionSets(self, argument.getAsOpaquePointer());
}

int64_t ValueWebs::numberOf(mlir::Operation *op) {
  const void *self = op;
  if (webs_.findLeader(self) == webs_.member_end()) return -1;
  const void *leader = webs_.getLeaderValue(self);
  return numbers_.try_emplace(leader, numbers_.size()).first->second;
}

}  // namespace indexical::triton
