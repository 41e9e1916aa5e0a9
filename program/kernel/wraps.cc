#include "indexical/program/kernel/wraps.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "indexical/program/kernel/size_polynomial.h"

namespace indexical::kernels {
namespace {

using Polynomial = SizePolynomial;

/// A variable of polynomials: a size, whose value is from 1 on, or a coordinate
/// of a lane, from 0 to `most`.
struct Variable {
  SizeTerm size;
  bool isLane = false;
  Polynomial most;  ///< of a lane's, of sizes alone
};

class WrapFinder {
 public:
  WrapFinder(const Terms &terms, const WrapSpace &space)
      : terms_(terms),
        space_(space),
        greatest_(greatestOfBits(space.bits)),
        least_(leastOfBits(space.bits)) {
    // Names in the order of the arguments, then of the grid.
    for (const std::string &name : space.arguments) addName(name);
    for (const SizeTerm &side : space.grid) {
      std::set<std::string> names;
      addUnknown(side, space.values, names);
      for (const std::string &name : names) addName(name);
    }
  }

  WrapsCheck run(llvm::ArrayRef<WrapAccess> accesses) {
    WrapsCheck all;
    for (const WrapAccess &access : accesses) {
      lookAt(access);
      if (steps_ > kMostSteps) {
        undecided_ = "the terms of the addresses are too many";
        undecidedPlace_ = access.place;
        break;
      }
    }
    if (found_.empty()) {
      if (undecided_.empty()) return all;
      all.answer = WrapsCheck::Undecided;
      all.reason = undecided_;
      all.place = undecidedPlace_;
      return all;
    }
    // The smallest sizes: those whose largest one is least.
    const auto best = std::min_element(
        found_.begin(), found_.end(), [](const Found &a, const Found &b) {
          auto largest = [](const Found &of) {
            int64_t most = 0;
            for (const auto &[name, size] : of.first)
              most = std::max(most, size);
            return most;
          };
          return largest(a) < largest(b);
        });
    all.answer = WrapsCheck::From;
    all.first = best->first;
    all.place = best->place;
    std::vector<std::string> conditions = {best->where};
    for (const Found &each : found_)
      if (std::find(conditions.begin(), conditions.end(), each.where) ==
          conditions.end())
        conditions.push_back(each.where);
    all.where = absl::StrJoin(conditions, " or ");
    all.reason = undecided_;
    return all;
  }

 private:
  static constexpr int64_t kMostSteps = 200'000;
  static constexpr int64_t kMostLanes = 65536;
  static constexpr size_t kMostFound = 16;

  struct Found {
    std::string where;
    std::vector<std::pair<std::string, int64_t>> first;
    Place place;
  };

  void addName(const std::string &name) {
    if (!space_.values.count(name) &&
        std::find(names_.begin(), names_.end(), name) == names_.end())
      names_.push_back(name);
  }

  //===-- Variables -------------------------------------------------------===//

  int sizeVariable(const SizeTerm &size) {
    const std::string text = textOf(size);
    const auto [found, isNew] =
        sizes_.try_emplace(text, static_cast<int>(variables_.size()));
    if (isNew) variables_.push_back({size, false, {}});
    return found->second;
  }

  int laneVariable(Polynomial most) {
    variables_.push_back({{}, true, std::move(most)});
    return static_cast<int>(variables_.size()) - 1;
  }

  /// A size as a polynomial: products and sums are written out.
  Polynomial sizeOf(const SizeTerm &size) {
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

  /// A polynomial of sizes as a size.
  SizeTerm termOf(const Polynomial &polynomial) const {
    std::optional<SizeTerm> sum;
    std::vector<std::pair<Polynomial::Product, WideNumber>> ordered(
        polynomial.terms().begin(), polynomial.terms().end());
    // Long products first, as people write them; positive ones before others.
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto &a, const auto &b) {
                       if ((a.second > 0) != (b.second > 0))
                         return a.second > 0;
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
        sum = SizeTerm::of(factor < 0 ? SizeKind::Sub : SizeKind::Add, *sum,
                           *each);
    }
    return sum.value_or(SizeTerm::of(0));
  }

  //===-- Signs -----------------------------------------------------------===//

  /// A size less its least value: names are from 1 on, quotients may be 0.
  Polynomial fromLeast(const Polynomial &polynomial) {
    Polynomial shifted = polynomial;
    for (size_t k = 0; k < variables_.size(); ++k) {
      const int variable = static_cast<int>(k);
      if (variables_[k].isLane || !shifted.has(variable)) continue;
      const SizeTerm &size = variables_[k].size;
      const auto least =
          isGrowing(size) ? valueOf(size, all(1)) : std::optional<int64_t>();
      if (least && *least > 0)
        shifted = shifted.with(variable,
                               Polynomial::of(variable) + Polynomial(*least));
    }
    return shifted;
  }

  /// Whether a polynomial is nowhere negative: in sizes less their least, and
  /// in lanes, no product has a negative factor.
  bool isNeverNegative(const Polynomial &polynomial) {
    const Polynomial shifted = fromLeast(withoutQuotients(polynomial));
    if (shifted.isTooLong()) return false;
    for (const auto &[product, factor] : shifted.terms())
      if (factor < 0) return false;
    return true;
  }

  /// cdiv(n, B) * B is at least n: puts n there, where that makes less.
  Polynomial withoutQuotients(Polynomial polynomial) {
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

  /// Returns the greatest value over the lanes, as a polynomial of sizes, or
  /// nothing if it is not known at which end each of them is.
  std::optional<Polynomial> atMost(Polynomial polynomial) {
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

  std::optional<Polynomial> atLeast(const Polynomial &polynomial) {
    const auto most = atMost(Polynomial() - polynomial);
    if (!most) return std::nullopt;
    return Polynomial() - *most;
  }

  //===-- Terms -----------------------------------------------------------===//

  /// Returns a polynomial of the term over the lanes of an access, or nothing
  /// if it has none. One that is an opaque value is a variable with bounds.
  std::optional<Polynomial> valueOfTerm(TermId id) {
    const auto found = values_.find(id);
    if (found != values_.end()) return found->second;
    ++steps_;
    std::optional<Polynomial> made;
    if (steps_ <= kMostSteps && ++depth_ <= 300) made = compute(id);
    if (steps_ <= kMostSteps) --depth_;
    if (made && made->isTooLong()) made.reset();
    values_[id] = made;
    return made;
  }

  std::optional<Polynomial> compute(TermId id) {
    const TermNode &term = terms_[id];
    auto operand = [&](size_t k) { return valueOfTerm(term.operands[k]); };
    switch (term.kind) {
      case TermKind::Constant:
        return Polynomial(term.value);
      case TermKind::Program: {
        const int axis = static_cast<int>(term.value);
        return lane(absl::StrCat("program", axis),
                    sizeOf(space_.grid[axis]) - Polynomial(1));
      }
      case TermKind::Programs:
        return sizeOf(space_.grid[term.value]);
      case TermKind::Argument: {
        if (term.bits < space_.bits) return std::nullopt;
        return sizeOf(SizeTerm::of(space_.arguments[term.value]));
      }
      case TermKind::Coordinate: {
        if (static_cast<size_t>(term.value) >= access_->tile.size())
          return std::nullopt;
        return lane(absl::StrCat("coordinate", term.value),
                    Polynomial(access_->tile[term.value] - 1));
      }
      case TermKind::Loop: {
        for (const auto &[number, trips] : access_->loops) {
          if (number != term.value) continue;
          const auto count = valueOfTerm(trips);
          const auto most = count ? atMost(*count) : std::nullopt;
          if (!most) return std::nullopt;
          return lane(absl::StrCat("loop", number), *most - Polynomial(1));
        }
        return std::nullopt;
      }
      case TermKind::Add:
      case TermKind::Sub:
      case TermKind::Mul: {
        const auto a = operand(0), b = operand(1);
        if (!a || !b) return std::nullopt;
        if (term.kind == TermKind::Add) return *a + *b;
        if (term.kind == TermKind::Sub) return *a - *b;
        return *a * *b;
      }
      case TermKind::Shl: {
        const TermNode &by = terms_[term.operands[1]];
        const auto a = operand(0);
        if (!a || by.kind != TermKind::Constant || by.value < 0 ||
            by.value > 62)
          return std::nullopt;
        return *a * Polynomial(int64_t{1} << by.value);
      }
      case TermKind::SignExtend:
        return operand(0);
      case TermKind::Truncate: {
        const auto a = operand(0);
        const auto most = a ? atMost(*a) : std::nullopt;
        const bool isWhole = most && isPositive(*a) && isMonotone(*most) &&
                             isBelow(*most, greatestOfBits(term.bits));
        return isWhole ? a : std::nullopt;
      }
      case TermKind::ZeroExtend: {
        const auto a = operand(0);
        if (terms_[term.operands[0]].bits == 1)
          return bounded(id, Polynomial(1));
        const auto least = a ? atLeast(*a) : std::nullopt;
        return least && isNeverNegative(*least) ? a : std::nullopt;
      }
      case TermKind::DivS:
      case TermKind::DivU:
      case TermKind::FloorDivS:
      case TermKind::CeilDivS:
        return quotient(id, term);
      case TermKind::ShrS:
      case TermKind::ShrU: {
        const TermNode &by = terms_[term.operands[1]];
        if (by.kind != TermKind::Constant || by.value < 0 || by.value > 62)
          return std::nullopt;
        return quotientBy(id, term, Polynomial(int64_t{1} << by.value));
      }
      case TermKind::RemS:
      case TermKind::RemU: {
        const auto a = operand(0), b = operand(1);
        const auto least = a ? atLeast(*a) : std::nullopt;
        const auto most = b ? atMost(*b) : std::nullopt;
        if (!least || !isNeverNegative(*least) || !most) return std::nullopt;
        return bounded(id, *most - Polynomial(1));
      }
      case TermKind::MinS:
      case TermKind::MinU: {
        const auto a = operand(0), b = operand(1);
        if (!a || !b || !isPositive(*a) || !isPositive(*b)) return std::nullopt;
        const auto x = atMost(*a), y = atMost(*b);
        if (!x || !y) return std::nullopt;
        return bounded(id, smaller(*x, *y));
      }
      case TermKind::MaxS:
      case TermKind::MaxU:
      case TermKind::Select: {
        const size_t first = term.kind == TermKind::Select ? 1 : 0;
        const auto a = operand(first), b = operand(first + 1);
        if (!a || !b || !isPositive(*a) || !isPositive(*b)) return std::nullopt;
        const auto x = atMost(*a), y = atMost(*b);
        if (!x || !y) return std::nullopt;
        if (isNeverNegative(*x - *y)) return bounded(id, *x);
        if (isNeverNegative(*y - *x)) return bounded(id, *y);
        return bounded(id, Polynomial::of(sizeVariable(SizeTerm::of(
                               SizeKind::Max, termOf(*x), termOf(*y)))));
      }
      default:
        break;
    }
    if (term.bits == 1) return bounded(id, Polynomial(1));
    return std::nullopt;
  }

  bool isPositive(const Polynomial &value) {
    const auto least = atLeast(value);
    return least && isNeverNegative(*least);
  }

  std::optional<Polynomial> quotient(TermId id, const TermNode &term) {
    const auto divisor = valueOfTerm(term.operands[1]);
    if (!divisor) return std::nullopt;
    return quotientBy(id, term, *divisor);
  }

  /// What a division of something positive by something positive may be.
  std::optional<Polynomial> quotientBy(TermId id, const TermNode &term,
                                       const Polynomial &divisor) {
    const auto a = valueOfTerm(term.operands[0]);
    if (!a || !isPositive(*a)) return std::nullopt;
    const auto most = atMost(*a), least = atLeast(divisor);
    if (!most || !least || !isNeverNegative(*least - Polynomial(1)))
      return std::nullopt;
    const bool isUp = term.kind == TermKind::CeilDivS;
    // Of sizes alone it is a size itself.
    const bool isSize = isOfSizes(*a) && isOfSizes(divisor);
    if (most->isConstant() && least->isConstant()) {
      const WideNumber above =
          isUp ? (most->constant() + least->constant() - 1) / least->constant()
               : most->constant() / least->constant();
      if (isSize) return Polynomial(above);
      return bounded(id, Polynomial(above));
    }
    const Polynomial bound = Polynomial::of(
        sizeVariable(SizeTerm::of(isUp ? SizeKind::CeilDiv : SizeKind::FloorDiv,
                                  termOf(*most), termOf(*least))));
    return isSize ? bound : bounded(id, bound);
  }

  bool isOfSizes(const Polynomial &value) const {
    for (const auto &[product, factor] : value.terms())
      for (int variable : product)
        if (variables_[variable].isLane) return false;
    return true;
  }

  Polynomial smaller(const Polynomial &a, const Polynomial &b) {
    if (isNeverNegative(a - b)) return b;
    if (isNeverNegative(b - a)) return a;
    return Polynomial::of(
        sizeVariable(SizeTerm::of(SizeKind::Min, termOf(a), termOf(b))));
  }

  Polynomial lane(const std::string &name, Polynomial most) {
    const auto found = lanes_.find(name);
    if (found != lanes_.end()) return Polynomial::of(found->second);
    const int variable = laneVariable(std::move(most));
    lanes_[name] = variable;
    return Polynomial::of(variable);
  }

  /// Any value from 0 to `most`.
  Polynomial bounded(TermId id, Polynomial most) {
    return lane(absl::StrCat("term", id), std::move(most));
  }

  //===-- Masks -----------------------------------------------------------===//

  /// `value` is at most `most`, at a lane that the mask lets through.
  struct Limit {
    Polynomial value, most;
  };

  void addLimits(TermId id, std::vector<Limit> &limits) {
    const TermNode &term = terms_[id];
    if (term.kind == TermKind::And && term.bits == 1) {
      for (TermId operand : term.operands) addLimits(operand, limits);
      return;
    }
    if (term.kind != TermKind::LessS && term.kind != TermKind::LessEqualS)
      return;
    // Of operands that may wrap nothing is known.
    for (TermId operand : term.operands)
      if (mayWrap(operand)) return;
    const auto a = valueOfTerm(term.operands[0]);
    const auto b = valueOfTerm(term.operands[1]);
    if (!a || !b) return;
    Polynomial difference = *a - *b;
    if (term.kind == TermKind::LessS) difference = difference + Polynomial(1);
    // Lanes on one side, sizes on the other.
    Limit limit;
    for (const auto &[product, factor] : difference.terms()) {
      const bool isLane =
          std::any_of(product.begin(), product.end(),
                      [&](int each) { return variables_[each].isLane; });
      if (isLane)
        limit.value.add(product, factor);
      else
        limit.most.add(product, -factor);
    }
    if (!limit.value.terms().empty()) limits.push_back(std::move(limit));
  }

  /// Whether an operation within the term may wrap at some lane.
  bool mayWrap(TermId id) {
    std::vector<TermId> nodes;
    std::set<TermId> seen;
    addNodes(id, nodes, seen);
    for (TermId node : nodes) {
      const auto value = valueOfTerm(node);
      if (!value || !isNever(*value)) return true;
    }
    return false;
  }

  /// Puts the mask's limits into a value: a coordinate t of a limit
  /// `rest + t <= most` becomes `r - rest`, where r is from 0 to `most`.
  Polynomial limitedBy(const Polynomial &value,
                       const std::vector<Limit> &limits) {
    Polynomial best = value;
    for (size_t number = 0; number < limits.size(); ++number) {
      const Limit &limit = limits[number];
      if (!isPositive(limit.value)) continue;
      const auto whole = atMost(limit.value);
      if (!whole) continue;
      for (const auto &[product, factor] : limit.value.terms()) {
        if (product.size() != 1 || factor != 1 ||
            !variables_[product[0]].isLane || !best.has(product[0]))
          continue;
        const std::string name =
            absl::StrCat("limit", number, "of", product[0]);
        const Polynomial r = lane(name, smaller(limit.most, *whole));
        Polynomial rest = limit.value;
        rest.add(product, -1);
        const Polynomial changed = best.with(product[0], r - rest);
        if (lanesIn(changed) <= lanesIn(best)) {
          best = changed;
          break;
        }
      }
    }
    return best;
  }

  size_t lanesIn(const Polynomial &value) const {
    std::set<int> lanes;
    for (const auto &[product, factor] : value.terms())
      for (int variable : product)
        if (variables_[variable].isLane) lanes.insert(variable);
    return lanes.size();
  }

  //===-- Sizes -----------------------------------------------------------===//

  SizeValues all(int64_t size) const {
    SizeValues values = space_.values;
    for (const std::string &name : names_) values[name] = size;
    return values;
  }

  /// The value of a polynomial of sizes.
  std::optional<WideNumber> at(const Polynomial &polynomial,
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

  /// Whether a polynomial of sizes grows with each of them.
  bool isMonotone(const Polynomial &polynomial) {
    for (size_t k = 0; k < variables_.size(); ++k)
      if (polynomial.has(static_cast<int>(k)) && !isGrowing(variables_[k].size))
        return false;
    const Polynomial shifted = fromLeast(polynomial);
    if (shifted.isTooLong()) return false;
    for (const auto &[product, factor] : shifted.terms())
      if (!product.empty() && factor < 0) return false;
    return true;
  }

  bool isGrowing(const SizeTerm &size) const {
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

  /// Whether a value over all lanes is always within its bits.
  bool isNever(const Polynomial &value) {
    return isNeverAbove(value) && isNeverBelow(value);
  }

  bool isNeverAbove(const Polynomial &value) {
    const auto most = atMost(value);
    return most && isMonotone(*most) && isBelow(*most, greatest_);
  }

  bool isNeverBelow(const Polynomial &value) {
    const auto least = atLeast(value);
    if (!least) return false;
    if (isNeverNegative(*least)) return true;
    const Polynomial below = Polynomial() - *least;
    return isMonotone(below) && isBelow(below, -WideNumber(least_));
  }

  bool isBelow(const Polynomial &most, WideNumber limit) const {
    const auto top = at(most, all(greatest_));
    return top && *top <= limit;
  }

  /// Returns the smallest sizes at which a polynomial passes the limit, or
  /// nothing if it never does. It must be monotone.
  std::optional<SizeValues> firstPast(const Polynomial &most,
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
      int64_t least = 1, most_ = high;
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

  //===-- Accesses --------------------------------------------------------===//

  /// Operations of the bits that are looked at, operands first.
  void addNodes(TermId id, std::vector<TermId> &nodes, std::set<TermId> &seen) {
    if (!seen.insert(id).second || ++steps_ > kMostSteps) return;
    const TermNode &term = terms_[id];
    if (term.kind == TermKind::Loaded) return;
    for (TermId operand : term.operands) addNodes(operand, nodes, seen);
    const bool isCounted =
        term.kind == TermKind::Add || term.kind == TermKind::Sub ||
        term.kind == TermKind::Mul || term.kind == TermKind::Shl;
    if (isCounted && term.bits == space_.bits) nodes.push_back(id);
  }

  void lookAt(const WrapAccess &access) {
    access_ = &access;
    values_.clear();
    lanes_.clear();
    depth_ = 0;
    std::vector<TermId> nodes;
    std::set<TermId> seen;
    for (const auto &[number, trips] : access.loops)
      addNodes(trips, nodes, seen);
    if (access.mask) addNodes(*access.mask, nodes, seen);
    addNodes(access.pointer, nodes, seen);
    std::vector<Limit> limits;
    if (access.mask) addLimits(*access.mask, limits);
    for (TermId node : nodes) {
      if (found_.size() >= kMostFound || steps_ > kMostSteps) return;
      lookAtNode(node, limits);
    }
  }

  void doubt(std::string reason) {
    if (!undecided_.empty()) return;
    undecided_ = std::move(reason);
    undecidedPlace_ = access_->place;
  }

  void lookAtNode(TermId node, const std::vector<Limit> &limits) {
    const auto value = valueOfTerm(node);
    if (!value) {
      doubt("an address is computed of a value of which no bounds are known");
      return;
    }
    const Polynomial within = limitedBy(*value, limits);
    const bool isAbove = !isNeverAbove(*value) && !isNeverAbove(within);
    const bool isUnder = !isNeverBelow(*value) && !isNeverBelow(within);
    if (!isAbove && !isUnder) return;
    auto most = atMost(within);
    if (!most || !isMonotone(*most)) most = atMost(*value);
    if (isUnder || !most || !isMonotone(*most)) {
      doubt("the bounds of an address do not grow with the sizes");
      return;
    }
    const auto first = firstPast(*most, greatest_);
    if (!first) return;
    if (!isReached(node, *first)) {
      doubt(absl::StrCat("an address may wrap where ", textOf(termOf(*most)),
                         " > ", greatest_, ", but no lane is known that does"));
      return;
    }
    Found found;
    found.where = absl::StrCat(textOf(termOf(*most)), " > ", greatest_);
    found.place = access_->place;
    for (const std::string &name : names_)
      if (mentions(*most, name)) found.first.push_back({name, first->at(name)});
    for (const Found &other : found_)
      if (other.where == found.where) return;
    found_.push_back(std::move(found));
  }

  bool mentions(const Polynomial &polynomial, const std::string &name) const {
    for (const auto &[product, factor] : polynomial.terms())
      for (int variable : product) {
        std::set<std::string> names;
        addUnknown(variables_[variable].size, space_.values, names);
        if (names.count(name)) return true;
      }
    return false;
  }

  //===-- A lane ----------------------------------------------------------===//

  /// Whether a lane wraps at these sizes, and the mask lets it through.
  bool isReached(TermId node, const SizeValues &sizes) {
    std::vector<int64_t> grid, arguments, coordinates, loops;
    for (const SizeTerm &side : space_.grid) {
      const auto size = valueOf(side, sizes);
      if (!size || *size < 1) return false;
      grid.push_back(*size);
    }
    for (const std::string &name : space_.arguments) {
      const auto found = sizes.find(name);
      arguments.push_back(found == sizes.end() ? 0 : found->second);
    }
    int64_t loopCount = 0;
    for (const auto &[number, trips] : access_->loops)
      loopCount = std::max(loopCount, number + 1);
    loops.assign(loopCount, 0);
    coordinates.assign(access_->tile.size(), 0);
    std::vector<int64_t> program(3, 0);
    // The places that each coordinate is tried at: its ends, and what the sizes
    // leave of it there.
    std::vector<std::pair<int64_t *, std::vector<int64_t>>> choices;
    auto choose = [&](int64_t *at, int64_t count,
                      llvm::ArrayRef<int64_t> others) {
      std::set<int64_t> values = {count - 1, 0};
      for (int64_t other : others)
        for (int64_t near : {other, other - 1})
          if (near >= 0 && near < count) values.insert(near);
      choices.push_back({at, {values.rbegin(), values.rend()}});
    };
    std::vector<int64_t> named;
    for (const std::string &name : names_) named.push_back(sizes.at(name));
    for (const auto &[name, size] : space_.values) named.push_back(size);
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<int64_t> places = {grid[axis] - 2};
      for (int64_t tile : access_->tile)
        for (int64_t size : named) places.push_back(ceilDivided(size, tile));
      choose(&program[axis], grid[axis], places);
    }
    for (size_t k = 0; k < coordinates.size(); ++k) {
      std::vector<int64_t> places;
      for (int64_t size : named) {
        places.push_back(size);
        places.push_back((size - 1) % access_->tile[k] + 1);
      }
      choose(&coordinates[k], access_->tile[k], places);
    }
    auto pointNow = [&] {
      return TermPoint{program, grid, arguments, loops, coordinates};
    };
    for (const auto &[number, trips] : access_->loops) {
      const auto count = terms_.evaluate(trips, pointNow());
      if (!count || count->value < 1) return false;
      choose(&loops[number], count->value, {});
    }
    return tried(node, choices, 0, pointNow);
  }

  static int64_t ceilDivided(int64_t a, int64_t b) {
    return (a + b - 1) / std::max<int64_t>(1, b);
  }

  template <typename Point>
  bool tried(TermId node,
             const std::vector<std::pair<int64_t *, std::vector<int64_t>>> &in,
             size_t next, const Point &pointNow) {
    if (next == in.size()) {
      if (++lanesTried_ > kMostLanes) return false;
      const TermPoint point = pointNow();
      if (access_->mask) {
        const auto mask = terms_.evaluate(*access_->mask, point);
        if (!mask || mask->value == 0) return false;
      }
      return wraps(node, point);
    }
    for (int64_t value : in[next].second) {
      *in[next].first = value;
      if (tried(node, in, next + 1, pointNow)) return true;
    }
    *in[next].first = 0;
    return false;
  }

  bool wraps(TermId node, const TermPoint &point) const {
    const TermNode &term = terms_[node];
    const auto a = terms_.evaluate(term.operands[0], point);
    const auto b = terms_.evaluate(term.operands[1], point);
    if (!a || !b) return false;
    WideNumber exact = 0;
    if (term.kind == TermKind::Add)
      exact = WideNumber(a->value) + b->value;
    else if (term.kind == TermKind::Sub)
      exact = WideNumber(a->value) - b->value;
    else if (term.kind == TermKind::Mul)
      exact = WideNumber(a->value) * b->value;
    else if (b->value >= 0 && b->value < 62)
      exact = WideNumber(a->value) * (int64_t{1} << b->value);
    return exact > greatest_ || exact < least_;
  }

  const Terms &terms_;
  const WrapSpace &space_;
  const int64_t greatest_, least_;
  std::vector<std::string> names_;  ///< without values
  std::vector<Variable> variables_;
  std::map<std::string, int> sizes_, lanes_;
  std::map<TermId, std::optional<Polynomial>> values_;
  const WrapAccess *access_ = nullptr;
  std::vector<Found> found_;
  std::string undecided_;
  Place undecidedPlace_;
  int64_t steps_ = 0, depth_ = 0, lanesTried_ = 0;
};

}  // namespace

WrapsCheck wrapsOf(const Terms &terms, llvm::ArrayRef<WrapAccess> accesses,
                   const WrapSpace &space) {
  return WrapFinder(terms, space).run(accesses);
}

}  // namespace indexical::kernels
