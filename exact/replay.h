// Whether an index reads an element, for given values of the runtime variables.
//
//   (d0)[s0]{rt0} -> (d0 * 4 + s0 + rt0), d0 in [0, 7], s0 in [0, 3], rt0 in
//   [0, 1]
//   index 2, element 12, rt0 = 1      reads (s0 is 3)
//   index 2, element 12, rt0 = 0      does not
//   index 2, element 12, rt0 = 5      does not: 5 is out of bounds
//
// Every witness is replayed before it is given to anyone. Its values are put
// into the maps as they were given, constraint by constraint; no rule of
// simplification has a part in that where the ranges are few.
//
// Law (tests/exact/replay_test.cc): the answer is that of brute force.
#ifndef INDEXICAL_EXACT_REPLAY_H
#define INDEXICAL_EXACT_REPLAY_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/exact/exact.h"
#include "indexical/exact/regions.h"
#include "indexical/indexing/budget.h"
#include "indexical/indexing/relation.h"

namespace indexical {

enum class ReplayedReads : uint8_t { No, Yes, Unknown };

/// The operations for one witness. They are not taken from the question's.
inline constexpr int64_t kReplayOperations = 1'000'000;
/// Why a difference is not known that no witness shows.
inline constexpr char kNotShown[] =
    "the values that were found do not show the difference";

/// Returns whether the relation has the pair of the index and the element,
/// which has its members behind it. `values` has a value for each of the
/// parameters, which must be those of this relation, and perhaps of others.
/// Unknown if arithmetic leaves 64 bits, or the meter does not suffice.
ReplayedReads readsAt(const IndexingRelation &relation,
                      llvm::ArrayRef<int64_t> index,
                      llvm::ArrayRef<int64_t> element,
                      const Parameters &parameters,
                      llvm::ArrayRef<int64_t> values, Meter &meter);

/// The difference that a witness of two relations shows.
enum class Claim : uint8_t {
  OneReads,    ///< the one of its side reads the element, the other does not
  FirstReads,  ///< the first one reads the element, the second one does not
  BothRead,    ///< both read it
};

/// Returns whether the witness shows that. It must have the values of all
/// runtime variables, by name. False if that is not known.
bool holds(Claim claim, const IndexingRelation &first,
           const IndexingRelation &second, const PairWitness &witness,
           const Budget &budget);
/// Returns whether the index of the witness reads its element.
bool holds(const IndexingRelation &relation, const PairWitness &witness,
           const Budget &budget);

}  // namespace indexical

#endif  // INDEXICAL_EXACT_REPLAY_H
