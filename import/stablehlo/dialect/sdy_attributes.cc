// The text of shardings and of what they are made of. Sharding rules are in
// sdy_rules.cc.
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include "indexical/import/stablehlo/dialect/sdy.h"
#include "indexical/import/stablehlo/dialect/sdy_text.h"
#include "indexical/import/stablehlo/dialect/sdy_enums.cc.inc"
// The generated code names these from within the dialect's namespace.
#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/dialect/sdy_attributes.cc.inc"

namespace indexical::sdy {

using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::AsmParser;
using mlir::AsmPrinter;
using mlir::failed;
using mlir::failure;
using mlir::ParseResult;
using mlir::succeeded;
using mlir::success;
using Delimiter = AsmParser::Delimiter;

namespace {

//===-- Lists -------------------------------------------------------------===//

template <typename Attr>
ParseResult parseBodies(AsmParser &parser, Delimiter delimiter,
                        SmallVector<Attr> &list) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    Attr each = Attr::parseBody(parser);
    if (!each) return failure();
    list.push_back(each);
    return success();
  });
}

template <typename Attr>
void printBodies(AsmPrinter &printer, ArrayRef<Attr> list) {
  llvm::interleaveComma(list, printer,
                        [&](Attr each) { each.printBody(printer); });
}

// `{"a", "b":(1)2}`
ParseResult parseAxes(AsmParser &parser, SmallVector<AxisRefAttr> &axes) {
  return parseBodies(parser, Delimiter::Braces, axes);
}

void printAxes(AsmPrinter &printer, ArrayRef<AxisRefAttr> axes) {
  printer << '{';
  printBodies(printer, axes);
  printer << '}';
}

void printName(AsmPrinter &printer, llvm::StringRef name) {
  printer.printString(name);
}

}  // namespace

//===-- Meshes ------------------------------------------------------------===//

MeshAxisAttr MeshAxisAttr::parseBody(AsmParser &parser) {
  std::string name;
  int64_t size;
  if (parser.parseString(&name) || parser.parseEqual() ||
      parser.parseInteger(size))
    return nullptr;
  return get(parser.getContext(), name, size);
}

void MeshAxisAttr::printBody(AsmPrinter &printer) const {
  printName(printer, getName());
  printer << '=' << getSize();
}

MeshAttr MeshAttr::parseBody(AsmParser &parser) {
  SmallVector<MeshAxisAttr> axes;
  SmallVector<int64_t> devices;
  if (parseBodies(parser, Delimiter::Square, axes)) return nullptr;
  if (succeeded(parser.parseOptionalComma())) {
    auto parseDevice = [&] {
      return parser.parseInteger(devices.emplace_back());
    };
    if (parser.parseKeyword("device_ids") || parser.parseEqual() ||
        parser.parseCommaSeparatedList(Delimiter::Square, parseDevice))
      return nullptr;
  }
  return get(parser.getContext(), axes, devices);
}

void MeshAttr::printBody(AsmPrinter &printer) const {
  printer << '[';
  printBodies(printer, getAxes());
  printer << ']';
  if (getDeviceIds().empty()) return;
  printer << ", device_ids=[";
  llvm::interleaveComma(getDeviceIds(), printer);
  printer << ']';
}

//===-- Axes --------------------------------------------------------------===//

SubAxisInfoAttr SubAxisInfoAttr::parseBody(AsmParser &parser) {
  int64_t preSize, size;
  if (parser.parseLParen() || parser.parseInteger(preSize) ||
      parser.parseRParen() || parser.parseInteger(size))
    return nullptr;
  return get(parser.getContext(), preSize, size);
}

void SubAxisInfoAttr::printBody(AsmPrinter &printer) const {
  printer << '(' << getPreSize() << ')' << getSize();
}

AxisRefAttr AxisRefAttr::parseBody(AsmParser &parser) {
  std::string name;
  SubAxisInfoAttr part;
  if (parser.parseString(&name)) return nullptr;
  if (succeeded(parser.parseOptionalColon())) {
    part = SubAxisInfoAttr::parseBody(parser);
    if (!part) return nullptr;
  }
  return get(parser.getContext(), name, part);
}

void AxisRefAttr::printBody(AsmPrinter &printer) const {
  printName(printer, getName());
  if (!getSubAxis()) return;
  printer << ':';
  getSubAxis().printBody(printer);
}

AxisRefListAttr AxisRefListAttr::parseBody(AsmParser &parser) {
  SmallVector<AxisRefAttr> axes;
  if (parseAxes(parser, axes)) return nullptr;
  return get(parser.getContext(), axes);
}

void AxisRefListAttr::printBody(AsmPrinter &printer) const {
  printAxes(printer, getAxes());
}

ListOfAxisRefListsAttr ListOfAxisRefListsAttr::parseBody(AsmParser &parser) {
  SmallVector<AxisRefListAttr> lists;
  if (parseBodies(parser, Delimiter::Square, lists)) return nullptr;
  return get(parser.getContext(), lists);
}

void ListOfAxisRefListsAttr::printBody(AsmPrinter &printer) const {
  printer << '[';
  printBodies(printer, getLists());
  printer << ']';
}

AllToAllParamAttr AllToAllParamAttr::parseBody(AsmParser &parser) {
  SmallVector<AxisRefAttr> axes;
  int64_t source, target;
  if (parseAxes(parser, axes) || parser.parseColon() ||
      parser.parseInteger(source) || parser.parseArrow() ||
      parser.parseInteger(target))
    return nullptr;
  return get(parser.getContext(), axes, source, target);
}

void AllToAllParamAttr::printBody(AsmPrinter &printer) const {
  printAxes(printer, getAxes());
  printer << ": " << getSourceDimension() << "->" << getTargetDimension();
}

AllToAllParamListAttr AllToAllParamListAttr::parseBody(AsmParser &parser) {
  SmallVector<AllToAllParamAttr> params;
  if (parseBodies(parser, Delimiter::Square, params)) return nullptr;
  return get(parser.getContext(), params);
}

void AllToAllParamListAttr::printBody(AsmPrinter &printer) const {
  printer << '[';
  printBodies(printer, getParams());
  printer << ']';
}

ManualAxesAttr ManualAxesAttr::parseBody(AsmParser &parser) {
  SmallVector<mlir::StringAttr> axes;
  auto parseAxis = [&]() -> ParseResult {
    std::string name;
    if (parser.parseString(&name)) return failure();
    axes.push_back(parser.getBuilder().getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(Delimiter::Braces, parseAxis))
    return nullptr;
  return get(parser.getContext(), axes);
}

void ManualAxesAttr::printBody(AsmPrinter &printer) const {
  printer << '{';
  llvm::interleaveComma(getAxes(), printer, [&](mlir::StringAttr axis) {
    printName(printer, axis.getValue());
  });
  printer << '}';
}

//===-- Shardings ---------------------------------------------------------===//

// `p1` after a dimension; nothing for none.
static ParseResult parsePriority(AsmParser &parser,
                                 std::optional<int64_t> &priority) {
  llvm::StringRef word;
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&word))) return success();
  int64_t number;
  if (!word.consume_front("p") || word.getAsInteger(10, number))
    return parser.emitError(place) << "expected a priority, such as `p1`";
  priority = number;
  return success();
}

DimensionShardingAttr DimensionShardingAttr::parseBody(AsmParser &parser) {
  SmallVector<AxisRefAttr> axes;
  std::optional<int64_t> priority;
  bool isOpen = false;
  auto parseOne = [&]() -> ParseResult {
    if (isOpen)
      return parser.emitError(parser.getCurrentLocation())
             << "`?` is the last one in its braces";
    isOpen = succeeded(parser.parseOptionalQuestion());
    if (isOpen) return success();
    AxisRefAttr axis = AxisRefAttr::parseBody(parser);
    if (!axis) return failure();
    axes.push_back(axis);
    return success();
  };
  if (parser.parseCommaSeparatedList(Delimiter::Braces, parseOne) ||
      parsePriority(parser, priority))
    return nullptr;
  return get(parser.getContext(), axes, !isOpen, priority);
}

void DimensionShardingAttr::printBody(AsmPrinter &printer) const {
  printer << '{';
  printBodies(printer, getAxes());
  if (!getIsClosed()) printer << (getAxes().empty() ? "?" : ", ?");
  printer << '}';
  if (getPriority()) printer << 'p' << *getPriority();
}

namespace {

// The name of a mesh, or a mesh.
mlir::Attribute parseMeshOrName(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("mesh")))
    return parseAngled<MeshAttr>(parser);
  mlir::StringAttr name;
  if (parser.parseSymbolName(name)) return nullptr;
  return mlir::FlatSymbolRefAttr::get(name);
}

// `{"a"}`, or `max{"a"}` if `reduction` is there.
ParseResult parseReduced(AsmParser &parser, SmallVector<AxisRefAttr> &axes,
                         Reduction &reduction) {
  llvm::StringRef word;
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(&word))) {
    std::optional<Reduction> known = symbolizeReduction(word);
    if (!known)
      return parser.emitError(place)
             << "`" << word << "` is not a reduction: sum, max or min";
    reduction = *known;
  }
  return parseAxes(parser, axes);
}

}  // namespace

TensorShardingAttr TensorShardingAttr::parseBody(AsmParser &parser) {
  SmallVector<DimensionShardingAttr> dimensions;
  SmallVector<AxisRefAttr> replicated, unreduced;
  Reduction reduction = Reduction::Sum;
  mlir::Attribute mesh = parseMeshOrName(parser);
  if (!mesh || parser.parseComma() ||
      parseBodies(parser, Delimiter::Square, dimensions))
    return nullptr;
  bool hasReplicated = false, hasUnreduced = false;
  while (succeeded(parser.parseOptionalComma())) {
    if (!hasReplicated &&
        succeeded(parser.parseOptionalKeyword("replicated"))) {
      hasReplicated = true;
      if (parser.parseEqual() || parseAxes(parser, replicated)) return nullptr;
    } else if (!hasUnreduced &&
               succeeded(parser.parseOptionalKeyword("unreduced"))) {
      hasUnreduced = true;
      if (parser.parseEqual() || parseReduced(parser, unreduced, reduction))
        return nullptr;
    } else {
      parser.emitError(parser.getCurrentLocation())
          << "expected `replicated=` or `unreduced=`, each once";
      return nullptr;
    }
  }
  return get(parser.getContext(), mesh, dimensions, replicated, unreduced,
             reduction);
}

void TensorShardingAttr::printBody(AsmPrinter &printer) const {
  if (auto mesh = llvm::dyn_cast<MeshAttr>(getMesh())) {
    printer << "mesh";
    printAngled(printer, mesh);
  } else {
    printer << getMesh();
  }
  printer << ", [";
  printBodies(printer, getDimensions());
  printer << ']';
  if (!getReplicated().empty()) {
    printer << ", replicated=";
    printAxes(printer, getReplicated());
  }
  if (!getUnreduced().empty()) {
    printer << ", unreduced=";
    if (getReduction() != Reduction::Sum)
      printer << stringifyReduction(getReduction());
    printAxes(printer, getUnreduced());
  }
}

// `<@mesh, [{"a"}]>`, or the same with `#sdy.sharding` before it.
static ParseResult parseWholeOrAngled(AsmParser &parser,
                                      TensorShardingAttr &sharding) {
  if (failed(parser.parseOptionalLess()))
    return parser.parseAttribute(sharding);
  sharding = TensorShardingAttr::parseBody(parser);
  return failure(!sharding || parser.parseGreater());
}

TensorShardingPerValueAttr TensorShardingPerValueAttr::parseBody(
    AsmParser &parser) {
  SmallVector<TensorShardingAttr> shardings;
  auto parseOne = [&]() -> ParseResult {
    TensorShardingAttr sharding;
    if (parseWholeOrAngled(parser, sharding)) return failure();
    shardings.push_back(sharding);
    return success();
  };
  if (parser.parseCommaSeparatedList(Delimiter::Square, parseOne))
    return nullptr;
  return get(parser.getContext(), shardings);
}

void TensorShardingPerValueAttr::printBody(AsmPrinter &printer) const {
  printer << '[';
  llvm::interleaveComma(getShardings(), printer, [&](TensorShardingAttr each) {
    printAngled(printer, each);
  });
  printer << ']';
}

//===-- The dialect -------------------------------------------------------===//

void SdyDialect::addAttributes() {
  ::mlir::Dialect::addAttributes<
#define GET_ATTRDEF_LIST
#include "indexical/import/stablehlo/dialect/sdy_attributes.cc.inc"
      >();
}

mlir::Attribute SdyDialect::parseAttribute(mlir::DialectAsmParser &parser,
                                           mlir::Type type) const {
  llvm::StringRef name;
  mlir::Attribute attribute;
  mlir::OptionalParseResult known =
      generatedAttributeParser(parser, &name, type, attribute);
  if (known.has_value()) return succeeded(*known) ? attribute : nullptr;
  return mlir::OpaqueAttr::get(
      mlir::StringAttr::get(getContext(), getNamespace()),
      parser.getFullSymbolSpec(), mlir::NoneType::get(getContext()));
}

void SdyDialect::printAttribute(mlir::Attribute attribute,
                                mlir::DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

mlir::Type SdyDialect::parseType(mlir::DialectAsmParser &parser) const {
  return mlir::OpaqueType::get(
      mlir::StringAttr::get(getContext(), getNamespace()),
      parser.getFullSymbolSpec());
}

}  // namespace indexical::sdy
