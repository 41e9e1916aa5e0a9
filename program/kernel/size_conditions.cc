#include "indexical/program/kernel/size_conditions.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace indexical::kernels {
namespace {

// Terms of definitions have no more parts: each may double the next one.
constexpr size_t kMostParts = 64;
constexpr int kRounds = 16;
// Larger numbers of a text are followed nowhere.
constexpr int64_t kMostNumber = int64_t{1} << 40;

size_t partsOf(const SizeTerm &term) {
  size_t parts = 1;
  for (const SizeTerm &operand : term.operands) parts += partsOf(operand);
  return parts;
}

/// Whether a term never falls where a name grows.
bool isRising(const SizeTerm &term) {
  switch (term.kind) {
    case SizeKind::Number:
      return term.number >= -kMostNumber && term.number <= kMostNumber;
    case SizeKind::Name:
      return true;
    case SizeKind::Mod:
      return false;
    case SizeKind::Sub:
      return isRising(term.operands[0]) && isRising(term.operands[1]) &&
             term.operands[1].kind == SizeKind::Number;
    case SizeKind::FloorDiv:
    case SizeKind::CeilDiv:
      return isRising(term.operands[0]) &&
             term.operands[1].kind == SizeKind::Number &&
             term.operands[1].number > 0;
    case SizeKind::Mul:
      if (!isCount(term)) return false;
      break;
    default:
      break;
  }
  return isRising(term.operands[0]) && isRising(term.operands[1]);
}

std::set<std::string> openNamesOf(const SizeTerm &term,
                                  const SizeValues &values) {
  std::set<std::string> names;
  addUnknown(term, values, names);
  return names;
}

/// `low <= high`, or `low < high`.
struct Order {
  const SizeTerm &low, &high;
  bool isStrict;
};

std::vector<Order> ordersOf(const SizeCondition &condition) {
  const SizeTerm &left = condition.left, &right = condition.right;
  switch (condition.sign) {
    case SizeSign::Less:
      return {{left, right, true}};
    case SizeSign::AtMost:
      return {{left, right, false}};
    case SizeSign::Greater:
      return {{right, left, true}};
    case SizeSign::AtLeast:
      return {{right, left, false}};
    case SizeSign::Equal:
      break;
  }
  return {{left, right, false}, {right, left, false}};
}

/// Narrows ranges by one order of two terms that rise.
class Narrower {
 public:
  Narrower(const Order &order, const SizeValues &values, SizeBox &box)
      : order_(order), values_(values), box_(box) {}

  bool run(bool &isChanged) {
    if (!isRising(order_.low) || !isRising(order_.high)) return true;
    const auto low = openNamesOf(order_.low, values_);
    const auto high = openNamesOf(order_.high, values_);
    for (const std::string &name : low) {
      if (high.count(name)) continue;
      auto [least, most] = box_.rangeOf(name);
      if (!mayHold(name, least)) return false;
      const int64_t before = most;
      while (least < most) {
        const int64_t middle = least + (most - least + 1) / 2;
        if (mayHold(name, middle))
          least = middle;
        else
          most = middle - 1;
      }
      if (most == before) continue;
      box_.ranges[name] = {box_.rangeOf(name).first, most};
      isChanged = true;
    }
    for (const std::string &name : high) {
      if (low.count(name)) continue;
      auto [least, most] = box_.rangeOf(name);
      if (!mayHold(name, most)) return false;
      const int64_t before = least;
      while (least < most) {
        const int64_t middle = least + (most - least) / 2;
        if (mayHold(name, middle))
          most = middle;
        else
          least = middle + 1;
      }
      if (least == before) continue;
      box_.ranges[name] = {least, box_.rangeOf(name).second};
      isChanged = true;
    }
    return true;
  }

 private:
  /// Whether it holds for this value of a name and some values of the others,
  /// if each name were free on each side.
  bool mayHold(const std::string &name, int64_t value) const {
    const auto low = valueAt(order_.low, name, value, /*isLeast=*/true);
    const auto high = valueAt(order_.high, name, value, /*isLeast=*/false);
    // A number beyond 64 bits is large: terms rise, and sizes are positive.
    if (!high) return true;
    return low && (order_.isStrict ? *low < *high : *low <= *high);
  }

  std::optional<int64_t> valueAt(const SizeTerm &term, const std::string &name,
                                 int64_t value, bool isLeast) const {
    SizeValues all = values_;
    for (const std::string &each : openNamesOf(term, values_)) {
      const auto [least, most] = box_.rangeOf(each);
      all[each] = isLeast ? least : most;
    }
    if (!values_.count(name)) all[name] = value;
    return valueOf(term, all);
  }

  const Order &order_;
  const SizeValues &values_;
  SizeBox &box_;
};

/// Changes sizes until they meet all conditions.
class Mender {
 public:
  Mender(const std::vector<SizeCondition> &conditions, const SizeValues &values,
         const SizeBox &box, SizeValues now, bool isBackward)
      : conditions_(conditions),
        values_(values),
        box_(box),
        now_(std::move(now)),
        isBackward_(isBackward) {}

  std::optional<SizeValues> run() {
    for (int round = 0; round < kRounds; ++round) {
      const auto wrong = std::find_if(
          conditions_.begin(), conditions_.end(),
          [&](const SizeCondition &each) { return !holds(each); });
      if (wrong == conditions_.end()) return now_;
      if (!mend(*wrong)) break;
    }
    return std::nullopt;
  }

 private:
  bool holds(const SizeCondition &condition) const {
    return factOf(condition, now_).holds.value_or(false);
  }

  bool mend(const SizeCondition &condition) {
    std::set<std::string> found = openNamesOf(condition.left, values_);
    addUnknown(condition.right, values_, found);
    std::vector<std::string> names(found.begin(), found.end());
    if (isBackward_) std::reverse(names.begin(), names.end());
    for (const std::string &name : names) {
      int64_t &value = now_[name];
      const int64_t before = value;
      for (int64_t candidate : candidatesFor(condition, name)) {
        const auto [least, most] = box_.rangeOf(name);
        if (candidate < least || candidate > most) continue;
        value = candidate;
        if (holds(condition)) return true;
      }
      value = before;
      auto near = nearest(condition, value, box_.rangeOf(name));
      if (!near && condition.sign == SizeSign::Equal)
        near = crossing(condition, value, box_.rangeOf(name));
      if (near) {
        value = *near;
        return true;
      }
      value = before;
    }
    return false;
  }

  std::vector<int64_t> candidatesFor(const SizeCondition &condition,
                                     const std::string &name) const {
    std::vector<int64_t> all;
    for (const bool isLeft : {true, false}) {
      const SizeTerm &own = isLeft ? condition.left : condition.right;
      const auto other =
          valueOf(isLeft ? condition.right : condition.left, now_);
      if (!other) continue;
      if (own.kind == SizeKind::Name && own.name == name)
        for (int64_t gap : {0, -1, 1}) all.push_back(*other + gap);
      if (own.kind == SizeKind::Mod &&
          own.operands[0].kind == SizeKind::Name &&
          own.operands[0].name == name) {
        const auto by = valueOf(own.operands[1], now_);
        if (!by || *by < 1 || *other < 0 || *other >= *by) continue;
        const int64_t value = now_.at(name), whole = value - value % *by;
        for (int64_t rest : {*other, int64_t{0}})
          for (int64_t turn : {int64_t{0}, -*by, *by})
            all.push_back(whole + turn + rest);
      }
    }
    return all;
  }

  /// Returns the value at which both sides are equal, if one passes the other
  /// there.
  std::optional<int64_t> crossing(const SizeCondition &condition,
                                  int64_t &value,
                                  std::pair<int64_t, int64_t> range) const {
    auto isBelow = [&](int64_t at) -> std::optional<bool> {
      value = at;
      const auto left = valueOf(condition.left, now_);
      const auto right = valueOf(condition.right, now_);
      if (!left || !right) return std::nullopt;
      return *left < *right;
    };
    int64_t low = range.first, high = range.second;
    const auto first = isBelow(low), last = isBelow(high);
    if (!first || !last || *first == *last) return std::nullopt;
    while (low + 1 < high) {
      const int64_t middle = low + (high - low) / 2;
      const auto is = isBelow(middle);
      if (!is) return std::nullopt;
      (*is == *first ? low : high) = middle;
    }
    for (int64_t at : {low, high}) {
      value = at;
      if (holds(condition)) return at;
    }
    return std::nullopt;
  }

  /// Returns the nearest value for which the condition holds, if it holds at an
  /// end and from there on.
  std::optional<int64_t> nearest(const SizeCondition &condition, int64_t &value,
                                 std::pair<int64_t, int64_t> range) const {
    const int64_t before = value;
    for (int64_t end : {range.first, range.second}) {
      value = end;
      if (!holds(condition)) continue;
      // It holds at `end`, and not at `wrong`.
      int64_t wrong = before;
      while (end + 1 < wrong || wrong + 1 < end) {
        value = end + (wrong - end) / 2;
        (holds(condition) ? end : wrong) = value;
      }
      return end;
    }
    return std::nullopt;
  }

  const std::vector<SizeCondition> &conditions_;
  const SizeValues &values_;
  const SizeBox &box_;
  SizeValues now_;
  const bool isBackward_;
};

}  // namespace

bool isCount(const SizeTerm &term) {
  if (term.kind == SizeKind::Number) return term.number >= 0;
  return term.kind != SizeKind::Sub &&
         std::all_of(term.operands.begin(), term.operands.end(), isCount);
}

SizeTerm replaced(const SizeTerm &term, const SizeDefinitions &definitions) {
  if (definitions.empty()) return term;
  if (term.kind == SizeKind::Name) {
    const auto known = definitions.find(term.name);
    return known == definitions.end() ? term : known->second;
  }
  SizeTerm made = term;
  for (SizeTerm &operand : made.operands)
    operand = replaced(operand, definitions);
  return made;
}

SizeDefinitions definitionsOf(const std::vector<SizeCondition> &conditions,
                              const SizeValues &values) {
  SizeDefinitions made;
  for (const SizeCondition &condition : conditions) {
    if (condition.sign != SizeSign::Equal) continue;
    for (const bool isLeft : {true, false}) {
      const SizeTerm &side = isLeft ? condition.left : condition.right;
      if (side.kind != SizeKind::Name || values.count(side.name) ||
          made.count(side.name))
        continue;
      const SizeTerm by =
          replaced(isLeft ? condition.right : condition.left, made);
      if (partsOf(by) > kMostParts || openNamesOf(by, {}).count(side.name))
        continue;
      SizeDefinitions longer = made;
      for (auto &[name, term] : longer)
        term = replaced(term, {{side.name, by}});
      const bool fits =
          std::all_of(longer.begin(), longer.end(), [](const auto &each) {
            return partsOf(each.second) <= kMostParts;
          });
      if (!fits) continue;
      longer[side.name] = by;
      made = std::move(longer);
      break;
    }
  }
  return made;
}

bool holdAll(const std::vector<SizeCondition> &conditions,
             const SizeValues &values) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const SizeCondition &each) {
                       return factOf(each, values).holds.value_or(false);
                     });
}

bool isLinear(const SizeTerm &term, const SizeValues &values, bool divides) {
  if (term.operands.empty() || valueOf(term, values)) return true;
  for (const SizeTerm &operand : term.operands)
    if (!isLinear(operand, values, divides)) return false;
  const auto left = valueOf(term.operands[0], values);
  const auto right = valueOf(term.operands[1], values);
  switch (term.kind) {
    case SizeKind::Add:
    case SizeKind::Sub:
      return true;
    case SizeKind::Mul:
      return left || right;
    case SizeKind::Min:
    case SizeKind::Max:
      return divides;
    default:
      return divides && right && *right > 0;
  }
}

std::pair<int64_t, int64_t> SizeBox::rangeOf(const std::string &name) const {
  const auto range = ranges.find(name);
  return range == ranges.end() ? std::pair<int64_t, int64_t>(1, most)
                               : range->second;
}

bool narrow(const std::vector<SizeCondition> &conditions,
            const SizeValues &values, SizeBox &box) {
  bool isChanged = true;
  for (int round = 0; round < kRounds && isChanged; ++round) {
    isChanged = false;
    for (const SizeCondition &condition : conditions)
      for (const Order &order : ordersOf(condition))
        if (!Narrower(order, values, box).run(isChanged)) return false;
  }
  return true;
}

std::vector<SizeValues> sizesThatMeet(
    const std::vector<SizeCondition> &conditions, const SizeValues &values,
    const SizeBox &box, const SizeValues &near) {
  std::vector<SizeValues> all;
  for (const bool isBackward : {false, true}) {
    auto found = Mender(conditions, values, box, near, isBackward).run();
    if (found && std::find(all.begin(), all.end(), *found) == all.end())
      all.push_back(*std::move(found));
  }
  return all;
}

}  // namespace indexical::kernels
