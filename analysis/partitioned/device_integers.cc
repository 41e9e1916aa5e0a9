#include "indexical/analysis/partitioned/device_integers.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/partitioned/all_devices.h"

namespace indexical {
namespace {

/// Larger arrays are no tables of offsets, and longer chains no lookups.
constexpr int64_t kMostElements = 1 << 16, kMostBehind = 256;
/// Arrays of devices that are kept for other questions.
constexpr int64_t kMostKept = 1 << 16;

}  // namespace

struct DeviceIntegers::Kept {
  Kept(const Module &module, const DeviceCounts &devices)
      : module(module),
        devices(devices),
        terms(sets),
        all(module, sets, terms, optionsOf(devices)) {
    for (auto [c, computation] : llvm::enumerate(module.computations))
      for (auto [i, instruction] : llvm::enumerate(computation.instructions))
        for (const CalledComputation &called : instruction.called) {
          if (called.computation < 0) continue;
          Caller &caller = callers[called.computation];
          ++caller.count;
          caller.computation = ComputationId(c);
          caller.instruction = InstructionId(i);
          caller.called = &called;
        }
  }

  static AllDevices::Options optionsOf(const DeviceCounts &devices) {
    AllDevices::Options options;
    options.devices = devices;
    return options;
  }

  /// The instructions that the asked one is computed from, operands first.
  /// Nothing if one of them is a parameter whose value is not known.
  std::optional<std::vector<std::pair<ComputationId, InstructionId>>> behind(
      ComputationId computation, InstructionId instruction) const;
  std::optional<std::pair<ComputationId, InstructionId>> argument(
      ComputationId computation, const Instruction &parameter) const;
  std::optional<std::vector<int64_t>> compute(ComputationId computation,
                                              InstructionId instruction);

  struct Caller {
    int64_t count = 0;
    ComputationId computation;
    InstructionId instruction;
    const CalledComputation *called = nullptr;
  };

  const Module &module;
  const DeviceCounts devices;
  ElementSets sets;
  Terms terms;
  AllDevices all;
  std::map<ComputationId, Caller> callers;
  void keep(ComputationId computation, InstructionId instruction,
            DeviceLeaves leaves);
  /// Drops what is kept: each layer of a model may have a table of its own.
  void forget();

  /// The leaves of what was computed, by computation.
  std::map<ComputationId, std::vector<DeviceLeaves>> done;
  std::vector<std::pair<ComputationId, InstructionId>> kept;
  int64_t keptArrays = 0;
};

DeviceIntegers::DeviceIntegers(const Module &module,
                               const DeviceCounts &devices)
    : kept_(std::make_unique<Kept>(module, devices)) {}
DeviceIntegers::~DeviceIntegers() = default;

std::optional<std::pair<ComputationId, InstructionId>>
DeviceIntegers::Kept::argument(ComputationId computation,
                               const Instruction &parameter) const {
  auto caller = callers.find(computation);
  if (caller == callers.end() || caller->second.count != 1) return std::nullopt;
  const Caller &from = caller->second;
  const Instruction &call =
      module.computations[from.computation].instructions[from.instruction];
  if (!call.op.is<CallOp>() || !call.elements.empty()) return std::nullopt;
  const size_t number = parameter.parameterNumber;
  const auto &arguments = from.called->arguments;
  if (arguments.empty() ? number >= call.operands.size()
                        : number >= arguments.size())
    return std::nullopt;
  const InstructionId operand = arguments.empty()
                                    ? call.operands[number]
                                    : call.operands[arguments[number]];
  return std::pair(from.computation, operand);
}

std::optional<std::vector<std::pair<ComputationId, InstructionId>>>
DeviceIntegers::Kept::behind(ComputationId computation,
                             InstructionId instruction) const {
  using Place = std::pair<ComputationId, InstructionId>;
  std::vector<Place> order, open = {{computation, instruction}};
  std::map<Place, bool> isDone;
  while (!open.empty()) {
    const Place at = open.back();
    const Instruction &of =
        module.computations[at.first].instructions[at.second];
    if (static_cast<int64_t>(isDone.size()) > kMostBehind) return std::nullopt;
    auto [state, isNew] = isDone.try_emplace(at, false);
    if (!isNew) {
      open.pop_back();
      if (!state->second) order.push_back(at);
      state->second = true;
      continue;
    }
    for (const ArrayShape &shape : of.shape.leaves()) {
      const auto count = shape.elementCount();
      if (!count || *count > kMostElements) return std::nullopt;
    }
    if (of.parameterNumber >= 0) {
      auto from = argument(at.first, of);
      if (!from) return std::nullopt;
      open.push_back(*from);
      continue;
    }
    for (InstructionId operand : of.operands)
      open.push_back({at.first, operand});
  }
  return order;
}

void DeviceIntegers::Kept::keep(ComputationId computation,
                                InstructionId instruction,
                                DeviceLeaves leaves) {
  for (const DeviceArrays &arrays : leaves) keptArrays += arrays.size();
  kept.emplace_back(computation, instruction);
  done[computation][instruction] = std::move(leaves);
}

void DeviceIntegers::Kept::forget() {
  for (auto [c, i] : kept) DeviceLeaves().swap(done[c][i]);
  kept.clear();
  keptArrays = 0;
}

std::optional<std::vector<int64_t>> DeviceIntegers::Kept::compute(
    ComputationId computation, InstructionId instruction) {
  const auto order = behind(computation, instruction);
  if (!order) return std::nullopt;
  if (keptArrays > kMostKept) forget();
  for (auto [c, i] : *order) {
    std::vector<DeviceLeaves> &mine = done[c];
    mine.resize(module.computations[c].instructions.size());
    if (!mine[i].empty()) continue;
    const Instruction &of = module.computations[c].instructions[i];
    if (of.parameterNumber >= 0) {
      const auto from = *argument(c, of);
      keep(c, i, done[from.first][from.second]);
      continue;
    }
    auto leaves = all.one(c, i, mine);
    if (!leaves) return std::nullopt;
    keep(c, i, *std::move(leaves));
  }
  const DeviceLeaves &leaves = done[computation][instruction];
  if (leaves.size() != 1) return std::nullopt;
  std::vector<int64_t> values;
  for (const CellArrayPtr &array : leaves[0]) {
    if (array->cells.size() != 1 || !array->cells[0].isKnown)
      return std::nullopt;
    // One from 2^63 on is no int64_t.
    if (array->shape.type == ElementType::U64 && array->cells[0].value < 0)
      return std::nullopt;
    values.push_back(array->cells[0].value);
  }
  return values;
}

const std::optional<std::vector<int64_t>> &DeviceIntegers::scalar(
    ComputationId computation, InstructionId instruction) {
  auto [known, isNew] = known_.try_emplace({computation, instruction});
  if (isNew) known->second = kept_->compute(computation, instruction);
  return known->second;
}

}  // namespace indexical
