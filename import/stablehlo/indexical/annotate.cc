#include "indexical/import/stablehlo/indexical/annotate.h"

#include <string>
#include <vector>

#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassRegistry.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/import/stablehlo/indexical/queries.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

constexpr llvm::StringLiteral kMaps = "indexical.maps";

bool hasMaps(mlir::Value value) {
  auto shape = shapeOf(value.getType());
  return shape.ok() && shape->isArray();
}

/// Modules and functions hold the ops that are annotated.
bool isHolder(mlir::Operation *op) {
  return llvm::isa<mlir::ModuleOp, mlir::FunctionOpInterface>(op);
}

/// Whether an op in a region of another op is annotated.
bool hasTensor(mlir::Operation *op) {
  auto isTensor = [](mlir::Type type) {
    return llvm::isa<mlir::TensorType, mlir::VectorType>(type);
  };
  return llvm::any_of(op->getResultTypes(), isTensor) ||
         llvm::any_of(op->getOperandTypes(), isTensor);
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
    arguments = other.arguments;
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
  Option<std::string> arguments{
      *this, "arguments",
      llvm::cl::desc("what `main` is called with: types, and constants from "
                     "which sizes follow, with commas between them")};

  void runOnOperation() final {
    mlir::ModuleOp module = getOperation();
    std::vector<NotImported> failures;
    auto maps = ModuleMaps::of(module, &failures);
    if (!maps.ok()) {
      module.emitError() << std::string(maps.status().message());
      return signalPassFailure();
    }
    if (auto status = refineEntry(**maps); !status.ok()) {
      module.emitError() << std::string(status.message());
      return signalPassFailure();
    }
    llvm::SmallPtrSet<mlir::Operation *, 4> leftOut;
    for (const NotImported &failure : failures) {
      leftOut.insert(failure.function);
      warn(failure.function, failure.status);
    }
    module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (leftOut.contains(op)) return mlir::WalkResult::skip();
      if (composed)
        annotateFunction(op, **maps);
      else if (!isHolder(op) && (isHolder(op->getParentOp()) || hasTensor(op)))
        annotateOp(op, **maps);
      return mlir::WalkResult::advance();
    });
  }

 private:
  static void warn(mlir::Operation *op, const absl::Status &status) {
    op->emitWarning() << "no maps: " << std::string(status.message());
  }

  /// The types and constants of `arguments`.
  absl::StatusOr<std::vector<KnownArgument>> parsedArguments() {
    std::vector<KnownArgument> parsed;
    llvm::StringRef rest = llvm::StringRef(arguments).trim();
    while (!rest.empty()) {
      size_t length = 0;
      mlir::Attribute attribute =
          mlir::parseAttribute(rest, &getContext(), {}, &length);
      auto type = llvm::dyn_cast_or_null<mlir::TypeAttr>(attribute);
      auto value = llvm::dyn_cast_or_null<mlir::ElementsAttr>(attribute);
      if (!type && !value)
        return absl::InvalidArgumentError(
            "argument " + std::to_string(parsed.size()) +
            " would be a type or a constant, such as `tensor<4xf32>` or "
            "`dense<4> : tensor<i64>`, at `" +
            rest.str() + "`");
      INDEXICAL_ASSIGN_OR_RETURN(
          auto shape, shapeOf(type ? type.getValue() : value.getType()));
      if (!shape.isArray())
        return absl::InvalidArgumentError(
            "argument " + std::to_string(parsed.size()) +
            " would be a tensor, a vector or a scalar");
      KnownArgument &argument = parsed.emplace_back();
      argument.shape = shape.array;
      if (value) argument.values = constantValues(value);
      rest = rest.drop_front(length).ltrim();
      if (!rest.empty() && !rest.consume_front(","))
        return absl::InvalidArgumentError("a comma would stand before `" +
                                          rest.str() + "`");
      rest = rest.ltrim();
    }
    return parsed;
  }

  absl::Status refineEntry(ModuleMaps &maps) {
    if (arguments.empty()) return absl::OkStatus();
    INDEXICAL_ASSIGN_OR_RETURN(auto parsed, parsedArguments());
    mlir::FunctionOpInterface entry;
    for (auto function : getOperation().getOps<mlir::FunctionOpInterface>())
      if (function.getName() == "main" || (!entry && function.isPublic()))
        entry = function;
    if (!entry)
      return absl::InvalidArgumentError("no function has these arguments");
    return maps.refine(entry, parsed);
  }

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

  void annotateOp(mlir::Operation *op, ModuleMaps &maps) {
    mlir::Builder builder(op->getContext());
    llvm::SmallVector<mlir::Attribute, 4> entries;
    for (mlir::OpResult result : op->getResults())
      for (mlir::OpOperand &operand : op->getOpOperands()) {
        if (!hasMaps(result) || !hasMaps(operand.get())) continue;
        auto reads = maps.readsOf(result, operand, direction());
        if (!reads.ok()) return warn(op, reads.status());
        entries.push_back(entry(builder, result.getResultNumber(), "operand",
                                operand.getOperandNumber(), *reads));
      }
    if (!entries.empty()) op->setAttr(kMaps, builder.getArrayAttr(entries));
  }

  void annotateFunction(mlir::Operation *op, ModuleMaps &maps) {
    auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op);
    if (!function || function.isExternal() ||
        !function.getFunctionBody().hasOneBlock())
      return;
    mlir::Builder builder(op->getContext());
    llvm::SmallVector<mlir::Attribute, 4> entries;
    mlir::Block &block = function.getFunctionBody().front();
    for (mlir::OpOperand &returned : block.back().getOpOperands())
      for (mlir::BlockArgument argument : block.getArguments()) {
        if (!hasMaps(returned.get()) || !hasMaps(argument)) continue;
        auto reads = maps.between(returned.get(), argument, direction());
        if (!reads.ok()) return warn(op, reads.status());
        entries.push_back(entry(builder, returned.getOperandNumber(),
                                "argument", argument.getArgNumber(), *reads));
      }
    op->setAttr(kMaps, builder.getArrayAttr(entries));
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> createAnnotateMapsPass() {
  return std::make_unique<AnnotateMaps>();
}

void registerAnnotateMapsPass() { mlir::PassRegistration<AnnotateMaps>(); }

}  // namespace indexical
