// Imports MLIR modules into a program.
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
// the root. A value that a region captures becomes an operand behind the op's
// own, and a parameter behind those of the region's computation, in the order
// of first use.
//
// Names are those of the text without `%`: `%a, %b = …` and `%a:2 = …` are the
// instruction `a`. Places show the op's name in the text that is read; the
// frames of a `loc` in other files are kept as metadata (locations.h). Without
// a text (bytecode, a module in memory), names are MLIR's numbers, and places
// are unknown.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_IMPORT_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_IMPORT_H

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

#include "indexical/program/module/program.h"

namespace indexical {

class CustomCallRegistry;  // program/module/custom_calls.h

/// A function that cannot be imported, and why.
struct NotImported {
  mlir::Operation *function = nullptr;
  absl::Status status;
};

struct MlirOptions {
  /// The descriptors of custom calls, by their targets. Null: none is known.
  /// Must outlive the call.
  const CustomCallRegistry *customCalls = nullptr;
  /// If not null, a function that cannot be imported is not an error: it is
  /// added to this list, and treated as if it were only declared.
  std::vector<NotImported> *notImported = nullptr;
  /// Whether a rule of StableHLO's specification that StableHLO's own verifier
  /// does not check is an error if it is broken. If false, it is a warning, and
  /// the op is a CoverOp: an all_gather, say, whose result does not fit its
  /// groups.
  bool strict = false;
  /// Whether bytecode is read, in the caller's process. MLIR's reader may crash
  /// on damaged bytecode, so the caller must know that it is whole. If false,
  /// bytecode is refused (import/stablehlo/dialect/parse.h).
  bool trustBytecode = false;
};

/// Imports text, or MLIR's bytecode if `trustBytecode` allows it. Several
/// modules may be separated by lines `// -----`. `path` is for messages.
/// Several threads may call it at once, each with a text of its own.
///
/// Errors are InvalidArgument statuses with a place: a text that MLIR cannot
/// parse or verify, tensors without a rank, ops whose attributes and shapes
/// contradict each other. The error for bytecode that is not trusted has no
/// place. An unknown op is not an error: it is an opaque CoverOp, with a
/// warning.
absl::StatusOr<Program> importMlir(std::string text, std::string path = "",
                                   const MlirOptions &options = {});
/// Imports a text that the caller shares, or MLIR's bytecode if `trustBytecode`
/// allows it. The text is not copied, and must not be null. Errors are
/// InvalidArgument statuses, with a line and column unless bytecode is refused.
absl::StatusOr<Program> importMlir(std::shared_ptr<const std::string> text,
                                   std::string path = "",
                                   const MlirOptions &options = {});

/// The instruction that an op of a module has become.
struct Imported {
  int32_t module = 0, computation = 0, instruction = 0;
};
using ImportedOps = llvm::DenseMap<mlir::Operation *, Imported>;

/// Imports a verified module in memory. `ops`, unless null, receives the
/// instruction of each op.
absl::StatusOr<Program> importMlir(mlir::ModuleOp module,
                                   const MlirOptions &options = {},
                                   ImportedOps *ops = nullptr);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_IMPORT_H
