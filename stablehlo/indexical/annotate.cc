#include "stablehlo/indexical/annotate.h"

#include <string>

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"

#include "stablehlo/import/shapes.h"
#include "stablehlo/indexical/indexical.h"
#include "stablehlo/indexical/queries.h"

namespace indexical {
namespace {

constexpr llvm::StringLiteral kMaps = "indexical.maps";

bool hasMaps(mlir::Value value) {
  auto shape = shapeOf(value.getType());
  return shape.ok() && shape->isArray();
}

/// What ops are annotated: those of functions. Modules and functions hold them;
/// the regions of other ops are theirs.
bool isHolder(mlir::Operation *op) {
  return llvm::isa<mlir::ModuleOp, mlir::FunctionOpInterface>(op);
}

class AnnotateMaps
    : public mlir::PassWrapper<AnnotateMaps,
                               mlir::OperationPass<mlir::ModuleOp>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AnnotateMaps)

  AnnotateMaps() = default;
  AnnotateMaps(const AnnotateMaps &other) : PassWrapper(other) {
    inputToOutput = other.inputToOutput;
    composed = other.composed;
  }

  llvm::StringRef getArgument() const final {
    return "indexical-annotate-maps";
  }
  llvm::StringRef getDescription() const final {
    return "write into each op which elements of its operands it reads";
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const final {
    registry.insert<ir::IndexicalDialect>();
  }

  Option<bool> inputToOutput{
      *this, "input-to-output",
      llvm::cl::desc("the other direction: who reads an operand's elements")};
  Option<bool> composed{
      *this, "composed",
      llvm::cl::desc("what a function's results read of its arguments")};

  void runOnOperation() final {
    mlir::ModuleOp module = getOperation();
    auto maps = ModuleMaps::of(module);
    if (!maps.ok()) {
      module.emitError() << std::string(maps.status().message());
      return signalPassFailure();
    }
    auto visit = [&](mlir::Operation *op) -> mlir::WalkResult {
      if (op == module) return mlir::WalkResult::advance();
      const bool fits =
          composed ? annotateFunction(op, **maps) : annotateOp(op, **maps);
      if (!fits) return mlir::WalkResult::interrupt();
      return isHolder(op) ? mlir::WalkResult::advance()
                          : mlir::WalkResult::skip();
    };
    if (module.walk<mlir::WalkOrder::PreOrder>(visit).wasInterrupted())
      signalPassFailure();
  }

 private:
  Direction direction() const {
    return inputToOutput ? Direction::InputToOutput : Direction::OutputToInput;
  }

  mlir::Attribute entry(mlir::Builder &builder, unsigned result,
                        llvm::StringRef other, unsigned number,
                        const IndexingRelation &relation) {
    llvm::SmallVector<mlir::Attribute, 2> pieces;
    for (const IndexingMap &piece : relation.pieces())
      pieces.push_back(ir::MapAttr::get(&getContext(), piece));
    return builder.getDictionaryAttr(
        {builder.getNamedAttr("result", builder.getI64IntegerAttr(result)),
         builder.getNamedAttr(other, builder.getI64IntegerAttr(number)),
         builder.getNamedAttr("precision", builder.getStringAttr(precisionName(
                                               relation.precision()))),
         builder.getNamedAttr("maps", builder.getArrayAttr(pieces))});
  }

  bool annotateOp(mlir::Operation *op, ModuleMaps &maps) {
    mlir::Builder builder(op->getContext());
    llvm::SmallVector<mlir::Attribute, 4> entries;
    if (isHolder(op)) return true;
    for (mlir::OpResult result : op->getResults())
      for (mlir::OpOperand &operand : op->getOpOperands()) {
        if (!hasMaps(result) || !hasMaps(operand.get())) continue;
        auto reads = maps.readsOf(result, operand, direction());
        if (!reads.ok()) {
          op->emitError() << std::string(reads.status().message());
          return false;
        }
        entries.push_back(entry(builder, result.getResultNumber(), "operand",
                                operand.getOperandNumber(), *reads));
      }
    if (!entries.empty()) op->setAttr(kMaps, builder.getArrayAttr(entries));
    return true;
  }

  bool annotateFunction(mlir::Operation *op, ModuleMaps &maps) {
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    if (!function || function.isExternal() ||
        !function.getFunctionBody().hasOneBlock())
      return true;
    mlir::Builder builder(op->getContext());
    llvm::SmallVector<mlir::Attribute, 4> entries;
    mlir::Block &block = function.getFunctionBody().front();
    mlir::Operation *end = &block.back();
    for (mlir::OpOperand &returned : end->getOpOperands())
      for (mlir::BlockArgument argument : block.getArguments()) {
        if (!hasMaps(returned.get()) || !hasMaps(argument)) continue;
        auto reads = maps.between(returned.get(), argument, direction());
        if (!reads.ok()) {
          end->emitError() << std::string(reads.status().message());
          return false;
        }
        entries.push_back(entry(builder, returned.getOperandNumber(),
                                "argument", argument.getArgNumber(), *reads));
      }
    op->setAttr(kMaps, builder.getArrayAttr(entries));
    return true;
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> createAnnotateMapsPass() {
  return std::make_unique<AnnotateMaps>();
}

void registerAnnotateMapsPass() { mlir::PassRegistration<AnnotateMaps>(); }

}  // namespace indexical
