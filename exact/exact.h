// Exact answers about maps and relations, or `undecided`; never a guess.
//
//   a = (d0) -> (d0 mod 8),             d0 in [0, 31]
//   b = (d0) -> (d0 - d0 floordiv 8 * 8), d0 in [0, 31]
//   c = (d0) -> (d0 mod 8),             d0 in [0, 32]
//
//   areEqual(a, b)     yes (closed form)
//   areEqual(a, c)     no: at index (32) only the second reads element (0)
//   isInjective(a)     no: elements of index (0) and (8)
//   inverse(a)         (d0)[s0] -> (s0 * 8 + d0), d0 in [0, 7], s0 in [0, 3]
//   image(a)           (d0) -> (), d0 in [0, 7]
//   countPairs(a)      32
//   extremes(a)        [0, 7], at (0) and (7)
//
// A relation is a union of pieces, exact or a superset, as its precision says.
// The answers are about the union as it stands.
//
// Runtime variables are parameters: an answer holds for all the values that
// they can have, and a witness names their values. Variables with the same
// source (tensor, index, clamp) are one. Variables without a source, as in maps
// read from text, are one if they have the same name. A value outside of the
// bounds of a variable that is not clamped leaves no pairs. A source-less
// variable that occurs only in constraints with others of its kind is
// existentially quantified: it is dropped if the constraints are satisfiable,
// and makes the map empty otherwise. So `equal` is an equivalence, and a map
// equals its simplified form.
//
// Engines (engines.h) are asked in a fixed order and within a budget that
// counts operations; an answer names the strongest that it needed.
//
// Laws (tests/exact/random_exact_test.cc, by enumeration): every answer but
// `undecided` is that of brute force over all points; a witness shows what it
// claims; inverse(inverse(r)) is r; difference and intersection partition the
// first operand.
#ifndef INDEXICAL_EXACT_EXACT_H
#define INDEXICAL_EXACT_EXACT_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DynamicAPInt.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/exact/options.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"

namespace indexical {

enum class Answer : uint8_t { Yes, No, Undecided };
/// Returns `yes`, `no` or `undecided`.
llvm::StringRef answerName(Answer answer);

/// A pair that refutes the claim: the index reads the element if the
/// runtime variables have these values.
struct PairWitness {
  Values index, element;
  /// The values of the variables that the maps have, by name.
  std::vector<std::pair<std::string, int64_t>> runtime;
  /// The side that reads the element (areEqual).
  enum class Side : uint8_t { First, Second };
  Side onlyIn = Side::First;
  /// Another index that reads the element (isInjective).
  Values otherIndex;
};

struct Decision {
  Answer answer = Answer::Undecided;
  Engine engine = Engine::ClosedForm;
  std::string reason;  ///< of an undecided one
  std::optional<PairWitness> witness;
};

/// All of these return an error if the ranks or collectives of what they
/// compare differ, or if `options.stop` ends the call.

/// Returns whether no index reads anything; the witness is a pair.
absl::StatusOr<Decision> isEmpty(const IndexingRelation &relation,
                                 const ExactOptions &options = {});
/// Returns whether both have the same pairs.
absl::StatusOr<Decision> areEqual(const IndexingRelation &a,
                                  const IndexingRelation &b,
                                  const ExactOptions &options = {});
/// Returns whether every pair of `a` is one of `b`.
absl::StatusOr<Decision> isSubset(const IndexingRelation &a,
                                  const IndexingRelation &b,
                                  const ExactOptions &options = {});
/// Returns whether no pair of `a` is one of `b`.
absl::StatusOr<Decision> areDisjoint(const IndexingRelation &a,
                                     const IndexingRelation &b,
                                     const ExactOptions &options = {});
/// Returns whether every index of the domain reads itself and nothing else.
/// Returns an error if there are pairs, and not as many results as dimensions;
/// undecided if arithmetic leaves 64 bits.
absl::StatusOr<Decision> isIdentity(const IndexingRelation &relation,
                                    const ExactOptions &options = {});
/// Returns whether no two indices read one element.
absl::StatusOr<Decision> isInjective(const IndexingRelation &relation,
                                     const ExactOptions &options = {});
/// Returns whether every element of the box is read; the witness' element is
/// not.
absl::StatusOr<Decision> isSurjective(const IndexingRelation &relation,
                                      llvm::ArrayRef<Interval> box,
                                      const ExactOptions &options = {});

/// Returns the pairs reversed: the results become dimensions, the dimensions
/// results, and the variables that remain free become ranges. The precision
/// stays. Each map has one inverse, which is exact.
absl::StatusOr<IndexingRelation> inverse(const IndexingRelation &relation);
/// Returns the pairs that both relations have.
absl::StatusOr<IndexingRelation> intersect(const IndexingRelation &a,
                                           const IndexingRelation &b);
/// Returns the pairs of `a` that are not in `b`, as disjoint maps if those of
/// `a` are disjoint. The result is a cover, of pairs of `a`, if there would be
/// more than `options.mostPieces` maps or if the pairs to be removed cannot be
/// written as constraints.
absl::StatusOr<IndexingRelation> difference(const IndexingRelation &a,
                                            const IndexingRelation &b,
                                            const ExactOptions &options = {});
/// Returns the pairs that either relation has, as disjoint maps: those of `a`,
/// and the pairs that `b` adds. They are not disjoint, but exact, if
/// difference() would give a cover.
absl::StatusOr<IndexingRelation> unite(const IndexingRelation &a,
                                       const IndexingRelation &b,
                                       const ExactOptions &options = {});
/// Returns the elements that are read, as maps from the element to nothing:
/// exact ones, which may overlap, or the smallest box, which is a cover.
absl::StatusOr<IndexingRelation> image(const IndexingRelation &relation);

/// A number of points; no value if the number was not found.
struct Count {
  std::optional<llvm::DynamicAPInt> value;
  Engine engine = Engine::ClosedForm;
  std::string reason;
};
/// Returns the number of points of the domain: of values of dimensions and
/// ranges. `runtime` has a value for each runtime variable that is not hidden,
/// by position (empty: the least value of each, or 0). A value that is out of
/// bounds or breaks a constraint leaves no points. Another number of values is
/// an error if values are needed.
absl::StatusOr<Count> countDomain(const IndexingMap &map,
                                  llvm::ArrayRef<int64_t> runtime = {},
                                  const ExactOptions &options = {});
/// Returns the number of different elements that the map reads, with runtime
/// variables as in countDomain().
absl::StatusOr<Count> countImage(const IndexingMap &map,
                                 llvm::ArrayRef<int64_t> runtime = {},
                                 const ExactOptions &options = {});
/// Returns the number of different (index, element) pairs, with runtime
/// variables as in countDomain().
absl::StatusOr<Count> countPairs(const IndexingMap &map,
                                 llvm::ArrayRef<int64_t> runtime = {},
                                 const ExactOptions &options = {});
/// Return the number of different elements, or of different (index, element)
/// pairs, of a relation. Return an error if the relation has runtime variables.
absl::StatusOr<Count> countImage(const IndexingRelation &relation,
                                 const ExactOptions &options = {});
absl::StatusOr<Count> countPairs(const IndexingRelation &relation,
                                 const ExactOptions &options = {});

/// The least and the greatest value of one result, each with a pair that has
/// it. Nothing if there is no such value (an empty relation, an open side) or
/// if it was not found.
struct Extremes {
  std::optional<int64_t> least, greatest;
  std::optional<PairWitness> atLeast, atGreatest;
  Engine engine = Engine::ClosedForm;
  std::string reason;  ///< if one was not found
};
/// Returns the extremes of each result.
absl::StatusOr<std::vector<Extremes>> extremes(
    const IndexingRelation &relation, const ExactOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_EXACT_EXACT_H
