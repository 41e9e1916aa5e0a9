// Slice: every `stride`-th element from `start` up to `limit`.
//
//   f32[10,20,50] -> f32[5,3,25], slice={[5:10:1], [3:20:7], [0:50:2]}
//   output to input
//     (d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2)
//   input to output
//     (d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2)
//     d0 in [5, 9], d1 in [3, 17], d2 in [0, 48],
//     (d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]
//
// If operands say starts, limits and strides, these are runtime variables:
//
//   f32[?], s64[1], s64[1], s64[1] -> f32[?]
//   (d0){rt0, rt1} -> (d0 * rt1 + rt0),  rt0 the start, rt1 the stride
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

/// Number of elements along dimension k; requires verified attributes.
int64_t sliceSize(const SliceOp &op, int64_t k) {
  return ceilDiv(op.limits[k] - op.starts[k], op.strides[k]);
}

/// C3, C4: where dimension k is sliced.
absl::Status verifyDimension(const SliceOp &op, int64_t k) {
  const int64_t start = op.starts[k], limit = op.limits[k];
  const int64_t size = op.operands[0].dimensions[k];
  if (start >= 0 && start <= limit && (size == kDynamicSize || limit <= size))
    return absl::OkStatus();
  return Broken("C3") << "start <= limit <= size must hold in dimension " << k
                      << ", but these are " << start << ", " << limit << " and "
                      << SizeText{size};
}

/// Whether operands say where the slice lies.
bool isGiven(const SliceOp &op) { return op.operands.size() > 1; }

absl::Status verifyGiven(const SliceOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 4, 1));
  if (!op.starts.empty() || !op.limits.empty() || !op.strides.empty())
    return invalid(
        "the slice is given by operands 1, 2 and 3, and once more "
        "by attributes");
  return checkLists(op, 1, "", "",
                    {{"operand 1, the starts,", "start_indices"},
                     {"operand 2, the limits,", "limit_indices"},
                     {"operand 3, the strides,", "strides"}});
}

/// The slice in terms of its operands. What reaches past the limit or the
/// tensors is not cut off here.
Answer given(const SliceOp &op, const Sides &sides) {
  IndexingMapBuilder builder;
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder);
  const Bounds places = indicesOf(sides.result());
  const Bounds indices = indicesOf(sides.operand());
  AccessBuilder access(sides, builder, places, indices);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    const Interval index = {0, Interval::kInfinity};
    Expr start = variables.element(1, {k}, index);
    Expr limit = variables.element(2, {k}, index);
    Expr stride = variables.element(3, {k}, {1, Interval::kInfinity});
    const Loop l = access.loop(Interval::all());
    access.result(k, l);
    access.operand(k, l * stride + start);
    builder.constraint(access.operandAt(k) - limit,
                       {Interval::kMinusInfinity, -1});
  }
  return access.answer();
}

}  // namespace

/// C2: a number for each dimension. C3, C4: their values. C5: the result.
absl::Status verify(const SliceOp &op) {
  if (isGiven(op)) return verifyGiven(op);
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 1, 1));
  const ArrayShape &operand = op.operands[0];
  const Name starts = {"slice starts", "start_indices"};
  const Name limits = {"slice limits", "limit_indices"};
  const Name strides = {"slice strides", "strides"};
  for (auto [name, values] :
       {std::pair(starts, &op.starts), std::pair(limits, &op.limits),
        std::pair(strides, &op.strides)})
    INDEXICAL_RETURN_IF_ERROR(
        checkCount("C2", name, *values, operand.rank(), "the rank of operand"));
  INDEXICAL_RETURN_IF_ERROR(checkLeast("C3", starts, op.starts, 0));
  INDEXICAL_RETURN_IF_ERROR(checkLeast("C4", strides, op.strides, 1));
  Int64s sizes;
  for (int64_t k = 0; k < operand.rank(); ++k) {
    INDEXICAL_RETURN_IF_ERROR(verifyDimension(op, k));
    sizes.push_back(sliceSize(op, k));
  }
  return checkShape("C5", "result", op.results[0], sizes,
                    "ceil((limit - start) / stride)");
}

Answer reads(const SliceOp &op, const Sides &sides, int64_t, int64_t operand) {
  if (operand > 0) return sides.everything();
  if (isGiven(op)) return given(op, sides);
  Bounds places, indices;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    places.push_back(indicesOf(sliceSize(op, k)));
    indices.push_back(places[k] * op.strides[k] +
                      Interval::point(op.starts[k]));
  }
  llvm::SmallVector<Sides::Along, 6> ofResult(places.size()), ofOperand;
  for (size_t k = 0; k < places.size(); ++k) {
    // The step of a single element has no meaning, but it is written.
    const bool hasStep = sides.isForward() || !places[k].isPoint();
    ofOperand.push_back({hasStep ? op.strides[k] : 1, op.starts[k]});
  }
  if (auto answer = sides.along(ofResult, places, ofOperand, indices))
    return *std::move(answer);
  IndexingMapBuilder builder;
  AccessBuilder access(sides, builder, places, indices);
  for (size_t k = 0; k < places.size(); ++k) {
    if (op.starts[k] == 0 && op.strides[k] == 1) {
      access.same(k, k);
      continue;
    }
    const Loop l = access.loop(places[k]);
    access.result(k, l);
    access.operand(k, l * op.strides[k] + op.starts[k]);
  }
  return access.answer();
}

void addSizeRules(const SliceOp &op, SizeCollector &c) {
  const bool given = op.operands.size() > 1;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    c.rules.define({c.result(0), k}, [given, k, &op](SizeContext &s) {
      if (!given)
        return s.constant(ceilDiv(op.limits[k] - op.starts[k], op.strides[k]));
      const Interval index = {0, Interval::kInfinity};
      Expr start = s.element(1, {k}, index), limit = s.element(2, {k}, index);
      Expr stride = s.element(3, {k}, {1, Interval::kInfinity});
      return floorDiv(limit - start + stride - 1, stride);
    });
}

}  // namespace families
}  // namespace indexical
