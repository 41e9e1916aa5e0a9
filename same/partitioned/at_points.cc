#include "indexical/same/partitioned/at_points.h"

#include <memory>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/sizes.h"
#include "indexical/same/equality/parameter_names.h"
#include "indexical/same/partitioned/same_values.h"

namespace indexical {
namespace {

// The steps of terms, of numbers of one draw, and of prints: each some tenths
// of a second.
constexpr int64_t kPointOperations = 5'000'000;
constexpr int64_t kStepsOfNumbers = 60'000;
// Numbers of each family that are tried at a point.
constexpr uint64_t kSeeds = 4;
constexpr int64_t kStepsOfPrints = 1'000'000;
// Elements of all values whose prints are taken.
constexpr int64_t kMostElements = 200'000;

EqualityOptions budgetOf(int64_t operations) {
  EqualityOptions options;
  options.operations = operations;
  return options;
}

}  // namespace

AtPoints::AtPoints(const Module &whole, const Module &parts)
    : modules_{&whole, &parts},
      table_(valuesOfParts().floats),
      options_(budgetOf(kPointOperations)),
      meter_(options_, kPointOperations) {
  for (int side : {0, 1}) {
    sides_[side].emplace(*modules_[side], table_, arrays_,
                         llvm::ArrayRef<int32_t>(), *valuesOfParts().levels,
                         meter_, options_);
    sides_[side]->readTables();
  }
}

std::optional<std::pair<ElementId, ElementId>> AtPoints::both(LeafId result) {
  const auto first = sides_[0]->wholeArray(sides_[0]->rootSite(result));
  const auto second = sides_[1]->wholeArray(sides_[1]->rootSite(result));
  if (!first || !second || meter_.left() < 0) return std::nullopt;
  return std::pair(*first, *second);
}

std::optional<size_t> AtPoints::firstApart(LeafId result,
                                           llvm::ArrayRef<Point> points) {
  const auto elements = both(result);
  if (!elements) return std::nullopt;
  std::vector<std::unique_ptr<TrialNumbers>> trials;
  for (uint64_t seed = 0; seed < kSeeds; ++seed)
    for (int family = 0; family < TrialNumbers::kFamilies; ++family)
      trials.push_back(std::make_unique<TrialNumbers>(table_, family, seed,
                                                      kStepsOfNumbers));
  for (auto [k, point] : llvm::enumerate(points))
    for (auto &trial : trials) {
      const auto a = trial->at(elements->first, point);
      const auto b =
          a ? trial->at(elements->second, point) : std::optional<TypedNumber>();
      if (trial->isSpent()) return std::nullopt;
      if (a && b && areApart(*a, *b)) return k;
    }
  return std::nullopt;
}

std::optional<NumbersAt> AtPoints::apartAt(LeafId result, const Point &point) {
  const auto elements = both(result);
  if (!elements) return std::nullopt;
  auto numbers =
      differentNumbersAt(table_, elements->first, elements->second, point);
  if (numbers)
    nameInputs(modules_[0]->computations[modules_[0]->entry], numbers->witness);
  return numbers;
}

bool AtPoints::isOpen(LeafId result) {
  const auto element = sides_[0]->wholeArray(sides_[0]->rootSite(result));
  return !element || table_.readsAnything(*element);
}

std::vector<ElementTerms::Site> AtPoints::valuesOfWhole() {
  ElementTerms &terms = *sides_[0];
  const Computation &entry = modules_[0]->computations[modules_[0]->entry];
  std::vector<Site> open, values;
  std::set<Site> seen;
  const size_t results = entry.instructions[entry.root].shape.leaves().size();
  for (size_t r = 0; r < results; ++r)
    open.push_back(terms.rootSite(LeafId(r)));
  while (!open.empty()) {
    const Site site = terms.originOf(open.back());
    open.pop_back();
    if (site.instruction < 0 || !seen.insert(site).second) continue;
    values.push_back(site);
    for (const Site &each : terms.operandSites(site))
      if (each.instruction >= 0) open.push_back(each);
  }
  return values;
}

std::optional<std::vector<std::optional<ElementPrints::Print>>>
AtPoints::printsOf(int side, Site site) {
  const ArrayShape shape = sides_[side]->shapeOf(site);
  const auto count = hasOpenSize(shape) ? std::nullopt : shape.elementCount();
  if (!count || (elements_ += *count) > kMostElements) return std::nullopt;
  const auto element = sides_[side]->wholeArray(site);
  if (!element || meter_.left() < 0) return std::nullopt;
  if (!prints_) prints_.emplace(table_, kStepsOfPrints);
  std::vector<std::optional<ElementPrints::Print>> all;
  Point point(shape.rank(), 0);
  for (int64_t e = 0; e < *count; ++e) {
    all.push_back(prints_->at(*element, point));
    if (prints_->isSpent()) return std::nullopt;
    for (size_t k = point.size(); k-- > 0;) {
      if (++point[k] < shape.dimensions[k]) break;
      point[k] = 0;
    }
  }
  return all;
}

}  // namespace indexical
