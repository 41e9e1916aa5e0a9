#include "indexical/program/kernel/wraps.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

#include "indexical/program/kernel/size_bounds.h"
#include "indexical/program/kernel/wrapped_lane.h"

namespace indexical::kernels {
namespace {

using Polynomial = SizePolynomial;

class WrapFinder {
 public:
  WrapFinder(const Terms &terms, const WrapSpace &space)
      : terms_(terms),
        space_(space),
        bounds_(space),
        reached_(terms, space, bounds_.names()) {}

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
  static constexpr size_t kMostFound = 16;

  struct Found {
    std::string where;
    std::vector<std::pair<std::string, int64_t>> first;
    Place place;
    Polynomial most;
    WideNumber greatest = 0;
  };

  /// Whether a term is read with a sign, and without one.
  struct Readers {
    bool hasSigned = false, hasUnsigned = false;
  };

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
                    bounds_.sizeOf(space_.grid[axis]) - Polynomial(1));
      }
      case TermKind::Programs:
        return bounds_.sizeOf(space_.grid[term.value]);
      case TermKind::Argument: {
        if (term.bits < space_.bits) return std::nullopt;
        return bounds_.sizeOf(SizeTerm::of(space_.arguments[term.value]));
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
          const auto most = count ? bounds_.atMost(*count) : std::nullopt;
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
        const auto most = a ? bounds_.atMost(*a) : std::nullopt;
        const bool isWhole = most && bounds_.isPositive(*a) &&
                             bounds_.isMonotone(*most) &&
                             bounds_.isBelow(*most, greatestOfBits(term.bits));
        return isWhole ? a : std::nullopt;
      }
      case TermKind::ZeroExtend: {
        const auto a = operand(0);
        if (terms_[term.operands[0]].bits == 1)
          return bounded(id, Polynomial(1));
        const auto least = a ? bounds_.atLeast(*a) : std::nullopt;
        return least && bounds_.isNeverNegative(*least) ? a : std::nullopt;
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
        const auto least = a ? bounds_.atLeast(*a) : std::nullopt;
        const auto most = b ? bounds_.atMost(*b) : std::nullopt;
        if (!least || !bounds_.isNeverNegative(*least) || !most)
          return std::nullopt;
        return bounded(id, *most - Polynomial(1));
      }
      case TermKind::MinS:
      case TermKind::MinU: {
        const auto a = operand(0), b = operand(1);
        if (!a || !b || !bounds_.isPositive(*a) || !bounds_.isPositive(*b))
          return std::nullopt;
        const auto x = bounds_.atMost(*a), y = bounds_.atMost(*b);
        if (!x || !y) return std::nullopt;
        return bounded(id, bounds_.smaller(*x, *y));
      }
      case TermKind::MaxS:
      case TermKind::MaxU:
      case TermKind::Select: {
        const size_t first = term.kind == TermKind::Select ? 1 : 0;
        const auto a = operand(first), b = operand(first + 1);
        if (!a || !b || !bounds_.isPositive(*a) || !bounds_.isPositive(*b))
          return std::nullopt;
        const auto x = bounds_.atMost(*a), y = bounds_.atMost(*b);
        if (!x || !y) return std::nullopt;
        if (bounds_.isNeverNegative(*x - *y)) return bounded(id, *x);
        if (bounds_.isNeverNegative(*y - *x)) return bounded(id, *y);
        return bounded(
            id, Polynomial::of(bounds_.sizeVariable(SizeTerm::of(
                    SizeKind::Max, bounds_.termOf(*x), bounds_.termOf(*y)))));
      }
      default:
        break;
    }
    if (term.bits == 1) return bounded(id, Polynomial(1));
    return std::nullopt;
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
    if (!a || !bounds_.isPositive(*a)) return std::nullopt;
    const auto most = bounds_.atMost(*a), least = bounds_.atLeast(divisor);
    if (!most || !least || !bounds_.isNeverNegative(*least - Polynomial(1)))
      return std::nullopt;
    const bool isUp = term.kind == TermKind::CeilDivS;
    // Of sizes alone it is a size itself.
    const bool isSize = bounds_.isOfSizes(*a) && bounds_.isOfSizes(divisor);
    if (!isUp)
      if (auto whole = wholeQuotient(*most, *least))
        return isSize ? *std::move(whole) : bounded(id, *std::move(whole));
    // (n + d - 1) / d is cdiv(n, d), as grids have it.
    if (!isUp && isSize && least->isConstant() && !most->isConstant()) {
      const Polynomial whole =
          *most - Polynomial(least->constant() - WideNumber(1));
      if (bounds_.isNeverNegative(whole))
        return Polynomial::of(bounds_.sizeVariable(SizeTerm::of(
            SizeKind::CeilDiv, bounds_.termOf(whole), bounds_.termOf(*least))));
    }
    if (most->isConstant() && least->isConstant()) {
      const WideNumber above =
          isUp ? (most->constant() + least->constant() - 1) / least->constant()
               : most->constant() / least->constant();
      if (isSize) return Polynomial(above);
      return bounded(id, Polynomial(above));
    }
    const Polynomial bound = Polynomial::of(bounds_.sizeVariable(
        SizeTerm::of(isUp ? SizeKind::CeilDiv : SizeKind::FloorDiv,
                     bounds_.termOf(*most), bounds_.termOf(*least))));
    return isSize ? bound : bounded(id, bound);
  }

  /// Returns the quotient of `q * d` and of `q * d - 1` by a product d from 1
  /// on, rounded down: q and q - 1.
  static std::optional<Polynomial> wholeQuotient(const Polynomial &most,
                                                 const Polynomial &divisor) {
    if (divisor.terms().size() != 1 || most.isConstant()) return std::nullopt;
    const auto &[own, by] = *divisor.terms().begin();
    Polynomial quotient, rest;
    for (const auto &[product, factor] : most.terms()) {
      if (factor % by != 0 || !std::includes(product.begin(), product.end(),
                                             own.begin(), own.end())) {
        rest.add(product, factor);
        continue;
      }
      Polynomial::Product others;
      std::set_difference(product.begin(), product.end(), own.begin(),
                          own.end(), std::back_inserter(others));
      quotient.add(others, factor / by);
    }
    if (rest.terms().empty()) return quotient;
    if (!(rest == Polynomial(-1))) return std::nullopt;
    return quotient - Polynomial(1);
  }

  Polynomial lane(const std::string &name, Polynomial most) {
    const auto found = lanes_.find(name);
    if (found != lanes_.end()) return Polynomial::of(found->second);
    const int variable = bounds_.laneVariable(std::move(most));
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
    size_t number = 0;  ///< of the access
  };

  /// The mask's conditions on the lanes that it lets through.
  struct Limits {
    std::vector<Limit> sure;
    /// Sure ones, and those that hold where no term of `assumed` wraps. Such a
    /// term itself is looked at with the sure ones only.
    std::vector<Limit> all;
    std::set<TermId> assumed;
  };

  void addLimits(TermId id, Limits &limits) {
    const TermNode &term = terms_[id];
    if (term.kind == TermKind::And && term.bits == 1) {
      for (TermId operand : term.operands) addLimits(operand, limits);
      return;
    }
    if (term.kind != TermKind::LessS && term.kind != TermKind::LessEqualS)
      return;
    bool isSure = true;
    for (TermId operand : term.operands) isSure &= !mayWrap(operand);
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
                      [&](int each) { return bounds_.isLane(each); });
      if (isLane)
        limit.value.add(product, factor);
      else
        limit.most.add(product, -factor);
    }
    if (limit.value.terms().empty()) return;
    limit.number = limits.all.size();
    limits.all.push_back(limit);
    if (isSure) {
      limits.sure.push_back(std::move(limit));
      return;
    }
    std::vector<TermId> nodes;
    addNodes(id, nodes, limits.assumed);
  }

  /// Whether an operation within the term may wrap at some lane.
  bool mayWrap(TermId id) {
    std::vector<TermId> nodes;
    std::set<TermId> seen;
    addNodes(id, nodes, seen);
    for (TermId node : nodes) {
      const auto value = valueOfTerm(node);
      if (!value || !bounds_.isNever(*value)) return true;
    }
    return false;
  }

  /// Puts the mask's limits into a value: a coordinate t of a limit
  /// `rest + t <= most` becomes `r - rest`, where r is from 0 to `most`.
  Polynomial limitedBy(const Polynomial &value,
                       const std::vector<Limit> &limits) {
    Polynomial best = value;
    for (const Limit &limit : limits) {
      if (!bounds_.isPositive(limit.value)) continue;
      const auto whole = bounds_.atMost(limit.value);
      if (!whole) continue;
      for (const auto &[product, factor] : limit.value.terms()) {
        if (product.size() != 1 || factor != 1 || !bounds_.isLane(product[0]) ||
            !best.has(product[0]))
          continue;
        const std::string name =
            absl::StrCat("limit", limit.number, "of", product[0]);
        const Polynomial r = lane(name, bounds_.smaller(limit.most, *whole));
        Polynomial rest = limit.value;
        rest.add(product, -1);
        const Polynomial changed = best.with(product[0], r - rest);
        if (bounds_.lanesIn(changed) <= bounds_.lanesIn(best)) {
          best = changed;
          break;
        }
      }
    }
    return best;
  }

  //===-- Accesses --------------------------------------------------------===//

  /// Operations of the bits that are looked at, operands first.
  void addNodes(TermId id, std::vector<TermId> &nodes, std::set<TermId> &seen) {
    if (!seen.insert(id).second || ++steps_ > kMostSteps) return;
    const TermNode &term = terms_[id];
    if (term.kind == TermKind::Loaded) return;
    for (TermId operand : term.operands) addNodes(operand, nodes, seen);
    const bool isCounted = term.kind == TermKind::Add ||
                           term.kind == TermKind::Sub ||
                           term.kind == TermKind::Mul ||
                           term.kind == TermKind::Shl || narrows(term);
    if (isCounted && term.bits == space_.bits) nodes.push_back(id);
  }

  /// Whether the term is the last bits of a longer integer that is computed.
  bool narrows(const TermNode &term) const {
    return term.kind == TermKind::Truncate &&
           terms_[term.operands[0]].bits > term.bits &&
           terms_[term.operands[0]].kind != TermKind::Loaded;
  }

  /// Notes the terms that a sign is read of, and those that are read without
  /// one. Sums, products and bits are read as their results are.
  void noteReaders(llvm::ArrayRef<TermId> roots) {
    // Operands have smaller numbers, so that each term comes after its readers.
    std::map<TermId, Readers, std::greater<TermId>> all;
    for (TermId root : roots) all[root].hasSigned = true;
    for (auto at = all.begin(); at != all.end(); ++at) {
      const TermNode &term = terms_[at->first];
      const Readers own = at->second;
      if (term.kind == TermKind::Loaded) continue;
      for (size_t k = 0; k < term.operands.size(); ++k) {
        Readers &of = all[term.operands[k]];
        const Readers by = readersOf(term.kind, k, own);
        of.hasSigned |= by.hasSigned;
        of.hasUnsigned |= by.hasUnsigned;
      }
    }
    readers_.clear();
    readers_.insert(all.begin(), all.end());
  }

  /// Requires that a value that is computed without a sign, and read with one,
  /// is below 2^31.
  void lookAtSigns() {
    for (const auto &[id, by] : readers_) {
      const TermKind kind = terms_[id].kind;
      const bool isCut = kind == TermKind::DivU || kind == TermKind::RemU ||
                         kind == TermKind::ShrU;
      if (!isCut || !by.hasSigned || terms_[id].bits != space_.bits) continue;
      const auto value = valueOfTerm(id);
      if (!value || !bounds_.isNeverAbove(*value)) {
        doubt("a number without a sign is read as one with a sign");
        return;
      }
    }
  }

  /// How an operation with such readers reads its operand `k`.
  static Readers readersOf(TermKind kind, size_t k, const Readers &own) {
    switch (kind) {
      case TermKind::ZeroExtend:
      case TermKind::DivU:
      case TermKind::RemU:
      case TermKind::ShrU:
      case TermKind::LessU:
      case TermKind::LessEqualU:
        return {false, true};
      case TermKind::MinU:
      case TermKind::MaxU:
        return {own.hasSigned, true};
      case TermKind::Add:
      case TermKind::Sub:
      case TermKind::Mul:
      case TermKind::And:
      case TermKind::Or:
      case TermKind::Xor:
        return own;
      case TermKind::Shl:
        return k == 0 ? own : Readers{true, false};
      case TermKind::Select:
        return k == 0 ? Readers{true, false} : own;
      // Equality does not depend on the sign.
      case TermKind::Equal:
      case TermKind::NotEqual:
      case TermKind::Truncate:
        return {false, false};
      default:
        return {true, false};
    }
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
    if (steps_ > kMostSteps) return;
    std::vector<TermId> roots = {access.pointer};
    if (access.mask) roots.push_back(*access.mask);
    for (const auto &[number, trips] : access.loops) roots.push_back(trips);
    noteReaders(roots);
    lookAtSigns();
    // The integers that such a value is computed of are in no term.
    for (TermId id : seen)
      if (terms_[id].kind == TermKind::Unknown && terms_[id].bits > 1)
        doubt("an address is computed of a value that is not followed");
    Limits limits;
    if (access.mask) addLimits(*access.mask, limits);
    for (TermId node : nodes) {
      if (found_.size() >= kMostFound || steps_ > kMostSteps) return;
      lookAtNode(node, limits.assumed.count(node) ? limits.sure : limits.all);
    }
  }

  void doubt(std::string reason) {
    if (!undecided_.empty()) return;
    undecided_ = std::move(reason);
    undecidedPlace_ = access_->place;
  }

  bool hasPositiveOperands(TermId node) {
    for (TermId operand : terms_[node].operands) {
      const auto value = valueOfTerm(operand);
      if (!value || !bounds_.isPositive(*value)) return false;
    }
    return true;
  }

  void lookAtNode(TermId node, const std::vector<Limit> &limits) {
    const auto value =
        valueOfTerm(narrows(terms_[node]) ? terms_[node].operands[0] : node);
    if (!value) {
      doubt("an address is computed of a value of which no bounds are known");
      return;
    }
    // What is read without a sign has one bit more, and is never negative.
    const Readers &by = readers_[node];
    const Polynomial within = limitedBy(*value, limits);
    if (!by.hasUnsigned && (bounds_.isNever(*value) || bounds_.isNever(within)))
      return;
    const bool isUnsigned = by.hasUnsigned && !by.hasSigned;
    const WideNumber greatest = isUnsigned
                                    ? 2 * WideNumber(bounds_.greatest()) + 1
                                    : WideNumber(bounds_.greatest());
    const bool isAbove = !bounds_.isNeverAbove(*value, greatest) &&
                         !bounds_.isNeverAbove(within, greatest);
    const bool isUnder =
        isUnsigned
            ? !bounds_.isPositive(*value) && !bounds_.isPositive(within)
            : !bounds_.isNeverBelow(*value) && !bounds_.isNeverBelow(within);
    if (!isAbove && !isUnder) return;
    if (isUnsigned && !hasPositiveOperands(node)) {
      doubt("an address is computed of a difference without a sign");
      return;
    }
    auto most = bounds_.atMost(within);
    if (!most || !bounds_.isMonotone(*most)) most = bounds_.atMost(*value);
    if (isUnder || !most || !bounds_.isMonotone(*most)) {
      doubt("the bounds of an address do not grow with the sizes");
      return;
    }
    if (bounds_.isBelow(*most, greatest)) return;
    // An operation that was found wraps at all sizes at which this one does.
    for (const Found &other : found_)
      if (other.greatest == greatest &&
          bounds_.isNeverNegative(other.most - *most))
        return;
    const auto first = bounds_.firstPast(*most, greatest);
    const std::string where = absl::StrCat(textOf(bounds_.termOf(*most)), " > ",
                                           static_cast<int64_t>(greatest));
    if (!first) {
      doubt(absl::StrCat("an address may wrap where ", where,
                         ", but no sizes are known at which it does"));
      return;
    }
    if (!reached_.isReached(*access_, node, isUnsigned, *first)) {
      doubt(absl::StrCat("an address may wrap where ", where,
                         ", but no lane is known that does"));
      return;
    }
    Found found;
    found.where = where;
    found.most = *most;
    found.greatest = greatest;
    found.place = access_->place;
    for (const std::string &name : bounds_.namesIn(*most))
      found.first.push_back({name, first->at(name)});
    for (const Found &other : found_)
      if (other.where == found.where) return;
    found_.push_back(std::move(found));
  }

  const Terms &terms_;
  const WrapSpace &space_;
  SizeBounds bounds_;
  WrappedLanes reached_;
  std::map<std::string, int> lanes_;
  std::map<TermId, std::optional<Polynomial>> values_;
  const WrapAccess *access_ = nullptr;
  std::map<TermId, Readers> readers_;  ///< of the terms of the access
  std::vector<Found> found_;
  std::string undecided_;
  Place undecidedPlace_;
  int64_t steps_ = 0, depth_ = 0;
};

}  // namespace

WrapsCheck wrapsOf(const Terms &terms, llvm::ArrayRef<WrapAccess> accesses,
                   const WrapSpace &space) {
  return WrapFinder(terms, space).run(accesses);
}

}  // namespace indexical::kernels
