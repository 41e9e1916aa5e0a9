#include "indexical/analysis/partitioned/partitioned_equality.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/partitioned/all_devices.h"
#include "indexical/sharding/program_shardings.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// An array of the entry, and how it is cut.
struct ShardedArray {
  ArrayShape shape;  ///< the whole
  std::optional<ShardedRelation> relation;
  int64_t firstElement = 0;  ///< of a parameter: its number among all elements
};

int64_t countOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

Int64s indexOf(int64_t place, llvm::ArrayRef<int64_t> sizes) {
  Int64s index(sizes.size(), 0);
  for (size_t k = sizes.size(); k-- > 0; place /= sizes[k])
    index[k] = place % sizes[k];
  return index;
}

int64_t placeOfIndex(llvm::ArrayRef<int64_t> index,
                     llvm::ArrayRef<int64_t> sizes) {
  int64_t place = 0;
  for (size_t k = 0; k < sizes.size(); ++k) place = place * sizes[k] + index[k];
  return place;
}

const Computation &entryOf(const Program &program) {
  const Module &module = program.modules[0];
  return module.computations[module.entry];
}

class Comparison {
 public:
  Comparison(const Program &global, const Program &local,
             const PartitionedOptions &options)
      : programs_{&global, &local}, options_(options) {}

  absl::StatusOr<PartitionedEquality> run();

 private:
  /// Values of elements that are assumed.
  using Assumed = std::map<ElementId, int64_t>;
  struct Ran {
    std::optional<DeviceLeaves> leaves;
    RunObstacle obstacle;
    int64_t mostEqual = 1;
  };

  absl::Status countDevices();
  absl::StatusOr<std::optional<Sharding>> shardingOf(bool isResult,
                                                     int64_t array, size_t leaf,
                                                     const Instruction *global,
                                                     const Instruction *local,
                                                     size_t rank);
  absl::Status takeArrays();
  absl::Status takeArray(bool isResult, int64_t array, const ArrayShape &global,
                         const ArrayShape &local,
                         std::optional<Sharding> sharding);
  int32_t localParameter(int32_t parameter) const {
    return options_.parameters.empty() ? parameter
                                       : options_.parameters[parameter];
  }
  DeviceCell parameterCell(int64_t element, const Assumed &assumed);
  std::vector<DeviceLeaves> globalParameters(const Assumed &assumed);
  std::vector<DeviceLeaves> localParameters(const Assumed &assumed);
  Ran runGlobal(const Assumed &assumed);
  Ran runLocal(const Assumed &assumed, bool countsEqualOnce);
  std::optional<DeviceArrays> localRandom(int64_t k, const Instruction &of);

  void undecide(int side, const RunObstacle &obstacle);
  /// Nothing where a run met an obstacle, which is kept.
  std::optional<std::vector<PartitionedResult>> compareOnce(
      const Assumed &assumed, RunObstacle &obstacle, int &side);
  void compareResult(PartitionedResult &result, const DeviceArrays &global,
                     const DeviceArrays &local, const DeviceArrays *once,
                     int64_t mostEqual, const Assumed &assumed);
  void differ(PartitionedResult &result, const DeviceCell &global,
              const DeviceCell &local);
  void compareSteered(const RunObstacle &first, int side);

  const Program *programs_[2];
  const PartitionedOptions &options_;
  PartitionedEquality equality_;
  DeviceCounts devices_;
  ElementSets sets_;
  std::vector<ShardedArray> parameters_, results_;
  std::vector<std::vector<size_t>> arraysOf_;  // of each parameter of GLOBAL
  std::string missing_;                        // a sharding that nobody states
  int64_t elements_ = 0;                       // of all parameters
  ElementId padding_ = 0;
  struct Drawn {
    const Instruction *instruction;
    ElementId first;
  };
  std::vector<Drawn> drawn_;
  ElementId nextDrawn_ = 0;
};

absl::Status Comparison::countDevices() {
  devices_.replicas = options_.replicas.value_or(
      std::max<int64_t>(1, programs_[1]->modules[0].replicaCount));
  int64_t count = options_.partitions.value_or(-1);
  for (int side : {1, 0}) {
    const Module &module = programs_[side]->modules[0];
    if (count < 0 && module.partitionCount > 1) count = module.partitionCount;
  }
  for (int side : {0, 1}) {
    const Module &module = programs_[side]->modules[0];
    if (count < 0)
      count = devicesOf(module, shardingContextOf(*programs_[side], module));
  }
  if (count < 1)
    return errorAt(entryOf(*programs_[1]).place,
                   "the number of partitions is not known; --partitions=N "
                   "gives it");
  devices_.partitions = count;
  equality_.devices = devices_.all();
  equality_.replicas = devices_.replicas;
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Sharding>> Comparison::shardingOf(
    bool isResult, int64_t array, size_t leaf, const Instruction *global,
    const Instruction *local, size_t rank) {
  std::optional<Sharding> chosen;
  UsedSharding used;
  used.isResult = isResult;
  used.array = array;
  for (const auto &[number, text] :
       isResult ? options_.resultShardings : options_.parameterShardings) {
    if (number != array) continue;
    ShardingContext context =
        shardingContextOf(*programs_[0], programs_[0]->modules[0]);
    context.devices = devices_.partitions;
    ArrayShape shape;
    shape.dimensions.assign(rank, 1);
    auto read = shardingsOf(text, shape, context);
    if (!read.ok())
      return absl::InvalidArgumentError(
          std::string(isResult ? "--result-sharding" : "--parameter-sharding") +
          " of " + std::to_string(array) + ": " +
          std::string(read.status().message()));
    chosen = (*read)[0];
    used.text = text;
    used.source = "option";
  }
  for (int side : {0, 1}) {
    const Instruction *of = side ? local : global;
    if (!of || of->sharding.empty()) continue;
    const Module &module = programs_[side]->modules[0];
    ShardingContext context = shardingContextOf(*programs_[side], module);
    context.devices = devices_.partitions;
    auto read = shardingsOf(*programs_[side], module, *of, context,
                            devices_.partitions);
    if (!read.ok()) return read.status();
    if (leaf >= read->size()) continue;
    const Sharding &sharding = (*read)[leaf];
    if (sharding.none() != NoElements::None) continue;
    if (!chosen) {
      chosen = sharding;
      const bool mlir = of->opcode.contains('.') ||
                        StringRef(programs_[side]->path).ends_with(".mlir");
      used.text = of->sharding.str();
      used.source = sourceOf(of->sharding, mlir).str();
    } else if (*chosen != sharding && used.source != "option") {
      return errorAt(of->place,
                     std::string("the sharding of ") +
                         (isResult ? "result " : "parameter array ") +
                         std::to_string(array) +
                         " is another one in the global module, `" + used.text +
                         "`");
    }
  }
  if (chosen) equality_.shardings.push_back(std::move(used));
  return chosen;
}

absl::Status Comparison::takeArray(bool isResult, int64_t array,
                                   const ArrayShape &global,
                                   const ArrayShape &local,
                                   std::optional<Sharding> sharding) {
  const std::string name =
      std::string(isResult ? "result " : "parameter array ") +
      std::to_string(array);
  const Place place = entryOf(*programs_[1]).place;
  if (global.type != local.type ||
      global.dimensions.size() != local.dimensions.size())
    return errorAt(place, name + " is " + global.str() +
                              " in the global module and " + local.str() +
                              " in the local one");
  ShardedArray taken;
  taken.shape = global;
  if (sharding) {
    auto relation = ShardedRelation::make(global.dimensions, *sharding);
    if (!relation.ok()) return withPlace(relation.status(), place);
    if (relation->local() != llvm::ArrayRef(local.dimensions))
      return errorAt(place,
                     name + " of " + global.str() + " over its sharding is " +
                         ArrayShape(global.type, relation->local()).str() +
                         " on each device, and the local module has " +
                         local.str());
    if (sharding->parts() > 1 && missing_.empty())
      missing_ =
          name + " is unreduced: how its parts are summed is not followed";
    taken.relation = *std::move(relation);
  } else if (missing_.empty()) {
    missing_ = std::string("the sharding of ") + name + " is not stated";
  }
  (isResult ? results_ : parameters_).push_back(std::move(taken));
  return absl::OkStatus();
}

absl::Status Comparison::takeArrays() {
  const Computation &global = entryOf(*programs_[0]);
  const Computation &local = entryOf(*programs_[1]);
  if (global.parameters.size() != local.parameters.size() ||
      (!options_.parameters.empty() &&
       options_.parameters.size() != global.parameters.size()))
    return errorAt(local.place, "the global module has " +
                                    std::to_string(global.parameters.size()) +
                                    " parameters and the local one " +
                                    std::to_string(local.parameters.size()));
  for (size_t p = 0; p < global.parameters.size(); ++p) {
    const int32_t at = localParameter(p);
    if (at < 0 || at >= static_cast<int32_t>(local.parameters.size()))
      return errorAt(local.place,
                     "there is no parameter " + std::to_string(at));
    const Instruction &a = global.instructions[global.parameters[p]];
    const Instruction &b = local.instructions[local.parameters[at]];
    const ShapeList mine = a.shape.leaves(), its = b.shape.leaves();
    if (mine.size() != its.size())
      return errorAt(b.place,
                     "the parameter has another number of arrays in "
                     "the global module");
    arraysOf_.emplace_back();
    for (size_t leaf = 0; leaf < mine.size(); ++leaf) {
      const int64_t array = parameters_.size();
      auto sharding =
          shardingOf(false, array, leaf, &a, &b, mine[leaf].dimensions.size());
      if (!sharding.ok()) return sharding.status();
      arraysOf_.back().push_back(array);
      if (auto status =
              takeArray(false, array, mine[leaf], its[leaf], *sharding);
          !status.ok())
        return status;
      parameters_.back().firstElement = elements_;
      elements_ += countOf(mine[leaf].dimensions);
    }
  }
  const Instruction &a = global.instructions[global.root];
  const Instruction &b = local.instructions[local.root];
  const ShapeList mine = a.shape.leaves(), its = b.shape.leaves();
  if (mine.size() != its.size())
    return errorAt(b.place, "the global module has " +
                                std::to_string(mine.size()) +
                                " results and the local one " +
                                std::to_string(its.size()));
  for (size_t leaf = 0; leaf < mine.size(); ++leaf) {
    auto sharding =
        shardingOf(true, leaf, leaf, &a, &b, mine[leaf].dimensions.size());
    if (!sharding.ok()) return sharding.status();
    if (auto status = takeArray(true, leaf, mine[leaf], its[leaf], *sharding);
        !status.ok())
      return status;
  }
  return absl::OkStatus();
}

DeviceCell Comparison::parameterCell(int64_t element, const Assumed &assumed) {
  DeviceCell cell;
  cell.reads = sets_.single(element);
  cell.number = field::random(1, element);
  if (auto known = assumed.find(element); known != assumed.end()) {
    cell.isKnown = true;
    cell.value = known->second;
    cell.number = field::of(known->second);
  }
  return cell;
}

std::vector<DeviceLeaves> Comparison::globalParameters(const Assumed &assumed) {
  std::vector<DeviceLeaves> all;
  for (const auto &arrays : arraysOf_) {
    DeviceLeaves &leaves = all.emplace_back();
    for (size_t a : arrays) {
      auto array = std::make_shared<CellArray>();
      array->shape = parameters_[a].shape;
      const int64_t count = countOf(array->shape.dimensions);
      for (int64_t e = 0; e < count; ++e)
        array->cells.push_back(
            parameterCell(parameters_[a].firstElement + e, assumed));
      leaves.push_back({array});
    }
  }
  return all;
}

std::vector<DeviceLeaves> Comparison::localParameters(const Assumed &assumed) {
  const Computation &local = entryOf(*programs_[1]);
  std::vector<DeviceLeaves> all(local.parameters.size());
  for (auto [p, arrays] : llvm::enumerate(arraysOf_)) {
    DeviceLeaves &leaves = all[localParameter(p)];
    for (size_t a : arrays) {
      const ShardedRelation &relation = *parameters_[a].relation;
      DeviceArrays &devices = leaves.emplace_back();
      for (int64_t device = 0; device < devices_.all(); ++device) {
        auto array = std::make_shared<CellArray>();
        array->shape = ArrayShape(parameters_[a].shape.type, relation.local());
        const int64_t count = countOf(relation.local());
        for (int64_t e = 0; e < count; ++e) {
          auto global = relation.globalOf(device % devices_.partitions,
                                          indexOf(e, relation.local()));
          if (global) {
            array->cells.push_back(
                parameterCell(parameters_[a].firstElement +
                                  placeOfIndex(*global, relation.global()),
                              assumed));
          } else {
            DeviceCell cell;
            cell.reads = sets_.single(padding_);
            cell.number = field::random(field::random(2 + a, device), e);
            array->cells.push_back(cell);
          }
        }
        devices.push_back(std::move(array));
      }
    }
  }
  return all;
}

Comparison::Ran Comparison::runGlobal(const Assumed &assumed) {
  drawn_.clear();
  nextDrawn_ = padding_ + 1;
  AllDevices::Options options;
  options.operations = options_.operations + sets_.work();
  options.random = [&](int64_t, const Instruction &of) {
    Drawn drawn{&of, nextDrawn_};
    drawn_.push_back(drawn);
    auto array = std::make_shared<CellArray>();
    array->shape = of.shape.leaves()[0];
    const int64_t count = countOf(array->shape.dimensions);
    for (int64_t e = 0; e < count; ++e)
      array->cells.push_back(parameterCell(nextDrawn_++, {}));
    return std::optional<DeviceArrays>(DeviceArrays{array});
  };
  AllDevices devices(programs_[0]->modules[0], sets_, options);
  Ran ran;
  ran.leaves = devices.run(globalParameters(assumed));
  ran.obstacle = devices.obstacle();
  return ran;
}

std::optional<DeviceArrays> Comparison::localRandom(int64_t k,
                                                    const Instruction &of) {
  // Of several draws, the one of the same line of the model; their order may
  // be another one.
  if (drawn_.size() > 1) {
    auto same = [&](const Drawn &drawn) {
      return !of.metadata.opName.empty() &&
             drawn.instruction->metadata.opName == of.metadata.opName;
    };
    if (llvm::count_if(drawn_, same) != 1) return std::nullopt;
    k = llvm::find_if(drawn_, same) - drawn_.begin();
  } else if (drawn_.empty() || k > 0) {
    return std::nullopt;
  }
  const Instruction &global = *drawn_[k].instruction;
  if (global.op.descriptor().configuration != of.op.descriptor().configuration)
    return std::nullopt;
  const Module &module = programs_[0]->modules[0];
  ShardingContext context = shardingContextOf(*programs_[0], module);
  auto shardings =
      shardingsOf(*programs_[0], module, global, context, devices_.partitions);
  if (!shardings.ok() || shardings->size() != 1) return std::nullopt;
  auto relation = ShardedRelation::make(global.shape.leaves()[0].dimensions,
                                        (*shardings)[0]);
  const ShapeList local = of.shape.leaves();
  if (!relation.ok() || (*shardings)[0].none() != NoElements::None ||
      relation->local() != llvm::ArrayRef(local[0].dimensions))
    return std::nullopt;
  DeviceArrays arrays;
  for (int64_t device = 0; device < devices_.all(); ++device) {
    auto array = std::make_shared<CellArray>();
    array->shape = local[0];
    const int64_t count = countOf(relation->local());
    for (int64_t e = 0; e < count; ++e) {
      auto at = relation->globalOf(device % devices_.partitions,
                                   indexOf(e, relation->local()));
      array->cells.push_back(parameterCell(
          at ? drawn_[k].first + placeOfIndex(*at, relation->global())
             : padding_,
          {}));
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

Comparison::Ran Comparison::runLocal(const Assumed &assumed,
                                     bool countsEqualOnce) {
  AllDevices::Options options;
  options.devices = devices_;
  options.operations = options_.operations + sets_.work();
  options.countsEqualOnce = countsEqualOnce;
  options.random = [&](int64_t k, const Instruction &of) {
    return localRandom(k, of);
  };
  AllDevices devices(programs_[1]->modules[0], sets_, options);
  Ran ran;
  ran.leaves = devices.run(localParameters(assumed));
  ran.obstacle = devices.obstacle();
  ran.mostEqual = devices.mostEqual();
  std::set<std::string> names;
  if (!devices.drawn().empty()) names.insert("rng");
  equality_.forAny.assign(names.begin(), names.end());
  return ran;
}

void Comparison::differ(PartitionedResult &result, const DeviceCell &global,
                        const DeviceCell &local) {
  PartitionedWitness &witness = *result.witness;
  std::vector<ElementId> only;
  const auto a = sets_.elements(global.reads), b = sets_.elements(local.reads);
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(),
                                std::back_inserter(only));
  for (ElementId element : only) {
    witness.onlyInGlobal = std::binary_search(a.begin(), a.end(), element);
    witness.isPadding = element == padding_;
    if (element >= elements_) continue;
    size_t array = parameters_.size();
    while (parameters_[array - 1].firstElement > element) --array;
    // Arrays without elements share their first number with the next one.
    const ShardedArray &of = parameters_[array - 1];
    witness.element = {static_cast<int64_t>(array - 1),
                       indexOf(element - of.firstElement, of.shape.dimensions)};
    witness.isPadding = false;
    return;
  }
}

void Comparison::compareResult(PartitionedResult &result,
                               const DeviceArrays &global,
                               const DeviceArrays &local,
                               const DeviceArrays *once, int64_t mostEqual,
                               const Assumed &assumed) {
  const ShardedRelation &relation = *results_[result.result].relation;
  result.answer = PartitionedAnswer::Equal;
  for (int64_t device = 0; device < devices_.all(); ++device) {
    const int64_t count = countOf(relation.local());
    for (int64_t e = 0; e < count; ++e) {
      const Int64s index = indexOf(e, relation.local());
      auto at = relation.globalOf(device % devices_.partitions, index);
      if (!at) continue;
      const int64_t place = placeOfIndex(*at, relation.global());
      const DeviceCell &a = global[0]->cells[place];
      const DeviceCell &b = local[device]->cells[e];
      if (a.reads == b.reads && a.number == b.number) continue;
      PartitionedWitness witness;
      witness.device = device;
      witness.index = index;
      witness.globalIndex = *at;
      for (const auto &[element, value] : assumed)
        witness.runtime.push_back(value);
      if (a.reads == b.reads) {
        const bool explained =
            once && (*once)[device]->cells[e].number == a.number;
        if (explained) {
          witness.counted = mostEqual;
        } else if (!a.isFree || !b.isFree) {
          // Another element may show a difference.
          result.answer = PartitionedAnswer::Undecided;
          result.reason =
              "the reads are equal, and whether the values are is not known: "
              "they are computed in different ways";
          continue;
        }
      }
      result.answer = PartitionedAnswer::Different;
      result.reason.clear();
      result.witness = std::move(witness);
      if (a.reads != b.reads) differ(result, a, b);
      return;
    }
  }
}

std::optional<std::vector<PartitionedResult>> Comparison::compareOnce(
    const Assumed &assumed, RunObstacle &obstacle, int &side) {
  const Ran global = runGlobal(assumed);
  side = 0;
  obstacle = global.obstacle;
  if (!global.leaves) return std::nullopt;
  const Ran local = runLocal(assumed, false);
  side = 1;
  obstacle = local.obstacle;
  if (!local.leaves) return std::nullopt;
  std::vector<PartitionedResult> results;
  std::optional<Ran> once;
  for (size_t r = 0; r < results_.size(); ++r) {
    PartitionedResult result;
    result.result = r;
    compareResult(result, (*global.leaves)[r], (*local.leaves)[r], nullptr, 1,
                  assumed);
    const bool readsDiffer = result.witness && (result.witness->element ||
                                                result.witness->isPadding);
    if (result.answer != PartitionedAnswer::Equal && !readsDiffer &&
        local.mostEqual > 1) {
      if (!once) once = runLocal(assumed, true);
      if (once->leaves)
        compareResult(result, (*global.leaves)[r], (*local.leaves)[r],
                      &(*once->leaves)[r], local.mostEqual, assumed);
    }
    results.push_back(std::move(result));
  }
  return results;
}

void Comparison::undecide(int side, const RunObstacle &obstacle) {
  const Module &module = programs_[side]->modules[0];
  for (size_t r = 0; r < results_.size(); ++r) {
    PartitionedResult result;
    result.result = r;
    result.reason = obstacle.reason;
    if (obstacle.instruction >= 0) {
      const Computation &computation =
          module.computations[obstacle.computation];
      const Instruction &at = computation.instructions[obstacle.instruction];
      PartitionedObstacle because;
      because.module = side;
      because.computation = computation.name.str();
      because.instruction = at.name.str();
      because.opcode = at.opcode.str();
      because.line = at.place.line;
      because.device = obstacle.device;
      result.because = std::move(because);
    }
    equality_.results.push_back(std::move(result));
  }
}

/// What is read depends on integers of parameters: some of their values show
/// a difference, and none that there is no other.
void Comparison::compareSteered(const RunObstacle &first, int side) {
  constexpr size_t kMostSteering = 2;
  const auto steering = sets_.elements(first.steeredBy);
  std::vector<ElementId> elements(steering.begin(), steering.end());
  std::vector<int64_t> values = {0, 1, 2, 3, -1};
  int64_t largest = 4;
  bool integers = !elements.empty() && elements.size() <= kMostSteering;
  for (const ShardedArray &array : parameters_)
    for (int64_t size : array.shape.dimensions)
      largest = std::max(largest, std::min<int64_t>(size, 64));
  for (int64_t v = 4; v <= largest + 1; ++v) values.push_back(v);
  for (ElementId element : elements) {
    if (element >= elements_) {
      integers = false;
      continue;
    }
    size_t array = parameters_.size();
    while (parameters_[array - 1].firstElement > element) --array;
    const ElementType type = parameters_[array - 1].shape.type;
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
            return each.answer == PartitionedAnswer::Different;
          })) {
        for (PartitionedResult &each : *results)
          if (each.answer == PartitionedAnswer::Equal) {
            each.answer = PartitionedAnswer::Undecided;
            each.reason = "it depends on values of parameters";
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
  if (auto status = countDevices(); !status.ok()) return status;
  if (auto status = takeArrays(); !status.ok()) return status;
  if (missing_.empty() && devices_.all() > 4096)
    missing_ = "there are more than 4096 devices";
  if (missing_.empty() && elements_ > 50'000'000)
    missing_ = "the parameters have more than 50,000,000 elements";
  if (!missing_.empty()) {
    RunObstacle obstacle;
    obstacle.reason = missing_;
    undecide(1, obstacle);
  } else {
    padding_ = elements_;
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
  equality_.answer = PartitionedAnswer::Equal;
  for (const PartitionedResult &result : equality_.results) {
    if (result.answer == PartitionedAnswer::Different)
      equality_.answer = PartitionedAnswer::Different;
    if (result.answer == PartitionedAnswer::Undecided &&
        equality_.answer == PartitionedAnswer::Equal)
      equality_.answer = PartitionedAnswer::Undecided;
  }
  return std::move(equality_);
}

}  // namespace

absl::StatusOr<PartitionedEquality> comparePartitioned(
    const Program &global, const Program &local,
    const PartitionedOptions &options) {
  for (const Program *program : {&global, &local})
    if (program->modules.size() != 1 || program->modules[0].entry < 0)
      return absl::InvalidArgumentError("one module with an entry is compared");
  return Comparison(global, local, options).run();
}

}  // namespace indexical
