// Ops that move elements: which operand's element it is, and the indices that
// say so.
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IntegerSet.h"

#include "indexical/import/stablehlo/lower/elements.h"
#include "indexical/import/stablehlo/lower/emit_indexing.h"
#include "indexical/import/stablehlo/lower/relations.h"
#include "indexical/import/stablehlo/lower/scalar_ops.h"
#include "indexical/indexing/affine_map.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

namespace affine = mlir::affine;
namespace arith = mlir::arith;
using mlir::Value;

/// Returns the set of the constraints for affine.if, over the map's dimensions.
mlir::IntegerSet setOf(const IndexingMap &map, mlir::MLIRContext *context) {
  llvm::SmallVector<mlir::AffineExpr> expressions;
  llvm::SmallVector<bool> isEquality;
  auto add = [&](mlir::AffineExpr expression, bool equality) {
    expressions.push_back(expression);
    isEquality.push_back(equality);
  };
  for (const Constraint &c : map.constraints()) {
    // The caller has asked whether it is affine.
    const mlir::AffineExpr form = *affineExpr(map, c.form, context);
    if (c.bounds.isPoint()) {
      add(form - c.bounds.lower, true);
      continue;
    }
    if (c.bounds.hasLower()) add(form - c.bounds.lower, false);
    if (c.bounds.hasUpper()) add(form * -1 + c.bounds.upper, false);
  }
  return mlir::IntegerSet::get(map.dimensions().size(), 0, expressions,
                               isEquality);
}

}  // namespace

namespace {

/// Returns the bounds of the elements of a source, if one of the pieces holds:
/// the op is undefined elsewhere. A piece with narrower bounds has them as a
/// condition.
Interval boundsOfElements(llvm::ArrayRef<const IndexingRelation *> reads,
                          const RuntimeSource &source) {
  Interval bounds = Interval::none();
  for (const IndexingRelation *relation : reads)
    for (const IndexingMap &piece : relation->pieces())
      for (const RuntimeVariable &variable : piece.runtime())
        if (variable.source == source) bounds = bounds.hull(variable.bounds);
  return bounds;
}

/// Returns the bounds, wider by one value on either side. Values outside the
/// old bounds are clamped to these: they stay outside, and small.
Interval justOutside(Interval bounds) {
  if (bounds.hasLower()) --bounds.lower;
  if (bounds.hasUpper()) ++bounds.upper;
  return bounds;
}

}  // namespace

ElementEmitter::Result ElementEmitter::steeringIndex(
    Value element, mlir::Type type, const RuntimeVariable &variable) {
  const Steering key = {element.getAsOpaquePointer(), variable.clamped,
                        variable.bounds.lower, variable.bounds.upper};
  for (const Memo &memo : llvm::reverse(memo_))
    if (auto found = memo.indices.find(key); found != memo.indices.end())
      return found->second;
  auto index = clampedIndex(element, type, variable);
  if (index.ok()) memo_.back().indices[key] = *index;
  return index;
}

/// Returns the element as an index. It is clamped in its own type, which may be
/// wider than signed 64 bits.
ElementEmitter::Result ElementEmitter::clampedIndex(
    Value element, mlir::Type type, const RuntimeVariable &variable) {
  auto wide = b_.getI64Type();
  if (element.getType().isIndex())
    element = arith::IndexCastOp::create(b_, wide, element);
  const unsigned width = element.getType().getIntOrFloatBitWidth();
  if (width > 64 || !llvm::isa<mlir::IntegerType>(element.getType()))
    return absl::UnimplementedError("an index of that type is not lowered");
  const bool isUnsigned = isUnsignedElement(type);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b_, b_.getI64IntegerAttr(value));
  };
  if (width < 64)
    element = isUnsigned
                  ? arith::ExtUIOp::create(b_, wide, element).getResult()
                  : arith::ExtSIOp::create(b_, wide, element).getResult();
  else if (isUnsigned)
    element = arith::MinUIOp::create(b_, element, constant(INT64_MAX));
  if (variable.clamped) {
    if (variable.bounds.hasLower())
      element =
          arith::MaxSIOp::create(b_, element, constant(variable.bounds.lower));
    if (variable.bounds.hasUpper())
      element =
          arith::MinSIOp::create(b_, element, constant(variable.bounds.upper));
  }
  return arith::IndexCastOp::create(b_, b_.getIndexType(), element).getResult();
}

/// Returns the numbers in the scope of the piece's runtime variables. Reads the
/// elements of those that are not there yet.
absl::StatusOr<llvm::SmallVector<unsigned>> ElementEmitter::steered(
    mlir::Operation *op, llvm::ArrayRef<const IndexingRelation *> reads,
    const IndexingMap &piece, const IndexingMap &where,
    std::vector<Steered> &known, Outside outside) {
  llvm::SmallVector<unsigned> numbers;
  for (auto [i, variable] : llvm::enumerate(piece.runtime())) {
    if (variable.source.kind != RuntimeSource::Kind::Element ||
        piece.hiddenRuntimeCount() > 0)
      return absl::UnimplementedError(
          "an index that is not an element of an operand is not lowered");
    INDEXICAL_ASSIGN_OR_RETURN(auto index,
                               compose(where, asSet(piece.sourceMap(i))));
    Interval bounds = variable.bounds;
    const bool isSkipped = outside == Outside::Skipped && !variable.clamped;
    if (isSkipped)
      bounds = justOutside(bounds);
    else if (!variable.clamped)
      bounds = boundsOfElements(reads, variable.source);
    auto isSame = [&, &variable = variable](const Steered &s) {
      return s.source == variable.source && s.index == index &&
             s.bounds == bounds && s.clamped == variable.clamped;
    };
    if (auto found = llvm::find_if(known, isSame); found != known.end()) {
      numbers.push_back(found->value);
      continue;
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto unmet, conditionOf(index, where));
    if (unmet.isKnownEmpty() || !unmet.constraints().empty())
      return absl::UnimplementedError(
          "an index that is not there for every element is not lowered");
    if (variable.clamped && variable.bounds.isPoint()) {
      const Value only =
          arith::ConstantIndexOp::create(b_, variable.bounds.lower);
      numbers.push_back(numberInScope(only, variable.bounds));
      continue;
    }
    const Value operand = op->getOperand(variable.source.tensor);
    INDEXICAL_ASSIGN_OR_RETURN(auto element, at(operand, index));
    RuntimeVariable read = variable;
    if (isSkipped) {
      read.bounds = bounds;
      read.clamped = true;
    }
    INDEXICAL_ASSIGN_OR_RETURN(
        auto value, steeringIndex(element, elementOf(operand.getType()), read));
    const unsigned number = numberInScope(value, bounds);
    known.push_back({variable.source, index, bounds, variable.clamped, number});
    numbers.push_back(number);
  }
  return numbers;
}

ElementEmitter::Result ElementEmitter::moved(mlir::OpResult result,
                                             llvm::ArrayRef<unsigned> operands,
                                             const IndexingMap &where) {
  mlir::Operation *op = result.getOwner();
  llvm::SmallVector<const IndexingRelation *> reads;
  for (unsigned k : operands) {
    INDEXICAL_ASSIGN_OR_RETURN(auto own, exactReads(result, k));
    reads.push_back(own);
  }
  std::vector<Steered> known;
  llvm::SmallVector<Choice> choices;
  for (auto [k, relation] : llvm::zip(operands, reads)) {
    for (const IndexingMap &piece : relation->pieces()) {
      if (!piece.ranges().empty())
        return absl::UnimplementedError("an element that is several ones");
      INDEXICAL_ASSIGN_OR_RETURN(auto numbers,
                                 steered(op, reads, piece, where, known));
      INDEXICAL_ASSIGN_OR_RETURN(auto from,
                                 withValues(where, bounds_, numbers));
      INDEXICAL_ASSIGN_OR_RETURN(auto there, compose(from, asSet(piece)));
      if (there.isKnownEmpty()) continue;
      INDEXICAL_ASSIGN_OR_RETURN(auto condition, conditionOf(there, from));
      choices.push_back({op->getOperand(k), there, condition});
    }
  }
  if (choices.empty())
    return absl::UnimplementedError("an element that nothing defines");
  return choose(choices);
}

ElementEmitter::Result ElementEmitter::choose(llvm::ArrayRef<Choice> choices) {
  const Choice &first = choices.front();
  // One of the choices holds: the last one if none before it does.
  if (choices.size() == 1 || first.condition.constraints().empty())
    return at(first.tensor, first.where);
  INDEXICAL_ASSIGN_OR_RETURN(auto type,
                             scalarType(elementOf(first.tensor.getType())));
  auto one = [](Result value) -> absl::StatusOr<Values> {
    INDEXICAL_RETURN_IF_ERROR(value.status());
    return Values{*value};
  };
  INDEXICAL_ASSIGN_OR_RETURN(
      auto chosen, branch(
                       first.condition, type,
                       [&] { return one(at(first.tensor, first.where)); },
                       [&] { return one(choose(choices.drop_front())); }));
  return chosen.front();
}

absl::StatusOr<ElementEmitter::Values> ElementEmitter::inBlock(
    mlir::Block *block, Emit emit) {
  mlir::OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToEnd(block);
  const size_t size = values_.size();
  memo_.emplace_back();
  auto values = emit();
  memo_.pop_back();
  values_.truncate(size);
  bounds_.truncate(size);
  return values;
}

absl::StatusOr<ElementEmitter::Values> ElementEmitter::branch(
    const IndexingMap &condition, mlir::TypeRange types, Emit then,
    Emit otherwise) {
  llvm::SmallVector<FormId> forms;
  for (const Constraint &c : condition.constraints()) forms.push_back(c.form);
  mlir::Operation *op = nullptr;
  if (isAffine(condition, forms)) {
    mlir::IntegerSet set = setOf(condition, b_.getContext());
    Values operands(valuesOf(condition));
    affine::canonicalizeSetAndOperands(&set, &operands);
    op = affine::AffineIfOp::create(b_, types, set, operands, true);
  } else {
    EmitOptions options;
    options.assumeBounds = true;
    INDEXICAL_ASSIGN_OR_RETURN(auto holds, onlyResults(condition, {}));
    INDEXICAL_ASSIGN_OR_RETURN(
        auto emitted, emitIndexing(b_, holds, valuesOf(condition), {}, {},
                                   b_.getLoc(), options));
    op = mlir::scf::IfOp::create(b_, types, emitted.condition, true);
  }
  const Emit sides[] = {then, otherwise};
  for (auto [region, side] : llvm::zip(op->getRegions(), sides)) {
    mlir::Block *block = &region.front();
    if (!block->empty()) block->back().erase();  // a terminator of no values
    INDEXICAL_ASSIGN_OR_RETURN(auto values, inBlock(block, side));
    mlir::OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToEnd(block);
    if (llvm::isa<affine::AffineIfOp>(op))
      affine::AffineYieldOp::create(b_, values);
    else
      mlir::scf::YieldOp::create(b_, values);
  }
  return Values(op->getResults());
}

}  // namespace indexical
