// How devices may have a value that lies on the way: private to
// same/partitioned/.
//
//   x = f32[8,4] parameter(0), sharding={devices=[2,1]<=[2]}
//
//   a whole f32[8,6] and f32[4,6] of each device: cut as x is in dimension 0
#ifndef INDEXICAL_SAME_PARTITIONED_CUTS_H
#define INDEXICAL_SAME_PARTITIONED_CUTS_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding.h"
#include "indexical/same/partitioned/entry_arrays.h"

namespace indexical {

/// Returns the opcode of the op whose result the array is, but for what moves
/// elements; between devices, too.
llvm::StringRef computedBy(const Computation &in, InstructionId at);

/// Returns relations by which devices may have parts of these sizes: each
/// dimension is cut as one of a parameter or result is.
std::vector<ShardedRelation> relationsOf(const EntryArrays &entry,
                                         llvm::ArrayRef<int64_t> whole,
                                         llvm::ArrayRef<int64_t> local);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_CUTS_H
