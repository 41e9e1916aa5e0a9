#include "indexical/answers/report/communication.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/saturated.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/sharding/program_shardings.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// Instructions with shardings that are asked about, in a module: some seconds.
constexpr int64_t kMostAsked = 5'000;

}  // namespace

Communication Communication::of(const Program &program,
                                CommunicationChoice choice,
                                const RowChoice &rows, Messages &messages) {
  Communication communication;
  FirstPlans plans;
  communication.choice_ = std::move(choice);
  communication.byReceived_ = rows.sort == findSortKey("received");
  communication.top_ = rows.top;
  for (const StringRef key : {"op_name", "source", "opcode"})
    if (rows.group && rows.group->name == key) communication.group_ = key;
  for (auto [number, module] : llvm::enumerate(program.modules)) {
    communication.addOperands(program, number, communication.choice_.partitions,
                              messages);
    OfModule of;
    of.number = number;
    of.module = &module;
    of.devices =
        deviceCountsOf(program, module, communication.choice_.partitions,
                       communication.choice_.replicas);
    auto collectives = collectivesOf(program, module, of.devices);
    if (!collectives.ok()) {
      messages.warning(placeOf(collectives.status()).value_or(Place{1, 1}),
                       "what goes between devices is not reported: " +
                           std::string(collectives.status().message()));
      continue;
    }
    if (collectives->empty()) continue;
    of.collectives = *std::move(collectives);
    of.reshards = reshardsOf(program, module, of.devices, of.collectives);
    for (const Reshard &each : of.reshards)
      of.plans.push_back(
          each.ends ? plans.of(each.ends->from, each.ends->to, each.ends->type)
                    : std::nullopt);
    for (const Collective &each : of.collectives)
      communication.receivedBy_[{number, each.computation, each.instruction}] =
          static_cast<double>(receivedRange(each, of.devices.all()).upper) *
          static_cast<double>(each.trips);
    communication.modules_.push_back(std::move(of));
  }
  communication.select(nullptr);
  return communication;
}

std::optional<int64_t> Communication::Row::savedByPlan() const {
  if (!plan() || !reshard->all) return std::nullopt;
  return productOf(std::max<int64_t>(0, *reshard->all - plan()->allBytes),
                   reshard->trips);
}

void Communication::addOperands(const Program &program, size_t number,
                                std::optional<int64_t> partitions,
                                Messages &messages) {
  const Module &module = program.modules[number];
  if (isPartitioned(module)) return;
  ShardingContext context = shardingContextOf(module);
  if (partitions) context.devices = *partitions;
  ProgramIndexing maps(module);
  ShardedOperands sharded(program, maps, context, devicesOf(module, context));
  int64_t asked = 0;
  for (auto [c, computation] : llvm::enumerate(module.computations))
    for (auto [i, instruction] : llvm::enumerate(computation.instructions)) {
      if (instruction.sharding.empty() || instruction.op.is<ForwardOp>() ||
          instruction.operands.empty())
        continue;
      if (++asked > kMostAsked) return;
      auto operands = sharded.of(ComputationId(c), InstructionId(i));
      if (!operands.ok()) {
        messages.warning(placeOf(operands.status()).value_or(Place{1, 1}),
                         "what shardings need is not reported: " +
                             std::string(operands.status().message()));
        return;
      }
      if (!operands->empty())
        operands_[{number, ComputationId(c), InstructionId(i)}] =
            *std::move(operands);
    }
}

llvm::ArrayRef<OperandReads> Communication::operands(
    size_t module, ComputationId computation, InstructionId instruction) const {
  const auto found = operands_.find({module, computation, instruction});
  if (found == operands_.end()) return {};
  return found->second;
}

void Communication::select(const IsShown &isShown) {
  rows_.clear();
  totals_ = Totals();
  for (OfModule &of : modules_) {
    totals_.mostDevices = std::max(totals_.mostDevices, of.devices.all());
    of.isShown.clear();
    for (const Collective &each : of.collectives) {
      of.isShown.push_back(!isShown || isShown(of.number, each));
      totals_.collectives += of.isShown.back();
    }
    for (const Reshard &reshard : of.reshards) {
      if (!llvm::any_of(reshard.collectives,
                        [&](size_t k) { return of.isShown[k]; }))
        continue;
      rows_.push_back({&of, &reshard});
      // Needed bytes are compared with moved bytes, if those are known.
      if (!reshard.all) continue;
      totals_.received =
          sumOf(totals_.received, productOf(*reshard.all, reshard.trips));
      totals_.needed =
          sumOf(totals_.needed, productOf(reshard.neededAll, reshard.trips));
    }
  }
  auto weight = [&](const Row &row) {
    const Reshard &of = *row.reshard;
    if (byReceived_)
      return std::pair(productOf(of.receives.upper, of.trips), int64_t(0));
    return std::pair(of.saved(), productOf(of.all.value_or(0), of.trips));
  };
  llvm::stable_sort(
      rows_, [&](const Row &a, const Row &b) { return weight(a) > weight(b); });
}

double Communication::received(size_t module, ComputationId computation,
                               InstructionId instruction) const {
  auto found = receivedBy_.find({module, computation, instruction});
  return found == receivedBy_.end() ? 0 : found->second;
}

std::string Communication::keyOf(const Row &row) const {
  const Instruction &of = row.instruction();
  if (group_ == "op_name") return of.metadata.opName.str();
  if (group_ == "opcode") return row.collective().op.str();
  const auto stack = row.of->module->frames.stackFrom(of.metadata.frame);
  return stack.empty() ? "" : ownFrame(stack).place();
}

std::vector<Communication::Group> Communication::groups() const {
  std::vector<Group> all;
  std::map<std::string, size_t> numbers;
  for (const Row &row : rows_) {
    std::string key = keyOf(row);
    auto [known, isNew] = numbers.try_emplace(key, all.size());
    if (isNew) all.emplace_back().name = std::move(key);
    Group &group = all[known->second];
    const Reshard &of = *row.reshard;
    ++group.reshards;
    if (!of.all) continue;
    group.received = sumOf(group.received, productOf(*of.all, of.trips));
    group.needed = sumOf(group.needed, productOf(of.neededAll, of.trips));
    group.saved = sumOf(group.saved, of.saved());
  }
  llvm::stable_sort(all, [&](const Group &a, const Group &b) {
    return byReceived_ ? a.received > b.received : a.saved > b.saved;
  });
  return all;
}

LinkTimes Communication::timesOf(const Row &row) const {
  LinkTimes sum;
  for (size_t k : row.reshard->collectives) {
    const LinkTimes each = linkTimesOf(
        row.of->collectives[k], *choice_.topology, row.of->devices.all());
    if (each.within) sum.within = sum.within.value_or(0) + *each.within;
    if (each.between) sum.between = sum.between.value_or(0) + *each.between;
  }
  return sum;
}

}  // namespace indexical
