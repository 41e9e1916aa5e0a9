// Indices that others are read at: entries of tables, and starts of slices.
//
//   t = s32[4] constant({0, 2, 4, 6})
//   o = s32[1] dynamic-slice(t, i)         2 * i
//   s = f32[2] dynamic-slice(p, o)         p[2 * i + j]
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/values/integers.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/index_tables.h"
#include "indexical/same/values/regions.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// Longer lists are no tables, and so many parts no structure.
constexpr size_t kMostEntries = 4096;
constexpr size_t kMostParts = 64;

}  // namespace

std::optional<ElementId> ElementTerms::tableAt(const ConstantOp &list,
                                               const IndexingMap &map) {
  const ArrayShape &shape = list.results[0];
  const auto count = shape.elementCount();
  if (!isInteger(shape.type) || !count || *count < 2 ||
      list.values.size() != static_cast<size_t>(*count) ||
      list.values.size() > kMostEntries || !map.runtime().empty() ||
      !map.ranges().empty() ||
      map.results().size() != shape.dimensions.size() ||
      !llvm::all_of(list.values, [&](int64_t value) {
        return valuesOf(shape.type).contains(value);
      }))
    return std::nullopt;
  const auto parts = tablePartsOf(list.values, kMostParts);
  if (!parts) return std::nullopt;
  auto placeIn = [&](const MapBody &body, IndexingMapBuilder &b) {
    Expr place = b.constant(0);
    for (auto [k, size] : llvm::enumerate(shape.dimensions))
      place = place * size + body.results[k];
    return place;
  };
  std::vector<IndexingMap> holds;
  const TablePart *only = nullptr;
  for (const TablePart &part : *parts) {
    auto where = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
      body.constraints.push_back(
          {part.digit.of(placeIn(body, b), *count), part.values});
    });
    if (where.ok()) where = simplify(*where);
    if (!where.ok()) return std::nullopt;
    if (where->isKnownEmpty()) continue;
    holds.push_back(*std::move(where));
    only = &part;
  }
  if (holds.empty()) return ElementTable::kNothing;
  if (holds.size() > 1) return split(holds);
  auto index = withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
    body.results = {only->sum.of(placeIn(body, b), *count)};
  });
  if (index.ok()) index = simplify(*index);
  if (!index.ok()) return std::nullopt;
  if (shape.type != ElementType::Pred) return table_.index(shape.type, *index);
  // A pred holds where its number is not 0.
  const ElementType type = ElementType::S32;
  const Op differs = comparisonOp("NE", type);
  const ElementId numbers[] = {table_.index(type, *index),
                               table_.literal(type, std::string(4, '\0'))};
  if (const auto made = ofIndices(differs, numbers, map)) return *made;
  return table_.apply(differs, numbers);
}

std::optional<IndexingMap> ElementTerms::withIndex(const IndexingMap &map,
                                                   size_t i,
                                                   const IndexingMap &from) {
  const RuntimeVariable &variable = map.runtime()[i];
  const Interval bounds = variable.bounds;
  const Interval values = boundsOfResults(from)[0];
  std::optional<int64_t> end;
  if (variable.clamped && !bounds.contains(values)) {
    // Before the first start, between, and behind the last.
    const Interval parts[] = {{Interval::all().lower, bounds.lower - 1},
                              bounds,
                              {bounds.upper + 1, Interval::all().upper}};
    std::vector<IndexingMap> holds;
    size_t part = 0;
    for (size_t k = 0; k < 3; ++k) {
      if (parts[k].isEmpty()) continue;
      auto where = restricted(
          from, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> results) {
            b.constraint(results[0], parts[k]);
          });
      if (where.ok()) where = simplify(*where);
      if (!where.ok()) return std::nullopt;
      if (where->isKnownEmpty()) continue;
      holds.push_back(*std::move(where));
      part = k;
    }
    if (holds.size() > 1) {
      if (split(holds) != kParts) parts_.clear();
      return std::nullopt;
    }
    if (part == 0) end = bounds.lower;
    if (part == 2) end = bounds.upper;
  }
  auto made =
      replaceRuntime(map, i, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
        if (end) return b.constant(*end);
        auto same = [&](VariableId v) { return b.pool().variable(v); };
        ExpressionImport import(from.expressions(), b.pool(), same);
        const Expr index = b.expression(import(from.results()[0]));
        if (!variable.clamped) b.constraint(index, bounds);
        return index;
      });
  if (!made.ok()) return std::nullopt;
  return *std::move(made);
}

std::optional<ElementId> ElementTerms::chosenIndex(llvm::StringRef direction,
                                                   ElementId a, ElementId b,
                                                   const IndexingMap &map) {
  const auto first = comparedIndices(direction, {a, b}, map);
  if (!first || *first == kParts) return first;
  const auto isFirst = table_.integerOf(*first);
  if (!isFirst) return std::nullopt;
  return *isFirst ? a : b;
}

}  // namespace indexical
