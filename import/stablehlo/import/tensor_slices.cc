// Slices of tensors, and padding.
//
//   tensor.extract_slice %t[%o, 0] [4, 1] [2, 1]
//       : tensor<20x8xf32> to tensor<4xf32>
//     (d0){rt0} -> (d0 * 2 + rt0, 0)
//   tensor.insert_slice, the destination: what is not overwritten, as disjoint
//     pieces: before the slice along the first axis, behind it, between its
//     elements; inside along the first and outside along the second; and so on
//   tensor.pad low[1] high[%h] { … }, the source
//     (d0) -> (d0 - 1),  d0 in [1, 8]
//
// A dimension that the smaller tensor does not have is one of size 1.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/tensor_ops.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/indices.h"

namespace indexical {
namespace {

namespace tensor = mlir::tensor;

/// A slice of the larger tensor, and the dimensions that the smaller tensor
/// does not have.
struct Slice {
  MixedList offsets, sizes, strides;
  llvm::SmallBitVector dropped;

  /// Returns the offset, bounded so that the slice fits into a tensor of that
  /// shape.
  Expr offset(Access &access, const ArrayShape &whole, size_t k) const {
    Interval bounds = indicesOf(whole, k);
    if (sizes.isStatic(k) && sizes.values[k] > 1 && strides.isStatic(k)) {
      const auto span = checkedMul(sizes.values[k] - 1, strides.values[k]);
      if (span && *span > 0)
        bounds = bounds.intersect(bounds - Interval::point(*span));
    }
    return offsets.at(access, k, bounds);
  }

  /// Adds the sizes of the smaller tensor, which is number `smaller`.
  void addSizes(SizeRules &rules, int64_t smaller) const {
    int64_t next = 0;
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (dropped[k]) continue;
      const MixedList list = sizes;
      rules.define({smaller, next++}, [list, k](SizeContext &c) {
        return list.in(c, k, {0, Interval::kInfinity});
      });
    }
  }

  /// Returns the coordinates in the larger tensor of an element of the smaller
  /// one.
  Access::Exprs larger(Access &access, const ArrayShape &whole,
                       llvm::ArrayRef<Expr> smaller) const {
    Access::Exprs place;
    size_t next = 0;
    for (size_t k = 0; k < offsets.size(); ++k) {
      Expr e = offset(access, whole, k);
      if (!dropped[k])
        e = e + access.product(smaller[next++], strides.at(access, k));
      place.push_back(e);
    }
    return place;
  }
};

template <typename SliceOp>
Slice sliceOf(SliceOp op, int64_t firstLeaf) {
  Slice slice;
  slice.offsets = mixed(op.getStaticOffsets(), firstLeaf, op);
  slice.sizes =
      mixed(op.getStaticSizes(), firstLeaf + slice.offsets.leafCount(), op);
  slice.strides = mixed(op.getStaticStrides(),
                        slice.sizes.firstLeaf + slice.sizes.leafCount(), op);
  slice.dropped = op.getDroppedDims();
  return slice;
}

/// Returns a SliceOp of ops/, if the slice has only numbers and the same rank.
std::optional<SliceOp> asSliceOp(const Slice &slice, const OpShapes &shapes) {
  if (shapes.operands.size() != 1 || slice.dropped.any() ||
      shapes.results[0].hasUnknownSize() || !slice.offsets.isStatic() ||
      !slice.strides.isStatic() || !slice.sizes.isStatic())
    return std::nullopt;
  SliceOp op;
  static_cast<OpShapes &>(op) = shapes;
  for (size_t k = 0; k < slice.offsets.size(); ++k) {
    const int64_t start = slice.offsets.values[k];
    const int64_t stride = slice.strides.values[k];
    const int64_t size = slice.sizes.values[k];
    const auto span = checkedMul(std::max<int64_t>(size - 1, 0), stride);
    const auto last = span ? checkedAdd(start, *span) : std::nullopt;
    if (!last) return std::nullopt;
    op.starts.push_back(start);
    op.strides.push_back(stride);
    op.limits.push_back(size == 0 ? start : *last + 1);
  }
  // For instance, MLIR allows a slice of no elements behind the end.
  if (!verify(Op(op)).ok()) return std::nullopt;
  return op;
}

}  // namespace

absl::StatusOr<Op> describeExtractSlice(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  const Slice slice = sliceOf(llvm::cast<tensor::ExtractSliceOp>(op), 1);
  if (auto known = asSliceOp(slice, shapes)) return Op(*std::move(known));
  return accessOp(
      std::move(shapes),
      [slice](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        if (operand > 0) {
          list.addEverything(s.results[0], s.operands[operand]);
          return absl::OkStatus();
        }
        Access &access = list.add();
        access.result = access.loopsOver(s.results[0]);
        access.operand = slice.larger(access, s.operands[0], access.result);
        return absl::OkStatus();
      },
      [slice](const OpShapes &s, SizeRules &rules) {
        slice.addSizes(rules, s.operands.size());
      });
}

namespace {

/// The direction in which a slice's elements lie along one dimension, from the
/// offset: upwards, downwards, or all at the offset.
enum class Way : uint8_t { Up, Down, Nowhere };

/// Whether the stride of a dimension is an operand, and the size is not 1.
bool isOpen(const Slice &slice, size_t k) {
  return slice.sizes.values[k] != 1 && !slice.strides.isStatic(k);
}

Stretch stretchOf(Access &access, const Slice &slice, const ArrayShape &result,
                  size_t k, Way way) {
  const Expr start = slice.offset(access, result, k);
  const Expr one = access.constant(1), at = access.result[k];
  auto stride = [&](Interval bounds) {
    const Expr e = slice.strides.at(access, k, bounds);
    // Adds the constraint even if the piece does not use the stride otherwise.
    if (!slice.strides.isStatic(k)) access.constraint(e, bounds);
    return e;
  };
  if (way == Way::Nowhere) {
    if (isOpen(slice, k)) stride(Interval::point(0));
    return {at, start, one, one};
  }
  const Expr size = slice.sizes.at(access, k, {0, Interval::kInfinity});
  if (way == Way::Up)
    return {at, start, size, stride({1, Interval::kInfinity})};
  const Expr down = stride({Interval::kMinusInfinity, -1});
  return {at, start + access.product(size - 1, down), size, -down};
}

llvm::SmallVector<Way, 3> waysOf(const Slice &slice, size_t k) {
  if (isOpen(slice, k)) return {Way::Up, Way::Down, Way::Nowhere};
  const int64_t stride = slice.strides.values[k];
  if (slice.sizes.values[k] == 1 || stride == 0) return {Way::Nowhere};
  return {stride < 0 ? Way::Down : Way::Up};
}

/// Restricts the number of elements along a dimension, even if the piece does
/// not use it otherwise.
void restrictSize(Access &access, const Slice &slice, size_t k,
                  Interval bounds) {
  access.constraint(slice.sizes.at(access, k, bounds), bounds);
}

/// Restricts to the elements of the slice along one dimension, for a stride of
/// either sign: their numbers are below the size.
void restrictToSlice(Access &access, const Slice &slice,
                     const ArrayShape &shape, size_t k) {
  const bool isStatic = slice.sizes.isStatic(k);
  if (!isOpen(slice, k)) {
    const Way way = waysOf(slice, k)[0];
    if (way == Way::Nowhere && !isStatic)
      restrictSize(access, slice, k, {1, Interval::kInfinity});
    return restrictInside(access, {stretchOf(access, slice, shape, k, way)});
  }
  const Expr number = access.loop(
      {0, isStatic ? slice.sizes.values[k] - 1 : Interval::kInfinity});
  if (!isStatic)
    access.constraint(
        number - slice.sizes.at(access, k, {0, Interval::kInfinity}),
        {Interval::kMinusInfinity, -1});
  const Expr stride = slice.strides.at(access, k);
  access.constraint(access.result[k] - slice.offset(access, shape, k) -
                        access.product(number, stride),
                    Interval::point(0));
}

/// Adds the elements of the destination that the slice leaves: those inside the
/// slice along the first dimensions and outside along the next one, in which
/// the slice lies up, down or nowhere. A slice whose elements all lie at one
/// place may have none.
void addRest(AccessList &list, const Slice &slice, const OpShapes &s) {
  const ArrayShape &result = s.results[0];
  const size_t rank = slice.sizes.size();
  if (llvm::is_contained(slice.sizes.values, 0))
    return list.addIdentity(result);
  auto begin = [&](size_t k) -> Access & {
    Access &access = list.add();
    access.result = access.loopsOver(result);
    access.operand = access.result;
    for (size_t j = 0; j < k; ++j) restrictToSlice(access, slice, result, j);
    return access;
  };
  for (size_t k = 0; k < rank; ++k)
    for (Way way : waysOf(slice, k)) {
      const bool maybeNone = way == Way::Nowhere && !slice.sizes.isStatic(k);
      for (size_t side = 0; side < outsidePieces(1); ++side) {
        Access &access = begin(k);
        if (maybeNone) restrictSize(access, slice, k, {1, Interval::kInfinity});
        restrictOutside(access, {stretchOf(access, slice, result, k, way)},
                        side);
      }
      if (!maybeNone) continue;
      Access &access = begin(k);
      restrictSize(access, slice, k, Interval::point(0));
      stretchOf(access, slice, result, k, way);
    }
}

}  // namespace

absl::StatusOr<Op> describeInsertSlice(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  const Slice slice = sliceOf(llvm::cast<tensor::InsertSliceOp>(op), 2);
  return accessOp(
      std::move(shapes),
      [slice](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        if (operand > 1) {
          list.addEverything(s.results[0], s.operands[operand]);
        } else if (operand == 1) {
          addRest(list, slice, s);
        } else {
          Access &access = list.add();
          access.operand = access.loopsOver(s.operands[0]);
          access.result = slice.larger(access, s.results[0], access.operand);
        }
        return absl::OkStatus();
      },
      [slice](const OpShapes &s, SizeRules &rules) {
        addSame(rules, s.results[0], 1, s.operands.size());
        slice.addSizes(rules, 0);
      });
}

//===-- Padding -----------------------------------------------------------===//

namespace {

/// Returns the source within the result, as a box.
llvm::SmallVector<Stretch, 6> sourceBox(Access &access, const MixedList &low,
                                        const ArrayShape &source) {
  llvm::SmallVector<Stretch, 6> box;
  for (size_t k = 0; k < low.size(); ++k) {
    const int64_t size = source.dimensions[k];
    box.push_back(
        {access.result[k], low.at(access, k),
         size == kDynamicSize ? access.sizeOf(0, k) : access.constant(size),
         access.constant(1)});
  }
  return box;
}

}  // namespace

absl::StatusOr<Op> describeTensorPad(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  auto pad = llvm::cast<tensor::PadOp>(op);
  const MixedList low = mixed(pad.getStaticLow(), 1, op);
  const MixedList high = mixed(pad.getStaticHigh(), 1 + low.leafCount(), op);
  const int64_t own = op->getNumOperands();
  const RegionReads reads(op, op->getRegion(0));
  const auto yielded =
      reads.of(op->getRegion(0).front().getTerminator()->getOperand(0));
  return regionOp(
      op, std::move(shapes),
      [&](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        const ArrayShape &source = s.operands[0];
        if (operand == 0) {
          Access &access = list.add();
          access.operand = access.loopsOver(source);
          for (auto [k, e] : llvm::enumerate(access.operand))
            access.result.push_back(e + low.at(access, k));
        } else if (operand < own) {
          list.addEverything(s.results[0], s.operands[operand]);
        } else if (source.isEmpty()) {
          addRegionReads(list, reads, yielded, s, operand, nullptr);
        } else {
          // The reads of the body, in each piece of the padding.
          for (size_t piece = 0; piece < outsidePieces(low.size()); ++piece)
            addRegionReads(list, reads, yielded, s, operand,
                           [&](Access &access) {
                             restrictOutside(
                                 access, sourceBox(access, low, source), piece);
                           });
        }
        return absl::OkStatus();
      },
      [low, high](const OpShapes &s, SizeRules &rules) {
        for (int64_t k = 0; k < static_cast<int64_t>(low.size()); ++k)
          rules.define({static_cast<int64_t>(s.operands.size()), k},
                       [low, high, k](SizeContext &c) {
                         const Interval all = Interval::all();
                         return low.in(c, k, all) + c.size({0, k}) +
                                high.in(c, k, all);
                       });
      });
}

}  // namespace indexical
