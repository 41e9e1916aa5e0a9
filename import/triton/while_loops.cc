#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/tracer.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::greatestOfBits;
using kernels::TermKind;
using mlir::Value;

namespace {

/// No loop runs so often: at one iteration a nanosecond it takes 18 minutes.
constexpr int64_t kMostTrips = int64_t{1} << 40;

}  // namespace

/// Returns how often the loop runs, in 64 bits, if its condition compares a
/// counter with a bound: `i < n`, where each iteration adds the same to i.
/// Returns nothing for another loop, and if the counter may wrap before it
/// reaches the bound.
std::optional<TermId> Tracer::tripsOf(mlir::scf::WhileOp loop,
                                      const CarriedValues &carried) {
  using Is = mlir::arith::CmpIPredicate;
  auto compare =
      loop.getConditionOp().getCondition().getDefiningOp<mlir::arith::CmpIOp>();
  if (!compare) return std::nullopt;
  const Is predicate = compare.getPredicate();
  const bool isTurned = predicate == Is::sgt || predicate == Is::sge;
  const bool isStrict = predicate == Is::slt || predicate == Is::sgt;
  if (!isTurned && predicate != Is::slt && predicate != Is::sle)
    return std::nullopt;
  const Value counter = isTurned ? compare.getRhs() : compare.getLhs();
  const Value bound = isTurned ? compare.getLhs() : compare.getRhs();
  const auto numberOf = [&](Value value) -> std::optional<size_t> {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBeforeBody())
      return std::nullopt;
    return argument.getArgNumber();
  };
  const auto k = numberOf(counter);
  const auto step = k ? carried.step(*k) : std::nullopt;
  const auto by = step ? valueOf(*step) : std::nullopt;
  const auto start = k ? term(loop.getInits()[*k]) : std::nullopt;
  if (!by || *by <= 0 || !start) return std::nullopt;
  // A bound that the loop carries has to stay.
  std::optional<TermId> end = term(bound);
  if (const auto other = numberOf(bound)) {
    const auto stays = carried.step(*other);
    if (!stays || valueOf(*stays) != 0) return std::nullopt;
    end = term(loop.getInits()[*other]);
  }
  if (!end) return std::nullopt;
  for (TermKind kind : {TermKind::Placeholder, TermKind::Unknown,
                        TermKind::Loaded, TermKind::Coordinate})
    if (terms().mentions(*end, kind) || terms().mentions(*start, kind))
      return std::nullopt;
  if (terms().mentions(*end, TermKind::Loop, loops_.back().number))
    return std::nullopt;
  const int32_t bits = termBits(counter.getType());
  const auto last = valueOf(*end);
  // By steps of one the counter comes to each bound but the last number.
  const bool comesThere =
      last ? *last <= greatestOfBits(bits) - *by : isStrict && *by == 1;
  if (bits > 62 || !comesThere) return std::nullopt;
  TermId distance = terms().make(TermKind::Sub, 64, {wide(*end), wide(*start)});
  if (!isStrict)
    distance = terms().make(TermKind::Add, 64, {distance, number(1)});
  return terms().make(
      TermKind::MaxS, 64,
      {terms().make(TermKind::CeilDivS, 64, {distance, number(*by)}),
       number(0)});
}

/// Traces both blocks of a loop in one iteration, whose condition and carried
/// values are `before`. The first block runs once more than the loop does.
void Tracer::traceIteration(mlir::scf::WhileOp loop,
                            std::optional<TermId> trips) {
  if (trips)
    loops_.back().trips = terms().make(TermKind::Add, 64, {*trips, number(1)});
  trace(*loop.getBeforeBody());
  if (trips) loops_.back().trips = *trips;
  const auto passed = loop.getConditionOp().getArgs();
  for (auto [argument, value] : llvm::zip(loop.getAfterArguments(), passed)) {
    const Meaning known = of(value);
    values_[argument] = isUnknown(known) ? unknown(argument) : known;
  }
  const auto condition =
      trips ? std::nullopt : term(loop.getConditionOp().getCondition());
  if (condition) conditions_.push_back(*condition);
  trace(*loop.getAfterBody());
  if (condition) conditions_.pop_back();
}

/// Traces a loop that ends when a condition is false. Of one that counts up to
/// a bound it is known how often it runs. Of another one nobody knows whether
/// an iteration is reached, whatever its own condition is: a condition of an
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
  traceIteration(loop, std::nullopt);
  isDry_ = wasDry;
  for (auto [k, next] : llvm::enumerate(loop.getYieldOp().getOperands()))
    carried.setNext(k, of(next));
  carried.solve();
  const auto trips = tripsOf(loop, carried);
  if (!isDry_) {
    for (auto [k, argument] : llvm::enumerate(loop.getBeforeArguments())) {
      const Meaning closed = carried.after(k, count);
      values_[argument] = isUnknown(closed) ? unknown(argument) : closed;
    }
    const std::string outer = notMeasured_;
    if (!trips) {
      notMeasured_ = "how often a loop runs is not known";
      conditions_.push_back(anyBit(*loop));
    }
    traceIteration(loop, trips);
    if (!trips) conditions_.pop_back();
    notMeasured_ = outer;
  }
  loops_.pop_back();
  setUnknown(loop);
  if (!trips) {
    if (!isDry_ && !trace_.openLoop) trace_.openLoop = loop;
    return;
  }
  for (auto [result, value] :
       llvm::zip(loop.getResults(), loop.getConditionOp().getArgs())) {
    auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBeforeBody()) continue;
    const Meaning closed = carried.after(argument.getArgNumber(), *trips);
    if (!isUnknown(closed)) values_[result] = closed;
  }
}

}  // namespace indexical::triton
