// Scatters: a loop over the slices, of which those that land are applied.
//
//   %r = "stablehlo.scatter"(%x, %i, %u) ({ add }) …      %x[%i[k]] += %u[k]
//
//   %sum = affine.for %k = 0 to 5 iter_args(%a = %x[%j]) {
//     %at = %i[%k]                       clamped to one past its ends
//     %n = if (%at == %j) { %a + %u[%k] } else { %a }
//     affine.yield %n
//   }
//
// Slices are applied in the order of their numbers, which is one of those that
// the specification allows.
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "indexical/import/stablehlo/dialect/movement.h"
#include "indexical/import/stablehlo/lower/elements.h"
#include "indexical/import/stablehlo/lower/relations.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

absl::StatusOr<ElementEmitter::Values> ElementEmitter::landedOnce(
    mlir::Operation *op, const Scattered &of, const IndexingMap &where,
    size_t piece, Values soFar) {
  llvm::SmallVector<const IndexingRelation *> reads;
  for (unsigned k = 0; k < of.count; ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                               exactReads(op->getResult(k), of.updates + k));
    reads.push_back(relation);
  }
  const IndexingMap &first = reads[0]->pieces()[piece];
  std::vector<Steered> known;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto numbers, steered(op, reads, first, where, known, Outside::Skipped));
  INDEXICAL_ASSIGN_OR_RETURN(auto from, withValues(where, bounds_, numbers));
  llvm::SmallVector<IndexingMap> there;
  for (const IndexingRelation *relation : reads) {
    INDEXICAL_ASSIGN_OR_RETURN(auto composed,
                               compose(from, asSet(relation->pieces()[piece])));
    there.push_back(std::move(composed));
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto lands, conditionOf(there.front(), from));
  if (lands.isKnownEmpty()) return soFar;
  auto apply = [&]() -> absl::StatusOr<Values> {
    Values arguments = soFar;
    for (unsigned k = 0; k < of.count; ++k) {
      INDEXICAL_ASSIGN_OR_RETURN(auto value,
                                 at(op->getOperand(of.updates + k), there[k]));
      arguments.push_back(value);
    }
    if (!of.body) return Values{arguments.back()};
    return runRegion(*of.body, arguments);
  };
  if (lands.constraints().empty()) return apply();
  return branch(lands, mlir::ValueRange(soFar).getTypes(), apply,
                [&]() -> absl::StatusOr<Values> { return soFar; });
}

/// The values so far with the slices of one piece of the maps applied.
absl::StatusOr<ElementEmitter::Values> ElementEmitter::landed(
    mlir::Operation *op, const Scattered &of, const IndexingMap &where,
    size_t piece, Values soFar) {
  INDEXICAL_ASSIGN_OR_RETURN(auto reads,
                             exactReads(op->getResult(0), of.updates));
  llvm::SmallVector<Interval> bounds;
  for (const Variable &range : reads->pieces()[piece].ranges())
    bounds.push_back(range.bounds);
  return loops(bounds, std::move(soFar), [&](Values carried) {
    const unsigned end = values_.size();
    auto slice = withValues(
        where, bounds_,
        llvm::to_vector(llvm::seq<unsigned>(end - bounds.size(), end)));
    if (!slice.ok()) return absl::StatusOr<Values>(slice.status());
    return landedOnce(op, of, *slice, piece, std::move(carried));
  });
}

ElementEmitter::Result ElementEmitter::scattered(mlir::OpResult result,
                                                 const Scattered &of,
                                                 const IndexingMap &where) {
  mlir::Operation *op = result.getOwner();
  Values values;
  for (unsigned k = 0; k < of.count; ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(auto value,
                               at(op->getOperand(of.inputs + k), where));
    values.push_back(value);
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto reads,
                             exactReads(op->getResult(0), of.updates));
  const size_t pieces = reads->pieces().size();
  for (size_t piece = 0; piece < pieces; ++piece) {
    INDEXICAL_ASSIGN_OR_RETURN(values,
                               landed(op, of, where, piece, std::move(values)));
  }
  const int frame = frame_ ? frame_->number : 0;
  for (unsigned k = 0; k < of.count; ++k)
    memo_.back().elements.try_emplace({op->getResult(k), frame, where},
                                      values[k]);
  return values[result.getResultNumber()];
}

ElementEmitter::Result ElementEmitter::scattered(mlir::OpResult result,
                                                 const IndexingMap &where) {
  mlir::Operation *op = result.getOwner();
  Scattered of;
  if (llvm::isa<mlir::tensor::ScatterOp>(op)) {
    of.inputs = 1;
    of.updates = 0;
  } else {
    of.count = op->getNumResults();
    of.updates = of.count + 1;
    of.body = &op->getRegion(0);
  }
  return scattered(result, of, where);
}

}  // namespace indexical
