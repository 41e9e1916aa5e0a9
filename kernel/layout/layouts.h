// The layouts that Triton names, as linear ones.
//
//   blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8],
//            warpsPerCTA = [2, 1], order = [1, 0]}> of 8 x 32
//     registers (0, 1), (0, 2), lanes (0, 4), (0, 8), (0, 16), (1, 0), (2, 0),
//     warps (4, 0)
//
// Law (tests/kernel/linear_layout_test.cc, by enumeration): in a blocked
// layout, register r of lane l of warp w holds the element that nested loops
// over blocks give it; a tile that is larger than the layout adds registers, a
// smaller one is replicated.
//
// Source: Triton, TritonGPUAttrDefs.td; mma: its code, where dimension 1 of the
// warps is the first.
#ifndef INDEXICAL_KERNEL_LAYOUT_LAYOUTS_H
#define INDEXICAL_KERNEL_LAYOUT_LAYOUTS_H

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/kernel/layout/linear_layout.h"

namespace indexical::kernels {

/// The parameters of a blocked layout. Each list has one number a dimension;
/// `order` begins with the fastest dimension.
struct BlockedParameters {
  Coordinates sizePerThread, threadsPerWarp, warpsPerCta, order;
};

/// Returns the blocked layout of a tile. Returns an error if a number is no
/// power of two, lists differ in length, or `order` is no permutation.
absl::StatusOr<TileLayout> blockedLayout(llvm::ArrayRef<int64_t> shape,
                                         const BlockedParameters &parameters);

/// Returns the blocked layout in which a thread has a number of elements along
/// the fastest dimension, and one along the others. Lanes, then warps, go along
/// `order`; the last dimension takes those that are left.
BlockedParameters blockedAlong(llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> order,
                               int64_t elementsPerThread, int64_t lanes,
                               int64_t warps);

/// Returns the layout of the accumulator of a matrix instruction, of two
/// dimensions: its tiles are 16 x 8 in version 2 and 16 x `columns` in version
/// 3.
absl::StatusOr<TileLayout> mmaLayout(llvm::ArrayRef<int64_t> shape, int version,
                                     llvm::ArrayRef<int64_t> warpsPerCta,
                                     int64_t columns);

}  // namespace indexical::kernels

#endif  // INDEXICAL_KERNEL_LAYOUT_LAYOUTS_H
