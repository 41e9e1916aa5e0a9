#include "indexical/cost/communication/collectives.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/cost/communication/shardy.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/program/sharding/reshard.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Products of sizes stay at the largest number.
int64_t times(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(INT64_MAX);
}

/// The bytes that a member of n receives.
ByteFraction ofMember(StringRef op, int64_t members, int64_t bytes) {
  const int64_t others = members - 1;
  if (op == "all-gather") return {times(others, bytes), 1};
  if (op == "all-reduce") return {times(2 * others, bytes), members};
  return {times(others, bytes), members};
}

Interval rangeOf(int64_t devices,
                 llvm::function_ref<void(Collective::OfDevice)> figures) {
  int64_t least = INT64_MAX, most = 0, seen = 0;
  figures([&](int64_t, ByteFraction bytes) {
    ++seen;
    least = std::min(least, bytes.floor());
    most = std::max(most, bytes.ceil());
  });
  return {seen < devices ? 0 : least, most};
}

}  // namespace

int64_t Collective::bytes() const {
  int64_t sum = 0;
  for (int64_t each : operandBytes)
    if (llvm::AddOverflow(sum, each, sum)) return INT64_MAX;
  return sum;
}

int64_t Collective::groupSize() const {
  if (op == "collective-permute" && !isLowered) return 2;
  size_t most = 0;
  for (const auto &group : groups) most = std::max(most, group.size());
  return most;
}

void Collective::received(int64_t bytes, OfDevice each) const {
  for (auto [source, target] : pairs)
    if (source != target) each(target, {bytes, 1});
  for (const auto &group : groups)
    for (size_t k = 0; k < group.size(); ++k) {
      if (isRagged()) {
        each(group[k], {group.size() > 1 ? resultBytes : 0, 1});
      } else if (op == "collective-broadcast") {
        if (k > 0) each(group[k], {bytes, 1});
      } else {
        each(group[k], ofMember(op, group.size(), bytes));
      }
    }
}

void Collective::sent(int64_t bytes, OfDevice each) const {
  std::map<int64_t, int64_t> targets;
  for (auto [source, target] : pairs)
    if (source != target) ++targets[source];
  for (auto [source, count] : targets) each(source, {times(count, bytes), 1});
  for (const auto &group : groups)
    for (size_t k = 0; k < group.size(); ++k) {
      const int64_t others = group.size() - 1;
      if (isRagged()) {
        each(group[k], {others > 0 ? bytes : 0, 1});
      } else if (op == "collective-broadcast") {
        if (k == 0) each(group[k], {times(others, bytes), 1});
      } else {
        each(group[k], ofMember(op, group.size(), bytes));
      }
    }
}

std::optional<int64_t> Collective::all(int64_t bytes) const {
  if (isRagged() || isLowered) return std::nullopt;
  int64_t sum = 0;
  bool fits = true;
  auto add = [&](int64_t count) {
    int64_t product = 0;
    fits &= !llvm::MulOverflow(count, bytes, product) &&
            !llvm::AddOverflow(sum, product, sum);
  };
  for (auto [source, target] : pairs) add(source != target);
  for (const auto &group : groups) {
    const int64_t members = group.size(), others = members - 1;
    add(op == "all-gather"   ? times(members, others)
        : op == "all-reduce" ? 2 * others
                             : others);
  }
  if (!fits) return std::nullopt;
  return sum;
}

void Collective::transfers(int64_t bytes, OfPair each) const {
  for (auto [source, target] : pairs)
    if (source != target) each(source, target, {bytes, 1});
  for (const auto &group : groups) {
    const int64_t members = group.size();
    for (int64_t a = 0; a < members; ++a)
      for (int64_t b = 0; b < members; ++b) {
        if (a == b || isRagged()) continue;
        if (op == "collective-broadcast") {
          if (a == 0) each(group[a], group[b], {bytes, 1});
        } else if (op == "all-gather") {
          each(group[a], group[b], {bytes, 1});
        } else {
          each(group[a], group[b],
               {op == "all-reduce" ? times(2, bytes) : bytes, members});
        }
      }
  }
}

Interval receivedRange(const Collective &of, int64_t devices) {
  if (of.isLowered) return {0, of.resultBytes};
  if (of.devices > 0) devices = of.devices;
  Interval range = rangeOf(devices, [&](Collective::OfDevice each) {
    of.received(of.bytes(), each);
  });
  if (of.isRagged()) range.lower = 0;
  return range;
}

Interval sentRange(const Collective &of, int64_t devices) {
  if (of.isLowered) return {0, of.bytes()};
  if (of.devices > 0) devices = of.devices;
  Interval range = rangeOf(
      devices, [&](Collective::OfDevice each) { of.sent(of.bytes(), each); });
  if (of.isRagged()) range.lower = 0;
  return range;
}

DeviceCounts deviceCountsOf(const Program &program, const Module &module,
                            std::optional<int64_t> partitions,
                            std::optional<int64_t> replicas) {
  DeviceCounts counts;
  counts.replicas =
      replicas.value_or(std::max<int64_t>(1, module.replicaCount));
  int64_t count = partitions.value_or(-1);
  if (count < 0 && module.partitionCount > 1) count = module.partitionCount;
  if (count < 0) count = devicesOf(module, shardingContextOf(module));
  counts.partitions = std::max<int64_t>(1, count);
  if (const int64_t meshes = shardyDevicesOf(program, module);
      meshes > counts.all()) {
    counts.partitions = llvm::divideCeil(meshes, counts.replicas);
    return counts;
  }
  if (count > 0) return counts;
  // The largest number that a group lists is one of a device. Without a channel
  // the numbers are replicas.
  int64_t most = -1;
  bool isOfReplicas = true;
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions) {
      const OpDescriptor *collective = collectiveOf(instruction.op);
      if (!collective) continue;
      const auto [numbers, isChannel] = largestNumberOf(instruction.op);
      most = std::max(most, numbers);
      if (numbers > 0 && isChannel) isOfReplicas = false;
    }
  if (isOfReplicas)
    counts.replicas = std::max(counts.replicas, most + 1);
  else
    counts.partitions =
        std::max<int64_t>(1, llvm::divideCeil(most + 1, counts.replicas));
  return counts;
}

absl::StatusOr<std::vector<Collective>> collectivesOf(
    const Program &program, const Module &module, const DeviceCounts &devices) {
  std::vector<Collective> found;
  std::map<std::pair<ComputationId, InstructionId>, size_t> numbers;
  for (const KernelSite &site : kernelSites(module)) {
    const Computation &computation = module.computations[site.computation];
    const Instruction &of = computation.instructions[site.instruction];
    const OpDescriptor *inner = collectiveOf(of.op);
    if (!inner) continue;
    auto [known, isNew] =
        numbers.try_emplace({site.computation, site.instruction}, found.size());
    if (!isNew) {
      Collective &same = found[known->second];
      same.trips = checkedAdd(same.trips, site.trips).value_or(INT64_MAX);
      same.tripsKnown &= site.tripsKnown;
      continue;
    }
    Collective one;
    one.computation = site.computation;
    one.instruction = site.instruction;
    one.op = inner->opKind->name;
    one.trips = site.trips;
    one.tripsKnown = site.tripsKnown;
    for (const ArrayShape &shape : inner->operands) {
      const auto count = shape.elementCount();
      if (!count)
        return errorAt(of.place, "the bytes of `" + of.name.str() +
                                     "` are not known: a size is open");
      one.operandBytes.push_back(bytesOf(*count, storedBits(shape)));
    }
    if (one.isRagged()) {
      // The data, and the buffer that takes what arrives; the rest are offsets.
      one.operandBytes.resize(std::min<size_t>(1, one.operandBytes.size()));
      for (const ArrayShape &shape : inner->results)
        one.resultBytes +=
            bytesOf(shape.elementCount().value_or(0), storedBits(shape));
    }
    if (hasGroups(of.op)) {
      auto groups = groupsOf(of.op, devices);
      if (!groups.ok()) return withPlace(groups.status(), of.place);
      one.groups = *std::move(groups);
    } else {
      auto pairs = pairsOf(of.op, devices);
      if (!pairs.ok()) return withPlace(pairs.status(), of.place);
      one.pairs = *std::move(pairs);
      // A permute of slices into a buffer sends its first operands alone.
      one.operandBytes.resize(
          std::min(one.operandBytes.size(), inner->results.size()));
    }
    found.push_back(std::move(one));
  }
  INDEXICAL_RETURN_IF_ERROR(addShardyCollectives(program, module, found));
  return found;
}

}  // namespace indexical
