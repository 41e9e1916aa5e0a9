// Pad: the operand's elements with padding before, after and between them.
//
//   f32[4,4] -> f32[12,16], padding=1_4_1x4_8_0
//   operand        (d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4)
//                  d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]
//   its inverse    (d0, d1) -> (d0 * 2 + 1, d1 + 4)
//                  d0 in [0, 3], d1 in [0, 3]
//   padding value  (d0, d1) -> () in five pieces, where
//                  d0 in [0, 0]
//                  d0 in [8, 11]
//                  d0 in [1, 7], (d0 - 1) mod 2 in [1, 1]
//                  d0 in [1, 7], (d0 - 1) mod 2 in [0, 0], d1 in [0, 3]
//                  d0 in [1, 7], (d0 - 1) mod 2 in [0, 0], d1 in [8, 15]
//
// The padding value's pieces are disjoint: padding along the first axis;
// elements along the first and padding along the second; and so on. Low and
// high padding may be negative, which drops elements.
#include "indexical/ops/movement/pad.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/movement/pad_amounts.h"

namespace indexical {
namespace families {
namespace {

/// Along one axis, the operand's indices that are in the result and the places
/// of the result that they take: low + index * step.
struct PadAxis {
  int64_t low, step;
  Interval indices, places;
};

PadAxis axisOf(const PadOp &op, int64_t k) {
  PadAxis axis;
  axis.low = op.low[k];
  axis.step = op.interior[k] + 1;
  const Interval low = Interval::point(axis.low);
  // Interval arithmetic opens a side that leaves 64 bits, which is right: the
  // other interval decides there.
  axis.indices =
      indicesOf(op.operands[0], k)
          .intersect(
              (indicesOf(op.results[0], k) - low).preimageOfMul(axis.step));
  if (axis.indices.isEmpty()) {
    axis.places = Interval::none();
    return axis;
  }
  axis.places = axis.indices * axis.step + low;
  // The stride of a single element has no meaning.
  if (axis.indices.isPoint()) {
    axis.step = 1;
    axis.low = axis.places.lower - axis.indices.lower;
  }
  return axis;
}

/// A part of the result: along axis k the places in `places[k]`, of which those
/// whose distance from low, modulo the step, is in `residues[k]`.
struct PaddingBox {
  llvm::SmallVector<Interval, 6> places, residues;
};

Interval elementResidue() { return Interval::point(0); }

/// The places of the result that hold padding, as disjoint parts.
llvm::SmallVector<PaddingBox, 4> paddingOf(const PadOp &op,
                                           llvm::ArrayRef<PadAxis> axes) {
  PaddingBox rest;
  for (size_t k = 0; k < axes.size(); ++k) {
    rest.places.push_back(indicesOf(op.results[0], k));
    rest.residues.push_back(Interval::all());
  }
  // Without an element on some axis there is padding only.
  for (const PadAxis &axis : axes)
    if (axis.indices.isEmpty()) return {rest};
  llvm::SmallVector<PaddingBox, 4> parts;
  for (size_t k = 0; k < axes.size(); ++k) {
    const Interval all = rest.places[k], places = axes[k].places;
    auto add = [&](Interval bounds, Interval residues) {
      if (bounds.isEmpty() || residues.isEmpty()) return;
      parts.push_back(rest);
      parts.back().places[k] = bounds;
      parts.back().residues[k] = residues;
    };
    if (places.lower > all.lower)
      add({all.lower, places.lower - 1}, Interval::all());
    if (places.upper < all.upper)
      add({places.upper + 1, all.upper}, Interval::all());
    if (axes[k].step > 1) add(places, {1, axes[k].step - 1});
    rest.places[k] = places;
    if (axes[k].step > 1) rest.residues[k] = elementResidue();
  }
  return parts;
}

/// The operand's elements, which stand in the result.
Answer readsOfOperand(const PadOp &op, const Sides &sides) {
  llvm::SmallVector<PadAxis, 6> axes;
  Bounds places, indices;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    axes.push_back(axisOf(op, k));
    places.push_back(axes[k].places);
    indices.push_back(axes[k].indices);
  }
  llvm::SmallVector<Sides::Along, 6> ofResult, ofOperand(axes.size());
  for (const PadAxis &axis : axes) ofResult.push_back({axis.step, axis.low});
  if (auto answer = sides.along(ofResult, places, ofOperand, indices))
    return *std::move(answer);
  IndexingMapBuilder builder;
  AccessBuilder access(sides, builder, places, indices);
  for (size_t k = 0; k < axes.size(); ++k) {
    const Loop l = access.loop(indices[k]);
    access.operand(k, l);
    access.result(k, l * axes[k].step + axes[k].low);
  }
  return access.answer();
}

/// The scalar is read in the padding's parts.
Answer readsOfValue(const PadOp &op, const Sides &sides) {
  llvm::SmallVector<PadAxis, 6> axes;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    axes.push_back(axisOf(op, k));
  IndexingRelation relation;
  for (const PaddingBox &part : paddingOf(op, axes)) {
    IndexingMapBuilder builder;
    AccessBuilder access(sides, builder, part.places, {});
    for (size_t k = 0; k < axes.size(); ++k)
      if (part.residues[k] != Interval::all())
        builder.constraint(mod(access.resultAt(k) - axes[k].low, axes[k].step),
                           part.residues[k]);
    access.finish();
    INDEXICAL_RETURN_IF_ERROR(addPiece(relation, builder));
  }
  return relation;
}

/// C4: the size of dimension k of the result; errors if there is none, or
/// if what it follows from leaves 64 bits.
absl::StatusOr<int64_t> resultSize(const PadOp &op, int64_t k) {
  const int64_t size = op.operands[0].dimensions[k];
  const Checked step = Checked(op.interior[k]) + 1;
  const bool none = size == 0 || size == kDynamicSize;
  const Checked extent = none ? Checked(0) : Checked(size - 1) * step + 1;
  const Checked total = Checked(op.low[k]) + extent + op.high[k];
  const Checked negatedLow = Checked(0) - op.low[k];
  if (!step.value() || !total.value() || !negatedLow.value() ||
      (size != kDynamicSize && *total.value() < 0))
    return Broken("C4") << "dimension " << k << " of size " << SizeText{size}
                        << " with padding " << op.low[k] << ", " << op.high[k]
                        << " and " << op.interior[k]
                        << " inside would have no size that a tensor can have";
  return size == kDynamicSize ? kDynamicSize : *total.value();
}

absl::Status checkValue(const PadOp &op) {
  return checkScalar("", {"the padding value", "padding_value"},
                     op.operands[1]);
}

/// The case of a pad whose padding is given by operands.
absl::Status verifyGiven(const PadOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 5, 1));
  INDEXICAL_RETURN_IF_ERROR(checkValue(op));
  if (!op.low.empty() || !op.high.empty() || !op.interior.empty())
    return invalid(
        "the padding is given by operands 2, 3 and 4, and once "
        "more by attributes");
  return checkLists(op, 2, "C2", "C4",
                    {{"operand 2, the low padding,", "edge_padding_low"},
                     {"operand 3, the high padding,", "edge_padding_high"},
                     {"operand 4, the interior padding,", "interior_padding"}});
}

}  // namespace

/// C2: a number for each dimension. C3: the interior padding. C4: the result.
/// C1 is of types. dynamic_pad has the same rules.
absl::Status verify(const PadOp &op) {
  if (op.operands.size() > 2) return verifyGiven(op);
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 2, 1));
  const ArrayShape &operand = op.operands[0];
  const Name low = {"low padding", "edge_padding_low"};
  const Name high = {"high padding", "edge_padding_high"};
  const Name interior = {"interior padding", "interior_padding"};
  INDEXICAL_RETURN_IF_ERROR(checkValue(op));
  for (auto [name, values] :
       {std::pair(low, &op.low), std::pair(high, &op.high),
        std::pair(interior, &op.interior)})
    INDEXICAL_RETURN_IF_ERROR(
        checkCount("C2", name, *values, operand.rank(), "the rank of operand"));
  INDEXICAL_RETURN_IF_ERROR(checkLeast("C3", interior, op.interior, 0));
  Int64s sizes;
  for (int64_t k = 0; k < operand.rank(); ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(int64_t size, resultSize(op, k));
    sizes.push_back(isFixed(operand, k) ? size : kDynamicSize);
  }
  return checkShape(
      "C4", "result", op.results[0], sizes,
      "shape(operand) + low + max(shape(operand) - 1, 0) * interior + high");
}

Answer reads(const PadOp &op, const Sides &sides, int64_t, int64_t operand) {
  if (operand > 1) return sides.everything();
  if (isOpen(op))
    return operand == 1 ? readsOfOpenValue(op, sides)
                        : readsOfOpenOperand(op, sides);
  return operand == 1 ? readsOfValue(op, sides) : readsOfOperand(op, sides);
}

void addSizeRules(const PadOp &op, SizeCollector &c) {
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    c.rules.define(
        {c.result(0), k}, [k, &op](SizeContext &s) -> std::optional<Expr> {
          Expr size = s.size({0, k});
          const PadAmounts pad = padAmounts(op, s, k);
          // There is nothing between no elements.
          if (s.valueOf(pad.interior) == 0) return pad.low + size + pad.high;
          const auto known = s.valueOf(size);
          if (!known) return std::nullopt;
          if (*known == 0) return pad.low + pad.high;
          return pad.low + size + pad.interior * (*known - 1) + pad.high;
        });
}

}  // namespace families
}  // namespace indexical
