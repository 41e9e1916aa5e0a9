// Sums and products that stay at the largest number if they exceed 64 bits: of
// bytes that an answer adds up.
#ifndef INDEXICAL_ANSWERS_SATURATED_H
#define INDEXICAL_ANSWERS_SATURATED_H

#include <cstdint>

#include "indexical/indexing/arithmetic.h"

namespace indexical {

inline int64_t sumOf(int64_t a, int64_t b) {
  return checkedAdd(a, b).value_or(INT64_MAX);
}

inline int64_t productOf(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(INT64_MAX);
}

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_SATURATED_H
