// The custom syntax of Triton's ops, private to kernel/triton: see dialect.h.
#ifndef INDEXICAL_KERNEL_TRITON_OP_SYNTAX_H
#define INDEXICAL_KERNEL_TRITON_OP_SYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace indexical::triton {

/// Reads the rest of the op that `state` names, from behind its name.
mlir::ParseResult parseOpSyntax(mlir::OpAsmParser &parser,
                                mlir::OperationState &state);

/// The name of the attribute that marks an op whose operands were not read.
inline constexpr llvm::StringLiteral kUnknownAttribute = "indexical.unknown";
/// The name of the attribute that says how many operands each bracket of an op
/// has.
inline constexpr llvm::StringLiteral kListsAttribute = "indexical.lists";

}  // namespace indexical::triton

#endif  // INDEXICAL_KERNEL_TRITON_OP_SYNTAX_H
