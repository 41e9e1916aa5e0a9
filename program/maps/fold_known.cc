#include "indexical/program/maps/fold_known.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/maps/solved_ranges.h"
#include "indexical/program/module/callees.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Returns bounds of the map's dimensions and ranges. Runtime variables have
/// none: their numbers change if one is replaced.
auto boundsIn(const IndexingMap &map) {
  return [&map](VariableId id) {
    return id.kind == VariableKind::Runtime ? Interval::all()
                                            : map.variable(id).bounds;
  };
}

// A value of more cases is not written.
constexpr int kMostCases = 16;

// A relation is not made longer than this by cases.
constexpr size_t kMostPieces = 32;

// Below, inside and above.
constexpr size_t kPartsOfClamp = 3;

using Pieces = llvm::SmallVector<IndexingMap, kPartsOfClamp>;

/// Replaces a known runtime variable in a map: one map for each case of its
/// value, or three if the value can lie on either side of the clamp.
class Folding {
 public:
  Folding(const IndexingMap &map, size_t variable, KnownElement known)
      : map_(map), variable_(variable), known_(known) {}

  /// Returns nothing if a case is not known, or if there are too many.
  absl::StatusOr<std::optional<Pieces>> pieces() const {
    const RuntimeVariable &rt = map_.runtime()[variable_];
    llvm::SmallVector<Part, kPartsOfClamp> parts{Part::Inside};
    if (rt.clamped && rt.bounds.hasLower()) parts.push_back(Part::Below);
    if (rt.clamped && rt.bounds.hasUpper()) parts.push_back(Part::Above);
    Pieces made;
    Choices choices;
    int cases = 0;
    do {
      if (++cases > kMostCases) return std::nullopt;
      for (Part which : parts) {
        bool isKnown = true;
        auto piece = part(which, choices, isKnown);
        if (!isKnown) return std::nullopt;
        INDEXICAL_RETURN_IF_ERROR(piece.status());
        SimplifyOptions options;
        options.rename = true;
        piece = simplify(*piece, options);
        if (piece.ok()) piece = withSolvedRanges(*piece);
        if (piece.ok()) piece = simplify(*piece, options);
        INDEXICAL_RETURN_IF_ERROR(piece.status());
        if (!piece->isKnownEmpty()) made.push_back(*std::move(piece));
      }
    } while (choices.advance());
    return made;
  }

 private:
  enum class Part { Below, Inside, Above };

  absl::StatusOr<IndexingMap> part(Part part, Choices &choices,
                                   bool &isKnown) const {
    const RuntimeVariable &rt = map_.runtime()[variable_];
    const auto bounds = boundsIn(map_);
    auto value = [&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> index) {
      const auto element = known_(rt.source, b, index, bounds, choices);
      isKnown = element.has_value();
      if (!isKnown) return b.constant(0);
      for (const auto &[expression, within] : choices.conditions())
        b.constraint(expression, within);
      switch (part) {
        case Part::Below:
          b.constraint(*element,
                       {Interval::kMinusInfinity, rt.bounds.lower - 1});
          return b.constant(rt.bounds.lower);
        case Part::Above:
          b.constraint(*element, {rt.bounds.upper + 1, Interval::kInfinity});
          return b.constant(rt.bounds.upper);
        case Part::Inside:
          break;
      }
      b.constraint(*element, rt.bounds);
      return *element;
    };
    return replaceRuntime(map_, variable_, value);
  }

  const IndexingMap &map_;
  const size_t variable_;
  KnownElement known_;
};

/// Whether the value of a runtime variable is known, in its first case at
/// least.
bool isKnown(const IndexingMap &map, const RuntimeVariable &rt,
             KnownElement known) {
  if (rt.source.kind != RuntimeSource::Kind::Element &&
      (rt.source.kind != RuntimeSource::Kind::Size || !rt.collectives.empty()))
    return false;
  IndexingMapBuilder scratch;
  auto same = [&](VariableId id) { return scratch.pool().variable(id); };
  ExpressionImport import(map.expressions(), scratch.pool(), same);
  llvm::SmallVector<Expr, 4> index;
  for (FormId form : rt.elementIndex())
    index.push_back(scratch.expression(import(form)));
  Choices first;
  return known(rt.source, scratch, index, boundsIn(map), first).has_value();
}

/// Returns the map with the first runtime variable replaced that can be, beside
/// so many other pieces. Returns nothing if there is none.
absl::StatusOr<std::optional<Pieces>> atFirstKnown(const IndexingMap &map,
                                                   size_t others,
                                                   KnownElement known) {
  for (size_t i = 0; i < map.runtime().size(); ++i) {
    const RuntimeVariable &rt = map.runtime()[i];
    if (!isKnown(map, rt, known)) continue;
    auto pieces = Folding(map, i, known).pieces();
    // A size that is a divisor may follow from other sizes that are not seen to
    // make it positive. Then it stays.
    if (!pieces.ok() && rt.source.kind == RuntimeSource::Kind::Size) continue;
    INDEXICAL_RETURN_IF_ERROR(pieces.status());
    if (!*pieces) continue;
    const size_t count = (*pieces)->size();
    if (count <= kPartsOfClamp || others + count <= kMostPieces) return pieces;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<IndexingRelation> foldKnown(const IndexingRelation &relation,
                                           KnownElement known) {
  IndexingRelation folded;
  size_t left = relation.pieces().size();
  for (const IndexingMap &piece : relation.pieces()) {
    --left;
    Pieces work{piece};
    while (!work.empty()) {
      const IndexingMap map = work.pop_back_val();
      const size_t others = folded.pieces().size() + work.size() + left;
      INDEXICAL_ASSIGN_OR_RETURN(auto pieces, atFirstKnown(map, others, known));
      if (pieces)
        work.append(pieces->begin(), pieces->end());
      else
        folded.add(map);
    }
  }
  folded.weaken(relation.precision());
  return folded;
}

}  // namespace indexical
