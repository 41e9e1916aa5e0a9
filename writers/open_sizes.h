// Unknown sizes that a result names, as lines of a text.
//
//   where rt0 = size of x, dimension 0
#ifndef INDEXICAL_WRITERS_OPEN_SIZES_H
#define INDEXICAL_WRITERS_OPEN_SIZES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/maps/open_sizes.h"

namespace indexical {

/// Writes a line for each size.
void writeOpenSizes(llvm::raw_ostream &os, const Module &module,
                    llvm::ArrayRef<NamedSize> sizes);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_OPEN_SIZES_H
