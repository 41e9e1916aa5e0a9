// The keys of equality (answers/fields.h), as docs/keys.md has them: of two
// maps or programs, and of a program and its partitioned form.
#ifndef INDEXICAL_ANSWERS_EQUALITY_KEYS_H
#define INDEXICAL_ANSWERS_EQUALITY_KEYS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/answers/equality/equality.h"
#include "indexical/answers/fields.h"
#include "indexical/answers/verdict/keys.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {

// Words of keys that several answers have.
inline constexpr char kWhereDecidedBy[] =
    "the answer is not `undecided`; nothing is known to decide it";
inline constexpr char kDecidedBy[] =
    "options that would decide it (`--float-laws=reassociate`: with it both "
    "are equal; `--ops with the line` `lib.norm (d0, d1)[s0] -> (d0, s0)`: "
    "if the op reads that, both are equal), or may: `--ops with a line for "
    "lib.norm{axis=1}` (an op that is not known, and what its line begins "
    "with), `--budget` (it did not suffice)";
inline constexpr char kAssumed[] =
    "the assumptions of the verdict, each a condition: both modules draw the "
    "same random numbers (draws have no order; each draw of one module is "
    "paired with one of the other), or an unknown op, or a function that is "
    "not in the file, has no effects";
inline constexpr char kWhereAssumed[] =
    "nothing is assumed; the verdict is `different` or `undecided`";
inline constexpr char kEngines[] =
    "`\"terms\"`, `\"closed form\"`, `\"sizes\"`, `\"enumeration\"` or "
    "`\"isl\"`";
inline constexpr char kEngine[] =
    "the strongest engine that was needed; `terms`: no map was made, for "
    "both modules read the parameter by the same movements of elements; the "
    "values computed in between may differ";

/// A pair of a result and a parameter. One that neither side reads has no leaf
/// of its own, so the numbers stand here.
struct PairEntry {
  const LeafEquality &of;
  int64_t result, parameter;
  bool isOfMaps = false;

  explicit PairEntry(const LeafEquality &of, bool isOfMaps = false)
      : PairEntry(of, of.result, of.parameter, isOfMaps) {}
  PairEntry(const LeafEquality &of, int64_t result, int64_t parameter,
            bool isOfMaps)
      : of(of), result(result), parameter(parameter), isOfMaps(isOfMaps) {}
};
struct PathsEntry {
  const LeafEquality &of;
};
/// The verdict of values, with its reasons.
struct TermsEntry {
  const Verdict &verdict;
  const ValueEquality &values;
};
/// A result with a divergence.
struct DivergenceEntry {
  const LeafValue &of;
};
template <>
KeyList<EqualityAnswer> keysOf<EqualityAnswer>();
template <>
KeyList<PairEntry> keysOf<PairEntry>();
template <>
KeyList<PathsEntry> keysOf<PathsEntry>();
template <>
KeyList<EqualityObstacle> keysOf<EqualityObstacle>();
template <>
KeyList<LeafValue> keysOf<LeafValue>();
template <>
KeyList<TermsEntry> keysOf<TermsEntry>();
template <>
KeyList<DivergenceEntry> keysOf<DivergenceEntry>();
template <>
KeyList<DivergentValue> keysOf<DivergentValue>();
template <>
KeyList<LostRead> keysOf<LostRead>();
template <>
KeyList<PartitionedEquality> keysOf<PartitionedEquality>();
template <>
KeyList<UsedSharding> keysOf<UsedSharding>();
template <>
KeyList<PartitionedResult> keysOf<PartitionedResult>();
template <>
KeyList<PartitionedObstacle> keysOf<PartitionedObstacle>();
/// Calls `take` for each pair, by result, then by parameter: also for those
/// that neither side reads, if there are at most 1,000,000 pairs.
void forEachPair(const EqualityAnswer &answer,
                 llvm::function_ref<void(const PairEntry &)> take);
/// Returns the number of pairs for which forEachPair() does not call.
int64_t pairsLeftOut(const ModuleEquality &equality);
/// Returns the number of pairs that neither side reads and that have no leaf.
int64_t pairsWithoutLeaf(const ModuleEquality &equality);

/// For keys of programs whose values are compared: gives the results whose
/// values are not known to be equal, if there are any.
void unequalValues(const ValueEquality &values, KeyValue &to);

/// Returns the columns of both answers as one table.
std::vector<llvm::StringRef> equalityColumns();
/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> equalityTables();

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_EQUALITY_KEYS_H
