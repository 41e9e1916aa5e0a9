// The places of a tile's elements in shared memory.
//
//   swizzled, vec 4, perPhase 1, maxPhase 8, order [1, 0], tile of 8 x 32
//     element (r, c)    r * 32 + 4 * ((c / 4) xor (r mod 8)) + c mod 4
//   padded, [32:+4], order [1, 0]
//     element (r, c)    36 * r + c: 4 more behind each 32
//
// The order begins with the fastest dimension. A swizzled layout permutes
// groups of `vec` elements of a row by the row's phase, row / perPhase mod
// maxPhase; phases have no effect beyond the row's length. A padded one leaves
// gaps. With more than two dimensions the first two of the order are a row and
// a column.
//
// Source: Triton's TritonGPUAttrDefs.td, swizzled and padded shared encodings.
#ifndef INDEXICAL_KERNEL_LAYOUT_SHARED_LAYOUT_H
#define INDEXICAL_KERNEL_LAYOUT_SHARED_LAYOUT_H

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/kernel/layout/linear_layout.h"

namespace indexical::kernels {

/// How a tile is laid out. Without phases and gaps its elements are in order.
struct SharedParameters {
  Coordinates order;
  int64_t vec = 1, perPhase = 1, maxPhase = 1;
  /// After each `first` elements, `second` places are left out.
  std::vector<std::pair<int64_t, int64_t>> gaps;
};

class SharedLayout {
 public:
  /// Returns the layout of a tile of that shape. Returns an error if a number
  /// is no power of two or not positive, the order is no permutation, or the
  /// tile leaves 64 bits.
  static absl::StatusOr<SharedLayout> of(llvm::ArrayRef<int64_t> shape,
                                         SharedParameters parameters);

  /// Returns the place of the element, in elements from the tile's first one.
  int64_t offsetOf(llvm::ArrayRef<int64_t> element) const;
  /// Returns how many elements the tile takes, gaps included.
  int64_t size() const { return size_; }

 private:
  int64_t withGaps(int64_t offset) const;

  llvm::SmallVector<int64_t, 4> shape_;
  SharedParameters parameters_;
  int64_t size_ = 0;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_KERNEL_LAYOUT_SHARED_LAYOUT_H
