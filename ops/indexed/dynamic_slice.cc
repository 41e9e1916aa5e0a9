// Dynamic slice: a slice whose start is known at run time.
//
//   s32[2,2,258] -> s32[1,2,32], dynamic_slice_sizes={1, 2, 32}
//   operand 0   (d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + rt2)
//               rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]
//   its inverse (d0, d1, d2){rt0, rt1, rt2} -> (d0 - rt0, d1 - rt1, d2 - rt2)
//               d0 - rt0 in [0, 0], d1 - rt1 in [0, 1], d2 - rt2 in [0, 31]
//   operand 1   (d0, d1, d2) -> ()
#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/indexed/start_indices.h"

namespace indexical {
namespace families {
namespace {

StartIndices startsOf(const DynamicSliceOp &op) {
  // The sizes, not the result's shape, which may leave some open.
  return {op, 1, op.operands[0], ArrayShape(op.results[0].type, op.sizes)};
}

}  // namespace

/// C2–C5; C1 is of types.
absl::Status verify(const DynamicSliceOp &op) {
  if (op.operands.empty() || op.results.size() != 1)
    return invalid(absl::StrCat(
        "the op takes a tensor and its start indices and gives one result, "
        "not ",
        counted(op.operands.size(), "operand"), " and ",
        counted(op.results.size(), "result")));
  const ArrayShape &operand = op.operands[0];
  const Name sizes = {"dynamic_slice_sizes", "slice_sizes"};
  INDEXICAL_RETURN_IF_ERROR(startsOf(op).verify("C2", "C3"));
  INDEXICAL_RETURN_IF_ERROR(
      checkCount("C2", sizes, op.sizes, operand.rank(), "the rank of operand"));
  INDEXICAL_RETURN_IF_ERROR(checkLeast("C4", sizes, op.sizes, 0));
  for (int64_t k = 0; k < operand.rank(); ++k)
    if (operand.dimensions[k] != kDynamicSize &&
        op.sizes[k] > operand.dimensions[k])
      return Broken("C4") << sizes << " must be at most the size of operand, "
                          << operand.dimensions[k] << " in dimension " << k
                          << ", but is " << op.sizes[k];
  return checkShape("C5", "result", op.results[0], op.sizes, sizes);
}

Answer reads(const DynamicSliceOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  // Every element reads every start index.
  if (operand > 0) return sides.everything();
  const StartIndices starts = startsOf(op);
  const Bounds places = indicesOf(starts.slice);
  const Bounds indices = indicesOf(starts.sliced);
  auto make = [&](const Variant &variant, IndexingMapBuilder &builder,
                  SizeVariables &variables) {
    AccessBuilder access(sides, builder, places, indices);
    for (size_t k = 0; k < places.size(); ++k) {
      const Loop l = access.loop(places[k]);
      access.result(k, l);
      access.operand(k, l + starts.start(builder, variables, k, variant));
    }
    access.finish();
  };
  return starts.pieces(sides, OpSizes(op), make);
}

void addSizeRules(const DynamicSliceOp &op, SizeCollector &c) {
  for (int64_t k = 0; k < op.results[0].rank(); ++k)
    c.rules.define({c.result(0), k}, [size = op.sizes[k]](SizeContext &s) {
      return s.constant(size);
    });
}

}  // namespace families
}  // namespace indexical
