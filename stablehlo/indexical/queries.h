// What an op of MLIR reads, asked by a pass.
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
// and between any two values of a block, composed through all that stands
// between them, calls and regions included:
//
//   auto maps = ModuleMaps::of(module);
//   auto between = (*maps)->between(returned, argument);
//
// A runtime variable's source is, in an op's own maps, the number of an operand
// (of its array leaves: one a tensor, vector or scalar); in those of a module a
// number of ModuleMaps, and `sourceOf` says which value it is.
//
// Law (tests/stablehlo/queries_test.cc): between(result, operand) of one op is
// what the op reads of it, and between(a, c) contains the composition of
// between(a, b) with between(b, c).
#ifndef INDEXICAL_STABLEHLO_INDEXICAL_QUERIES_H
#define INDEXICAL_STABLEHLO_INDEXICAL_QUERIES_H

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/op.h"
#include "indexical/program/refine.h"
#include "indexical/stablehlo/import/import.h"

namespace indexical {

/// The op as a verified descriptor, what its regions capture behind its
/// operands. An op that nothing is known of is an opaque CoverOp. An error
/// without a place where a type has no rank, or shapes and attributes
/// contradict each other.
absl::StatusOr<Op> descriptorOf(mlir::Operation *op);

/// What a result of an op reads of one of its operands, or the inverse. Calls
/// and control flow are not looked into: they answer with a cover. Both must be
/// of one op, and of tensors, vectors or scalars.
absl::StatusOr<IndexingRelation> readsOf(
    mlir::OpResult result, mlir::OpOperand &operand,
    Direction direction = Direction::OutputToInput);

/// Maps of a module. It must not be changed while it is asked.
class ModuleMaps {
 public:
  /// An error, with a place where it has one, where the module cannot be
  /// understood. With a list for them, functions that cannot be are no error:
  /// they are added to it, are taken as if they were only declared, and have no
  /// maps.
  static absl::StatusOr<std::unique_ptr<ModuleMaps>> of(
      mlir::ModuleOp module, std::vector<NotImported> *notImported = nullptr);
  ~ModuleMaps();

  /// From here on the function's arguments are these, one a tensor, vector or
  /// scalar (program/refine.h): sizes that follow from them are known. What it
  /// calls keeps maps of its own for other callers. An error where they do not
  /// fit.
  absl::Status refine(mlir::FunctionOpInterface function,
                      llvm::ArrayRef<KnownArgument> arguments);

  /// As the free function; calls and regions are composed through.
  absl::StatusOr<IndexingRelation> readsOf(
      mlir::OpResult result, mlir::OpOperand &operand,
      Direction direction = Direction::OutputToInput);

  /// What `from` reads of `to`, through all paths; no pieces, exact, where none
  /// leads there. Both are values of one block: results of its ops, or its
  /// arguments.
  absl::StatusOr<IndexingRelation> between(
      mlir::Value from, mlir::Value to,
      Direction direction = Direction::OutputToInput);

  /// The value whose element, or size, the runtime variable is; null where it
  /// is one of a called function or of a region inside.
  mlir::Value sourceOf(const RuntimeSource &source) const;

 private:
  ModuleMaps();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_INDEXICAL_QUERIES_H
