// The conditions that an op of Triton has to meet before it can be traced.
//
//   %f = "tt.trans"(%e) {order = array<i32: 7, 9>} : (tensor<1x64xi32>) -> …
//     brokenRule(): "has an order that is no permutation of 2 dimensions"
//
// The ops are not registered with MLIR, so that its parser checks neither how
// many operands and results they have, nor their attributes. A file of Triton
// itself breaks no rule.
#ifndef INDEXICAL_IMPORT_TRITON_OP_RULES_H
#define INDEXICAL_IMPORT_TRITON_OP_RULES_H

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

namespace indexical::triton {

/// Returns the rule that an op of the namespaces `tt` and `ttg` breaks, as the
/// end of a sentence about the op, or nothing if it can be traced. `name` is
/// the op's name without its namespace.
std::optional<std::string> brokenRule(mlir::Operation &op,
                                      llvm::StringRef name);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_OP_RULES_H
