// Whether an op needs communication, for given shardings of its result and
// operands.
//
//   x = f32[8,16], sharding={devices=[4,1]<=[4]}
//   r = f32[8,16] negate(x), sharding={devices=[4,1]<=[4]}     none
//   t = f32[16,8] transpose(x), sharding={devices=[4,1]<=[4]}  along both
//
//   g = f32[8,3] gather(x, i) with batching dimension 0        none: a batch is
//                                                              on its device
//   s = f32[8] reduce(x), dimensions={1}                       none
//
// A device computes its part of the result. It needs communication for an
// operand if it reads an element that it does not hold. The answer is from the
// maps: those of both shardings, and of what the op reads.
//
// Law (tests/cost/communication/local_reads_test.cc): the answer is that of
// every element of every device, and without a dimension that it names, the
// operand not cut along it, there is none along that one.
#ifndef INDEXICAL_COST_COMMUNICATION_LOCAL_READS_H
#define INDEXICAL_COST_COMMUNICATION_LOCAL_READS_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

struct LocalReads {
  /// Whether each device reads only elements that it holds, for all values of
  /// runtime variables.
  Answer areLocal = Answer::Undecided;
  /// Dimensions of the operand along which a device reads beyond its tile.
  std::vector<int64_t> dimensions;
  std::string reason;  ///< why it is undecided
};

/// Returns what devices read of an operand. `reads` goes from the result's
/// index to the operand's, of whole arrays. Returns an error if
/// `options.stop` ends the call.
absl::StatusOr<LocalReads> localReads(const IndexingRelation &reads,
                                      const ShardedRelation &result,
                                      const ShardedRelation &operand,
                                      const ExactOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_LOCAL_READS_H
