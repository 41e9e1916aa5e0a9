#include "indexical/analysis/partitioned/device_terms.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/partitioned/both_runs.h"
#include "indexical/analysis/partitioned/draws.h"
#include "indexical/analysis/partitioned/same_values.h"
#include "indexical/analysis/values/module_values.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/sharding/program_shardings.h"

namespace indexical {
namespace {

// The steps of one question: some seconds.
constexpr int64_t kOperations = 10'000'000;
constexpr int64_t kOperationsOfCut = 1'000'000;
// Questions about cuts, arrays that one is tried with, and ways to cut it.
constexpr int kMostAsked = 200;
constexpr int kMostTries = 6;
constexpr size_t kMostRelations = 8;
// With more collectives, a question without cuts is short.
constexpr size_t kMostWhole = 3;

bool hasEmptyArray(const Module &module) {
  for (const Computation &computation : module.computations)
    for (const Instruction &of : computation.instructions)
      for (const ArrayShape &shape : of.shape.leaves())
        if (llvm::is_contained(shape.dimensions, 0)) return true;
  return false;
}

/// Adds a parameter behind those of the entry.
void addParameter(Module &module, const ShapeList &shapes) {
  Computation &entry = module.computations[module.entry];
  NullaryOp op;
  op.opKind = kindOf<NullaryOp>("parameter");
  op.parameter = entry.parameters.size();
  op.results = shapes;
  Instruction made;
  made.op = op;
  made.name = "a part";
  made.shape = Shape::ofArray(shapes[0]);
  made.parameterNumber = op.parameter;
  entry.parameters.push_back(InstructionId(entry.instructions.size()));
  entry.instructions.push_back(std::move(made));
}

/// Takes calls that hand an array on for what they hand on.
void forwardTransfers(Module &module) {
  for (Computation &computation : module.computations)
    for (Instruction &of : computation.instructions) {
      if (!isTransfer(of) || of.operands.size() != 1 ||
          of.shape.leaves().size() != 1)
        continue;
      ForwardOp op;
      op.operands = shapesOf(of.op).operands;
      op.results = shapesOf(of.op).results;
      op.reads = {0};
      if (op.operands.size() == 1) of.op = op;
    }
}

class Comparison {
 public:
  Comparison(const Program &global, const Program &local,
             const PartitionedOptions &options, const EntryArrays &entry)
      : global_(global),
        local_(local),
        options_(options),
        entry_(entry),
        whole_(global.modules[0]),
        stacked_(local.modules[0]),
        stacker_(stacked_, entry.devices, "parts"),
        writer_(stacker_.writer()) {}

  DeviceTerms run();

 private:
  /// An array of the whole module, and all copies of it that devices have.
  struct Pair {
    InstructionId whole;
    LeafId leaf;
    Stacked copies;  ///< in dimension 0, if there are several
    int64_t count = 1;
    /// The devices of the tiles of each copy.
    std::vector<std::vector<int64_t>> devicesOf = {};
  };
  /// Takes a whole module that says itself what each device computes to one of
  /// whole values. Returns false if it is not followed.
  bool takeManual();
  void takeParameters(std::vector<StackedLeaves> &arguments);
  /// Takes what both draw for one array of which nothing is known. Returns
  /// whether both draw something.
  bool takeDraws();
  std::optional<Pair> pairOf(InstructionId whole, LeafId leaf, Stacked local,
                             const ShardedRelation &relation);
  /// Compares the arrays of each pair; nothing if that is not possible.
  std::optional<std::vector<LeafValue>> ask(llvm::ArrayRef<Pair> pairs,
                                            int64_t operations);

  // Cuts.
  void cutAll();
  bool cut(const Stacker::Written &local, InstructionId whole);
  std::vector<ShardedRelation> relationsOf(llvm::ArrayRef<int64_t> whole,
                                           llvm::ArrayRef<int64_t> local);
  void replace(InstructionId whole, Stacked local,
               const ShardedRelation &relation, bool isReal);

  const Program &global_, &local_;
  const PartitionedOptions &options_;
  const EntryArrays &entry_;
  Module whole_, stacked_;
  Stacker stacker_;
  StackWriter &writer_;
  int32_t parameters_ = 0;
  int asked_ = 0;
  std::optional<Stacker::Cause> uncut_;  ///< the first collective that is not
};

bool Comparison::takeManual() {
  ShardingContext context = shardingContextOf(global_, global_.modules[0]);
  context.devices = entry_.devices.partitions;
  auto readSharding = [context](
                          llvm::StringRef text,
                          const ArrayShape &whole) -> absl::StatusOr<Sharding> {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto read, shardingsOf(text, llvm::ArrayRef(whole), context));
    if (read.size() != 1)
      return absl::InvalidArgumentError("it has not one sharding");
    return std::move(read.front());
  };
  Stacker stacker(whole_, entry_.devices, "whole", readSharding);
  StackWriter &writer = stacker.writer();
  const ComputationId made = writer.begin();
  std::vector<StackedLeaves> arguments;
  const Computation &of = entryOf(global_);
  for (size_t p = 0; p < of.parameters.size(); ++p)
    arguments.push_back(writer.parameter(
        p, of.instructions[of.parameters[p]].shape.leaves(), false));
  const StackedLeaves results = stacker.computation(whole_.entry, arguments);
  for (const Stacked &result : results)
    if (!result.isKnown() || result.isOfDevice) return false;
  whole_.entry = made;
  if (!stacker.duties().empty()) {
    std::vector<Stacked> sides[2];
    for (const auto &[first, second] : stacker.duties()) {
      sides[0].push_back(first);
      sides[1].push_back(second);
    }
    if (!areSameValues(whole_, writer, sides[0], sides[1], kOperations))
      return false;
  }
  writer.end(results);
  return !writer.isBroken();
}

void Comparison::takeParameters(std::vector<StackedLeaves> &arguments) {
  const Computation &of = entryOf(global_);
  parameters_ = of.parameters.size();
  arguments.resize(of.parameters.size());
  for (size_t p = 0; p < of.parameters.size(); ++p) {
    const Instruction &parameter = of.instructions[of.parameters[p]];
    const StackedLeaves leaves =
        writer_.parameter(p, parameter.shape.leaves(), false);
    StackedLeaves &cuts = arguments[localParameter(options_, p)];
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const Stacked &value = leaves[leaf];
      const ShardedArray &array = entry_.parameters[entry_.arraysOf[p][leaf]];
      // The parts of a sum are any numbers: parameters of both.
      auto newPart = [&] {
        addParameter(whole_, {value.shape});
        return writer_.parameter(parameters_++, {value.shape}, false)[0];
      };
      auto cut = stacker_.cut(value, *array.relation, newPart);
      if (!cut)
        cut = writer_.unknown(
            ArrayShape(array.shape.type, array.relation->local()), true);
      cuts.push_back(*cut);
    }
  }
}

bool Comparison::takeDraws() {
  Computation &entry = whole_.computations[whole_.entry];
  int count = 0;
  for (const Draw &draw : commonDraws(global_, local_, entry_)) {
    Instruction &of = entry.instructions[draw.global];
    const ArrayShape shape = of.shape.leaves()[0];
    const std::string name = "draw=" + std::to_string(count++);
    of.op = unknownOp(name, shape, shapesOf(of.op).operands);
    stacker_.take(
        stacked_.entry, draw.local,
        [this, shape, name, relation = draw.relation](
            llvm::ArrayRef<Stacked> bounds) -> std::optional<Stacked> {
          for (const Stacked &bound : bounds)
            if (bound.isOfDevice) return std::nullopt;
          return stacker_.cut(writer_.named(name, shape, bounds), relation);
        });
  }
  return count > 0;
}

std::optional<Comparison::Pair> Comparison::pairOf(
    InstructionId whole, LeafId leaf, Stacked local,
    const ShardedRelation &relation) {
  Pair pair;
  auto all = stacker_.copies(local, relation, pair.devicesOf);
  if (!all) return std::nullopt;
  pair.whole = whole;
  pair.leaf = leaf;
  pair.count = pair.devicesOf.size();
  pair.copies =
      pair.count == 1 ? writer_.reshape(*all, relation.global()) : *all;
  return pair;
}

std::optional<std::vector<LeafValue>> Comparison::ask(
    llvm::ArrayRef<Pair> pairs, int64_t operations) {
  Computation &entry = whole_.computations[whole_.entry];
  auto add = [&](Op op, llvm::ArrayRef<InstructionId> operands, Shape shape) {
    Instruction made;
    made.op = std::move(op);
    made.operands.assign(operands.begin(), operands.end());
    made.shape = std::move(shape);
    entry.instructions.push_back(std::move(made));
    return InstructionId(entry.instructions.size() - 1);
  };
  ForwardOp tuple;
  std::vector<InstructionId> results;
  std::vector<Shape> shapes;
  std::vector<Stacked> roots;
  for (auto [r, pair] : llvm::enumerate(pairs)) {
    const ShapeList leaves = entry.instructions[pair.whole].shape.leaves();
    ForwardOp one;
    one.opKind = kindOf<ForwardOp>("get-tuple-element");
    one.operands = leaves;
    one.results = {leaves[pair.leaf]};
    one.reads = {int64_t{pair.leaf}};
    InstructionId at =
        add(Op(one), {pair.whole}, Shape::ofArray(leaves[pair.leaf]));
    ArrayShape shape(leaves[pair.leaf].type, leaves[pair.leaf].dimensions);
    if (pair.count > 1) {
      BroadcastOp op;
      for (int64_t k = 0; k < shape.rank(); ++k) op.dimensions.push_back(k + 1);
      op.operands = {leaves[pair.leaf]};
      shape.dimensions = behind(pair.count, shape.dimensions);
      op.results = {shape};
      at = add(Op(op), {at}, Shape::ofArray(shape));
    }
    tuple.operands.push_back(shape);
    tuple.results.push_back(shape);
    tuple.reads.push_back(r);
    results.push_back(at);
    shapes.push_back(Shape::ofArray(shape));
    roots.push_back(pair.copies);
  }
  tuple.opKind = kindOf<ForwardOp>("tuple");
  entry.root = add(Op(tuple), results, Shape::ofTuple(std::move(shapes)));
  writer_.setRoot(roots);
  if (writer_.isBroken()) return std::nullopt;
  EqualityOptions budget;
  budget.operations = operations;
  auto compared = compareValues(whole_, stacked_, valuesOfParts(), budget);
  if (!compared.ok()) return std::nullopt;
  return std::move(compared->leaves);
}

//===-- Cuts --------------------------------------------------------------===//

/// The op whose result the array is, but for what moves elements; between
/// devices, too.
llvm::StringRef computedBy(const Computation &in, InstructionId at) {
  while (at >= 0) {
    const Instruction &of = in.instructions[at];
    const bool moves = collectiveOf(of.op) ||
                       of.op.isOneOf<ReshapeOp, TransposeOp, BitcastOp, SliceOp,
                                     PadOp, DynamicSliceOp, ForwardOp>() ||
                       of.opcode == "copy";
    if (!moves || of.operands.empty()) return of.opcode;
    at = of.operands[0];
  }
  return "";
}

/// Returns relations by which devices may have parts of these sizes: each
/// dimension is cut as one of a parameter or result is.
std::vector<ShardedRelation> Comparison::relationsOf(
    llvm::ArrayRef<int64_t> whole, llvm::ArrayRef<int64_t> local) {
  const int64_t partitions = entry_.devices.partitions;
  using Tiles = std::vector<int64_t>;
  std::vector<std::vector<Tiles>> choices;
  for (auto [size, part] : llvm::zip(whole, local)) {
    std::vector<Tiles> &own = choices.emplace_back();
    if (part == size) {
      own.push_back(Tiles(partitions, 0));
      continue;
    }
    for (const auto *arrays : {&entry_.parameters, &entry_.results})
      for (const ShardedArray &array : *arrays) {
        const Sharding &sharding = array.relation->sharding();
        for (size_t k = 0; k < sharding.rank(); ++k) {
          if (sharding.tiles()[k] * part != size) continue;
          Tiles tiles;
          for (int64_t d = 0; d < partitions; ++d)
            if (const auto held = sharding.holding(d))
              tiles.push_back(held->tile[k]);
          if (tiles.size() == static_cast<size_t>(partitions) &&
              !llvm::is_contained(own, tiles))
            own.push_back(std::move(tiles));
        }
      }
  }
  size_t count = 1;
  for (const auto &own : choices) count *= own.size();
  std::vector<ShardedRelation> relations;
  for (size_t which = 0; which < std::min(count, kMostRelations); ++which) {
    // The devices of each tile, one tile after the other.
    std::vector<std::vector<int64_t>> devices(1);
    std::string text = "{devices=[";
    size_t rest = which, tiles = 1;
    std::vector<int64_t> place(partitions, 0);
    for (size_t k = 0; k < whole.size(); ++k) {
      const Tiles &own = choices[k][rest % choices[k].size()];
      rest /= choices[k].size();
      const int64_t cuts = whole[k] / local[k];
      for (int64_t d = 0; d < partitions; ++d)
        place[d] = place[d] * cuts + own[d];
      text += std::to_string(cuts) + ",";
      tiles *= cuts;
    }
    devices.resize(tiles);
    for (int64_t d = 0; d < partitions; ++d) devices[place[d]].push_back(d);
    if (partitions % tiles != 0 || llvm::any_of(devices, [&](const auto &each) {
          return each.size() != partitions / tiles;
        }))
      continue;
    text += std::to_string(partitions / tiles) + "]";
    bool isFirst = true;
    for (const auto &each : devices)
      for (int64_t d : each)
        text += (std::exchange(isFirst, false) ? "" : ",") + std::to_string(d);
    text += " last_tile_dim_replicate}";
    ShardingContext context;
    context.devices = partitions;
    auto read = shardingsOf(
        text, llvm::ArrayRef(ArrayShape(ElementType::F32, whole)), context);
    if (!read.ok() || read->size() != 1) continue;
    auto relation = ShardedRelation::make(whole, (*read)[0]);
    if (relation.ok() && relation->local() == local)
      relations.push_back(*std::move(relation));
  }
  return relations;
}

void Comparison::replace(InstructionId whole, Stacked local,
                         const ShardedRelation &relation, bool isReal) {
  Computation &entry = whole_.computations[whole_.entry];
  Instruction &of = entry.instructions[whole];
  const ArrayShape shape(of.shape.leaves()[0].type, relation.global());
  of.operands.clear();
  of.elements.clear();
  of.called.clear();
  Stacked made;
  if (isReal) {
    NullaryOp op;
    op.opKind = kindOf<NullaryOp>("parameter");
    op.parameter = entry.parameters.size();
    op.results = {shape};
    of.op = op;
    of.parameterNumber = op.parameter;
    entry.parameters.push_back(whole);
    made = writer_.parameter(parameters_++, {shape}, false)[0];
  } else {
    // A parameter stands for a real number, so the cut is none.
    const std::string name = "cut=" + std::to_string(asked_);
    of.op = unknownOp(name, shape);
    made = writer_.named(name, shape);
  }
  Stacked cut = *stacker_.cut(made, relation);
  if (local.isOfDevice) cut = writer_.onDevices(cut);
  writer_.replace(local, cut);
}

/// Whether the array of the devices is that of the whole module, cut in some
/// way. Then both become one that is not looked into.
bool Comparison::cut(const Stacker::Written &local, InstructionId whole) {
  const Instruction &of = whole_.computations[whole_.entry].instructions[whole];
  llvm::ArrayRef<int64_t> sizes = local.value.shape.dimensions;
  if (local.value.isOfDevice) sizes = sizes.drop_front();
  const Int64s part(sizes.begin(), sizes.end());
  const Int64s all(of.shape->array.dimensions);
  for (const ShardedRelation &relation : relationsOf(all, part)) {
    if (++asked_ > kMostAsked) return false;
    const auto pair = pairOf(whole, LeafId(0), local.value, relation);
    if (!pair) continue;
    const auto found = ask({*pair}, kOperationsOfCut);
    if (!found || !(*found)[0].isEqual) continue;
    replace(whole, local.value, relation, (*found)[0].isReal);
    return true;
  }
  return false;
}

/// Cuts at results of collectives: there a sum over devices is complete.
void Comparison::cutAll() {
  const Computation &global = entryOf(global_);
  const InstructionOrder order = global.postOrder();
  size_t next = 0;
  const std::vector<Stacker::Written> written = stacker_.collectives();
  for (const Stacker::Written &local : written) {
    const Instruction &at = stacked_.computations[stacked_.entry]
                                .instructions[local.value.instruction];
    if (local.value.element >= 0 || local.value.shape.rank() == 0 ||
        at.parameterNumber >= 0)
      continue;
    const llvm::StringRef by =
        computedBy(stacked_.computations[local.computation], local.instruction);
    llvm::ArrayRef<int64_t> sizes = local.value.shape.dimensions;
    if (local.value.isOfDevice) sizes = sizes.drop_front();
    const Int64s part(sizes.begin(), sizes.end());
    int tries = 0;
    bool isCut = false;
    for (size_t k = next; k < order.size() && tries < kMostTries; ++k) {
      const Instruction &of = global.instructions[order[k]];
      if (of.parameterNumber >= 0 || !of.shape->isArray() ||
          of.shape->array.type != local.value.shape.type ||
          of.shape->array.dimensions.size() != part.size() ||
          collectiveOf(of.op) || of.op.isOneOf<ConstantOp, IotaOp>() ||
          computedBy(global, order[k]) != by)
        continue;
      bool fits = true;
      for (auto [size, own] : llvm::zip(of.shape->array.dimensions, part))
        fits &= size % own == 0;
      if (!fits) continue;
      ++tries;
      isCut = cut(local, order[k]);
      if (!isCut) continue;
      next = k + 1;
      break;
    }
    if (!isCut && !uncut_)
      uncut_ = {local.computation, local.instruction,
                "its value is not known to be one of the first module's"};
  }
}

/// Returns the witness of a copy of a result as one of a device.
PartitionedWitness witnessOf(const NumberWitness &found,
                             const ShardedRelation &relation,
                             llvm::ArrayRef<std::vector<int64_t>> devicesOf) {
  PartitionedWitness witness;
  witness.numbers = found;
  llvm::ArrayRef<int64_t> index = found.index;
  size_t copy = 0;
  if (devicesOf.size() > 1) {
    copy = index.front();
    index = index.drop_front();
  }
  witness.globalIndex.assign(index.begin(), index.end());
  int64_t place = 0;
  for (auto [k, i] : llvm::enumerate(index)) {
    const int64_t size = std::max<int64_t>(relation.local()[k], 1);
    place = place * relation.sharding().tiles()[k] + i / size;
    witness.index.push_back(i % size);
  }
  witness.device = devicesOf[copy][place];
  return witness;
}

DeviceTerms Comparison::run() {
  DeviceTerms terms;
  terms.isManual = isManual(whole_);
  if (hasEmptyArray(whole_) || hasEmptyArray(stacked_)) return terms;
  if (terms.isManual && !takeManual()) return terms;
  forwardTransfers(whole_);
  if (!terms.isManual) terms.areDrawn = takeDraws();
  const InstructionId root = whole_.computations[whole_.entry].root;
  const ComputationId entry = writer_.begin();
  std::vector<StackedLeaves> arguments;
  takeParameters(arguments);
  const StackedLeaves results = stacker_.computation(stacked_.entry, arguments);
  if (results.size() != entry_.results.size()) return terms;
  stacked_.entry = entry;
  std::vector<Pair> pairs;
  for (auto [r, result] : llvm::enumerate(results)) {
    const ShardedRelation &relation = *entry_.results[r].relation;
    std::optional<Pair> pair;
    if (result.isKnown()) pair = pairOf(root, LeafId(r), result, relation);
    if (!pair) {
      pair.emplace();
      pair->whole = root;
      pair->leaf = LeafId(r);
      pair->copies = writer_.unknown(
          ArrayShape(entry_.results[r].shape.type, relation.global()), false);
    }
    pairs.push_back(*std::move(pair));
  }
  terms.causes = stacker_.causes();
  auto areEqual = [](const std::optional<std::vector<LeafValue>> &leaves) {
    return leaves && llvm::all_of(*leaves, [](const LeafValue &leaf) {
             return leaf.isEqual;
           });
  };
  // Deep models are cut, for their terms multiply.
  const bool isDeep = stacker_.collectives().size() > kMostWhole;
  std::optional<std::vector<LeafValue>> leaves =
      ask(pairs, isDeep ? kOperationsOfCut : kOperations);
  if (!leaves) return terms;
  // Later, values stand for others.
  std::vector<std::optional<PartitionedWitness>> witnesses;
  for (auto [pair, leaf] : llvm::zip(pairs, *leaves)) {
    auto &witness = witnesses.emplace_back();
    if (leaf.witness && !pair.devicesOf.empty())
      witness = witnessOf(*leaf.witness, *entry_.results[pair.leaf].relation,
                          pair.devicesOf);
  }
  if (!areEqual(leaves) && stacker_.collectives().size() > 1 &&
      !terms.isManual) {
    cutAll();
    if (asked_ > 0)
      if (auto again = ask(pairs, kOperations))
        for (auto [leaf, other] : llvm::zip(*leaves, *again))
          if (!leaf.isEqual) leaf = std::move(other);
    if (uncut_ && terms.causes.empty()) terms.causes.push_back(*uncut_);
  }
  for (auto [leaf, witness] : llvm::zip(*leaves, witnesses)) {
    TermsOfResult &result = terms.results.emplace_back();
    result.isEqual = leaf.isEqual;
    if (!leaf.isEqual) result.witness = std::move(witness);
    result.reason = leaf.reason;
    if (!leaf.isEqual && leaf.reason.empty())
      result.reason = "the terms differ: " + leaf.terms[0] + " in the whole, " +
                      leaf.terms[1] + " in the parts";
  }
  return terms;
}

}  // namespace

DeviceTerms compareAsTerms(const Program &global, const Program &local,
                           const PartitionedOptions &options,
                           const EntryArrays &entry) {
  return Comparison(global, local, options, entry).run();
}

}  // namespace indexical
