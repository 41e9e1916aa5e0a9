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
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/reduction/window.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

absl::StatusOr<Windows> windowsOf(const SelectAndScatterOp &op) {
  const Int64s all = allDimensions(op.operands[0]);
  return windowsOver(op.window, op.operands[0], all, op.operands[1], all);
}

/// The elements of the result that a window looks at.
Interval elementsOf(const SelectAndScatterOp &op, const WindowAxis &axis,
                    int64_t k) {
  return axis.inputs().intersect(indicesOf(op.results[0], k));
}

/// The sources of the windows that look at an element.
Answer readsOfSource(const SelectAndScatterOp &op, const Windows &windows,
                     const Sides &sides) {
  Bounds places, indices;
  for (const WindowAxis &axis : windows.axes) {
    places.push_back(elementsOf(op, axis, places.size()));
    indices.push_back(axis.windows());
  }
  IndexingMapBuilder builder;
  AccessBuilder access(sides, builder, places, indices);
  for (size_t k = 0; k < windows.axes.size(); ++k)
    access.related(k, k, [&](Expr index) {
      return sides.isForward() ? windows.axes[k].toWindow(builder, index)
                               : windows.axes[k].toInput(builder, index);
    });
  return access.answer();
}

/// The map from an element to all elements that share a window with it. It is
/// its own inverse.
Answer neighbours(const SelectAndScatterOp &op, const Windows &windows) {
  IndexingMapBuilder builder;
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder);
  for (size_t k = 0; k < windows.axes.size(); ++k) {
    const WindowAxis &axis = windows.axes[k];
    Expr window =
        axis.toWindow(builder, builder.dimension(elementsOf(op, axis, k)));
    // The window is neither result nor dimension, which are cut by others.
    if (!isFixed(op.operands[1], k))
      builder.constraint(window - variables.size({1, static_cast<int64_t>(k)}),
                         {Interval::kMinusInfinity, -1});
    builder.result(axis.toInput(builder, window));
  }
  return answerOf(builder);
}

}  // namespace

/// C2: the source. C3: the init. C4–C7: the window. C11: the result. The length
/// of lists (C6, C8), the bodies (C9, C10) and types (C1, C12) are the front
/// end's.
absl::Status verify(const SelectAndScatterOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 3, 1));
  const ArrayShape &operand = op.operands[0];
  INDEXICAL_RETURN_IF_ERROR(checkScalar(
      "C3", {"operand 2, the init,", "init_value"}, op.operands[2]));
  WindowRules rules;
  rules.rank = "C4", rules.size = "C5", rules.stride = "C7";
  INDEXICAL_ASSIGN_OR_RETURN(
      auto counts,
      windowCounts(op.window, operand, allDimensions(operand), rules));
  INDEXICAL_RETURN_IF_ERROR(
      checkShape("C2", {"operand 1, the source,", "source"}, op.operands[1],
                 counts, "the number of windows along each dimension"));
  return checkSameShape("C11", {"operand 0", "operand"}, operand, "result",
                        op.results[0]);
}

Answer reads(const SelectAndScatterOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  if (operand == 2) return sides.everything();
  INDEXICAL_ASSIGN_OR_RETURN(const auto windows, windowsOf(op));
  if (windows.areEmpty(Precision::Exact)) return sides.nothing();
  return operand == 0 ? neighbours(op, windows)
                      : readsOfSource(op, windows, sides);
}

void addSizeRules(const SelectAndScatterOp &, SizeCollector &c) {
  c.same(0, c.result(0));
}

}  // namespace families
}  // namespace indexical
