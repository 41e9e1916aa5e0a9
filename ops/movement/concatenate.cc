// Concatenate: each operand is a stretch of the result along one dimension.
//
//   f32[2,5,7], f32[2,11,7], f32[2,17,7] -> f32[2,33,7], dimensions={1}
//   operand 1     (d0, d1, d2) -> (d0, d1 - 5, d2),  d1 in [5, 15]
//   its inverse   (d0, d1, d2) -> (d0, d1 + 5, d2),  d1 in [0, 10]
//
// An open size is a variable: (d0, d1, d2){rt0} -> (d0, d1 - rt0, d2).
#include "absl/strings/str_cat.h"

#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/family.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

/// Where the operand begins.
Expr beginOf(const ConcatenateOp &op, int64_t operand,
             SizeVariables &variables) {
  Expr begin = variables.constant(0);
  for (int64_t k = 0; k < operand; ++k)
    begin = begin + variables.size({k, op.dimension});
  return begin;
}

}  // namespace

absl::Status verify(const ConcatenateOp &op) {
  if (op.operands.empty() || op.results.size() != 1)
    return invalid(
        absl::StrCat("the op takes at least one operand and gives "
                     "one result, not ",
                     op.operands.size(), " and ", op.results.size()));
  const ArrayShape &result = op.results[0];
  if (auto s = checkDimensions("dimensions", {op.dimension}, result); !s.ok())
    return s;
  Checked total = 0;
  bool fixed = true;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const ArrayShape &operand = op.operands[i];
    bool agree = operand.rank() == result.rank();
    for (int64_t k = 0; agree && k < result.rank(); ++k)
      agree = k == op.dimension || canAgree(operand, k, result, k);
    if (!agree)
      return invalid(absl::StrCat("operand ", i, ", ", textOf(operand),
                                  ", would have the sizes of the result ",
                                  textOf(result), " but along dimension ",
                                  op.dimension));
    fixed = fixed && isFixed(operand, op.dimension);
    if (operand.dimensions[op.dimension] != kDynamicSize)
      total = total + operand.dimensions[op.dimension];
  }
  if (!total.value())
    return invalid(
        "the sizes of the operands add up to more than 64 bits "
        "hold");
  if (!fixed || canHaveSize(result, op.dimension, *total.value()))
    return absl::OkStatus();
  return invalid(absl::StrCat(
      "the result ", textOf(result), " would have size ", *total.value(),
      " along dimension ", op.dimension, ", the sum of the operands'"));
}

Answer reads(const ConcatenateOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  const ArrayShape &part = sides.operand(), &whole = sides.result();
  IndexingMapBuilder builder;
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder);
  const Expr begin = beginOf(op, operand, variables);
  const auto first = builder.valueOf(begin);
  Bounds places, indices;
  for (int64_t k = 0; k < part.rank(); ++k) {
    if (k != op.dimension) {
      places.push_back(sharedIndices(part, k, whole, k));
      indices.push_back(places.back());
      continue;
    }
    places.push_back(indicesOf(whole, k));
    indices.push_back(indicesOf(part, k));
    if (!first) continue;
    const Interval shift = Interval::point(*first);
    const Interval all = places[k], own = indices[k];
    places[k] = all.intersect(own + shift);
    indices[k] = own.intersect(all - shift);
  }
  AccessBuilder access(sides, builder, places, indices);
  for (int64_t k = 0; k < part.rank(); ++k) {
    if (k != op.dimension) {
      access.same(k, k);
      continue;
    }
    const Loop l = access.loop(Interval::all());
    access.operand(k, l);
    access.result(k, l + begin);
  }
  return access.answer();
}

void addSizeRules(const ConcatenateOp &op, SizeCollector &c) {
  for (int64_t t = 0; t < c.operands; ++t) c.same(t, c.result(0), op.dimension);
  c.rules.define({c.result(0), op.dimension},
                 [n = c.operands, k = op.dimension](SizeContext &s) {
                   Expr sum = s.size({0, k});
                   for (int64_t t = 1; t < n; ++t) sum = sum + s.size({t, k});
                   return sum;
                 });
}

}  // namespace families
}  // namespace indexical
