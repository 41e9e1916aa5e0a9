#include "indexical/same/partitioned/local_modules.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/same/partitioned/at_points.h"
#include "indexical/same/partitioned/entry_arrays.h"
#include "indexical/same/partitioned/local_arrays.h"
#include "indexical/same/partitioned/local_cuts.h"
#include "indexical/same/partitioned/obstacles.h"
#include "indexical/same/partitioned/same_values.h"
#include "indexical/same/partitioned/stacker.h"
#include "indexical/same/partitioned/values_on_the_way.h"
#include "indexical/same/partitioned/witnesses.h"
#include "indexical/same/values/module_values.h"
#include "indexical/same/values/same_layers.h"
#include "indexical/same/values/sameness.h"

namespace indexical {
namespace {

// The steps of one question: some seconds.
constexpr int64_t kOperationsOfLocal = 10'000'000;
// Those of a deep module that is not equal behind its cuts.
constexpr int64_t kOperationsOfUncut = 1'000'000;
// Elements of all parameters of all devices, and collectives, of modules that
// are looked at element by element.
constexpr int64_t kMostLocalElements = 100'000;
constexpr size_t kMostLocalCollectives = 8;
constexpr int64_t kMostLocalDevices = 4096;

bool anyAsksForDevices(const Module &module) {
  return llvm::any_of(module.computations, [](const Computation &each) {
    return llvm::any_of(each.instructions, asksForDevices);
  });
}

class LocalComparison {
 public:
  LocalComparison(const Program &first, const Program &second,
                  const PartitionedOptions &options, LocalArrays arrays)
      : programs_{&first, &second},
        options_(options),
        arrays_(std::move(arrays)),
        modules_{first.modules[0], second.modules[0]} {
    values_ = valuesOfParts();
    if (options.floats) values_.floats = *options.floats;
    for (int side : {0, 1}) {
      Stacker::Options asked;
      asked.name = side == 0 ? "first" : "second";
      asked.values = values_;
      asked.stop = options.stop;
      if (options.operations) asked.operations = *options.operations;
      stackers_[side].emplace(modules_[side], arrays_.devices,
                              std::move(asked));
    }
  }

  PartitionedEquality run();

 private:
  /// Writes the entry of a module with the devices as a dimension.
  StackedLeaves write(int side);
  /// Makes what both modules give for one result arrays of the same shape, and
  /// notes whether its first dimension is the device.
  void finish(StackedLeaves (&results)[2]);
  std::optional<std::vector<LeafValue>> ask(
      FloatLaws floats, std::optional<int64_t> most = std::nullopt) const;
  /// Compares modules of few collectives: as they are, and from one array to
  /// the next if their terms are too large for that.
  std::optional<std::vector<LeafValue>> askWhole();
  bool isDeep() const {
    return std::max(stackers_[0]->collectives().size(),
                    stackers_[1]->collectives().size()) > kMostLocalCollectives;
  }
  /// Compares deep modules, which are cut at values that they share. Returns
  /// nothing if a result is not equal then, or nothing was asked; the modules
  /// are whole again. `lacksSums` says whether sums that are cut may be why.
  std::optional<std::vector<LeafValue>> askCut(
      const StackedLeaves (&results)[2], bool cutsSums, bool &lacksSums);
  /// Returns the steps of a question about all results.
  int64_t operations() const {
    const int64_t most = options_.operations.value_or(kOperationsOfLocal);
    return isDeep() || uncut_ ? std::min(kOperationsOfUncut, most) : most;
  }
  /// Compares the modules as one device runs them, each collective as an op of
  /// which nothing is known. With effects, all results or none are equal.
  void compareAsOps(std::vector<LeafValue> &leaves, bool hasEffects) const;
  void explain(llvm::ArrayRef<LeafValue> leaves, PartitionedEquality &equality);
  /// Names the devices that have the arrays of a witness.
  void nameDevices(Witness &witness) const;
  std::optional<PartitionedObstacle> obstacleOf(bool isDifferent) const;

  const Program *const programs_[2];
  const PartitionedOptions &options_;
  const LocalArrays arrays_;
  Module modules_[2];
  ValueOptions values_;
  std::optional<Stacker> stackers_[2];
  std::vector<bool> isOfDevices_;
  /// The parameters that the second module has, by those of the first.
  std::vector<std::pair<InstructionId, Stacked>> parameters_;
  std::optional<Stacker::Cause> uncut_;
  std::optional<Parting> parting_;
};

StackedLeaves LocalComparison::write(int side) {
  Module &module = modules_[side];
  Stacker &stacker = *stackers_[side];
  StackWriter &writer = stacker.writer();
  const Computation &first = entryOf(*programs_[0]);
  const ComputationId made = writer.begin();
  std::vector<StackedLeaves> arguments(arrays_.parameters.size());
  for (auto [p, leaves] : llvm::enumerate(arrays_.parameters)) {
    ShapeList shapes;
    for (const LocalArray &each : leaves)
      shapes.push_back(
          each.rows == 1
              ? each.shape
              : ArrayShape(each.shape.type,
                           behind(each.rows, each.shape.dimensions)));
    StackedLeaves taken = writer.parameter(p, shapes, true);
    Computation &entry = module.computations[made];
    entry.instructions[entry.parameters.back()].name =
        first.instructions[first.parameters[p]].name;
    for (auto [value, each] : llvm::zip(taken, leaves)) {
      value.isOfDevice = each.rows > 1;
      if (each.rows > 1) value = writer.rows(value, each.rowOf);
    }
    if (side == 1 && taken.size() == 1)
      parameters_.push_back({first.parameters[p], taken[0]});
    const int32_t number = side == 0 ? p : localParameter(options_, p);
    arguments[number] = std::move(taken);
  }
  StackedLeaves results = stacker.computation(module.entry, arguments);
  results.resize(arrays_.results.size(), Stacked());
  for (auto [value, shape] : llvm::zip(results, arrays_.results))
    if (!value.isKnown())
      value = writer.unknown(ArrayShape(shape.type, shape.dimensions), true);
  module.entry = made;
  return results;
}

void LocalComparison::finish(StackedLeaves (&results)[2]) {
  for (size_t r = 0; r < arrays_.results.size(); ++r) {
    const bool isOfDevices =
        arrays_.devices.all() > 1 &&
        (results[0][r].isOfDevice || results[1][r].isOfDevice);
    isOfDevices_.push_back(isOfDevices);
    for (int side : {0, 1}) {
      StackWriter &writer = stackers_[side]->writer();
      Stacked &value = results[side][r];
      if (isOfDevices)
        value = writer.onDevices(value);
      else
        value = writer.reshape(value, arrays_.results[r].dimensions);
    }
  }
  for (int side : {0, 1}) stackers_[side]->writer().setRoot(results[side]);
}

std::optional<std::vector<LeafValue>> LocalComparison::askCut(
    const StackedLeaves (&results)[2], bool cutsSums, bool &lacksSums) {
  Module whole[] = {modules_[0], modules_[1]};
  ValueOptions values = values_;
  values.onlyEqual = true;
  /// Returns the leaves if all are equal.
  const auto equal =
      [&](llvm::ArrayRef<Stacked> first, llvm::ArrayRef<Stacked> second,
          int64_t operations) -> std::optional<std::vector<LeafValue>> {
    stackers_[0]->writer().setRoot(first);
    stackers_[1]->writer().setRoot(second);
    for (int side : {0, 1})
      if (stackers_[side]->writer().isBroken()) return std::nullopt;
    EqualityOptions budget;
    budget.operations = operations;
    budget.stop = options_.stop;
    auto all = compareValues(modules_[0], modules_[1], values, budget);
    if (!all.ok() || !all->isEqual) return std::nullopt;
    return std::move(all->leaves);
  };
  LocalCuts::Options how;
  how.operations = options_.operations.value_or(kOperationsOfLocal);
  how.stop = options_.stop;
  how.cutsSums = cutsSums;
  how.ask = [&](Stacked first, Stacked second,
                int64_t operations) -> std::optional<bool> {
    const auto one = equal({first}, {second}, operations);
    if (!one) return std::nullopt;
    return (*one)[0].isReal;
  };
  const int64_t most = how.operations;
  LocalCuts cuts(*programs_[0], *programs_[1], *stackers_[0], *stackers_[1],
                 arrays_.parameters.size(), std::move(how));
  for (const auto &[first, second] : parameters_) cuts.pair(first, second);
  cuts.cutAll();
  uncut_ = cuts.uncut();
  // What is behind a failed cut is short, or is not found.
  std::optional<std::vector<LeafValue>> all;
  if (cuts.asked() > 0)
    all = equal(results[0], results[1],
                uncut_ ? std::min(kOperationsOfUncut, most) : most);
  if (all) return all;
  lacksSums = !uncut_ && cuts.sums() > 0;
  for (int side : {0, 1}) modules_[side] = std::move(whole[side]);
  return std::nullopt;
}

std::optional<std::vector<LeafValue>> LocalComparison::askWhole() {
  const auto isDecided = [](const LeafValue &leaf) {
    return leaf.isEqual || leaf.witness;
  };
  auto quick = ask(values_.floats, kOperationsOfUncut);
  if (quick && llvm::all_of(*quick, isDecided)) return quick;
  ValueOptions values = values_;
  values.onlyEqual = true;
  EqualityOptions budget;
  budget.operations = operations();
  budget.stop = options_.stop;
  auto layers = compareByLayers(modules_[0], modules_[1], values, budget);
  if (layers && layers->equality.isEqual)
    return std::move(layers->equality.leaves);
  // The array of devices is written by the instruction that it is of, or for
  // the next one.
  if (layers && layers->partings[1])
    for (const Stacker::Written &written : stackers_[1]->values())
      if (written.value.instruction >= *layers->partings[1]) {
        uncut_ = {written.computation, written.instruction,
                  "its value is not known to be one of the first module's"};
        break;
      }
  // A result behind it is decided in few steps, or not at all.
  return uncut_ ? quick : ask(values_.floats);
}

std::optional<std::vector<LeafValue>> LocalComparison::ask(
    FloatLaws floats, std::optional<int64_t> most) const {
  ValueOptions values = values_;
  values.floats = floats;
  EqualityOptions budget;
  budget.operations = std::min(operations(), most.value_or(operations()));
  budget.stop = options_.stop;
  auto compared = compareValues(modules_[0], modules_[1], values, budget);
  if (!compared.ok()) return std::nullopt;
  return std::move(compared->leaves);
}

void LocalComparison::compareAsOps(std::vector<LeafValue> &leaves,
                                   bool hasEffects) const {
  ValueOptions values;
  values.floats = values_.floats;
  EqualityOptions budget;
  budget.operations = operations();
  budget.stop = options_.stop;
  budget.parameters = options_.parameters;
  const auto compared = compareValues(programs_[0]->modules[0],
                                      programs_[1]->modules[0], values, budget);
  if (!compared.ok() || compared->effect || (hasEffects && !compared->isEqual))
    return;
  for (auto [leaf, own] : llvm::zip(leaves, compared->leaves)) {
    if (leaf.isEqual || leaf.witness || !own.isEqual) continue;
    leaf.isEqual = true;
  }
}

void LocalComparison::nameDevices(Witness &witness) const {
  witness.isLocal = true;
  auto deviceOf = [&](int64_t parameter, int64_t leaf,
                      std::vector<int64_t> &element) -> std::optional<int64_t> {
    const LocalArray &array = arrays_.parameters[parameter][leaf];
    if (array.rows == 1 || element.empty()) return std::nullopt;
    const int64_t row = element.front();
    element.erase(element.begin());
    return llvm::find(array.rowOf, row) - array.rowOf.begin();
  };
  for (Witness::Input &input : witness.inputs)
    input.device = deviceOf(input.parameter, input.leaf, input.element);
  if (!witness.array) return;
  int64_t number = *witness.array;
  for (auto [p, leaves] : llvm::enumerate(arrays_.parameters)) {
    if (number < static_cast<int64_t>(leaves.size())) {
      witness.elementDevice = deviceOf(p, number, witness.element);
      return;
    }
    number -= leaves.size();
  }
}

std::optional<PartitionedObstacle> LocalComparison::obstacleOf(
    bool isDifferent) const {
  const Stacker::Cause *cause = nullptr;
  int module = 1;
  for (int side : {1, 0})
    if (!cause && !stackers_[side]->causes().empty()) {
      cause = &stackers_[side]->causes().front();
      module = side;
    }
  if (parting_ && (isDifferent || !cause))
    return obstacleIn(
        *programs_[1], /*module=*/1,
        {parting_->computation, parting_->instruction,
         "the first module computes its operands, but not its value"},
        parting_->device);
  if (!cause && uncut_) cause = &*uncut_;
  if (!cause) return std::nullopt;
  return obstacleIn(*programs_[module], module, *cause, /*device=*/0);
}

void LocalComparison::explain(llvm::ArrayRef<LeafValue> leaves,
                              PartitionedEquality &equality) {
  // The arrays of the parameters, as a witness counts them.
  EntryArrays entry;
  int64_t elements = 0;
  size_t arrays = 0;
  for (const auto &parameter : arrays_.parameters) {
    entry.arraysOf.emplace_back();
    for (const LocalArray &each : parameter) {
      entry.arraysOf.back().push_back(arrays++);
      elements += each.rows * elementCountOf(each.shape.dimensions);
    }
  }
  std::optional<AtPoints> points;
  if (elements <= kMostLocalElements &&
      std::max(stackers_[0]->collectives().size(),
               stackers_[1]->collectives().size()) <= kMostLocalCollectives)
    points.emplace(modules_[0], modules_[1]);
  for (auto [leaf, result, isOfDevices] :
       llvm::zip(leaves, equality.results, isOfDevices_)) {
    if (leaf.isEqual) continue;
    const auto shape = arrays_.results[leaf.result];
    const auto relation = ShardedRelation::make(
        shape.dimensions,
        Sharding::replicated(shape.rank(), arrays_.devices.all()));
    if (!relation.ok()) continue;
    std::vector<std::vector<int64_t>> devicesOf;
    for (int64_t d = 0; d < (isOfDevices ? arrays_.devices.all() : 1); ++d)
      devicesOf.push_back({d});
    const CopiesOfResult copies = {leaf.result, *relation, devicesOf};
    std::optional<Witness> witness;
    if (points)
      witness = firstWitness(*points, copies, entry, leaf.witness);
    else if (leaf.witness)
      witness = witnessOf(*leaf.witness, copies);
    if (!witness) continue;
    nameDevices(*witness);
    result.verdict.answer = Verdict::Different;
    result.verdict.witness = std::move(witness);
  }
  if (points)
    parting_ =
        partingOf(*points, programs_[1]->modules[0], stackers_[1]->values());
}

PartitionedEquality LocalComparison::run() {
  PartitionedEquality equality;
  equality.isLocal = true;
  equality.devices = arrays_.devices.all();
  equality.replicas = arrays_.devices.replicas;
  equality.countedFrom = arrays_.countedFrom;
  equality.shardings = arrays_.shardings;
  for (size_t r = 0; r < arrays_.results.size(); ++r)
    equality.results.emplace_back().result = LeafId(r);
  auto open = [&](std::string reason) {
    for (PartitionedResult &result : equality.results)
      result.verdict.reason = reason;
  };
  std::optional<std::vector<LeafValue>> leaves;
  if (equality.devices > kMostLocalDevices) {
    open("there are more than 4096 devices");
  } else {
    StackedLeaves results[2] = {write(0), write(1)};
    finish(results);
    if (!stackers_[0]->writer().isBroken() &&
        !stackers_[1]->writer().isBroken()) {
      bool lacksSums = false;
      if (isDeep()) leaves = askCut(results, /*cutsSums=*/true, lacksSums);
      if (lacksSums) leaves = askCut(results, /*cutsSums=*/false, lacksSums);
      if (!leaves) leaves = isDeep() ? ask(values_.floats) : askWhole();
    }
    if (!leaves) open("the modules are not followed as terms");
  }
  auto isOpen = [](const LeafValue &leaf) {
    return !leaf.isEqual && !leaf.witness;
  };
  std::vector<LeafValue> asOps(arrays_.results.size());
  std::vector<LeafValue> &all = leaves ? *leaves : asOps;
  auto effect = effectOf(*programs_[0], /*module=*/0);
  if (!effect) effect = effectOf(*programs_[1], /*module=*/1);
  for (LeafValue &leaf : all) {
    if (!effect || !leaf.isEqual) continue;
    leaf.isEqual = false;
    leaf.reason = "an op has effects, which are not compared";
  }
  if (llvm::any_of(all, isOpen)) compareAsOps(all, effect.has_value());
  for (auto [leaf, result] : llvm::zip(all, equality.results)) {
    Verdict &verdict = result.verdict;
    if (leaf.isEqual)
      verdict.settle(Level::Values, Verdict::Same);
    else if (leaf.reason.empty() && leaves)
      verdict.reason =
          "the terms differ: " + leaf.terms[0] + " and " + leaf.terms[1];
    else if (leaves)
      verdict.reason = leaf.reason;
  }
  if (!leaves) return equality;
  const auto isEqual = [](const LeafValue &leaf) { return leaf.isEqual; };
  if (!llvm::all_of(all, isEqual)) explain(all, equality);
  const bool isUndecided =
      llvm::any_of(equality.results, [](const PartitionedResult &result) {
        return result.verdict.answer == Verdict::Undecided;
      });
  std::string laws;
  if (isUndecided && options_.floats && !isDeep())
    laws = lawsThatDecide(values_.floats, [&](FloatLaws more) {
      const auto again = ask(more);
      if (!again) return false;
      for (auto [leaf, result] : llvm::zip(*again, equality.results))
        if (!leaf.isEqual && !result.verdict.isSame()) return false;
      return true;
    });
  for (PartitionedResult &result : equality.results) {
    Verdict &verdict = result.verdict;
    if (verdict.isSame()) continue;
    const bool isDifferent = verdict.answer == Verdict::Different;
    if (isDifferent) verdict.reason.clear();
    if (!isDifferent && !laws.empty()) verdict.decidedBy = {laws};
    result.because = effect && !isDifferent ? effect : obstacleOf(isDifferent);
  }
  return equality;
}

}  // namespace

bool areLocal(const Program &first, const Program &second,
              const PartitionedOptions &options) {
  for (const Program *program : {&first, &second}) {
    if (program->modules.size() != 1 || program->modules[0].entry < 0 ||
        entryOf(*program).root < 0)
      return false;
    if (hasManualParts(program->modules[0])) return false;
  }
  return (anyAsksForDevices(first.modules[0]) ||
          anyAsksForDevices(second.modules[0])) &&
         haveSameArrays(first, second, options) &&
         sayDevices(first, second, options);
}

bool meanLocal(const Program &first, const Program &second,
               const PartitionedOptions &options) {
  if (!options.parameterShardings.empty() || !options.resultShardings.empty() ||
      !areLocal(first, second, options))
    return false;
  if (isPartitioned(first.modules[0]) || anyAsksForDevices(first.modules[0]))
    return true;
  for (const Program *program : {&first, &second}) {
    const Computation &entry = entryOf(*program);
    if (!entry.instructions[entry.root].sharding.empty()) return false;
    for (InstructionId parameter : entry.parameters)
      if (!entry.instructions[parameter].sharding.empty()) return false;
  }
  return true;
}

absl::StatusOr<PartitionedEquality> compareLocal(
    const Program &first, const Program &second,
    const PartitionedOptions &options) {
  INDEXICAL_ASSIGN_OR_RETURN(LocalArrays arrays,
                             localArraysOf(first, second, options));
  PartitionedEquality equality =
      LocalComparison(first, second, options, std::move(arrays)).run();
  sumUp(first, second, equality);
  return equality;
}

}  // namespace indexical
