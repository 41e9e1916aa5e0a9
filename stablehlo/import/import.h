// MLIR modules into a program.
//
//   func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
//     %r:2 = stablehlo.while(%i = %x, …) … cond { … } do { … }
//     return %r#0 : tensor<4xf32>
//   }
//
//   computation `main`            parameter `x`, instruction `r` of two results
//   computation `main.while.0.cond`, `main.while.0.body`
//
// Functions become computations of their name, regions computations called
// PARENT.OPCODE.N.ROLE, where N counts the opcode in the parent. Arguments of
// blocks are parameters; the terminator is an instruction that is never shown,
// the root. What a region captures is an operand behind the op's own, and a
// parameter behind those of the region's computation, in the order of first
// use.
//
// Names are those of the text without `%`: `%a, %b = …` and `%a:2 = …` are the
// instruction `a`. Places show the op's name in the text that is read; the
// frames of a `loc` in other files are kept as metadata (locations.h). Where
// there is no text (bytecode, a module in memory), names are MLIR's numbers and
// places are not known.
#ifndef INDEXICAL_STABLEHLO_IMPORT_IMPORT_H
#define INDEXICAL_STABLEHLO_IMPORT_IMPORT_H

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

#include "indexical/program/program.h"

namespace indexical {

class CustomCallRegistry;  // program/custom_calls.h

/// A function that cannot be imported, and why.
struct NotImported {
  mlir::Operation *function = nullptr;
  absl::Status status;
};

struct MlirOptions {
  /// What custom calls mean, by their targets; null: nothing is known of any.
  /// Must outlive the call.
  const CustomCallRegistry *customCalls = nullptr;
  /// Where there is a list, a function that cannot be imported is no error: it
  /// is added here, and taken as if it were only declared.
  std::vector<NotImported> *notImported = nullptr;
  /// A rule of StableHLO's specification that its own verifier lets pass is an
  /// error where it is broken, as all others are. Else it is a warning, and
  /// the op is a CoverOp: an all_gather, say, whose result does not fit its
  /// groups.
  bool strict = false;
  /// Bytecode is read, in the caller's process: the caller vouches that it is
  /// whole, for MLIR's reader may crash where it is damaged. Without it,
  /// bytecode is refused (stablehlo/dialect/parse.h).
  bool trustBytecode = false;
};

/// Text, or MLIR's bytecode if `trustBytecode` says that it is trusted; several
/// modules may be separated by lines `// -----`. `path` is for messages.
/// Several threads may call it at once, each with a text of its own.
///
/// Errors: an InvalidArgument status with the place: what MLIR cannot parse or
/// verify, tensors without a rank, ops whose attributes and shapes contradict
/// each other; without one, bytecode that is not trusted. An op that nothing is
/// known of is no error: it is an opaque CoverOp, with a warning.
absl::StatusOr<Program> importMlir(std::string text, std::string path = "",
                                   const MlirOptions &options = {});
/// Reads a text that somebody else has, too, without a copy. Never null.
absl::StatusOr<Program> importMlir(std::shared_ptr<const std::string> text,
                                   std::string path = "",
                                   const MlirOptions &options = {});

/// Where an op of a module has gone.
struct Imported {
  int32_t module = 0, computation = 0, instruction = 0;
};
using ImportedOps = llvm::DenseMap<mlir::Operation *, Imported>;

/// A module in memory, verified. `ops`, if there, says where its ops are.
absl::StatusOr<Program> importMlir(mlir::ModuleOp module,
                                   const MlirOptions &options = {},
                                   ImportedOps *ops = nullptr);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_IMPORT_IMPORT_H
