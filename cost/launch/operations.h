// Operations: the arithmetic of matrix products, which the moved bytes do not
// show.
//
//   r = f32[64,32] dot(a, b), a contracted along 128
//     2 * 64 * 32 * 128 operations on elements of 32 bits
//
// Dots, convolutions and the libraries' products and forward convolutions that
// a compiler calls instead are counted, in a kernel and in what it calls. Among
// elementwise ops only sines and powers are counted, which take tens of
// instructions each: for the others, memory is slower.
#ifndef INDEXICAL_COST_LAUNCH_OPERATIONS_H
#define INDEXICAL_COST_LAUNCH_OPERATIONS_H

#include <cstdint>

#include "indexical/program/module/program.h"

namespace indexical {

struct Operations {
  double count = 0;   ///< multiplications and additions
  int64_t bits = 32;  ///< of an element that is multiplied, the widest
  double hard = 0;    ///< sines, cosines, tangents and powers of elements
};

/// Returns the operations of one run of the instruction.
Operations operationsOf(const Module &module, const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_OPERATIONS_H
