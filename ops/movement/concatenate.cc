// Concatenate: each operand is a stretch of the result along one dimension.
//
//   f32[2,5,7], f32[2,11,7], f32[2,17,7] -> f32[2,33,7], dimensions={1}
//   operand 1     (d0, d1, d2) -> (d0, d1 - 5, d2),  d1 in [5, 15]
//   its inverse   (d0, d1, d2) -> (d0, d1 + 5, d2),  d1 in [0, 10]
//
// An open size is a variable: (d0, d1, d2){rt0} -> (d0, d1 - rt0, d2).
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

/// The index of the result at which the operand begins, if all sizes are fixed.
/// There may be thousands.
std::optional<int64_t> fixedBegin(const ConcatenateOp &op, int64_t operand) {
  if (hasOpenSizes(op)) return std::nullopt;
  int64_t begin = 0;
  for (int64_t k = 0; k < operand; ++k)
    begin += op.operands[k].dimensions[op.dimension];
  return begin;
}

/// The same as an expression.
Expr beginOf(const ConcatenateOp &op, int64_t operand,
             IndexingMapBuilder &builder) {
  if (const auto begin = fixedBegin(op, operand))
    return builder.constant(*begin);
  const OpSizes sizes(op);
  SizeVariables variables(sizes, builder);
  Expr begin = variables.constant(0);
  for (int64_t k = 0; k < operand; ++k)
    begin = begin + variables.size({k, op.dimension});
  return begin;
}

}  // namespace

/// C2: shapes of the inputs. C3: their number. C4: the dimension. C6: the
/// result. C1 and C5 are of types.
absl::Status verify(const ConcatenateOp &op) {
  if (op.operands.empty() || op.results.size() != 1)
    return Broken("C3") << "there must be at least one "
                        << Name{"operand", "input"} << " and one result, not "
                        << op.operands.size() << " and " << op.results.size();
  const ArrayShape &first = op.operands[0], &result = op.results[0];
  INDEXICAL_RETURN_IF_ERROR(checkRange("C4", {"dimensions", "dimension"},
                                       {op.dimension}, first.rank(),
                                       {"the rank", "rank(inputs[0])"}));
  const Name inputs = {"operand", "inputs"};
  Int64s sizes = fixedSizes(first);
  Checked total = 0;
  bool fixed = true;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const ArrayShape &operand = op.operands[i];
    bool agree = operand.rank() == first.rank();
    for (int64_t k = 0; agree && k < first.rank(); ++k) {
      agree = k == op.dimension || canAgree(operand, k, first, k);
      if (sizes[k] == kDynamicSize) sizes[k] = fixedSize(operand, k);
    }
    if (!agree)
      return Broken("C2") << inputs[i] << " must have the shape of "
                          << inputs[0] << " but for dimension " << op.dimension
                          << ", but they are " << operand << " and " << first;
    fixed = fixed && isFixed(operand, op.dimension);
    if (operand.dimensions[op.dimension] != kDynamicSize)
      total = total + operand.dimensions[op.dimension];
  }
  if (!total.value())
    return Broken("C6") << "the sizes of the inputs add up to more than 64 "
                           "bits hold, along dimension "
                        << op.dimension;
  sizes[op.dimension] = fixed ? *total.value() : kDynamicSize;
  if (checkShape("", "", result, sizes, "").ok()) return absl::OkStatus();
  return Broken("C6") << "result must have the shape " << sizes
                      << ", the sum of the inputs' sizes in dimension "
                      << op.dimension << ", but has " << result;
}

Answer reads(const ConcatenateOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  const ArrayShape &part = sides.operand(), &whole = sides.result();
  const std::optional<int64_t> first = fixedBegin(op, operand);
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
  if (first) {
    llvm::SmallVector<Sides::Along, 6> ofResult(part.rank()),
        ofOperand(part.rank());
    ofResult[op.dimension].low = *first;
    if (auto answer = sides.along(ofResult, places, ofOperand, indices))
      return *std::move(answer);
  }
  IndexingMapBuilder builder;
  const Expr begin = beginOf(op, operand, builder);
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
