// Random numbers that both modules draw: private to same/partitioned/.
//
//   GLOBAL  n = f32[4] rng(a, b), sharding={devices=[2]<=[2]}
//   LOCAL   n = f32[2] rng(a, b)
//
//   device d draws elements 2 * d and 2 * d + 1 of GLOBAL's n
//
// No other device draws these numbers: a draw of LOCAL that has copies is not
// one of GLOBAL's. If there are several draws, those with the same op_name are
// paired.
#ifndef INDEXICAL_SAME_PARTITIONED_DRAWS_H
#define INDEXICAL_SAME_PARTITIONED_DRAWS_H

#include <vector>

#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding.h"
#include "indexical/same/partitioned/entry_arrays.h"

namespace indexical {

/// A draw of GLOBAL's entry, and the same draw in LOCAL.
struct Draw {
  InstructionId global, local;
  ShardedRelation relation;
};

/// Returns the draws that are known to be the same if their bounds are. Draws
/// in called computations are not among them.
std::vector<Draw> commonDraws(const Program &global, const Program &local,
                              const EntryArrays &entry);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_DRAWS_H
