// Conversion from and to mlir::AffineMap.
//
//   AffineMap (d0, d1)[s0] -> (d0 floordiv 8, d1 + s0) with the bounds
//   d0 in [0, 31], d1 in [0, 9], s0 in [0, 2] is the IndexingMap of that text.
//
// AffineExprs are made one term at a time: MLIR's `operator+` is wrong if
// its right-hand side is itself a sum (d0 + ((d0 floordiv 4) * 4 - 1) would
// become d0 mod 4).
//
// Law (tests/indexing/affine_map_test.cc, at points): both directions keep
// every value. fromAffineMap(m.affineMap(), …) == m for maps without
// constraints, if MLIR folds nothing as it builds (it makes d0 * 3 of (d0 * 6)
// floordiv 2).
#ifndef INDEXICAL_INDEXING_AFFINE_MAP_H
#define INDEXICAL_INDEXING_AFFINE_MAP_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"

namespace indexical {

/// Returns the affine map on the box of these bounds. Its symbols are the
/// ranges, then the runtime variables. Semi-affine expressions are kept.
/// Returns an error if the counts differ, if arithmetic leaves 64 bits, or if a
/// divisor can be zero.
absl::StatusOr<IndexingMap> fromAffineMap(
    mlir::AffineMap map, llvm::ArrayRef<Interval> dimensions,
    llvm::ArrayRef<Interval> ranges = {},
    llvm::ArrayRef<Interval> runtime = {});

/// Returns an AffineExpr as an expression of `builder`: the first `numRanges`
/// symbols are its ranges, the others its runtime variables. It serves to add
/// constraints that a compiler holds as AffineExprs.
absl::StatusOr<Expr> fromAffineExpr(mlir::AffineExpr expr,
                                    IndexingMapBuilder &builder,
                                    unsigned numRanges);

/// Returns map.affineMap(), or an error if a result has a minimum or a maximum.
absl::StatusOr<mlir::AffineMap> affineMapOf(const IndexingMap &map,
                                            mlir::MLIRContext *context);

/// Returns one of the map's expressions, a result's or a constraint's, as
/// MLIR's. Returns an error if it has a minimum or a maximum.
absl::StatusOr<mlir::AffineExpr> affineExpr(const IndexingMap &map, FormId form,
                                            mlir::MLIRContext *context);

/// Returns maps without minima and maxima, which have no point in common and
/// are this map together: for each positive part, one in which it is 0 and one
/// in which it is its parent. Nothing is simplified, and a map may have no
/// point. Returns an error if that makes more than 1,024 maps.
///
///    (d0) -> (min(d0, 5)), domain: d0 in [0, 9]    becomes
///    (d0) -> (d0), domain: d0 in [0, 9], d0 in [-inf, 5]  and
///    (d0) -> (5), domain: d0 in [0, 9], d0 in [6, inf]
absl::StatusOr<std::vector<IndexingMap>> affinePieces(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_AFFINE_MAP_H
