#include "indexical/ops/reduction/window.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace families {
namespace {

/// A variable times a number plus a number.
struct WindowIndex {
  Expr variable;
  Interval bounds;
  int64_t factor, offset;

  Expr expression() const { return variable * factor + offset; }
  Interval interval() const {
    return bounds * factor + Interval::point(offset);
  }
  /// The remainder, if it is one for all values of the variable.
  std::optional<int64_t> mod(int64_t step) const {
    const bool fixed = factor % step == 0 || bounds == Interval::point(0);
    if (fixed) return floorMod(offset, step);
    return std::nullopt;
  }
};

/// `index` such that index * step == place and index is in `indices`, by
/// constraints if they say something. `bounds` are those of place;
/// `isMultiple`: it is known that step divides place.
Expr quotient(IndexingMapBuilder &builder, Expr place, Interval bounds,
              int64_t step, Interval indices, bool isMultiple) {
  const Interval inside = indices * step;
  if (!inside.contains(bounds)) builder.constraint(place, inside);
  if (step == 1) return place;
  if (!isMultiple) builder.constraint(mod(place, step), Interval::point(0));
  return floorDiv(place, step);
}

/// Any `index` in `indices` such that index * step is in [last - size + 1,
/// last]. These follow each other, so a range counts them down from the last
/// one. There is no range if there is at most one index.
Expr multipleWithin(IndexingMapBuilder &builder, const WindowIndex &last,
                    int64_t size, int64_t step, Interval indices) {
  const std::optional<int64_t> remainder = last.mod(step);
  const int64_t room = size - 1 - remainder.value_or(0);
  if (room < 0) builder.setKnownEmpty();
  const Interval steps = {0, std::max<int64_t>(room, 0) / step};
  Expr place = last.expression();
  Expr index = floorDiv(place, step);
  Expr within = mod(place, step);
  if (!steps.isPoint()) {
    Expr back = builder.range(steps);
    place = place - back * step;
    index = index - back;
    within = within + back * step;
  }
  if (!remainder && size % step != 0) builder.constraint(within, {0, size - 1});
  const Interval inside = indices.preimageOfFloorDiv(step);
  if (!inside.contains(last.interval() - steps * step))
    builder.constraint(place, inside);
  return index;
}

/// x in `all` with x - from in `difference`, as a range of its own, if one
/// end of the difference says nothing: prefixes, suffixes, and all of it.
std::optional<Expr> cutOnOneSide(IndexingMapBuilder &builder, Expr from,
                                 Interval fromBounds, Interval difference,
                                 Interval all) {
  const Interval first = fromBounds + Interval::point(difference.lower);
  const Interval last = fromBounds + Interval::point(difference.upper);
  if (first.hasUpper() && first.upper <= all.lower)
    difference.lower = Interval::kMinusInfinity;
  if (last.hasLower() && last.lower >= all.upper)
    difference.upper = Interval::kInfinity;
  if (difference.hasLower() && difference.hasUpper()) return std::nullopt;
  Expr x = builder.range(all);
  if (difference != Interval::all()) builder.constraint(x - from, difference);
  return x;
}

absl::Status verifyWindow(const WindowDimension &w, const WindowRules &rules) {
  absl::Status status;
  if (w.size != kDynamicSize || !rules.openSizes)
    status.Update(
        checkLeast(rules.size, {"window size", rules.sizeName}, {w.size}, 1));
  status.Update(checkLeast(rules.stride, {"window stride", "window_strides"},
                           {w.stride}, 1));
  status.Update(checkLeast(rules.baseDilation,
                           {"window base dilation", rules.baseDilationName},
                           {w.baseDilation}, 1));
  status.Update(checkLeast(rules.dilation,
                           {"window dilation", rules.dilationName},
                           {w.windowDilation}, 1));
  return status;
}

/// The number of windows along a dimension, which has `size` elements; it is
/// not known if the size is not.
absl::StatusOr<int64_t> windowCount(const WindowDimension &w, int64_t size,
                                    int64_t k) {
  const bool none = size == 0 || size == kDynamicSize;
  const Checked spread =
      none ? Checked(0) : Checked(size - 1) * w.baseDilation + 1;
  const Checked padded = Checked(w.padLow) + spread + w.padHigh;
  const Checked reach = w.size == kDynamicSize
                            ? Checked(1)
                            : Checked(w.size - 1) * w.windowDilation + 1;
  const Checked slack = padded - reach;
  const Checked last = reach - w.padLow;
  if (!slack.value() || !last.value())
    return Broken("") << "window and padding of dimension " << k
                      << " are larger than 64 bits hold";
  if (size == kDynamicSize || w.size == kDynamicSize) return kDynamicSize;
  if (*padded.value() < 0)
    return Broken("") << Name{"window pad", "padding"} << " " << w.padLow
                      << ", " << w.padHigh << " of dimension " << k
                      << " must leave some of the " << *spread.value()
                      << " places that there are";
  if (*slack.value() < 0) return 0;
  return *slack.value() / w.stride + 1;
}

}  // namespace

WindowAxis::WindowAxis(const WindowDimension &window, Interval inputs,
                       Interval windows)
    : inputs_(inputs),
      windows_(windows),
      positions_(indicesOf(window.size)),
      stride_(windows.isPoint() ? 1 : window.stride),
      dilation_(positions_.isPoint() ? 0 : window.windowDilation),
      base_(inputs.isPoint() ? 1 : window.baseDilation),
      low_(window.padLow) {}

// Element e and window w see each other at a position s where
//
//   e * base = w * stride - low + s * dilation
//
// Either follows from the other: `wanted * step = known * factor + offset +
// sign
// * s * dilation`.
Expr WindowAxis::across(IndexingMapBuilder &builder, Direction direction,
                        Expr known) const {
  const bool toInput = direction == Direction::OutputToInput;
  const Interval from = toInput ? windows_ : inputs_;
  const Interval wanted = toInput ? inputs_ : windows_;
  const int64_t factor = toInput ? stride_ : base_;
  const int64_t step = toInput ? base_ : stride_;
  const int64_t offset = toInput ? -low_ : low_;
  const int64_t sign = toInput ? 1 : -1;
  const Interval reach = positions_ * sign;
  if (step > 1 && dilation_ == 1)
    return multipleWithin(builder, {known, from, factor, reach.upper + offset},
                          positions_.count(), step, wanted);
  if (step == 1 && dilation_ == 1)
    if (auto index = cutOnOneSide(builder, known * factor, from * factor,
                                  reach + Interval::point(offset), wanted))
      return *index;
  Expr place = known * factor + offset;
  if (!positions_.isPoint())
    place = place + builder.range(positions_) * (sign * dilation_);
  const Interval bounds =
      from * factor + Interval::point(offset) + reach * dilation_;
  const bool isMultiple = (from.isPoint() || factor % step == 0) &&
                          dilation_ % step == 0 && low_ % step == 0;
  return quotient(builder, place, bounds, step, wanted, isMultiple);
}

bool WindowAxis::isKnownEmpty() const {
  IndexingMapBuilder forward, backward;
  toInput(forward, forward.dimension(windows_));
  toWindow(backward, backward.dimension(inputs_));
  return forward.isKnownEmpty() || backward.isKnownEmpty();
}

absl::StatusOr<Int64s> windowCounts(llvm::ArrayRef<WindowDimension> window,
                                    const ArrayShape &input,
                                    llvm::ArrayRef<int64_t> dimensions,
                                    const WindowRules &rules) {
  if (window.size() != dimensions.size())
    return Broken(rules.rank)
           << Name{"window", rules.sizeName} << " must have "
           << dimensions.size()
           << Name{" dimensions, those that it moves over, but has ",
                   " entries, the rank of inputs[0], but has "}
           << window.size();
  Int64s counts;
  for (size_t i = 0; i < window.size(); ++i) {
    const int64_t k = dimensions[i];
    INDEXICAL_RETURN_IF_ERROR(verifyWindow(window[i], rules));
    INDEXICAL_ASSIGN_OR_RETURN(int64_t count,
                               windowCount(window[i], input.dimensions[k], i));
    counts.push_back(isFixed(input, k) ? count : kDynamicSize);
  }
  return counts;
}

absl::StatusOr<Windows> windowsOver(llvm::ArrayRef<WindowDimension> window,
                                    const ArrayShape &input,
                                    llvm::ArrayRef<int64_t> dimensions,
                                    const ArrayShape &result,
                                    llvm::ArrayRef<int64_t> resultDimensions) {
  INDEXICAL_ASSIGN_OR_RETURN(auto counts,
                             windowCounts(window, input, dimensions));
  Windows windows;
  for (size_t i = 0; i < window.size(); ++i) {
    const WindowDimension &w = window[i];
    // If one of the two sizes is open, the other one decides. The other indices
    // outside of a tensor are cut off for all ops alike.
    windows.axes.emplace_back(
        w, indicesOf(input, dimensions[i]),
        indicesOf(counts[i]).intersect(indicesOf(result, resultDimensions[i])));
  }
  return windows;
}

bool Windows::areEmpty(Precision answer) const {
  return llvm::any_of(axes, [&](const WindowAxis &axis) {
    return axis.windows().isEmpty() ||
           (answer != Precision::Exact && axis.isKnownEmpty());
  });
}

Int64s allDimensions(const ArrayShape &shape) {
  Int64s all(shape.rank());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::optional<Expr> windowCount(SizeContext &s, WindowDimension w, Expr size,
                                Expr padding) {
  const auto known = s.valueOf(size), more = s.valueOf(padding);
  if (known && more && *known >= 0) {
    const auto high = checkedAdd(w.padHigh, *more);
    if (!high) return std::nullopt;
    w.padHigh = *high;
    auto counts = windowCounts(w, ArrayShape(ElementType::F32, {*known}), {0});
    if (!counts.ok()) return std::nullopt;
    return s.constant(counts->front());
  }
  size = size + padding;
  const Checked reach = Checked(w.size - 1) * w.windowDilation + 1;
  const Checked slack = Checked(w.padLow) + w.padHigh - reach;
  if (w.baseDilation != 1 || !slack.value()) return std::nullopt;
  // A window that fits nowhere makes no negative size.
  if (*slack.value() < -w.stride) return std::nullopt;
  return floorDiv(size + *slack.value(), w.stride) + 1;
}

void addWindowSizes(SizeCollector &c, llvm::ArrayRef<WindowDimension> window,
                    int64_t input, llvm::ArrayRef<int64_t> dimensions,
                    int64_t result, llvm::ArrayRef<int64_t> resultDimensions) {
  for (size_t i = 0; i < window.size(); ++i) {
    const SizeRef of = {input, dimensions[i]};
    const WindowDimension w = window[i];
    c.rules.define({result, resultDimensions[i]}, [w, of](SizeContext &s) {
      return windowCount(s, w, s.size(of), s.constant(0));
    });
  }
}

}  // namespace families
}  // namespace indexical
