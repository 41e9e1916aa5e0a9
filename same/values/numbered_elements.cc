#include "indexical/same/values/numbered_elements.h"

#include <algorithm>
#include <cmath>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/computed_bytes.h"
#include "indexical/same/values/regions.h"
#include "indexical/same/values/typed_numbers.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

std::optional<llvm::StringRef> bytesAt(const ConstantOp &literal,
                                       llvm::ArrayRef<int64_t> index) {
  const ArrayShape &shape = literal.results[0];
  const size_t bytes = (bitsOf(shape.type) + 7) / 8;
  const auto count = shape.elementCount();
  // A literal of equal elements has one, and a large one has a digest.
  if (!literal.isKnown || !count || bytes == 0 ||
      literal.bits.size() != bytes * *count ||
      index.size() != shape.dimensions.size())
    return std::nullopt;
  int64_t place = 0;
  for (auto [size, i] : llvm::zip(shape.dimensions, index)) {
    if (i < 0 || i >= size) return std::nullopt;
    place = place * size + i;
  }
  return llvm::StringRef(literal.bits).substr(place * bytes, bytes);
}
namespace {

using Kind = Element::Kind;

// Indices of one region of constants.
constexpr int64_t kMostConstants = 4096;

std::string bytesOfInteger(const TypedNumber &number) {
  std::string bytes;
  for (int64_t k = 0; k < bitsOf(number.type); k += 8)
    bytes += static_cast<char>(number.word >> k);
  return bytes;
}

/// Whether any order of such ops of integers gives the same.
bool isAnyOrder(llvm::StringRef name) {
  return name == "add" || name == "multiply" || name == "and" || name == "or" ||
         name == "xor" || name == "maximum" || name == "minimum";
}

}  // namespace

std::optional<int64_t> NumberedElements::valueOf(
    const RuntimeVariable &variable, const Point &point) {
  if (variable.source.kind != RuntimeSource::Kind::Element ||
      variable.source.tensor < 0)
    return std::nullopt;
  const auto source = ElementId(variable.source.tensor);
  const Bytes bytes = at(source, point);
  const ElementType type = table_[source].type;
  const auto number = bytes && isInteger(type) ? numberOfBytes(type, *bytes)
                                               : std::optional<TypedNumber>();
  if (!number) return std::nullopt;
  int64_t value = number->integer();
  // A u64 from 2^63 on is larger than all.
  if (type == ElementType::U64 && value < 0) value = INT64_MAX;
  if (variable.clamped)
    value = std::clamp(value, variable.bounds.lower, variable.bounds.upper);
  return value;
}

NumberedElements::Bytes NumberedElements::at(ElementId id, const Point &point) {
  if (table_[id].kind == Kind::Literal) return table_[id].text;
  if (--steps_ < 0 || !hasStack(kStackOfQuestion)) return std::nullopt;
  const auto key = std::make_pair(id, point);
  if (const auto known = known_.find(key); known != known_.end())
    return known->second;
  const Bytes bytes = compute(id, point);
  return known_[key] = bytes;
}

NumberedElements::Bytes NumberedElements::readAt(const Element &read,
                                                 const Point &point) {
  const auto index =
      resultsAt(read.maps[0], point,
                [&](const RuntimeVariable &v) { return valueOf(v, point); });
  if (!index) return std::nullopt;
  const Element &array = table_[read.operands[0]];
  if (array.kind == Kind::Parameter || array.kind == Kind::Computed ||
      array.kind == Kind::Known)
    return std::nullopt;
  if (array.kind != Kind::List) return at(read.operands[0], *index);
  const auto *literal = array.op.as<ConstantOp>();
  if (!literal || !isPlain(array.op)) return std::nullopt;
  const auto bytes = bytesAt(*literal, *index);
  if (!bytes) return std::nullopt;
  return ElementTable::literalText(literal->results[0].type, *bytes);
}

/// Integers alone: floats of a ring are no numbers of their type.
NumberedElements::Bytes NumberedElements::sumAt(ElementId id,
                                                const Point &point) {
  const ElementType type = table_[id].type;
  const Polynomial sum = table_.asPolynomial(id);
  if (!isInteger(type)) {
    const auto number = numberOf(sum);
    if (!number || abs(number->num) > llvm::DynamicAPInt(int64_t{1} << 53) ||
        number->den > llvm::DynamicAPInt(int64_t{1} << 53))
      return std::nullopt;
    // A quotient by a power of 2 is exact.
    const auto over = static_cast<int64_t>(number->num),
               under = static_cast<int64_t>(number->den);
    if ((under & (under - 1)) != 0) return std::nullopt;
    return bytesOfFloat(type,
                        static_cast<double>(over) / static_cast<double>(under));
  }
  const llvm::DynamicAPInt half(int64_t{1} << 32);
  uint64_t all = 0;
  for (const auto &[factors, by] : sum.terms()) {
    // In two halves, for a coefficient may have 64 bits.
    uint64_t product =
        (static_cast<uint64_t>(static_cast<int64_t>(by.num / half)) << 32) +
        static_cast<uint64_t>(static_cast<int64_t>(by.num % half));
    for (ElementId factor : factors) {
      const Bytes bytes = at(factor, point);
      const auto number =
          bytes ? numberOfBytes(type, *bytes) : std::optional<TypedNumber>();
      if (!number) return std::nullopt;
      product *= static_cast<uint64_t>(number->integer());
    }
    all += product;
  }
  return bytesOfInteger(integerNumber(type, all));
}

NumberedElements::Bytes NumberedElements::reducedAt(ElementId id,
                                                    const Point &point) {
  const Element &reduced = table_[id];
  const llvm::StringRef name = lawName(reduced.op);
  if (!isAnyOrder(name)) return std::nullopt;
  std::vector<std::string> numbers;
  for (auto [k, region] : llvm::enumerate(reduced.maps)) {
    const ElementId body = reduced.operands[k];
    if (table_[body].type != reduced.type) return std::nullopt;
    if (!forPointsBehind(point, region, reduced.number, steps_,
                         [&](const Point &inner) {
                           const Bytes bytes = at(body, inner);
                           if (bytes) numbers.push_back(*bytes);
                           return bytes.has_value();
                         }))
      return std::nullopt;
  }
  const size_t count = numbers.size();
  if (reduced.operands.size() > reduced.maps.size()) {
    const Bytes init = at(reduced.operands.back(), point);
    if (!init) return std::nullopt;
    numbers.push_back(*init);
  }
  if (numbers.empty()) return std::nullopt;
  const bool isSum = name == "add" || name == "multiply";
  if (!isInteger(reduced.type) && isSum) {
    // The order of a sum of floats is open: of few numbers that are multiples
    // of one power of 2 every order has one sum.
    std::vector<TypedNumber> all;
    bool areNegativeZeros = true;
    for (auto [k, bytes] : llvm::enumerate(numbers)) {
      const auto number = numberOfBytes(reduced.type, bytes);
      if (!number || !number->isPoint()) return std::nullopt;
      if (k < count)
        areNegativeZeros &= number->low == 0 && std::signbit(number->low);
      all.push_back(*number);
    }
    const auto sum = name == "add" ? sumInAnyOrder(reduced.type, all)
                                   : std::optional<TypedNumber>();
    if (!sum || !sum->isPoint()) return std::nullopt;
    // A sum that is zero is -0 if all of its numbers are, and it does not begin
    // with 0, which is not said.
    if (sum->low == 0 && areNegativeZeros) {
      openZeros_.insert({id, point});
      return std::nullopt;
    }
    return bytesOfFloat(reduced.type, sum->low == 0 ? 0 : sum->low);
  }
  std::string all = numbers[0];
  for (size_t k = 1; k < numbers.size(); ++k) {
    const auto next = computedBytes(
        reduced.op, {{reduced.type, all}, {reduced.type, numbers[k]}});
    if (!next) return std::nullopt;
    all = *next;
  }
  return all;
}

NumberedElements::Bytes NumberedElements::sumWithZero(const Element &sum,
                                                      const Point &point) {
  if (lawName(sum.op) != "add" || sum.operands.size() != 2) return std::nullopt;
  for (size_t k : {0, 1}) {
    const ElementId zero = sum.operands[k], other = sum.operands[1 - k];
    if (!openZeros_.count({zero, point}) || table_[other].type != sum.type)
      continue;
    const Bytes bytes = at(other, point);
    const auto number =
        bytes ? numberOfBytes(sum.type, *bytes) : std::optional<TypedNumber>();
    const bool decides =
        number && (number->low != 0 || !std::signbit(number->low));
    if (decides && number->isPoint()) return bytes;
  }
  return std::nullopt;
}

NumberedElements::Bytes NumberedElements::compute(ElementId id,
                                                  const Point &point) {
  const Element &element = table_[id];
  switch (element.kind) {
    case Kind::Read:
      return readAt(element, point);
    case Kind::Index: {
      const auto index = resultsAt(
          element.maps[0], point,
          [&](const RuntimeVariable &v) { return valueOf(v, point); });
      if (!index) return std::nullopt;
      if (!isInteger(element.type))
        return bytesOfFloat(element.type, static_cast<double>((*index)[0]));
      return bytesOfInteger(
          integerNumber(element.type, static_cast<uint64_t>((*index)[0])));
    }
    case Kind::Apply: {
      llvm::SmallVector<std::string, 3> kept;
      for (ElementId operand : element.operands) {
        const Bytes bytes = at(operand, point);
        if (!bytes) return sumWithZero(element, point);
        kept.push_back(*bytes);
      }
      llvm::SmallVector<NumberBytes, 3> operands;
      for (auto [operand, bytes] : llvm::zip(element.operands, kept))
        operands.push_back({table_[operand].type, bytes});
      return computedBytes(element.op, operands);
    }
    case Kind::Sum:
      return sumAt(id, point);
    case Kind::Reduced:
      return reducedAt(id, point);
    case Kind::Cases:
      for (auto [k, region] : llvm::enumerate(element.maps)) {
        const auto in = pointIn(region, point, [&](const RuntimeVariable &v) {
          return valueOf(v, point);
        });
        if (!in) return std::nullopt;
        if (region.contains(*in)) return at(element.operands[k], point);
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<ElementId> NumberedElements::literalOf(
    ElementId id, const IndexingMap &region) {
  const ElementType type = table_[id].type;
  const int64_t width = (bitsOf(type) + 7) / 8;
  if (!region.runtime().empty() || !region.ranges().empty() || width == 0)
    return std::nullopt;
  Int64s sizes;
  int64_t count = 1;
  Point point;
  for (const auto &dimension : region.dimensions()) {
    if (dimension.bounds.isEmpty() ||
        dimension.bounds.upper - dimension.bounds.lower >= kMostConstants)
      return std::nullopt;
    sizes.push_back(dimension.bounds.upper - dimension.bounds.lower + 1);
    count *= sizes.back();
    if (count > kMostConstants) return std::nullopt;
    point.push_back(dimension.bounds.lower);
  }
  std::string all;
  Bytes only;
  bool isUniform = true;
  for (int64_t n = 0; n < count; ++n) {
    IndexingMap::Point whole;
    whole.dimensions.assign(point.begin(), point.end());
    if (region.contains(whole)) {
      const Bytes bytes = at(id, point);
      if (!bytes || static_cast<int64_t>(bytes->size()) != width)
        return std::nullopt;
      isUniform &= !only || *only == *bytes;
      if (!only) only = bytes;
      all += *bytes;
    } else {
      all.append(width, '\0');
    }
    for (size_t k = point.size(); k-- > 0;) {
      if (++point[k] <= region.dimensions()[k].bounds.upper) break;
      point[k] = region.dimensions()[k].bounds.lower;
    }
  }
  if (!only) return std::nullopt;
  if (isUniform) return table_.literal(type, *only);
  ConstantOp literal;
  literal.isKnown = true;
  literal.bits = ConstantOp::canonicalBits(all, width);
  literal.results = {ArrayShape(type, sizes)};
  Element list;
  list.kind = Kind::List;
  list.op = Op(std::move(literal));
  auto map = withBody(region, [&](IndexingMapBuilder &b, MapBody &body) {
    body.results.clear();
    for (size_t k = 0; k < sizes.size(); ++k) {
      const VariableId variable{VariableKind::Dimension,
                                static_cast<uint32_t>(k)};
      body.results.push_back(b.expression(b.pool().variable(variable)) -
                             region.dimensions()[k].bounds.lower);
    }
  });
  if (map.ok()) map = simplify(*map);
  if (!map.ok()) return std::nullopt;
  return table_.read(table_.intern(std::move(list)), type, *map);
}

ElementId NumberedElements::rebuiltSum(ElementId id,
                                       const IndexingMap &region) {
  const ElementType type = table_[id].type;
  const Polynomial sum = table_.asPolynomial(id);
  // What stands with each product of elements that are no numbers.
  std::map<std::vector<ElementId>, Polynomial> parts;
  for (const auto &[factors, by] : sum.terms()) {
    std::vector<ElementId> others;
    Polynomial::Monomial constants;
    for (ElementId factor : factors)
      if (table_.isConstant(factor))
        constants.push_back(factor);
      else
        others.push_back(factor);
    if (!parts[others].add(constants, by)) return id;
  }
  Polynomial all;
  for (const auto &[others, constants] : parts) {
    const ElementId number = numbered(table_.sum(type, constants), region);
    std::optional<Polynomial> each = table_.asPolynomial(number);
    for (ElementId other : others)
      if (each)
        each = product(*each, table_.asPolynomial(numbered(other, region)));
    if (!each) return id;
    // Sums in products have as many terms as they are multiplied out to.
    steps_ -= static_cast<int64_t>(each->terms().size());
    if (steps_ < 0) return id;
    for (const auto &[factors, by] : each->terms())
      if (!all.add(factors, by)) return id;
  }
  if (hasLargeCoefficient(all)) return id;
  return table_.sum(type, std::move(all));
}

ElementId NumberedElements::rebuiltPieces(ElementId id,
                                          const IndexingMap &region) {
  const Element element = table_[id];
  std::vector<ElementTable::Piece> pieces;
  bool changes = false;
  for (auto [k, own] : llvm::enumerate(element.maps)) {
    const ElementId made = numbered(element.operands[k], own);
    changes |= made != element.operands[k];
    const bool isNeverEmpty = element.kind == Kind::Reduced &&
                              isRealFloat(element.type) &&
                              element.leaf != Element::kMayBeEmpty;
    pieces.push_back({own, made, isNeverEmpty});
  }
  std::optional<ElementId> init;
  if (element.operands.size() > element.maps.size()) {
    init = numbered(element.operands.back(), region);
    changes |= *init != element.operands.back();
  }
  if (!changes) return id;
  return element.kind == Kind::Cases
             ? table_.cases(element.type, pieces)
             : table_.reduced(element.op, element.number, pieces, init);
}

ElementId NumberedElements::rebuilt(ElementId id, const IndexingMap &region) {
  const Element element = table_[id];
  switch (element.kind) {
    case Kind::Apply: {
      llvm::SmallVector<ElementId, 4> operands;
      for (ElementId operand : element.operands)
        operands.push_back(numbered(operand, region));
      if (operands == element.operands) return id;
      return table_.apply(element.op, operands);
    }
    case Kind::Sum:
      return rebuiltSum(id, region);
    case Kind::Reduced:
    case Kind::Cases:
      return rebuiltPieces(id, region);
    default:
      return id;
  }
}

ElementId NumberedElements::numbered(ElementId id, const IndexingMap &region) {
  const Kind kind = table_[id].kind;
  if (kind == Kind::Literal || kind == Kind::Nothing || kind == Kind::Unknown ||
      steps_ < 0 || !hasStack(kStackOfQuestion) || StopScope::isReached())
    return id;
  const auto key = std::make_pair(id, region.hash());
  if (const auto known = made_.find(key); known != made_.end())
    return known->second;
  ElementId made = id;
  const auto literal =
      table_.isConstant(id) ? literalOf(id, region) : std::nullopt;
  made = literal ? *literal : rebuilt(id, region);
  return made_[key] = made;
}

}  // namespace indexical
