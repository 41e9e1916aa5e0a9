#include "indexical/same/partitioned/device_terms.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/program/values/term_ops.h"
#include "indexical/same/partitioned/at_points.h"
#include "indexical/same/partitioned/device_cuts.h"
#include "indexical/same/partitioned/draws.h"
#include "indexical/same/partitioned/same_values.h"
#include "indexical/same/partitioned/witnesses.h"
#include "indexical/same/values/module_values.h"

namespace indexical {
namespace {

// The steps of one question: some seconds.
constexpr int64_t kOperations = 10'000'000;
constexpr int64_t kOperationsOfWhole = 6'000'000;
// Those of a question that is short, or is not decided.
constexpr int64_t kOperationsOfDeep = 1'000'000;
// With more collectives, a question without cuts is short.
constexpr size_t kMostWhole = 3;
// Elements of the parameters of modules that are looked at element by element.
constexpr int64_t kMostExplained = 100'000;

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

Stacker::Options howToStack(const char *name, const PartitionedOptions &options,
                            bool countsEqualOnce) {
  Stacker::Options how;
  how.name = name;
  how.countsEqualOnce = countsEqualOnce;
  how.stop = options.stop;
  if (options.operations) how.operations = *options.operations;
  return how;
}

class Comparison {
 public:
  Comparison(const Program &global, const Program &local,
             const PartitionedOptions &options, const EntryArrays &entry,
             bool countsEqualOnce)
      : global_(global),
        local_(local),
        options_(options),
        entry_(entry),
        whole_(global.modules[0]),
        stacked_(local.modules[0]),
        stacker_(stacked_, entry.devices,
                 howToStack("parts", options, countsEqualOnce)),
        writer_(stacker_.writer()),
        operations_(options.operations.value_or(kOperations)) {}

  DeviceTerms run();
  /// Compares deep modules: their terms multiply, so they are cut first.
  /// Returns nothing of a module that is small enough to be looked at as a
  /// whole.
  std::optional<DeviceTerms> runCut(bool cutsSums);
  /// Returns whether all collectives are cut, and the cuts of sums may be the
  /// reason why the results are not known to be equal.
  bool mayLackSums() const { return mayLackSums_; }
  /// Returns which results are equal, and nothing else.
  std::vector<bool> equalResults();
  /// Returns the most equal summands that counted once.
  int64_t mostEqual() const { return stacker_.mostEqual(); }

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
  /// whole values. Returns false if it is not followed, and why.
  bool takeManual(DeviceTerms &terms);
  void takeParameters(std::vector<StackedLeaves> &arguments);
  /// Takes what both draw for one array of which nothing is known. Returns
  /// whether both draw something.
  bool takeDraws();
  /// Returns a pair for each result; nothing if that is not possible.
  std::optional<std::vector<Pair>> pairsOf(DeviceTerms &terms);
  using Modules = std::pair<Module, Module>;
  /// Says where both modules part, and makes witnesses the first ones.
  void explain(const Modules &modules, llvm::ArrayRef<Pair> pairs,
               llvm::ArrayRef<LeafValue> leaves, DeviceTerms &terms);
  std::optional<Pair> pairOf(InstructionId whole, LeafId leaf, Stacked local,
                             const ShardedRelation &relation);
  /// Compares the arrays of each pair; nothing if that is not possible.
  std::optional<std::vector<LeafValue>> ask(llvm::ArrayRef<Pair> pairs,
                                            int64_t operations,
                                            bool onlyEqual = false);

  /// Cuts both modules at values that they share.
  DeviceCuts cutAll(bool cutsSums);

  const Program &global_, &local_;
  const PartitionedOptions &options_;
  const EntryArrays &entry_;
  Module whole_, stacked_;
  Stacker stacker_;
  StackWriter &writer_;
  const int64_t operations_;
  int32_t parameters_ = 0;
  bool wholeHasPadding_ = false, mayLackSums_ = false;
  /// What devices have of a parameter, the parameter, and its array.
  struct Part {
    Stacked local;
    InstructionId whole;
    size_t array;
  };
  std::vector<Part> parts_;
};

bool Comparison::takeManual(DeviceTerms &terms) {
  terms.reason = "a manual part of the whole module is not followed";
  ShardingContext context = shardingContextOf(global_.modules[0]);
  context.devices = devicesNamed(entry_);
  auto readSharding = [context](
                          llvm::StringRef text,
                          const ArrayShape &whole) -> absl::StatusOr<Sharding> {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto read, shardingsOf(text, llvm::ArrayRef(whole), context));
    if (read.size() != 1)
      return absl::InvalidArgumentError("it has not one sharding");
    return std::move(read.front());
  };
  Stacker::Options how = howToStack("whole", options_, false);
  how.readSharding = readSharding;
  Stacker stacker(whole_, entry_.devices, std::move(how));
  StackWriter &writer = stacker.writer();
  const ComputationId made = writer.begin();
  std::vector<StackedLeaves> arguments;
  const Computation &of = entryOf(global_);
  for (size_t p = 0; p < of.parameters.size(); ++p)
    arguments.push_back(writer.parameter(
        p, of.instructions[of.parameters[p]].shape.leaves(), false));
  const StackedLeaves results = stacker.computation(whole_.entry, arguments);
  if (!stacker.causes().empty()) {
    terms.ofWhole = stacker.causes().front();
    terms.reason = terms.ofWhole->reason;
  }
  for (const Stacked &result : results)
    if (!result.isKnown() || result.isOfDevice) return false;
  whole_.entry = made;
  wholeHasPadding_ = stacker.hasPadding();
  if (!stacker.duties().empty()) {
    std::vector<Stacked> sides[2];
    for (const auto &[first, second] : stacker.duties()) {
      sides[0].push_back(first);
      sides[1].push_back(second);
    }
    EqualityOptions budget;
    budget.operations = operations_;
    budget.stop = options_.stop;
    if (!areSameValues(whole_, writer, sides[0], sides[1], budget)) {
      terms.reason = "a copy of a manual part's result may be another one";
      return false;
    }
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
      if (leaves.size() == 1)
        parts_.push_back({*cut, of.parameters[p], entry_.arraysOf[p][leaf]});
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
    of.op = opOfName(name, shapesOf(of.op).operands, {shape});
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
    llvm::ArrayRef<Pair> pairs, int64_t operations, bool onlyEqual) {
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
  budget.stop = options_.stop;
  ValueOptions values = valuesOfParts();
  values.onlyEqual = onlyEqual;
  auto compared = compareValues(whole_, stacked_, values, budget);
  if (!compared.ok()) return std::nullopt;
  return std::move(compared->leaves);
}

DeviceCuts Comparison::cutAll(bool cutsSums) {
  DeviceCuts::Options how;
  how.operations = operations_;
  how.stop = options_.stop;
  how.cutsSums = cutsSums;
  how.ask = [this](InstructionId whole, Stacked local,
                   const ShardedRelation &relation,
                   int64_t operations) -> std::optional<bool> {
    const auto pair = pairOf(whole, LeafId(0), local, relation);
    const auto found = pair ? ask({*pair}, operations, /*onlyEqual=*/true)
                            : std::optional<std::vector<LeafValue>>();
    if (!found || !(*found)[0].isEqual) return std::nullopt;
    return (*found)[0].isReal;
  };
  DeviceCuts cuts(global_, local_, entry_, whole_, stacked_, stacker_,
                  parameters_, std::move(how));
  for (const auto &[local, whole, array] : parts_)
    cuts.pair(local, whole, *entry_.parameters[array].relation);
  cuts.cutAll();
  return cuts;
}

std::optional<std::vector<Comparison::Pair>> Comparison::pairsOf(
    DeviceTerms &terms) {
  terms.isManual = hasManualParts(whole_);
  if (hasEmptyArray(whole_) || hasEmptyArray(stacked_)) {
    terms.reason = "an array has no elements";
    return std::nullopt;
  }
  if (terms.isManual && !takeManual(terms)) return std::nullopt;
  forwardTransfers(whole_);
  if (!terms.isManual) terms.areDrawn = takeDraws();
  const InstructionId root = whole_.computations[whole_.entry].root;
  const ComputationId entry = writer_.begin();
  std::vector<StackedLeaves> arguments;
  takeParameters(arguments);
  const StackedLeaves results = stacker_.computation(stacked_.entry, arguments);
  if (results.size() != entry_.results.size()) return std::nullopt;
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
  return pairs;
}

std::vector<bool> Comparison::equalResults() {
  DeviceTerms terms;
  std::vector<bool> areEqual(entry_.results.size(), false);
  const auto pairs = pairsOf(terms);
  const auto leaves = pairs ? ask(*pairs, operations_)
                            : std::optional<std::vector<LeafValue>>();
  if (leaves)
    for (auto [r, leaf] : llvm::enumerate(*leaves)) areEqual[r] = leaf.isEqual;
  return areEqual;
}

void Comparison::explain(const Modules &modules, llvm::ArrayRef<Pair> pairs,
                         llvm::ArrayRef<LeafValue> leaves, DeviceTerms &terms) {
  // Small modules alone are looked at, element by element.
  std::optional<AtPoints> points;
  if (entry_.elements <= kMostExplained &&
      stacker_.collectives().size() <= kMostCollectives)
    points.emplace(modules.first, modules.second);
  for (auto [pair, leaf, result] : llvm::zip(pairs, leaves, terms.results)) {
    if (leaf.isEqual || pair.devicesOf.empty()) continue;
    const CopiesOfResult copies = {
        pair.leaf, *entry_.results[pair.leaf].relation, pair.devicesOf};
    if (points)
      result.witness = firstWitness(*points, copies, entry_, leaf.witness);
    else if (leaf.witness)
      result.witness = witnessOf(*leaf.witness, copies);
    if (!result.witness && points && wholeHasPadding_ &&
        points->isOpen(pair.leaf))
      result.reason = "the whole module reads padding";
  }
  if (points)
    terms.parting = partingOf(*points, local_.modules[0], stacker_.values());
}

std::optional<DeviceTerms> Comparison::runCut(bool cutsSums) {
  DeviceTerms terms;
  const auto pairs = pairsOf(terms);
  if (!pairs || terms.isManual ||
      stacker_.collectives().size() <= kMostCollectives)
    return std::nullopt;
  const DeviceCuts cuts = cutAll(cutsSums);
  if (cuts.asked() == 0) return std::nullopt;
  // What is behind a failed cut is short, or is not found.
  const auto leaves =
      ask(*pairs,
          cuts.uncut() ? std::min(kOperationsOfDeep, operations_) : operations_,
          /*onlyEqual=*/true);
  if (!leaves) return std::nullopt;
  const bool areEqual =
      llvm::all_of(*leaves, [](const LeafValue &leaf) { return leaf.isEqual; });
  mayLackSums_ = !areEqual && !cuts.uncut() && cuts.sums() > 0;
  if (cuts.uncut() && terms.causes.empty())
    terms.causes.push_back(*cuts.uncut());
  for (const LeafValue &leaf : *leaves) {
    TermsOfResult &result = terms.results.emplace_back();
    result.isEqual = leaf.isEqual;
    if (leaf.isEqual) continue;
    result.reason = leaf.reason;
    if (leaf.reason.empty())
      result.reason = "the terms of what is behind the cuts differ";
  }
  return terms;
}

DeviceTerms Comparison::run() {
  DeviceTerms terms;
  const auto pairs = pairsOf(terms);
  if (!pairs) return terms;
  // Deep models are cut, for their terms multiply.
  const bool isDeep = stacker_.collectives().size() > kMostWhole;
  std::optional<std::vector<LeafValue>> leaves = ask(
      *pairs, isDeep ? std::min(kOperationsOfWhole, operations_) : operations_);
  if (!leaves) return terms;
  auto isOpen = [](const LeafValue &leaf) {
    return !leaf.isEqual && !leaf.witness;
  };
  // Values of the modules that are cut stand for others.
  std::optional<Modules> before;
  if (llvm::any_of(*leaves, isOpen) && stacker_.collectives().size() > 1 &&
      !terms.isManual) {
    before.emplace(whole_, stacked_);
    const DeviceCuts cuts = cutAll(/*cutsSums=*/false);
    auto again = cuts.asked() > 0 ? ask(*pairs, operations_)
                                  : std::optional<std::vector<LeafValue>>();
    if (again)
      for (auto [leaf, other] : llvm::zip(*leaves, *again)) {
        if (!isOpen(leaf)) continue;
        leaf = std::move(other);
        leaf.witness.reset();
      }
    if (cuts.uncut() && terms.causes.empty())
      terms.causes.push_back(*cuts.uncut());
  }
  terms.results.resize(pairs->size());
  if (!llvm::all_of(*leaves,
                    [](const LeafValue &leaf) { return leaf.isEqual; }))
    explain(before ? *before : Modules(whole_, stacked_), *pairs, *leaves,
            terms);
  for (auto [leaf, result] : llvm::zip(*leaves, terms.results)) {
    result.isEqual = leaf.isEqual;
    if (!result.reason.empty()) continue;
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
  Comparison cut(global, local, options, entry, /*countsEqualOnce=*/false);
  auto compared = cut.runCut(/*cutsSums=*/true);
  if (cut.mayLackSums()) {
    auto again =
        Comparison(global, local, options, entry, /*countsEqualOnce=*/false)
            .runCut(/*cutsSums=*/false);
    // A result is equal if one of both says so.
    if (again)
      for (auto [result, other] : llvm::zip(compared->results, again->results))
        if (!result.isEqual) result = std::move(other);
  }
  DeviceTerms terms = compared ? *std::move(compared)
                               : Comparison(global, local, options, entry,
                                            /*countsEqualOnce=*/false)
                                     .run();
  // Do both read the same, and is a sum taken twice?
  auto mayCountTwice = [](const TermsOfResult &result) {
    return result.witness && !result.witness->array &&
           !result.witness->isPadding;
  };
  if (llvm::none_of(terms.results, mayCountTwice)) return terms;
  Comparison once(global, local, options, entry, /*countsEqualOnce=*/true);
  const std::vector<bool> areEqual = once.equalResults();
  for (auto [result, isEqual] : llvm::zip(terms.results, areEqual))
    if (isEqual && once.mostEqual() > 1 && mayCountTwice(result))
      result.witness->counted = once.mostEqual();
  return terms;
}

}  // namespace indexical
