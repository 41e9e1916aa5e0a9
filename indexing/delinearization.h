// Delinearization: results that are the digits of one index.
//
//   (d0, d1) -> (d0 * 2 + d1 floordiv 3, d1 mod 3), d0 in [0, 3], d1 in [0, 5]
//     index d0 * 6 + d1, cut at strides 3 and 1:
//     (d0 * 6 + d1) floordiv 3, (d0 * 6 + d1) mod 3
//
// So are the results of every reshape, and of a bitcast whatever its layouts. A
// map may record the index whose digits its results are (delinearizationOf(),
// simplifier/simplified.h): simplified, a result is a digit of the least part
// of the index, and the index itself is no longer visible in it. MLIR calls
// that affine.delinearize_index.
#ifndef INDEXICAL_INDEXING_DELINEARIZATION_H
#define INDEXICAL_INDEXING_DELINEARIZATION_H

#include <cstdint>

#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"

namespace indexical {

/// Wherever the map holds, result i is (index floordiv stride) mod modulus,
/// modulus 0: no mod, for the index constant + sum of coefficient * variable,
/// and stride and modulus of cut i. Cuts need not cover all of the index.
struct Delinearization {
  struct IndexTerm {
    VariableId variable;
    int64_t coefficient;
  };
  struct Cut {
    int64_t stride, modulus;
  };
  llvm::SmallVector<IndexTerm, 6> index;
  int64_t constant = 0;
  llvm::SmallVector<Cut, 6> results;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_DELINEARIZATION_H
