// Numbers of functions of tuples and of whole lines.
//
//   argmin of x = {3, 1, 1}, begun with (inf, 0), by
//     (a, i), (b, j) -> a < b ? (a, i) : (b, j)
//   (inf, 0), (3, 0), (1, 1), (1, 2)        (1, 2)
//
// A reduction that may have any order gives the same in each. What is reduced
// in order is so, from the first element on. A sort is one by its comparison;
// where elements are equal by that, and a sort need not keep their order, its
// result is not known.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/same/values/computed_bytes.h"
#include "indexical/same/values/element_evaluation.h"
#include "indexical/same/values/scalar_functions.h"

namespace indexical {
namespace {

/// Longer lines are not sorted, for each comparison is a run of its function.
constexpr size_t kLongestSorted = 128;

bool isOfTupleText(const Element &element, llvm::StringRef text) {
  return element.op && element.op.is<CoverOp>() &&
         llvm::StringRef(element.op.descriptor().configuration)
             .starts_with(text);
}

/// Whether two numbers are known to be one, or known to be two.
std::optional<bool> areKnownEqual(const TypedNumber &a, const TypedNumber &b) {
  if (areApart(a, b)) return false;
  if (!a.isFloat()) return true;
  if (!a.isPoint() || !b.isPoint()) return std::nullopt;
  return true;
}

/// Returns the number in an attribute of an op's text; -1 if it is not there.
int64_t attributeOf(llvm::StringRef text, llvm::StringRef name) {
  const size_t at = text.find(name);
  if (at == llvm::StringRef::npos) return -1;
  llvm::StringRef number = text.drop_front(at + name.size());
  number = number.drop_until(llvm::isDigit).take_while(llvm::isDigit);
  int64_t value = -1;
  return number.getAsInteger(10, value) ? -1 : value;
}

/// Returns the number with fewer bits of its significand, of two that are as
/// near the even one; nothing if it leaves the range of the exponent.
std::optional<TypedNumber> reducedPrecision(llvm::StringRef text,
                                            const TypedNumber &x) {
  const int64_t exponents = attributeOf(text, "exponent_bits");
  const int64_t digits = attributeOf(text, "mantissa_bits");
  if (!x.isFloat() || !x.isPoint() || !std::isfinite(x.low) || exponents < 2 ||
      exponents > 11 || digits < 1 || digits > 52)
    return std::nullopt;
  if (x.low == 0) return x;
  int exponent = 0;
  const double part = std::frexp(x.low, &exponent);
  const double scale = std::ldexp(1.0, static_cast<int>(digits) + 1);
  const double value =
      std::ldexp(std::nearbyint(part * scale) / scale, exponent);
  const int most = (1 << (exponents - 1)) - 1;
  if (std::fabs(value) >= std::ldexp(1.0, std::min(most, 1000)) ||
      std::fabs(value) < std::ldexp(1.0, std::max(3 - most, -1000)))
    return std::nullopt;
  return floatNumber(x.type, value);
}

/// Returns the bytes of a number that is known exactly.
std::optional<std::string> exactBytesOf(const TypedNumber &x) {
  if (x.isFloat())
    return x.isPoint() ? bytesOfFloat(x.type, x.low) : std::nullopt;
  const size_t count = (bitsOf(x.type) + 7) / 8;
  if (count == 0 || count > 8) return std::nullopt;
  std::string bytes;
  for (size_t k = 0; k < count; ++k)
    bytes += static_cast<char>(x.word >> (8 * k));
  return bytes;
}

}  // namespace

ElementEvaluation::Maybe ElementEvaluation::literalOf(const Element &literal) {
  if (const Maybe number = numberOfBytes(literal.type, literal.text))
    return number;
  // An infinity is one number, too.
  const llvm::fltSemantics *format = formatOf(literal.type);
  if (!format || literal.text.size() !=
                     static_cast<size_t>((bitsOf(literal.type) + 7) / 8))
    return std::nullopt;
  uint64_t word = 0;
  for (size_t k = 0; k < literal.text.size(); ++k)
    word |= static_cast<uint64_t>(static_cast<uint8_t>(literal.text[k]))
            << (8 * k);
  const llvm::APFloat value(*format, llvm::APInt(bitsOf(literal.type), word));
  if (value.isFinite()) {
    llvm::APFloat wide = value;
    bool loses = false;
    wide.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &loses);
    return floatNumber(literal.type, wide.convertToDouble());
  }
  if (!value.isInfinity() || classOf(literal.type) != kFloats)
    return std::nullopt;
  TypedNumber made;
  made.type = literal.type;
  made.low = made.high =
      (value.isNegative() ? -1 : 1) * std::numeric_limits<double>::infinity();
  return made;
}

ElementEvaluation::Maybe ElementEvaluation::byBytes(
    const Element &element, llvm::ArrayRef<TypedNumber> x) {
  const llvm::StringRef kind = element.op.kind().name;
  if (kind == "reduce-precision" && x.size() == 1)
    return reducedPrecision(element.op.descriptor().configuration, x[0]);
  std::vector<std::string> bytes;
  for (const TypedNumber &number : x) {
    auto own = exactBytesOf(number);
    if (!own) return std::nullopt;
    bytes.push_back(*std::move(own));
  }
  // A zero has a sign, which no number here has.
  if (element.op.is<BitcastConvertOp>())
    return x.size() == 1 && !(x[0].isFloat() && x[0].low == 0)
               ? numberOfBytes(element.type, bytes[0])
               : std::nullopt;
  std::vector<NumberBytes> operands;
  for (size_t k = 0; k < x.size(); ++k)
    operands.push_back({x[k].type, bytes[k]});
  const auto made = computedBytes(element.op, operands);
  return made ? numberOfBytes(element.type, *made) : std::nullopt;
}

//===-- Tuples ------------------------------------------------------------===//

ElementEvaluation::MaybeTuple ElementEvaluation::called(
    const std::string &name, llvm::ArrayRef<TypedNumber> arguments) {
  const ScalarFunctions *functions = table_.knownFunctions();
  const auto *results = functions ? functions->find(name) : nullptr;
  if (!results) return std::nullopt;
  ElementEvaluation inside(functions->table(), family_, seed_, steps_);
  inside.setArguments(arguments);
  Tuple all;
  for (ElementId result : *results) {
    const Maybe number = inside.at(result, Point());
    if (!number) return std::nullopt;
    all.push_back(*number);
  }
  return all;
}

std::optional<ElementEvaluation::Maybe> ElementEvaluation::partAt(
    const Element &element, const Point &point) {
  if (!isOfTupleText(element, kPart) || element.operands.size() != 1)
    return std::nullopt;
  llvm::StringRef text = element.op.descriptor().configuration;
  size_t part = 0;
  text.consume_front(kPart);
  if (text.consumeInteger(10, part)) return Maybe();
  const MaybeTuple tuple = tupleAt(element.operands[0], point);
  return tuple && part < tuple->size() ? Maybe((*tuple)[part]) : Maybe();
}

ElementEvaluation::MaybeTuple ElementEvaluation::tupleAt(ElementId id,
                                                         const Point &point) {
  if (--steps_ < 0 || !hasStack(kStackOfQuestion)) return std::nullopt;
  const auto key = std::make_pair(id, point);
  if (const auto known = tuples_.find(key); known != tuples_.end())
    return known->second;
  const Element &element = table_[id];
  MaybeTuple made;
  if (element.kind == Element::Kind::Apply && isOfTupleText(element, kTuple)) {
    made.emplace();
    for (ElementId operand : element.operands) {
      const Maybe number = at(operand, point);
      if (number) {
        made->push_back(*number);
        continue;
      }
      made.reset();
      break;
    }
  } else if (element.kind == Element::Kind::Reduced &&
             isOfTupleText(element, kTogether)) {
    made = reducedTupleAt(element, point);
  }
  return tuples_[key] = std::move(made);
}

ElementEvaluation::MaybeTuple ElementEvaluation::reducedTupleAt(
    const Element &reduced, const Point &point) {
  std::vector<Tuple> all;
  if (reduced.operands.size() > reduced.maps.size()) {
    const MaybeTuple init = tupleAt(reduced.operands.back(), point);
    if (!init) return std::nullopt;
    all.push_back(*init);
  }
  for (auto [k, region] : llvm::enumerate(reduced.maps)) {
    const ElementId body = reduced.operands[k];
    const bool areKnown = forPointsBehind(
        point, region, reduced.number, steps_, [&](const Point &inner) {
          MaybeTuple tuple = tupleAt(body, inner);
          if (tuple) all.push_back(*std::move(tuple));
          return tuple.has_value();
        });
    if (!areKnown) return std::nullopt;
  }
  if (all.empty()) return std::nullopt;
  const std::string name = ScalarFunctions::nameOf(reduced);
  Tuple made = all[0];
  for (size_t k = 1; k < all.size(); ++k) {
    Tuple arguments = made;
    arguments.insert(arguments.end(), all[k].begin(), all[k].end());
    MaybeTuple next = called(name, arguments);
    if (!next || next->size() != made.size()) return std::nullopt;
    made = *std::move(next);
  }
  return made;
}

//===-- Lines -------------------------------------------------------------===//

std::optional<std::vector<ElementEvaluation::Tuple>> ElementEvaluation::linesAt(
    const Element &along, size_t count, const Point &point) {
  std::vector<std::pair<int64_t, Tuple>> places;
  const bool areKnown =
      forPointsBehind(point, along.maps[1], 1, steps_, [&](const Point &inner) {
        Tuple tuple;
        for (size_t k = 0; k < count; ++k) {
          const Maybe number = at(along.operands[k], inner);
          if (!number) return false;
          tuple.push_back(*number);
        }
        places.push_back({inner.back(), std::move(tuple)});
        return true;
      });
  if (!areKnown || places.empty()) return std::nullopt;
  llvm::sort(places,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<Tuple> all;
  for (auto &[place, tuple] : places) all.push_back(std::move(tuple));
  return all;
}

ElementEvaluation::Maybe ElementEvaluation::alongAt(const Element &along,
                                                    const Point &point) {
  if (along.maps.size() != 2) return std::nullopt;
  if (along.op.is<SortOp>()) return sortedAt(along, point);
  if (!isOfTupleText(along, kInOrder) || along.operands.size() % 2 != 0)
    return std::nullopt;
  const size_t count = along.operands.size() / 2;
  llvm::StringRef text = along.op.descriptor().configuration;
  size_t own = 0;
  text.consume_front(kInOrder);
  if (text.consumeInteger(10, own) || own >= count) return std::nullopt;
  const auto lines = linesAt(along, count, point);
  if (!lines) return std::nullopt;
  // What it begins with does not depend on the place.
  Point first = point;
  first.push_back(along.maps[1].dimensions().back().bounds.lower);
  Tuple made;
  for (size_t k = count; k < 2 * count; ++k) {
    const Maybe init = at(along.operands[k], first);
    if (!init) return std::nullopt;
    made.push_back(*init);
  }
  const std::string name = ScalarFunctions::nameOf(along);
  for (const Tuple &tuple : *lines) {
    Tuple arguments = made;
    arguments.insert(arguments.end(), tuple.begin(), tuple.end());
    MaybeTuple next = called(name, arguments);
    if (!next || next->size() != count) return std::nullopt;
    made = *std::move(next);
  }
  return made[own];
}

ElementEvaluation::Maybe ElementEvaluation::sortedAt(const Element &along,
                                                     const Point &point) {
  const auto at = resultsOf(along.maps[0], point);
  const size_t count = along.operands.size();
  auto lines = linesAt(along, count, point);
  if (!at || at->size() != 1 || !lines || lines->size() > kLongestSorted ||
      static_cast<size_t>((*at)[0]) >= lines->size() || along.leaf < 0 ||
      static_cast<size_t>(along.leaf) >= count)
    return std::nullopt;
  const std::string name = ScalarFunctions::nameOf(along);
  bool isKnown = true;
  auto isBefore = [&](const Tuple &a, const Tuple &b) {
    Tuple arguments;
    for (size_t k = 0; k < count; ++k) {
      arguments.push_back(a[k]);
      arguments.push_back(b[k]);
    }
    const MaybeTuple made = called(name, arguments);
    isKnown &= made && made->size() == 1;
    return isKnown && (*made)[0].word != 0;
  };
  // By insertion: a comparison that is no order does no harm.
  std::vector<Tuple> sorted;
  for (const Tuple &tuple : *lines) {
    size_t place = sorted.size();
    while (isKnown && place > 0 && isBefore(tuple, sorted[place - 1])) --place;
    if (!isKnown) return std::nullopt;
    sorted.insert(sorted.begin() + static_cast<std::ptrdiff_t>(place), tuple);
  }
  const auto own = static_cast<size_t>((*at)[0]);
  // A text that names it says that it is so, for else nothing is written.
  if (!llvm::StringRef(along.op.descriptor().configuration)
           .contains("is_stable"))
    for (const Tuple &other : sorted) {
      if (&other == &sorted[own] || isBefore(other, sorted[own]) ||
          isBefore(sorted[own], other))
        continue;
      for (size_t k = 0; k < count; ++k)
        if (!areKnownEqual(other[k], sorted[own][k]).value_or(false))
          return std::nullopt;
    }
  if (!isKnown) return std::nullopt;
  return sorted[own][along.leaf];
}

}  // namespace indexical
