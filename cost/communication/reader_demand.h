// The elements of an operand that an op uses: private to
// cost/communication/.
//
//   f32[4,8] x; r = f32[4] reduce(x, zero), dimensions={1}     all of x
//   s = f32[2,8] slice(x), slice={[0:2], [0:8]}                [0:2, 0:8]
#ifndef INDEXICAL_COST_COMMUNICATION_READER_DEMAND_H
#define INDEXICAL_COST_COMMUNICATION_READER_DEMAND_H

#include <vector>

#include "indexical/ops/op.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// The used elements of an array, as boxes, which may overlap.
struct ReaderDemand {
  bool isWhole = false;           ///< all of the array; there are no boxes
  std::vector<ElementBox> boxes;  ///< of its elements
  /// Whether each element in them is used. Else they are a superset.
  bool isExact = true;
};

/// Returns what all results of the op together read of an operand leaf.
ReaderDemand demandOf(const Op &op, int64_t operand);

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_READER_DEMAND_H
