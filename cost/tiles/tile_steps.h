// Dimensions that an instruction sums up, and maps bound to a turn of the loop
// over one; private to analysis/.
//
//   d = f32[4,16] dot(f32[4,8], f32[8,16])     one such dimension, of 8
//   d reads a     (d0, d1)[s0] -> (d0, s0)
//   in turn d2    (d0, d1, d2) -> (d0, d2)
#ifndef INDEXICAL_COST_TILES_TILE_STEPS_H
#define INDEXICAL_COST_TILES_TILE_STEPS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/op.h"

namespace indexical {

/// Returns the sizes of the dimensions that the op sums up, in the order of its
/// attribute: contracted ones of a dot, reduced ones of a reduce, the scan's.
/// Sizes that are not known are kDynamicSize.
std::vector<int64_t> summedExtents(const Op &op);

/// Where an operand has a dimension that is summed up: each of its indices
/// there stands for a block of so many indices.
struct SummedAxis {
  int64_t axis = 0, block = 1;
};
/// Returns that of an operand leaf; nothing if the operand has no such axis,
/// and is read by every turn.
std::optional<SummedAxis> summedAxis(const Op &op, int64_t leaf,
                                     size_t dimension);

/// The dimensions of a product of matrices: those of a batch first, then rows,
/// then columns.
struct MatrixDimensions {
  size_t batch = 0, rows = 0;
};
/// Returns those of a dot's result; nothing for any other op.
std::optional<MatrixDimensions> matrixOf(const Op &op);

/// A map of two parts, of which the first leads to the indices of a result and
/// to the indices of turns behind them; the second from these to an operand.
struct MapsInSteps {
  IndexingMap first, second;
};
/// Binds axes of the operand that `second` leads to: each to the turns that the
/// dimension of `first` with that number says.
absl::StatusOr<MapsInSteps> boundToSteps(
    const IndexingMap &first, const IndexingMap &second,
    llvm::ArrayRef<std::pair<SummedAxis, size_t>> axes);

/// Returns the map of those points alone whose indices along the axes are in
/// the turns that its dimensions with these numbers say: the other way of
/// boundToSteps(), for a map that leads to the operand.
///
///   (d0, d1, d2) -> (d0, d1), axis 1 in turn d2
///   becomes (d0, d1, d2) -> (d0, d1), d1 - d2 in [0, 0]
absl::StatusOr<IndexingMap> inTurns(
    const IndexingMap &map, llvm::ArrayRef<std::pair<SummedAxis, size_t>> axes);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_STEPS_H
