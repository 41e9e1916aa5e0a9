#include "tests/same/partitioned/runs/compare_runs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/same/equality/obstacle.h"
#include "indexical/same/partitioned/entry_arrays.h"
#include "tests/same/partitioned/runs/both_runs.h"
#include "tests/same/partitioned/runs/cell_values.h"

namespace indexical {
namespace {

/// Runs on other random numbers, if the first one shows no difference.
constexpr int64_t kMostRuns = 8;
/// Cells and elements of sets that one run may go through.
constexpr int64_t kOperations = 1'000'000'000;
class Comparison {
 public:
  Comparison(const Program &global, const Program &local,
             const PartitionedOptions &options)
      : programs_{&global, &local}, options_(options) {}

  absl::StatusOr<PartitionedEquality> run();

 private:
  using Assumed = BothRuns::Assumed;
  using Ran = BothRuns::Ran;

  void undecide(int side, const RunObstacle &obstacle);
  PartitionedObstacle obstacleAt(int side, ComputationId computation,
                                 InstructionId instruction, int64_t device,
                                 std::string reason) const;
  /// Returns nothing, and sets `obstacle` and `side`, if a run met an obstacle.
  std::optional<std::vector<PartitionedResult>> compareOnce(
      const Assumed &assumed, RunObstacle &obstacle, int &side);
  /// `once` is of a run in which equal summands count once. Sets `mayShow` if
  /// the values of a further run may show a difference.
  void compareResult(PartitionedResult &result, const DeviceArrays &global,
                     const DeviceArrays &local, const DeviceArrays *once,
                     int64_t mostEqual, const Assumed &assumed, bool &mayShow);
  void differ(PartitionedResult &result, const DeviceCell &global,
              const DeviceCell &local);
  void compareSteered(const RunObstacle &first, int side);
  const Program *programs_[2];
  const PartitionedOptions &options_;
  EntryArrays entry_;
  PartitionedEquality equality_;
  ElementSets sets_;
  CellElementId padding_ = 0;
  std::optional<BothRuns> runs_;
};

void Comparison::differ(PartitionedResult &result, const DeviceCell &global,
                        const DeviceCell &local) {
  Witness &witness = *result.verdict.witness;
  std::vector<CellElementId> only;
  const auto a = sets_.elements(global.reads), b = sets_.elements(local.reads);
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(only));
  for (CellElementId element : only) {
    witness.onlyIn = std::binary_search(a.begin(), a.end(), element)
                         ? Witness::Side::First
                         : Witness::Side::Second;
    witness.isPadding = element == padding_;
    if (element >= entry_.elements) continue;
    size_t array = entry_.parameters.size();
    while (entry_.parameters[array - 1].firstElement > element) --array;
    // Arrays without elements share their first number with the next one.
    const ShardedArray &of = entry_.parameters[array - 1];
    witness.array = static_cast<int64_t>(array - 1);
    const Int64s index =
        indexAtPlace(element - of.firstElement, of.shape.dimensions);
    witness.element.assign(index.begin(), index.end());
    witness.isPadding = false;
    return;
  }
}

void Comparison::compareResult(PartitionedResult &result,
                               const DeviceArrays &global,
                               const DeviceArrays &local,
                               const DeviceArrays *once, int64_t mostEqual,
                               const Assumed &assumed, bool &mayShow) {
  const ShardedArray &of = entry_.results[result.result];
  const ShardedRelation &relation = *of.relation;
  result.verdict.answer = Verdict::Same;
  for (int64_t device = 0; device < entry_.devices.all(); ++device) {
    const int64_t count = elementCountOf(relation.local());
    for (int64_t e = 0; e < count; ++e) {
      const Int64s index = indexAtPlace(e, relation.local());
      auto at = relation.globalOf(device % entry_.devices.partitions, index);
      if (!at) continue;
      const int64_t place = placeOfIndex(*at, relation.global());
      const DeviceCell &a = global[0]->cells[place];
      const DeviceCell &b = local[device]->cells[e];
      const auto read = sets_.elements(a.reads);
      if (std::binary_search(read.begin(), read.end(), padding_)) {
        result.verdict.answer = Verdict::Undecided;
        result.verdict.reason = "the whole module reads padding";
        continue;
      }
      const bool isDifferent = valuesDiffer(a, b, of.shape.type);
      if (!isDifferent && a.reads == b.reads && a.number == b.number) continue;
      if (!isDifferent) {
        // Another element, or another run, may show a difference.
        const bool isFirst = result.verdict.answer == Verdict::Same;
        result.verdict.answer = Verdict::Undecided;
        mayShow |= a.hasValue && b.hasValue;
        if (isFirst)
          result.verdict.reason =
              a.reads == b.reads
                  ? "the reads are equal, and whether the values are is not "
                    "known: they are computed in different ways"
                  : "the reads are different, and no run on numbers shows that "
                    "the values are";
        continue;
      }
      Witness witness;
      witness.kind = Witness::Kind::DeviceNumbers;
      witness.second.device = device;
      witness.second.index.assign(index.begin(), index.end());
      witness.first.index.assign(at->begin(), at->end());
      for (const auto &[element, value] : assumed)
        witness.runtime.push_back({"", value});
      if (a.reads == b.reads && once &&
          (*once)[device]->cells[e].number == a.number)
        witness.counted = mostEqual;
      result.verdict.answer = Verdict::Different;
      result.verdict.reason.clear();
      result.verdict.witness = std::move(witness);
      if (a.reads != b.reads) differ(result, a, b);
      return;
    }
  }
}

std::optional<std::vector<PartitionedResult>> Comparison::compareOnce(
    const Assumed &assumed, RunObstacle &obstacle, int &side) {
  std::vector<PartitionedResult> results(entry_.results.size());
  auto isOpen = [](const PartitionedResult &each) {
    return each.verdict.answer == Verdict::Undecided;
  };
  int64_t spent = 0;
  for (int64_t run = 0; run < kMostRuns; ++run) {
    runs_->setRun(run);
    const Ran global = runs_->global(assumed);
    side = 0;
    obstacle = global.obstacle;
    if (!global.leaves) return std::nullopt;
    const Ran local = runs_->local(assumed, false);
    side = 1;
    obstacle = local.obstacle;
    equality_.forAny.clear();
    if (local.draws) equality_.forAny.push_back("rng");
    if (!local.leaves) return std::nullopt;
    std::optional<Ran> once;
    bool mayShow = false;
    for (size_t r = 0; r < results.size(); ++r) {
      // Another run may show what the first one leaves open.
      if (run > 0 && !isOpen(results[r])) continue;
      PartitionedResult &result = results[r];
      result = PartitionedResult();
      result.result = LeafId(r);
      compareResult(result, (*global.leaves)[r], (*local.leaves)[r], nullptr, 1,
                    assumed, mayShow);
      if (result.verdict.answer != Verdict::Different || local.mostEqual <= 1 ||
          result.verdict.witness->array || result.verdict.witness->isPadding)
        continue;
      if (!once) once = runs_->local(assumed, true);
      if (once->leaves)
        compareResult(result, (*global.leaves)[r], (*local.leaves)[r],
                      &(*once->leaves)[r], local.mostEqual, assumed, mayShow);
    }
    spent += global.spent + local.spent;
    // All runs together go through a part of the budget of one.
    if (!mayShow || llvm::none_of(results, isOpen) ||
        spent / (run + 1) * (run + 2) > kOperations / 10)
      break;
  }
  return results;
}

PartitionedObstacle Comparison::obstacleAt(int side, ComputationId computation,
                                           InstructionId instruction,
                                           int64_t device,
                                           std::string reason) const {
  return {equalityObstacleAt(programs_[side]->modules[0], side, computation,
                             instruction, std::move(reason)),
          device};
}

void Comparison::undecide(int side, const RunObstacle &obstacle) {
  for (size_t r = 0; r < entry_.results.size(); ++r) {
    PartitionedResult result;
    result.result = LeafId(r);
    result.verdict.reason = obstacle.reason;
    if (obstacle.instruction >= 0) {
      result.because =
          obstacleAt(side, obstacle.computation, obstacle.instruction,
                     obstacle.device, obstacle.reason);
    }
    equality_.results.push_back(std::move(result));
  }
}

/// Compares modules whose reads depend on integers of parameters, for some
/// values of these. A value can show a difference, but no value shows that
/// there is none.
void Comparison::compareSteered(const RunObstacle &first, int side) {
  constexpr size_t kMostSteering = 2;
  const auto steering = sets_.elements(first.steeredBy);
  std::vector<CellElementId> elements(steering.begin(), steering.end());
  std::vector<int64_t> values = {0, 1, 2, 3, -1};
  int64_t largest = 4;
  bool integers = !elements.empty() && elements.size() <= kMostSteering;
  for (const ShardedArray &array : entry_.parameters)
    for (int64_t size : array.shape.dimensions)
      largest = std::max(largest, std::min<int64_t>(size, 64));
  for (int64_t v = 4; v <= largest + 1; ++v) values.push_back(v);
  for (CellElementId element : elements) {
    if (element >= entry_.elements) {
      integers = false;
      continue;
    }
    size_t array = entry_.parameters.size();
    while (entry_.parameters[array - 1].firstElement > element) --array;
    const ShardedArray &of = entry_.parameters[array - 1];
    const ElementType type = of.shape.type;
    integers &= of.relation->sharding().parts() <= 1;
    integers &= isInteger(type) && bitsOf(type) >= 16;
    if (!elementTypeName(type).starts_with("s")) llvm::erase(values, -1);
  }
  if (!integers) return undecide(side, first);
  int64_t tried = 0;
  for (int64_t value : values) {
    for (int64_t second :
         elements.size() > 1 ? values : std::vector<int64_t>{0}) {
      Assumed assumed = {{elements[0], value}};
      if (elements.size() > 1) assumed[elements[1]] = second;
      RunObstacle obstacle;
      int at = 0;
      auto results = compareOnce(assumed, obstacle, at);
      if (!results) return undecide(at, obstacle);
      ++tried;
      if (llvm::any_of(*results, [](const PartitionedResult &each) {
            return each.verdict.answer == Verdict::Different;
          })) {
        for (PartitionedResult &each : *results)
          if (each.verdict.answer == Verdict::Same) {
            each.verdict.answer = Verdict::Undecided;
            each.verdict.reason = "it depends on values of parameters";
          }
        equality_.results = *std::move(results);
        return;
      }
    }
  }
  RunObstacle obstacle = first;
  obstacle.reason += "; for the " + std::to_string(tried) +
                     " values that were tried nothing was different";
  undecide(side, obstacle);
}

absl::StatusOr<PartitionedEquality> Comparison::run() {
  INDEXICAL_ASSIGN_OR_RETURN(
      entry_, entryArraysOf(*programs_[0], *programs_[1], options_));
  equality_.devices = entry_.devices.all();
  equality_.replicas = entry_.devices.replicas;
  equality_.shardings = entry_.shardings;
  if (entry_.missing.empty() && entry_.devices.all() > 4096)
    entry_.missing = "there are more than 4096 devices";
  if (entry_.missing.empty() && entry_.elements > 50'000'000)
    entry_.missing = "the parameters have more than 50,000,000 elements";
  if (!entry_.missing.empty()) {
    RunObstacle obstacle;
    obstacle.reason = entry_.missing;
    undecide(1, obstacle);
  } else {
    padding_ = entry_.elements;
    runs_.emplace(*programs_[0], *programs_[1], options_, entry_, sets_);
    RunObstacle obstacle;
    int side = 0;
    auto results = compareOnce({}, obstacle, side);
    if (results)
      equality_.results = *std::move(results);
    else if (obstacle.steeredBy != 0)
      compareSteered(obstacle, side);
    else
      undecide(side, obstacle);
  }
  equality_.verdict.answer = Verdict::Same;
  for (const PartitionedResult &result : equality_.results) {
    if (result.verdict.answer == Verdict::Different)
      equality_.verdict.answer = Verdict::Different;
    if (result.verdict.answer == Verdict::Undecided &&
        equality_.verdict.answer == Verdict::Same)
      equality_.verdict.answer = Verdict::Undecided;
  }
  return std::move(equality_);
}

}  // namespace

absl::StatusOr<PartitionedEquality> compareByRuns(
    const Program &global, const Program &local,
    const PartitionedOptions &options) {
  return Comparison(global, local, options).run();
}

}  // namespace indexical
