// Ops that reduce elements or compute them with a body of their own: loops,
// and regions that run on scalars.
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "indexical/import/stablehlo/lower/elements.h"
#include "indexical/import/stablehlo/lower/relations.h"
#include "indexical/indexing/affine_map.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

namespace affine = mlir::affine;
namespace linalg = mlir::linalg;
using mlir::Value;

}  // namespace

absl::StatusOr<ElementEmitter::Values> ElementEmitter::loops(
    llvm::ArrayRef<Interval> bounds, Values carried,
    llvm::function_ref<absl::StatusOr<Values>(Values)> body) {
  if (bounds.empty()) return body(std::move(carried));
  const Interval &trips = bounds.front();
  if (!trips.isFinite())
    return absl::UnimplementedError("a loop without an end is not lowered");
  auto loop =
      affine::AffineForOp::create(b_, trips.lower, trips.upper + 1, 1, carried);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto values, inBlock(loop.getBody(), [&]() -> absl::StatusOr<Values> {
        addToScope(loop.getInductionVar(), trips);
        return loops(bounds.drop_front(), Values(loop.getRegionIterArgs()),
                     body);
      }));
  mlir::OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToEnd(loop.getBody());
  affine::AffineYieldOp::create(b_, values);
  return Values(loop.getResults());
}

absl::StatusOr<ElementEmitter::Values> ElementEmitter::runRegion(
    mlir::Region &region, mlir::ValueRange arguments) {
  if (!llvm::hasSingleElement(region))
    return absl::UnimplementedError("a body of several blocks is not lowered");
  mlir::Block &block = region.front();
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    scalars_[argument] = value;
  memo_.emplace_back();
  Values results;
  for (Value yielded : block.getTerminator()->getOperands()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto value, at(yielded, IndexingMap()));
    results.push_back(value);
  }
  memo_.pop_back();
  for (Value argument : block.getArguments()) scalars_.erase(argument);
  return results;
}

//===-- stablehlo.reduce, reduce_window -----------------------------------===//

/// Adds what piece number `piece` of the maps reads to the values so far.
absl::StatusOr<ElementEmitter::Values> ElementEmitter::folded(
    mlir::Operation *op, const IndexingMap &where, size_t piece, Values soFar) {
  const unsigned count = op->getNumResults();
  llvm::SmallVector<IndexingMap> reads;
  for (unsigned k = 0; k < count; ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(auto relation, exactReads(op->getResult(0), k));
    reads.push_back(relation->pieces()[piece]);
  }
  llvm::SmallVector<Interval> bounds;
  for (const Variable &range : reads.front().ranges())
    bounds.push_back(range.bounds);
  return loops(bounds, std::move(soFar), [&](Values carried) {
    const unsigned end = values_.size();
    auto numbers =
        llvm::to_vector(llvm::seq<unsigned>(end - bounds.size(), end));
    auto step = [&]() -> absl::StatusOr<Values> {
      INDEXICAL_ASSIGN_OR_RETURN(auto from,
                                 withValues(where, bounds_, numbers));
      Values arguments = carried;
      IndexingMap condition = IndexingMap::knownEmpty();
      llvm::SmallVector<IndexingMap> there;
      for (const IndexingMap &each : reads) {
        INDEXICAL_ASSIGN_OR_RETURN(auto composed, compose(from, asSet(each)));
        there.push_back(composed);
      }
      INDEXICAL_ASSIGN_OR_RETURN(auto asked, conditionOf(there.front(), from));
      if (asked.isKnownEmpty()) return carried;
      auto combine = [&]() -> absl::StatusOr<Values> {
        for (unsigned k = 0; k < count; ++k) {
          INDEXICAL_ASSIGN_OR_RETURN(auto value,
                                     at(op->getOperand(k), there[k]));
          arguments.push_back(value);
        }
        return runRegion(op->getRegion(0), arguments);
      };
      if (asked.constraints().empty()) return combine();
      return branch(asked, mlir::ValueRange(carried).getTypes(), combine,
                    [&]() -> absl::StatusOr<Values> { return carried; });
    };
    return step();
  });
}

ElementEmitter::Result ElementEmitter::reduced(mlir::OpResult result,
                                               const IndexingMap &where) {
  mlir::Operation *op = result.getOwner();
  const unsigned count = op->getNumResults();
  Values values;
  for (unsigned k = 0; k < count; ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(auto value,
                               at(op->getOperand(count + k), IndexingMap()));
    values.push_back(value);
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto reads, exactReads(op->getResult(0), 0));
  const size_t pieces = reads->pieces().size();
  for (size_t piece = 0; piece < pieces; ++piece) {
    INDEXICAL_ASSIGN_OR_RETURN(values,
                               folded(op, where, piece, std::move(values)));
  }
  const int frame = frame_ ? frame_->number : 0;
  for (unsigned k = 0; k < count; ++k)
    memo_.back().elements.try_emplace({op->getResult(k), frame, where},
                                      values[k]);
  return values[result.getResultNumber()];
}

//===-- linalg, tensor.generate -------------------------------------------===//

ElementEmitter::Result ElementEmitter::structured(mlir::OpResult result,
                                                  const IndexingMap &where) {
  auto op = llvm::cast<linalg::LinalgOp>(result.getOwner());
  mlir::OpOperand *init = op.getDpsInitOperand(result.getResultNumber());
  const mlir::AffineMap out = op.getMatchingIndexingMap(init);
  for (mlir::OpOperand &other : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&other) != out)
      return absl::UnimplementedError(
          "results at different places of the loops are not lowered");
  const auto sizes = op.getStaticLoopRanges();
  if (!out.isProjectedPermutation() ||
      llvm::is_contained(sizes, mlir::ShapedType::kDynamic))
    return absl::UnimplementedError(
        "a result that is not a permutation of loops of known sizes is not "
        "lowered");
  // Each loop is an index of the result, or one that is run here.
  llvm::SmallVector<unsigned> from(sizes.size());
  llvm::SmallVector<Interval> all, run;
  for (auto [loop, size] : llvm::enumerate(sizes)) {
    all.push_back({0, size - 1});
    auto expr = mlir::getAffineDimExpr(loop, b_.getContext());
    if (auto place = out.getResultPosition(expr)) {
      from[loop] = *place;
      continue;
    }
    from[loop] = out.getNumResults() + run.size();
    run.push_back({0, size - 1});
  }
  Values carried;
  for (Value each : op.getDpsInits()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto value,
                               run.empty() ? Result(Value()) : at(each, where));
    carried.push_back(value);
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      auto values,
      loops(run, carried, [&](Values soFar) -> absl::StatusOr<Values> {
        const unsigned end = values_.size();
        INDEXICAL_ASSIGN_OR_RETURN(
            auto whole, withValues(where, bounds_,
                                   llvm::to_vector(llvm::seq<unsigned>(
                                       end - run.size(), end))));
        INDEXICAL_ASSIGN_OR_RETURN(auto loopsOf, onlyResults(whole, from));
        Values arguments;
        for (mlir::OpOperand &operand : op->getOpOperands()) {
          const bool isCarried = op.isDpsInit(&operand) && !run.empty();
          if (isCarried) {
            const unsigned k =
                operand.getOperandNumber() - op.getNumDpsInputs();
            arguments.push_back(soFar[k]);
            continue;
          }
          if (op.getMatchingBlockArgument(&operand).use_empty()) {
            arguments.push_back(Value());
            continue;
          }
          INDEXICAL_ASSIGN_OR_RETURN(
              auto map,
              fromAffineMap(op.getMatchingIndexingMap(&operand), all));
          INDEXICAL_ASSIGN_OR_RETURN(auto there, compose(loopsOf, map));
          INDEXICAL_ASSIGN_OR_RETURN(auto value, at(operand.get(), there));
          arguments.push_back(value);
        }
        llvm::SmallVector<linalg::IndexOp> indices(
            op.getBlock()->getOps<linalg::IndexOp>());
        for (linalg::IndexOp index : indices) {
          INDEXICAL_ASSIGN_OR_RETURN(auto value,
                                     indexValue(loopsOf, index.getDim()));
          scalars_[index.getResult()] = value;
        }
        auto results = runRegion(op->getRegion(0), arguments);
        for (linalg::IndexOp index : indices) scalars_.erase(index.getResult());
        return results;
      }));
  return values[result.getResultNumber()];
}

ElementEmitter::Result ElementEmitter::generated(mlir::Operation *op,
                                                 const IndexingMap &where) {
  Values arguments;
  for (unsigned k = 0; k < where.results().size(); ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(auto value, indexValue(where, k));
    arguments.push_back(value);
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto values,
                             runRegion(op->getRegion(0), arguments));
  return values.front();
}

}  // namespace indexical
