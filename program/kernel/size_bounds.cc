#include "indexical/program/kernel/size_bounds.h"

#include <algorithm>
#include <set>
#include <utility>

namespace indexical::kernels {

using Polynomial = SizePolynomial;

SizeBounds::SizeBounds(const WrapSpace &space)
    : space_(space),
      greatest_(greatestOfBits(space.bits)),
      least_(leastOfBits(space.bits)) {
  for (const std::string &name : space.arguments) addName(name);
  for (const SizeTerm &side : space.grid) {
    std::set<std::string> names;
    addUnknown(side, space.values, names);
    for (const std::string &name : names) addName(name);
  }
}

void SizeBounds::addName(const std::string &name) {
  if (!space_.values.count(name) &&
      std::find(names_.begin(), names_.end(), name) == names_.end())
    names_.push_back(name);
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

Polynomial SizeBounds::sizeOf(const SizeTerm &size) {
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
  std::vector<std::pair<Polynomial::Product, WideNumber>> ordered(
      polynomial.terms().begin(), polynomial.terms().end());
  // Long products first, as people write them; positive ones before others.
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto &a, const auto &b) {
                     if ((a.second > 0) != (b.second > 0)) return a.second > 0;
                     return a.first.size() > b.first.size();
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
  for (int round = 0; round < 64; ++round) {
    int lane = -1;
    for (size_t k = 0; k < variables_.size() && lane < 0; ++k)
      if (variables_[k].isLane && polynomial.has(static_cast<int>(k)))
        lane = static_cast<int>(k);
    if (lane < 0) return polynomial;
    const auto factor = polynomial.factorOf(lane);
    if (!factor || polynomial.isTooLong()) return std::nullopt;
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
  const auto range = space_.ranges.find(name);
  return range == space_.ranges.end()
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

bool SizeBounds::isNeverAbove(const Polynomial &value) {
  const auto most = atMost(value);
  return most && isMonotone(*most) && isBelow(*most, greatest_);
}

bool SizeBounds::isNeverBelow(const Polynomial &value) {
  const auto least = atLeast(value);
  if (!least) return false;
  if (isNeverNegative(*least)) return true;
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

bool SizeBounds::mentions(const Polynomial &polynomial,
                          const std::string &name) const {
  for (const auto &[product, factor] : polynomial.terms())
    for (int variable : product) {
      std::set<std::string> names;
      addUnknown(variables_[variable].size, space_.values, names);
      if (names.count(name)) return true;
    }
  return false;
}

}  // namespace indexical::kernels
