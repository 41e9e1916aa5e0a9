#include "indexical/import/stablehlo/indexical/indexical.h"

#include <string>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/indexing/map_text.h"
#include "indexical/import/stablehlo/indexical/dialect.cc.inc"
#include "indexical/import/stablehlo/indexical/interfaces.cc.inc"
#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/indexical/attributes.cc.inc"

namespace indexical::ir {

void IndexicalDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "indexical/import/stablehlo/indexical/attributes.cc.inc"
      >();
}

//===-- #indexical.map ----------------------------------------------------===//

MapAttr MapAttr::get(mlir::MLIRContext *context, const IndexingMap &map) {
  return Base::get(context, llvm::StringRef(map.strOneLine()));
}

IndexingMap MapAttr::getMap() const {
  // The text was parsed when the attribute was made.
  absl::StatusOr<IndexingMap> map = parseMap(getText());
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

llvm::LogicalResult MapAttr::verify(
    llvm::function_ref<mlir::InFlightDiagnostic()> error,
    llvm::StringRef text) {
  absl::StatusOr<IndexingMap> map = parseMap(text);
  if (map.ok()) return mlir::success();
  return error() << "not the text of an indexing map: "
                 << std::string(map.status().message());
}

mlir::Attribute MapAttr::parse(mlir::AsmParser &parser, mlir::Type) {
  std::string text;
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseString(&text) || parser.parseGreater())
    return {};
  absl::StatusOr<IndexingMap> map = parseMap(text);
  if (map.ok()) return get(parser.getContext(), *map);
  parser.emitError(place) << "not the text of an indexing map: "
                          << std::string(map.status().message());
  return {};
}

void MapAttr::print(mlir::AsmPrinter &printer) const {
  printer << '<';
  printer.printString(getText());
  printer << '>';
}

//===-- The interface -----------------------------------------------------===//

absl::Status notDescribed(mlir::Operation *op) {
  return absl::UnimplementedError(
      "`" + op->getName().getStringRef().str() +
      "` has the interface by which it would say what it reads, and implements "
      "neither `describe` nor `describeAccesses`");
}

absl::StatusOr<Op> describeByAccesses(ReadsOpInterface op, OpShapes shapes) {
  return regionOp(op, std::move(shapes),
                  [&](const OpShapes &all, int64_t result, int64_t operand,
                      AccessList &list) {
                    return op.describeAccesses(all, result, operand, list);
                  });
}

}  // namespace indexical::ir
