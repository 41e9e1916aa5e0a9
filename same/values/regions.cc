#include "indexical/same/values/regions.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

std::optional<IndexingMap> regionIn(const IndexingMap &map) {
  auto region = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    body.results.clear();
    for (uint32_t k = 0; k < map.dimensions().size(); ++k)
      body.results.push_back(
          b.expression(b.pool().variable({VariableKind::Dimension, k})));
  });
  SimplifyOptions options;
  options.rename = true;
  if (region.ok()) region = simplify(*region, options);
  if (!region.ok()) return std::nullopt;
  return *std::move(region);
}

absl::StatusOr<IndexingMap> namedRegion(const ArrayShape &shape) {
  IndexingMapBuilder b;
  for (auto [k, size] : llvm::enumerate(shape.dimensions)) {
    std::string name;
    if (k < 6) name = std::string(1, static_cast<char>('i' + k));
    b.result(b.dimension(indicesBelow(size), std::move(name)));
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto region, b.build());
  return simplify(region);
}

IndexingMap withoutResults(const IndexingMap &map) {
  auto scalar = withBody(
      map, [](IndexingMapBuilder &, MapBody &body) { body.results.clear(); });
  SimplifyOptions options;
  options.rename = true;
  if (scalar.ok()) scalar = simplify(*scalar, options);
  return scalar.ok() ? *std::move(scalar) : map;
}

bool holdsByRuntime(const IndexingMap &map) {
  bool uses = llvm::any_of(
      map.runtime(), [](const RuntimeVariable &v) { return v.restricts(); });
  llvm::SmallVector<FormId, 4> forms;
  for (const Constraint &c : map.constraints()) forms.push_back(c.form);
  map.expressions().visitVariables(
      forms, [&](VariableId id) { uses |= id.kind == VariableKind::Runtime; });
  return uses;
}

std::optional<IndexingMap> ofFirst(const IndexingMap &part,
                                   const IndexingMap &region, size_t count) {
  for (size_t k = count; k < part.dimensions().size(); ++k)
    if (!(part.dimensions()[k].bounds == region.dimensions()[k].bounds))
      return std::nullopt;
  bool onlyFirst = part.runtime().empty() && part.ranges().empty();
  llvm::SmallVector<FormId, 4> forms;
  for (const Constraint &c : part.constraints()) forms.push_back(c.form);
  part.expressions().visitVariables(forms, [&](VariableId id) {
    onlyFirst &= id.kind == VariableKind::Dimension && id.index < count;
  });
  if (!onlyFirst) return std::nullopt;
  IndexingMapBuilder b;
  for (size_t k = 0; k < count; ++k)
    b.result(
        b.dimension(part.dimensions()[k].bounds, part.dimensions()[k].name));
  auto same = [&](VariableId id) { return b.pool().variable(id); };
  ExpressionImport import(part.expressions(), b.pool(), same);
  for (const Constraint &c : part.constraints())
    b.constraint(b.expression(import(c.form)), c.bounds);
  auto alone = b.build();
  if (alone.ok()) alone = simplify(*alone);
  if (!alone.ok()) return std::nullopt;
  return *std::move(alone);
}

bool isNeverEmpty(const IndexingMap &region, const IndexingMap &within) {
  const size_t outer = within.dimensions().size();
  const auto whole = regionIn(within);
  if (!whole || region.dimensions().size() < outer) return false;
  if (const auto alone = ofFirst(region, region, outer); alone == whole)
    return true;
  for (const int which : {0, 1, 2}) {
    IndexingMapBuilder b;
    for (auto [k, v] : llvm::enumerate(region.dimensions())) {
      const auto [lower, upper] = v.bounds;
      const int64_t values[] = {lower, lower + (upper - lower) / 2, upper};
      if (k < outer)
        b.result(b.dimension(whole->dimensions()[k].bounds));
      else
        b.result(b.constant(values[which]));
    }
    const auto corner = b.build();
    if (!corner.ok()) return false;
    const auto cut = compose(*corner, region);
    if (cut.ok() && regionIn(*cut) == whole) return true;
  }
  return false;
}

namespace {

/// Returns the number of indices of a region without constraints.
std::optional<int64_t> sizeOfBox(const IndexingMap &region) {
  if (!region.constraints().empty() || !region.runtime().empty())
    return std::nullopt;
  int64_t size = 1;
  for (const Variable &variable : region.dimensions()) {
    const auto length =
        checkedSub(variable.bounds.upper, variable.bounds.lower);
    const auto times = length ? checkedAdd(*length, 1) : length;
    const auto product = times ? checkedMul(size, *times) : times;
    if (!product) return std::nullopt;
    size = *product;
  }
  return size;
}

/// Whether parts that do not overlap, all of them boxes, are the whole.
bool fill(llvm::ArrayRef<IndexingMap> parts, const IndexingMap &whole) {
  auto left = sizeOfBox(whole);
  for (const IndexingMap &part : parts) {
    const auto size = sizeOfBox(part);
    if (!left || !size || *size > *left) return false;
    *left -= *size;
  }
  return left == 0;
}

}  // namespace

bool addRest(std::vector<IndexingMap> &parts, const IndexingMap &within) {
  if (parts.empty() || llvm::any_of(parts, [](const IndexingMap &part) {
        return !part.runtime().empty();
      }))
    return false;
  const auto whole = regionIn(within);
  if (!whole || !whole->runtime().empty()) return false;
  if (fill(parts, *whole)) return true;
  IndexingRelation left(*whole);
  for (const IndexingMap &part : parts) {
    auto without = difference(left, IndexingRelation(part));
    if (!without.ok() || without->precision() != Precision::Exact) return false;
    left = *std::move(without);
  }
  for (const IndexingMap &piece : left.pieces()) {
    auto rest = simplify(piece);
    if (!rest.ok()) return false;
    if (!rest->isKnownEmpty()) parts.push_back(*std::move(rest));
  }
  return true;
}

bool addRest(std::vector<IndexingMap> &parts, const IndexingMap &region,
             const IndexingMap &within) {
  if (parts.empty()) return false;
  return isNeverEmpty(region, within) || addRest(parts, within);
}

std::optional<IndexingMap> countedFromZero(const IndexingMap &region,
                                           size_t first) {
  if (!region.constraints().empty() || !region.runtime().empty())
    return std::nullopt;
  IndexingMapBuilder b;
  bool changes = false;
  for (size_t k = 0; k < region.dimensions().size(); ++k) {
    const Variable &variable = region.dimensions()[k];
    const int64_t lower = variable.bounds.lower;
    if (k < first) {
      b.result(b.dimension(variable.bounds, variable.name));
      continue;
    }
    changes |= lower != 0;
    b.result(b.dimension({0, variable.bounds.upper - lower}, variable.name) +
             lower);
  }
  if (!changes) return std::nullopt;
  auto shifted = b.build();
  if (shifted.ok()) shifted = simplify(*shifted);
  if (!shifted.ok()) return std::nullopt;
  return *std::move(shifted);
}

absl::StatusOr<IndexingMap> withNumber(const IndexingMap &map, size_t i,
                                       int64_t number) {
  const RuntimeVariable &variable = map.runtime()[i];
  const Interval bounds = variable.bounds;
  const bool clamped = variable.clamped;
  return replaceRuntime(
      map, i, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
        if (clamped)
          return b.constant(std::clamp(number, bounds.lower, bounds.upper));
        if (!bounds.contains(number)) b.setKnownEmpty();
        return b.constant(number);
      });
}

absl::StatusOr<IndexingMap> withNewVariables(llvm::ArrayRef<int64_t> sizes,
                                             llvm::ArrayRef<int64_t> added,
                                             llvm::ArrayRef<size_t> order) {
  IndexingMapBuilder b;
  for (int64_t size : sizes) b.result(b.dimension(indicesBelow(size)));
  llvm::SmallVector<Expr, 4> places(added.size(), b.constant(0));
  for (size_t k : order)
    if (added[k] != 1) places[k] = b.range({0, added[k] - 1});
  for (Expr place : places) b.result(place);
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  return simplify(map);
}

absl::StatusOr<IndexingMap> picked(llvm::ArrayRef<int64_t> sizes,
                                   llvm::ArrayRef<size_t> places) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> index;
  for (int64_t size : sizes) index.push_back(b.dimension(indicesBelow(size)));
  for (size_t place : places) b.result(index[place]);
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  return simplify(map);
}

std::optional<IndexingMap::Point> pointIn(const IndexingMap &map,
                                          llvm::ArrayRef<int64_t> point,
                                          ValueOfVariable valueOf) {
  if (!map.ranges().empty() || map.dimensions().size() != point.size())
    return std::nullopt;
  IndexingMap::Point at;
  at.dimensions.assign(point.begin(), point.end());
  for (const RuntimeVariable &v : map.runtime()) {
    const auto value = valueOf(v);
    if (!value) return std::nullopt;
    at.runtime.push_back(*value);
  }
  return at;
}

std::optional<std::vector<int64_t>> resultsAt(const IndexingMap &map,
                                              llvm::ArrayRef<int64_t> point,
                                              ValueOfVariable valueOf) {
  const auto at = pointIn(map, point, valueOf);
  if (!at || !map.contains(*at)) return std::nullopt;
  const auto results = map.evaluate(*at);
  if (!results) return std::nullopt;
  return std::vector<int64_t>(results->begin(), results->end());
}

bool forPointsBehind(
    llvm::ArrayRef<int64_t> point, const IndexingMap &region, int64_t added,
    int64_t &steps,
    llvm::function_ref<bool(const std::vector<int64_t> &)> take) {
  const auto dimensions = region.dimensions();
  if (dimensions.size() != point.size() + added || !region.runtime().empty())
    return false;
  std::vector<int64_t> inner(point.begin(), point.end());
  for (size_t d = point.size(); d < dimensions.size(); ++d)
    inner.push_back(dimensions[d].bounds.lower);
  for (bool goesOn = true; goesOn;) {
    if (--steps < 0) return false;
    IndexingMap::Point at;
    at.dimensions.assign(inner.begin(), inner.end());
    if (region.contains(at) && !take(inner)) return false;
    goesOn = false;
    for (size_t d = dimensions.size(); d-- > point.size();) {
      if (++inner[d] <= dimensions[d].bounds.upper) {
        goesOn = true;
        break;
      }
      inner[d] = dimensions[d].bounds.lower;
    }
  }
  return true;
}

}  // namespace indexical
