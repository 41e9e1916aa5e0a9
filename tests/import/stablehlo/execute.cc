#include "tests/import/stablehlo/execute.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"

#include "indexical/ops/families.h"

namespace indexical::testing {
namespace {

using llvm::StringRef;

absl::Status notRun(mlir::Operation *op, StringRef what) {
  return absl::UnimplementedError(
      absl::StrCat(op->getName().getStringRef().str(), ": ", what.str()));
}

std::string placeOf(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->getLoc().print(os);
  return text;
}

/// Returns the status with the place of the op added to its message.
absl::Status at(mlir::Operation *op, const absl::Status &status) {
  if (absl::StrContains(status.message(), "loc(")) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), " at ", placeOf(op)));
}

const Op &withoutCaptures(const Op &op) {
  const auto *capturing = op.as<CapturingOp>();
  return capturing ? capturing->inner : op;
}

}  // namespace

std::vector<mlir::Type> leafTypes(mlir::Type type) {
  std::vector<mlir::Type> leaves;
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type)) {
    for (mlir::Type element : tuple.getTypes())
      for (mlir::Type leaf : leafTypes(element)) leaves.push_back(leaf);
  } else if (llvm::isa<mlir::RankedTensorType>(type)) {
    leaves.push_back(type);
  }
  return leaves;
}

//===-- Functions ---------------------------------------------------------===//

absl::Status Executor::import() {
  auto program = importMlir(module_, {}, &ops_);
  if (!program.ok()) return program.status();
  program_ = *std::move(program);
  return absl::OkStatus();
}

absl::StatusOr<ArrayValues> Executor::run(ArrayValues arguments) {
  if (auto s = import(); !s.ok()) return s;
  if (auto main = module_.lookupSymbol<Function>("main")) {
    if (main.getNumArguments() > 0 && arguments.empty())
      return notRun(main, "its arguments are not given");
    Device device;
    return call(main, std::move(arguments), device);
  }
  bool started = false;
  for (Function function : module_.getOps<Function>()) {
    if (function.getNumArguments() > 0 || function.isExternal() ||
        !mlir::SymbolTable::symbolKnownUseEmpty(function, module_))
      continue;
    started = true;
    Device device;
    auto results = call(function, {}, device);
    if (!results.ok()) return results.status();
  }
  if (!started)
    return absl::UnimplementedError("there is no function to start with");
  return ArrayValues();
}

absl::StatusOr<Executor::Function> Executor::functionOf(
    mlir::Attribute symbol) const {
  auto name = llvm::dyn_cast_or_null<mlir::SymbolRefAttr>(symbol);
  mlir::Operation *found =
      name ? mlir::SymbolTable::lookupSymbolIn(module_, name) : nullptr;
  auto function = llvm::dyn_cast_or_null<Function>(found);
  if (!function || function.isExternal())
    return absl::UnimplementedError("a function that is not in the module");
  return function;
}

absl::StatusOr<ArrayValues> Executor::call(Function function,
                                           ArrayValues arguments,
                                           Device &device) {
  ++report_.functions;
  return runRegion(function.getFunctionBody(), std::move(arguments), device);
}

/// Arguments take the types that the block gives them.
absl::StatusOr<ArrayValues> Executor::runRegion(mlir::Region &region,
                                                ArrayValues arguments,
                                                Device &device) {
  if (!region.hasOneBlock())
    return absl::UnimplementedError("branches between blocks");
  size_t next = 0;
  for (mlir::BlockArgument argument : region.getArguments()) {
    ArrayValues &leaves = device.values[argument];
    leaves.clear();
    for (mlir::Type type : leafTypes(argument.getType())) {
      if (next == arguments.size())
        return absl::InternalError("a region has too few arguments");
      ArrayValue &given = arguments[next++];
      auto kind = elementKindOf(mlir::getElementTypeOrSelf(type));
      if (!kind.ok()) return kind.status();
      if (kind->type == given.kind.type) {
        leaves.push_back(std::move(given));
        continue;
      }
      ArrayValue converted(*kind, given.sizes);
      for (size_t i = 0; i < given.elements.size(); ++i)
        setValue(converted, i, valueAt(given, i));
      leaves.push_back(std::move(converted));
    }
  }
  for (mlir::Operation &op : region.front().without_terminator())
    if (auto s = runOp(&op, device); !s.ok()) return at(&op, s);
  return operandsOf(region.front().getTerminator(), device);
}

//===-- Ops ---------------------------------------------------------------===//

ArrayValues Executor::operandsOf(mlir::Operation *op, Device &device) const {
  ArrayValues leaves;
  for (mlir::Value operand : op->getOperands())
    for (const ArrayValue &leaf : device.values[operand])
      leaves.push_back(leaf);
  return leaves;
}

absl::StatusOr<ArrayValues> Executor::emptyResults(mlir::Operation *op) const {
  ArrayValues results;
  for (mlir::Type type : op->getResultTypes())
    for (mlir::Type leaf : leafTypes(type)) {
      auto tensor = llvm::cast<mlir::RankedTensorType>(leaf);
      if (!tensor.hasStaticShape())
        return notRun(op, "a result's size is not in its type");
      auto kind = elementKindOf(tensor.getElementType());
      if (!kind.ok()) return kind.status();
      results.emplace_back(*kind, tensor.getShape());
    }
  return results;
}

void Executor::setResults(mlir::Operation *op, ArrayValues leaves,
                          Device &device) {
  size_t next = 0;
  for (mlir::Value result : op->getResults()) {
    ArrayValues &own = device.values[result];
    own.clear();
    for (size_t k = leafTypes(result.getType()).size(); k > 0; --k)
      own.push_back(std::move(leaves[next++]));
  }
}

absl::StatusOr<const Op *> Executor::descriptorOf(mlir::Operation *op) const {
  auto found = ops_.find(op);
  if (found == ops_.end())
    return absl::InternalError("an op that has not been imported");
  const Imported &at = found->second;
  return &program_.modules[at.module]
              .computations[at.computation]
              .instructions[at.instruction]
              .op;
}

absl::Status Executor::runOp(mlir::Operation *op, Device &device) {
  auto checked = runCheck(op, device);
  if (!checked.ok()) return checked.status();
  if (*checked) return absl::OkStatus();
  auto results = resultsOf(op, device);
  if (!results.ok()) return results.status();
  size_t leaves = 0;
  for (mlir::Type type : op->getResultTypes()) leaves += leafTypes(type).size();
  if (results->size() != leaves)
    return absl::InternalError("an op gives another number of results");
  if (observer_) {
    auto reads = reads_.find(op);
    if (auto status =
            observer_(op, reads == reads_.end() ? nullptr : &reads->second,
                      operandsOf(op, device), *results);
        !status.ok())
      return status;
  }
  setResults(op, *std::move(results), device);
  return absl::OkStatus();
}

absl::StatusOr<ArrayValues> Executor::resultsOf(mlir::Operation *op,
                                                Device &device) {
  const StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.constant" || name == "util.unfoldable_constant") {
    auto value = arrayOf(op->getAttr("value"));
    if (!value.ok()) return value.status();
    return ArrayValues{*std::move(value)};
  }
  if (name == "func.call" || name == "stablehlo.composite") {
    auto function = functionOf(
        op->getAttr(name == "func.call" ? "callee" : "decomposition"));
    if (!function.ok()) return function.status();
    return call(*function, operandsOf(op, device), device);
  }
  if (name == "stablehlo.partition_id" || name == "stablehlo.replica_id") {
    auto results = emptyResults(op);
    if (results.ok())
      (*results)[0].elements[0] = Scalar::integral(
          name == "stablehlo.replica_id" ? device.replica : device.partition);
    return results;
  }
  if (name == "stablehlo.infeed") {
    if (infeed_.empty()) return notRun(op, "nothing is fed in");
    ArrayValues fed = std::move(infeed_.front());
    infeed_.pop_front();
    return fed;
  }
  if (name == "stablehlo.after_all" || name == "stablehlo.create_token" ||
      name == "interpreter.print")
    return ArrayValues();
  if (name == "stablehlo.if") return runIf(op, device);
  if (name == "stablehlo.case") return runCase(op, device);
  if (name == "stablehlo.while") return runWhile(op, device);
  if (name == "stablehlo.custom_call") return runCustomCall(op, device);
  if (name == "interpreter.run_parallel") return runParallel(op, device);
  return runByMaps(op, device);
}

absl::StatusOr<ArrayValues> Executor::runByMaps(mlir::Operation *op,
                                                Device &device) {
  const OpRunner runner = runnerOf(op);
  if (!runner) return notRun(op, "the op is not run");
  auto descriptor = descriptorOf(op);
  if (!descriptor.ok()) return descriptor.status();
  auto results = emptyResults(op);
  if (!results.ok()) return results.status();
  const ArrayValues operands = operandsOf(op, device);
  auto region = [&](unsigned number, ArrayValues arguments) {
    return runRegion(op->getRegion(number), std::move(arguments), device);
  };
  OpReads &reads = reads_.try_emplace(op, **descriptor).first->second;
  OpRun run(op, withoutCaptures(**descriptor), reads, operands,
            *std::move(results), region, report_.maps);
  if (auto s = runner(run); !s.ok()) return s;
  return std::move(run.results);
}

//===-- Control flow ------------------------------------------------------===//

absl::StatusOr<ArrayValues> Executor::runIf(mlir::Operation *op,
                                            Device &device) {
  const bool holds = operandsOf(op, device)[0].elements[0].integer != 0;
  return runRegion(op->getRegion(holds ? 0 : 1), {}, device);
}

/// A number that is none of a branch's is the last one's.
absl::StatusOr<ArrayValues> Executor::runCase(mlir::Operation *op,
                                              Device &device) {
  int64_t branch = operandsOf(op, device)[0].elements[0].integer;
  const int64_t branches = op->getNumRegions();
  if (branch < 0 || branch >= branches) branch = branches - 1;
  return runRegion(op->getRegion(branch), {}, device);
}

absl::StatusOr<ArrayValues> Executor::runWhile(mlir::Operation *op,
                                               Device &device) {
  constexpr int kMostTrips = 100000;
  ArrayValues state = operandsOf(op, device);
  for (int trip = 0; trip < kMostTrips; ++trip) {
    auto goesOn = runRegion(op->getRegion(0), state, device);
    if (!goesOn.ok()) return goesOn.status();
    if (!(*goesOn)[0].elements[0].integer) return state;
    auto next = runRegion(op->getRegion(1), std::move(state), device);
    if (!next.ok()) return next.status();
    state = *std::move(next);
  }
  return absl::InternalError("a loop does not end");
}

//===-- Checks ------------------------------------------------------------===//

absl::Status Executor::check(mlir::Operation *op, const ArrayValue &got,
                             const ArrayValue &wanted, Match match) {
  ++report_.checks;
  report_.elements += wanted.elements.size();
  // If nothing was computed, nothing may differ, whatever the check allows,
  // except for the digits in which the expected numbers are written.
  if (got.roundings == 0 && wanted.roundings == 0)
    match = match == Match::Almost ? Match::Close : Match::Equal;
  const std::string text = difference(got, wanted, match);
  if (!text.empty())
    report_.mismatches.push_back(absl::StrCat(text, " at ", placeOf(op)));
  return absl::OkStatus();
}

namespace {

/// Returns how close a check wants the values to be, or nothing if the op is no
/// check.
std::optional<Match> matchOf(StringRef name) {
  return llvm::StringSwitch<std::optional<Match>>(name)
      .Cases({"check.eq", "check.expect_eq", "check.expect_eq_const"},
             Match::Equal)
      .Cases({"check.expect_almost_eq", "check.expect_almost_eq_const"},
             Match::Almost)
      .Case("check.expect_close", Match::Close)
      .Default(std::nullopt);
}

}  // namespace

absl::StatusOr<bool> Executor::runCheck(mlir::Operation *op, Device &device) {
  auto match = matchOf(op->getName().getStringRef());
  if (!match) return false;
  const ArrayValues values = operandsOf(op, device);
  if (values.size() == 2) {
    if (auto s = check(op, values[0], values[1], *match); !s.ok()) return s;
    return true;
  }
  auto wanted = arrayOf(op->getAttr("value"));
  if (!wanted.ok()) return wanted.status();
  if (auto s = check(op, values[0], *wanted, *match); !s.ok()) return s;
  return true;
}

/// Checks that are called by name; one gives its verdict.
absl::StatusOr<ArrayValues> Executor::runCustomCall(mlir::Operation *op,
                                                    Device &device) {
  auto target = op->getAttrOfType<mlir::StringAttr>("call_target_name");
  auto match = matchOf(target.getValue());
  if (!match) return notRun(op, target.getValue());
  const ArrayValues values = operandsOf(op, device);
  if (values.size() != 2) return notRun(op, "not two operands");
  // `check.eq` names the expected value first.
  const bool turned = target.getValue() == "check.eq";
  if (auto s = check(op, values[turned], values[!turned], *match); !s.ok())
    return s;
  auto results = emptyResults(op);
  if (!results.ok() || results->empty()) return results;
  (*results)[0].elements[0] =
      Scalar::integral(difference(values[0], values[1], *match).empty());
  return results;
}

}  // namespace indexical::testing
