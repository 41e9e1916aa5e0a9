// Portable artifacts: modules of VHLO, a form of StableHLO that outlives
// versions.
//
//   "vhlo.func_v1"() <{sym_name = "main", …}> ({
//   ^bb0(%0: tensor<2x3xf32>):
//     %1 = "vhlo.transpose_v1"(%0) <{permutation = dense<[1, 0]> : …}> : …
//     "vhlo.return_v1"(%1) : (tensor<3x2xf32>) -> ()
//   }) : () -> ()
//
//   func.func @main(%0: tensor<2x3xf32>) -> tensor<3x2xf32> {
//     %1 = stablehlo.transpose %0, dims = [1, 0] : …
//     return %1 : tensor<3x2xf32>
//   }
//
// An artifact is MLIR bytecode. MLIR's reader parses it, with the dialect of
// this folder for the types and attributes of VHLO. Then each op is renamed by
// its row (ops.h). Law: an artifact is read as the module that it was written
// from, but for attributes that have their default value.
#ifndef INDEXICAL_IMPORT_STABLEHLO_VHLO_RENAME_H
#define INDEXICAL_IMPORT_STABLEHLO_VHLO_RENAME_H

#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace indexical::vhlo {

/// Registers VHLO with the context, so that the context can read artifacts.
void registerVhlo(mlir::MLIRContext &context);

/// Renames every op of VHLO in `module`, in place. A module without such an op
/// stays as it is. Does not verify the result. An op of an unknown version, or
/// without an attribute of its version, is an error that names the op, its
/// function, and its place in the source.
absl::Status renameVhlo(mlir::ModuleOp module);

/// Returns a possible reason why an artifact cannot be read, to be appended to
/// an error: the program that wrote the artifact, and the ops in it that are
/// unknown here. Returns "" for bytecode that is not an artifact.
std::string whatIsStrange(llvm::StringRef bytecode);

}  // namespace indexical::vhlo

#endif  // INDEXICAL_IMPORT_STABLEHLO_VHLO_RENAME_H
