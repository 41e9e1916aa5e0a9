// Open sizes of parameters that the ops of two modules force to be equal, or to
// be a number.
//
//   first    add(x, y) : tensor<?xf32>           size 0 of x = size 0 of y
//   second   reshape(y) : tensor<4xf32>          size 0 of y is 4
//            so both modules are compared where both sizes are 4
#ifndef INDEXICAL_SAME_EQUALITY_JOINED_SIZES_H
#define INDEXICAL_SAME_EQUALITY_JOINED_SIZES_H

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/same/equality/side.h"

namespace indexical {

/// Gives both sides the sizes that are known, and returns them in the first
/// side's names: `size 0 of x = 4`. `others` are the second side's parameters
/// in the first side's order.
std::vector<std::string> joinSizes(Side (&sides)[2],
                                   llvm::ArrayRef<EntryLeaf> others);

}  // namespace indexical

#endif  // INDEXICAL_SAME_EQUALITY_JOINED_SIZES_H
