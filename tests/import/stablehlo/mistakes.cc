#include "tests/import/stablehlo/mistakes.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/support/corpus_files.h"

namespace indexical::testing {
namespace {

using llvm::StringRef;

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

/// Any of them.
template <typename List>
auto oneOf(const List &list, Random &random) {
  return list[random.in(0, std::size(list) - 1)];
}

size_t placeIn(StringRef text, Random &random) {
  return random.in(0, text.size() - 1);
}

/// Returns the begin and the end of the first number behind a random place.
std::pair<size_t, size_t> numberIn(StringRef text, Random &random) {
  size_t begin = text.find_first_of("0123456789", placeIn(text, random));
  if (begin == StringRef::npos) return {0, 0};
  size_t end = text.find_first_not_of("0123456789", begin);
  return {begin, std::min(end, text.size())};
}

/// A word, a number, a string, or one character.
std::pair<size_t, size_t> tokenIn(StringRef text, Random &random) {
  const size_t begin = placeIn(text, random);
  auto isOfWord = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '%' || c == '@';
  };
  if (!isOfWord(text[begin])) return {begin, begin + 1};
  size_t first = begin, end = begin;
  while (first > 0 && isOfWord(text[first - 1])) --first;
  while (end < text.size() && isOfWord(text[end])) ++end;
  return {first, end};
}

std::string otherNumber(Random &random) {
  static const char *const kNumbers[] = {"0",
                                         "-1",
                                         "1",
                                         "2",
                                         "3",
                                         "7",
                                         "64",
                                         "1000000",
                                         "?",
                                         "4611686018427387904",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "99999999999999999999"};
  return oneOf(kNumbers, random);
}

void addMistake(std::string &text, Random &random) {
  static const char *const kTokens[] = {
      "<",        ">",          "[", "]",  "(", ")", "{",  "}",
      ",",        ":",          "=", "->", "%", "@", "\"", "tensor<2xf32>",
      "dense<1>", "stablehlo.", "x", "\\", "#", "!"};
  const size_t at = placeIn(text, random);
  const size_t length = std::min<size_t>(text.size() - at, random.in(1, 12));
  switch (random.in(0, 7)) {
    case 0:
      text.erase(at, length);
      return;
    case 1:
      text.insert(placeIn(text, random), text.substr(at, length));
      return;
    case 2:
      text.insert(at, oneOf(kTokens, random));
      return;
    case 3:
      text[at] = static_cast<char>(random.in(0, 255));
      return;
    case 4: {
      const auto [begin, end] = tokenIn(text, random);
      text.erase(begin, end - begin);
      return;
    }
    case 5: {
      const auto [begin, end] = tokenIn(text, random);
      const auto [other, otherEnd] = tokenIn(text, random);
      text.replace(begin, end - begin, text.substr(other, otherEnd - other));
      return;
    }
    default: {
      const auto [begin, end] = numberIn(text, random);
      text.replace(begin, end - begin, otherNumber(random));
    }
  }
}

//===-- In a module -------------------------------------------------------===//

int64_t otherInteger(int64_t value, Random &random) {
  static constexpr int64_t kIntegers[] = {
      0, 1, 2, 3, 5, -1, -2, int64_t{1} << 62, kLargest, kSmallest};
  switch (random.in(0, 3)) {
    case 0:
      return value == kLargest ? 0 : value + 1;
    case 1:
      return value == kSmallest ? 0 : value - 1;
    default:
      return oneOf(kIntegers, random);
  }
}

/// One element is gone, is twice there, is another, or trades places.
void change(std::vector<int64_t> &values, Random &random) {
  if (values.empty()) {
    values.push_back(otherInteger(0, random));
    return;
  }
  const size_t at = random.in(0, values.size() - 1);
  switch (random.in(0, 4)) {
    case 0:
      values.erase(values.begin() + at);
      return;
    case 1:
      values.insert(values.begin() + at, int64_t{values[at]});
      return;
    case 2:
      std::swap(values[at], values[random.in(0, values.size() - 1)]);
      return;
    default:
      values[at] = otherInteger(values[at], random);
  }
}

mlir::Type otherType(mlir::Type type, Random &random) {
  mlir::Builder b(type.getContext());
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor)
    return random.oneIn(2) ? mlir::Type(b.getF32Type())
                           : mlir::RankedTensorType::get({2}, b.getI32Type());
  if (random.oneIn(6)) {
    const mlir::Type elements[] = {b.getF32Type(), b.getI32Type(),
                                   b.getI1Type(), b.getIndexType(),
                                   b.getIntegerType(4)};
    return mlir::RankedTensorType::get(tensor.getShape(),
                                       oneOf(elements, random));
  }
  if (random.oneIn(20))
    return mlir::UnrankedTensorType::get(tensor.getElementType());
  std::vector<int64_t> sizes = tensor.getShape().vec();
  change(sizes, random);
  for (int64_t &size : sizes)
    if (size < 0) size = mlir::ShapedType::kDynamic;
  return mlir::RankedTensorType::get(sizes, tensor.getElementType());
}

mlir::Attribute otherAttribute(mlir::Attribute attribute, Random &random) {
  mlir::Builder b(attribute.getContext());
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attribute)) {
    mlir::Type type = integer.getType();
    if (type.isInteger(1)) return b.getBoolAttr(integer.getValue().isZero());
    if (!type.isIndex() && type.getIntOrFloatBitWidth() != 64)
      return b.getI64IntegerAttr(random.in(-3, 3));
    return b.getIntegerAttr(
        type, otherInteger(integer.getValue().getSExtValue(), random));
  }
  if (auto list = llvm::dyn_cast<mlir::DenseI64ArrayAttr>(attribute)) {
    std::vector<int64_t> values = list.asArrayRef().vec();
    change(values, random);
    return b.getDenseI64ArrayAttr(values);
  }
  if (auto list = llvm::dyn_cast<mlir::DenseI32ArrayAttr>(attribute)) {
    std::vector<int64_t> values(list.asArrayRef().begin(),
                                list.asArrayRef().end());
    change(values, random);
    std::vector<int32_t> narrow(values.begin(), values.end());
    return b.getDenseI32ArrayAttr(narrow);
  }
  if (auto dense = llvm::dyn_cast<mlir::DenseIntElementsAttr>(attribute);
      dense && dense.getElementType().isInteger(64) &&
      dense.getNumElements() < 100) {
    std::vector<int64_t> values;
    for (const llvm::APInt &value : dense.getValues<llvm::APInt>())
      values.push_back(value.getSExtValue());
    const size_t count = values.size();
    change(values, random);
    mlir::RankedTensorType type =
        values.size() == count
            ? mlir::RankedTensorType::get(dense.getType().getShape(),
                                          dense.getElementType())
            : mlir::RankedTensorType::get({static_cast<int64_t>(values.size())},
                                          dense.getElementType());
    return mlir::DenseIntElementsAttr::get(type, values);
  }
  if (auto list = llvm::dyn_cast<mlir::ArrayAttr>(attribute);
      list && !list.empty()) {
    std::vector<mlir::Attribute> values(list.begin(), list.end());
    const size_t at = random.in(0, values.size() - 1);
    if (random.oneIn(3))
      values.erase(values.begin() + at);
    else if (random.oneIn(2))
      values.push_back(mlir::Attribute(values[at]));
    else
      values[at] = otherAttribute(values[at], random);
    return b.getArrayAttr(values);
  }
  if (auto type = llvm::dyn_cast<mlir::TypeAttr>(attribute))
    return mlir::TypeAttr::get(otherType(type.getValue(), random));
  return random.oneIn(2) ? mlir::Attribute(b.getUnitAttr())
                         : b.getI64IntegerAttr(random.in(-3, 3));
}

void changeAttribute(mlir::Operation *op, Random &random) {
  const auto attributes = op->getAttrDictionary().getValue();
  if (attributes.empty()) return;
  const mlir::NamedAttribute chosen = oneOf(attributes, random);
  if (random.oneIn(3)) {
    op->removeAttr(chosen.getName());
    return;
  }
  op->setAttr(chosen.getName(), otherAttribute(chosen.getValue(), random));
}

void changeOperands(mlir::Operation *op, Random &random) {
  std::vector<mlir::Value> operands(op->getOperands().begin(),
                                    op->getOperands().end());
  if (operands.empty()) return;
  const size_t at = random.in(0, operands.size() - 1);
  const size_t other = random.in(0, operands.size() - 1);
  switch (random.in(0, 3)) {
    case 0:
      operands.erase(operands.begin() + at);
      break;
    case 1:
      operands.insert(operands.begin() + at, mlir::Value(operands[other]));
      break;
    case 2:
      std::swap(operands[at], operands[other]);
      break;
    default:
      operands[at] = operands[other];
  }
  op->setOperands(operands);
}

void changeRegion(mlir::Operation *op, Random &random) {
  if (op->getNumRegions() == 0) return;
  mlir::Region &region = op->getRegion(random.in(0, op->getNumRegions() - 1));
  if (region.empty()) {
    region.emplaceBlock();
    return;
  }
  mlir::Block &block = region.front();
  auto erase = [](mlir::Operation &each) {
    each.dropAllDefinedValueUses();
    each.dropAllReferences();
    each.erase();
  };
  switch (random.in(0, 3)) {
    case 0:
      region.dropAllReferences();
      for (mlir::Block &each : region) each.dropAllDefinedValueUses();
      region.getBlocks().clear();
      return;
    case 1:
      block.addArgument(mlir::RankedTensorType::get(
                            {2}, mlir::Builder(op->getContext()).getF32Type()),
                        op->getLoc());
      return;
    case 2:
      if (!block.empty() && block.back().use_empty()) erase(block.back());
      return;
    default:
      if (block.getNumArguments() > 0 &&
          block.getArguments().back().use_empty())
        block.eraseArgument(block.getNumArguments() - 1);
  }
}

}  // namespace

std::vector<std::string> smallCorpusParts() {
  std::vector<std::string> parts;
  for (const CorpusFile &file : stablehloFiles()) {
    const std::string content = textOf(file);
    for (MlirChunk chunk : splitMlir(content))
      if (chunk.text.size() < ofCorpus(3000u, 5000u))
        parts.push_back(chunk.text.str());
  }
  return parts;
}

std::string withMistakes(std::string text, Random &random) {
  for (int64_t n = random.in(1, 3); n > 0 && !text.empty(); --n)
    addMistake(text, random);
  return text;
}

std::string withOtherSize(std::string text, Random &random) {
  const auto [begin, end] = numberIn(text, random);
  if (begin == end) return text;
  const std::string size = text.substr(begin, end - begin);
  const std::string other = otherNumber(random);
  const bool everywhere = random.oneIn(2);
  for (size_t at = text.find(size); at != std::string::npos;
       at = text.find(size, at)) {
    const size_t behind = at + size.size();
    const bool isWhole =
        (at == 0 || !llvm::isDigit(text[at - 1])) &&
        (behind == text.size() || !llvm::isDigit(text[behind]));
    const bool isSize = at > 0 &&
                        (text[at - 1] == '<' || text[at - 1] == 'x') &&
                        behind < text.size() && text[behind] == 'x';
    if (isWhole && (everywhere || isSize)) {
      text.replace(at, size.size(), other);
      at += other.size();
    } else {
      at = behind;
    }
  }
  return text;
}

std::string withOtherOp(std::string text, llvm::ArrayRef<std::string> names,
                        Random &random) {
  if (text.empty() || names.empty()) return text;
  const size_t begin = text.find("= \"", placeIn(text, random));
  const size_t end =
      begin == std::string::npos ? begin : text.find('"', begin + 3);
  if (end != std::string::npos)
    text.replace(begin + 3, end - begin - 3, oneOf(names, random));
  return text;
}

void addMistakes(mlir::ModuleOp module, Random &random) {
  for (int64_t n = random.in(1, 3); n > 0; --n) {
    std::vector<mlir::Operation *> ops;
    module.walk([&](mlir::Operation *op) {
      if (op != module.getOperation()) ops.push_back(op);
    });
    if (ops.empty()) return;
    mlir::Operation *op = oneOf(ops, random);
    switch (random.in(0, 9)) {
      case 0:
      case 1:
        changeOperands(op, random);
        break;
      case 2:
        if (op->getNumResults() > 0) {
          mlir::Value result =
              op->getResult(random.in(0, op->getNumResults() - 1));
          result.setType(otherType(result.getType(), random));
        }
        break;
      case 3:
        changeRegion(op, random);
        break;
      default:
        changeAttribute(op, random);
    }
  }
}

std::string genericForm(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  mlir::OpPrintingFlags flags;
  module->print(out, flags.printGenericOpForm().assumeVerified());
  return text;
}

}  // namespace indexical::testing
