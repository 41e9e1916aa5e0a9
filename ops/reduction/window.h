// A window that moves over one dimension of an input.
//
// The input is spread out by the base dilation and padded; from there on its
// elements and holes are *places*. Element e stands at place e * base + low,
// and position s of window w looks at place w * stride + s * dilation:
//
//   size 3, stride 2, low padding 1 over 6 elements: 3 windows
//   place    0    1    2    3    4    5    6
//            pad  e0   e1   e2   e3   e4   e5
//   windows  [0       0]
//                      [1        1]
//                                [2        2]
//   toInput   (d0)[s0] -> (d0 * 2 + s0 - 1),  s0 in [0, 2],
//             d0 * 2 + s0 in [1, 6]
//   toWindow  (d0)[s0] -> ((d0 + 1) floordiv 2 - s0),  s0 in [0, 1],
//             (d0 + 1) mod 2 + s0 * 2 in [0, 2], d0 - s0 * 2 in [-1, 4]
//
// A window that reaches past one end wherever it stands is a prefix or a
// suffix:
//
//   size 8, low padding 7 over 8 elements
//   toInput   (d0)[s0] -> (s0),  s0 in [0, 7], s0 - d0 in [-inf, 0]
//
// Law: w is among toWindow(e) if and only if e is among toInput(w): the window
// looks at the place of the element. Padding and holes belong to no element.
// The order in which a window is walked (`reversed`) changes nothing here.
//
// Reduce-window, convolution and select-and-scatter are composed of such axes.
#ifndef INDEXICAL_OPS_REDUCTION_WINDOW_H
#define INDEXICAL_OPS_REDUCTION_WINDOW_H

#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

class WindowAxis {
 public:
  /// Makes an axis of `inputs`, the indices of the elements, over which windows
  /// with the numbers `windows` move.
  WindowAxis(const WindowDimension &window, Interval inputs, Interval windows);

  Interval inputs() const { return inputs_; }
  Interval windows() const { return windows_; }

  /// Returns the index of any element that window `w` looks at. Adds the range
  /// variable and the constraints that this takes.
  Expr toInput(IndexingMapBuilder &builder, Expr w) const {
    return across(builder, Direction::OutputToInput, w);
  }
  /// Returns the number of any window that looks at element `e`. Adds the range
  /// variable and the constraints that this takes.
  Expr toWindow(IndexingMapBuilder &builder, Expr e) const {
    return across(builder, Direction::InputToOutput, e);
  }
  /// Returns toInput(known) for OutputToInput, and toWindow(known) for
  /// InputToOutput.
  Expr across(IndexingMapBuilder &builder, Direction direction,
              Expr known) const;

  /// Returns whether the map of toInput() or that of toWindow() is seen to be
  /// empty while it is built.
  bool isKnownEmpty() const;

 private:
  Interval inputs_, windows_, positions_;
  /// Steps between things of which there is one are 1, or 0 for the dilation.
  int64_t stride_, dilation_, base_, low_;
};

/// An op's numbers of the constraints on its window, and its names for what
/// HLO's `window={…}` calls size, stride, lhs_dilate and rhs_dilate.
struct WindowRules {
  Rule rank, size, stride, baseDilation, dilation;
  llvm::StringRef sizeName = "window_dimensions";
  llvm::StringRef baseDilationName = "base_dilations";
  llvm::StringRef dilationName = "window_dilations";
  /// Whether the window's sizes are those of a tensor, which may be unknown.
  bool openSizes = false;
};

/// Returns the number of places of the window along each of `dimensions` of the
/// input; kDynamicSize if the input's size or the window's is open. Returns an
/// error if the window does not have one dimension for each, has sizes or steps
/// below 1, or leaves 64 bits.
absl::StatusOr<Int64s> windowCounts(llvm::ArrayRef<WindowDimension> window,
                                    const ArrayShape &input,
                                    llvm::ArrayRef<int64_t> dimensions,
                                    const WindowRules &rules = {});

/// The axes of a window.
struct Windows {
  llvm::SmallVector<WindowAxis, 4> axes;
  /// Returns whether no window looks at any element. An answer without pieces
  /// is exact; so if it would be a cover, both directions must be seen to be
  /// empty, not just one.
  bool areEmpty(Precision answer) const;
};

/// Returns an axis for each of `dimensions` of the input; its windows are the
/// indices of the result along `resultDimensions`. Requires
/// windowCounts(…).ok().
absl::StatusOr<Windows> windowsOver(llvm::ArrayRef<WindowDimension> window,
                                    const ArrayShape &input,
                                    llvm::ArrayRef<int64_t> dimensions,
                                    const ArrayShape &result,
                                    llvm::ArrayRef<int64_t> resultDimensions);

/// Returns 0 … rank - 1, for windows over all dimensions.
Int64s allDimensions(const ArrayShape &shape);

/// Returns how often window `w` fits over `size` elements with `padding` more
/// behind them. If one of these is not a number, the count is right only if
/// there are elements. Returns nothing if it is not found, such as for a
/// dilated input of unknown size.
std::optional<Expr> windowCount(SizeContext &s, WindowDimension w, Expr size,
                                Expr padding);

/// Adds that the sizes of the result's dimensions are counts of windows over
/// the input's dimensions.
void addWindowSizes(SizeCollector &c, llvm::ArrayRef<WindowDimension> window,
                    int64_t input, llvm::ArrayRef<int64_t> dimensions,
                    int64_t result, llvm::ArrayRef<int64_t> resultDimensions);

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_REDUCTION_WINDOW_H
