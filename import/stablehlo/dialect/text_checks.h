// Checks a text of MLIR for what MLIR's parser would not survive.
//
//   %y = "a.op"(%x#4000000000) …   a result's number is below 1048576
//   !t1 = tuple<!t0, !t0>          of 24 such lines the last type has 2^24
//   !t2 = tuple<!t1, !t1> …        leaves; a type has at most 65536
//
// MLIR's parser recurses for each bracket, follows each alias, and reserves
// memory for as many results as a number says. If memory runs out, it ends the
// process; a caller wants an error with a place.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_TEXT_CHECKS_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_TEXT_CHECKS_H

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns an error at the first place that MLIR's parser would not survive.
absl::Status checkText(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_TEXT_CHECKS_H
