// Two spellings of one number, which a kernel and its fusion choose between.
//
//   divide(x, 4)                            multiply(x, 0.25)
//   bf16 add(a, b)                          convert(add(convert a, convert b))
//   3000.0                                  convert(3000)
//
// The first holds of powers of two, whose inverse is a number of the type. The
// second is a theorem for one op of bf16 or f16 that is computed in f32: 24
// bits hold 2 * 11 + 2. What rounds is one op: two ops in f32 round once, and
// two of bf16 twice.
#include <string>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/same/values/float_semantics.h"
#include "indexical/same/values/same_elements.h"

namespace indexical {
namespace {

std::string bytesOf(const llvm::APFloat &number) {
  const llvm::APInt bits = number.bitcastToAPInt();
  std::string bytes;
  for (unsigned at = 0; at < bits.getBitWidth(); at += 8)
    bytes.push_back(static_cast<char>(bits.extractBitsAsZExtValue(8, at)));
  return bytes;
}

llvm::APFloat numberOf(const llvm::fltSemantics &semantics,
                       llvm::StringRef bytes) {
  llvm::APInt bits(bytes.size() * 8, 0);
  for (auto [at, byte] : llvm::enumerate(bytes))
    bits.insertBits(static_cast<uint8_t>(byte), at * 8, 8);
  return {semantics, bits};
}

/// Returns the bytes of 1 / x where that is a number of the type, else "".
std::string inverseOf(const Element &literal) {
  const auto *semantics = semanticsOf(literal.type);
  if (literal.kind != Element::Kind::Literal || !semantics ||
      literal.text.size() * 8 != llvm::APFloat::getSizeInBits(*semantics))
    return "";
  llvm::APFloat inverse(*semantics);
  if (!numberOf(*semantics, literal.text).getExactInverse(&inverse)) return "";
  return bytesOf(inverse);
}

/// Returns the bytes of the literal in a narrower type that has it, else "".
std::string narrowOf(const Element &literal, ElementType type) {
  const auto *semantics = semanticsOf(type), *own = semanticsOf(literal.type);
  if (literal.kind != Element::Kind::Literal || !semantics || !own ||
      literal.text.size() * 8 != llvm::APFloat::getSizeInBits(*own))
    return "";
  llvm::APFloat number = numberOf(*own, literal.text);
  bool isInexact = false;
  number.convert(*semantics, llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return isInexact || number.isNaN() ? "" : bytesOf(number);
}

/// Whether the op of the narrow type is that of f32, rounded.
bool roundsOnce(llvm::StringRef name) {
  for (llvm::StringRef each : {"add",
                               "subtract",
                               "multiply",
                               "divide",
                               "sqrt",
                               "maximum",
                               "minimum",
                               "negate",
                               "abs",
                               "exponential",
                               "log",
                               "tanh",
                               "rsqrt",
                               "logistic",
                               "cosine",
                               "sine",
                               "erf",
                               "cbrt",
                               "exponential-minus-one",
                               "log-plus-one"})
    if (name == each) return true;
  return false;
}

}  // namespace

/// Returns the bytes of a literal as a float of that type; "" if it is none.
std::string SameElements::convertedBytes(ElementId id, ElementType type) const {
  const Element &literal = table_[id];
  const auto *semantics = semanticsOf(type), *own = semanticsOf(literal.type);
  if (literal.kind != Element::Kind::Literal || !semantics) return "";
  constexpr auto kNearest = llvm::APFloat::rmNearestTiesToEven;
  if (const auto number = table_.integerOf(id); number && !own) {
    if (literal.type == ElementType::U64 && *number < 0) return "";
    llvm::APFloat made(*semantics);
    made.convertFromAPInt(llvm::APInt(64, *number, /*isSigned=*/true),
                          /*IsSigned=*/true, kNearest);
    return bytesOf(made);
  }
  if (!own || literal.text.size() * 8 != llvm::APFloat::getSizeInBits(*own))
    return "";
  llvm::APFloat made = numberOf(*own, literal.text);
  bool isInexact = false;
  made.convert(*semantics, kNearest, &isInexact);
  return made.isNaN() ? "" : bytesOf(made);
}

ElementId SameElements::settled(ElementId id) {
  if (!secondSettles_ || table_[id].kind != Element::Kind::Apply) return id;
  const Element element = table_[id];
  const ElementType type = element.type;
  const llvm::StringRef name = lawName(element.op);
  if (name == "divide" && element.operands.size() == 2) {
    const std::string inverse = inverseOf(table_[settled(element.operands[1])]);
    if (inverse.empty()) return id;
    return table_.apply(elementwiseOp("multiply", {type, type}, type),
                        {element.operands[0], table_.literal(type, inverse)});
  }
  if (name == "convert")
    if (const std::string bytes = convertedBytes(element.operands[0], type);
        !bytes.empty())
      return table_.literal(type, bytes);
  const bool isNarrow = type == ElementType::BF16 || type == ElementType::F16;
  if (name != "convert" || !isNarrow) return id;
  const Element wide = table_[element.operands[0]];
  if (wide.kind != Element::Kind::Apply || wide.type != ElementType::F32 ||
      !roundsOnce(lawName(wide.op)))
    return id;
  llvm::SmallVector<ElementId, 2> operands;
  for (ElementId each : wide.operands) {
    const Element operand = table_[each];
    if (operand.kind == Element::Kind::Apply &&
        lawName(operand.op) == "convert" &&
        table_[operand.operands[0]].type == type) {
      operands.push_back(operand.operands[0]);
      continue;
    }
    const std::string bytes = narrowOf(operand, type);
    if (bytes.empty()) return id;
    operands.push_back(table_.literal(type, bytes));
  }
  const llvm::SmallVector<ElementType, 2> types(operands.size(), type);
  return settled(
      table_.apply(elementwiseOp(lawName(wide.op), types, type), operands));
}

}  // namespace indexical
