#include "indexical/same/values/element_table.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/program/module/callees.h"
#include "indexical/program/values/ring_ops.h"
#include "indexical/program/values/term_ops.h"

namespace indexical {
namespace {

bool isOp(const Op &op, const char *name) {
  const auto *elementwise = op.as<ElementwiseOp>();
  return elementwise && elementwise->opKind == kindOf<ElementwiseOp>(name);
}

bool hasWidth(ElementType type) {
  return isInteger(type) && type != ElementType::Pred && bitsOf(type) > 0 &&
         bitsOf(type) <= 64;
}

/// The bytes of an integer.
std::string bytesOf(uint64_t value, ElementType type) {
  std::string bytes;
  for (int64_t k = 0; k < bitsOf(type); k += 8)
    bytes += static_cast<char>(value >> k);
  return bytes;
}

bool isAllZero(llvm::StringRef bytes) {
  return llvm::all_of(bytes, [](char byte) { return byte == 0; });
}

uint64_t wordOf(llvm::StringRef bytes) {
  uint64_t word = 0;
  for (size_t k = 0; k < bytes.size(); ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(bytes[k])) << (8 * k);
  return word;
}

}  // namespace

bool Element::operator==(const Element &o) const {
  return kind == o.kind && type == o.type && op == o.op && number == o.number &&
         leaf == o.leaf && operands == o.operands && maps == o.maps &&
         functions == o.functions && text == o.text;
}

size_t Element::hash() const {
  return llvm::hash_combine(
      kind, type, op.hash(), number, leaf,
      llvm::hash_combine_range(operands.begin(), operands.end()),
      llvm::hash_combine_range(maps.begin(), maps.end()),
      llvm::hash_combine_range(functions.begin(), functions.end()), text);
}

bool keepsOrder(const Op &op) {
  return llvm::StringRef(op.descriptor().configuration)
      .starts_with(kKeepsOrder);
}

Op withoutOrder(const Op &op) {
  if (!keepsOrder(op)) return op;
  return op.changed([](OpDraft &draft) {
    draft->configuration.erase(0, kKeepsOrder.size());
  });
}

Op scalarOp(const Op &op) {
  return op.changed([](OpDraft &draft) {
    for (ShapeList *shapes : {&draft->operands, &draft->results})
      for (size_t k = 0; k < shapes->size(); ++k)
        shapes->mutableAt(k) = ArrayShape((*shapes)[k].type, {});
  });
}

ElementTable::ElementTable(FloatLaws floats) : floats_(floats) {
  Element nothing;
  nothing.kind = Element::Kind::Nothing;
  intern(std::move(nothing));
}

ElementId ElementTable::intern(Element element) {
  const auto [id, isNew] = elements_.intern(std::move(element));
  if (!isNew) return id;
  isReal_.push_back(findIsReal(elements_[id]));
  isConstant_.push_back(findIsConstant(elements_[id]));
  return id;
}

ElementId ElementTable::unknown() {
  Element unknown;
  unknown.number = unknowns_++;
  return intern(std::move(unknown));
}

ElementId ElementTable::read(ElementId array, ElementType type,
                             const IndexingMap &map) {
  if (map.isKnownEmpty()) return kNothing;
  Element read;
  read.kind = Element::Kind::Read;
  read.type = type;
  read.operands = {array};
  read.maps = {map};
  return intern(std::move(read));
}

//===-- Numbers -----------------------------------------------------------===//

bool ElementTable::isRing(ElementType type) const {
  return hasWidth(type) || (has(floats_, FloatLaws::Ring) && isRealFloat(type));
}

const Polynomial *ElementTable::polynomialOf(ElementId id) const {
  const auto found = polynomials_.find(id);
  return found == polynomials_.end() ? nullptr : &found->second;
}

/// Calls `take` with what the element is made of.
static void eachOperand(const Element &element,
                        llvm::function_ref<void(ElementId)> take) {
  for (ElementId operand : element.operands) take(operand);
  for (const IndexingMap &map : element.maps)
    for (const RuntimeVariable &v : map.runtime())
      if (v.source.tensor >= 0) take(ElementId(v.source.tensor));
}

/// Calls `take` with all that these elements are made of, each once.
void ElementTable::walk(llvm::ArrayRef<ElementId> ids,
                        llvm::function_ref<void(ElementId)> take) const {
  std::set<ElementId> seen;
  std::vector<ElementId> stack(ids.begin(), ids.end());
  while (!stack.empty()) {
    const ElementId id = stack.back();
    stack.pop_back();
    if (!seen.insert(id).second) continue;
    const Element &element = elements_[id];
    take(id);
    eachOperand(element, [&](ElementId operand) { stack.push_back(operand); });
  }
}

const ElementTable::Leaves &ElementTable::readsOf(ElementId of) const {
  using List = std::vector<ParameterLeaf>;
  reads_.resize(elements_.size());
  std::vector<ElementId> open{of};
  while (!open.empty()) {
    const ElementId id = open.back();
    if (reads_[id]) {
      open.pop_back();
      continue;
    }
    const Element &element = elements_[id];
    const size_t before = open.size();
    eachOperand(element, [&](ElementId operand) {
      if (!reads_[operand]) open.push_back(operand);
    });
    if (open.size() > before) continue;
    Leaves all = std::make_shared<const List>();
    if (element.kind == Element::Kind::Parameter)
      all = std::make_shared<const List>(
          List{{element.number, LeafId(element.leaf)}});
    eachOperand(element, [&](ElementId operand) {
      const Leaves &own = reads_[operand];
      if (own == all) return;
      List both;
      std::set_union(all->begin(), all->end(), own->begin(), own->end(),
                     std::back_inserter(both));
      // Most elements read what one of their operands does.
      if (both.size() == own->size())
        all = own;
      else if (both.size() > all->size())
        all = std::make_shared<const List>(std::move(both));
    });
    reads_[id] = std::move(all);
  }
  return reads_[of];
}

std::set<ParameterLeaf> ElementTable::parametersOf(
    llvm::ArrayRef<ElementId> ids) const {
  std::set<ParameterLeaf> read;
  for (ElementId id : ids) {
    const Leaves &own = readsOf(id);
    read.insert(own->begin(), own->end());
  }
  return read;
}

bool ElementTable::isAnything(ElementId array) const {
  const Element &element = elements_[array];
  const auto *cover =
      element.op ? innermost(element.op).as<CoverOp>() : nullptr;
  return cover && cover->precision == Precision::Opaque &&
         element.operands.empty();
}

bool ElementTable::readsAnything(ElementId id) const {
  bool reads = false;
  walk({id}, [&](ElementId each) { reads |= isAnything(each); });
  return reads;
}

std::optional<int64_t> ElementTable::integerOf(ElementId id) const {
  const Element &element = elements_[id];
  if (element.kind != Element::Kind::Literal || !isInteger(element.type) ||
      bitsOf(element.type) > 64)
    return std::nullopt;
  const uint64_t word = wordOf(element.text);
  const bool isSigned = elementTypeName(element.type).starts_with("s") &&
                        bitsOf(element.type) > 0;
  if (isSigned) return llvm::SignExtend64(word, bitsOf(element.type));
  // A u64 from 2^63 on is no int64_t.
  if (word > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<int64_t>(word);
}

std::optional<int64_t> ElementTable::indexOf(ElementId id) const {
  const Element &element = elements_[id];
  if (element.kind == Element::Kind::Literal &&
      element.type == ElementType::U64 && !integerOf(id))
    return INT64_MAX;
  return integerOf(id);
}

Polynomial ElementTable::asPolynomial(ElementId id) const {
  if (const Polynomial *known = polynomialOf(id)) return *known;
  const Element &element = elements_[id];
  if (element.kind == Element::Kind::Literal && hasWidth(element.type)) {
    const uint64_t word = wordOf(element.text);
    return Polynomial(
        Coefficient(llvm::DynamicAPInt(static_cast<int64_t>(word >> 1)) *
                            llvm::DynamicAPInt(2) +
                        llvm::DynamicAPInt(static_cast<int64_t>(word & 1)),
                    llvm::DynamicAPInt(1)));
  }
  if (element.kind == Element::Kind::Literal && isRing(element.type))
    if (const auto number = numberOfFloat(element.type, element.text))
      return Polynomial(*number);
  return Polynomial::of({id}, 1);
}

/// Returns the polynomial with one exponential in each product of several:
/// exp(x) * exp(y) is exp(x + y). Requires a ring of real numbers.
Polynomial ElementTable::withJoinedExponents(ElementType type,
                                             Polynomial polynomial) {
  auto isExponential = [&](ElementId id) {
    return elements_[id].kind == Element::Kind::Apply &&
           lawName(elements_[id].op) == "exponential";
  };
  auto isJoined = [&](const Polynomial::Term &term) {
    return llvm::count_if(term.monomial, isExponential) < 2;
  };
  if (llvm::all_of(polynomial.terms(), isJoined)) return polynomial;
  Polynomial joined;
  for (const Polynomial::Term &term : polynomial.terms()) {
    if (isJoined(term)) {
      if (!joined.add(term.monomial, term.coefficient)) return polynomial;
      continue;
    }
    Polynomial exponent;
    ElementProducts::Monomial factors;
    Op op = Op::none();
    for (ElementId factor : term.monomial) {
      if (!isExponential(factor)) {
        factors.push_back(factor);
        continue;
      }
      op = elements_[factor].op;
      const Polynomial part = asPolynomial(elements_[factor].operands[0]);
      for (const Polynomial::Term &each : part.terms())
        if (!exponent.add(each.monomial, each.coefficient)) return polynomial;
    }
    if (!exponent.isZero())
      factors.push_back(apply(op, {fromPolynomial(type, std::move(exponent))}));
    llvm::sort(factors);
    if (!joined.add(factors, term.coefficient)) return polynomial;
  }
  use("exponents", /*loses=*/false);
  return joined;
}

ElementId ElementTable::fromPolynomial(ElementType type,
                                       Polynomial polynomial) {
  if (hasWidth(type))
    wrap(polynomial, bitsOf(type));
  else
    polynomial = withJoinedExponents(type, std::move(polynomial));
  Element made;
  made.type = type;
  if (const auto number = numberOf(polynomial); number && hasWidth(type)) {
    llvm::DynamicAPInt half = number->num / llvm::DynamicAPInt(2);
    const uint64_t word =
        (static_cast<uint64_t>(static_cast<int64_t>(half)) << 1) |
        static_cast<uint64_t>(
            static_cast<int64_t>(number->num % llvm::DynamicAPInt(2)));
    made.kind = Element::Kind::Literal;
    made.text = bytesOf(word, type);
    return intern(std::move(made));
  }
  const auto terms = polynomial.terms();
  if (terms.size() == 1 && terms[0].monomial.size() == 1 &&
      terms[0].coefficient == 1)
    return terms[0].monomial[0];
  made.kind = Element::Kind::Sum;
  llvm::raw_string_ostream os(made.text);
  for (const auto &[factors, by] : terms) {
    made.operands.append(factors.begin(), factors.end());
    os << by.num << '/' << by.den << ':' << factors.size() << ' ';
  }
  const ElementId id = intern(std::move(made));
  polynomials_.emplace(id, std::move(polynomial));
  return id;
}

std::string ElementTable::literalText(ElementType type, llvm::StringRef bytes) {
  if (!hasWidth(type)) return bytes.str();
  return bytesOf(wordOf(bytes) & llvm::maskTrailingOnes<uint64_t>(bitsOf(type)),
                 type);
}

ElementId ElementTable::literal(ElementType type, llvm::StringRef bytes) {
  // The sign of a zero is lost in the ring, and only there.
  if (isRing(type) && isRealFloat(type))
    if (const auto number = numberOfFloat(type, bytes);
        number && (!number->isZero() || isAllZero(bytes)))
      return fromPolynomial(type, Polynomial(*number));
  Element literal;
  literal.kind = Element::Kind::Literal;
  literal.type = type;
  literal.text = literalText(type, bytes);
  return intern(std::move(literal));
}

ElementId ElementTable::index(ElementType type, const IndexingMap &map) {
  if (map.isKnownEmpty()) return kNothing;
  const ExpressionTable &forms = map.expressions();
  const FormId form = map.results()[0];
  if (forms.isConstant(form) && hasWidth(type))
    return literal(type,
                   bytesOf(static_cast<uint64_t>(forms.constant(form)) &
                               llvm::maskTrailingOnes<uint64_t>(bitsOf(type)),
                           type));
  Element made;
  made.kind = Element::Kind::Index;
  made.type = type;
  made.maps = {map};
  return intern(std::move(made));
}

//===-- Ops ---------------------------------------------------------------===//

/// Returns the result of the op in the ring of its type, or nothing if it is no
/// operation of that ring.
std::optional<Polynomial> ElementTable::ringValue(
    const Op &op, llvm::ArrayRef<ElementId> operands) const {
  const ElementType type = shapesOf(op).results[0].type;
  llvm::SmallVector<Polynomial, 2> x;
  for (ElementId operand : operands) x.push_back(asPolynomial(operand));
  auto is = [&](const char *name) { return isOp(op, name); };
  if (is("divide")) {
    const auto number = x.size() == 2 ? numberOf(x[1]) : std::nullopt;
    if (!isRealFloat(type) || !number || number->isZero()) return std::nullopt;
    return x[0].scaled(Coefficient(1) / *number);
  }
  return indexical::ringValue<Polynomial>(is, x,
                                          hasWidth(type) ? bitsOf(type) : 0);
}

std::optional<ElementId> ElementTable::ringOp(
    const Op &op, llvm::ArrayRef<ElementId> operands) {
  const OpShapes &shapes = shapesOf(op);
  const ElementType type = shapes.results[0].type;
  if (!isRing(type) || !isPlain(op) ||
      llvm::any_of(shapes.operands,
                   [&](const ArrayShape &s) { return s.type != type; }) ||
      !llvm::all_of(operands, [&](ElementId id) { return isReal_[id]; }))
    return std::nullopt;
  auto value = ringValue(op, operands);
  if (!value || hasLargeCoefficient(*value)) return std::nullopt;
  if (hasWidth(type)) wrap(*value, bitsOf(type));
  used_.insert("ring");
  if (isRealFloat(type)) used_.insert("real");
  // What vanishes was an operand's.
  std::set<ElementId> left;
  for (const auto &[factors, by] : value->terms())
    left.insert(factors.begin(), factors.end());
  for (ElementId operand : operands)
    for (const auto &[factors, by] : asPolynomial(operand).terms())
      for (ElementId factor : factors)
        if (!left.count(factor) && !isConstant_[factor])
          use("ring", /*loses=*/true);
  return fromPolynomial(type, *std::move(value));
}

ElementId ElementTable::apply(const Op &given,
                              llvm::ArrayRef<ElementId> operands) {
  if (const auto made = ofArith(given, operands)) return *made;
  // A comparison has one spelling, in both languages.
  const llvm::StringRef name = lawName(given);
  const Op op = isDirection(name)
                    ? comparisonOp(name, shapesOf(given).operands[0].type)
                    : given;
  if (!operands.empty() && op.is<ElementwiseOp>())
    if (const auto made = folded(op, operands)) return *made;
  if (const auto made = ofNan(op, operands)) return *made;
  if (!name.empty() && !operands.empty()) {
    if (const auto made = byLaws(op, operands)) return *made;
    if (name == "convert" && operands.size() == 1)
      if (const auto made = converted(op, operands[0])) return *made;
    if (operands.size() == 1)
      if (const auto made = resized(op, operands[0])) return *made;
    if (const auto made = comparedBefore(op, operands)) return *made;
    if (const auto made = truthOf(op, operands)) return *made;
    if (const auto made = asSet(op, operands)) return *made;
  }
  if (!operands.empty() && op.is<ElementwiseOp>())
    if (const auto made = ringOp(op, operands)) return *made;
  Element made;
  made.kind = Element::Kind::Apply;
  made.type = shapesOf(op).results[0].type;
  made.op = op;
  made.operands.assign(operands.begin(), operands.end());
  if (commutes(op) || name == "EQ" || name == "NE") llvm::sort(made.operands);
  // The sign of a zero that the ring gave may decide what it is.
  const bool ignoresSign = name == "log" || name == "remainder";
  if (has(floats_, FloatLaws::Ring) && isRealFloat(made.type) && !ignoresSign &&
      !findIsReal(made) && llvm::any_of(operands, [&](ElementId id) {
        const auto number = numberOf(asPolynomial(id));
        return elements_[id].kind == Element::Kind::Sum && number &&
               number->isZero();
      }))
    return unknown();
  return intern(std::move(made));
}

ElementId ElementTable::cases(ElementType type, llvm::ArrayRef<Piece> pieces) {
  if (pieces.size() == 1) return pieces[0].element;
  Element made;
  made.kind = Element::Kind::Cases;
  made.type = type;
  std::vector<std::pair<std::string, const Piece *>> sorted;
  for (const Piece &piece : pieces)
    sorted.push_back({piece.region.strOneLine(), &piece});
  llvm::sort(sorted);
  for (const auto &[text, piece] : sorted) {
    made.operands.push_back(piece->element);
    made.maps.push_back(piece->region);
  }
  return intern(std::move(made));
}

ElementId ElementTable::reducedNode(const Op &op, int64_t variables,
                                    llvm::ArrayRef<Piece> pieces,
                                    std::optional<ElementId> init) {
  if (const auto truths = reducedTruths(op, variables, pieces, init))
    return *truths;
  Element made;
  made.kind = Element::Kind::Reduced;
  made.type = shapesOf(op).results[0].type;
  made.op = op;
  made.number = variables;
  if (isRealFloat(made.type) && llvm::none_of(pieces, [&](const Piece &piece) {
        return piece.isNeverEmpty && !isInfinity(piece.element, true) &&
               !isInfinity(piece.element, false);
      }))
    made.leaf = Element::kMayBeEmpty;
  std::vector<std::pair<std::string, const Piece *>> sorted;
  for (const Piece &piece : pieces)
    sorted.push_back({piece.region.strOneLine(), &piece});
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::tie(a.first, a.second->element) <
           std::tie(b.first, b.second->element);
  });
  for (const auto &[text, piece] : sorted) {
    made.operands.push_back(piece->element);
    made.maps.push_back(piece->region);
  }
  if (init) made.operands.push_back(*init);
  return intern(std::move(made));
}

ElementId ElementTable::reduced(const Op &op, int64_t variables,
                                llvm::ArrayRef<Piece> pieces,
                                std::optional<ElementId> init) {
  const ElementType type = shapesOf(op).results[0].type;
  const bool isReal =
      (!init || isReal_[*init]) &&
      llvm::all_of(pieces, [&](const Piece &p) { return isReal_[p.element]; });
  if (!isOp(op, "add") || !isRing(type) || !isPlain(op) || !isReal)
    return reducedNode(op, variables, pieces, init);
  // A sum of sums is the sum of their terms, each summed.
  Polynomial all = init ? asPolynomial(*init) : Polynomial();
  for (const Piece &piece : pieces)
    for (const auto &[factors, by] : asPolynomial(piece.element).terms()) {
      const ElementId term = fromPolynomial(type, Polynomial::of(factors, 1));
      const ElementId sum =
          reducedNode(op, variables, {{piece.region, term, piece.isNeverEmpty}},
                      std::nullopt);
      if (!all.add(Polynomial::Monomial{sum}, by) || hasLargeCoefficient(all))
        return reducedNode(op, variables, pieces, init);
    }
  return fromPolynomial(type, std::move(all));
}

}  // namespace indexical
