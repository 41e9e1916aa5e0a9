#include "indexical/program/fold.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/callees.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Bounds of the map's dimensions and ranges. Nothing is said of runtime
/// variables, whose numbers change where one is replaced.
auto boundsIn(const IndexingMap &map) {
  return [&map](VariableId id) {
    return id.kind == VariableKind::Runtime ? Interval::all()
                                            : map.variable(id).bounds;
  };
}

/// The first runtime variable that is known, in a map where it is replaced:
/// one map, or three where the value can lie on either side of the clamp.
struct Folding {
  const IndexingMap &map;
  size_t variable;
  KnownElement known;

  enum class Part { Below, Inside, Above };

  absl::StatusOr<IndexingMap> part(Part part) const {
    const RuntimeVariable &rt = map.runtime()[variable];
    const auto bounds = boundsIn(map);
    auto value = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> index) {
      Expr element = *known(rt.source, b, index, bounds);
      switch (part) {
        case Part::Below:
          b.constraint(element,
                       {Interval::kMinusInfinity, rt.bounds.lower - 1});
          return b.constant(rt.bounds.lower);
        case Part::Above:
          b.constraint(element, {rt.bounds.upper + 1, Interval::kInfinity});
          return b.constant(rt.bounds.upper);
        case Part::Inside:
          break;
      }
      b.constraint(element, rt.bounds);
      return element;
    };
    return replaceRuntime(map, variable, value);
  }

  absl::Status addTo(llvm::SmallVectorImpl<IndexingMap> &work) const {
    const RuntimeVariable &rt = map.runtime()[variable];
    llvm::SmallVector<Part, 3> parts{Part::Inside};
    if (rt.clamped && rt.bounds.hasLower()) parts.push_back(Part::Below);
    if (rt.clamped && rt.bounds.hasUpper()) parts.push_back(Part::Above);
    for (Part which : parts) {
      auto piece = part(which);
      if (!piece.ok()) return piece.status();
      SimplifyOptions options;
      options.rename = true;
      piece = simplify(*piece, options);
      if (!piece.ok()) return piece.status();
      if (!piece->isKnownEmpty()) work.push_back(*std::move(piece));
    }
    return absl::OkStatus();
  }
};

}  // namespace

absl::StatusOr<IndexingRelation> foldKnown(const IndexingRelation &relation,
                                           KnownElement known) {
  IndexingRelation folded;
  for (const IndexingMap &piece : relation.pieces()) {
    llvm::SmallVector<IndexingMap, 3> work{piece};
    llvm::SmallVector<RuntimeSource, 2> kept;
    while (!work.empty()) {
      IndexingMap map = work.pop_back_val();
      std::optional<size_t> found;
      for (size_t i = 0; i < map.runtime().size() && !found; ++i) {
        const RuntimeVariable &rt = map.runtime()[i];
        if (llvm::is_contained(kept, rt.source)) continue;
        if (rt.source.kind != RuntimeSource::Kind::Element &&
            (rt.source.kind != RuntimeSource::Kind::Size ||
             !rt.collectives.empty()))
          continue;
        IndexingMapBuilder scratch;
        auto same = [&](VariableId id) { return scratch.pool().variable(id); };
        ExpressionImport import(map.expressions(), scratch.pool(), same);
        llvm::SmallVector<Expr, 4> index;
        for (FormId form : rt.elementIndex())
          index.push_back(scratch.expression(import(form)));
        if (known(rt.source, scratch, index, boundsIn(map))) found = i;
      }
      if (found) {
        const size_t before = work.size();
        const auto status = Folding{map, *found, known}.addTo(work);
        if (status.ok()) continue;
        // A size by which something is divided may follow from others that are
        // not seen to make it positive: then it stays.
        const RuntimeSource &source = map.runtime()[*found].source;
        if (source.kind != RuntimeSource::Kind::Size) return status;
        kept.push_back(source);
        work.truncate(before);
        work.push_back(std::move(map));
        continue;
      }
      folded.add(std::move(map));
    }
  }
  folded.weaken(relation.precision());
  return folded;
}

}  // namespace indexical
