#include "indexical/program/maps/reached.h"

#include <string>

#include "llvm/Support/ErrorHandling.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/cover.h"
#include "indexical/program/maps/merged_ranges.h"
#include "indexical/program/maps/merged_variables.h"
#include "indexical/simplifier/merge.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// A relation of more pieces becomes one covering map: the number of paths can
// multiply.
constexpr size_t kMostPieces = 64;

// The most pieces of a relation that was covered before: it becomes a box in
// the end.
constexpr size_t kMostPiecesOfCover = 4;

// A relation of more constraints is covered as well: each costs time in every
// composition.
constexpr size_t kMostConstraints = 500;

// An expression that takes more terms to write becomes a range.
constexpr int64_t kMostTerms = 5000;

// Constraints of many ranges take longest to simplify. A relation of more is
// covered by one map: the sum over its maps of constraints times ranges.
constexpr size_t kMostRangedConstraints = 800;

// If a map has more ranges, those of which only the sum is read are merged.
constexpr size_t kManyRanges = 6;

}  // namespace

absl::StatusOr<IndexingRelation> stepped(
    const IndexingRelation &before, const IndexingRelation &relation,
    ResultSide side,
    llvm::function_ref<
        absl::StatusOr<IndexingRelation>(const IndexingRelation &)>
        folded,
    const Budget &budget, std::optional<LimitKind> &limit) {
  auto composed = compose(before, relation, side, budget);
  if (composed.ok()) composed = folded(*composed);
  if (composed.ok()) composed = withOneVariableEach(*composed);
  if (composed.ok()) composed = withMergedRanges(*composed, kManyRanges);
  if (composed.ok() && !composed->isEmpty())
    composed = withoutLargeExpressions(*composed, limit);
  return composed;
}

absl::StatusOr<IndexingRelation> startOf(const ArrayShape &shape) {
  INDEXICAL_ASSIGN_OR_RETURN(auto map, simplify(identityOf(shape)));
  return IndexingRelation(std::move(map));
}

std::string reasonOf(LimitKind kind) {
  switch (kind) {
    case LimitKind::Pieces:
      return "what is read through it takes more than " +
             std::to_string(kMostPieces) + " maps, and one map covers them";
    case LimitKind::Constraints:
      return "what is read through it takes more than " +
             std::to_string(kMostConstraints) + " constraints (" +
             std::to_string(kMostRangedConstraints) +
             ", each counted for every range), and one map without them "
             "covers it";
    case LimitKind::Terms:
      return "an index that is read through it takes more than " +
             std::to_string(kMostTerms) + " terms, and its bounds cover it";
  }
  llvm_unreachable("a limit of no kind");
}

absl::Status unite(IndexingRelation &into, const IndexingRelation &other,
                   std::optional<LimitKind> &limit) {
  uniteMerged(into, other);
  size_t constraints = 0, ranged = 0;
  for (const IndexingMap &piece : into.pieces()) {
    constraints += piece.constraints().size();
    ranged += piece.constraints().size() * piece.ranges().size();
  }
  const size_t most = limit ? kMostPiecesOfCover : kMostPieces;
  const bool hasFew = into.pieces().size() <= most;
  const bool isSmall =
      into.pieces().size() < 2 || ranged <= kMostRangedConstraints;
  if (hasFew && isSmall && constraints <= kMostConstraints)
    return absl::OkStatus();
  if (!limit) limit = hasFew ? LimitKind::Constraints : LimitKind::Pieces;
  INDEXICAL_ASSIGN_OR_RETURN(into, coverOf(into));
  return absl::OkStatus();
}

absl::StatusOr<IndexingRelation> withoutLargeExpressions(
    const IndexingRelation &relation, std::optional<LimitKind> &limit) {
  bool givenUp = false;
  auto small = withoutLargeExpressions(relation, kMostTerms, givenUp);
  if (small.ok() && givenUp && !limit) limit = LimitKind::Terms;
  return small;
}

}  // namespace indexical
