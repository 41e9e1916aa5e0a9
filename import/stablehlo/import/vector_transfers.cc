// Transfers between tensors and vectors.
//
//   vector.transfer_read %t[%i, %j], %pad
//       {permutation_map = affine_map<(d0, d1) -> (d1)>}
//       : tensor<8x30xf32>, vector<4xf32>
//     the tensor   (d0){rt0, rt1} -> (rt0, d0 + rt1),  d0 + rt1 in [0, 29]
//     the padding  (d0){rt1} -> () in two pieces, where
//                  d0 + rt1 in [-inf, -1], d0 + rt1 in [30, inf]
//     the indices  (d0) -> ()
//
// Along a dimension that is said to be in bounds, and along those that the
// vector does not have, what is outside is undefined: the index is in bounds. A
// mask chooses between the element and the padding, or what was there: both are
// read, as a select reads both, and the mask at each element.
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/vector_ops.h"
#include "indexical/ops/indices.h"

namespace indexical {
namespace {

namespace vector = mlir::vector;

struct Transfer {
  int64_t firstIndex = 0;  ///< leaf of the first index
  /// For each dimension of the tensor, the vector's dimension, or -1.
  Int64s vectorDims;
  /// For each dimension of the tensor, whether the op promises that it is in
  /// bounds.
  llvm::SmallVector<bool, 6> inBounds;

  /// Dimensions of the vector that an element of the tensor holds itself stand
  /// behind those that the map has.
  Int64s maskDims() const {
    Int64s dims;
    for (int64_t dim : vectorDims)
      if (dim >= 0) dims.push_back(dim);
    return dims;
  }

  Interval indexBounds(const ArrayShape &tensor, size_t k) const {
    return inBounds[k] ? indicesOf(tensor, k) : Interval::all();
  }
  Expr index(Access &access, const ArrayShape &tensor, size_t k) const {
    return access.element(indexBounds(tensor, k), firstIndex + k, {});
  }
  /// The place in the tensor of an element of the vector.
  Access::Exprs place(Access &access, const ArrayShape &tensor,
                      llvm::ArrayRef<Expr> element) const {
    Access::Exprs made;
    for (size_t k = 0; k < vectorDims.size(); ++k) {
      const Expr start = index(access, tensor, k);
      made.push_back(vectorDims[k] < 0 ? start
                                       : start + element[vectorDims[k]]);
    }
    return made;
  }
};

template <typename TransferOp>
Transfer transferOf(TransferOp op, int64_t tensorRank, int64_t firstIndex) {
  Transfer transfer;
  transfer.firstIndex = firstIndex;
  transfer.vectorDims.assign(tensorRank, -1);
  transfer.inBounds.assign(tensorRank, true);
  const llvm::SmallVector<bool> inBounds = op.getInBoundsValues();
  for (auto [k, expr] : llvm::enumerate(op.getPermutationMap().getResults()))
    if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr)) {
      transfer.vectorDims[dim.getPosition()] = k;
      transfer.inBounds[dim.getPosition()] = inBounds[k];
    }
  return transfer;
}

/// The tensor as a box around the place of a vector's element, along what may
/// be out of bounds.
llvm::SmallVector<Stretch, 6> tensorBox(Access &access,
                                        const Transfer &transfer,
                                        const ArrayShape &tensor,
                                        int64_t tensorLeaf,
                                        llvm::ArrayRef<Expr> element) {
  const Access::Exprs place = transfer.place(access, tensor, element);
  llvm::SmallVector<Stretch, 6> box;
  for (size_t k = 0; k < place.size(); ++k) {
    if (transfer.inBounds[k]) continue;
    const int64_t size = tensor.dimensions[k];
    box.push_back({place[k], access.constant(0),
                   size == kDynamicSize ? access.sizeOf(tensorLeaf, k)
                                        : access.constant(size),
                   access.constant(1)});
  }
  return box;
}

/// Whether the op has an operand of that number, its mask: one of its own, or
/// one that it lies under.
bool isMasked(const OpShapes &shapes, int64_t mask) {
  return static_cast<int64_t>(shapes.operands.size()) > mask;
}

/// The last dimensions of the element, as many as the shape has: an operand
/// that is one element of a tensor of vectors.
void readTrailing(Access &access, const ArrayShape &shape) {
  for (int64_t k = 0; k < shape.rank(); ++k)
    access.operand.push_back(
        access.result[access.result.size() - shape.rank() + k]);
}

}  // namespace

absl::StatusOr<Op> describeTransferRead(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  auto read = llvm::cast<vector::TransferReadOp>(op);
  const Transfer transfer = transferOf(read, shapes.operands[0].rank(), 1);
  const int64_t padding = 1 + shapes.operands[0].rank();
  const bool masked = isMasked(shapes, padding + 1);
  return accessOp(std::move(shapes), [transfer, padding, masked](
                                         const OpShapes &s, int64_t,
                                         int64_t operand, AccessList &list) {
    const ArrayShape &tensor = s.operands[0], &result = s.results[0];
    if (operand == 0) {
      Access &access = list.add();
      access.result = access.loopsOver(result);
      access.operand = transfer.place(access, tensor, access.result);
    } else if (operand < padding) {
      list.addEverything(result, s.operands[operand]);
    } else if (operand == padding + 1) {
      Access &access = list.add();
      access.result = access.loopsOver(result);
      for (int64_t dim : transfer.maskDims())
        access.operand.push_back(access.result[dim]);
    } else if (masked) {
      Access &access = list.add();
      access.result = access.loopsOver(result);
      readTrailing(access, s.operands[padding]);
    } else {
      const size_t axes = llvm::count(transfer.inBounds, false);
      addOutside(list, axes, [&](Access &access) {
        access.result = access.loopsOver(result);
        readTrailing(access, s.operands[padding]);
        return tensorBox(access, transfer, tensor, 0, access.result);
      });
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<Op> describeTransferWrite(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  auto write = llvm::cast<vector::TransferWriteOp>(op);
  const Transfer transfer = transferOf(write, shapes.operands[1].rank(), 2);
  const int64_t mask = 2 + shapes.operands[1].rank();
  const bool masked = isMasked(shapes, mask);
  return accessOp(std::move(shapes), [transfer, mask, masked](
                                         const OpShapes &s, int64_t,
                                         int64_t operand, AccessList &list) {
    const ArrayShape &vector = s.operands[0], &tensor = s.operands[1];
    if (operand == 0 || operand == mask) {
      Access &access = list.add();
      const Access::Exprs element = access.loopsOver(vector);
      access.result = transfer.place(access, tensor, element);
      if (operand == 0) access.operand = element;
      for (int64_t dim : transfer.maskDims())
        if (operand == mask) access.operand.push_back(element[dim]);
    } else if (operand > 1) {
      list.addEverything(s.results[0], s.operands[operand]);
    } else if (masked) {
      list.addIdentity(tensor);
    } else {
      addOutside(list, tensor.rank(), [&](Access &access) {
        access.result = access.loopsOver(s.results[0]);
        access.operand = access.result;
        llvm::SmallVector<Stretch, 6> box;
        for (int64_t k = 0; k < tensor.rank(); ++k) {
          const int64_t dim = transfer.vectorDims[k];
          box.push_back({access.result[k], transfer.index(access, tensor, k),
                         access.constant(dim < 0 ? 1 : vector.dimensions[dim]),
                         access.constant(1)});
        }
        return box;
      });
    }
    return absl::OkStatus();
  });
}

/// The operands are the tensor, its offsets, the indices along its last
/// dimension, the mask, and the value for masked lanes.
absl::StatusOr<Op> describeVectorGather(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  const int64_t rank = shapes.operands[0].rank();
  return accessOp(std::move(shapes), [rank](const OpShapes &s, int64_t,
                                            int64_t operand, AccessList &list) {
    if (operand > 0 && operand <= rank) {
      list.addEverything(s.results[0], s.operands[operand]);
      return absl::OkStatus();
    }
    Access &access = list.add();
    access.result = access.loopsOver(s.results[0]);
    access.operand = access.result;
    if (operand > 0) return absl::OkStatus();
    access.operand.clear();
    for (int64_t k = 0; k < rank; ++k)
      access.operand.push_back(access.element(Interval::all(), 1 + k, {}));
    if (rank > 0)
      access.operand.back() =
          access.operand.back() +
          access.element(Interval::all(), 1 + rank, access.result);
    return absl::OkStatus();
  });
}

}  // namespace indexical
