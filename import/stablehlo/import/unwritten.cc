#include "indexical/import/stablehlo/import/unwritten.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "indexical/import/stablehlo/import/configuration.h"

namespace indexical {
namespace {

/// A body that writes all elements of its result, and names none of those
/// before, does not read them.
bool mayRead(mlir::OpOperand &use) {
  if (auto body = llvm::dyn_cast<mlir::linalg::LinalgOp>(use.getOwner()))
    return body.payloadUsesValueFromOperand(&use);
  return !llvm::isa<mlir::tensor::DimOp>(use.getOwner());
}

/// The names of the functions that are called.
llvm::StringSet<> calledIn(mlir::Operation *module) {
  llvm::StringSet<> called;
  module->walk([&](mlir::CallOpInterface call) {
    const auto callee = call.getCallableForCallee();
    if (auto symbol = llvm::dyn_cast<mlir::SymbolRefAttr>(callee))
      called.insert(symbol.getLeafReference().getValue());
  });
  return called;
}

/// Whether the op may run more than once: something but its function is around
/// it, or calls have its function.
bool mayRunOften(mlir::Operation *op, const llvm::StringSet<> &called) {
  auto function =
      llvm::dyn_cast_or_null<mlir::FunctionOpInterface>(op->getParentOp());
  return !function || called.contains(function.getName()) ||
         !function.getFunctionBody().hasOneBlock();
}

}  // namespace

UnwrittenTensors::UnwrittenTensors(mlir::Operation *module) {
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Type>, int64_t> counts;
  std::optional<llvm::StringSet<>> called;
  module->walk([&](mlir::tensor::EmptyOp op) {
    if (llvm::none_of(op->getUses(), mayRead)) return;
    if (!called) called = calledIn(module);
    if (mayRunOften(op, *called)) {
      items_[op] = kEffectOfOperands.str();
      return;
    }
    const int64_t number = counts[{op->getParentOp(), op.getType()}]++;
    if (number > 0) items_[op] = "unwritten=" + std::to_string(number);
  });
}

std::string UnwrittenTensors::itemOf(mlir::Operation *op) const {
  return items_.lookup(op);
}

}  // namespace indexical
