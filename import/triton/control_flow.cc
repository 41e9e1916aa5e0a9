#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/RegionGraphTraits.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/tracer.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::triton {

using kernels::TermKind;
using mlir::Operation;
using mlir::Value;

std::optional<TermId> Tracer::tripsOf(mlir::scf::ForOp loop,
                                      std::string &reason) {
  const auto lower = term(loop.getLowerBound());
  const auto upper = term(loop.getUpperBound());
  const auto step = term(loop.getStep());
  reason = "the bounds of a loop are not known";
  if (!lower || !upper || !step) return std::nullopt;
  // An unsigned loop of 64 bits may have bounds that no term can compare.
  const bool isUnsigned = loop.getUnsignedCmp();
  if (isUnsigned && terms()[*lower].bits >= 64) return std::nullopt;
  const auto widened = [&](TermId id) {
    return isUnsigned ? terms().make(TermKind::ZeroExtend, 64, {id}) : wide(id);
  };
  const TermId from = widened(*lower), to = widened(*upper);
  // Terms wrap, and the distance does not.
  if (terms()[from].kind == TermKind::Constant &&
      terms()[to].kind == TermKind::Constant &&
      !checkedSub(terms()[to].value, terms()[from].value))
    return std::nullopt;
  reason = "the step of a loop is not known";
  if (!isPositive(widened(*step))) return std::nullopt;
  const TermId distance = terms().make(TermKind::Sub, 64, {to, from});
  return terms().make(
      TermKind::MaxS, 64,
      {terms().make(TermKind::CeilDivS, 64, {distance, widened(*step)}),
       number(0)});
}

void Tracer::traceFor(mlir::scf::ForOp loop) {
  std::string reason;
  const auto trips = tripsOf(loop, reason);
  if (!trips) {
    note(loop, reason);
    setUnknown(loop);
    return traceAnyway(*loop.getBody(), reason);
  }
  const int64_t loopNumber =
      loopNumbers_
          .try_emplace({loop.getOperation(), calls_}, loopNumbers_.size())
          .first->second;
  const TermId count = terms().leaf(TermKind::Loop, loopNumber, 64);
  const int32_t bits = termBits(loop.getLowerBound().getType());
  const TermId narrow = terms().make(TermKind::Truncate, bits, {count});
  values_[loop.getInductionVar()] = terms().make(
      TermKind::Add, bits,
      {*term(loop.getLowerBound()),
       terms().make(TermKind::Mul, bits, {*term(loop.getStep()), narrow})});

  loops_.push_back(
      {loopNumber, *trips,
       std::max<int64_t>(
           1, integerOf(loop->getAttr("tt.num_stages")).value_or(1))});
  if (calls_.empty()) trace_.loops[loop] = loops_.back();
  CarriedValues carried = carriedBy(loop, loopNumber);
  auto set = [&](Value value, size_t k, TermId iterations) {
    const Meaning closed = carried.after(k, iterations);
    values_[value] = isUnknown(closed) ? unknown(value) : closed;
  };
  // A dry trace needs the results alone. To trace the body for it, too, would
  // double the work with every loop around this one.
  if (!isDry_) {
    for (auto [k, argument] : llvm::enumerate(loop.getRegionIterArgs()))
      set(argument, k, count);
    trace(*loop.getBody());
  }
  loops_.pop_back();
  for (auto [k, result] : llvm::enumerate(loop.getResults()))
    set(result, k, *trips);
}

/// Traces the loop's body with placeholders and solves for the values that it
/// carries.
CarriedValues Tracer::carriedBy(mlir::scf::ForOp loop, int64_t number) {
  CarriedValues carried(terms(), number, nextPlaceholder_);
  for (auto [argument, start] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    values_[argument] = carried.add(of(start),
                                    isPointer(argument.getType())
                                        ? CarriedValues::ValueKind::Pointer
                                        : CarriedValues::ValueKind::Integer,
                                    ownCoordinates(argument.getType()));
  const bool wasDry = std::exchange(isDry_, true);
  trace(*loop.getBody());
  isDry_ = wasDry;
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [k, next] : llvm::enumerate(yield->getOperands()))
    carried.setNext(k, of(next));
  carried.solve();
  return carried;
}

std::optional<int64_t> Tracer::valueOf(TermId id) {
  llvm::SmallVector<int64_t, 16> arguments;
  for (auto [number, value] : llvm::enumerate(sizes_.arguments)) {
    if (!value && terms().mentions(id, TermKind::Argument, number))
      return std::nullopt;
    arguments.push_back(value.value_or(0));
  }
  kernels::TermPoint point;
  point.arguments = arguments;
  if (sizes_.grid) point.grid = *sizes_.grid;
  const auto value = terms().evaluate(id, point);
  if (!value || value->argument >= 0) return std::nullopt;
  return value->value;
}

bool Tracer::isPositive(TermId id) {
  const kernels::TermNode term = terms()[id];
  if (term.kind == TermKind::Programs) return true;
  if (term.kind == TermKind::SignExtend) return isPositive(term.operands[0]);
  const auto value = valueOf(id);
  return value && *value > 0;
}

void Tracer::traceIf(mlir::scf::IfOp choice) {
  const auto condition = term(choice.getCondition());
  if (!condition) {
    const std::string reason = "the condition of a branch is not known";
    note(choice, reason);
    setUnknown(choice);
    for (mlir::Region *region :
         {&choice.getThenRegion(), &choice.getElseRegion()})
      if (!region->empty()) traceAnyway(region->front(), reason);
    return;
  }
  const TermId isNot =
      terms().make(TermKind::Xor, 1, {*condition, number(1, 1)});
  const auto yes = traceSide(choice.getThenRegion(), *condition);
  const auto no = traceSide(choice.getElseRegion(), isNot);
  for (auto [k, result] : llvm::enumerate(choice.getResults())) {
    const Meaning both = chosen(*condition, yes[k], no[k]);
    values_[result] = isUnknown(both) ? unknown(result) : both;
  }
}

/// Traces ops that happen where a predicate holds. Elsewhere their results are
/// not known.
void Tracer::traceMask(Operation &op) {
  setUnknown(&op);
  if (op.getNumRegions() != 1 || !op.getRegion(0).hasOneBlock() ||
      op.getNumOperands() != 1)
    return note(&op, "a mask has no region");
  const auto known = term(op.getOperand(0));
  const TermId predicate = known ? *known : anyBit(op);
  const auto yes = traceSide(op.getRegion(0), predicate);
  for (auto [k, result] : llvm::enumerate(op.getResults())) {
    if (k >= yes.size() || isUnknown(yes[k])) continue;
    const Meaning both = chosen(predicate, yes[k], of(result));
    if (!isUnknown(both)) values_[result] = both;
  }
}

std::vector<Meaning> Tracer::traceSide(mlir::Region &region, TermId condition) {
  std::vector<Meaning> results;
  if (region.empty()) return results;
  conditions_.push_back(condition);
  trace(region.front());
  conditions_.pop_back();
  for (Value value : region.front().getTerminator()->getOperands())
    results.push_back(of(value));
  return results;
}

void Tracer::traceBlocks(mlir::Region &region) {
  std::map<mlir::Block *, std::vector<Way>> ways;
  std::set<mlir::Block *> done;
  for (mlir::Block *block :
       llvm::ReversePostOrderTraversal<mlir::Block *>(&region.front())) {
    TermList conditions;
    if (block != &region.front()) conditions = enter(*block, ways[block]);
    const size_t outer = conditions_.size();
    conditions_.insert(conditions_.end(), conditions.begin(), conditions.end());
    trace(*block);
    conditions_.resize(outer);
    done.insert(block);
    Operation *end = block->empty() ? nullptr : &block->back();
    for (mlir::Block *next : block->getSuccessors())
      if (done.count(next))
        return note(end, "blocks that branch back are not understood");
    if (auto branch = llvm::dyn_cast_or_null<mlir::cf::BranchOp>(end)) {
      ways[branch.getDest()].push_back({conditions, branch.getDestOperands()});
    } else if (auto choice =
                   llvm::dyn_cast_or_null<mlir::cf::CondBranchOp>(end)) {
      const auto condition = term(choice.getCondition());
      if (!condition)
        return note(choice, "the condition of a branch is not known");
      TermList yes = conditions, no = conditions;
      yes.push_back(*condition);
      no.push_back(terms().make(TermKind::Xor, 1, {*condition, number(1, 1)}));
      ways[choice.getTrueDest()].push_back({yes, choice.getTrueDestOperands()});
      ways[choice.getFalseDest()].push_back(
          {no, choice.getFalseDestOperands()});
    } else if (block->getNumSuccessors() > 0) {
      return note(end, "branches between blocks");
    }
  }
}

TermList Tracer::enter(mlir::Block &block, llvm::ArrayRef<Way> ways) {
  const auto all = [&](const TermList &conditions) {
    TermId joint = number(1, 1);
    for (TermId each : conditions) joint = conjunction(joint, each);
    return joint;
  };
  const llvm::ArrayRef<Way> others = ways.drop_back();
  for (auto [k, argument] : llvm::enumerate(block.getArguments())) {
    Meaning value = of(ways.back().values[k]);
    for (const Way &way : llvm::reverse(others))
      value = chosen(all(way.conditions), of(way.values[k]), value);
    values_[argument] = isUnknown(value) ? unknown(argument) : value;
  }
  if (ways.size() == 1) return ways.front().conditions;
  // Both sides of one choice lead here.
  if (ways.size() == 2) {
    TermList a = ways[0].conditions, b = ways[1].conditions;
    if (!a.empty() && a.size() == b.size() &&
        llvm::ArrayRef(a).drop_back() == llvm::ArrayRef(b).drop_back()) {
      const auto isNot = [&](TermId x, TermId y) {
        return terms().make(TermKind::Xor, 1, {x, number(1, 1)}) == y;
      };
      if (isNot(a.back(), b.back()) || isNot(b.back(), a.back())) {
        a.pop_back();
        return a;
      }
    }
  }
  TermId any = all(ways.front().conditions);
  for (const Way &way : ways.drop_front())
    any = terms().make(TermKind::Or, 1, {any, all(way.conditions)});
  return {any};
}

Operation *Tracer::calleeOf(Operation &op) {
  static constexpr size_t kMostCalls = 16;
  const auto callee = op.getAttrOfType<mlir::SymbolRefAttr>("callee");
  Operation *target = nullptr;
  if (callee && symbols_)
    for (Operation &other : symbols_.getBody()->getOperations())
      if (auto name = other.getAttrOfType<mlir::StringAttr>("sym_name"))
        if (name.getValue() == callee.getRootReference().getValue())
          target = &other;
  if (!target || target->getNumRegions() != 1 ||
      !target->getRegion(0).hasOneBlock() || calls_.size() >= kMostCalls ||
      target->getRegion(0).front().getNumArguments() != op.getNumOperands())
    return nullptr;
  return target;
}

void Tracer::traceCall(Operation &op) {
  Operation *target = calleeOf(op);
  if (!target) {
    note(&op, "a function that is called is not understood");
    return setUnknown(&op);
  }
  mlir::Block &body = target->getRegion(0).front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op.getOperands()))
    values_[argument] = of(operand);
  calls_.push_back(&op);
  trace(body);
  calls_.pop_back();
  Operation *end = body.empty() ? nullptr : &body.back();
  for (auto [k, result] : llvm::enumerate(op.getResults()))
    values_[result] = end && k < end->getNumOperands() ? of(end->getOperand(k))
                                                       : unknown(result);
}

}  // namespace indexical::triton
