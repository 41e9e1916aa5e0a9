// Queries of a pass: what an op of MLIR reads.
//
// A pass can ask for one op, without anything around it:
//
//   // %t = linalg.transpose ins(%a : tensor<2x3xf32>) outs(…)
//   //        permutation = [1, 0]
//   auto reads = readsOf(op->getResult(0), op->getOpOperand(0));
//   // exact, (d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 1]
//   auto users = readsOf(op->getResult(0), op->getOpOperand(0),
//                        Direction::InputToOutput);
//
// It can also ask for any two values of a block. The maps are then composed
// through everything between them, calls and regions included:
//
//   auto maps = ModuleMaps::of(module);
//   auto between = (*maps)->between(returned, argument);
//
// The source of a runtime variable is a number. In an op's own maps it is that
// of an operand's array leaf (each tensor, vector or scalar is one). In the
// maps of a module it is a number of ModuleMaps; `sourceOf` returns its value.
//
// Law (tests/import/stablehlo/queries_test.cc): between(result, operand) of one
// op is what the op reads of it, and between(a, c) contains the composition of
// between(a, b) with between(b, c).
#ifndef INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_QUERIES_H
#define INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_QUERIES_H

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/op.h"
#include "indexical/program/maps/refine.h"

namespace indexical {

/// Returns the op as a verified descriptor. The values that its regions capture
/// stand behind its operands. An unknown op is an opaque CoverOp. Returns an
/// error without a place if a type has no rank, or shapes and attributes
/// contradict each other.
absl::StatusOr<Op> descriptorOf(mlir::Operation *op);

/// Returns what a result of an op reads of one of its operands, or the inverse.
/// Does not look into calls and control flow: for them it returns a cover. Both
/// values must be of one op, and be tensors, vectors or scalars.
absl::StatusOr<IndexingRelation> readsOf(
    mlir::OpResult result, mlir::OpOperand &operand,
    Direction direction = Direction::OutputToInput);

/// The maps of a module. The module must not change as long as they are in use.
class ModuleMaps {
 public:
  /// Makes the maps of a module. Returns an error, with line and column if they
  /// are known, if the module cannot be understood. With `notImported`, a
  /// function that cannot be understood is not an error: it is added to that
  /// list, is treated as if it were only declared, and has no maps.
  static absl::StatusOr<std::unique_ptr<ModuleMaps>> of(
      mlir::ModuleOp module, std::vector<NotImported> *notImported = nullptr);
  ~ModuleMaps();

  /// Gives the function known arguments, one for each tensor, vector or scalar
  /// (program/maps/refine.h), from here on: sizes that follow from them are
  /// known. A function that it calls keeps its own maps for other callers.
  /// Returns an error if the arguments do not fit.
  absl::Status refine(mlir::FunctionOpInterface function,
                      llvm::ArrayRef<KnownArgument> arguments);

  /// Returns what a result of an op reads of one of its operands, or the
  /// inverse, composed through calls and regions. Both values must be of one
  /// op, and be tensors, vectors or scalars.
  absl::StatusOr<IndexingRelation> readsOf(
      mlir::OpResult result, mlir::OpOperand &operand,
      Direction direction = Direction::OutputToInput);

  /// Returns what `from` reads of `to`, through all paths, or no pieces, exact,
  /// if no path leads there. Both are values of one block: results of its ops,
  /// or its arguments.
  absl::StatusOr<IndexingRelation> between(
      mlir::Value from, mlir::Value to,
      Direction direction = Direction::OutputToInput);

  /// Returns the value whose element, or size, the runtime variable is, or null
  /// if that value is inside a called function or a region.
  mlir::Value sourceOf(const RuntimeSource &source) const;

 private:
  ModuleMaps();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_QUERIES_H
