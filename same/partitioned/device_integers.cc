#include "indexical/same/partitioned/device_integers.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/known_values.h"

namespace indexical {
namespace {

// Calls within calls that lead to a scalar.
constexpr size_t kMostCalls = 64;

/// Returns the integer of a scalar on a device, if it is known.
std::optional<int64_t> numberOn(const Module &module, const Value &value,
                                const DeviceCounts &devices, int64_t device) {
  IndexingMapBuilder builder;
  auto none = [](VariableId) { return Interval::all(); };
  auto given = [&](const Value &at,
                   IndexingMapBuilder &) -> std::optional<Expr> {
    const Op &op = instructionOf(module, at).op;
    if (!op.is<NullaryOp>()) return std::nullopt;
    if (op.kind().name == "partition-id")
      return builder.constant(device % devices.partitions);
    if (op.kind().name == "replica-id")
      return builder.constant(device / devices.partitions);
    return std::nullopt;
  };
  const Int64s sizes =
      instructionOf(module, value).shape.leaves()[value.result].dimensions;
  const llvm::SmallVector<Expr, 4> index(sizes.size(), builder.constant(0));
  const auto known =
      knownElement(module, value, index, builder, none, nullptr, given);
  return known ? builder.valueOf(*known) : std::nullopt;
}

}  // namespace

DeviceIntegers::DeviceIntegers(const Module &module,
                               const DeviceCounts &devices)
    : module_(module), devices_(devices) {
  for (auto [c, computation] : llvm::enumerate(module.computations))
    for (auto [i, instruction] : llvm::enumerate(computation.instructions))
      for (auto [k, called] : llvm::enumerate(instruction.called)) {
        if (called.computation < 0) continue;
        Caller &caller = callers_[called.computation];
        ++caller.count;
        caller.site = {ComputationId(c), InstructionId(i),
                       static_cast<int32_t>(k)};
      }
}

/// Returns the calls that lead to a computation: each but the outermost one is
/// called once.
llvm::SmallVector<CallSite, 2> DeviceIntegers::callsTo(
    ComputationId computation) const {
  llvm::SmallVector<CallSite, 2> calls;
  while (calls.size() < kMostCalls) {
    const auto caller = callers_.find(computation);
    if (caller == callers_.end() || caller->second.count != 1) break;
    const CallSite &site = caller->second.site;
    const Instruction &call =
        module_.computations[site.computation].instructions[site.instruction];
    if (!call.op.is<CallOp>()) break;
    calls.insert(calls.begin(), site);
    computation = site.computation;
  }
  return calls;
}

std::optional<std::vector<int64_t>> DeviceIntegers::compute(
    ComputationId computation, InstructionId instruction) const {
  const ShapeList leaves = module_.computations[computation]
                               .instructions[instruction]
                               .shape.leaves();
  if (leaves.size() != 1 || leaves[0].elementCount() != 1) return std::nullopt;
  const Value value{computation, instruction, LeafId(0), callsTo(computation)};
  std::vector<int64_t> numbers;
  for (int64_t device = 0; device < devices_.all(); ++device) {
    const auto number = numberOn(module_, value, devices_, device);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

const std::optional<std::vector<int64_t>> &DeviceIntegers::scalar(
    ComputationId computation, InstructionId instruction) {
  auto [known, isNew] = known_.try_emplace({computation, instruction});
  if (isNew) known->second = compute(computation, instruction);
  return known->second;
}

}  // namespace indexical
