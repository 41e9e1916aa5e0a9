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
// (ops/reduction/window.h). The relation of result and operand is its own
// inverse, as both of a pair are in one window.
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/reduction/window.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

/// What an element is mapped to.
enum class To {
  Input,       ///< from a window to all that it looks at
  Window,      ///< from an element to the windows that look at it
  Neighbours,  ///< to all that a window looks at together with the element
};

/// The map that takes the index of each dimension there.
Answer alongAxes(const SelectAndScatterOp &op, To where) {
  const Int64s all = allDimensions(op.operands[0]);
  auto windows =
      windowsOver(op.window, op.operands[0], all, op.operands[1], all);
  if (!windows.ok()) return windows.status();
  if (windows->areEmpty(windows->precision)) return IndexingRelation();
  IndexingMapBuilder builder;
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder);
  for (int64_t k : all) {
    const WindowAxis &axis = windows->axes[k];
    if (where == To::Input) {
      builder.result(axis.toInput(builder, builder.dimension(axis.windows())));
      continue;
    }
    Expr index = axis.toWindow(
        builder, builder.dimension(
                     axis.inputs().intersect(indicesOf(op.results[0], k))));
    if (where == To::Neighbours) {
      // The window is neither result nor dimension, which are cut by others.
      if (!isFixed(op.operands[1], k))
        builder.constraint(index - variables.size({1, k}),
                           {Interval::kMinusInfinity, -1});
      index = axis.toInput(builder, index);
    }
    builder.result(index);
  }
  return answerOf(builder, windows->precision);
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

INDEXICAL_WRITTEN_PAIR(SelectAndScatterOp)

Answer outputToInput(const SelectAndScatterOp &op, int64_t, int64_t operand) {
  if (operand == 2) return everything(op.results[0], op.operands[2]);
  return alongAxes(op, operand == 0 ? To::Neighbours : To::Window);
}

Answer inputToOutput(const SelectAndScatterOp &op, int64_t, int64_t operand) {
  if (operand == 2) return everything(op.operands[2], op.results[0]);
  return alongAxes(op, operand == 0 ? To::Neighbours : To::Input);
}

void addSizeRules(const SelectAndScatterOp &, SizeCollector &c) {
  c.same(0, c.result(0));
}

}  // namespace families
}  // namespace indexical
