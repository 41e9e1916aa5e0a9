// Bitcasts: the same bytes, under another type.
//
// `bitcast` keeps the order in memory: from the result's index to its place, by
// the result's layout, and from the place to the operand's index, by the
// operand's.
//
//   f32[4,8]{0,1} -> f32[8,4]{1,0}           (d0, d1) -> (d1, d0)
//   f32[6] -> f32[2,3]{0,1}                  (d0, d1) -> (d0 + d1 * 2)
//   u8[3,8] -> u32[3,2]                      (d0, d1)[s0] -> (d0, d1 * 4 + s0)
//   u32[3,2] -> u8[3,8]                      (d0, d1) -> (d0, d1 floordiv 4)
//
// If the widths differ, an element of the wider type lies over `ratio` elements
// of the narrower one. Both tensors are then seen in the narrower elements, the
// wider one with a most minor axis of size ratio.
//
// `bitcast-convert` knows no memory: that axis is its trailing dimension.
//
//   u32[3] -> u8[3,4]      (d0, d1) -> (d0)        u8[3,4] -> u32[3]
//                                                  (d0)[s0] -> (d0, s0)
#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/physical_order.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

int64_t storedBits(const ArrayShape &shape) {
  if (shape.layout && shape.layout->elementBits > 0)
    return shape.layout->elementBits;
  return bitsOf(shape.type);
}

/// Whether it is left open how many bits an element takes: types of less than
/// a byte are stored packed or one a byte, and dumps do not always say which.
bool hasLooseWidth(const ArrayShape &shape) {
  const int64_t bits = storedBits(shape);
  return bits == 0 || (bits < 8 && bits == bitsOf(shape.type) &&
                       (!shape.layout || shape.layout->elementBits == 0));
}

/// How many elements of the other tensor lie under one of `from`, and of `to`;
/// one of the two is 1. Nothing if the widths do not divide.
struct Ratio {
  int64_t from, to;
};

std::optional<Ratio> ratioOf(const ArrayShape &from, const ArrayShape &to) {
  const int64_t a = storedBits(from), b = storedBits(to);
  if (a == b) return Ratio{1, 1};
  const auto fromCount = from.elementCount(), toCount = to.elementCount();
  if ((hasLooseWidth(from) || hasLooseWidth(to)) && fromCount &&
      fromCount == toCount)
    return Ratio{1, 1};
  if (a == 0 || b == 0) return std::nullopt;
  if (a % b == 0) return Ratio{a / b, 1};
  if (b % a == 0) return Ratio{1, b / a};
  return std::nullopt;
}

/// Whether the size in memory may differ from the product of the sizes. Then it
/// cannot be checked here that the sizes of two tensors agree.
bool mayBePadded(const ArrayShape &shape) {
  return !isFixed(shape) ||
         (shape.layout && (!shape.layout->tiles.empty() ||
                           shape.layout->tailPaddingAlignment > 1));
}

/// The axes of both in the elements of the narrower, and how they match.
struct Overlay {
  PhysicalOrder from, to;
  Axes fromAxes, toAxes;
  Ratio ratio = {1, 1};
  bool fromScalar = false, toScalar = false;  ///< the one axis is made up
  std::optional<llvm::SmallVector<AxisGroup, 4>> groups;

  Overlay(const ArrayShape &fromShape, const ArrayShape &toShape)
      : from(fromShape), to(toShape), fromAxes(from.axes()), toAxes(to.axes()) {
    const std::optional<Ratio> found = ratioOf(fromShape, toShape);
    if (!found || !from.isKnown() || !to.isKnown()) return;
    ratio = *found;
    if (ratio.from > 1) fromAxes.push_back({ratio.from, true});
    if (ratio.to > 1) toAxes.push_back({ratio.to, true});
    groups = matchAxes(fromAxes, toAxes);
    if (groups || !(mayBePadded(fromShape) || mayBePadded(toShape))) return;
    // Padding makes one of them longer. No stride depends on the most major
    // axis, so places are counted as if it were open.
    fromScalar = fromAxes.empty();
    toScalar = toAxes.empty();
    if (fromScalar) fromAxes.push_back(Axis());
    if (toScalar) toAxes.push_back(Axis());
    fromAxes.front().fixed = toAxes.front().fixed = false;
    groups = matchAxes(fromAxes, toAxes);
  }
};

/// The map from the elements of one tensor to those that lie at the same place
/// in the other.
Answer overlaid(const ArrayShape &from, const ArrayShape &to) {
  const Overlay overlay(from, to);
  if (!overlay.groups) return everything(from, to, Precision::Cover);
  IndexingMapBuilder builder;
  Exprs places = overlay.from.coordinates(builder, dimensionsOf(builder, from));
  if (overlay.ratio.from > 1)
    places.push_back(builder.range(indicesOf(overlay.ratio.from)));
  if (overlay.fromScalar) places.push_back(builder.constant(0));
  Exprs toPlaces;
  const Precision precision =
      relinearize(builder, overlay.fromAxes, places, overlay.toAxes,
                  *overlay.groups, toPlaces);
  if (overlay.ratio.to > 1 || overlay.toScalar) toPlaces.pop_back();
  for (Expr e : overlay.to.index(builder, toPlaces)) builder.result(e);
  return simplified(builder, precision);
}

/// Bits of all elements; nothing if they are more than 64 bits count.
std::optional<int64_t> bitCount(const ArrayShape &shape) {
  return (Checked(shape.elementCount()) * storedBits(shape)).value();
}

}  // namespace

absl::Status verify(const BitcastOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  if (mayBePadded(operand) || mayBePadded(result)) return absl::OkStatus();
  if (operand.isEmpty() && result.isEmpty()) return absl::OkStatus();
  const bool widthsKnown = storedBits(operand) > 0 && storedBits(result) > 0;
  const bool oneIsEmpty = operand.isEmpty() || result.isEmpty();
  if (!oneIsEmpty && (!widthsKnown || Overlay(result, operand).groups))
    return absl::OkStatus();
  // Widths of which none divides the other can still fill the same bits.
  const auto had = bitCount(operand), has = bitCount(result);
  if (had && has && *had == *has) return absl::OkStatus();
  auto text = [](const ArrayShape &shape, std::optional<int64_t> bits) {
    return absl::StrCat(textOf(shape), " with ", storedBits(shape),
                        " bits an element, ",
                        bits ? absl::StrCat(*bits) : "more than 64 bits count");
  };
  return invalid(absl::StrCat("a bitcast keeps the number of bits: of ",
                              text(operand, had), ", to ", text(result, has)));
}

Answer reads(const BitcastOp &, const Sides &sides, int64_t, int64_t) {
  return overlaid(sides.from(), sides.to());
}

//===-- bitcast-convert ---------------------------------------------------===//

absl::Status verify(const BitcastConvertOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  const int64_t from = bitsOf(operand.type), to = bitsOf(result.type);
  const bool known = from > 0 && to > 0;
  const bool divides = known && (from % to == 0 || to % from == 0);
  const ArrayShape &wide = operand.rank() < result.rank() ? operand : result;
  const ArrayShape &narrow = &wide == &operand ? result : operand;
  bool agree = narrow.rank() - wide.rank() <= 1;
  for (int64_t k = 0; agree && k < wide.rank(); ++k)
    agree = canAgree(wide, k, narrow, k);
  if (agree && known) {
    const int64_t wideBits = &wide == &operand ? from : to;
    const int64_t narrowBits = &wide == &operand ? to : from;
    if (narrow.rank() == wide.rank())
      agree = from == to;
    else
      agree = divides && wideBits > narrowBits &&
              canHaveSize(narrow, wide.rank(), wideBits / narrowBits);
  }
  if (agree) return absl::OkStatus();
  std::string right = "the same sizes";
  if (divides && from > to)
    right = absl::StrCat("the operand's sizes and a trailing ", from / to);
  else if (divides && to > from)
    right = absl::StrCat("the operand's sizes but a trailing ", to / from);
  return invalid(absl::StrCat("a bitcast-convert of ", textOf(operand), " to ",
                              textOf(result), ", of ", from, " and ", to,
                              " bits: the result would have ", right));
}

Answer reads(const BitcastConvertOp &, const Sides &sides, int64_t, int64_t) {
  SharedDimensions pairs;
  const int64_t shared =
      std::min(sides.result().rank(), sides.operand().rank());
  for (int64_t k = 0; k < shared; ++k) pairs.push_back({k, k});
  return sides.sharing(pairs);
}

void addSizeRules(const BitcastConvertOp &, SizeCollector &c) {
  const int64_t rank = std::min(c.rank(0), c.rank(1));
  for (int64_t k = 0; k < rank; ++k) c.equal({0, k}, {1, k});
}

}  // namespace families
}  // namespace indexical
