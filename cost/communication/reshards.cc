#include "indexical/cost/communication/reshards.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/communication/run_needs.h"
#include "indexical/cost/communication/runs.h"
#include "indexical/cost/communication/shardy.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/program/sharding/reshard.h"

namespace indexical {
namespace {

using llvm::StringRef;

class Finder {
 public:
  Finder(const Program &program, const Module &module,
         const DeviceCounts &devices, llvm::ArrayRef<Collective> collectives)
      : program_(program),
        module_(module),
        devices_(devices),
        collectives_(collectives),
        runs_(module),
        needs_(module, devices, collectives, numbers_, runs_) {
    for (auto [k, each] : llvm::enumerate(collectives))
      numbers_[{each.computation, each.instruction}] = k;
  }

  std::vector<Reshard> find();

 private:
  using Run = Runs::Run;

  Reshard reshardOf(const Run &run);
  Reshard reshardOf(const ShardyChain &chain);
  Reshard alone(size_t collective, llvm::ArrayRef<int32_t> operands);
  void addBytes(Reshard &reshard,
                llvm::ArrayRef<std::pair<size_t, std::vector<int32_t>>> parts);
  void needAll(Reshard &reshard);
  void needAlone(size_t collective, llvm::ArrayRef<int32_t> operands,
                 Reshard &reshard);

  /// Returns for each device the least one that has a copy of the value.
  /// Returns nothing if copies are not known.
  std::optional<std::vector<int64_t>> copiesOf(LeafNumber origin) const;
  const Program &program_;
  const Module &module_;
  const DeviceCounts devices_;
  const llvm::ArrayRef<Collective> collectives_;
  CollectiveNumbers numbers_;
  Runs runs_;
  RunNeeds needs_;
};

std::vector<Reshard> Finder::find() {
  std::vector<Reshard> found;
  std::vector<std::set<int32_t>> seen(collectives_.size());
  for (const Run &run : runs_.runs()) {
    Reshard reshard = reshardOf(run);
    if (reshard.collectives.empty()) continue;
    for (const auto &[at, operands] : run.collectives)
      if (auto known = numbers_.find(at); known != numbers_.end())
        seen[known->second].insert(operands.begin(), operands.end());
    found.push_back(std::move(reshard));
  }
  for (const ShardyChain &chain :
       shardyChainsOf(program_, module_, collectives_))
    found.push_back(reshardOf(chain));
  // Collectives whose operands come from several values, and ragged exchanges,
  // are reshards of their own.
  for (size_t k = 0; k < collectives_.size(); ++k) {
    if (collectives_[k].isShardy) continue;
    std::vector<int32_t> rest;
    for (size_t o = 0; o < collectives_[k].operandBytes.size(); ++o)
      if (!seen[k].count(o)) rest.push_back(o);
    if (!rest.empty()) found.push_back(alone(k, rest));
  }
  llvm::stable_sort(found, [](const Reshard &a, const Reshard &b) {
    return a.collectives.front() < b.collectives.front();
  });
  return found;
}

void Finder::addBytes(
    Reshard &reshard,
    llvm::ArrayRef<std::pair<size_t, std::vector<int32_t>>> parts) {
  // Meshes of Shardy may have more devices than the call says.
  int64_t count = devices_.all();
  for (const auto &[number, operands] : parts)
    if (collectives_[number].devices > 0) count = collectives_[number].devices;
  std::vector<int64_t> least(count, 0), most(count, 0), sentLeast(count, 0),
      sentMost(count, 0);
  auto add = [](int64_t &sum, int64_t more) {
    sum = checkedAdd(sum, more).value_or(INT64_MAX);
  };
  reshard.all = 0;
  for (const auto &[number, operands] : parts) {
    const Collective &each = collectives_[number];
    int64_t bytes = 0;
    for (int32_t operand : operands)
      if (operand < static_cast<int32_t>(each.operandBytes.size()))
        add(bytes, each.operandBytes[operand]);
    each.received(bytes, [&](int64_t device, ByteFraction of) {
      add(least[device], each.isRagged() ? 0 : of.floor());
      add(most[device], of.ceil());
    });
    each.sent(bytes, [&](int64_t device, ByteFraction of) {
      add(sentLeast[device], each.isRagged() ? 0 : of.floor());
      add(sentMost[device], of.ceil());
    });
    const auto all = each.all(bytes);
    if (reshard.all && all)
      reshard.all = checkedAdd(*reshard.all, *all);
    else
      reshard.all.reset();
    if (each.isLowered) {
      for (int64_t &bytes : most) add(bytes, each.resultBytes);
      for (int64_t &bytes : sentMost) add(bytes, each.bytes());
    }
    reshard.collectives.push_back(number);
    reshard.trips = each.trips;
    reshard.tripsKnown = each.tripsKnown;
  }
  reshard.receives = {*llvm::min_element(least), *llvm::max_element(most)};
  reshard.sends = {*llvm::min_element(sentLeast), *llvm::max_element(sentMost)};
}

void Finder::needAll(Reshard &reshard) {
  reshard.needed = reshard.receives;
  reshard.neededAll = reshard.all.value_or(0);
  reshard.isExact = false;
  reshard.isFollowed = false;
}

/// A device needs each sum once, from the device that adds it.
void Finder::needAlone(size_t collective, llvm::ArrayRef<int32_t> operands,
                       Reshard &reshard) {
  const Collective &of = collectives_[collective];
  if (of.op != "all-reduce" && of.op != "reduce-scatter") return;
  int64_t bytes = 0;
  for (int32_t operand : operands)
    bytes = checkedAdd(bytes, of.operandBytes[operand]).value_or(INT64_MAX);
  std::vector<int64_t> needed(devices_.all(), 0);
  for (const auto &group : of.groups)
    for (int64_t member : group) {
      const int64_t members = group.size();
      if (members > 1)
        needed[member] = of.op == "all-reduce" ? bytes : bytes / members;
    }
  reshard.needed = {*llvm::min_element(needed), *llvm::max_element(needed)};
}

Reshard Finder::alone(size_t collective, llvm::ArrayRef<int32_t> operands) {
  Reshard reshard;
  const Collective &of = collectives_[collective];
  reshard.computation = of.computation;
  reshard.instruction = of.instruction;
  addBytes(reshard, {{collective, {operands.begin(), operands.end()}}});
  needAll(reshard);
  return reshard;
}

Reshard Finder::reshardOf(const ShardyChain &chain) {
  Reshard reshard;
  reshard.computation = chain.computation;
  reshard.instruction = chain.instruction;
  std::vector<std::pair<size_t, std::vector<int32_t>>> parts;
  for (size_t number : chain.collectives) parts.push_back({number, {0}});
  addBytes(reshard, parts);
  needAll(reshard);
  if (!chain.needs) return reshard;
  auto bytes = [&](int64_t elements) {
    return bytesOf(elements, chain.elementBits);
  };
  const auto &receives = chain.needs->receives;
  reshard.needed = {bytes(*llvm::min_element(receives)),
                    bytes(*llvm::max_element(receives))};
  reshard.neededAll = bytes(chain.needs->all);
  reshard.isFollowed = true;
  reshard.isExact = true;
  reshard.ends = chain.ends;
  return reshard;
}

std::optional<std::vector<int64_t>> Finder::copiesOf(LeafNumber origin) const {
  const auto &place = runs_.leaves().place(origin);
  const Instruction &of =
      module_.computations[place.computation].instructions[place.instruction];
  if (place.computation != module_.entry || of.parameterNumber < 0 ||
      of.sharding.empty() || devices_.replicas != 1)
    return std::nullopt;
  ShardingContext context = shardingContextOf(module_);
  context.devices = devices_.partitions;
  auto shardings =
      shardingsOf(program_, module_, of, context, devices_.partitions);
  if (!shardings.ok() || place.leaf >= static_cast<int32_t>(shardings->size()))
    return std::nullopt;
  const Sharding &sharding = (*shardings)[place.leaf];
  if (sharding.none() != NoElements::None || sharding.parts() > 1)
    return std::nullopt;
  std::vector<int64_t> copies(devices_.all());
  std::map<std::vector<int64_t>, int64_t> first;
  for (int64_t device = 0; device < devices_.all(); ++device) {
    copies[device] = device;
    if (auto holding = sharding.holding(device)) {
      std::vector<int64_t> tile(holding->tile.begin(), holding->tile.end());
      tile.push_back(holding->group);
      copies[device] = first.try_emplace(std::move(tile), device).first->second;
    }
  }
  return copies;
}

Reshard Finder::reshardOf(const Run &run) {
  Reshard reshard;
  const auto &place = runs_.leaves().place(run.origin);
  reshard.computation = place.computation;
  reshard.instruction = place.instruction;
  reshard.result = place.leaf;
  std::vector<std::pair<size_t, std::vector<int32_t>>> parts;
  for (const auto &[at, operands] : run.collectives)
    if (auto known = numbers_.find(at); known != numbers_.end())
      parts.push_back({known->second, operands});
  if (parts.empty()) return reshard;
  addBytes(reshard, parts);
  needAll(reshard);
  const auto copies = copiesOf(run.origin);
  std::vector<int64_t> holders;
  bool hasCopies = false;
  for (int64_t device = 0; device < devices_.all(); ++device) {
    holders.push_back(copies ? (*copies)[device] : device);
    hasCopies |= holders.back() != device;
  }
  // A single collective whose result is read whole has ratio 1.
  if (run.collectives.size() == 1 && !run.moves && !hasCopies &&
      needs_.isAllRead(run)) {
    needAlone(parts[0].first, parts[0].second, reshard);
    reshard.isExact = copies.has_value();
    reshard.isFollowed = true;
    return reshard;
  }
  const auto &need = needs_.of(run, holders);
  if (!need) return reshard;
  const int64_t bits = storedBits(module_.computations[place.computation]
                                      .instructions[place.instruction]
                                      .shape.leaves()[place.leaf]);
  auto bytes = [&](int64_t elements) { return bytesOf(elements, bits); };
  reshard.needed = {bytes(*llvm::min_element(need->byDevice)),
                    bytes(*llvm::max_element(need->byDevice))};
  // Sums that share partial sums may take fewer messages together than
  // separately.
  reshard.neededAll =
      std::min(bytes(need->all), reshard.all.value_or(INT64_MAX));
  reshard.isFollowed = true;
  reshard.isExact = need->isExact && copies.has_value();
  return reshard;
}

}  // namespace

int64_t Reshard::saved() const {
  if (!all || *all <= neededAll) return 0;
  return checkedMul(*all - neededAll, trips).value_or(INT64_MAX);
}

std::vector<Reshard> reshardsOf(const Program &program, const Module &module,
                                const DeviceCounts &devices,
                                llvm::ArrayRef<Collective> collectives) {
  if (collectives.empty()) return {};
  return Finder(program, module, devices, collectives).find();
}

}  // namespace indexical
