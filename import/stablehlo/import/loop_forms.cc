#include "indexical/import/stablehlo/import/loop_forms.h"

#include <cstdint>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"


namespace indexical {
namespace {

using llvm::SmallVector;
using mlir::Value;
using mlir::arith::CmpIPredicate;

bool isOfMemory(mlir::Operation *op) {
  auto isMemory = [](mlir::Type type) {
    return llvm::isa<mlir::BaseMemRefType>(type);
  };
  return op
      ->walk([&](mlir::Operation *inner) {
        return llvm::any_of(inner->getOperandTypes(), isMemory) ||
                       llvm::any_of(inner->getResultTypes(), isMemory)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

bool isPure(mlir::Region &region) {
  return llvm::all_of(region.getOps(), [](mlir::Operation &op) {
    return mlir::isMemoryEffectFree(&op);
  });
}

SmallVector<mlir::Location> locationsOf(mlir::ValueRange values,
                                        mlir::Location location) {
  return SmallVector<mlir::Location>(values.size(), location);
}

//===-- Expressions of affine ---------------------------------------------===//

/// Writes expressions of affine with ops of arith.
class Written {
 public:
  Written(mlir::OpBuilder &builder, mlir::Location location,
          mlir::ValueRange dims, mlir::ValueRange symbols)
      : b_(builder), at_(location), dims_(dims), symbols_(symbols) {}

  Value number(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(b_, at_, value);
  }

  /// Returns null for a division by what is no positive number.
  Value of(mlir::AffineExpr expr) {
    if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
      return dims_[dim.getPosition()];
    if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
      return symbols_[symbol.getPosition()];
    if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
      return number(constant.getValue());
    auto both = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
    const Value a = of(both.getLHS());
    if (!a) return {};
    if (expr.getKind() == mlir::AffineExprKind::Add ||
        expr.getKind() == mlir::AffineExprKind::Mul) {
      const Value c = of(both.getRHS());
      if (!c) return {};
      if (expr.getKind() == mlir::AffineExprKind::Add)
        return mlir::arith::AddIOp::create(b_, at_, a, c);
      return mlir::arith::MulIOp::create(b_, at_, a, c);
    }
    auto divisor = llvm::dyn_cast<mlir::AffineConstantExpr>(both.getRHS());
    if (!divisor || divisor.getValue() < 1) return {};
    const Value by = number(divisor.getValue());
    if (expr.getKind() == mlir::AffineExprKind::Mod) return mod(a, by);
    if (expr.getKind() == mlir::AffineExprKind::FloorDiv)
      return mlir::arith::DivSIOp::create(
          b_, at_, mlir::arith::SubIOp::create(b_, at_, a, mod(a, by)), by);
    // The next multiple of the divisor.
    const Value minus = mlir::arith::SubIOp::create(b_, at_, number(0), a);
    return mlir::arith::DivSIOp::create(
        b_, at_, mlir::arith::AddIOp::create(b_, at_, a, mod(minus, by)), by);
  }

  /// Returns the least or the greatest of the results of the map.
  Value extreme(mlir::AffineMap map, bool isLeast) {
    Value found;
    for (mlir::AffineExpr expr : map.getResults()) {
      const Value each = of(expr);
      if (!each) return {};
      if (!found)
        found = each;
      else if (isLeast)
        found = mlir::arith::MinSIOp::create(b_, at_, found, each);
      else
        found = mlir::arith::MaxSIOp::create(b_, at_, found, each);
    }
    return found;
  }

  Value holds(mlir::IntegerSet set) {
    Value all;
    for (unsigned k = 0; k < set.getNumConstraints(); ++k) {
      const Value value = of(set.getConstraint(k));
      if (!value) return {};
      const Value each = mlir::arith::CmpIOp::create(
          b_, at_, set.isEq(k) ? CmpIPredicate::eq : CmpIPredicate::sge, value,
          number(0));
      all = all ? Value(mlir::arith::AndIOp::create(b_, at_, all, each)) : each;
    }
    return all;
  }

 private:
  /// The remainder that is not negative.
  Value mod(Value a, Value by) {
    const Value rest = mlir::arith::RemSIOp::create(b_, at_, a, by);
    return mlir::arith::RemSIOp::create(
        b_, at_, mlir::arith::AddIOp::create(b_, at_, rest, by), by);
  }

  mlir::OpBuilder &b_;
  mlir::Location at_;
  mlir::ValueRange dims_, symbols_;
};

Written writtenFor(mlir::OpBuilder &builder, mlir::Operation *op, unsigned dims,
                   mlir::ValueRange operands) {
  return {builder, op->getLoc(), operands.take_front(dims),
          operands.drop_front(dims)};
}

//===-- Loops -------------------------------------------------------------===//

// The most that a bound or a step of loops without an order may be.
constexpr int64_t kMostCounted = int64_t{1} << 40;

class Converter {
 public:
  explicit Converter(std::vector<mlir::Operation *> &replaced)
      : replaced_(replaced) {}

  void convert(mlir::Operation *op) {
    if (auto loop = llvm::dyn_cast<mlir::scf::ForOp>(op)) {
      if (!loop.getUnsignedCmp()) convertFor(loop);
    } else if (auto all = llvm::dyn_cast<mlir::scf::ForallOp>(op)) {
      convertForall(all);
    } else if (auto loop = llvm::dyn_cast<mlir::scf::WhileOp>(op)) {
      convertWhile(loop);
    } else if (auto all = llvm::dyn_cast<mlir::scf::ParallelOp>(op)) {
      convertParallel(all);
    } else if (auto all = llvm::dyn_cast<mlir::affine::AffineParallelOp>(op)) {
      convertAffineParallel(all);
    } else if (auto loop = llvm::dyn_cast<mlir::affine::AffineForOp>(op)) {
      convertAffineFor(loop);
    } else if (auto branch = llvm::dyn_cast<mlir::affine::AffineIfOp>(op)) {
      convertAffineIf(branch);
    } else {
      convertApply(op);
    }
  }

 private:
  void retire(mlir::Operation *op) {
    op->dropAllReferences();
    op->remove();
    replaced_.push_back(op);
  }

  void replace(mlir::Operation *op, mlir::ValueRange values) {
    op->replaceAllUsesWith(values);
    retire(op);
  }

  /// Makes a while of a loop whose counter and carried values are the body's
  /// arguments, and that ends with a yield of the latter.
  void makeWhile(mlir::Operation *op, Value from, Value to, Value step,
                 mlir::ValueRange inits, mlir::Region &body) {
    mlir::OpBuilder b(op);
    const mlir::Location at = op->getLoc();
    SmallVector<Value> state{from};
    llvm::append_range(state, inits);
    const mlir::TypeRange types = mlir::ValueRange(state).getTypes();
    auto made = mlir::scf::WhileOp::create(b, at, types, state);
    mlir::Block *before =
        b.createBlock(&made.getBefore(), {}, types, locationsOf(state, at));
    const Value goesOn = mlir::arith::CmpIOp::create(
        b, at, CmpIPredicate::slt, before->getArgument(0), to);
    mlir::scf::ConditionOp::create(b, at, goesOn, before->getArguments());
    made.getAfter().takeBody(body);
    mlir::Block &after = made.getAfter().front();
    mlir::Operation *yield = after.getTerminator();
    b.setInsertionPoint(yield);
    SmallVector<Value> next{
        mlir::arith::AddIOp::create(b, at, after.getArgument(0), step)};
    llvm::append_range(next, yield->getOperands());
    mlir::scf::YieldOp::create(b, at, next);
    retire(yield);
    replace(op, made.getResults().drop_front());
  }

  void convertFor(mlir::scf::ForOp loop) {
    makeWhile(loop, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(),
              loop.getInitArgs(), loop.getRegion());
  }

  void convertAffineFor(mlir::affine::AffineForOp loop) {
    mlir::OpBuilder b(loop);
    const auto low = loop.getLowerBoundMap(), high = loop.getUpperBoundMap();
    const Value from =
        writtenFor(b, loop, low.getNumDims(), loop.getLowerBoundOperands())
            .extreme(low, /*isLeast=*/false);
    Written end =
        writtenFor(b, loop, high.getNumDims(), loop.getUpperBoundOperands());
    const Value to = end.extreme(high, /*isLeast=*/true);
    if (from && to)
      makeWhile(loop, from, to, end.number(loop.getStepAsInt()),
                loop.getInits(), loop.getRegion());
  }

  void convertForall(mlir::scf::ForallOp all) {
    auto isInsert = [](mlir::Operation &op) {
      return llvm::isa<mlir::tensor::ParallelInsertSliceOp>(op);
    };
    if (!llvm::all_of(
            llvm::cast<mlir::scf::InParallelOp>(all.getBody()->getTerminator())
                .getYieldingOps(),
            isInsert))
      return;
    mlir::OpBuilder b(all);
    const mlir::Location at = all.getLoc();
    auto given = [&](mlir::OpFoldResult number) -> Value {
      if (auto value = llvm::dyn_cast<Value>(number)) return value;
      return mlir::arith::ConstantIndexOp::create(
          b, at,
          llvm::cast<mlir::IntegerAttr>(llvm::cast<mlir::Attribute>(number))
              .getInt());
    };
    SmallVector<Value> lows, highs, steps;
    for (auto [low, high, step] :
         llvm::zip(all.getMixedLowerBound(), all.getMixedUpperBound(),
                   all.getMixedStep())) {
      lows.push_back(given(low));
      highs.push_back(given(high));
      steps.push_back(given(step));
    }
    if (lows.empty() || all.getOutputs().empty()) return;
    const SmallVector<Value> outputs(all.getOutputs());
    SmallVector<mlir::scf::ForOp> loops;
    mlir::ValueRange inits = outputs;
    for (auto [low, high, step] : llvm::zip(lows, highs, steps)) {
      auto loop = mlir::scf::ForOp::create(b, at, low, high, step, inits);
      if (!loops.empty()) mlir::scf::YieldOp::create(b, at, loop.getResults());
      loops.push_back(loop);
      b.setInsertionPointToStart(loop.getBody());
      inits = loop.getRegionIterArgs();
    }
    // The body, whose outputs are those before the loop.
    mlir::Block *body = all.getBody();
    auto inParallel =
        llvm::cast<mlir::scf::InParallelOp>(body->getTerminator());
    SmallVector<mlir::tensor::ParallelInsertSliceOp> inserts;
    for (mlir::Operation &op : inParallel.getYieldingOps())
      if (auto insert = llvm::dyn_cast<mlir::tensor::ParallelInsertSliceOp>(op))
        inserts.push_back(insert);
    SmallVector<Value> current(loops.back().getRegionIterArgs());
    SmallVector<size_t> places;
    for (auto insert : inserts)
      places.push_back(
          llvm::cast<mlir::BlockArgument>(insert.getDest()).getArgNumber() -
          lows.size());
    for (auto [k, loop] : llvm::enumerate(loops))
      all.getInductionVars()[k].replaceAllUsesWith(loop.getInductionVar());
    for (auto [argument, output] : llvm::zip(all.getRegionIterArgs(), outputs))
      argument.replaceAllUsesWith(output);
    mlir::Block *inner = loops.back().getBody();
    inner->getOperations().splice(inner->end(), body->getOperations(),
                                  body->begin(), inParallel->getIterator());
    b.setInsertionPointToEnd(inner);
    for (auto [insert, place] : llvm::zip(inserts, places))
      current[place] = mlir::tensor::InsertSliceOp::create(
          b, insert.getLoc(), insert.getSource(), current[place],
          insert.getMixedOffsets(), insert.getMixedSizes(),
          insert.getMixedStrides());
    mlir::scf::YieldOp::create(b, at, current);
    replace(all, loops.front().getResults());
    for (auto loop : llvm::reverse(loops)) convertFor(loop);
  }

  /// A loop whose iterations have no order: its counter's values.
  struct Counter {
    int64_t first, step, trips;
  };

  /// Combines what was before with what an iteration adds to result `k`.
  using Combine = llvm::function_ref<Value(
      mlir::OpBuilder &, size_t k, Value before, mlir::IRMapping &values)>;

  /// Makes a reduction of linalg of loops that reduce scalars: a loop of it
  /// counts the iterations of one of these.
  void makeReduction(mlir::Operation *op, llvm::ArrayRef<Counter> counters,
                     mlir::Block &body, llvm::ArrayRef<Value> inits,
                     Combine combine) {
    mlir::OpBuilder b(op);
    const mlir::Location at = op->getLoc();
    // The sizes of the loops are those of a tensor that nothing reads.
    SmallVector<int64_t> sizes;
    for (const Counter &each : counters) sizes.push_back(each.trips);
    const Value space =
        mlir::tensor::EmptyOp::create(b, at, sizes, b.getI1Type());
    SmallVector<Value> begun;
    SmallVector<mlir::Type> types;
    for (Value init : inits) {
      types.push_back(mlir::RankedTensorType::get({}, init.getType()));
      begun.push_back(
          mlir::tensor::FromElementsOp::create(b, at, types.back(), init));
    }
    const auto identity = b.getMultiDimIdentityMap(sizes.size());
    SmallVector<mlir::AffineMap> maps{identity};
    maps.append(inits.size(),
                mlir::AffineMap::get(sizes.size(), 0, b.getContext()));
    const SmallVector<mlir::utils::IteratorType> iterators(
        sizes.size(), mlir::utils::IteratorType::reduction);
    auto made = mlir::linalg::GenericOp::create(
        b, at, types, space, begun, maps, iterators,
        [&](mlir::OpBuilder &inner, mlir::Location, mlir::ValueRange before) {
          mlir::IRMapping values;
          auto number = [&](int64_t value) -> Value {
            return mlir::arith::ConstantIndexOp::create(inner, at, value);
          };
          for (auto [k, counter] : llvm::enumerate(counters)) {
            Value count = mlir::linalg::IndexOp::create(inner, at, k);
            count = mlir::arith::MulIOp::create(inner, at, count,
                                                number(counter.step));
            values.map(body.getArgument(k),
                       mlir::arith::AddIOp::create(inner, at, count,
                                                   number(counter.first)));
          }
          for (mlir::Operation &each : body.without_terminator())
            inner.clone(each, values);
          SmallVector<Value> next;
          for (size_t k = 0; k < inits.size(); ++k)
            next.push_back(combine(inner, k, before[1 + k], values));
          mlir::linalg::YieldOp::create(inner, at, next);
        });
    SmallVector<Value> results;
    for (Value result : made.getResults())
      results.push_back(mlir::tensor::ExtractOp::create(b, at, result));
    replace(op, results);
  }

  /// Whether a body of linalg can hold the ops, and has something to reduce.
  static bool isReductionOfScalars(mlir::Operation *op, mlir::Block &body) {
    return op->getNumResults() > 0 &&
           llvm::all_of(op->getResultTypes(),
                        [](mlir::Type type) { return type.isIntOrFloat(); }) &&
           llvm::all_of(body.without_terminator(), [](mlir::Operation &each) {
             return each.getNumRegions() == 0 &&
                    mlir::isMemoryEffectFree(&each);
           });
  }

  void convertParallel(mlir::scf::ParallelOp all) {
    mlir::Block &body = *all.getBody();
    if (!isReductionOfScalars(all, body)) return;
    SmallVector<Counter> counters;
    for (auto [low, high, step] :
         llvm::zip(all.getLowerBound(), all.getUpperBound(), all.getStep())) {
      const auto first = mlir::getConstantIntValue(low),
                 end = mlir::getConstantIntValue(high),
                 by = mlir::getConstantIntValue(step);
      if (!first || !end || !by || *by < 1 || *first >= *end ||
          *first < -kMostCounted || *end > kMostCounted || *by > kMostCounted)
        return;
      counters.push_back({*first, *by, (*end - *first + *by - 1) / *by});
    }
    auto reduce = llvm::cast<mlir::scf::ReduceOp>(body.getTerminator());
    if (!llvm::all_of(reduce.getReductions(),
                      [](mlir::Region &region) { return isPure(region); }))
      return;
    makeReduction(
        all, counters, body, SmallVector<Value>(all.getInitVals()),
        [&](mlir::OpBuilder &b, size_t k, Value before,
            mlir::IRMapping &values) {
          mlir::Block &combiner = reduce.getReductions()[k].front();
          mlir::IRMapping both(values);
          both.map(combiner.getArgument(0), before);
          both.map(combiner.getArgument(1),
                   values.lookupOrDefault(reduce.getOperands()[k]));
          for (mlir::Operation &each : combiner.without_terminator())
            b.clone(each, both);
          return both.lookupOrDefault(combiner.getTerminator()->getOperand(0));
        });
  }

  void convertAffineParallel(mlir::affine::AffineParallelOp all) {
    mlir::Block &body = *all.getBody();
    const auto ranges = all.getConstantRanges();
    if (!isReductionOfScalars(all, body) || !ranges) return;
    SmallVector<Counter> counters;
    for (auto [k, range] : llvm::enumerate(*ranges)) {
      const mlir::AffineMap low = all.getLowerBoundMap(k);
      const int64_t step = all.getSteps()[k];
      if (low.getNumResults() != 1 || range < 1 || range > kMostCounted ||
          step < 1 || step > kMostCounted)
        return;
      auto first = llvm::dyn_cast<mlir::AffineConstantExpr>(low.getResult(0));
      if (!first || first.getValue() < -kMostCounted ||
          first.getValue() > kMostCounted)
        return;
      counters.push_back({first.getValue(), step, (range + step - 1) / step});
    }
    SmallVector<mlir::arith::AtomicRMWKind> kinds;
    for (mlir::Attribute kind : all.getReductions())
      kinds.push_back(static_cast<mlir::arith::AtomicRMWKind>(
          llvm::cast<mlir::IntegerAttr>(kind).getInt()));
    if (llvm::is_contained(kinds, mlir::arith::AtomicRMWKind::assign)) return;
    mlir::OpBuilder b(all);
    SmallVector<Value> inits;
    for (auto [kind, type] : llvm::zip(kinds, all.getResultTypes()))
      inits.push_back(
          mlir::arith::getIdentityValue(kind, type, b, all.getLoc()));
    mlir::Operation *yield = body.getTerminator();
    makeReduction(all, counters, body, inits,
                  [&](mlir::OpBuilder &inner, size_t k, Value before,
                      mlir::IRMapping &values) {
                    return mlir::arith::getReductionOp(
                        kinds[k], inner, all.getLoc(), before,
                        values.lookupOrDefault(yield->getOperand(k)));
                  });
  }

  void convertWhile(mlir::scf::WhileOp loop) {
    if (isPlainWhile(loop) || !loop.getBefore().hasOneBlock() ||
        !isPure(loop.getBefore()))
      return;
    mlir::OpBuilder b(loop);
    const mlir::Location at = loop.getLoc();
    mlir::Block &before = loop.getBefore().front();
    mlir::Block &after = loop.getAfter().front();
    const mlir::TypeRange types = before.getArgumentTypes();
    // Copies the first region, and returns its condition and what it passes on.
    auto copied = [&](mlir::ValueRange arguments) {
      mlir::IRMapping values;
      values.map(before.getArguments(), arguments);
      for (mlir::Operation &op : before.without_terminator())
        b.clone(op, values);
      SmallVector<Value> all;
      for (Value value : before.getTerminator()->getOperands())
        all.push_back(values.lookupOrDefault(value));
      return all;
    };
    auto made = mlir::scf::WhileOp::create(b, at, types, loop.getInits());
    const auto locations = locationsOf(before.getArguments(), at);
    mlir::Block *first = b.createBlock(&made.getBefore(), {}, types, locations);
    const SmallVector<Value> asked = copied(first->getArguments());
    mlir::scf::ConditionOp::create(b, at, asked[0], first->getArguments());
    mlir::Block *second = b.createBlock(&made.getAfter(), {}, types, locations);
    const SmallVector<Value> passed = copied(second->getArguments());
    for (auto [argument, value] :
         llvm::zip(after.getArguments(), llvm::drop_begin(passed)))
      argument.replaceAllUsesWith(value);
    second->getOperations().splice(second->end(), after.getOperations());
    b.setInsertionPointAfter(made);
    SmallVector<Value> results = copied(made.getResults());
    results.erase(results.begin());
    replace(loop, results);
  }

  //===-- Branches and numbers --------------------------------------------===//

  void convertAffineIf(mlir::affine::AffineIfOp branch) {
    if (branch.getNumResults() == 0) return;
    mlir::OpBuilder b(branch);
    const mlir::IntegerSet set = branch.getIntegerSet();
    const Value condition =
        writtenFor(b, branch, set.getNumDims(), branch.getOperands())
            .holds(set);
    if (!condition) return;
    auto made =
        mlir::scf::IfOp::create(b, branch.getLoc(), branch.getResultTypes(),
                                condition, /*withElseRegion=*/true);
    made.getThenRegion().takeBody(branch.getThenRegion());
    made.getElseRegion().takeBody(branch.getElseRegion());
    for (mlir::Region *region :
         {&made.getThenRegion(), &made.getElseRegion()}) {
      mlir::Operation *yield = region->front().getTerminator();
      b.setInsertionPoint(yield);
      mlir::scf::YieldOp::create(b, yield->getLoc(), yield->getOperands());
      retire(yield);
    }
    replace(branch, made.getResults());
  }

  /// affine.apply, min and max.
  void convertApply(mlir::Operation *op) {
    mlir::OpBuilder b(op);
    auto become = [&](mlir::AffineMap map, mlir::ValueRange operands,
                      bool isLeast) {
      const Value value =
          writtenFor(b, op, map.getNumDims(), operands).extreme(map, isLeast);
      if (value) replace(op, value);
    };
    if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op))
      become(apply.getAffineMap(), apply.getMapOperands(), true);
    else if (auto least = llvm::dyn_cast<mlir::affine::AffineMinOp>(op))
      become(least.getMap(), least.getOperands(), true);
    else if (auto most = llvm::dyn_cast<mlir::affine::AffineMaxOp>(op))
      become(most.getMap(), most.getOperands(), false);
  }

  std::vector<mlir::Operation *> &replaced_;
};

bool isLoop(mlir::Operation *op) {
  return llvm::isa<mlir::scf::ForOp, mlir::scf::ForallOp, mlir::scf::ParallelOp,
                   mlir::scf::WhileOp, mlir::affine::AffineForOp,
                   mlir::affine::AffineParallelOp, mlir::affine::AffineIfOp>(
      op);
}

}  // namespace

bool isPlainWhile(mlir::Operation *op) {
  auto loop = llvm::dyn_cast<mlir::scf::WhileOp>(op);
  if (!loop || !loop.getBefore().hasOneBlock() ||
      !loop.getAfter().hasOneBlock())
    return false;
  mlir::Block &before = loop.getBefore().front();
  auto condition =
      llvm::dyn_cast<mlir::scf::ConditionOp>(before.getTerminator());
  return condition && llvm::equal(condition.getArgs(), before.getArguments());
}

LoopForms::LoopForms(mlir::ModuleOp module) {
  // The dialects are loaded if the module names them.
  std::vector<mlir::Operation *> ops, numbers;
  module->walk([&](mlir::Operation *op) {
    if (isLoop(op) && !isOfMemory(op)) ops.push_back(op);
    if (llvm::isa<mlir::affine::AffineApplyOp, mlir::affine::AffineMinOp,
                  mlir::affine::AffineMaxOp>(op))
      numbers.push_back(op);
  });
  if (ops.empty() && (numbers.empty() || isOfMemory(module))) return;
  mlir::MLIRContext &context = *module->getContext();
  context.loadDialect<mlir::arith::ArithDialect, mlir::linalg::LinalgDialect,
                      mlir::scf::SCFDialect, mlir::tensor::TensorDialect>();
  Converter converter(replaced_);
  for (mlir::Operation *op : numbers) converter.convert(op);
  for (mlir::Operation *op : ops) converter.convert(op);
}

LoopForms::~LoopForms() {
  for (mlir::Operation *op : replaced_) op->destroy();
}

}  // namespace indexical
