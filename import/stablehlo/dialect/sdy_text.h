// The text of sdy's attributes: private to the dialect.
//
//   <BODY>   an attribute after its mnemonic, and in most places of an op
//   BODY     a part of another attribute, such as `"a":(1)2`
#ifndef INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_TEXT_H
#define INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_TEXT_H

#include "indexical/import/stablehlo/dialect/sdy.h"

namespace indexical::sdy {

/// Reads `<BODY>`; null after an error.
template <typename Attr>
Attr parseAngled(mlir::AsmParser &parser) {
  if (parser.parseLess()) return nullptr;
  Attr attribute = Attr::parseBody(parser);
  if (!attribute || parser.parseGreater()) return nullptr;
  return attribute;
}

template <typename Attr>
void printAngled(mlir::AsmPrinter &printer, Attr attribute) {
  printer << '<';
  attribute.printBody(printer);
  printer << '>';
}

}  // namespace indexical::sdy

#endif  // INDEXICAL_IMPORT_STABLEHLO_DIALECT_SDY_TEXT_H
