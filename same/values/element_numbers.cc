#include "indexical/same/values/element_numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/same/values/element_evaluation.h"
#include "indexical/same/values/mixed.h"

namespace indexical {
namespace {

// Families of numbers, tries of each, and the steps that all of them take.
constexpr int kFamilies = TrialNumbers::kFamilies;
constexpr int kTries = 6;
constexpr int64_t kMostSteps = 200'000;
// The same where infinities are numbers: what overflows is rare.
constexpr int kTriesOfSpecials = 12, kTriesOfLarge = 30;
constexpr int64_t kMostStepsOfSpecials = 2'000'000;
// A witness names so many elements that one side alone reads.
constexpr size_t kMostKept = 4;

using Maybe = std::optional<TypedNumber>;
using Point = std::vector<int64_t>;

/// A point of the region's box: its first, its last, or any.
Point pointOf(const IndexingMap &region, int n) {
  Point point;
  for (auto [k, v] : llvm::enumerate(region.dimensions())) {
    const int64_t size = v.bounds.upper - v.bounds.lower + 1;
    const int64_t step =
        n == 0   ? 0
        : n == 1 ? size - 1
                 : static_cast<int64_t>(mixed(n * 1000 + k) %
                                        static_cast<uint64_t>(size));
    point.push_back(v.bounds.lower + step);
  }
  return point;
}

/// Whether the two differ in every execution. An infinity is a number only if
/// no law takes floats for real numbers.
bool showDifference(const ElementTable &table, const TypedNumber &a,
                    const TypedNumber &b) {
  auto isNumber = [&](const TypedNumber &x) {
    return !x.isFloat() || !has(table.floats(), FloatLaws::NoNan) ||
           (std::isfinite(x.low) && std::isfinite(x.high));
  };
  return areApartOrNan(a, b) && isNumber(a) && isNumber(b);
}

/// Returns the witness of two numbers that differ at a point, with those of the
/// parameters that they were computed of.
Witness witnessAt(const ElementEvaluation &evaluation, const Point &point,
                  const TypedNumber &first, const TypedNumber &second) {
  Witness witness;
  witness.kind = Witness::Kind::Numbers;
  witness.first.index = witness.second.index = point;
  witness.first.value = first.str();
  witness.second.value = second.str();
  for (const NamedNumber &input : evaluation.inputs())
    witness.inputs.push_back(
        {input.parameter, input.leaf, "", input.index, input.number.str()});
  witness.others = evaluation.othersTaken();
  return witness;
}

}  // namespace

std::optional<Witness> differentNumbers(const ElementTable &table,
                                        ElementId first, ElementId second,
                                        const IndexingMap &region,
                                        Specials specials) {
  if (!region.runtime().empty() || !region.ranges().empty())
    return std::nullopt;
  // Small numbers first, which are read best.
  constexpr int kLarge = ElementEvaluation::kLargeFamily;
  llvm::SmallVector<std::pair<int, int>, 16> families;
  const bool takes = specials == Specials::Numbers;
  for (int family = 0; family < kFamilies; ++family) {
    families.push_back({family, kTries});
    if (family == 0 && takes) {
      families.push_back({kLarge, kTriesOfLarge});
      families.push_back({kLarge + 1, kTriesOfSpecials});
    }
  }
  if (takes)
    families.push_back({ElementEvaluation::kNarrowFamily, kTriesOfSpecials});
  int64_t steps = takes ? kMostStepsOfSpecials : kMostSteps;
  for (const auto &[family, tries] : families)
    for (int n = 0; n < tries && steps > 0; ++n) {
      const Point point = pointOf(region, n);
      IndexingMap::Point whole;
      whole.dimensions.assign(point.begin(), point.end());
      if (!region.contains(whole)) continue;
      ElementEvaluation evaluation(table, family, mixed(family * 100 + n),
                                   steps);
      evaluation.takeOthers(n % 2);
      evaluation.takeSpecials(specials);
      evaluation.drawAround(point);
      const Maybe a = evaluation.at(first, point);
      const Maybe b = a ? evaluation.at(second, point) : std::nullopt;
      if (!a || !b || !showDifference(table, *a, *b)) continue;
      return witnessAt(evaluation, point, *a, *b);
    }
  return std::nullopt;
}

namespace {

/// Returns the reads that one element has and the other has not, in order.
std::vector<ElementEvaluation::Key> onlyOneOf(
    const ElementEvaluation::Reads &mine,
    const ElementEvaluation::Reads &other) {
  std::vector<ElementEvaluation::Key> only;
  std::set_symmetric_difference(mine.elements.begin(), mine.elements.end(),
                                other.elements.begin(), other.elements.end(),
                                std::back_inserter(only));
  return only;
}

/// Says what the elements read at the numbers by which they differ.
NumbersAt saidAt(ElementEvaluation &evaluation, ElementId first,
                 ElementId second, const Point &point, const TypedNumber &a,
                 const TypedNumber &b) {
  NumbersAt found = {witnessAt(evaluation, point, a, b), std::nullopt, {}};
  const ElementEvaluation::Reads mine = evaluation.readsOf(first, point);
  const ElementEvaluation::Reads other = evaluation.readsOf(second, point);
  std::map<ElementEvaluation::Key, int64_t> steering = mine.steering;
  steering.insert(other.steering.begin(), other.steering.end());
  for (const auto &[key, value] : steering) found.steering.push_back(value);
  const std::vector<ElementEvaluation::Key> only = onlyOneOf(mine, other);
  if (!only.empty()) {
    const auto &[parameter, leaf, at] = only.front();
    NamedNumber read;
    read.parameter = parameter;
    read.leaf = leaf;
    read.index = at;
    found.only = {mine.elements.count(only.front()) > 0, std::move(read),
                  mine.hasAny != other.hasAny};
  } else if (mine.hasAny != other.hasAny) {
    found.only = {mine.hasAny, std::nullopt, true};
  }
  return found;
}

}  // namespace

std::optional<NumbersAt> differentNumbersAt(const ElementTable &table,
                                            ElementId first, ElementId second,
                                            llvm::ArrayRef<int64_t> index) {
  const Point point(index.begin(), index.end());
  // Of many numbers a witness names some. If those that are read first tell
  // nothing, what one side alone reads is among them.
  for (const bool keepsRoom : {false, true}) {
    int64_t steps = kMostSteps;
    std::set<ElementEvaluation::Key> kept;
    if (keepsRoom) {
      ElementEvaluation evaluation(table, 0, mixed(0), steps);
      const auto mine = evaluation.readsOf(first, point);
      for (const auto &key : onlyOneOf(mine, evaluation.readsOf(second, point)))
        if (kept.size() < kMostKept) kept.insert(key);
      if (kept.empty()) return std::nullopt;
    }
    for (int family = 0; family < kFamilies; ++family)
      for (int n = 0; n < kTries && steps > 0; ++n) {
        ElementEvaluation evaluation(table, family, mixed(family * 100 + n),
                                     steps);
        evaluation.takeOthers(n % 2);
        evaluation.drawAround(point);
        evaluation.keepRoomFor(kept);
        const Maybe a = evaluation.at(first, point);
        const Maybe b = a ? evaluation.at(second, point) : std::nullopt;
        if (a && b && showDifference(table, *a, *b))
          return saidAt(evaluation, first, second, point, *a, *b);
      }
  }
  return std::nullopt;
}

struct TrialNumbers::Trial {
  Trial(const ElementTable &table, int family, uint64_t seed, int64_t steps)
      : table(table),
        steps(steps),
        evaluation(table, family, mixed(seed), this->steps) {}
  const ElementTable &table;
  int64_t steps;
  ElementEvaluation evaluation;
};

TrialNumbers::TrialNumbers(const ElementTable &table, int family, uint64_t seed,
                           int64_t steps)
    : trial_(std::make_unique<Trial>(table, family, seed, steps)) {}
TrialNumbers::~TrialNumbers() = default;

std::optional<TypedNumber> TrialNumbers::at(ElementId element,
                                            llvm::ArrayRef<int64_t> point) {
  return trial_->evaluation.at(element, Point(point.begin(), point.end()));
}

std::optional<int64_t> TrialNumbers::valueOf(const RuntimeVariable &variable,
                                             llvm::ArrayRef<int64_t> point) {
  return trial_->evaluation.valueOf(variable,
                                    Point(point.begin(), point.end()));
}

std::optional<TypedNumber> TrialNumbers::listed(
    ElementId list, llvm::ArrayRef<int64_t> index) const {
  return trial_->evaluation.listed(trial_->table[list],
                                   Point(index.begin(), index.end()));
}

bool TrialNumbers::isSpent() const { return trial_->steps < 0; }

namespace {

/// Calls `visit` with each element that the given ones are made of, themselves
/// among them: once with each, until it returns false. Returns whether it never
/// did.
bool forEachBelow(const ElementTable &table, std::vector<ElementId> left,
                  llvm::function_ref<bool(const Element &)> visit) {
  std::set<ElementId> seen;
  while (!left.empty()) {
    const ElementId id = left.back();
    left.pop_back();
    if (!seen.insert(id).second) continue;
    const Element &element = table[id];
    if (!visit(element)) return false;
    left.insert(left.end(), element.operands.begin(), element.operands.end());
    for (const IndexingMap &map : element.maps)
      for (const RuntimeVariable &v : map.runtime())
        if (v.source.tensor >= 0) left.push_back(ElementId(v.source.tensor));
  }
  return true;
}

/// Whether an op that is not known decides which element is taken: by the
/// predicate of a select, or as the value of an index. It may be a function
/// that always decides alike, so numbers that are made up for it show nothing.
bool isDecidedByUnknown(const ElementTable &table, ElementId element) {
  std::vector<ElementId> deciding;
  forEachBelow(table, {element}, [&](const Element &each) {
    if (each.kind == Element::Kind::Apply && lawName(each.op) == "select")
      deciding.push_back(each.operands[0]);
    for (const IndexingMap &map : each.maps)
      for (const RuntimeVariable &v : map.runtime())
        if (v.source.tensor >= 0)
          deciding.push_back(ElementId(v.source.tensor));
    return true;
  });
  return !forEachBelow(table, std::move(deciding), [](const Element &each) {
    return each.kind != Element::Kind::Computed &&
           each.kind != Element::Kind::Known &&
           each.kind != Element::Kind::Unknown;
  });
}

}  // namespace

bool dependsOn(const ElementTable &table, ElementId element,
               llvm::ArrayRef<int64_t> index, const NamedNumber &on,
               bool onAll) {
  if (isDecidedByUnknown(table, element)) return false;
  int64_t steps = kMostSteps;
  const Point point(index.begin(), index.end());
  for (int family = 0; family < kFamilies; ++family)
    for (int n = 0; n < kTries && steps > 0; ++n) {
      const uint64_t seed = mixed(family * 100 + n);
      ElementEvaluation before(table, family, seed, steps);
      ElementEvaluation after(table, family, seed, steps);
      before.takeUnknown();
      after.takeUnknown();
      after.change(on, onAll);
      const Maybe a = before.at(element, point);
      const Maybe b = a ? after.at(element, point) : std::nullopt;
      if (a && b && areApart(*a, *b)) return true;
    }
  return false;
}

bool mayDependOn(const ElementTable &table, ElementId element,
                 const NamedNumber &on) {
  int64_t steps = 0;
  ElementEvaluation evaluation(table, 0, 0, steps);
  evaluation.change(on, /*all=*/true);
  return evaluation.mayDepend(element);
}

}  // namespace indexical
