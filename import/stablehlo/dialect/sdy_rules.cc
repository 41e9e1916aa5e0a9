// The text of sharding rules: which dimensions of operands and results are
// sharded alike, because they are made of the same factors.
//
//   ([i, jk])->([jk, i]) {i=4, j=2, k=8} reduction={j}, custom
#include <string>

#include "llvm/ADT/StringExtras.h"

#include "indexical/import/stablehlo/dialect/sdy.h"
#include "indexical/import/stablehlo/dialect/sdy_text.h"

namespace indexical::sdy {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using mlir::AsmParser;
using mlir::AsmPrinter;
using mlir::failed;
using mlir::failure;
using mlir::ParseResult;
using mlir::succeeded;
using mlir::success;
using Delimiter = AsmParser::Delimiter;

namespace {

//===-- Factors -----------------------------------------------------------===//

constexpr char kFirst = 'i', kLast = 'z';
constexpr int64_t kLetters = kLast - kFirst + 1;

// Numbers behind the letters are small: a rule has few factors.
constexpr int64_t kMostFactors = 1 << 20;

// Takes the factor at the beginning of `text`: `j`, `z_3`. -1 for another text.
int64_t takeFactor(StringRef &text) {
  if (text.empty() || text.front() < kFirst || text.front() > kLast) return -1;
  const int64_t letter = text.front() - kFirst;
  text = text.drop_front();
  if (!text.starts_with("_")) return letter;
  text = text.drop_front();
  int64_t number;
  if (letter != kLetters - 1 || text.consumeInteger(10, number) || number < 1 ||
      number > kMostFactors)
    return -1;
  return letter + number;
}

void printFactor(AsmPrinter &printer, int64_t factor) {
  if (factor < kLetters)
    printer << static_cast<char>(kFirst + factor);
  else
    printer << kLast << '_' << factor - kLetters + 1;
}

// `ijk`, in one word.
ParseResult parseFactors(AsmParser &parser, SmallVector<int64_t> &factors) {
  StringRef word;
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word)) return failure();
  while (!word.empty()) {
    factors.push_back(takeFactor(word));
    if (factors.back() < 0)
      return parser.emitError(place)
             << "expected factors: letters from i to z, z_1, z_2, …";
  }
  return success();
}

ParseResult parseFactor(AsmParser &parser, int64_t &factor) {
  SmallVector<int64_t> factors;
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (parseFactors(parser, factors)) return failure();
  factor = factors.front();
  if (factors.size() == 1) return success();
  return parser.emitError(place) << "expected one factor";
}

// `{i=4, j=2}`, all factors in order.
ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(
      Delimiter::OptionalBraces, [&]() -> ParseResult {
        int64_t factor;
        const llvm::SMLoc place = parser.getCurrentLocation();
        if (parseFactor(parser, factor)) return failure();
        if (factor != static_cast<int64_t>(sizes.size()))
          return parser.emitError(place)
                 << "expected the sizes of all factors, in order";
        return failure(parser.parseEqual() ||
                       parser.parseInteger(sizes.emplace_back()));
      });
}

// ` reduction={i, j}`, if it is there.
ParseResult parseFactorSet(AsmParser &parser, StringRef name,
                           SmallVector<int64_t> &factors) {
  if (failed(parser.parseOptionalKeyword(name))) return success();
  return failure(parser.parseEqual() ||
                 parser.parseCommaSeparatedList(Delimiter::Braces, [&] {
                   return parseFactor(parser, factors.emplace_back());
                 }));
}

void printFactorSet(AsmPrinter &printer, StringRef name,
                    ArrayRef<int64_t> factors) {
  if (factors.empty()) return;
  printer << ' ' << name << "={";
  llvm::interleaveComma(factors, printer,
                        [&](int64_t factor) { printFactor(printer, factor); });
  printer << '}';
}

// `([i, j], [k])`
ParseResult parseTensors(AsmParser &parser,
                         SmallVector<TensorMappingAttr> &tensors) {
  return parser.parseCommaSeparatedList(Delimiter::Paren, [&]() -> ParseResult {
    TensorMappingAttr tensor = TensorMappingAttr::parseBody(parser);
    if (!tensor) return failure();
    tensors.push_back(tensor);
    return success();
  });
}

void printTensors(AsmPrinter &printer, ArrayRef<TensorMappingAttr> tensors) {
  printer << '(';
  llvm::interleaveComma(tensors, printer, [&](TensorMappingAttr tensor) {
    tensor.printBody(printer);
  });
  printer << ')';
}

}  // namespace

//===-- Mappings ----------------------------------------------------------===//

// A dimension without factors is `{}`.
DimMappingAttr DimMappingAttr::parseBody(AsmParser &parser) {
  SmallVector<int64_t> factors;
  if (succeeded(parser.parseOptionalLBrace())) {
    if (parser.parseRBrace()) return nullptr;
  } else if (parseFactors(parser, factors)) {
    return nullptr;
  }
  return get(parser.getContext(), factors);
}

void DimMappingAttr::printBody(AsmPrinter &printer) const {
  if (getFactors().empty()) printer << "{}";
  for (int64_t factor : getFactors()) printFactor(printer, factor);
}

TensorMappingAttr TensorMappingAttr::parseBody(AsmParser &parser) {
  SmallVector<DimMappingAttr> dimensions;
  auto parseOne = [&]() -> ParseResult {
    DimMappingAttr dimension = DimMappingAttr::parseBody(parser);
    if (!dimension) return failure();
    dimensions.push_back(dimension);
    return success();
  };
  if (parser.parseCommaSeparatedList(Delimiter::Square, parseOne))
    return nullptr;
  return get(parser.getContext(), dimensions);
}

void TensorMappingAttr::printBody(AsmPrinter &printer) const {
  printer << '[';
  llvm::interleaveComma(
      getDimensions(), printer,
      [&](DimMappingAttr dimension) { dimension.printBody(printer); });
  printer << ']';
}

OpShardingRuleAttr OpShardingRuleAttr::parseBody(AsmParser &parser) {
  SmallVector<int64_t> sizes, reduction, replication, permutation, blocked;
  SmallVector<TensorMappingAttr> operands, results;
  if (parseTensors(parser, operands) || parser.parseArrow() ||
      parseTensors(parser, results) || parseSizes(parser, sizes) ||
      parseFactorSet(parser, "reduction", reduction) ||
      parseFactorSet(parser, "need_replication", replication) ||
      parseFactorSet(parser, "permutation", permutation) ||
      parseFactorSet(parser, "blocked_propagation", blocked))
    return nullptr;
  bool isCustom = succeeded(parser.parseOptionalComma());
  if (isCustom && parser.parseKeyword("custom")) return nullptr;
  return get(parser.getContext(), sizes, operands, results, reduction,
             replication, permutation, blocked, isCustom);
}

void OpShardingRuleAttr::printBody(AsmPrinter &printer) const {
  printTensors(printer, getOperands());
  printer << "->";
  printTensors(printer, getResults());
  if (!getFactorSizes().empty()) {
    printer << " {";
    int64_t factor = 0;
    llvm::interleaveComma(getFactorSizes(), printer, [&](int64_t size) {
      printFactor(printer, factor++);
      printer << '=' << size;
    });
    printer << '}';
  }
  printFactorSet(printer, "reduction", getReduction());
  printFactorSet(printer, "need_replication", getNeedReplication());
  printFactorSet(printer, "permutation", getPermutation());
  printFactorSet(printer, "blocked_propagation", getBlockedPropagation());
  if (getIsCustom()) printer << ", custom";
}

}  // namespace indexical::sdy
