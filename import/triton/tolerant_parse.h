// Parses Triton's IR whatever ops it has; private to import/triton.
//
//   %n = ttx.later %a, %b : T, U        the text does not say what %n is:
//   scf.yield %n : !ttg.async.token     it is read again with this type
//
//   ttx.when (%a ? %b) {now}            a text that cannot be read is passed
//                                       over: the op has its results, without
//                                       operands, attributes and regions
//
//   %w = arith.extui %n nneg : …        a promise that this MLIR does not know
//                                       is left out
//
// MLIR's parser ends at its first error. If an op of a dialect that is not
// MLIR's own is at fault, or one that these do not have, the text is read again
// without this error, until none is left. A text without errors is read once.
//
// An op that was passed over is not understood, so that its kernel is
// incomplete. A name in it that the text nowhere defines is an error. An error
// in an op of MLIR's own dialects, in a type, or outside of ops is the text's
// error.
#ifndef INDEXICAL_IMPORT_TRITON_TOLERANT_PARSE_H
#define INDEXICAL_IMPORT_TRITON_TOLERANT_PARSE_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/indexing/budget.h"

namespace indexical::triton {

/// Parses a text and verifies its module. `context` is of makeTritonContext,
/// and `path` is kept in the ops' locations. Returns the first error if it
/// cannot be passed over. `stop`, if not null, ends it with its status.
absl::StatusOr<MlirModule> parseTolerantly(mlir::MLIRContext &context,
                                           MlirChunk chunk,
                                           llvm::StringRef path,
                                           const Stop *stop);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_TOLERANT_PARSE_H
