// How many programs a fusion's kernel has, if its launch does not say it.
//
//   result f32[100,64], tiles of 32 x 64          4 programs
//   a kernel that stores a tile of 16 x 128 at a block pointer into a view of
//   64 x 1000, the result as it lies in memory    4 * 8 programs
//
// The view of the store decides, and not the result's shape, in which a tile
// that is stored transposed stands the other way.
#ifndef INDEXICAL_SAME_KERNEL_FUSION_GRID_H
#define INDEXICAL_SAME_KERNEL_FUSION_GRID_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/shape.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"

namespace indexical::kernels {

/// Returns how many programs cover a root of that shape with tiles of these
/// sizes.
int64_t programsOf(const ArrayShape &root, llvm::ArrayRef<int64_t> tile);

/// Returns how many programs it takes to store a result one tile each, by the
/// last store of a result: a tile of so many rows in a view of so many. The
/// kernel must have been read for one program. Returns nothing if that store is
/// in a loop or not the only one of its result, or if it is not known in which
/// view it lies.
std::optional<int64_t> programsThatStore(const TritonKernel &kernel,
                                         const Computation &computation);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_FUSION_GRID_H
