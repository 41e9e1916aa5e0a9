// The numbered constraints C1–C23 of gather and dynamic_gather.
#ifndef INDEXICAL_STABLEHLO_DIALECT_GATHER_CONSTRAINTS_H
#define INDEXICAL_STABLEHLO_DIALECT_GATHER_CONSTRAINTS_H

#include "indexical/stablehlo/dialect/verify.h"

namespace indexical::stablehlo {

/// Of `op`, whose first two operands are operand and start_indices; slice sizes
/// that an operand gives are kUnknown.
LogicalResult verifyGather(Operation *op, GatherDimensionNumbersAttr numbers,
                           Numbers sliceSizes);

}  // namespace indexical::stablehlo

#endif  // INDEXICAL_STABLEHLO_DIALECT_GATHER_CONSTRAINTS_H
