// Pads of which a size or the padding is known at run time only.
//
//   f32[?] -> f32[?], low and high from operands 2 and 3, no interior
//   operand 0      (d0){rt0} -> (d0 - rt0),  rt0 the element of operand 2
//                  d0 - rt0 below the operand's size and not below 0
//   padding value  (d0){rt0} -> ()      d0 - rt0 in [-inf, -1]
//                  (d0){rt0, rt1} -> () d0 - rt0 in [0, inf],
//                                       d0 - rt0 - rt1 in [0, inf]
#ifndef INDEXICAL_OPS_MOVEMENT_PAD_AMOUNTS_H
#define INDEXICAL_OPS_MOVEMENT_PAD_AMOUNTS_H

#include "indexical/ops/core/family.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

/// The padding of one dimension.
struct PadAmounts {
  Expr low, high, interior;
};
PadAmounts padAmounts(const PadOp &op, SizeContext &context, int64_t k);

/// Returns whether a size or an amount of padding is known at run time only.
bool isOpen(const PadOp &op);

/// Return what a pad with open sizes or amounts reads of its operand, and of
/// its padding value. The maps do not restrict indices to the bounds of the
/// tensors.
Answer readsOfOpenOperand(const PadOp &op, const Sides &sides);
Answer readsOfOpenValue(const PadOp &op, const Sides &sides);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_MOVEMENT_PAD_AMOUNTS_H
