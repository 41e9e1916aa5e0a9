// Pairs of a result and an operand that read alike.
//
//   (f32[64], s32[64]) sort(a, b)   every result reads every operand in one
//                                   way: a thousand operands, a million pairs,
//                                   one relation
//
// A caller that asks for many pairs asks for `alike` of each, and keeps the
// answers by what it returns. Private to the library.
#ifndef INDEXICAL_OPS_ALIKE_PAIRS_H
#define INDEXICAL_OPS_ALIKE_PAIRS_H

#include <cstdint>
#include <utility>

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"

namespace indexical {

/// Returns whether alikePair() may return another pair than it is given for
/// this op.
inline bool hasAlikePairs(const Op &op) {
  return op.isOneOf<SortOp, ReduceOp>();
}

/// Returns the first pair for which an op without open sizes has the same
/// relation as for this one, in both directions. For most ops that is the pair
/// itself.
inline std::pair<int64_t, int64_t> alikePair(const Op &op, int64_t result,
                                             int64_t operand) {
  if (op.is<SortOp>()) return {0, 0};
  if (const auto *reduce = op.as<ReduceOp>()) {
    const int64_t inputs = reduce->operands.size() / 2;
    return {0, operand < inputs ? 0 : inputs};
  }
  return {result, operand};
}

}  // namespace indexical

#endif  // INDEXICAL_OPS_ALIKE_PAIRS_H
