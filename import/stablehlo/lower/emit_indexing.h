// Maps as code: ops that compute a map's results, and whether the map holds.
//
// A code generator that has loops needs the element that is read. With
//
//   (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]
//
// and a value %d0 that is a valid dimension of the affine dialect, emitIndexing
// makes
//
//   %0 = affine.apply (d0) -> (d0 floordiv 8)(%d0)
//   %1 = affine.apply (d0) -> (d0 mod 8)(%d0)
//
// and for any other %d0
//
//   %c8 = arith.constant 8 : index
//   %0 = arith.divui %d0, %c8 : index
//   %1 = arith.remui %d0, %c8 : index
//
// Divisions are unsigned, and sums and products have `nsw` and `nuw`, if the
// bounds of the variables allow it. A part that several expressions share is
// computed once.
//
// The condition is an i1: the variables are within their bounds and the
// constraints hold. If it is true, the results are those of the map. If it is
// false, they may be poison; the condition itself never is.
//
// Law (tests/import/stablehlo/lower/emit_indexing_test.cc): at points in and
// around the domain, the emitted condition is IndexingMap::contains, and if it
// is true, the emitted results are those of IndexingMap::evaluate.
#ifndef INDEXICAL_IMPORT_STABLEHLO_LOWER_EMIT_INDEXING_H
#define INDEXICAL_IMPORT_STABLEHLO_LOWER_EMIT_INDEXING_H

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/ValueRange.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

struct EmitOptions {
  /// Whether `affine.apply` is written for values that are valid there. If
  /// false, all code is `arith`.
  bool affine = true;
  /// Whether the variables are known to be within their bounds. The condition
  /// then checks only the constraints.
  bool assumeBounds = false;
  /// Whether a condition is emitted. If false, it is null, except for a map
  /// that is known to be empty.
  bool condition = true;
  /// The width that `index` will have. Sums that may exceed it have no flags.
  unsigned indexBits = 64;
};

struct EmittedIndexing {
  llvm::SmallVector<mlir::Value> results;  ///< of type `index`
  mlir::Value condition;                   ///< of type `i1`
};

/// Adds the ops at the builder's insertion point. Takes one value of type
/// `index` for each dimension, range and visible runtime variable, in the map's
/// order. For a clamped runtime variable the value is the element: the emitted
/// code clamps it.
///
/// Values are numbers of 64 bits: an expression over open bounds wraps if it
/// exceeds them. A map that is known to be empty has no results and the
/// condition false. Returns an InvalidArgument status if the number of values
/// is wrong, a value is not of type `index`, or the map names members of
/// collectives.
absl::StatusOr<EmittedIndexing> emitIndexing(mlir::OpBuilder &builder,
                                             const IndexingMap &map,
                                             mlir::ValueRange dimensions,
                                             mlir::ValueRange ranges,
                                             mlir::ValueRange runtime,
                                             mlir::Location location,
                                             const EmitOptions &options = {});

/// Adds the ops of a map at the builder's insertion point, at an unknown
/// location. Takes one value of type `index` for each variable, and returns an
/// error, as the function with a location does.
absl::StatusOr<EmittedIndexing> emitIndexing(mlir::OpBuilder &builder,
                                             const IndexingMap &map,
                                             mlir::ValueRange dimensions,
                                             mlir::ValueRange ranges = {},
                                             mlir::ValueRange runtime = {},
                                             const EmitOptions &options = {});

/// Returns whether `affine.apply`, `affine.load` and `affine.if` may use the
/// value at the builder's insertion point.
bool isAffineOperand(mlir::OpBuilder &builder, mlir::Value value);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_LOWER_EMIT_INDEXING_H
