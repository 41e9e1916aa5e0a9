#include "indexical/program/maps/merged_variables.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Two variables of one value: the one that stays, and the one that goes.
struct SameValue {
  size_t kept, gone;
};

/// Whether `gone` equals `kept`, wherever both are within their bounds. If
/// their sources are the same, they are equal if neither is clamped, or both to
/// the same bounds, or only `gone` to bounds that `kept` keeps anyway.
bool isSameValue(const RuntimeVariable &kept, const RuntimeVariable &gone) {
  if (kept.source.kind == RuntimeSource::Kind::None ||
      !(kept.source == gone.source) || kept.index != gone.index ||
      kept.collectives != gone.collectives)
    return false;
  if (gone.clamped && !kept.clamped) return gone.bounds.contains(kept.bounds);
  return kept.clamped == gone.clamped &&
         (kept.bounds == gone.bounds || !kept.clamped);
}

std::optional<SameValue> sameValues(const IndexingMap &map) {
  const auto runtime = map.runtime();
  for (size_t later = 0; later < runtime.size(); ++later)
    for (size_t first = 0; first < later; ++first) {
      if (isSameValue(runtime[first], runtime[later])) return {{first, later}};
      if (isSameValue(runtime[later], runtime[first])) return {{later, first}};
    }
  return std::nullopt;
}

/// Returns the map with variable `gone` replaced by the equal variable `kept`,
/// or nothing if no value is within both bounds.
absl::StatusOr<std::optional<IndexingMap>> withOneOf(const IndexingMap &map,
                                                     size_t kept, size_t gone) {
  // A value that is not clamped is within the bounds of both. A quotient by it
  // may need these bounds, so that a constraint would not do.
  const Interval bounds =
      map.runtime()[kept].bounds.intersect(map.runtime()[gone].bounds);
  if (bounds.isEmpty()) return std::nullopt;
  size_t next = 0;
  auto narrow = [&](IndexingMapBuilder &, RuntimeVariable &variable) {
    if (next++ == kept && !variable.clamped) variable.bounds = bounds;
  };
  INDEXICAL_ASSIGN_OR_RETURN(auto narrowed, withRuntime(map, narrow));
  const uint32_t number = kept > gone ? kept - 1 : kept;
  auto other = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
    return b.expression(b.pool().variable({VariableKind::Runtime, number}));
  };
  INDEXICAL_ASSIGN_OR_RETURN(auto one, replaceRuntime(narrowed, gone, other));
  return one;
}

}  // namespace

absl::StatusOr<IndexingRelation> withVariablesMerged(
    const IndexingRelation &relation) {
  if (llvm::none_of(relation.pieces(), sameValues)) return relation;
  IndexingRelation merged;
  for (IndexingMap map : relation.pieces()) {
    bool isEmpty = false;
    while (const auto same = sameValues(map)) {
      INDEXICAL_ASSIGN_OR_RETURN(auto one,
                                 withOneOf(map, same->kept, same->gone));
      isEmpty = !one.has_value();
      if (isEmpty) break;
      map = *std::move(one);
    }
    if (!isEmpty) merged.add(std::move(map));
  }
  merged.weaken(relation.precision());
  return merged;
}

absl::StatusOr<IndexingRelation> withOneVariableEach(
    const IndexingRelation &relation) {
  if (llvm::none_of(relation.pieces(), sameValues)) return relation;
  INDEXICAL_ASSIGN_OR_RETURN(auto merged, withVariablesMerged(relation));
  IndexingRelation simple;
  for (const IndexingMap &piece : merged.pieces()) {
    SimplifyOptions options;
    options.rename = true;
    INDEXICAL_ASSIGN_OR_RETURN(auto map, simplify(piece, options));
    simple.add(std::move(map));
  }
  simple.weaken(merged.precision());
  return simple;
}

}  // namespace indexical
