#include "indexical/program/kernel/size_bounds.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "llvm/ADT/SmallVector.h"

namespace indexical::kernels {

using Polynomial = SizePolynomial;

namespace {

/// Whether all parts of a term that are variables of its polynomial are nowhere
/// negative, as variables are.
bool isOfCounts(const SizeTerm &term) {
  if (term.operands.empty()) return true;
  const bool isWrittenOut = term.kind == SizeKind::Add ||
                            term.kind == SizeKind::Sub ||
                            term.kind == SizeKind::Mul;
  if (!isWrittenOut) return isCount(term);
  return std::all_of(term.operands.begin(), term.operands.end(), isOfCounts);
}

/// The ranges that the conditions leave.
SizeRanges narrowed(const WrapSpace &space) {
  SizeBox box{space.ranges, greatestOfBits(space.bits)};
  return narrow(space.conditions, space.values, box) ? box.ranges
                                                     : space.ranges;
}

SizeDefinitions countsOf(const WrapSpace &space) {
  SizeDefinitions counts;
  for (auto &[name, term] : definitionsOf(space.conditions, space.values))
    if (isOfCounts(term)) counts[name] = term;
  return counts;
}

}  // namespace

SizeBounds::SizeBounds(const WrapSpace &space)
    : space_(space),
      greatest_(greatestOfBits(space.bits)),
      least_(leastOfBits(space.bits)),
      ranges_(narrowed(space)),
      definitions_(countsOf(space)) {
  for (const std::string &name : space.arguments) addName(name);
  for (const SizeTerm &side : space.grid) {
    std::set<std::string> names;
    addUnknown(side, space.values, names);
    for (const std::string &name : names) addName(name);
  }
  addGranted();
}

void SizeBounds::addName(const std::string &name) {
  const auto said = definitions_.find(name);
  std::vector<std::string> &names = said == definitions_.end() ? names_ : said_;
  if (space_.values.count(name) ||
      std::find(names.begin(), names.end(), name) != names.end())
    return;
  names.push_back(name);
  if (said == definitions_.end()) return;
  std::set<std::string> by;
  addUnknown(said->second, space_.values, by);
  for (const std::string &each : by) addName(each);
}

void SizeBounds::addGranted() {
  auto add = [&](const SizeTerm &low, const SizeTerm &high, int gap) {
    Polynomial rest = sizeOf(high) - sizeOf(low) - Polynomial(gap);
    if (!rest.isConstant() && !rest.isTooLong())
      granted_.push_back(std::move(rest));
  };
  for (const SizeCondition &condition : space_.conditions) {
    std::set<std::string> names;
    addUnknown(condition.left, space_.values, names);
    addUnknown(condition.right, space_.values, names);
    for (const std::string &name : names) addName(name);
    if (!isOfCounts(condition.left) || !isOfCounts(condition.right)) continue;
    const SizeSign sign = condition.sign;
    const int gap = sign == SizeSign::Less || sign == SizeSign::Greater;
    if (sign != SizeSign::Greater && sign != SizeSign::AtLeast)
      add(condition.left, condition.right, gap);
    if (sign != SizeSign::Less && sign != SizeSign::AtMost)
      add(condition.right, condition.left, gap);
  }
  for (const auto &[name, term] : definitions_) {
    add(SizeTerm::of(within(name, 1)), term, 0);
    add(term, SizeTerm::of(within(name, greatest_)), 0);
  }
}

int SizeBounds::sizeVariable(const SizeTerm &size) {
  const std::string text = textOf(size);
  const auto [found, isNew] =
      sizes_.try_emplace(text, static_cast<int>(variables_.size()));
  if (isNew) variables_.push_back({size, false, {}});
  return found->second;
}

int SizeBounds::laneVariable(Polynomial most) {
  variables_.push_back({{}, true, std::move(most)});
  return static_cast<int>(variables_.size()) - 1;
}

Polynomial SizeBounds::sizeOf(const SizeTerm &given) {
  const SizeTerm size = replaced(given, definitions_);
  if (const auto number = valueOf(size, space_.values))
    return Polynomial(*number);
  switch (size.kind) {
    case SizeKind::Add:
      return sizeOf(size.operands[0]) + sizeOf(size.operands[1]);
    case SizeKind::Sub:
      return sizeOf(size.operands[0]) - sizeOf(size.operands[1]);
    case SizeKind::Mul:
      return sizeOf(size.operands[0]) * sizeOf(size.operands[1]);
    default: {
      SizeTerm known = size;
      for (SizeTerm &operand : known.operands)
        if (const auto number = valueOf(operand, space_.values))
          operand = SizeTerm::of(*number);
      return Polynomial::of(sizeVariable(known));
    }
  }
}

SizeTerm SizeBounds::termOf(const Polynomial &polynomial) const {
  std::optional<SizeTerm> sum;
  llvm::SmallVector<Polynomial::Sum::Term, 4> ordered(polynomial.terms());
  // Long products first, as people write them; positive ones before others.
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto &a, const auto &b) {
                     if ((a.coefficient > 0) != (b.coefficient > 0))
                       return a.coefficient > 0;
                     return a.monomial.size() > b.monomial.size();
                   });
  for (const auto &[product, factor] : ordered) {
    const WideNumber size = factor < 0 ? -factor : factor;
    std::optional<SizeTerm> each;
    if (size != 1 || product.empty())
      each = SizeTerm::of(
          static_cast<int64_t>(std::min<WideNumber>(size, INT64_MAX)));
    for (int variable : product) {
      const SizeTerm &next = variables_[variable].size;
      each = each ? SizeTerm::of(SizeKind::Mul, *each, next) : next;
    }
    if (!sum)
      sum = factor < 0 ? SizeTerm::of(SizeKind::Sub, SizeTerm::of(0), *each)
                       : *each;
    else
      sum =
          SizeTerm::of(factor < 0 ? SizeKind::Sub : SizeKind::Add, *sum, *each);
  }
  return sum.value_or(SizeTerm::of(0));
}

Polynomial SizeBounds::fromLeast(const Polynomial &polynomial) {
  Polynomial shifted = polynomial;
  for (size_t k = 0; k < variables_.size(); ++k) {
    const int variable = static_cast<int>(k);
    if (variables_[k].isLane || !shifted.has(variable)) continue;
    const SizeTerm &size = variables_[k].size;
    const auto least =
        isGrowing(size) ? valueOf(size, all(1)) : std::optional<int64_t>();
    if (least && *least > 0)
      shifted =
          shifted.with(variable, Polynomial::of(variable) + Polynomial(*least));
  }
  return shifted;
}

bool SizeBounds::isNeverNegative(const Polynomial &polynomial) {
  return isPlainlyPositive(polynomial) ||
         (!granted_.empty() && isGranted(polynomial, 3));
}

/// Takes products of what is granted away, each of which cancels a product with
/// a negative factor.
bool SizeBounds::isGranted(const Polynomial &polynomial, int depth) {
  for (const auto &[product, factor] : polynomial.terms()) {
    if (factor >= 0) continue;
    for (const Polynomial &granted : granted_)
      for (const auto &[own, by] : granted.terms()) {
        if (by >= 0 || own.empty() || factor % by != 0 ||
            !std::includes(product.begin(), product.end(), own.begin(),
                           own.end()))
          continue;
        Polynomial::Product others;
        std::set_difference(product.begin(), product.end(), own.begin(),
                            own.end(), std::back_inserter(others));
        Polynomial times;
        times.add(others, factor / by);
        const Polynomial rest = polynomial - times * granted;
        if (rest.isTooLong()) continue;
        if (isPlainlyPositive(rest)) return true;
        if (depth > 1 && isGranted(rest, depth - 1)) return true;
      }
  }
  return false;
}

bool SizeBounds::isPlainlyPositive(const Polynomial &polynomial) {
  const Polynomial shifted = fromLeast(withoutQuotients(polynomial));
  if (shifted.isTooLong()) return false;
  for (const auto &[product, factor] : shifted.terms())
    if (factor < 0) return false;
  return true;
}

Polynomial SizeBounds::withoutQuotients(Polynomial polynomial) {
  for (size_t k = 0; k < variables_.size(); ++k) {
    const SizeTerm size = variables_[k].size;
    if (variables_[k].isLane || size.kind != SizeKind::CeilDiv ||
        size.operands[1].kind != SizeKind::Number ||
        !polynomial.has(static_cast<int>(k)))
      continue;
    const auto factor = polynomial.factorOf(static_cast<int>(k));
    const int64_t divisor = size.operands[1].number;
    if (!factor || !factor->isConstant() || factor->constant() < 0 ||
        factor->constant() % divisor != 0)
      continue;
    const Polynomial whole = sizeOf(size.operands[0]);
    polynomial = polynomial.with(static_cast<int>(k), Polynomial()) +
                 whole * Polynomial(factor->constant() / divisor);
  }
  return polynomial;
}

std::optional<Polynomial> SizeBounds::atMost(Polynomial polynomial) {
  for (int round = 0; round < 64 && !polynomial.isTooLong(); ++round) {
    int lane = -1;
    for (size_t k = 0; k < variables_.size() && lane < 0; ++k)
      if (variables_[k].isLane && polynomial.has(static_cast<int>(k)))
        lane = static_cast<int>(k);
    if (lane < 0) return polynomial;
    const auto factor = polynomial.factorOf(lane);
    if (!factor) return std::nullopt;
    if (isNeverNegative(*factor))
      polynomial = polynomial.with(lane, variables_[lane].most);
    else if (isNeverNegative(Polynomial() - *factor))
      polynomial = polynomial.with(lane, Polynomial());
    else
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Polynomial> SizeBounds::atLeast(const Polynomial &polynomial) {
  const auto most = atMost(Polynomial() - polynomial);
  if (!most) return std::nullopt;
  return Polynomial() - *most;
}

bool SizeBounds::isPositive(const Polynomial &value) {
  const auto least = atLeast(value);
  return least && isNeverNegative(*least);
}

bool SizeBounds::isOfSizes(const Polynomial &value) const {
  for (const auto &[product, factor] : value.terms())
    for (int variable : product)
      if (variables_[variable].isLane) return false;
  return true;
}

Polynomial SizeBounds::smaller(const Polynomial &a, const Polynomial &b) {
  if (isNeverNegative(a - b)) return b;
  if (isNeverNegative(b - a)) return a;
  return Polynomial::of(
      sizeVariable(SizeTerm::of(SizeKind::Min, termOf(a), termOf(b))));
}

size_t SizeBounds::lanesIn(const Polynomial &value) const {
  std::set<int> lanes;
  for (const auto &[product, factor] : value.terms())
    for (int variable : product)
      if (variables_[variable].isLane) lanes.insert(variable);
  return lanes.size();
}

int64_t SizeBounds::within(const std::string &name, int64_t size) const {
  const auto range = ranges_.find(name);
  return range == ranges_.end()
             ? size
             : std::clamp(size, range->second.first, range->second.second);
}

SizeValues SizeBounds::all(int64_t size) const {
  SizeValues values = space_.values;
  for (const std::string &name : names_) values[name] = within(name, size);
  return values;
}

std::optional<WideNumber> SizeBounds::at(const Polynomial &polynomial,
                                         const SizeValues &values) const {
  if (polynomial.isTooLong()) return std::nullopt;
  WideNumber sum = 0;
  for (const auto &[product, factor] : polynomial.terms()) {
    WideNumber each = factor;
    for (int variable : product) {
      const auto value = valueOf(variables_[variable].size, values);
      if (!value) return std::nullopt;
      each = productOf(each, *value);
    }
    sum = limited(sum + each);
  }
  return sum;
}

bool SizeBounds::isMonotone(const Polynomial &polynomial) {
  for (size_t k = 0; k < variables_.size(); ++k)
    if (polynomial.has(static_cast<int>(k)) && !isGrowing(variables_[k].size))
      return false;
  const Polynomial shifted = fromLeast(polynomial);
  if (shifted.isTooLong()) return false;
  for (const auto &[product, factor] : shifted.terms())
    if (!product.empty() && factor < 0) return false;
  return true;
}

bool SizeBounds::isGrowing(const SizeTerm &size) const {
  switch (size.kind) {
    case SizeKind::Number:
    case SizeKind::Name:
      return true;
    case SizeKind::Sub:
      return isGrowing(size.operands[0]) &&
             size.operands[1].kind == SizeKind::Number;
    case SizeKind::FloorDiv:
    case SizeKind::CeilDiv:
      return isGrowing(size.operands[0]) &&
             size.operands[1].kind == SizeKind::Number;
    case SizeKind::Mod:
      return false;
    default:
      return isGrowing(size.operands[0]) && isGrowing(size.operands[1]);
  }
}

bool SizeBounds::isNever(const Polynomial &value) {
  return isNeverAbove(value) && isNeverBelow(value);
}

bool SizeBounds::isNeverAbove(const Polynomial &value, WideNumber limit) {
  const auto most = atMost(value);
  if (!most) return false;
  if (isMonotone(*most) && isBelow(*most, limit)) return true;
  return !granted_.empty() && isNeverNegative(Polynomial(limit) - *most);
}

bool SizeBounds::isNeverBelow(const Polynomial &value) {
  const auto least = atLeast(value);
  if (!least) return false;
  if (isNeverNegative(*least)) return true;
  if (!granted_.empty() && isNeverNegative(*least - Polynomial(least_)))
    return true;
  const Polynomial below = Polynomial() - *least;
  return isMonotone(below) && isBelow(below, -WideNumber(least_));
}

bool SizeBounds::isBelow(const Polynomial &most, WideNumber limit) const {
  const auto top = at(most, all(greatest_));
  return top && *top <= limit;
}

std::optional<SizeValues> SizeBounds::firstPast(const Polynomial &most,
                                                WideNumber limit) {
  auto passes = [&](const SizeValues &values) {
    const auto value = at(most, values);
    return value && *value > limit;
  };
  int64_t low = 1, high = greatest_;
  if (!passes(all(high))) return std::nullopt;
  if (!space_.conditions.empty()) return firstThatMeets(most, limit);
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (passes(all(middle)))
      high = middle;
    else
      low = middle + 1;
  }
  SizeValues values = all(high);
  for (const std::string &name : names_) {
    int64_t least = within(name, 1), most_ = within(name, high);
    while (least < most_) {
      const int64_t middle = least + (most_ - least) / 2;
      values[name] = middle;
      if (passes(values))
        most_ = middle;
      else
        least = middle + 1;
    }
    values[name] = most_;
  }
  return values;
}

SizeValues SizeBounds::complete(SizeValues values) const {
  for (const auto &[name, term] : definitions_)
    if (const auto value = valueOf(term, values)) values[name] = *value;
  return values;
}

/// Sizes up to a bound that meet the conditions are looked for at twice the
/// bound, until the polynomial passes the limit.
std::optional<SizeValues> SizeBounds::firstThatMeets(const Polynomial &most,
                                                     WideNumber limit) {
  auto passes = [&](const SizeValues &values) {
    const auto value = at(most, values);
    return value && *value > limit && holdAll(space_.conditions, values);
  };
  // What is said of the names that others say is said of these.
  std::vector<SizeCondition> conditions;
  for (const SizeCondition &each : space_.conditions)
    conditions.push_back({replaced(each.left, definitions_),
                          replaced(each.right, definitions_), each.sign});
  for (const auto &[name, term] : definitions_) {
    conditions.push_back(
        {term, SizeTerm::of(within(name, 1)), SizeSign::AtLeast});
    conditions.push_back(
        {term, SizeTerm::of(within(name, greatest_)), SizeSign::AtMost});
  }
  auto upTo = [&](int64_t size) -> std::optional<SizeValues> {
    SizeBox box{ranges_, greatest_};
    for (const std::string &name : names_) {
      auto [least, greatest] = box.rangeOf(name);
      box.ranges[name] = {least, std::max(least, std::min(greatest, size))};
    }
    for (SizeValues &values :
         sizesThatMeet(conditions, space_.values, box, all(size))) {
      values = complete(std::move(values));
      if (passes(values)) return std::move(values);
    }
    return std::nullopt;
  };
  int64_t high = 1;
  auto found = upTo(high);
  while (!found && high < greatest_) {
    high = std::min(greatest_, 2 * high);
    found = upTo(high);
  }
  if (!found) return std::nullopt;
  int64_t low = high / 2;
  while (low + 1 < high) {
    const int64_t middle = low + (high - low) / 2;
    if (auto smaller = upTo(middle)) {
      high = middle;
      found = std::move(smaller);
    } else {
      low = middle;
    }
  }
  for (const std::string &name : names_) {
    int64_t least = within(name, 1);
    while (least < found->at(name)) {
      SizeValues values = *found;
      const int64_t middle = least + (values[name] - least) / 2;
      values[name] = middle;
      values = complete(std::move(values));
      if (passes(values))
        found = std::move(values);
      else
        least = middle + 1;
    }
  }
  return found;
}

std::vector<std::string> SizeBounds::namesIn(
    const Polynomial &polynomial) const {
  std::set<std::string> mentioned;
  for (const auto &[product, factor] : polynomial.terms())
    for (int variable : product)
      addUnknown(variables_[variable].size, space_.values, mentioned);
  // A condition is of all its names, or of none.
  for (size_t before = 0; before != mentioned.size();) {
    before = mentioned.size();
    for (const SizeCondition &condition : space_.conditions) {
      std::set<std::string> own;
      addUnknown(condition.left, space_.values, own);
      addUnknown(condition.right, space_.values, own);
      if (std::any_of(own.begin(), own.end(), [&](const std::string &each) {
            return mentioned.count(each) != 0;
          }))
        mentioned.merge(own);
    }
  }
  std::vector<std::string> names;
  for (const auto *each : {&names_, &said_})
    for (const std::string &name : *each)
      if (mentioned.count(name)) names.push_back(name);
  return names;
}

}  // namespace indexical::kernels
