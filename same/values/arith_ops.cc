// Ops of arith and math as the ops of HLO that they are, integers that change
// their width, and what NaN makes of an op.
//
//   arith.cmpf ult, %x, %y             not(GE(x, y))
//   arith.extf %x : f32 to f64         convert(x)
//   sign-extend(sign-extend(x))        x, of s16 through s64 and back
//   multiply(x, NaN)                   NaN
//   LT(x, NaN)                         false
//
// NaN is one: which of its bits an op gives differs between machines. An op
// that reads these bits gives what is like nothing else.
#include <algorithm>
#include <utility>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/value_walk.h"
#include "indexical/same/values/computed_bytes.h"
#include "indexical/same/values/element_table.h"
#include "indexical/same/values/float_semantics.h"
#include "indexical/same/values/laws.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The op of HLO that an op of arith or math without a flag is.
StringRef nameInHlo(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"arith.extf", "arith.truncf"}, "convert")
      .Case("math.absf", "abs")
      .Case("math.cbrt", "cbrt")
      .Case("math.ceil", "ceil")
      .Case("math.cos", "cosine")
      .Case("math.erf", "erf")
      .Case("math.exp", "exponential")
      .Case("math.expm1", "exponential-minus-one")
      .Case("math.floor", "floor")
      .Case("math.log", "log")
      .Case("math.log1p", "log-plus-one")
      .Case("math.powf", "power")
      .Case("math.round", "round-nearest-afz")
      .Case("math.roundeven", "round-nearest-even")
      .Case("math.rsqrt", "rsqrt")
      .Case("math.sin", "sine")
      .Case("math.sqrt", "sqrt")
      .Case("math.tan", "tan")
      .Case("math.tanh", "tanh")
      .Default("");
}

/// A comparison of arith: a direction of HLO, or what it is not.
struct Predicate {
  StringRef direction;
  bool isNegated = false;
};

/// The predicates of arith.cmpf, by their numbers. Of `false`, `one`, `ord`,
/// `ueq`, `uno` and `true` none is a direction.
Predicate predicateOfFloats(int64_t number) {
  switch (number) {
    case 1:
      return {"EQ"};
    case 2:
      return {"GT"};
    case 3:
      return {"GE"};
    case 4:
      return {"LT"};
    case 5:
      return {"LE"};
    case 9:
      return {"LE", true};
    case 10:
      return {"LT", true};
    case 11:
      return {"GE", true};
    case 12:
      return {"GT", true};
    case 13:
      return {"NE"};
    default:
      return {};
  }
}

/// The signed predicates of arith.cmpi.
StringRef directionOfIntegers(int64_t number) {
  constexpr StringRef kDirections[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  return number >= 0 && number < 6 ? kDirections[number] : "";
}

int64_t bitWidthOf(ElementType type) {
  return type == ElementType::Pred ? 1 : bitsOf(type);
}

bool isResize(StringRef name) {
  return name == "sign-extend" || name == "zero-extend" || name == "truncate";
}

/// Returns the float that these bytes are.
std::optional<llvm::APFloat> floatOf(ElementType type, StringRef bytes) {
  const llvm::fltSemantics *format = semanticsOf(type);
  if (!format || static_cast<int64_t>(bytes.size()) * 8 != bitsOf(type))
    return std::nullopt;
  uint64_t word = 0;
  for (size_t k = 0; k < bytes.size(); ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[k])) << (8 * k);
  return llvm::APFloat(*format, llvm::APInt(bitsOf(type), word));
}

bool isNanOf(ElementType type, StringRef bytes) {
  const auto value = floatOf(type, bytes);
  return value && value->isNaN();
}

/// Returns the bytes of an equal number of another type; nothing if the type
/// has none, or if it is too small to be normal in it.
std::optional<std::string> narrowed(ElementType from, StringRef bytes,
                                    ElementType to) {
  auto value = floatOf(from, bytes);
  const llvm::fltSemantics *format = semanticsOf(to);
  if (!value || !format || value->isNaN()) return std::nullopt;
  bool loses = false;
  value->convert(*format, llvm::APFloat::rmNearestTiesToEven, &loses);
  if (loses || value->isDenormal()) return std::nullopt;
  const llvm::APInt word = value->bitcastToAPInt();
  std::string made;
  for (unsigned k = 0; k < word.getBitWidth(); k += 8)
    made += static_cast<char>(word.extractBitsAsZExtValue(8, k));
  return made;
}

}  // namespace

std::optional<ElementId> ElementTable::ofArith(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  const auto *elementwise = op.as<ElementwiseOp>();
  if (!elementwise || operands.empty() ||
      &op.kind() != kindOf<ElementwiseOp>() ||
      elementwise->results.size() != 1 ||
      elementwise->operands.size() != operands.size())
    return std::nullopt;
  const ElementType result = elementwise->results[0].type;
  const ElementType type = elementwise->operands[0].type;
  auto [name, text] = StringRef(elementwise->configuration).split(';');
  if (text.empty()) {
    const StringRef made = nameInHlo(name);
    if (made.empty() || classOf(type) != kFloats || classOf(result) != kFloats)
      return std::nullopt;
    llvm::SmallVector<ElementType, 2> types(operands.size(), type);
    return apply(elementwiseOp(made, types, result), operands);
  }
  int64_t number = 0;
  if (operands.size() != 2 || !text.consume_front("predicate=") ||
      text.consumeInteger(10, number) || text != " : i64")
    return std::nullopt;
  const ElementType pred = ElementType::Pred;
  if (name == "arith.cmpi" && classOf(type) == kIntegers &&
      elementTypeName(type).starts_with("s")) {
    const StringRef direction = directionOfIntegers(number);
    if (direction.empty()) return std::nullopt;
    return apply(comparisonOp(direction, type), operands);
  }
  if (name != "arith.cmpf" || classOf(type) != kFloats) return std::nullopt;
  auto compared = [&](StringRef direction, ElementId a, ElementId b) {
    return apply(comparisonOp(direction, type), {a, b});
  };
  auto both = [&](StringRef how, ElementId a, ElementId b) {
    return apply(elementwiseOp(how, {pred, pred}, pred), {a, b});
  };
  auto negated = [&](ElementId a) {
    return apply(elementwiseOp("not", {pred}, pred), {a});
  };
  const ElementId x = operands[0], y = operands[1];
  if (const Predicate own = predicateOfFloats(number); !own.direction.empty()) {
    const ElementId is = compared(own.direction, x, y);
    return own.isNegated ? negated(is) : is;
  }
  auto areApart = [&] {
    return both("or", compared("LT", x, y), compared("GT", x, y));
  };
  auto areNumbers = [&] {
    return both("and", compared("EQ", x, x), compared("EQ", y, y));
  };
  switch (number) {
    case 6:  // one
      return areApart();
    case 7:  // ord
      return areNumbers();
    case 8:  // ueq
      return negated(areApart());
    case 14:  // uno
      return negated(areNumbers());
    case 0:     // false
    case 15: {  // true
      use("predicates", !isConstant_[x] || !isConstant_[y]);
      return literal(pred, std::string(1, number == 15 ? '\1' : '\0'));
    }
    default:
      return std::nullopt;
  }
}

/// Returns what changes the width of an integer, as one such op of the integer
/// that it was before.
std::optional<ElementId> ElementTable::resized(const Op &op,
                                               ElementId operand) {
  const StringRef name = lawName(op);
  const ElementType to = shapesOf(op).results[0].type;
  const ElementType middle = elements_[operand].type;
  const bool isOfIntegers =
      (classOf(to) == kIntegers || classOf(to) == kPredicates) &&
      (classOf(middle) == kIntegers || classOf(middle) == kPredicates);
  if (!isResize(name) || !isOfIntegers) return std::nullopt;
  if (to == middle) return operand;
  const int64_t end = bitWidthOf(to), between = bitWidthOf(middle);
  // All three are one where the type becomes narrower.
  auto made = [&](StringRef how, ElementType from, ElementId x) {
    return apply(elementwiseOp(how, {from}, to), {x});
  };
  const Element &inner = elements_[operand];
  const bool isNested = inner.kind == Element::Kind::Apply &&
                        isResize(lawName(inner.op)) &&
                        inner.operands.size() == 1;
  if (isNested) {
    const ElementId x = inner.operands[0];
    const ElementType type = elements_[x].type;
    const int64_t begin = bitWidthOf(type);
    const StringRef before = lawName(inner.op);
    const bool isTruth = type == ElementType::Pred || to == ElementType::Pred ||
                         middle == ElementType::Pred;
    if (begin < between && !isTruth) {
      use("widen", /*loses=*/false);
      if (end <= begin) return type == to ? x : made("truncate", type, x);
      if (end <= between || before == "zero-extend")
        return made(before, type, x);
      if (name == before) return made(before, type, x);
    } else if (begin > between && end <= between && !isTruth) {
      use("widen", /*loses=*/false);
      return made("truncate", type, x);
    }
  }
  if (end < between && name != "truncate" && to != ElementType::Pred)
    return made("truncate", middle, operand);
  return std::nullopt;
}

/// Returns the comparison of two numbers before they are widened exactly. One
/// of them may be a constant that the narrower type has, too.
std::optional<ElementId> ElementTable::comparedBefore(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  const StringRef name = lawName(op);
  if (!isDirection(name) || operands.size() != 2) return std::nullopt;
  const ElementType to = elements_[operands[0]].type;
  if (classOf(to) != kFloats) return std::nullopt;
  std::optional<ElementType> from;
  std::optional<ElementId> before[2];
  for (size_t k : {0, 1}) {
    const Element &element = elements_[operands[k]];
    if (element.kind != Element::Kind::Apply ||
        lawName(element.op) != "convert")
      continue;
    before[k] = element.operands[0];
    const ElementType own = elements_[*before[k]].type;
    if (from.value_or(own) != own) return std::nullopt;
    from = own;
  }
  if (!from || classOf(*from) != kFloats || !isExactConversion(*from, to))
    return std::nullopt;
  for (size_t k : {0, 1}) {
    if (before[k]) continue;
    const Element &element = elements_[operands[k]];
    if (element.kind != Element::Kind::Literal) return std::nullopt;
    const auto bytes = narrowed(to, element.text, *from);
    if (!bytes) return std::nullopt;
    before[k] = literal(*from, *bytes);
  }
  use("widen", /*loses=*/false);
  return apply(comparisonOp(name, *from), {*before[0], *before[1]});
}

/// Returns what an op gives of a NaN.
std::optional<ElementId> ElementTable::ofNan(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  const bool hasNan = llvm::any_of(operands, [&](ElementId id) {
    const Element &element = elements_[id];
    return element.kind == Element::Kind::Literal &&
           isNanOf(element.type, element.text);
  });
  if (!hasNan) return std::nullopt;
  const StringRef name = lawName(op);
  const ElementType type = shapesOf(op).results[0].type;
  const bool areFloats = llvm::all_of(operands, [&](ElementId id) {
    return classOf(elements_[id].type) == kFloats;
  });
  const bool loses =
      llvm::any_of(operands, [&](ElementId id) { return !isConstant_[id]; });
  if (isDirection(name) && areFloats) {
    use("nan", loses);
    return literal(type, std::string(1, name == "NE" ? '\1' : '\0'));
  }
  const bool isPassed =
      llvm::StringSwitch<bool>(name)
          .Cases({"add", "subtract", "multiply", "divide"},
                 operands.size() == 2)
          .Cases({"convert", "negate", "abs"}, operands.size() == 1)
          .Default(false);
  if (isPassed && classOf(type) == kFloats && areFloats) {
    const auto nan = bytesOfNan(type);
    if (!nan) return unknown();
    use("nan", loses);
    return literal(type, *nan);
  }
  // What reads the bits of a NaN tells two apart that are one here.
  const bool readsBits =
      name.empty() || name == "bitcast-convert" || name == "reduce-precision" ||
      name == "next-after" ||
      StringRef(op.descriptor().configuration).contains("TOTALORDER");
  if (readsBits) return unknown();
  return std::nullopt;
}

}  // namespace indexical
