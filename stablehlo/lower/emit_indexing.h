// Maps as code: the ops that compute a map's results, and whether it holds.
//
// For a code generator that has loops and wants the element that is read. With
//
//   (d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]
//
// and a value %d0 that is a valid dimension of the affine dialect, emitIndexing
// makes
//
//   %0 = affine.apply (d0) -> (d0 floordiv 8)(%d0)
//   %1 = affine.apply (d0) -> (d0 mod 8)(%d0)
//
// and of any other %d0
//
//   %c8 = arith.constant 8 : index
//   %0 = arith.divui %d0, %c8 : index
//   %1 = arith.remui %d0, %c8 : index
//
// Divisions are unsigned, and sums and products have `nsw` and `nuw`, where the
// bounds of the variables say that they may. What several expressions share is
// computed once.
//
// The condition is an i1: the variables are within their bounds and the
// constraints hold. Where it is true, the results are the map's. Where it is
// false they may be poison; the condition itself never is.
//
// Law (tests/stablehlo/lower/emit_indexing_test.cc): run at points in and
// around the domain, the condition is IndexingMap::contains, and the results
// are IndexingMap::evaluate where it holds.
#ifndef INDEXICAL_STABLEHLO_LOWER_EMIT_INDEXING_H
#define INDEXICAL_STABLEHLO_LOWER_EMIT_INDEXING_H

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/ValueRange.h"

#include "indexical/indexing/indexing_map.h"

namespace indexical {

struct EmitOptions {
  /// Writes `affine.apply` where the values are valid there; else `arith`
  /// alone.
  bool affine = true;
  /// The variables are within their bounds: the condition asks for the
  /// constraints only.
  bool assumeBounds = false;
  /// Without it, the condition is null and nothing is computed for it.
  bool condition = true;
  /// The width that `index` will have. Sums that may leave it have no flags.
  unsigned indexBits = 64;
};

struct EmittedIndexing {
  llvm::SmallVector<mlir::Value> results;  ///< of type `index`
  mlir::Value condition;                   ///< of type `i1`
};

/// Adds the ops at the builder's place. There is one value of type `index` for
/// each dimension, range and visible runtime variable, in the map's order. A
/// runtime variable that is clamped is clamped here: its value is the element.
///
/// Values are numbers of 64 bits: an expression over open bounds that leaves
/// them wraps. A map that is known to be empty has no results, and the
/// condition false. An InvalidArgument status where the numbers of values
/// differ, a value is no `index`, or the map names members of collectives.
absl::StatusOr<EmittedIndexing> emitIndexing(mlir::OpBuilder &builder,
                                             const IndexingMap &map,
                                             mlir::ValueRange dimensions,
                                             mlir::ValueRange ranges,
                                             mlir::ValueRange runtime,
                                             mlir::Location location,
                                             const EmitOptions &options = {});

/// The same without a location.
absl::StatusOr<EmittedIndexing> emitIndexing(mlir::OpBuilder &builder,
                                             const IndexingMap &map,
                                             mlir::ValueRange dimensions,
                                             mlir::ValueRange ranges = {},
                                             mlir::ValueRange runtime = {},
                                             const EmitOptions &options = {});

/// Whether `affine.apply`, `affine.load` and `affine.if` may name the value
/// where the builder stands.
bool isAffineOperand(mlir::OpBuilder &builder, mlir::Value value);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_LOWER_EMIT_INDEXING_H
