// Pieces that are one map, cut in two.
//
//   (d0) -> (d0), d0 in [0, 3]    and   (d0) -> (d0), d0 in [4, 9]
//     -> (d0) -> (d0), d0 in [0, 9]
//
// Such pieces come from slices that are concatenated again, padding that is cut
// off, an update inside of another. One interval may differ, of a dimension, a
// range or a constraint; the two must touch or overlap. A form that
// simplification replaced on the smaller domain counts as the same: (d0) -> (0)
// on [0, 0] is (d0) -> (d0) there. A piece that lies within another one
// (within.h) goes.
//
// Each rule is a row: its name, two maps, what they become, and its function. A
// rule makes one map of two, so that the number of pieces ends it.
//
// Laws (tests/simplifier/merge_test.cc, by enumeration): the union of the
// pieces stays the same relation, and pieces that are disjoint stay so. A row
// makes of its example what it says.
#ifndef INDEXICAL_SIMPLIFIER_MERGE_H
#define INDEXICAL_SIMPLIFIER_MERGE_H

#include <optional>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/relation.h"
#include "indexical/simplifier/prover.h"

namespace indexical {

struct MergeRule {
  const char *name;
  /// Two maps as text, and the one that they become.
  const char *a, *b, *whole;
  /// Returns the union of two maps that differ and have points, of the same
  /// ranks, or nothing if the rule does not apply.
  std::optional<IndexingMap> (*what)(const IndexingMap &a,
                                     const IndexingMap &b);
};

/// Returns all rules, in the order in which they are tried.
llvm::ArrayRef<MergeRule> mergeRules();

/// Returns the map that is the union of the two, if there is one of this kind.
/// Requires canonical maps (simplify) of the same ranks.
std::optional<IndexingMap> merged(const IndexingMap &a, const IndexingMap &b);

/// Adds the pieces of `other`, each merged with the pieces that it can be
/// merged with. The precision is the weaker one. Requires canonical maps. With
/// a prover, a piece is dropped if it has no pair, or only pairs that others
/// have. If a piece merges with none, only its new pairs are added, if these
/// are one piece. (Disjoint pieces would be longer: the reads of a softmax, a
/// row and the element itself, are two maps, or five that are disjoint.)
void uniteMerged(IndexingRelation &into, const IndexingRelation &other,
                 Prover *prover = nullptr);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_MERGE_H
