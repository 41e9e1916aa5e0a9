// Indexed slices: what gather and scatter have in common.
//
// Both have slices of an operand (scatter: an input), a tensor of indices that
// holds the places of the slices, and a tensor that holds these slices side by
// side (the result of gather, the updates of scatter):
//
//   operand f32[33,76,70], indices s32[1806,2], slices f32[1806,7,8,4]
//   windowDims={1,2,3}, indexMap={0,1}, vectorDim=1
//   slices to operand  (d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3)
//   operand to slices  (d0, d1, d2)[s0]{rt0, rt1} -> (s0, d0 - rt0, d1 - rt1,
//                      d2),  d0 - rt0 in [0, 6], d1 - rt1 in [0, 7]
//   rt0 is the index at (d0, 0), or (s0, 0), and rt1 the one at (d0, 1)
//
// A dimension of the slices is an *offset* into a slice or a *batch*
// coordinate, which chooses the index vector. A dimension of the operand takes
// its index from an offset, is collapsed (a slice of 1), or is batching: its
// index is a batch coordinate. A dimension in the index map is moved by that
// component of the vector. Each op has its own way with an index that is out of
// range (SliceStart).
#ifndef INDEXICAL_OPS_INDEXED_INDEXED_SLICES_H
#define INDEXICAL_OPS_INDEXED_INDEXED_SLICES_H

#include <functional>
#include <optional>

#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/variants.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

/// The shapes and attributes of such an op.
struct SliceNumbers {
  const ArrayShape &operand, &indices, &slices;
  /// Dimensions of the slices that are offsets (offset_dims,
  /// update_window_dims).
  llvm::ArrayRef<int64_t> windowDims;
  /// Dimensions of the operand (collapsed_slice_dims, inserted_window_dims).
  llvm::ArrayRef<int64_t> collapsedDims;
  /// Dimensions of operand and indices that have equal coordinates.
  llvm::ArrayRef<int64_t> operandBatching, indicesBatching;
  /// Component c of an index vector moves dimension indexMap[c].
  llvm::ArrayRef<int64_t> indexMap;
  /// The dimension of the indices along which a vector lies; the rank of the
  /// indices: a vector is one element.
  int64_t vectorDim;
};

SliceNumbers numbersOf(const GatherOp &op);
/// Returns the slice sizes. A size is kDynamicSize if only an operand says it,
/// not the result. Requires valid numbers.
Int64s sliceSizesOf(const GatherOp &op);

/// An op's names for these attributes, and its numbers of their constraints in
/// the specification of StableHLO.
struct SliceNames {
  Name operand = "", operandRank = "", indices = "", indicesRank = "";
  Name slicesRank = "", windowDims = "", collapsedDims = "";
  Name operandBatching = "", indicesBatching = "", indexMap = "";
  Name collapsedAndBatching = "", mapAndBatching = "";
  Rule ranks, vectorRange, vectorSize;
  Rule windowOrder, windowRange;
  Rule collapsedUnique, collapsedOrder, collapsedRange;
  Rule batchingOrder, batchingRange, batchingCount, batchingSizes;
  Rule indicesUnique, indicesRange, indicesNoVector;
  Rule mapUnique, mapRange;
};

/// Verifies the constraints on lists and ranks only. All numbers are in range
/// if it returns OK.
absl::Status verifyNumbers(const SliceNumbers &numbers,
                           const SliceNames &names);
/// Verifies the constraints on the type and sizes of the indices. Requires
/// verifyNumbers.
absl::Status verifyIndices(const SliceNumbers &numbers,
                           const SliceNames &names);

/// How the start of a slice along a dimension follows from its component of
/// the index vector.
struct SliceStart {
  enum Kind {
    Clamped,     ///< moved into the bounds
    Restricted,  ///< there is no slice if it is outside of the bounds
  };
  Interval bounds;
  Kind kind = Clamped;
  /// The last start at which the slice fits, if sizes are open. The bounds end
  /// there.
  std::function<Expr(SizeVariables &)> last;
};

/// How the dimensions of the three tensors belong together. The op fills in the
/// lists that are marked so, with one entry for each dimension of the operand.
class IndexedSlices {
 public:
  using MaybeDimensions = llvm::SmallVector<std::optional<int64_t>, 6>;

  /// Requires valid numbers. `indicesLeaf` is the operand leaf of the indices.
  IndexedSlices(const SliceNumbers &numbers, int64_t indicesLeaf);

  /// By the op: the indices that the operand has.
  llvm::SmallVector<Interval, 6> inside;
  /// By the op: the offsets within a slice ([0, 0] without an offset).
  llvm::SmallVector<Interval, 6> window;
  /// By the op: how the slice starts; of dimensions with a component.
  llvm::SmallVector<SliceStart, 6> starts;

  /// The dimension of the slices that gives the offset or the batch coordinate,
  /// and the component of the index vector.
  MaybeDimensions offset, batching, component;
  /// Dimensions of the slices that are batch coordinates, in order, and the
  /// dimensions of the indices that they are.
  Int64s batch, indicesBatch;

  /// Returns the bounds of dimension j of the slices.
  Interval slicesBounds(int64_t j) const;
  /// Returns the index in the tensor of indices at which a component stands,
  /// for an index of the slices, of which only the batch coordinates are used.
  Exprs placeOf(Expr component, llvm::ArrayRef<Expr> slicesIndex) const;

  // If a start is clamped to an end that is not known, there are pieces for
  // either case (ops/core/variants.h), or a cover if there would be too many.
  /// Returns what the slices, taken as a result, read of the operand.
  Answer reads(Direction direction, const OpSizes &sizes) const;

 private:
  Interval batchBounds(int64_t j) const;
  /// Returns the dimensions of the operand in which starts are clamped to an
  /// end that is not known.
  Int64s openStarts() const;
  void addPiece(const Sides &sides, IndexingMapBuilder &builder,
                SizeVariables &variables, const Variant &variant) const;
  llvm::SmallVector<std::optional<Expr>, 6> makeStarts(
      IndexingMapBuilder &builder, SizeVariables &variables,
      const Variant &variant, llvm::ArrayRef<Expr> slicesIndex) const;

  const SliceNumbers numbers_;
  const int64_t indicesLeaf_;
};

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_INDEXED_INDEXED_SLICES_H
