// Reduce window: each result element is reduced from a window of the input.
//
//   f32[1024,514] -> f32[1024,3], window={size=1x512}
//   output to input    input  (d0, d1)[s0] -> (d0, d1 + s0),  s0 in [0, 511]
//                      init   (d0, d1) -> ()
//   input to output    input  (d0, d1)[s0] -> (d0, d1 - s0),  d1 - s0 in [0, 2]
//
// One dimension is a WindowAxis; padding and holes are not read.
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/reduction/window.h"

namespace indexical {
namespace families {
namespace {

bool isInit(const ReduceWindowOp &op, int64_t operand) {
  return operand >= static_cast<int64_t>(op.results.size());
}

absl::StatusOr<Windows> windowsOf(const ReduceWindowOp &op, int64_t result,
                                  int64_t operand) {
  const ArrayShape &input = op.operands[operand];
  const Int64s all = allDimensions(input);
  return windowsOver(op.window, input, all, op.results[result], all);
}

}  // namespace

/// C1: as many inits and results as inputs. C2: shapes of the inputs. C3: the
/// inits. C4–C11: the window. C15: the results. The length of lists (C6, C8,
/// C10, C12), the body (C13) and types (C14, C16) are the front end's.
absl::Status verify(const ReduceWindowOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkInputsAndInits(op, "C1", "C2", "C3"));
  const ArrayShape &input = op.operands[0];
  WindowRules rules;
  rules.rank = "C4", rules.size = "C5", rules.stride = "C7";
  rules.baseDilation = "C9", rules.dilation = "C11";
  INDEXICAL_ASSIGN_OR_RETURN(
      auto sizes, windowCounts(op.window, input, allDimensions(input), rules));
  for (size_t r = 0; r < op.results.size(); ++r)
    INDEXICAL_RETURN_IF_ERROR(
        checkShape("C15", Name{"result", "results"}[r], op.results[r], sizes,
                   "the number of windows along each dimension"));
  return absl::OkStatus();
}

Answer reads(const ReduceWindowOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (isInit(op, operand)) return sides.everything();
  INDEXICAL_ASSIGN_OR_RETURN(const auto windows,
                             windowsOf(op, result, operand));
  if (windows.areEmpty(Precision::Exact)) return sides.nothing();
  Bounds places, indices;
  for (const WindowAxis &axis : windows.axes) {
    places.push_back(axis.windows());
    indices.push_back(axis.inputs());
  }
  IndexingMapBuilder builder;
  AccessBuilder access(sides, builder, places, indices);
  for (size_t k = 0; k < windows.axes.size(); ++k)
    access.related(k, k, [&](Expr index) {
      return windows.axes[k].across(builder, sides.direction(), index);
    });
  return access.answer();
}

void addSizeRules(const ReduceWindowOp &op, SizeCollector &c) {
  Int64s all(op.window.size());
  for (size_t k = 0; k < all.size(); ++k) all[k] = k;
  for (int64_t r = 0; r < static_cast<int64_t>(op.results.size()); ++r) {
    c.same(0, r);
    c.same(c.result(0), c.result(r));
  }
  addWindowSizes(c, op.window, 0, all, c.result(0), all);
}

}  // namespace families
}  // namespace indexical
