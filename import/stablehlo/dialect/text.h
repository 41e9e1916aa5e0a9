// Attributes that are kept as their text, of dialects whose attributes mean
// nothing here:
//
//   the text    <mesh="m1", origin=["f1"]>
//   is read by  parseText(parser, "<", "mpmd", "fragment", attribute)
//   into        #mpmd.fragment<mesh="m1", origin=["f1"]>, an OpaqueAttr
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_TEXT_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_TEXT_H

#include "mlir/IR/OpImplementation.h"

namespace indexical {

/// Parses a bracketed text into `attribute`, up to the bracket that closes it.
/// `openers` are the brackets, of `<`, `[` and `{`, that may open the text; if
/// none of them follows, `attribute` stays as it is. A text in other brackets
/// than `<>` is put between them.
mlir::ParseResult parseText(mlir::OpAsmParser &parser, llvm::StringRef openers,
                            llvm::StringRef dialect, llvm::StringRef name,
                            mlir::Attribute &attribute);

/// Prints an attribute of parseText as the text that parseText read. Prints any
/// other attribute in MLIR's own syntax.
void printText(mlir::OpAsmPrinter &printer, llvm::StringRef name,
               mlir::Attribute attribute);

/// Prints ` (%a: t) { … }`: a region with its arguments.
void printRegionWithArguments(mlir::OpAsmPrinter &printer,
                              mlir::Region &region);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_TEXT_H
