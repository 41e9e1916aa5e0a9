#include "indexical/import/llvm/failures.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "indexical/import/llvm/defined_ops.h"
#include "indexical/import/llvm/undefined_values.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::Instruction;

namespace {

bool isAssume(const Instruction &at) {
  const auto *call = dyn_cast<llvm::IntrinsicInst>(&at);
  return call && call->getIntrinsicID() == llvm::Intrinsic::assume;
}

}  // namespace

Failures::Failures(llvm::Function &function, ValueTerms &terms,
                   AccessPlacer &placer, const ThreadTile &tile, int64_t order,
                   const Stop *stop)
    : function_(function),
      terms_(terms),
      placer_(placer),
      tile_(tile),
      order_(order),
      stop_(stop),
      threads_(placer.space(order)) {
  threads_.tile.assign(tile.sides().begin(), tile.sides().end());
}

std::optional<Doubt> Failures::branch(const Instruction &end) {
  const llvm::Value *by = nullptr;
  if (const auto *branch = dyn_cast<llvm::BranchInst>(&end);
      branch && branch->isConditional())
    by = branch->getCondition();
  if (const auto *choice = dyn_cast<llvm::SwitchInst>(&end))
    by = choice->getCondition();
  if (!by) return std::nullopt;
  const Instruction *op =
      undefinedLeftOut(terms_, by, terms_.integer(by), Flags::Ignored,
                       [&](const Instruction &at) {
                         return hasResult(terms_, at, threads_, stop_);
                       });
  if (!op) return std::nullopt;
  return Doubt{op, "the op", "has no result for some numbers"};
}

bool Failures::mayComeTo(const Instruction &end, const llvm::Value &pointer) {
  // An access by each thread that comes there.
  MemoryOp op;
  op.at = &end;
  op.bytes = op.elementBytes = 1;
  op.address = &pointer;
  const auto placed =
      placer_.place(op, order_, 1, tile_.sides(), Misaligned::Fails);
  return !placed.ok() || !llvm::all_of(placed->maps, isNever);
}

std::optional<Doubt> Failures::first() {
  const auto pointer =
      llvm::find_if(function_.args(), [](const llvm::Argument &argument) {
        return argument.getType()->isPointerTy() && !argument.hasByValAttr();
      });
  if (pointer == function_.arg_end()) return std::nullopt;
  for (const llvm::BasicBlock &block : function_) {
    if (!terms_.dominators().isReachableFromEntry(&block)) continue;
    const Instruction &end = *block.getTerminator();
    if (auto found = branch(end)) return found;
    if (!llvm::isa<llvm::UnreachableInst>(end) || !mayComeTo(end, *pointer))
      continue;
    const Instruction *before = end.getPrevNode();
    return Doubt{before ? before : &end, "a thread may fail", ""};
  }
  return std::nullopt;
}

std::optional<Doubt> Failures::assumed() {
  for (const Instruction &each : llvm::instructions(function_)) {
    if (!isAssume(each)) continue;
    const TermId condition = terms_.integer(each.getOperand(0));
    const auto bounds = kernels::PieceMaker(terms_.terms(), threads_, stop_)
                            .bounds(terms_.resized(condition, 64, false));
    if (!bounds.ok() || *bounds != Interval::point(1))
      return Doubt{&each, "a condition", "is taken for true"};
  }
  return std::nullopt;
}

bool Failures::hasAssumptions() const {
  return llvm::any_of(llvm::instructions(function_),
                      [](const Instruction &each) {
                        return isAssume(each) ||
                               (llvm::isa<llvm::LoadInst>(each) &&
                                each.getMetadata(llvm::LLVMContext::MD_range));
                      });
}

}  // namespace indexical::compiled
