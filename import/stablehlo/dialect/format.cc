#include "indexical/import/stablehlo/dialect/format.h"

#include "llvm/ADT/StringExtras.h"

#include "indexical/import/stablehlo/dialect/conv_numbers.h"
#include "indexical/import/stablehlo/dialect/fields.h"

namespace indexical::stablehlo {

using mlir::failed;
using mlir::failure;
using mlir::succeeded;
using mlir::success;

//===-- Types -------------------------------------------------------------===//

namespace {

// Takes a function type apart; `count` operands are expected.
ParseResult takeApart(OpAsmParser &parser, llvm::SMLoc place, Type type,
                      size_t count, Types &operands, Type &result) {
  auto function = llvm::cast<mlir::FunctionType>(type);
  if (function.getNumInputs() != count || function.getNumResults() != 1)
    return parser.emitError(place)
           << "expects " << count << " operand type" << (count == 1 ? "" : "s")
           << " and one result type, not " << type;
  operands.assign(function.getInputs().begin(), function.getInputs().end());
  result = function.getResult(0);
  return success();
}

}  // namespace

static void printFunction(OpAsmPrinter &printer, mlir::TypeRange operands,
                          Type result) {
  printer.printFunctionalType(operands, llvm::ArrayRef<Type>(result));
}

ParseResult parseAgreeing(OpAsmParser &parser, llvm::ArrayRef<Type *> operands,
                          Type &result) {
  llvm::SMLoc place = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type)) return failure();
  if (!llvm::isa<mlir::FunctionType>(type)) {
    for (Type *operand : operands) *operand = type;
    result = type;
    return success();
  }
  llvm::SmallVector<Type> types;
  if (takeApart(parser, place, type, operands.size(), types, result))
    return failure();
  for (auto [operand, each] : llvm::zip(operands, types)) *operand = each;
  return success();
}

void printAgreeing(OpAsmPrinter &printer, llvm::ArrayRef<Type> operands,
                   Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    printer << result;
  else
    printFunction(printer, operands, result);
}

ParseResult parseAgreeingTypeList(
    OpAsmParser &parser,
    llvm::ArrayRef<OpAsmParser::UnresolvedOperand> operands, Types &types,
    Type &result) {
  types.resize(operands.size());
  llvm::SmallVector<Type *> places;
  for (Type &type : types) places.push_back(&type);
  return parseAgreeing(parser, places, result);
}

void printAgreeingTypeList(OpAsmPrinter &printer, Operation *,
                           mlir::OperandRange, mlir::TypeRange types,
                           Type result) {
  printAgreeing(printer, llvm::to_vector(types), result);
}

ParseResult parseComplexTypes(OpAsmParser &parser, Type &lhs, Type &rhs,
                              Type &result) {
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parseAgreeing(parser, {&lhs, &rhs}, result)) return failure();
  if (lhs != result || rhs != result) return success();
  auto tensor = llvm::dyn_cast<mlir::ShapedType>(result);
  auto complex =
      tensor ? llvm::dyn_cast<mlir::ComplexType>(tensor.getElementType())
             : nullptr;
  if (!complex)
    return parser.emitError(place)
           << "expects a tensor of complex values, not " << result;
  lhs = rhs = tensor.clone(complex.getElementType());
  return success();
}

void printComplexTypes(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs,
                       Type result) {
  auto tensor = llvm::dyn_cast<mlir::ShapedType>(result);
  auto complex =
      tensor ? llvm::dyn_cast<mlir::ComplexType>(tensor.getElementType())
             : nullptr;
  if (complex && lhs == rhs && lhs == tensor.clone(complex.getElementType()))
    printer << result;
  else
    printFunction(printer, llvm::ArrayRef<Type>{lhs, rhs}, result);
}

ParseResult parseSelectTypes(OpAsmParser &parser, Type &pred, Type &onTrue,
                             Type &onFalse, Type &result) {
  llvm::SMLoc place = parser.getCurrentLocation();
  llvm::SmallVector<Type> types;
  if (parser.parseTypeList(types)) return failure();
  if (types.size() == 1 && llvm::isa<mlir::FunctionType>(types[0])) {
    llvm::SmallVector<Type> operands;
    if (takeApart(parser, place, types[0], 3, operands, result))
      return failure();
    pred = operands[0];
    onTrue = operands[1];
    onFalse = operands[2];
    return success();
  }
  if (types.size() != 2)
    return parser.emitError(place)
           << "expects a function type, or the type of the predicate and that "
              "of the values, not "
           << types.size() << " types";
  pred = types[0];
  onTrue = onFalse = result = types[1];
  return success();
}

void printSelectTypes(OpAsmPrinter &printer, Operation *, Type pred,
                      Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printFunction(printer, llvm::ArrayRef<Type>{pred, onTrue, onFalse}, result);
}

ParseResult parseTupleTypes(OpAsmParser &parser, Types &operands,
                            Type &result) {
  llvm::SMLoc place = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type)) return failure();
  if (auto function = llvm::dyn_cast<mlir::FunctionType>(type))
    return takeApart(parser, place, type, function.getNumInputs(), operands,
                     result);
  auto tuple = llvm::dyn_cast<mlir::TupleType>(type);
  if (!tuple)
    return parser.emitError(place) << "expects a tuple type, not " << type;
  operands.assign(tuple.begin(), tuple.end());
  result = type;
  return success();
}

void printTupleTypes(OpAsmPrinter &printer, Operation *,
                     mlir::TypeRange operands, Type result) {
  auto tuple = llvm::dyn_cast<mlir::TupleType>(result);
  if (tuple && llvm::equal(operands, tuple.getTypes()))
    printer << result;
  else
    printFunction(printer, operands, result);
}

ParseResult parsePairwiseTypes(OpAsmParser &parser, Types &operands,
                               Types &results) {
  if (failed(parser.parseOptionalColon())) return success();
  if (parser.parseTypeList(operands)) return failure();
  results.assign(operands.begin(), operands.end());
  return success();
}

void printPairwiseTypes(OpAsmPrinter &printer, Operation *,
                        mlir::TypeRange operands, mlir::TypeRange) {
  if (operands.empty()) return;
  printer << ": ";
  llvm::interleaveComma(operands, printer);
}

//===-- Operands ----------------------------------------------------------===//

ParseResult parseOperandsOrParens(OpAsmParser &parser, Operands &operands) {
  if (succeeded(parser.parseOptionalLParen())) return parser.parseRParen();
  return parser.parseOperandList(operands);
}

void printOperandsOrParens(OpAsmPrinter &printer, Operation *,
                           mlir::OperandRange operands) {
  if (operands.empty())
    printer << "()";
  else
    printer.printOperands(operands);
}

ParseResult parseOperandsBeforeAttribute(OpAsmParser &parser,
                                         Operands &operands) {
  for (;;) {
    OpAsmParser::UnresolvedOperand operand;
    mlir::OptionalParseResult more = parser.parseOptionalOperand(operand);
    if (!more.has_value()) return success();
    if (failed(*more) || parser.parseComma()) return failure();
    operands.push_back(operand);
  }
}

void printOperandsBeforeAttribute(OpAsmPrinter &printer, Operation *,
                                  mlir::OperandRange operands) {
  for (mlir::Value operand : operands) {
    printer.printOperand(operand);
    printer << ", ";
  }
}

//===-- Numbers -----------------------------------------------------------===//

ParseResult parseIntegers(OpAsmParser &parser, Attribute &numbers) {
  llvm::SmallVector<int64_t> list;
  if (parseBracketed(parser, list)) return failure();
  numbers = integerList(parser.getContext(), list);
  return success();
}

void printIntegers(OpAsmPrinter &printer, Operation *, Attribute numbers) {
  printBracketed(printer, integers(numbers));
}

ParseResult parseSliceRanges(OpAsmParser &parser, Attribute &start,
                             Attribute &limit, Attribute &strides) {
  llvm::SmallVector<int64_t> starts, limits, steps;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    steps.push_back(1);
    if (failed(parser.parseOptionalColon())) return success();
    return parser.parseInteger(steps.back());
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     parseRange))
    return failure();
  start = integerList(parser.getContext(), starts);
  limit = integerList(parser.getContext(), limits);
  strides = integerList(parser.getContext(), steps);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *, Attribute start,
                      Attribute limit, Attribute strides) {
  printer << '[';
  bool first = true;
  for (auto [from, to, step] :
       llvm::zip(integers(start), integers(limit), integers(strides))) {
    if (!first) printer << ", ";
    first = false;
    printer << from << ':' << to;
    if (step != 1) printer << ':' << step;
  }
  printer << ']';
}

ParseResult parseFloatFormat(OpAsmParser &parser, mlir::IntegerAttr &exponent,
                             mlir::IntegerAttr &mantissa) {
  llvm::SMLoc place = parser.getCurrentLocation();
  llvm::StringRef text;
  if (parser.parseKeyword(&text)) return failure();
  int32_t exponentBits = 0, mantissaBits = 0;
  llvm::StringRef rest = text;
  if (!rest.consume_front("e") || rest.consumeInteger(10, exponentBits) ||
      !rest.consume_front("m") || rest.getAsInteger(10, mantissaBits))
    return parser.emitError(place) << "expects the bits of exponent and "
                                      "mantissa, such as `e8m10`, not `"
                                   << text << "`";
  exponent = parser.getBuilder().getI32IntegerAttr(exponentBits);
  mantissa = parser.getBuilder().getI32IntegerAttr(mantissaBits);
  return success();
}

void printFloatFormat(OpAsmPrinter &printer, Operation *,
                      mlir::IntegerAttr exponent, mlir::IntegerAttr mantissa) {
  printer << 'e' << exponent.getInt() << 'm' << mantissa.getInt();
}

ParseResult parseCallTarget(OpAsmParser &parser, mlir::StringAttr &target) {
  return parser.parseSymbolName(target);
}

void printCallTarget(OpAsmPrinter &printer, Operation *,
                     mlir::StringAttr target) {
  printer.printSymbolName(target.getValue());
}

ParseResult parseRegionList(
    OpAsmParser &parser,
    llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &regions) {
  if (failed(parser.parseOptionalLParen())) return success();
  auto parseOne = [&] {
    return parser.parseRegion(
        *regions.emplace_back(std::make_unique<mlir::Region>()));
  };
  return failure(parser.parseCommaSeparatedList(parseOne) ||
                 parser.parseRParen());
}

void printRegionList(OpAsmPrinter &printer, Operation *,
                     mlir::RegionRange regions) {
  if (regions.empty()) return;
  printer << '(';
  llvm::interleaveComma(regions, printer, [&](mlir::Region *region) {
    printer.printRegion(*region);
  });
  printer << ')';
}

//===-- Contractions ------------------------------------------------------===//

namespace {

// `= [DEFAULT, HIGHEST]`.
ParseResult parsePrecisionList(OpAsmParser &parser,
                               mlir::ArrayAttr &precisions) {
  llvm::SmallVector<Attribute> list;
  auto parsePrecision = [&]() -> ParseResult {
    llvm::SMLoc place = parser.getCurrentLocation();
    llvm::StringRef name;
    if (parser.parseKeyword(&name)) return failure();
    std::optional<Precision> precision = symbolizePrecision(name);
    if (!precision)
      return parser.emitError(place)
             << "`" << name << "` is not a precision: DEFAULT, HIGH or "
                               "HIGHEST";
    list.push_back(PrecisionAttr::get(parser.getContext(), *precision));
    return success();
  };
  if (parser.parseEqual() ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     parsePrecision))
    return failure();
  precisions = parser.getBuilder().getArrayAttr(list);
  return success();
}

ParseResult parsePair(OpAsmParser &parser, llvm::SmallVectorImpl<int64_t> &lhs,
                      llvm::SmallVectorImpl<int64_t> &rhs) {
  return failure(parser.parseEqual() || parseBracketed(parser, lhs) ||
                 parser.parseKeyword("x") || parseBracketed(parser, rhs));
}

void printPair(OpAsmPrinter &printer, llvm::StringRef name,
               llvm::ArrayRef<int64_t> lhs, llvm::ArrayRef<int64_t> rhs) {
  printer << name << " = ";
  printBracketed(printer, lhs);
  printer << " x ";
  printBracketed(printer, rhs);
}

}  // namespace

ParseResult parsePrecisions(OpAsmParser &parser, mlir::ArrayAttr &precisions) {
  if (failed(parser.parseOptionalComma())) return success();
  return failure(parser.parseKeyword("precision") ||
                 parsePrecisionList(parser, precisions));
}

void printPrecisions(OpAsmPrinter &printer, Operation *,
                     mlir::ArrayAttr precisions) {
  if (!precisions) return;
  printer << ", precision = [";
  llvm::interleaveComma(precisions, printer, [&](Attribute each) {
    printer << stringifyPrecision(llvm::cast<PrecisionAttr>(each).getValue());
  });
  printer << ']';
}

ParseResult parsePrecisionsAndAlgorithm(OpAsmParser &parser,
                                        mlir::ArrayAttr &precisions,
                                        DotAlgorithmAttr &algorithm) {
  if (failed(parser.parseOptionalComma())) return success();
  if (succeeded(parser.parseOptionalKeyword("precision"))) {
    if (parsePrecisionList(parser, precisions)) return failure();
    if (failed(parser.parseOptionalComma())) return success();
  }
  return failure(parser.parseKeyword("algorithm") || parser.parseEqual() ||
                 parser.parseCustomAttributeWithFallback(algorithm));
}

void printPrecisionsAndAlgorithm(OpAsmPrinter &printer, Operation *op,
                                 mlir::ArrayAttr precisions,
                                 DotAlgorithmAttr algorithm) {
  printPrecisions(printer, op, precisions);
  if (!algorithm) return;
  printer << ", algorithm = ";
  printer.printStrippedAttrOrType(algorithm);
}

ParseResult parseDotDimensions(OpAsmParser &parser,
                               DotDimensionNumbersAttr &numbers) {
  llvm::SmallVector<int64_t> lhsBatching, rhsBatching, lhs, rhs;
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair(parser, lhsBatching, rhsBatching) || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parsePair(parser, lhs, rhs))
    return failure();
  numbers = DotDimensionNumbersAttr::get(parser.getContext(), lhsBatching,
                                         rhsBatching, lhs, rhs);
  return success();
}

void printDotDimensions(OpAsmPrinter &printer, Operation *,
                        DotDimensionNumbersAttr numbers) {
  if (!numbers.getLhsBatchingDimensions().empty() ||
      !numbers.getRhsBatchingDimensions().empty()) {
    printPair(printer, "batching_dims", numbers.getLhsBatchingDimensions(),
              numbers.getRhsBatchingDimensions());
    printer << ", ";
  }
  printPair(printer, "contracting_dims", numbers.getLhsContractingDimensions(),
            numbers.getRhsContractingDimensions());
}

ParseResult parseConvDimensions(OpAsmParser &parser,
                                ConvDimensionNumbersAttr &numbers) {
  numbers = parseConvNumbers(parser);
  return success(static_cast<bool>(numbers));
}

void printConvDimensions(OpAsmPrinter &printer, Operation *,
                         ConvDimensionNumbersAttr numbers) {
  printConvNumbers(printer, numbers);
}

namespace {

// `[[1, 1], [0, 2]]`.
ParseResult parsePadding(OpAsmParser &parser, Attribute &padding) {
  llvm::SmallVector<llvm::SmallVector<int64_t>> rows;
  auto parseRow = [&]() -> ParseResult {
    llvm::SMLoc place = parser.getCurrentLocation();
    if (parseBracketed(parser, rows.emplace_back())) return failure();
    if (rows.back().size() != 2)
      return parser.emitError(place)
             << "expects the padding of a dimension as [low, high], not "
             << rows.back().size() << " numbers";
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseRow))
    return failure();
  padding = integerTable(parser.getContext(), rows, /*columns=*/2);
  return success();
}

// `[true, false]`, or `[1, 0]` in older files.
ParseResult parseBooleans(OpAsmParser &parser, Attribute &values) {
  llvm::SmallVector<bool> list;
  auto parseBoolean = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("true"))) {
      list.push_back(true);
    } else if (succeeded(parser.parseOptionalKeyword("false"))) {
      list.push_back(false);
    } else {
      llvm::SMLoc place = parser.getCurrentLocation();
      int64_t number = 0;
      if (parser.parseInteger(number)) return failure();
      if (number != 0 && number != 1)
        return parser.emitError(place)
               << "expects true or false, not " << number;
      list.push_back(number == 1);
    }
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     parseBoolean))
    return failure();
  values = booleanList(parser.getContext(), list);
  return success();
}

}  // namespace

ParseResult parseWindow(OpAsmParser &parser, Attribute &strides,
                        Attribute &padding, Attribute &lhsDilation,
                        Attribute &rhsDilation, Attribute &reversal) {
  auto parseEntry = [&]() -> ParseResult {
    llvm::SMLoc place = parser.getCurrentLocation();
    llvm::StringRef name;
    if (parser.parseKeyword(&name)) return failure();
    Attribute *target = name == "stride"       ? &strides
                        : name == "pad"        ? &padding
                        : name == "lhs_dilate" ? &lhsDilation
                        : name == "rhs_dilate" ? &rhsDilation
                        : name == "reverse"    ? &reversal
                                               : nullptr;
    if (!target)
      return parser.emitError(place)
             << "expects stride, pad, lhs_dilate, rhs_dilate or reverse, not `"
             << name << "`";
    if (*target)
      return parser.emitError(place) << "`" << name << "` is given twice";
    if (parser.parseEqual()) return failure();
    if (target == &padding) return parsePadding(parser, *target);
    if (target == &reversal) return parseBooleans(parser, *target);
    return parseIntegers(parser, *target);
  };
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Braces,
                                        parseEntry);
}

void printWindow(OpAsmPrinter &printer, Operation *, Attribute strides,
                 Attribute padding, Attribute lhsDilation,
                 Attribute rhsDilation, Attribute reversal) {
  printer << '{';
  llvm::StringRef separator = "";
  auto printName = [&](llvm::StringRef name) {
    printer << separator << name << " = ";
    separator = ", ";
  };
  auto printList = [&](llvm::StringRef name, Attribute numbers) {
    if (!numbers) return;
    printName(name);
    printBracketed(printer, integers(numbers));
  };
  printList("stride", strides);
  if (padding) {
    printName("pad");
    printer << '[';
    llvm::interleaveComma(
        integerTable(padding), printer,
        [&](llvm::ArrayRef<int64_t> row) { printBracketed(printer, row); });
    printer << ']';
  }
  printList("lhs_dilate", lhsDilation);
  printList("rhs_dilate", rhsDilation);
  if (reversal) {
    printName("reverse");
    printer << '[';
    llvm::interleaveComma(booleans(reversal), printer, [&](bool value) {
      printer << (value ? "true" : "false");
    });
    printer << ']';
  }
  printer << '}';
}

}  // namespace indexical::stablehlo
