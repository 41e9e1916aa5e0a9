#include "indexical/import/stablehlo/import/blocks.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace indexical {

Blocks::Blocks(mlir::Region &region) : region_(region) {
  for (mlir::Block &block : region) {
    auto &reached = reached_[&block];
    llvm::SmallVector<mlir::Block *, 8> open(block.succ_begin(),
                                             block.succ_end());
    while (!open.empty()) {
      mlir::Block *next = open.pop_back_val();
      if (reached.insert(next).second)
        open.append(next->succ_begin(), next->succ_end());
    }
  }
}

mlir::Value Blocks::only(mlir::BlockArgument argument) const {
  mlir::Block *block = argument.getOwner();
  mlir::Block *before = block->getSinglePredecessor();
  if (!before || reaches(block, block)) return nullptr;
  auto branch =
      llvm::dyn_cast<mlir::BranchOpInterface>(before->getTerminator());
  if (!branch) return nullptr;
  mlir::Value value;
  for (unsigned s = 0; s < branch->getNumSuccessors(); ++s) {
    if (branch->getSuccessor(s) != block) continue;
    mlir::SuccessorOperands operands = branch.getSuccessorOperands(s);
    if (argument.getArgNumber() >= operands.size()) return nullptr;
    mlir::Value passed = operands[argument.getArgNumber()];
    if (!passed || (value && value != passed)) return nullptr;
    value = passed;
  }
  return value;
}

Blocks::Values Blocks::behind(mlir::Block &block, Captures &captures) const {
  Values values;
  for (mlir::Block &other : region_) {
    const bool leadsHere = &other == &block || reaches(&other, &block);
    if (!leadsHere) continue;
    const bool inLoop =
        &other == &block ? reaches(&block, &block) : reaches(&block, &other);
    auto add = [&](mlir::Value value) {
      mlir::Block *from = value.getParentBlock();
      const bool isBefore = from->getParent() != &region_ ||
                            (reaches(from, &block) && !reaches(&block, from));
      if (isBefore) values.insert(value);
    };
    if (inLoop) {
      for (mlir::Operation &op : other) {
        for (mlir::Value operand : op.getOperands()) add(operand);
        for (mlir::Value captured : captures.of(&op)) add(captured);
      }
    } else if (&other != &block) {
      for (mlir::Value operand : other.back().getOperands()) add(operand);
    }
  }
  return values;
}

mlir::Operation *Blocks::onlyExit() const {
  mlir::Operation *exit = nullptr;
  for (mlir::Block &block : region_) {
    if (block.empty() || block.getNumSuccessors() > 0) continue;
    if (exit) return nullptr;
    exit = &block.back();
  }
  return exit;
}

Blocks::Values Blocks::behindExits() const {
  Values values;
  for (mlir::Block &block : region_)
    if (!block.empty())
      for (mlir::Value operand : block.back().getOperands())
        values.insert(operand);
  return values;
}

}  // namespace indexical
