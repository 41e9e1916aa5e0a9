// The element that shows that two modules are different: private to
// same/partitioned/.
//
// Terms show some difference. For small arrays the first one, by device and
// index, is found, with an element that only one side reads there.
#ifndef INDEXICAL_SAME_PARTITIONED_WITNESSES_H
#define INDEXICAL_SAME_PARTITIONED_WITNESSES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/sharding/sharding.h"
#include "indexical/same/partitioned/at_points.h"
#include "indexical/same/partitioned/entry_arrays.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {

/// The copies of a result that devices have, in dimension 0 if there are
/// several, and the devices of the tiles of each copy.
struct CopiesOfResult {
  LeafId result;
  const ShardedRelation &relation;
  llvm::ArrayRef<std::vector<int64_t>> devicesOf;
};

/// Returns the witness of a device for numbers at an index of the copies: of
/// kind DeviceNumbers, with the whole module's access first.
Witness witnessOf(Witness found, const CopiesOfResult &copies);

/// Returns the first witness, by device and index, if that takes few steps;
/// else the given one, or std::nullopt. It has an element that only one side
/// reads.
std::optional<Witness> firstWitness(AtPoints &points,
                                    const CopiesOfResult &copies,
                                    const EntryArrays &entry,
                                    const std::optional<Witness> &found);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_WITNESSES_H
