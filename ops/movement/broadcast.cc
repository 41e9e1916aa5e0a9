// Broadcast: dimensions of the result that the operand does not have.
//
//   f32[20] -> f32[10,20,30], dimensions={1}
//   output to input   (d0, d1, d2) -> (d1)
//   input to output   (d0)[s0, s1] -> (s0, d0, s1), s0 in [0, 9], s1 in [0, 29]
//
// A dimension of size 1 may become one of any size; all of it reads index 0:
//
//   f32[1,20] -> f32[10,20], dimensions={0,1}
//   output to input   (d0, d1) -> (0, d1)
//   input to output   (d0, d1)[s0] -> (s0, d1), s0 in [0, 9]
// If only the run decides whether a size is 1, there is a piece for either
// case:
//
//   f32[?] -> f32[10], dimensions={0}, which may expand
//   (d0){rt0} -> (0),   rt0 in [1, 1]
//   (d0){rt0} -> (d0),  rt0 in [2, inf], d0 - rt0 in [-inf, -1]
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/core/variants.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {
namespace {

bool isOne(const ArrayShape &shape, int64_t k) {
  return shape.dimensions[k] == 1 && isFixed(shape, k);
}

/// Whether all of the result's dimension reads the one index of the operand's
/// dimension k. A dimension that may expand does so if it cannot have the
/// result's size.
bool expands(const BroadcastOp &op, int64_t k) {
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  if (isOne(result, op.dimensions[k])) return false;
  if (isFixed(operand, k)) return isOne(operand, k);
  return llvm::is_contained(op.expanding, k) ||
         (llvm::is_contained(op.maybeExpanding, k) &&
          !canAgree(operand, k, result, op.dimensions[k]));
}

/// Returns the operand's dimensions that expand or not depending on a size that
/// is known only in the run.
Int64s undecided(const BroadcastOp &op) {
  Int64s list;
  for (int64_t k = 0; k < op.operands[0].rank(); ++k)
    if (!isFixed(op.operands[0], k) && !expands(op, k) &&
        !isOne(op.results[0], op.dimensions[k]) &&
        llvm::is_contained(op.maybeExpanding, k))
      list.push_back(k);
  return list;
}

/// Builds the map for the case that just the dimensions with `expanded(k)`
/// expand.
template <typename Expanded>
void addBroadcastPiece(const BroadcastOp &op, const Sides &sides,
                       IndexingMapBuilder &builder, Expanded expanded) {
  const ArrayShape &operand = sides.operand(), &result = sides.result();
  Bounds places = indicesOf(result), indices;
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const int64_t j = op.dimensions[k];
    if (expanded(k)) {
      indices.push_back(
          indicesOf(isFixed(operand, k) ? operand.dimensions[k] : 1));
      continue;
    }
    indices.push_back(sharedIndices(operand, k, result, j));
    places[j] = indices[k];
  }
  AccessBuilder access(sides, builder, places, indices);
  for (int64_t k = 0; k < operand.rank(); ++k) {
    if (expanded(k))
      access.operand(k, 0);
    else
      access.same(op.dimensions[k], k);
  }
  access.finish();
}

/// Returns the map between tensors of fixed sizes, as plainAnswer() does.
std::optional<Answer> fixedReads(const BroadcastOp &op, const Sides &sides) {
  llvm::SmallVector<int64_t, 6> given(sides.to().rank(), kAnyIndex);
  for (int64_t k = 0; k < op.operands[0].rank(); ++k) {
    const auto [from, to] = sides.ordered(op.dimensions[k], k);
    if (!expands(op, k))
      given[to] = from;
    else if (sides.isForward())
      given[to] = kFirstIndex;
  }
  return plainAnswerOf(indicesOf(sides.from()), given, indicesOf(sides.to()));
}

}  // namespace

/// C2–C5: the dimensions. Of dynamic_broadcast_in_dim also C7–C10. C1 and C6
/// are of types.
absl::Status verify(const BroadcastOp &op) {
  const size_t operands = op.operands.size() == 2 ? 2 : 1;
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, operands, 1));
  const ArrayShape &operand = op.operands[0], &result = op.results[0];
  const Name dimensions = {"dimensions", "broadcast_dimensions"};
  INDEXICAL_RETURN_IF_ERROR(checkCount("C2", dimensions, op.dimensions,
                                       operand.rank(), "the rank of operand"));
  INDEXICAL_RETURN_IF_ERROR(checkRange("C3", dimensions, op.dimensions,
                                       result.rank(), "rank(result)"));
  INDEXICAL_RETURN_IF_ERROR(checkUnique("C4", dimensions, op.dimensions));
  for (int64_t k = 0; k < operand.rank(); ++k)
    if (!expands(op, k) && !canAgree(operand, k, result, op.dimensions[k]))
      return Broken("C5") << "dimension " << k
                          << " of operand must have the size 1 or that of "
                             "dimension "
                          << op.dimensions[k] << " of the result, "
                          << SizeText{result.dimensions[op.dimensions[k]]}
                          << ", but has " << SizeText{operand.dimensions[k]}
                          << Name{" (dimensions)", ""};
  if (operands == 2)
    INDEXICAL_RETURN_IF_ERROR(
        checkList("C7", {"operand 1, the sizes,", "output_dimensions"},
                  op.operands[1], result.rank(), "the rank of the result"));
  // Which dimensions may expand is the front end's answer but for those listed.
  INDEXICAL_RETURN_IF_ERROR(
      checkUnique("C8", "known_expanding_dimensions", op.expanding));
  INDEXICAL_RETURN_IF_ERROR(checkRange("C9", "known_expanding_dimensions",
                                       op.expanding, operand.rank(),
                                       "rank(operand)"));
  return checkRange("", "dimensions that may expand", op.maybeExpanding,
                    operand.rank(), "rank(operand)");
}

Answer reads(const BroadcastOp &op, const Sides &sides, int64_t, int64_t leaf) {
  if (leaf == 1) return sides.everything();
  if (isFixed(op.operands[0]) && isFixed(op.results[0]))
    if (auto answer = fixedReads(op, sides)) return *std::move(answer);
  const Int64s open = undecided(op);
  if (!areFewVariants(open.size())) return sides.everything(Precision::Cover);
  const OpSizes sizes(op);
  return ofVariants(
      open.size(), [&](const Variant &variant, IndexingMapBuilder &builder) {
        SizeVariables variables(sizes, builder);
        addBroadcastPiece(op, sides, builder, [&](int64_t k) {
          const size_t i = llvm::find(open, k) - open.begin();
          return i < open.size() ? variant[i] : expands(op, k);
        });
        for (size_t i = 0; i < open.size(); ++i)
          builder.constraint(variables.size({0, open[i]}),
                             variant[i] ? Interval::point(1)
                                        : Interval{2, Interval::kInfinity});
      });
}

void addSizeRules(const BroadcastOp &op, SizeCollector &c) {
  const ArrayShape &operand = op.operands[0];
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const bool mayBeOne = isFixed(operand, k)
                              ? operand.dimensions[k] == 1
                              : llvm::is_contained(op.expanding, k) ||
                                    llvm::is_contained(op.maybeExpanding, k);
    if (!mayBeOne || c.isOne(op.results[0], op.dimensions[k]))
      c.equal({0, k}, {c.result(0), op.dimensions[k]});
  }
  if (op.operands.size() > 1) c.given(1);
}

}  // namespace families
}  // namespace indexical
