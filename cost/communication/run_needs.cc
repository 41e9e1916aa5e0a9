#include "indexical/cost/communication/run_needs.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/communication/reshards.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

/// Numbers of elements past this are not followed.
constexpr int64_t kMostElements = int64_t(1) << 40;

}  // namespace

const ReaderDemand &RunNeeds::demand(const LeafReader &reader) {
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

bool RunNeeds::isAllRead(const Run &run) {
  return !run.readers.empty() &&
         llvm::all_of(run.readers, [&](const auto &one) {
           const ReaderDemand &of = demand(one.second);
           return of.isWhole && of.isExact;
         });
}

//===-- Runs that are alike -----------------------------------------------===//

void RunNeeds::addStepTo(Key &key, LeafNumber leaf) {
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
      key.push_back(place.leaf - (start ? start->forwards : 0));
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

RunNeeds::Key RunNeeds::keyOf(const Run &run,
                              const std::vector<int64_t> &holders) {
  Key key = {integerLists_.of(holders),
             integerLists_.of({shapeOf(run.origin).dimensions.begin(),
                               shapeOf(run.origin).dimensions.end()})};
  llvm::DenseMap<LeafNumber, int64_t> numbers;
  numbers[run.origin] = 0;
  key.push_back(run.leaves.size());
  for (LeafNumber leaf : run.leaves) {
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

const std::optional<Need> &RunNeeds::of(const Run &run,
                                        const std::vector<int64_t> &holders) {
  auto [known, isNew] = needs_.try_emplace(keyOf(run, holders));
  if (isNew) known->second = follow(run, holders);
  return known->second;
}

//===-- Following elements ------------------------------------------------===//

std::optional<Flow> RunNeeds::moved(
    LeafNumber leaf, const llvm::DenseMap<LeafNumber, Flow> &flows) {
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
        indexing(of.op, Direction::OutputToInput, place.leaf, number);
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
          computation.operandLeaf(place.instruction, LeafId(source.tensor));
      if (operand.instruction < 0) return std::nullopt;
      const auto &values =
          integers_.scalar(place.computation, operand.instruction);
      if (!values) return std::nullopt;
      return (*values)[device];
    };
    auto pieces = std::make_shared<FlowPieces>();
    for (size_t k = 0; k < step.sources.size(); ++k) {
      const LeafNumber source = step.sources[k].first;
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

std::optional<Flow> RunNeeds::exchanged(
    LeafNumber leaf, const llvm::DenseMap<LeafNumber, Flow> &flows,
    PartsTable &table) {
  const LeafStep &step = runs_.step(leaf);
  const auto &place = runs_.leaves().place(leaf);
  const Op &op = instructionOf(leaf).op;
  const OpDescriptor &inner = *collectiveOf(op);
  const auto *start = op.as<StartOp>();
  const int64_t r = place.leaf - (start ? start->forwards : 0);
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

std::optional<Flow> RunNeeds::flowOf(
    LeafNumber leaf, const llvm::DenseMap<LeafNumber, Flow> &flows,
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

std::optional<Need> RunNeeds::follow(const Run &run,
                                     const std::vector<int64_t> &holders) {
  const int64_t count = devices_.all();
  const ArrayShape &value = shapeOf(run.origin);
  const auto elements = value.elementCount();
  if (count > kMostFollowedDevices || !elements || *elements > kMostElements)
    return std::nullopt;
  PartsTable table;
  llvm::DenseMap<LeafNumber, Flow> flows;
  Flow &own = flows[run.origin];
  for (int64_t device = 0; device < count; ++device)
    own.push_back(std::make_shared<FlowPieces>(
        wholeValue(value.dimensions, table.intern({{holders[device], 0}}))));
  for (LeafNumber leaf : run.leaves) {
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

}  // namespace indexical
