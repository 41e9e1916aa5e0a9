#include "indexical/analysis/communication/reshards.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/analysis/communication/flow.h"
#include "indexical/analysis/communication/messages.h"
#include "indexical/analysis/communication/reader_demand.h"
#include "indexical/analysis/communication/runs.h"
#include "indexical/analysis/communication/shardy.h"
#include "indexical/analysis/partitioned/device_integers.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/sharding/program_shardings.h"
#include "indexical/sharding/reshard.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Numbers of elements past this are not followed.
constexpr int64_t kMostElements = int64_t(1) << 40;

/// Numbers of values that are equal.
template <typename T>
class Interned {
 public:
  int64_t of(const T &value) {
    return numbers_.try_emplace(value, numbers_.size()).first->second;
  }

 private:
  std::map<T, int64_t> numbers_;
};

class Finder {
 public:
  Finder(const Program &program, const Module &module,
         const DeviceCounts &devices, llvm::ArrayRef<Collective> collectives)
      : program_(program),
        module_(module),
        devices_(devices),
        collectives_(collectives),
        runs_(module),
        integers_(module, devices) {
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

  const Instruction &instructionOf(LeafId leaf) const {
    const auto &place = runs_.leaves().place(leaf);
    return module_.computations[place.computation]
        .instructions[place.instruction];
  }
  const ArrayShape &shapeOf(LeafId leaf) const {
    return instructionOf(leaf)
        .shape.leaves()[runs_.leaves().place(leaf).result];
  }
  /// For each device the least one that has a copy of the value. Nothing if
  /// copies are not known.
  std::optional<std::vector<int64_t>> copiesOf(LeafId origin) const;
  const ReaderDemand &demand(const LeafReader &reader);
  bool isAllRead(const Run &run);
  /// What follow() depends on: runs of equal keys have equal needs, as those
  /// of the layers of a model are.
  using Key = std::vector<int64_t>;
  Key keyOf(const Run &run, const std::vector<int64_t> &holders);
  void addStepTo(Key &key, LeafId leaf);
  const std::optional<Need> &needOf(const Run &run,
                                    const std::vector<int64_t> &holders);
  std::optional<Need> follow(const Run &run,
                             const std::vector<int64_t> &holders);
  std::optional<Flow> flowOf(LeafId leaf,
                             const llvm::DenseMap<LeafId, Flow> &flows,
                             PartsTable &table);
  std::optional<Flow> moved(LeafId leaf,
                            const llvm::DenseMap<LeafId, Flow> &flows);
  std::optional<Flow> exchanged(LeafId leaf,
                                const llvm::DenseMap<LeafId, Flow> &flows,
                                PartsTable &table);

  const Program &program_;
  const Module &module_;
  const DeviceCounts devices_;
  const llvm::ArrayRef<Collective> collectives_;
  Runs runs_;
  DeviceIntegers integers_;
  std::map<std::pair<int32_t, int32_t>, size_t> numbers_;
  std::map<std::pair<const OpDescriptor *, int64_t>, ReaderDemand> demands_;
  std::map<Key, std::optional<Need>> needs_;
  Interned<std::vector<int64_t>> integerLists_;
  Interned<std::pair<DeviceLists, std::vector<std::pair<int64_t, int64_t>>>>
      groups_;
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
  // Those whose operands come from several values, and ragged exchanges.
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

/// A device needs each sum once, from whoever adds it.
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
  auto bytes = [&](int64_t elements) { return bytesOf(elements, chain.type); };
  const auto &receives = chain.needs->receives;
  reshard.needed = {bytes(*llvm::min_element(receives)),
                    bytes(*llvm::max_element(receives))};
  reshard.neededAll = bytes(chain.needs->all);
  reshard.isFollowed = true;
  reshard.isExact = true;
  return reshard;
}

std::optional<std::vector<int64_t>> Finder::copiesOf(LeafId origin) const {
  const auto &place = runs_.leaves().place(origin);
  const Instruction &of = instructionOf(origin);
  if (place.computation != module_.entry || of.parameterNumber < 0 ||
      of.sharding.empty() || devices_.replicas != 1)
    return std::nullopt;
  ShardingContext context = shardingContextOf(program_, module_);
  context.devices = devices_.partitions;
  auto shardings =
      shardingsOf(program_, module_, of, context, devices_.partitions);
  if (!shardings.ok() ||
      place.result >= static_cast<int32_t>(shardings->size()))
    return std::nullopt;
  const Sharding &sharding = (*shardings)[place.result];
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

const ReaderDemand &Finder::demand(const LeafReader &reader) {
  static const ReaderDemand kAll{/*isWhole=*/true, {}, /*isExact=*/true};
  if (reader.operand < 0) return kAll;
  const Op &op = module_.computations[reader.computation]
                     .instructions[reader.instruction]
                     .op;
  auto [known, isNew] =
      demands_.try_emplace({&op.descriptor(), reader.operand});
  if (isNew) known->second = demandOf(op, reader.operand);
  return known->second;
}

bool Finder::isAllRead(const Run &run) {
  return !run.readers.empty() &&
         llvm::all_of(run.readers, [&](const auto &one) {
           const ReaderDemand &of = demand(one.second);
           return of.isWhole && of.isExact;
         });
}

Reshard Finder::reshardOf(const Run &run) {
  Reshard reshard;
  const auto &place = runs_.leaves().place(run.origin);
  reshard.computation = place.computation;
  reshard.instruction = place.instruction;
  reshard.result = place.result;
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
  // A lone collective of which all is read has ratio 1.
  if (run.collectives.size() == 1 && !run.moves && !hasCopies &&
      isAllRead(run)) {
    needAlone(parts[0].first, parts[0].second, reshard);
    reshard.isExact = copies.has_value();
    reshard.isFollowed = true;
    return reshard;
  }
  const auto &need = needOf(run, holders);
  if (!need) return reshard;
  const ElementType type = shapeOf(run.origin).type;
  auto bytes = [&](int64_t elements) { return bytesOf(elements, type); };
  reshard.needed = {bytes(*llvm::min_element(need->byDevice)),
                    bytes(*llvm::max_element(need->byDevice))};
  // Sums that have sums in common may take fewer messages than by themselves.
  reshard.neededAll =
      std::min(bytes(need->all), reshard.all.value_or(INT64_MAX));
  reshard.isFollowed = true;
  reshard.isExact = need->isExact && copies.has_value();
  return reshard;
}

//===-- Runs that are alike -----------------------------------------------===//

void Finder::addStepTo(Key &key, LeafId leaf) {
  const LeafStep &step = runs_.step(leaf);
  const auto &place = runs_.leaves().place(leaf);
  const Computation &computation = module_.computations[place.computation];
  const Op &op = instructionOf(leaf).op;
  key.push_back(static_cast<int64_t>(step.kind));
  key.push_back(integerLists_.of(
      {shapeOf(leaf).dimensions.begin(), shapeOf(leaf).dimensions.end()}));
  switch (step.kind) {
    case LeafStep::Kind::Same:
    case LeafStep::Kind::Reshape:
      return;
    case LeafStep::Kind::Move: {
      // Equal ops have one descriptor.
      key.push_back(reinterpret_cast<intptr_t>(&op.descriptor()));
      const auto operands = computation.operandLeaves(place.instruction);
      for (size_t k = 0; k < operands.size(); ++k) {
        if (llvm::any_of(step.sources, [&](auto source) {
              return source.second == static_cast<int32_t>(k);
            }))
          continue;
        // An offset, or an operand that holds no elements of the value.
        const auto &shapes = op.descriptor().operands;
        if (k >= shapes.size() || shapes[k].elementCount() != 1) continue;
        const auto &values =
            integers_.scalar(place.computation, operands[k].instruction);
        key.push_back(values ? integerLists_.of(*values) : -1);
      }
      return;
    }
    case LeafStep::Kind::Collective: {
      auto number = numbers_.find({place.computation, place.instruction});
      if (number == numbers_.end()) return key.push_back(-1);
      const Collective &of = collectives_[number->second];
      const OpDescriptor &inner = *collectiveOf(op);
      const auto *start = op.as<StartOp>();
      key.push_back(reinterpret_cast<intptr_t>(inner.opKind));
      key.push_back(groups_.of({of.groups, of.pairs}));
      key.push_back(place.result - (start ? start->forwards : 0));
      if (of.op == "all-gather")
        key.push_back(static_cast<const AllGatherOp &>(inner).dimension);
      if (of.op == "reduce-scatter")
        key.push_back(static_cast<const ReduceScatterOp &>(inner).dimension);
      if (of.op == "all-to-all") {
        const auto &exchange = static_cast<const AllToAllOp &>(inner);
        key.push_back(exchange.dimension.value_or(-1));
        key.push_back(exchange.joined.value_or(-1));
      }
    }
  }
}

Finder::Key Finder::keyOf(const Run &run, const std::vector<int64_t> &holders) {
  Key key = {integerLists_.of(holders),
             integerLists_.of({shapeOf(run.origin).dimensions.begin(),
                               shapeOf(run.origin).dimensions.end()})};
  llvm::DenseMap<LeafId, int64_t> numbers;
  numbers[run.origin] = 0;
  key.push_back(run.leaves.size());
  for (LeafId leaf : run.leaves) {
    key.push_back(runs_.step(leaf).sources.size());
    for (auto [source, operand] : runs_.step(leaf).sources) {
      auto known = numbers.find(source);
      key.push_back(known == numbers.end() ? -1 : known->second);
      key.push_back(operand);
    }
    addStepTo(key, leaf);
    numbers.try_emplace(leaf, numbers.size());
  }
  for (const auto &[leaf, reader] : run.readers) {
    key.push_back(numbers.lookup(leaf));
    key.push_back(reader.operand);
    if (reader.operand < 0) continue;
    key.push_back(
        reinterpret_cast<intptr_t>(&module_.computations[reader.computation]
                                        .instructions[reader.instruction]
                                        .op.descriptor()));
  }
  return key;
}

const std::optional<Need> &Finder::needOf(const Run &run,
                                          const std::vector<int64_t> &holders) {
  auto [known, isNew] = needs_.try_emplace(keyOf(run, holders));
  if (isNew) known->second = follow(run, holders);
  return known->second;
}

//===-- Following elements ------------------------------------------------===//

std::optional<Flow> Finder::moved(LeafId leaf,
                                  const llvm::DenseMap<LeafId, Flow> &flows) {
  const LeafStep &step = runs_.step(leaf);
  const auto &place = runs_.leaves().place(leaf);
  const Computation &computation = module_.computations[place.computation];
  const Instruction &of = instructionOf(leaf);
  const bool isReshape = step.kind == LeafStep::Kind::Reshape;
  std::vector<IndexingRelation> reads;
  bool isOfDevice = step.sources.size() > 1;
  for (auto [source, number] : step.sources) {
    if (isReshape) break;
    auto relation =
        indexing(of.op, Direction::OutputToInput, place.result, number);
    if (!relation.ok()) return std::nullopt;
    for (const IndexingMap &map : relation->pieces())
      isOfDevice |= !map.runtime().empty();
    reads.push_back(*std::move(relation));
  }
  std::map<const FlowPieces *, FlowPtr> known;
  Flow result;
  for (int64_t device = 0; device < devices_.all(); ++device) {
    const FlowPtr &first = flows.find(step.sources[0].first)->second[device];
    FlowPtr *same = isOfDevice ? nullptr : &known[first.get()];
    if (same && *same) {
      result.push_back(*same);
      continue;
    }
    auto value = [&](const IndexingMap &map,
                     size_t i) -> std::optional<int64_t> {
      const RuntimeSource &source = map.runtime()[i].source;
      if (source.kind != RuntimeSource::Kind::Element) return std::nullopt;
      const OperandLeaf operand =
          computation.operandLeaf(place.instruction, source.tensor);
      if (operand.instruction < 0) return std::nullopt;
      const auto &values =
          integers_.scalar(place.computation, operand.instruction);
      if (!values) return std::nullopt;
      return (*values)[device];
    };
    auto pieces = std::make_shared<FlowPieces>();
    for (size_t k = 0; k < step.sources.size(); ++k) {
      const LeafId source = step.sources[k].first;
      const FlowPieces &from = *flows.find(source)->second[device];
      const bool ok = isReshape
                          ? addReshaped(shapeOf(source).dimensions,
                                        shapeOf(leaf).dimensions, from, *pieces)
                          : addMoved(reads[k], from, value, *pieces);
      if (!ok) return std::nullopt;
    }
    result.push_back(pieces);
    if (same) *same = pieces;
  }
  return result;
}

std::optional<Flow> Finder::exchanged(LeafId leaf,
                                      const llvm::DenseMap<LeafId, Flow> &flows,
                                      PartsTable &table) {
  const LeafStep &step = runs_.step(leaf);
  const auto &place = runs_.leaves().place(leaf);
  const Op &op = instructionOf(leaf).op;
  const OpDescriptor &inner = *collectiveOf(op);
  const auto *start = op.as<StartOp>();
  const int64_t r = place.result - (start ? start->forwards : 0);
  auto number = numbers_.find({place.computation, place.instruction});
  if (number == numbers_.end()) return std::nullopt;
  const Collective &of = collectives_[number->second];
  static const FlowPtr kNothing = std::make_shared<FlowPieces>();
  Flow result(devices_.all(), kNothing);
  const Flow &from = flows.find(step.sources[0].first)->second;
  if (of.op == "collective-permute") {
    for (auto [source, target] : of.pairs) result[target] = from[source];
    return result;
  }
  const ArrayShape &shape = inner.results[r];
  for (const auto &group : of.groups) {
    const int64_t members = group.size();
    if (of.op == "all-reduce" || of.op == "reduce-scatter") {
      std::vector<FlowPtr> all;
      for (int64_t member : group) all.push_back(from[member]);
      auto sum = sumOf(all, table);
      if (!sum) return std::nullopt;
      const auto shared = std::make_shared<FlowPieces>(*std::move(sum));
      for (auto [k, member] : llvm::enumerate(group)) {
        if (of.op == "all-reduce") {
          result[member] = shared;
          continue;
        }
        const auto &scatter = static_cast<const ReduceScatterOp &>(inner);
        const int64_t part = shape.dimensions[scatter.dimension];
        auto mine = std::make_shared<FlowPieces>();
        addSlice(*shared, scatter.dimension, part * k, part, 0, *mine);
        result[member] = mine;
      }
    } else if (of.op == "all-gather") {
      const auto &gather = static_cast<const AllGatherOp &>(inner);
      const int64_t part = inner.operands[r].dimensions[gather.dimension];
      auto gathered = std::make_shared<FlowPieces>();
      for (auto [k, member] : llvm::enumerate(group))
        addSlice(*from[member], gather.dimension, 0, part, part * k, *gathered);
      for (int64_t member : group) result[member] = gathered;
    } else if (of.op == "collective-broadcast") {
      for (int64_t member : group) result[member] = from[group[0]];
    } else if (of.op == "all-to-all") {
      const auto &exchange = static_cast<const AllToAllOp &>(inner);
      if (!exchange.dimension) {
        // Result r is what member r has for this one.
        if (r >= members) return std::nullopt;
        for (auto [k, member] : llvm::enumerate(group))
          for (auto [source, operand] : step.sources)
            if (operand == static_cast<int32_t>(k))
              result[member] = flows.find(source)->second[group[r]];
        continue;
      }
      const int64_t cut = *exchange.dimension;
      const int64_t joined = exchange.joined.value_or(cut);
      const int64_t part = inner.operands[r].dimensions[cut] / members;
      const int64_t length =
          joined == cut ? part : inner.operands[r].dimensions[joined];
      for (auto [k, member] : llvm::enumerate(group)) {
        auto mine = std::make_shared<FlowPieces>();
        for (auto [j, other] : llvm::enumerate(group)) {
          FlowPieces taken;
          addSlice(*from[other], cut, part * k, part, 0, taken);
          addSlice(taken, joined, 0, length, length * j, *mine);
        }
        result[member] = mine;
      }
    } else {
      return std::nullopt;
    }
  }
  for (const FlowPtr &pieces : result)
    if (pieces->size() > kMostPiecesOfFlow) return std::nullopt;
  return result;
}

std::optional<Flow> Finder::flowOf(LeafId leaf,
                                   const llvm::DenseMap<LeafId, Flow> &flows,
                                   PartsTable &table) {
  const LeafStep &step = runs_.step(leaf);
  for (auto [source, number] : step.sources)
    if (!flows.count(source)) return std::nullopt;
  switch (step.kind) {
    case LeafStep::Kind::Same:
      return flows.find(step.sources[0].first)->second;
    case LeafStep::Kind::Collective:
      return exchanged(leaf, flows, table);
    case LeafStep::Kind::Move:
    case LeafStep::Kind::Reshape:
      return moved(leaf, flows);
  }
  return std::nullopt;
}

std::optional<Need> Finder::follow(const Run &run,
                                   const std::vector<int64_t> &holders) {
  const int64_t count = devices_.all();
  const ArrayShape &value = shapeOf(run.origin);
  const auto elements = value.elementCount();
  if (count > kMostFollowedDevices || !elements || *elements > kMostElements)
    return std::nullopt;
  PartsTable table;
  llvm::DenseMap<LeafId, Flow> flows;
  Flow &own = flows[run.origin];
  for (int64_t device = 0; device < count; ++device)
    own.push_back(std::make_shared<FlowPieces>(
        wholeValue(value.dimensions, table.intern({{holders[device], 0}}))));
  for (LeafId leaf : run.leaves) {
    const auto size = shapeOf(leaf).elementCount();
    if (!size || *size > kMostElements) return std::nullopt;
    auto flow = flowOf(leaf, flows, table);
    if (!flow) return std::nullopt;
    flows[leaf] = *std::move(flow);
  }
  Need need;
  need.byDevice.assign(count, 0);
  std::vector<UsedNumbers> used(count);
  for (const auto &[leaf, reader] : run.readers) {
    const ReaderDemand &demand = this->demand(reader);
    need.isExact &= demand.isExact;
    const Flow &flow = flows.find(leaf)->second;
    for (int64_t device = 0; device < count; ++device)
      addUsed(*flow[device], demand, used[device]);
  }
  addMessages(used, holders, table, need);
  return need;
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
