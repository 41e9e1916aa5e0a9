// Attributes that are kept as their text, of dialects whose attributes mean
// nothing here:
//
//   the text    <mesh="m1", origin=["f1"]>
//   is read by  parseText(parser, "<", "mpmd", "fragment", attribute)
//   into        #mpmd.fragment<mesh="m1", origin=["f1"]>, an OpaqueAttr
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

/// ` (%a: t) { … }`.
void printRegionWithArguments(mlir::OpAsmPrinter &printer,
                              mlir::Region &region);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_DIALECT_TEXT_H
