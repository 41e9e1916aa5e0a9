// A tensor and the same tensor cut into tiles, from the packed side:
//
//   tensor<13x8xf32> packed into tensor<8x4x4xf32>, inner_dims_pos = [0],
//   inner_tiles = [4], outer_dims_perm = [1, 0]
//     source         packed (o0, o1, i0)  is unpacked (o1 * 4 + i0, o0)
//     padding value  where o1 * 4 + i0 is 13 or more
//   the inverse  (d0, d1) -> (d1, d0 floordiv 4, d0 mod 4)
//
// No result of unpack reads the elements behind its end, which unpack drops.
// The destination only gives sizes. A tile size that is an operand is a runtime
// variable.
#include "indexical/import/stablehlo/import/linalg_relayout.h"

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "indexical/import/stablehlo/import/accesses.h"

namespace indexical {
namespace {

struct Tiling {
  Int64s outerPermutation;  ///< outer dimension k is this unpacked one
  Int64s innerPositions;
  MixedList tiles;
};

template <typename RelayoutOp>
Tiling tilingOf(RelayoutOp op, int64_t firstTileLeaf, int64_t unpackedRank) {
  Tiling tiling;
  llvm::append_range(tiling.outerPermutation, op.getOuterDimsPerm());
  if (tiling.outerPermutation.empty())
    for (int64_t k = 0; k < unpackedRank; ++k)
      tiling.outerPermutation.push_back(k);
  llvm::append_range(tiling.innerPositions, op.getInnerDimsPos());
  tiling.tiles = mixed(op.getStaticInnerTiles(), firstTileLeaf);
  return tiling;
}

/// Returns the coordinates in the unpacked tensor of a packed element. `packed`
/// are loops.
Access::Exprs unpackedOf(Access &access, const Tiling &tiling,
                         llvm::ArrayRef<Expr> packed) {
  const size_t rank = tiling.outerPermutation.size();
  Access::Exprs unpacked(rank);
  for (size_t k = 0; k < rank; ++k)
    unpacked[tiling.outerPermutation[k]] = packed[k];
  for (auto [i, position] : llvm::enumerate(tiling.innerPositions)) {
    const Expr tile = tiling.tiles.at(access, i, {1, Interval::kInfinity});
    const Expr inner = packed[rank + i];
    access.constraint(inner - tile, {Interval::kMinusInfinity, -1});
    unpacked[position] = access.product(unpacked[position], tile) + inner;
  }
  return unpacked;
}

/// Adds the places of the packed result that hold padding: one coordinate is
/// behind the end of the source.
void addPadding(AccessList &list, const Tiling &tiling, const OpShapes &s) {
  const ArrayShape &source = s.operands[0];
  for (size_t k = 0; k < tiling.innerPositions.size(); ++k) {
    Access &access = list.add();
    access.result = access.loopsOver(s.results[0]);
    const Access::Exprs place = unpackedOf(access, tiling, access.result);
    // Inside along the earlier axes, outside along this one.
    for (size_t i = 0; i <= k; ++i) {
      const int64_t position = tiling.innerPositions[i];
      const int64_t size = source.dimensions[position];
      const Expr behind = size == kDynamicSize
                              ? place[position] - access.sizeOf(0, position)
                              : place[position] - size;
      access.constraint(behind, i < k ? Interval{Interval::kMinusInfinity, -1}
                                      : Interval{0, Interval::kInfinity});
    }
  }
}

}  // namespace

absl::StatusOr<Op> describePack(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  auto pack = llvm::cast<mlir::linalg::PackOp>(op);
  const bool pads = static_cast<bool>(pack.getPaddingValue());
  const Tiling tiling = tilingOf(pack, pads ? 3 : 2, shapes.operands[0].rank());
  return accessOp(
      std::move(shapes), [tiling, pads](const OpShapes &s, int64_t,
                                        int64_t operand, AccessList &list) {
        if (operand == 1) return absl::OkStatus();
        if (operand == 2 && pads) {
          addPadding(list, tiling, s);
        } else if (operand >= 2) {
          list.addEverything(s.results[0], s.operands[operand]);
        } else {
          Access &access = list.add();
          access.result = access.loopsOver(s.results[0]);
          access.operand = unpackedOf(access, tiling, access.result);
        }
        return absl::OkStatus();
      });
}

absl::StatusOr<Op> describeUnpack(mlir::Operation *op, OpShapes shapes) {
  if (auto why = whyNot(op, shapes))
    return coverOp(std::move(shapes), Precision::Opaque, *why);
  auto unpack = llvm::cast<mlir::linalg::UnPackOp>(op);
  const Tiling tiling = tilingOf(unpack, 2, shapes.results[0].rank());
  return accessOp(
      std::move(shapes),
      [tiling](const OpShapes &s, int64_t, int64_t operand, AccessList &list) {
        if (operand == 1) return absl::OkStatus();
        if (operand >= 2) {
          list.addEverything(s.results[0], s.operands[operand]);
        } else {
          Access &access = list.add();
          access.operand = access.loopsOver(s.operands[0]);
          access.result = unpackedOf(access, tiling, access.operand);
        }
        return absl::OkStatus();
      });
}

}  // namespace indexical
