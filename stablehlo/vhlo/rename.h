// Portable artifacts: modules of VHLO, StableHLO's form that outlives versions.
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
// An artifact is MLIR bytecode, which MLIR's own reader takes apart, with the
// dialect of this folder for what is VHLO's in it. Then each op is renamed by
// its row (ops.h). Law: what is read of an artifact is the module that it was
// written from, but for attributes that say what holds without them.
#ifndef INDEXICAL_STABLEHLO_VHLO_RENAME_H
#define INDEXICAL_STABLEHLO_VHLO_RENAME_H

#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"

namespace indexical::vhlo {

/// Tells a context of VHLO, so that it reads artifacts.
void registerVhlo(mlir::MLIRContext &context);

/// Renames every op of VHLO in `module`, in place; a module without any stays
/// as it is. The result is not verified. An op of a version that is not known,
/// or without an attribute that its version has, is an error that names it, the
/// function it is in, and the place that it had in its source.
absl::Status renameVhlo(mlir::ModuleOp module);

/// What could be the reason that an artifact cannot be read, for an error that
/// stands before it: the ops that it names and that are not known here, and
/// what wrote it. "" for bytecode that is no artifact.
std::string whatIsStrange(llvm::StringRef bytecode);

}  // namespace indexical::vhlo

#endif  // INDEXICAL_STABLEHLO_VHLO_RENAME_H
