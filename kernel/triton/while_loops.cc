#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "indexical/kernel/triton/dialect.h"
#include "indexical/kernel/triton/tracer.h"
#include "indexical/kernel/triton/value_types.h"

namespace indexical::triton {

using kernels::TermKind;
using mlir::Value;

namespace {

/// No loop runs so often: at one iteration a nanosecond it takes 18 minutes.
constexpr int64_t kMostTrips = int64_t{1} << 40;

}  // namespace

TermId Tracer::anyBit(mlir::Operation &op) {
  TermList dependsOn;
  for (const TracedLoop &loop : loops_)
    dependsOn.push_back(terms().leaf(TermKind::Loop, loop.number, 64));
  const int64_t number =
      numbers_.try_emplace({&op, calls_}, numbers_.size()).first->second;
  return terms().leaf(TermKind::Unknown, number, 1, dependsOn);
}

/// Traces both blocks of a loop in one iteration, whose condition and carried
/// values are `before`.
void Tracer::traceIteration(mlir::scf::WhileOp loop) {
  trace(*loop.getBeforeBody());
  const auto passed = loop.getConditionOp().getArgs();
  for (auto [argument, value] : llvm::zip(loop.getAfterArguments(), passed)) {
    const Meaning known = of(value);
    values_[argument] = isUnknown(known) ? unknown(argument) : known;
  }
  const auto condition = term(loop.getConditionOp().getCondition());
  if (condition) conditions_.push_back(*condition);
  trace(*loop.getAfterBody());
  if (condition) conditions_.pop_back();
}

/// Traces a loop that ends when a condition is false. Nobody knows whether an
/// iteration is reached, whatever its own condition is: a condition of an
/// earlier one may be false.
void Tracer::traceWhile(mlir::scf::WhileOp loop) {
  const int64_t loopNumber =
      loopNumbers_
          .try_emplace({loop.getOperation(), calls_}, loopNumbers_.size())
          .first->second;
  const TermId count = terms().leaf(TermKind::Loop, loopNumber, 64);
  loops_.push_back({loopNumber, number(kMostTrips)});
  CarriedValues carried(terms(), loopNumber, nextPlaceholder_);
  for (auto [argument, start] :
       llvm::zip(loop.getBeforeArguments(), loop.getInits()))
    values_[argument] = carried.add(of(start),
                                    isPointer(argument.getType())
                                        ? CarriedValues::ValueKind::Pointer
                                        : CarriedValues::ValueKind::Integer,
                                    ownCoordinates(argument.getType()));
  const bool wasDry = std::exchange(isDry_, true);
  traceIteration(loop);
  isDry_ = wasDry;
  for (auto [k, next] : llvm::enumerate(loop.getYieldOp().getOperands()))
    carried.setNext(k, of(next));
  carried.solve();
  if (!isDry_) {
    for (auto [k, argument] : llvm::enumerate(loop.getBeforeArguments())) {
      const Meaning closed = carried.after(k, count);
      values_[argument] = isUnknown(closed) ? unknown(argument) : closed;
    }
    const std::string outer =
        std::exchange(notMeasured_, "how often a loop runs is not known");
    conditions_.push_back(anyBit(*loop));
    traceIteration(loop);
    conditions_.pop_back();
    notMeasured_ = outer;
  }
  loops_.pop_back();
  setUnknown(loop);
}

}  // namespace indexical::triton
