// The table's use of the laws: rows of laws.h, sets, conversions, and numbers.
#include <algorithm>
#include <cmath>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/integers.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/value_walk.h"
#include "indexical/same/values/computed_bytes.h"
#include "indexical/same/values/element_table.h"
#include "indexical/same/values/laws.h"
#include "indexical/same/values/typed_numbers.h"

namespace indexical {
namespace {

using llvm::StringRef;

// Larger sets stay nested.
constexpr size_t kMostInSet = 64;

/// Whether the order of two operands does not count for a pattern.
bool commutesIn(StringRef name, ElementType type) {
  if (name == "add" || name == "multiply" || name == "and" || name == "or" ||
      name == "xor" || name == "EQ" || name == "NE")
    return true;
  return (name == "maximum" || name == "minimum") && isInteger(type);
}

StringRef dualOf(StringRef name) {
  if (name == "and") return "or";
  if (name == "or") return "and";
  if (name == "maximum") return "minimum";
  if (name == "minimum") return "maximum";
  return "";
}

}  // namespace

bool isExactConversion(ElementType from, ElementType to) {
  if (holdsAll(to, from)) return true;
  if (classOf(to) != kFloats) return false;
  const int64_t bits = bitsOf(from);
  switch (from) {
    case ElementType::BF16:
    case ElementType::F16:
      return to == ElementType::F32 || to == ElementType::F64;
    case ElementType::F32:
      return to == ElementType::F64;
    // At most 5 bits of significand, and exponents that f16 has, too.
    case ElementType::F4E2M1FN:
    case ElementType::F8E3M4:
    case ElementType::F8E4M3:
    case ElementType::F8E4M3FN:
    case ElementType::F8E4M3B11FNUZ:
    case ElementType::F8E4M3FNUZ:
    case ElementType::F8E5M2:
    case ElementType::F8E5M2FNUZ:
      return true;
    default:
      break;
  }
  if (!isInteger(from)) return false;
  if (to == ElementType::F64) return bits <= 32;
  if (to == ElementType::F32) return bits <= 16;
  return bits <= 8;
}

Op elementwiseOp(StringRef name, llvm::ArrayRef<ElementType> operands,
                 ElementType result) {
  ElementwiseOp op;
  for (ElementType type : operands) op.operands.push_back(ArrayShape(type, {}));
  op.results = {ArrayShape(result, {})};
  for (const OpKind &kind : ElementwiseOp::kKinds)
    if (kind.name == name) op.opKind = &kind;
  return Op(std::move(op));
}

Op comparisonOp(StringRef direction, ElementType type) {
  const Op op = elementwiseOp("compare", {type, type}, ElementType::Pred);
  return op.changed([&](OpDraft &draft) {
    draft->configuration = "direction=" + direction.str();
  });
}

StringRef lawName(const Op &op) {
  const auto *elementwise = op.as<ElementwiseOp>();
  if (!elementwise || !elementwise->opKind || !isPlain(op) ||
      elementwise->results.size() != 1 || elementwise->operands.empty())
    return "";
  const StringRef name = elementwise->opKind->name;
  if (name != "compare") return name;
  const ElementType type = elementwise->operands[0].type;
  if (elementwise->operands.size() != 2 ||
      elementwise->operands[1].type != type || isComplex(type))
    return "";
  // A comparison may name the type that its operands have, and no other.
  const StringRef text = elementwise->configuration;
  const bool isUnsigned =
      elementTypeName(type).starts_with("u") || type == ElementType::Pred;
  if ((text.contains("UNSIGNED") && !isUnsigned) ||
      (text.contains("SIGNED") && !text.contains("UNSIGNED") &&
       (isUnsigned || !isInteger(type))) ||
      (text.contains("FLOAT") && isInteger(type)))
    return "";
  return directionOf(*elementwise);
}

std::string ElementTable::neutralOf(const Op &op, ElementType type) {
  const StringRef name = op.kind().name;
  const OfTypes of = classOf(type);
  StringRef number;
  if (name == "add" || name == "xor")
    number = of == kPredicates ? "false" : "0";
  else if (name == "multiply")
    number = of == kPredicates ? "true" : "1";
  else if (name == "and")
    number = of == kPredicates ? "true" : "ones";
  else if (name == "or")
    number = of == kPredicates ? "false" : "0";
  else if (name == "maximum")
    number = of == kFloats ? "-inf" : of == kPredicates ? "false" : "lowest";
  else if (name == "minimum")
    number = of == kFloats ? "inf" : of == kPredicates ? "true" : "highest";
  return bytesOfNumber(number, type);
}

bool ElementTable::isNeutral(const Op &op, ElementId id) const {
  const ElementType type = elements_[id].type;
  const std::string bytes = neutralOf(op, type);
  if (bytes.empty()) return false;
  const Element &element = elements_[id];
  if (isRing(type) && isRealFloat(type))
    if (const auto value = numberOfFloat(type, bytes)) {
      const auto own = numberOf(asPolynomial(id));
      return own && *own == *value;
    }
  if (element.kind != Element::Kind::Literal) return false;
  if (literalText(type, bytes) == element.text) return true;
  // A sum begins with either zero; -0 changes no number at all.
  std::string negative = bytes;
  negative.back() ^= '\x80';
  return isRealFloat(type) && bitsOf(type) >= 8 && lawName(op) == "add" &&
         literalText(type, negative) == element.text;
}

//===-- Rows --------------------------------------------------------------===//

/// Returns the element that `not` gives this one of, if its form shows it.
std::optional<ElementId> ElementTable::complemented(ElementId id) const {
  const Element &element = elements_[id];
  if (classOf(element.type) == kPredicates) {
    if (element.kind == Element::Kind::Apply && lawName(element.op) == "not")
      return element.operands[0];
    return std::nullopt;
  }
  const Polynomial *sum = polynomialOf(id);
  if (!sum || classOf(element.type) != kIntegers || sum->terms().size() != 2)
    return std::nullopt;
  // -x - 1, modulo 2 to the width.
  llvm::DynamicAPInt minus(1);
  for (int64_t k = 0; k < bitsOf(element.type); ++k)
    minus *= llvm::DynamicAPInt(2);
  minus -= llvm::DynamicAPInt(1);
  std::optional<ElementId> inner;
  for (const auto &[factors, by] : sum->terms()) {
    if (by.num != minus || factors.size() > 1) return std::nullopt;
    if (factors.size() == 1) inner = factors[0];
  }
  return inner;
}

bool ElementTable::matchOperands(const TermPattern &pattern,
                                 llvm::ArrayRef<ElementId> ids,
                                 Bindings &bound) {
  if (pattern.operands.size() != ids.size()) return false;
  const Bindings before = bound;
  auto inOrder = [&](bool turned) {
    for (size_t k = 0; k < ids.size(); ++k)
      if (!match(pattern.operands[k], ids[turned ? ids.size() - 1 - k : k],
                 bound)) {
        bound = before;
        return false;
      }
    return true;
  };
  if (inOrder(/*turned=*/false)) return true;
  return ids.size() == 2 && commutesIn(pattern.name, elements_[ids[0]].type) &&
         inOrder(/*turned=*/true);
}

bool ElementTable::match(const TermPattern &pattern, ElementId id,
                         Bindings &bound) {
  if (pattern.kind == TermPattern::Kind::Variable) {
    for (const auto &[name, known] : bound)
      if (name == pattern.name[0]) return known == id;
    bound.push_back({pattern.name[0], id});
    return true;
  }
  const Element &element = elements_[id];
  if (pattern.kind == TermPattern::Kind::Number) {
    const std::string bytes = bytesOfNumber(pattern.name, element.type);
    return !bytes.empty() && literal(element.type, bytes) == id;
  }
  if (pattern.name == "not") {
    if (const auto inner = complemented(id))
      if (match(pattern.operands[0], *inner, bound)) return true;
    // Any integer is a complement: of what is known already, it may be that
    // one's.
    const auto made = instantiate(pattern, element.type, bound);
    return made && *made == id;
  }
  return element.kind == Element::Kind::Apply &&
         lawName(element.op) == pattern.name &&
         matchOperands(pattern,
                       llvm::SmallVector<ElementId, 4>(elements_[id].operands),
                       bound);
}

std::optional<ElementId> ElementTable::instantiate(const TermPattern &pattern,
                                                   ElementType type,
                                                   const Bindings &bound) {
  if (pattern.kind == TermPattern::Kind::Variable) {
    for (const auto &[name, known] : bound)
      if (name == pattern.name[0]) return known;
    return std::nullopt;
  }
  if (pattern.kind == TermPattern::Kind::Number) {
    const bool isTruth = pattern.name == "true" || pattern.name == "false";
    const ElementType own = isTruth ? ElementType::Pred : type;
    const std::string bytes = bytesOfNumber(pattern.name, own);
    if (bytes.empty()) return std::nullopt;
    return literal(own, bytes);
  }
  // What is compared has the type of a variable in it.
  ElementType inner = type;
  if (isDirection(pattern.name))
    for (const TermPattern &operand : pattern.operands)
      if (operand.kind == TermPattern::Kind::Variable)
        if (const auto known = instantiate(operand, type, bound))
          inner = elements_[*known].type;
  llvm::SmallVector<ElementId, 4> operands;
  llvm::SmallVector<ElementType, 4> types;
  for (size_t k = 0; k < pattern.operands.size(); ++k) {
    const bool isChoice = pattern.name == "select" && k == 0;
    types.push_back(isChoice ? ElementType::Pred : inner);
    const auto operand = instantiate(pattern.operands[k], types.back(), bound);
    if (!operand || elements_[*operand].type != types.back())
      return std::nullopt;
    operands.push_back(*operand);
  }
  return apply(isDirection(pattern.name)
                   ? comparisonOp(pattern.name, inner)
                   : elementwiseOp(pattern.name, types, type),
               operands);
}

/// Whether the laws of floats hold that the row needs: these are asked for, and
/// all numbers are real.
bool ElementTable::meetsNeeds(const Law &law, const Bindings &bound) const {
  if (law.needs == FloatLaws::None) return true;
  return has(floats_, law.needs) &&
         llvm::all_of(bound, [&](const auto &x) { return isReal_[x.second]; });
}

std::optional<ElementId> ElementTable::byLaws(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  const ElementType type = shapesOf(op).results[0].type;
  for (const ParsedLaw &parsed : lawsOf(lawName(op))) {
    Bindings bound;
    if (!matchOperands(parsed.left, operands, bound)) continue;
    const auto *x =
        llvm::find_if(bound, [](const auto &b) { return b.first == 'x'; });
    if (x == bound.end() ||
        !(parsed.law->types & classOf(elements_[x->second].type)) ||
        !meetsNeeds(*parsed.law, bound))
      continue;
    const bool loses = parsed.law->loses;
    const StringRef name = parsed.law->name;
    if (const auto made = instantiate(parsed.right, type, bound)) {
      use(name, loses);
      return made;
    }
  }
  return std::nullopt;
}

//===-- Numbers, conversions, sets ----------------------------------------===//

/// Returns the square root of a number that is a square, which no float rounds.
std::optional<ElementId> ElementTable::rootOf(ElementId id) {
  const ElementType type = elements_[id].type;
  const auto number = numberOf(asPolynomial(id));
  if (!isRing(type) || !isRealFloat(type) || !number) return std::nullopt;
  const llvm::DynamicAPInt most(int64_t{1} << 20), none(0);
  if (number->num <= none || number->num > most || number->den > most)
    return std::nullopt;
  auto root = [](const llvm::DynamicAPInt &of) {
    const auto square = static_cast<int64_t>(of);
    const auto side = static_cast<int64_t>(std::llround(std::sqrt(square)));
    return side * side == square ? side : 0;
  };
  const int64_t over = root(number->num), under = root(number->den);
  if (over == 0 || under == 0) return std::nullopt;
  used_.insert("real");
  return fromPolynomial(type, Polynomial(Coefficient(over, under)));
}

/// Returns what an op gives for numbers that are all known. Sums and products
/// of a ring are those of the ring.
std::optional<ElementId> ElementTable::folded(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  llvm::SmallVector<NumberBytes, 3> numbers;
  if (lawName(op) == "sqrt" && isPlain(op))
    if (const auto root = rootOf(operands[0])) return root;
  for (ElementId id : operands) {
    const Element &element = elements_[id];
    if (element.kind != Element::Kind::Literal) return std::nullopt;
    numbers.push_back({element.type, element.text});
  }
  const auto bytes = computedBytes(op, numbers);
  if (!bytes) return std::nullopt;
  return literal(shapesOf(op).results[0].type, *bytes);
}

std::optional<ElementId> ElementTable::converted(const Op &op,
                                                 ElementId operand) {
  const ElementType to = shapesOf(op).results[0].type;
  const Element &from = elements_[operand];
  if (from.type == to) return operand;
  if (from.kind != Element::Kind::Apply || lawName(from.op) != "convert")
    return std::nullopt;
  const ElementId inner = from.operands[0];
  const ElementType begin = elements_[inner].type, middle = from.type;
  // From an integer through a float, a number that the last type lacks is
  // saturated, and else wrapped.
  const bool throughFloat = isInteger(begin) && !isInteger(middle);
  if (isExactConversion(begin, middle) &&
      (!throughFloat || !isInteger(to) || isExactConversion(begin, to))) {
    use("widen", /*loses=*/false);
    if (begin == to) return inner;
    return apply(elementwiseOp("convert", {begin}, to), {inner});
  }
  if (begin == to && classOf(begin) == kFloats && classOf(middle) == kFloats &&
      has(floats_, FloatLaws::ExcessPrecision) && isReal_[inner]) {
    use("excess-precision", /*loses=*/false);
    return inner;
  }
  return std::nullopt;
}

namespace {

/// Returns the predicate that an element is the conversion of, to numbers that
/// are 0 and 1.
std::optional<ElementId> widenedTruth(const ElementTable &table, ElementId id) {
  const Element &element = table[id];
  if (element.kind != Element::Kind::Apply ||
      lawName(element.op) != "convert" || bitsOf(element.type) < 8 ||
      (classOf(element.type) != kIntegers && classOf(element.type) != kFloats))
    return std::nullopt;
  const ElementId inner = element.operands[0];
  if (table[inner].type != ElementType::Pred) return std::nullopt;
  return inner;
}

}  // namespace

/// Returns the predicate that a comparison of it, as a number, with 0 gives.
std::optional<ElementId> ElementTable::truthOf(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  const StringRef name = lawName(op);
  if (operands.size() != 2 || (name != "NE" && name != "EQ" && name != "LT"))
    return std::nullopt;
  auto isZero = [&](ElementId id) {
    const auto number = numberOf(asPolynomial(id));
    const Element &element = elements_[id];
    return (number && number->isZero()) ||
           (element.kind == Element::Kind::Literal &&
            llvm::all_of(element.text, [](char byte) { return byte == 0; }));
  };
  for (const bool isFirst : {true, false}) {
    if (name == "LT" && !isFirst) continue;  // 0 < x
    if (!isZero(operands[isFirst ? 0 : 1])) continue;
    const auto truth = widenedTruth(*this, operands[isFirst ? 1 : 0]);
    if (!truth) continue;
    use("widen", /*loses=*/false);
    if (name != "EQ") return truth;
    return apply(elementwiseOp("not", {ElementType::Pred}, ElementType::Pred),
                 {*truth});
  }
  return std::nullopt;
}

/// Returns a maximum or minimum of predicates as numbers as the number of their
/// `or` or `and`.
std::optional<ElementId> ElementTable::reducedTruths(
    const Op &op, int64_t variables, llvm::ArrayRef<Piece> pieces,
    std::optional<ElementId> init) {
  const StringRef name = lawName(op);
  const ElementType type = shapesOf(op).results[0].type;
  if ((name != "maximum" && name != "minimum") || classOf(type) != kIntegers ||
      pieces.empty() || (init && !isNeutral(op, *init)))
    return std::nullopt;
  std::vector<Piece> truths;
  for (const Piece &piece : pieces) {
    const auto truth = widenedTruth(*this, piece.element);
    if (!truth || !piece.isNeverEmpty) return std::nullopt;
    truths.push_back({piece.region, *truth, true});
  }
  const ElementType pred = ElementType::Pred;
  const Op both =
      elementwiseOp(name == "maximum" ? "or" : "and", {pred, pred}, pred);
  use("widen", /*loses=*/false);
  const ElementId truth =
      reduced(both, variables, truths, literal(pred, neutralOf(both, pred)));
  return apply(elementwiseOp("convert", {pred}, type), {truth});
}

/// Returns the op of all that is nested in it, as a set: sorted, each once, but
/// of xor pairs that vanish. Returns nothing if nothing changes.
std::optional<ElementId> ElementTable::asSet(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  const StringRef name = lawName(op);
  const ElementType type = shapesOf(op).results[0].type;
  const OfTypes of = classOf(type);
  const bool isLattice = name == "maximum" || name == "minimum";
  if (!(isLattice && of == kIntegers) &&
      !((name == "and" || name == "or" || name == "xor") &&
        (of == kIntegers || of == kPredicates)))
    return std::nullopt;
  std::vector<ElementId> leaves;
  auto flatten = [&](StringRef nested, llvm::ArrayRef<ElementId> roots,
                     std::vector<ElementId> &to) {
    std::vector<ElementId> stack(roots.begin(), roots.end());
    while (!stack.empty() && to.size() <= kMostInSet) {
      const ElementId id = stack.back();
      stack.pop_back();
      const Element &element = elements_[id];
      if (element.kind == Element::Kind::Apply && lawName(element.op) == nested)
        stack.insert(stack.end(), element.operands.begin(),
                     element.operands.end());
      else
        to.push_back(id);
    }
    llvm::sort(to);
  };
  flatten(name, operands, leaves);
  if (leaves.size() > kMostInSet) return std::nullopt;
  const size_t count = leaves.size();
  if (name == "xor") {
    std::vector<ElementId> odd;
    for (ElementId id : leaves)
      if (!odd.empty() && odd.back() == id)
        odd.pop_back();
      else
        odd.push_back(id);
    if (odd.size() < leaves.size()) use("xor", /*loses=*/true);
    leaves = std::move(odd);
  } else {
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    // x and (x or y) is x.
    const std::vector<ElementId> all = leaves;
    llvm::erase_if(leaves, [&](ElementId id) {
      const Element &element = elements_[id];
      if (element.kind != Element::Kind::Apply ||
          lawName(element.op) != dualOf(name))
        return false;
      std::vector<ElementId> inner;
      flatten(dualOf(name), {id}, inner);
      const bool isAbsorbed = llvm::any_of(
          inner, [&](ElementId x) { return llvm::is_contained(all, x); });
      if (isAbsorbed) use("absorption", /*loses=*/true);
      return isAbsorbed;
    });
  }
  if (leaves.size() == count && count == 2) return std::nullopt;
  if (leaves.empty())
    return literal(type, bytesOfNumber(of == kIntegers ? "0" : "false", type));
  // Numbers come together, and those laws that speak of two operands hold.
  std::vector<ElementId> rest;
  std::optional<ElementId> number;
  for (ElementId id : leaves) {
    if (elements_[id].kind != Element::Kind::Literal) {
      rest.push_back(id);
    } else if (!number) {
      number = id;
    } else if (const auto both = folded(op, {*number, id})) {
      number = both;
    } else {
      return std::nullopt;
    }
  }
  used_.insert("lattice");
  auto nested = [&](ElementId a, ElementId b) {
    Element made;
    made.kind = Element::Kind::Apply;
    made.type = type;
    made.op = op;
    made.operands = {std::min(a, b), std::max(a, b)};
    return intern(std::move(made));
  };
  if (rest.empty()) return number;
  ElementId all = rest[0];
  for (size_t k = 1; k < rest.size(); ++k) {
    // A set of two may be one by a row, such as x and not x.
    if (const auto made =
            rest.size() == 2 ? byLaws(op, {rest[0], rest[1]}) : std::nullopt)
      all = *made;
    else
      all = nested(all, rest[k]);
  }
  if (!number) return all;
  if (const auto made = byLaws(op, {all, *number})) return made;
  return nested(*number, all);
}

}  // namespace indexical
