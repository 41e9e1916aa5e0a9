// Attributes that are kept as their text, of dialects whose attributes mean
// nothing here:
//
//   the text    <@mesh, [{"x"}, {}]>
//   is read by  parseText(parser, "<", "sdy", "sharding", attribute)
//   into        #sdy.sharding<@mesh, [{"x"}, {}]>, an OpaqueAttr
#ifndef INDEXICAL_STABLEHLO_DIALECT_TEXT_H
#define INDEXICAL_STABLEHLO_DIALECT_TEXT_H

#include "mlir/IR/OpImplementation.h"

namespace indexical {

/// Everything up to the bracket that closes the next one, which is of
/// `openers`,
/// `<`, `[` and `{`; no attribute where none of them follows. What is not in
/// angles is put in.
mlir::ParseResult parseText(mlir::OpAsmParser &parser, llvm::StringRef openers,
                            llvm::StringRef dialect, llvm::StringRef name,
                            mlir::Attribute &attribute);

/// What parseText reads to `attribute`; the attribute itself where it is none
/// that parseText makes.
void printText(mlir::OpAsmPrinter &printer, llvm::StringRef name,
               mlir::Attribute attribute);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_DIALECT_TEXT_H
