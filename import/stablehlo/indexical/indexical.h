// The library's extension of MLIR: maps as attributes, and an interface by
// which an op of any dialect describes what it reads.
//
//   #indexical.map<"(d0, d1) -> (d1, d0), domain: d0 in [0, 1], d1 in [0, 2]">
//
// An op of your own implements the interface in ODS:
//
//   include "import/stablehlo/indexical/indexical.td"
//   def RotateOp : Op<MyDialect, "rotate", [
//       DeclareOpInterfaceMethods<ReadsOpInterface, ["describeAccesses"]>]>
//     { … }
//
// An op of another project gets it attached, as an external model:
//
//   struct RotateReads
//       : ir::ReadsOpInterface::ExternalModel<RotateReads, their::RotateOp> {
//     absl::Status describeAccesses(mlir::Operation *, const OpShapes &shapes,
//                                   int64_t, int64_t, AccessList &list) const {
//       Access &access = list.add();
//       access.result = access.loopsOver(shapes.results[0]);
//       access.operand = {mod(access.result[0] + 3, 8)};
//       return absl::OkStatus();
//     }
//   };
//   their::RotateOp::attachInterface<RotateReads>(context);
//
// The op is then like any other: it can be imported, composed with the ops
// before and after it, and queried in both directions (queries.h). The
// interface takes precedence over the library's own rows and over the
// elementwise traits. An op with none of these is opaque.
#ifndef INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_INDEXICAL_H
#define INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_INDEXICAL_H

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/access.h"
#include "indexical/ops/op.h"
#include "indexical/import/stablehlo/indexical/dialect.h.inc"

namespace indexical::ir {

class ReadsOpInterface;

/// Returns the error of an op that has the interface but implements no method.
absl::Status notDescribed(mlir::Operation *op);
/// Returns a descriptor whose maps are the op's accesses.
absl::StatusOr<Op> describeByAccesses(ReadsOpInterface op, OpShapes shapes);

}  // namespace indexical::ir

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "indexical/import/stablehlo/indexical/interfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "indexical/import/stablehlo/indexical/attributes.h.inc"
#pragma GCC diagnostic pop

#endif  // INDEXICAL_IMPORT_STABLEHLO_INDEXICAL_INDEXICAL_H
