#include "indexical/same/values/element_prints.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/values/element_evaluation.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/mixed.h"
#include "indexical/same/values/regions.h"

namespace indexical {
namespace {

constexpr uint64_t kPrime = (uint64_t{1} << 61) - 1;
/// The numbers that steer are those of this family, which differ.
constexpr int kFamily = 1;

/// Kinds of random functions.
enum Tag : uint64_t { kParameter = 1, kArray, kFunction, kFold, kLine, kText };

/// A random function of what is added, in order.
class Hash {
 public:
  explicit Hash(uint64_t tag) : state_(mixed(tag)) {}
  Hash &add(uint64_t value) {
    state_ = mixed(state_ ^ mixed(value));
    return *this;
  }
  Hash &add(llvm::ArrayRef<int64_t> values) {
    for (int64_t value : values) add(static_cast<uint64_t>(value));
    return *this;
  }
  Hash &add(llvm::StringRef text) {
    for (char c : text) add(static_cast<unsigned char>(c));
    return *this;
  }
  uint64_t number() const { return state_; }

 private:
  uint64_t state_;
};

/// The ring in which prints of a type are computed.
class Ring {
 public:
  explicit Ring(ElementType type)
      : isWhole_(isInteger(type)), bits_(bitsOf(type)) {}

  uint64_t taken(uint64_t x) const { return isWhole_ ? x : x % kPrime; }
  uint64_t sum(uint64_t a, uint64_t b) const { return taken(a + b); }
  uint64_t product(uint64_t a, uint64_t b) const {
    if (isWhole_) return a * b;
    return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b %
                                 kPrime);
  }
  uint64_t number(const Coefficient &by) const {
    const uint64_t over = number(by.num), under = number(by.den);
    return isWhole_ || under == 1 ? over : product(over, inverse(under));
  }

 private:
  uint64_t number(const llvm::DynamicAPInt &n) const {
    const llvm::DynamicAPInt by(isWhole_ ? int64_t{1} << 62
                                         : static_cast<int64_t>(kPrime));
    const auto rest = static_cast<int64_t>(mod(n, by));
    if (!isWhole_ || bits_ >= 62) return static_cast<uint64_t>(rest);
    // 2^bits - 1 is -1.
    const int64_t all = int64_t{1} << bits_, low = rest % all;
    return static_cast<uint64_t>(low >= all / 2 ? low - all : low);
  }
  uint64_t inverse(uint64_t a) const {
    uint64_t power = 1;
    for (uint64_t n = kPrime - 2; n > 0; n >>= 1, a = product(a, a))
      if (n & 1) power = product(power, a);
    return power;
  }

  const bool isWhole_;
  const int64_t bits_;
};

}  // namespace

ElementPrints::ElementPrints(const ElementTable &table, int64_t steps)
    : table_(table),
      steps_(steps),
      numbers_(table, kFamily, /*seed=*/0, steps) {}

uint64_t ElementPrints::tokenOf(const Op &op) {
  return ops_.try_emplace(op, ops_.size()).first->second;
}

std::optional<ElementPrints::Print> ElementPrints::at(
    ElementId id, llvm::ArrayRef<int64_t> point) {
  if (--steps_ < 0 || !hasStack(kStackOfQuestion)) return std::nullopt;
  const auto key = std::make_pair(id, Point(point.begin(), point.end()));
  if (const auto known = known_.find(key); known != known_.end())
    return known->second;
  const Maybe print = compute(id, key.second);
  return known_[key] = print;
}

std::optional<IndexingMap::Point> ElementPrints::pointOf(const IndexingMap &map,
                                                         const Point &point) {
  return pointIn(map, point, [&](const RuntimeVariable &v) {
    return numbers_.valueOf(v, point);
  });
}

std::optional<ElementPrints::Point> ElementPrints::resultsOf(
    const IndexingMap &map, const Point &point) {
  return resultsAt(map, point, [&](const RuntimeVariable &v) {
    return numbers_.valueOf(v, point);
  });
}

std::optional<ElementPrints::Print> ElementPrints::readAt(const Element &read,
                                                          const Point &point) {
  const Element &array = table_[read.operands[0]];
  const auto index = resultsOf(read.maps[0], point);
  if (!index) return std::nullopt;
  const Ring ring(read.type);
  switch (array.kind) {
    case Element::Kind::Parameter:
      return Print{ring.taken(Hash(kParameter)
                                  .add(array.number)
                                  .add(array.leaf)
                                  .add(*index)
                                  .number()),
                   false};
    case Element::Kind::List:
      if (const auto number = numbers_.listed(read.operands[0], *index))
        return Print{ring.taken(Hash(kText).add(number->str()).number())};
      return std::nullopt;
    case Element::Kind::Computed:
    case Element::Kind::Known: {
      if (table_.isAnything(read.operands[0])) return std::nullopt;
      const bool isConstant = table_.parametersOf({read.operands[0]}).empty();
      return Print{
          ring.taken(Hash(kArray).add(read.operands[0]).add(*index).number()),
          isConstant};
    }
    default:
      return at(read.operands[0], *index);
  }
}

std::optional<ElementPrints::Print> ElementPrints::sumAt(ElementId id,
                                                         const Point &point) {
  const Ring ring(table_[id].type);
  const Polynomial sum = table_.asPolynomial(id);
  Print all;
  for (const auto &[factors, by] : sum.terms()) {
    uint64_t product = ring.number(by);
    for (ElementId factor : factors) {
      const Maybe print = at(factor, point);
      if (!print) return std::nullopt;
      product = ring.product(product, print->number);
      all.isConstant &= print->isConstant;
    }
    all.number = ring.sum(all.number, product);
  }
  return all;
}

/// Returns the print of what an op that is folded makes of all of these, in any
/// order.
std::optional<ElementPrints::Print> ElementPrints::combined(
    const Op &op, ElementType type, std::vector<Print> all) {
  const Ring ring(type);
  const llvm::StringRef name = lawName(ElementEvaluation::plainOf(op));
  Print result;
  for (const Print &each : all) result.isConstant &= each.isConstant;
  if (all.size() == 1) return all[0];
  const bool isSum = name == "add", isProduct = name == "multiply";
  if (table_.isRing(type) && (isSum || isProduct)) {
    result.number = isSum ? 0 : 1;
    for (const Print &each : all)
      result.number = isSum ? ring.sum(result.number, each.number)
                            : ring.product(result.number, each.number);
    return result;
  }
  llvm::sort(
      all, [](const Print &a, const Print &b) { return a.number < b.number; });
  if (name == "maximum" || name == "minimum" || name == "and" || name == "or")
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Print &a, const Print &b) {
                            return a.number == b.number;
                          }),
              all.end());
  if (all.size() == 1) return all[0];
  Hash hash(kFold);
  hash.add(tokenOf(op));
  for (const Print &each : all) hash.add(each.number);
  result.number = ring.taken(hash.number());
  return result;
}

/// Adds the prints of all tuples that the op reduces together, through those of
/// its reductions that are nested.
bool ElementPrints::addTuples(const Op &op, ElementId id, const Point &point,
                              std::vector<Print> &all) {
  const Element &element = table_[id];
  if (--steps_ < 0 || !hasStack(kStackOfQuestion)) return false;
  const bool isReduced = element.kind == Element::Kind::Reduced;
  if (!(element.op == op) ||
      (!isReduced && element.kind != Element::Kind::Apply)) {
    const Maybe print = at(id, point);
    if (print) all.push_back(*print);
    return print.has_value();
  }
  for (auto [k, operand] : llvm::enumerate(element.operands)) {
    const ElementId body = operand;
    const bool isKnown =
        !isReduced || k >= element.maps.size()
            ? addTuples(op, body, point, all)
            : forPointsBehind(point, element.maps[k], element.number, steps_,
                              [&](const Point &inner) {
                                return addTuples(op, body, inner, all);
                              });
    if (!isKnown) return false;
  }
  return true;
}

/// Returns the print of a bag of tuples, or of their set.
std::optional<ElementPrints::Print> ElementPrints::togetherAt(
    ElementId id, const Point &point) {
  const Op &op = table_[id].op;
  std::vector<Print> all;
  if (!addTuples(op, id, point, all)) return std::nullopt;
  llvm::sort(
      all, [](const Print &a, const Print &b) { return a.number < b.number; });
  Print result;
  result.number = Hash(kFold).add(tokenOf(op)).number();
  for (auto [k, each] : llvm::enumerate(all)) {
    result.isConstant &= each.isConstant;
    if (k > 0 && each.number == all[k - 1].number && reducesSetTogether(op))
      continue;
    result.number += Hash(kFold).add(tokenOf(op)).add(each.number).number();
  }
  return result;
}

std::optional<ElementPrints::Print> ElementPrints::reducedAt(
    const Element &reduced, const Point &point) {
  std::vector<Print> all;
  for (auto [k, region] : llvm::enumerate(reduced.maps)) {
    const ElementId body = reduced.operands[k];
    const bool areKnown = forPointsBehind(point, region, reduced.number, steps_,
                                          [&](const Point &inner) {
                                            const Maybe print = at(body, inner);
                                            if (print) all.push_back(*print);
                                            return print.has_value();
                                          });
    if (!areKnown) return std::nullopt;
  }
  const Op op = ElementEvaluation::plainOf(reduced.op);
  const bool hasInit = reduced.operands.size() > reduced.maps.size() &&
                       !table_.isNeutral(op, reduced.operands.back());
  if (hasInit) {
    const Maybe init = at(reduced.operands.back(), point);
    if (!init) return std::nullopt;
    all.push_back(*init);
  }
  if (all.empty())
    return Print{
        Hash(kText).add(ElementTable::neutralOf(op, reduced.type)).number()};
  return combined(op, reduced.type, std::move(all));
}

std::optional<ElementPrints::Print> ElementPrints::appliedAt(
    const Element &applied, const Point &point) {
  if (lawName(applied.op) == "select" && applied.operands.size() == 3) {
    // What is chosen at this index, whatever the parameters are.
    const Maybe choice = at(applied.operands[0], point);
    if (choice && choice->isConstant)
      if (const auto number = numbers_.at(applied.operands[0], point))
        return at(applied.operands[number->integer() != 0 ? 1 : 2], point);
  }
  Print result;
  std::vector<uint64_t> operands;
  for (ElementId operand : applied.operands) {
    const Maybe print = at(operand, point);
    if (!print) return std::nullopt;
    operands.push_back(print->number);
    result.isConstant &= print->isConstant;
  }
  if (commutes(applied.op)) llvm::sort(operands);
  Hash hash(kFunction);
  hash.add(tokenOf(applied.op));
  for (uint64_t each : operands) hash.add(each);
  result.number = Ring(applied.type).taken(hash.number());
  return result;
}

std::optional<ElementPrints::Print> ElementPrints::alongAt(const Element &line,
                                                           const Point &point) {
  const auto place = resultsOf(line.maps[0], point);
  if (!place) return std::nullopt;
  Print result;
  Hash hash(kLine);
  hash.add(tokenOf(line.op)).add(line.leaf).add(*place);
  for (ElementId operand : line.operands) {
    const bool areKnown = forPointsBehind(
        point, line.maps[1], 1, steps_, [&](const Point &inner) {
          const Maybe print = at(operand, inner);
          if (!print) return false;
          hash.add(print->number);
          result.isConstant &= print->isConstant;
          return true;
        });
    if (!areKnown) return std::nullopt;
  }
  result.number = Ring(line.type).taken(hash.number());
  return result;
}

std::optional<ElementPrints::Print> ElementPrints::compute(ElementId id,
                                                           const Point &point) {
  const Element &element = table_[id];
  if (element.op && reducesTogether(element.op)) return togetherAt(id, point);
  switch (element.kind) {
    case Element::Kind::Literal: {
      const auto number = numberOf(table_.asPolynomial(id));
      const Ring ring(element.type);
      return Print{number ? ring.number(*number)
                          : ring.taken(Hash(kText).add(element.text).number())};
    }
    case Element::Kind::Index: {
      const auto index = resultsOf(element.maps[0], point);
      if (!index) return std::nullopt;
      return Print{Ring(element.type).number(Coefficient((*index)[0]))};
    }
    case Element::Kind::Read:
      return readAt(element, point);
    case Element::Kind::Apply:
      return appliedAt(element, point);
    case Element::Kind::Sum:
      return sumAt(id, point);
    case Element::Kind::Reduced:
      return reducedAt(element, point);
    case Element::Kind::Along:
      return alongAt(element, point);
    case Element::Kind::Cases:
      for (auto [k, region] : llvm::enumerate(element.maps)) {
        const auto in = pointOf(region, point);
        if (!in) return std::nullopt;
        if (region.contains(*in)) return at(element.operands[k], point);
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace indexical
