// Elementwise ops that broadcast their operands themselves.
//
//   f32[2,1], f32[3] -> f32[2,3], dimensions {0,1} and {1}
//   output to input   operand 0   (d0, d1) -> (d0, 0)
//                     operand 1   (d0, d1) -> (d1)
//
// If two sizes are not known, either of them may be 1 in the run:
//
//   f32[?], f32[?] -> f32[?]
//   operand 0   (d0){rt0, rt1} -> (0),   rt0 in [1, 1]
//               (d0){rt0, rt1} -> (d0),  rt0 in [2, inf]
//   rt0 the size of operand 0, rt1 that of the result
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/inner.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

/// The operand's part as an op of its own. A size that is not known, and not
/// known to be the result's, may be 1.
BroadcastOp broadcastOf(const BroadcastingOp &op, int64_t operand) {
  BroadcastOp broadcast;
  broadcast.operands = {op.operands[operand]};
  broadcast.results = {op.results[0]};
  broadcast.dimensions = op.dimensions[operand];
  const int64_t rank = op.operands[operand].rank();
  for (int64_t k = 0; k < rank; ++k)
    if (!isFixed(op.operands[operand], k))
      broadcast.maybeExpanding.push_back(k);
  return broadcast;
}

Inner partOf(const BroadcastingOp &op, int64_t operand) {
  BroadcastOp broadcast = broadcastOf(op, operand);
  const OpSizes sizes(op);
  const int64_t result = op.operands.size();
  llvm::erase_if(broadcast.maybeExpanding, [&](int64_t k) {
    return sizes.areEqual({operand, k}, {result, broadcast.dimensions[k]});
  });
  return Inner(std::move(broadcast), op, [operand, result](int64_t t) {
    return t == 0 ? operand : result;
  });
}

/// Errors if the result is larger than all operands that have the dimension.
absl::Status checkLargest(const BroadcastingOp &op, int64_t dimension) {
  const ArrayShape &result = op.results[0];
  const int64_t size = result.dimensions[dimension];
  if (!isFixed(result, dimension) || size == 1) return absl::OkStatus();
  bool isThere = false;
  for (size_t t = 0; t < op.operands.size(); ++t) {
    const auto *found = llvm::find(op.dimensions[t], dimension);
    if (found == op.dimensions[t].end()) continue;
    const int64_t k = found - op.dimensions[t].begin();
    if (!isFixed(op.operands[t], k) || op.operands[t].dimensions[k] != 1)
      return absl::OkStatus();
    isThere = true;
  }
  if (!isThere) return absl::OkStatus();
  return Broken("") << "dimension " << dimension << " of the result, " << result
                    << ", must be 1, as in all operands";
}

}  // namespace

absl::Status verify(const BroadcastingOp &op) {
  if (op.results.size() != 1)
    return Broken("") << "there must be one result, but there are "
                      << op.results.size();
  if (op.dimensions.size() != op.operands.size())
    return Broken("") << "there must be a list of dimensions for each of the "
                      << op.operands.size() << " operands, but there are "
                      << op.dimensions.size();
  for (size_t k = 0; k < op.operands.size(); ++k)
    INDEXICAL_RETURN_IF_ERROR(verify(broadcastOf(op, k)));
  for (int64_t j = 0; j < op.results[0].rank(); ++j)
    INDEXICAL_RETURN_IF_ERROR(checkLargest(op, j));
  return absl::OkStatus();
}

Answer reads(const BroadcastingOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  return partOf(op, operand).ask(sides.direction(), 0, 0);
}

/// A size of the result is that of all operands whose size there is not 1.
void addSizeRules(const BroadcastingOp &op, SizeCollector &c) {
  for (int64_t j = 0; j < op.results[0].rank(); ++j) {
    llvm::SmallVector<SizeRef, 4> ones, others, open;
    for (int64_t t = 0; t < c.operands; ++t)
      for (size_t k = 0; k < op.dimensions[t].size(); ++k) {
        if (op.dimensions[t][k] != j) continue;
        const int64_t dimension = k;
        const bool fixed = isFixed(op.operands[t], dimension);
        (c.isOne(op.operands[t], dimension) ? ones
         : fixed                            ? others
                                            : open)
            .push_back({t, dimension});
      }
    const SizeRef result = {c.result(0), j};
    for (SizeRef ref : others) c.equal(ref, result);
    if (ones.empty() && others.empty() && open.empty()) continue;
    if (c.isOne(op.results[0], j) || (others.empty() && open.size() == 1))
      for (SizeRef ref : open) c.equal(ref, result);
    else if (others.empty() && open.empty() && !ones.empty())
      c.equal(ones[0], result);
    else if (others.empty())
      c.rules.define(result, [open](SizeContext &s) -> std::optional<Expr> {
        std::optional<Expr> only;
        for (SizeRef ref : open) {
          const Expr size = s.size(ref);
          const auto value = s.valueOf(size);
          if (value == 1) continue;
          if (value) return size;
          if (only && only->form() != size.form()) return std::nullopt;
          only = size;
        }
        return only ? only : s.constant(1);
      });
  }
}

}  // namespace families
}  // namespace indexical
