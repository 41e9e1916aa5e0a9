// The number of programs of a fusion's kernel, if its launch does not state it.
//
//   result f32[100,64], tiles of 32 x 64          4 programs
//   a kernel that stores a tile of 16 x 128 at a block pointer into a view of
//   64 x 1000, the result as it lies in memory    4 * 8 programs
//
// The view of the store decides, not the result's shape: a tile that is stored
// transposed is transposed in that shape.
#ifndef INDEXICAL_SAME_KERNEL_FUSION_GRID_H
#define INDEXICAL_SAME_KERNEL_FUSION_GRID_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/shape.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"

namespace indexical::kernels {

/// Returns the number of programs that cover a root of that shape with tiles of
/// these sizes.
int64_t programsOf(const ArrayShape &root, llvm::ArrayRef<int64_t> tile);

/// Returns the number of programs that store a result, one tile each, derived
/// from the last store of a result: its tile and its view. The kernel must have
/// been read for one program. Returns std::nullopt if that store is in a loop
/// or not the only one of its result, or if its view is unknown.
std::optional<int64_t> programsThatStore(const TritonKernel &kernel,
                                         const Computation &computation);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_FUSION_GRID_H
