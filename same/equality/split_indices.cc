#include "indexical/same/equality/split_indices.h"

#include <utility>
#include <vector>

#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// A relation does not become longer than this.
constexpr size_t kMostPieces = 64;

/// A dimension or range that the index of a runtime variable names, of several
/// values.
std::optional<VariableId> namedByIndex(const IndexingMap &map) {
  std::optional<VariableId> found;
  for (const RuntimeVariable &variable : map.runtime())
    map.expressions().visitVariables(variable.index, [&](VariableId id) {
      if (id.kind != VariableKind::Runtime &&
          !map.variable(id).bounds.isPoint() && !found)
        found = id;
    });
  return found;
}

}  // namespace

std::optional<IndexingRelation> withSplitIndices(
    const IndexingRelation &relation) {
  IndexingRelation split;
  std::vector<IndexingMap> open(relation.pieces().begin(),
                                relation.pieces().end());
  while (!open.empty()) {
    const IndexingMap map = std::move(open.back());
    open.pop_back();
    const auto named = namedByIndex(map);
    if (!named) {
      split.add(map);
      continue;
    }
    const Interval bounds = map.variable(*named).bounds;
    const size_t others = split.pieces().size() + open.size();
    if (!bounds.isFinite() || bounds.upper - bounds.lower >= 64 ||
        others + bounds.count() > kMostPieces)
      return std::nullopt;
    for (int64_t value = bounds.lower; value <= bounds.upper; ++value) {
      auto part =
          restricted(map, [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>) {
            b.constraint(b.expression(b.pool().variable(*named)),
                         Interval::point(value));
          });
      SimplifyOptions options;
      options.rename = true;
      if (part.ok()) part = simplify(*part, options);
      if (!part.ok()) return std::nullopt;
      if (!part->isKnownEmpty()) open.push_back(*std::move(part));
    }
  }
  split.weaken(relation.precision());
  return split;
}

}  // namespace indexical
