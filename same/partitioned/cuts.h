// How an intermediate value may be cut between devices: private to
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

/// Returns the opcode of the op that computes the array, upstream of ops that
/// only move elements, also between devices.
llvm::StringRef computedBy(const Computation &in, InstructionId at);

/// Returns the relations with which devices may have parts of these sizes: each
/// dimension is cut like a dimension of a parameter or result.
std::vector<ShardedRelation> relationsOf(const EntryArrays &entry,
                                         llvm::ArrayRef<int64_t> whole,
                                         llvm::ArrayRef<int64_t> local);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_CUTS_H
