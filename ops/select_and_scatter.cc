// Select and scatter: each window over the operand selects one of its elements,
// to which the window's source element is scattered.
//
//   operand f32[6], source f32[3], window={size=2 stride=2}
//   source   (d0) -> (d0 floordiv 2)
//   operand  (d0)[s0] -> ((d0 floordiv 2) * 2 + s0),  s0 in [0, 1]
//   init     (d0) -> ()
//
// Which element is selected is not known: a result element reads the source of
// every window that looks at its place, and all that these windows look at
// (ops/window.h). The relation of result and operand is its own inverse, as
// both of a pair are in one window.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "ops/window.h"

namespace indexical {
namespace families {
namespace {

/// The map from windows, or from elements of the operand and the result, that
/// takes the index of each dimension through `step`.
Answer alongAxes(
    const SelectAndScatterOp &op, bool fromWindows,
    llvm::function_ref<Expr(IndexingMapBuilder &, const WindowAxis &, Expr)>
        step) {
  const Int64s all = allDimensions(op.operands[0]);
  auto windows =
      windowsOver(op.window, op.operands[0], all, op.operands[1], all);
  if (!windows.ok()) return windows.status();
  if (windows->areEmpty(windows->precision)) return IndexingRelation();
  IndexingMapBuilder builder;
  for (int64_t k : all) {
    const WindowAxis &axis = windows->axes[k];
    const Interval bounds =
        fromWindows ? axis.windows()
                    : axis.inputs().intersect(indicesOf(op.results[0], k));
    builder.result(step(builder, axis, builder.dimension(bounds)));
  }
  return answerOf(builder, windows->precision);
}

Expr toInput(IndexingMapBuilder &builder, const WindowAxis &axis, Expr w) {
  return axis.toInput(builder, w);
}

Expr toWindow(IndexingMapBuilder &builder, const WindowAxis &axis, Expr e) {
  return axis.toWindow(builder, e);
}

/// To all that a window looks at together with the element.
Expr toNeighbours(IndexingMapBuilder &builder, const WindowAxis &axis, Expr e) {
  return axis.toInput(builder, axis.toWindow(builder, e));
}

}  // namespace

absl::Status verify(const SelectAndScatterOp &op) {
  if (auto status = checkLeaves(op, 3, 1); !status.ok()) return status;
  const ArrayShape &operand = op.operands[0];
  auto counts = windowCounts(op.window, operand, allDimensions(operand));
  if (!counts.ok()) return counts.status();
  if (auto s = checkSizes("operand 1, the source,", op.operands[1], *counts,
                          "the window");
      !s.ok())
    return s;
  if (!op.operands[2].isScalar())
    return invalid(absl::StrCat("operand 2, the init, has the shape ",
                                textOf(op.operands[2]),
                                "; it would be a scalar"));
  if (canAgree(op.results[0], operand)) return absl::OkStatus();
  return invalid(absl::StrCat(
      "the result has the shape ", textOf(op.results[0]),
      "; it would have the sizes of operand 0, ", textOf(operand)));
}

Answer outputToInput(const SelectAndScatterOp &op, int64_t, int64_t operand) {
  if (operand == 2) return everything(op.results[0], op.operands[2]);
  return alongAxes(op, /*fromWindows=*/false,
                   operand == 0 ? toNeighbours : toWindow);
}

Answer inputToOutput(const SelectAndScatterOp &op, int64_t, int64_t operand) {
  if (operand == 2) return everything(op.operands[2], op.results[0]);
  return operand == 0 ? alongAxes(op, /*fromWindows=*/false, toNeighbours)
                      : alongAxes(op, /*fromWindows=*/true, toInput);
}

}  // namespace families
}  // namespace indexical
