// Vectors: how many elements a lane takes at once, as Triton's compiler decides
// it.
//
//   pointer + (program * 1024 + coordinate 0), f32, 16 divides the pointer
//     contiguity 1024, divisibility 16 bytes: 4 elements
//
// `AxisInfo` says of a term, for each dimension of the tile, how many elements
// in a row go up by one (contiguity), what divides the first of each such row
// (divisibility), and how many elements in a row are equal (constancy); all are
// powers of two. The rules are those of Triton's analysis of axes. A loop's
// count is any number, so that of the step of a loop only the divisor counts.
//
// Sources: Triton, lib/Analysis/AxisInfo.cpp with its test-alignment.mlir, and
// lib/Dialect/TritonGPU/Transforms/Coalesce.cpp.
#ifndef INDEXICAL_PROGRAM_KERNEL_VECTORS_H
#define INDEXICAL_PROGRAM_KERNEL_VECTORS_H

#include <cstdint>
#include <map>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {

/// Known facts of a term along each dimension of the tile. The lists have one
/// number a dimension.
struct AxisInfo {
  llvm::SmallVector<int64_t, 4> contiguity, divisibility, constancy;
  std::optional<int64_t> value;  ///< of a constant
};

class AxisAnalysis {
 public:
  /// Prepares to analyse terms of a tile of these sizes. `divisors` has, by the
  /// number of an argument, a number that divides it: the integer, or the
  /// address of a pointer in bytes. Only the powers of two in it count. `terms`
  /// and `divisors` must outlive this object.
  AxisAnalysis(const Terms &terms, llvm::ArrayRef<int64_t> tile,
               const std::map<int64_t, int64_t> &divisors)
      : terms_(terms), tile_(tile.begin(), tile.end()), divisors_(divisors) {}

  /// Returns the known facts of the term. `elementBytes` is the size of the
  /// elements that a pointer in it points to, and must be the same in all
  /// calls: facts are remembered by their term alone.
  const AxisInfo &of(TermId term, int64_t elementBytes);

 private:
  AxisInfo leaf(const TermNode &term);
  AxisInfo combine(const TermNode &term, int64_t elementBytes);
  AxisInfo shared(const TermNode &term) const;

  const Terms &terms_;
  const llvm::SmallVector<int64_t, 4> tile_;
  const std::map<int64_t, int64_t> &divisors_;
  std::map<TermId, AxisInfo> known_;
};

/// Returns the dimensions of the tile by falling contiguity, so that the
/// fastest is first.
llvm::SmallVector<int64_t, 4> orderOf(const AxisInfo &pointer);

/// Returns how many elements in a row along `dimension` one access may take:
/// they are contiguous and aligned, and have at most `vectorBytes`.
int64_t alignedElements(const AxisInfo &pointer, int64_t dimension,
                        int64_t elementBytes, int64_t vectorBytes);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_VECTORS_H
