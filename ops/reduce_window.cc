// Reduce window: each result element is reduced from a window of the input.
//
//   f32[1024,514] -> f32[1024,3], window={size=1x512}
//   output to input    input  (d0, d1)[s0] -> (d0, d1 + s0),  s0 in [0, 511]
//                      init   (d0, d1) -> ()
//   input to output    input  (d0, d1)[s0] -> (d0, d1 - s0),  d1 - s0 in [0, 2]
//
// Along one dimension the input is spread out by the base dilation and padded.
// Place `s` of window `d` is, in elements and holes of the spread input,
//
//   place = d * stride + s * window dilation - low padding
//
// and reads element `place floordiv base dilation` where the remainder is 0 and
// the element is there: padding and holes are not read. The order in which a
// window is walked (`reversed`) does not change what it reads.
#include "absl/strings/str_cat.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

bool isInit(const ReduceWindowOp &op, int64_t operand) {
  return operand >= static_cast<int64_t>(op.results.size());
}

/// `index` such that index * step == place and index is in `indices`, by
/// constraints where they say something. `bounds` are those of place;
/// `isMultiple`: it is known that step divides place.
Expr quotient(IndexingMapBuilder &builder, Expr place, Interval bounds,
              int64_t step, Interval indices, bool isMultiple) {
  const Interval inside = indices * step;
  if (!inside.contains(bounds)) builder.constraint(place, inside);
  if (step == 1) return place;
  if (!isMultiple) builder.constraint(mod(place, step), Interval::point(0));
  return floorDiv(place, step);
}

/// One dimension of the op, the numbers without meaning put aside.
struct Axis {
  Interval input, result, window;  ///< indices
  int64_t stride, dilation, base, low;

  Axis(const ReduceWindowOp &op, int64_t inputNumber, int64_t resultNumber,
       int64_t k) {
    const WindowDimension &w = op.window[k];
    input = indicesOf(op.operands[inputNumber], k);
    result = indicesOf(op.results[resultNumber], k);
    window = indicesOf(w.size);
    low = w.padLow;
    // Steps between elements of which there is one are any.
    stride = result.isPoint() ? 1 : w.stride;
    dilation = window.isPoint() ? 0 : w.windowDilation;
    base = input.isPoint() ? 1 : w.baseDilation;
  }
};

/// A dimension whose input size is open may have windows that reach past its
/// end, which is not known; without windows and padding it is as it is.
Precision precisionOf(const ReduceWindowOp &op, int64_t input) {
  for (int64_t k = 0; k < op.operands[input].rank(); ++k) {
    const WindowDimension &w = op.window[k];
    const bool plain = w.size == 1 && w.stride == 1 && w.padLow == 0 &&
                       w.padHigh == 0 && w.baseDilation == 1;
    if (!plain && !isFixed(op.operands[input], k)) return Precision::Cover;
  }
  return Precision::Exact;
}

absl::Status verifyWindow(const WindowDimension &w, int64_t k) {
  auto atLeastOne = [&](llvm::StringRef name, int64_t value) {
    if (value >= 1) return absl::OkStatus();
    return invalid(absl::StrCat("window ", name.str(), " ", value,
                                " of dimension ", k, " would be at least 1"));
  };
  absl::Status status = atLeastOne("size", w.size);
  status.Update(atLeastOne("stride", w.stride));
  status.Update(atLeastOne("base dilation", w.baseDilation));
  status.Update(atLeastOne("dilation", w.windowDilation));
  return status;
}

/// The number of windows along a dimension, which has `size` elements; it is
/// not known where the size is not.
absl::StatusOr<int64_t> windowCount(const WindowDimension &w, int64_t size,
                                    int64_t k) {
  const bool none = size == 0 || size == kDynamicSize;
  const Checked spread =
      none ? Checked(0) : Checked(size - 1) * w.baseDilation + 1;
  const Checked padded = Checked(w.padLow) + spread + w.padHigh;
  const Checked reach = Checked(w.size - 1) * w.windowDilation + 1;
  const Checked slack = padded - reach;
  if (!slack.value())
    return invalid(absl::StrCat("window and padding of dimension ", k,
                                " are larger than 64 bits hold"));
  if (size == kDynamicSize) return kDynamicSize;
  if (*padded.value() < 0)
    return invalid(absl::StrCat("window pad ", w.padLow, "_", w.padHigh,
                                " of dimension ", k, " cuts off more than the ",
                                counted(*spread.value(), "place"),
                                " that there are"));
  if (*slack.value() < 0) return 0;
  return *slack.value() / w.stride + 1;
}

}  // namespace

absl::Status verify(const ReduceWindowOp &op) {
  if (auto status = checkInputsAndInits(op); !status.ok()) return status;
  const ArrayShape &input = op.operands[0];
  if (static_cast<int64_t>(op.window.size()) != input.rank())
    return invalid(absl::StrCat("a window of ",
                                counted(op.window.size(), "dimension"), " for ",
                                textOf(input), ", which has ", input.rank()));
  Int64s sizes;
  for (int64_t k = 0; k < input.rank(); ++k) {
    if (auto s = verifyWindow(op.window[k], k); !s.ok()) return s;
    absl::StatusOr<int64_t> count =
        windowCount(op.window[k], input.dimensions[k], k);
    if (!count.ok()) return count.status();
    sizes.push_back(isFixed(input, k) ? *count : kDynamicSize);
  }
  for (size_t r = 0; r < op.results.size(); ++r)
    if (auto s = checkSizes(absl::StrCat("result ", r), op.results[r], sizes,
                            "the window");
        !s.ok())
      return s;
  return absl::OkStatus();
}

Answer outputToInput(const ReduceWindowOp &op, int64_t result,
                     int64_t operand) {
  if (isInit(op, operand))
    return everything(op.results[result], op.operands[operand]);
  IndexingMapBuilder builder;
  for (int64_t k = 0; k < op.operands[operand].rank(); ++k) {
    const Axis axis(op, operand, result, k);
    Expr place = builder.dimension(axis.result) * axis.stride - axis.low;
    if (!axis.window.isPoint())
      place = place + builder.range(axis.window) * axis.dilation;
    const Interval bounds = axis.result * axis.stride +
                            axis.window * axis.dilation -
                            Interval::point(axis.low);
    const bool isMultiple =
        (axis.result.isPoint() || axis.stride % axis.base == 0) &&
        axis.dilation % axis.base == 0 && axis.low % axis.base == 0;
    builder.result(
        quotient(builder, place, bounds, axis.base, axis.input, isMultiple));
  }
  return answerOf(builder, precisionOf(op, operand));
}

Answer inputToOutput(const ReduceWindowOp &op, int64_t result,
                     int64_t operand) {
  if (isInit(op, operand))
    return everything(op.operands[operand], op.results[result]);
  IndexingMapBuilder builder;
  for (int64_t k = 0; k < op.operands[operand].rank(); ++k) {
    const Axis axis(op, operand, result, k);
    Expr place = builder.dimension(axis.input) * axis.base + axis.low;
    if (!axis.window.isPoint())
      place = place - builder.range(axis.window) * axis.dilation;
    const Interval bounds = axis.input * axis.base + Interval::point(axis.low) -
                            axis.window * axis.dilation;
    const bool isMultiple =
        (axis.input.isPoint() || axis.base % axis.stride == 0) &&
        axis.dilation % axis.stride == 0 && axis.low % axis.stride == 0;
    builder.result(
        quotient(builder, place, bounds, axis.stride, axis.result, isMultiple));
  }
  return answerOf(builder, precisionOf(op, operand));
}

}  // namespace families
}  // namespace indexical
