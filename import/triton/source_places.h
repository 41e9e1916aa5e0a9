// Where an op stands: the places of its location; private to import/triton.
#ifndef INDEXICAL_IMPORT_TRITON_SOURCE_PLACES_H
#define INDEXICAL_IMPORT_TRITON_SOURCE_PLACES_H

#include <vector>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Location.h"

#include "indexical/program/kernel/kernel.h"

namespace indexical::triton {

/// Appends the frames of a location that are not of the file itself.
void addFrames(mlir::Location location, llvm::StringRef path,
               llvm::StringRef function,
               std::vector<kernels::SourceFrame> &frames);

/// Returns the innermost place of a location in that file, or none.
Place placeIn(mlir::Location location, llvm::StringRef path, int depth = 0);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_SOURCE_PLACES_H
