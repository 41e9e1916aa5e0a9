#include "indexical/import/triton/inlined_calls.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"

namespace indexical::triton {

using mlir::Operation;

namespace {

// A function that calls itself does so for ever.
constexpr int kMostNested = 16;
constexpr size_t kMostOps = 100'000;

std::vector<Operation *> callsIn(Operation *function) {
  std::vector<Operation *> calls;
  function->walk([&](Operation *op) {
    if (op->getName().getStringRef() == "tt.call") calls.push_back(op);
  });
  return calls;
}

Operation *calleeOf(Operation *call, mlir::ModuleOp module) {
  const auto callee = call->getAttrOfType<mlir::SymbolRefAttr>("callee");
  if (!callee || !module) return nullptr;
  for (Operation &other : module.getBody()->getOperations()) {
    const auto name = other.getAttrOfType<mlir::StringAttr>("sym_name");
    if (!name || name.getValue() != callee.getRootReference().getValue())
      continue;
    const bool isBody = other.getNumRegions() == 1 &&
                        other.getRegion(0).hasOneBlock() &&
                        !other.getRegion(0).front().empty();
    return isBody ? &other : nullptr;
  }
  return nullptr;
}

}  // namespace

InlinedCalls::InlinedCalls(Operation *function) : given_(function) {
  if (callsIn(function).empty()) return;
  mlir::IRMapping mapping;
  copy_ = function->clone(mapping);
  for (const auto &[from, to] : mapping.getOperationMap())
    originals_[to] = from;
  for (int depth = 0; depth < kMostNested; ++depth) {
    const std::vector<Operation *> calls = callsIn(copy_);
    bool isChanged = false;
    for (Operation *call : calls) isChanged |= inlineOne(call);
    if (!isChanged) break;
  }
}

InlinedCalls::~InlinedCalls() {
  if (copy_) copy_->destroy();
}

bool InlinedCalls::inlineOne(Operation *call) {
  Operation *callee = calleeOf(call, given_->getParentOfType<mlir::ModuleOp>());
  if (!callee || ops_ > kMostOps) return false;
  mlir::Block &body = callee->getRegion(0).front();
  Operation &end = body.back();
  if (body.getNumArguments() != call->getNumOperands() ||
      end.getNumOperands() != call->getNumResults())
    return false;
  for (auto [given, taken] :
       llvm::zip(call->getOperandTypes(), body.getArgumentTypes()))
    if (given != taken) return false;
  mlir::IRMapping mapping;
  mapping.map(body.getArguments(), call->getOperands());
  for (Operation &op : body.without_terminator()) {
    Operation *copy = op.clone(mapping);
    call->getBlock()->getOperations().insert(call->getIterator(), copy);
    copy->walk([&](Operation *) { ++ops_; });
  }
  for (const auto &[from, to] : mapping.getOperationMap())
    originals_[to] = from;
  for (auto [result, value] : llvm::zip(call->getResults(), end.getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  originals_.erase(call);
  call->erase();
  return true;
}

}  // namespace indexical::triton
