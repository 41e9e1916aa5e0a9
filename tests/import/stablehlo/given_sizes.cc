#include "tests/import/stablehlo/given_sizes.h"

#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/refine.h"

namespace indexical::testing {
namespace {

using Function = mlir::FunctionOpInterface;

/// Sets types to those of the refined computations.
class Typer {
 public:
  Typer(mlir::ModuleOp module, const Module &refined, const ImportedOps &ops)
      : module_(module), refined_(refined), ops_(ops) {}

  absl::Status setFunction(Function function, int32_t c) {
    auto [known, isNew] = computations_.try_emplace(function, c);
    if (!isNew && known->second != c)
      return absl::UnimplementedError(
          "a function that is called with several sizes");
    if (!isNew) return absl::OkStatus();
    const Computation &computation = refined_.computations[c];
    mlir::Block &block = function.getFunctionBody().front();
    for (mlir::BlockArgument argument : block.getArguments()) {
      const int32_t p = computation.parameters[argument.getArgNumber()];
      if (auto s = setType(argument, computation.instructions[p].shape);
          !s.ok())
        return s;
    }
    for (mlir::Operation &op : block.without_terminator())
      if (auto s = setResults(op, computation); !s.ok()) return s;
    function.setType(
        mlir::FunctionType::get(function.getContext(), block.getArgumentTypes(),
                                block.getTerminator()->getOperandTypes()));
    return absl::OkStatus();
  }

 private:
  absl::Status setResults(mlir::Operation &op, const Computation &computation) {
    auto found = ops_.find(&op);
    if (found == ops_.end())
      return absl::InternalError("an op that has not been imported");
    const Instruction &instruction =
        computation.instructions[found->second.instruction];
    const bool isList = op.getNumResults() != 1;
    for (mlir::OpResult result : op.getResults())
      if (auto s = setType(
              result,
              isList ? instruction.shape->elements[result.getResultNumber()]
                     : *instruction.shape);
          !s.ok())
        return s;
    auto callee = op.getAttrOfType<mlir::FlatSymbolRefAttr>("callee");
    if (!callee) return absl::OkStatus();
    auto function = module_.lookupSymbol<Function>(callee.getAttr());
    if (!function || instruction.called.size() != 1)
      return absl::InternalError("a call of what is not there");
    return setFunction(function, instruction.called[0].computation);
  }

  absl::Status setType(mlir::Value value, const Shape &shape) {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
    if (!type || type.hasStaticShape()) return absl::OkStatus();
    if (!shape.isArray() || shape.array.hasUnknownSize())
      return absl::UnimplementedError("a size that stays unknown");
    value.setType(mlir::RankedTensorType::get(shape.array.dimensions,
                                              type.getElementType()));
    return absl::OkStatus();
  }

  mlir::ModuleOp module_;
  const Module &refined_;
  const ImportedOps &ops_;
  std::map<mlir::Operation *, int32_t> computations_;
};

std::vector<KnownArgument> argumentsOf(const Computation &main, int64_t size) {
  std::vector<KnownArgument> arguments;
  for (int32_t parameter : main.parameters) {
    KnownArgument &argument = arguments.emplace_back();
    argument.shape = main.instructions[parameter].shape->array;
    for (int64_t &each : argument.shape.dimensions)
      if (each == kDynamicSize) each = size;
    if (argument.shape.isScalar() && argument.shape.type == ElementType::S64)
      argument.values = {size};
  }
  return arguments;
}

}  // namespace

absl::Status giveSizes(mlir::ModuleOp module, int64_t size) {
  ImportedOps ops;
  auto program = importMlir(module, {}, &ops);
  if (!program.ok()) return program.status();
  const Module &imported = program->modules[0];
  auto main = module.lookupSymbol<Function>("main");
  const ComputationId c = imported.find("main");
  if (!main || c < 0) return absl::UnimplementedError("there is no `main`");
  auto known =
      refined(imported, c, argumentsOf(imported.computations[c], size));
  if (!known.ok()) return known.status();
  if (auto s = Typer(module, *known, ops).setFunction(main, known->entry);
      !s.ok())
    return s;
  // The dialect's errors would be printed otherwise.
  mlir::ScopedDiagnosticHandler silent(module.getContext(),
                                       [](mlir::Diagnostic &) {});
  if (mlir::failed(mlir::verify(module)))
    return absl::InternalError("the sizes that follow are refused");
  return absl::OkStatus();
}

}  // namespace indexical::testing
