// Operations: what products of matrices compute, which nothing that is moved
// tells.
//
//   r = f32[64,32] dot(a, b), a contracted along 128
//     2 * 64 * 32 * 128 operations on elements of 32 bits
//
// Counted are dots, convolutions and the libraries' products that a compiler
// calls instead, in a kernel and in what it calls. What is done element by
// element is not, for memory is slower, but for sines and powers, which take
// tens of instructions each.
#ifndef INDEXICAL_ANALYSIS_LAUNCH_OPERATIONS_H
#define INDEXICAL_ANALYSIS_LAUNCH_OPERATIONS_H

#include <cstdint>

#include "indexical/program/program.h"

namespace indexical {

struct Operations {
  double count = 0;   ///< multiplications and additions
  int64_t bits = 32;  ///< of an element that is multiplied, the widest
  double hard = 0;    ///< sines, cosines, tangents and powers of elements
};

/// Those of one run of the instruction.
Operations operationsOf(const Module &module, const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_LAUNCH_OPERATIONS_H
