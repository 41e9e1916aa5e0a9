// The layouts that Triton names, as linear ones.
//
//   blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
//            warpsPerCTA = [2, 1], order = [1, 0]}> of 8 x 32
//     registers (0, 1), (0, 2), lanes (0, 4), (0, 8), (0, 16), (1, 0), (2, 0),
//     warps (4, 0)
//
// Law (tests/kernel/layouts_test.cc, by enumeration): a blocked layout gives
// element (r, l, w) of each thread what nested loops over blocks give it; a
// tile that is larger than the layout adds registers, a smaller one is
// replicated.
//
// Source: Triton, TritonGPUAttrDefs.td; mma: its code, where dimension 1 of the
// warps is the first.
#ifndef INDEXICAL_KERNEL_LAYOUT_LAYOUTS_H
#define INDEXICAL_KERNEL_LAYOUT_LAYOUTS_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/kernel/layout/linear_layout.h"

namespace indexical::kernels {

/// One number a dimension; `order` begins with the fastest dimension.
struct BlockedParameters {
  Coordinates sizePerThread, threadsPerWarp, warpsPerCta, order;
};

/// An error where numbers are no powers of two, lists differ in length, or
/// `order` is no permutation.
absl::StatusOr<TileLayout> blockedLayout(llvm::ArrayRef<int64_t> shape,
                                         const BlockedParameters &parameters);

/// The blocked layout that has so many elements of a thread along the fastest
/// dimension, one along the others, and lanes, then warps, along `order`; the
/// last dimension takes the lanes and warps that are left.
BlockedParameters blockedAlong(llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> order,
                               int64_t elementsPerThread, int64_t lanes,
                               int64_t warps);

/// The accumulator of a matrix instruction of version 2 (tiles of 16 x 8) or 3
/// (16 x `columns`), of two dimensions.
absl::StatusOr<TileLayout> mmaLayout(llvm::ArrayRef<int64_t> shape, int version,
                                     llvm::ArrayRef<int64_t> warpsPerCta,
                                     int64_t columns);

}  // namespace indexical::kernels

#endif  // INDEXICAL_KERNEL_LAYOUT_LAYOUTS_H
