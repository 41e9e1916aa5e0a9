#include "indexical/import/stablehlo/lower/relations.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/map_builder.h"

namespace indexical {
namespace {

/// A copy's parts, its dimensions those of the builder under the same numbers.
struct Copy {
  IndexingMapBuilder &b;
  ExpressionImport import;

  Copy(const IndexingMap &map, IndexingMapBuilder &b)
      : b(b), import(map.expressions(), b.pool(), same) {}
  Expr operator()(FormId form) { return b.expression(import(form)); }

  struct Same {
    IndexingMapBuilder &b;
    FormId operator()(VariableId id) const { return b.pool().variable(id); }
  } same{b};
};

std::string textOf(const IndexingMap &map, const Constraint &c) {
  return map.str(c.form) + c.bounds.str();
}

}  // namespace

absl::StatusOr<IndexingMap> withValues(const IndexingMap &map,
                                       llvm::ArrayRef<Interval> scope,
                                       llvm::ArrayRef<unsigned> values) {
  if (map.isKnownEmpty()) return map;
  IndexingMapBuilder b;
  llvm::SmallVector<Expr> dimensions;
  for (auto [i, bounds] : llvm::enumerate(scope))
    dimensions.push_back(b.dimension(
        i < map.dimensions().size() ? map.dimensions()[i].bounds : bounds));
  Copy copy(map, b);
  for (FormId form : map.results()) b.result(copy(form));
  for (unsigned value : values) b.result(dimensions[value]);
  for (const Constraint &c : map.constraints())
    b.constraint(copy(c.form), c.bounds);
  return b.build();
}

absl::StatusOr<IndexingMap> onlyResults(const IndexingMap &map,
                                        llvm::ArrayRef<unsigned> wanted) {
  if (map.isKnownEmpty()) return map;
  IndexingMapBuilder b;
  for (const Variable &d : map.dimensions()) b.dimension(d.bounds);
  Copy copy(map, b);
  for (unsigned result : wanted) b.result(copy(map.results()[result]));
  for (const Constraint &c : map.constraints())
    b.constraint(copy(c.form), c.bounds);
  return b.build();
}

absl::StatusOr<IndexingMap> conditionOf(const IndexingMap &map,
                                        const IndexingMap &where) {
  if (map.isKnownEmpty()) return map;
  IndexingMapBuilder b;
  llvm::SmallVector<Expr> dimensions;
  for (const Variable &d : where.dimensions())
    dimensions.push_back(b.dimension(d.bounds));
  Copy copy(map, b);
  for (FormId form : map.results()) b.result(copy(form));
  for (auto [i, d] : llvm::enumerate(map.dimensions())) {
    const Interval &known = where.dimensions()[i].bounds;
    Interval asked = d.bounds;
    if (asked.contains(known)) continue;
    if (asked.lower <= known.lower) asked.lower = Interval::kMinusInfinity;
    if (asked.upper >= known.upper) asked.upper = Interval::kInfinity;
    b.constraint(dimensions[i], asked);
  }
  llvm::SmallVector<std::string> known;
  for (const Constraint &c : where.constraints())
    known.push_back(textOf(where, c));
  for (const Constraint &c : map.constraints())
    if (!llvm::is_contained(known, textOf(map, c)))
      b.constraint(copy(c.form), c.bounds);
  return b.build();
}

}  // namespace indexical
