// What a text of MLIR may not have, looked for before MLIR's parser sees it.
//
//   %y = "a.op"(%x#4000000000) …   a result's number is below 1048576
//   !t1 = tuple<!t0, !t0>          of 24 such lines the last type has 2^24
//   !t2 = tuple<!t1, !t1> …        leaves; a type has at most 65536
//
// MLIR's parser calls itself for each bracket and follows each alias, makes
// room for as many results as a number says, and ends the process where memory
// does. A caller wants an error with a place.
#ifndef INDEXICAL_STABLEHLO_DIALECT_TEXT_CHECKS_H
#define INDEXICAL_STABLEHLO_DIALECT_TEXT_CHECKS_H

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// An error at the first place that MLIR's parser would not survive.
absl::Status checkText(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_DIALECT_TEXT_CHECKS_H
