#include "indexical/same/partitioned/entry_arrays.h"

#include <algorithm>
#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/same/values/polynomial.h"

namespace indexical {

using llvm::StringRef;

int64_t elementCountOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

Int64s indexAtPlace(int64_t place, llvm::ArrayRef<int64_t> sizes) {
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

int32_t localParameter(const PartitionedOptions &options, int32_t parameter) {
  return options.parameters.empty() ? parameter : options.parameters[parameter];
}

namespace {

bool hasSums(ElementType type) {
  return isRealFloat(type) || isComplex(type) ||
         (isInteger(type) && type != ElementType::Pred);
}

class EntryReader {
 public:
  EntryReader(const Program &global, const Program &local,
              const PartitionedOptions &options)
      : programs_{&global, &local}, options_(options) {}

  absl::StatusOr<EntryArrays> read() {
    INDEXICAL_RETURN_IF_ERROR(countDevices());
    INDEXICAL_RETURN_IF_ERROR(takeArrays());
    return std::move(entry_);
  }

 private:
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

  const Program *programs_[2];
  const PartitionedOptions &options_;
  EntryArrays entry_;
  /// The devices that a sharding names: the partitions, of which each replica
  /// has all, or the replicas too.
  int64_t named_ = 1;
};

absl::Status EntryReader::countDevices() {
  entry_.devices.replicas = options_.replicas.value_or(
      std::max<int64_t>(1, programs_[1]->modules[0].replicaCount));
  int64_t count = options_.partitions.value_or(-1);
  for (int side : {1, 0}) {
    const Module &module = programs_[side]->modules[0];
    if (count < 0 && module.partitionCount > 1) count = module.partitionCount;
  }
  for (int side : {0, 1}) {
    const Module &module = programs_[side]->modules[0];
    if (count < 0) count = devicesOf(module, shardingContextOf(module));
  }
  if (count < 1)
    return errorAt(entryOf(*programs_[1]).place,
                   "the number of partitions is not known; --partitions=N "
                   "gives it");
  entry_.devices.partitions = count;
  if (entry_.devices.all() > kMostDevices)
    return errorAt(
        entryOf(*programs_[1]).place,
        "there are more than " + std::to_string(kMostDevices) + " devices");
  named_ = count;
  for (const Program *program : programs_) {
    const Module &module = program->modules[0];
    ShardingContext context = shardingContextOf(module);
    context.devices = -1;
    if (devicesOf(module, context) == entry_.devices.all())
      named_ = entry_.devices.all();
  }
  return absl::OkStatus();
}

/// Returns the call at the root that joins what devices have to this result of
/// GLOBAL, or null.
const Instruction *wholeCallOf(const Computation &entry, size_t leaf) {
  InstructionId at = entry.root;
  const Instruction &root = entry.instructions[at];
  if (root.op.is<ForwardOp>() && root.customCallTarget.empty()) {
    const auto leaves = entry.operandLeaves(at);
    const auto &reads = root.op.as<ForwardOp>()->reads;
    if (leaf >= reads.size() || reads[leaf] < 0 ||
        reads[leaf] >= static_cast<int64_t>(leaves.size()))
      return nullptr;
    at = leaves[reads[leaf]].instruction;
  }
  const Instruction &of = entry.instructions[at];
  const bool isCall = of.customCallTarget == "SPMDShardToFullShape";
  return isCall && !of.sharding.empty() ? &of : nullptr;
}

absl::StatusOr<std::optional<Sharding>> EntryReader::shardingOf(
    bool isResult, int64_t array, size_t leaf, const Instruction *global,
    const Instruction *local, size_t rank) {
  std::optional<Sharding> chosen;
  UsedSharding used;
  used.isResult = isResult;
  used.array = array;
  for (const auto &[number, text] :
       isResult ? options_.resultShardings : options_.parameterShardings) {
    if (number != array) continue;
    ShardingContext context = shardingContextOf(programs_[0]->modules[0]);
    context.devices = named_;
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
  const bool isStated =
      chosen || !global->sharding.empty() || !local->sharding.empty();
  if (isResult && !isStated)
    if (const auto *call = wholeCallOf(entryOf(*programs_[0]), leaf))
      global = call, leaf = 0;
  for (int side : {0, 1}) {
    const Instruction *of = side ? local : global;
    if (of->sharding.empty()) continue;
    const Module &module = programs_[side]->modules[0];
    ShardingContext context = shardingContextOf(module);
    context.devices = named_;
    INDEXICAL_ASSIGN_OR_RETURN(
        auto read, shardingsOf(*programs_[side], module, *of, context, named_));
    if (leaf >= read.size()) continue;
    const Sharding &sharding = read[leaf];
    if (sharding.none() != NoElements::None) continue;
    if (!chosen) {
      chosen = sharding;
      const bool mlir = of->opcode.contains('.') ||
                        StringRef(programs_[side]->path).ends_with(".mlir");
      used.text = of->sharding.str();
      used.source = sourceOf(of->sharding, mlir).str();
    } else if (*chosen != sharding) {
      const bool isOption = used.source == "option";
      return errorAt(of->place,
                     std::string("the sharding of ") +
                         (isResult ? "result " : "parameter array ") +
                         std::to_string(array) + " is another one in the " +
                         (isOption ? "option" : "global module") + ", `" +
                         used.text + "`");
    }
  }
  if (chosen) entry_.shardings.push_back(std::move(used));
  return chosen;
}

absl::Status EntryReader::takeArray(bool isResult, int64_t array,
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
    const StringRef reduction = sharding->reduction();
    if (sharding->parts() > 1 && !isResult && entry_.missing.empty() &&
        !reduction.empty() && reduction != "add" && reduction != "sum")
      entry_.missing = name + " is unreduced, and its parts are not added: " +
                       "which numbers they are is not followed";
    if (sharding->parts() > 1 && !isResult && entry_.missing.empty() &&
        !hasSums(global.type))
      entry_.missing = name + " is unreduced, and its type has no sums";
    // These are no copies: each group computes on numbers of its own.
    if (sharding->groups() > 1 && entry_.missing.empty())
      entry_.missing = name + " has manual groups, with arrays of their own";
    taken.relation = *std::move(relation);
  } else if (entry_.missing.empty()) {
    entry_.missing = std::string("the sharding of ") + name + " is not stated";
  }
  (isResult ? entry_.results : entry_.parameters).push_back(std::move(taken));
  return absl::OkStatus();
}

absl::Status EntryReader::takeArrays() {
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
    const int32_t at = localParameter(options_, p);
    if (at < 0 || at >= static_cast<int32_t>(local.parameters.size()))
      return errorAt(local.place,
                     "there is no parameter " + std::to_string(at));
    const Instruction &a = global.instructions[global.parameters[p]];
    const Instruction &b = local.instructions[local.parameters[at]];
    const ShapeList mine = a.shape.leaves(), its = b.shape.leaves();
    if (entry_.missing.empty() &&
        !(elementTypesOf(a.op).empty() && elementTypesOf(b.op).empty()))
      entry_.missing = "the numbers of a parameter have a scale";
    if (mine.size() != its.size())
      return errorAt(b.place,
                     "the parameter has another number of arrays in "
                     "the global module");
    entry_.arraysOf.emplace_back();
    for (size_t leaf = 0; leaf < mine.size(); ++leaf) {
      const int64_t array = entry_.parameters.size();
      INDEXICAL_ASSIGN_OR_RETURN(
          auto sharding,
          shardingOf(false, array, leaf, &a, &b, mine[leaf].dimensions.size()));
      entry_.arraysOf.back().push_back(array);
      INDEXICAL_RETURN_IF_ERROR(
          takeArray(false, array, mine[leaf], its[leaf], sharding));
      entry_.parameters.back().firstElement = entry_.elements;
      entry_.elements += elementCountOf(mine[leaf].dimensions);
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
    INDEXICAL_ASSIGN_OR_RETURN(
        auto sharding,
        shardingOf(true, leaf, leaf, &a, &b, mine[leaf].dimensions.size()));
    INDEXICAL_RETURN_IF_ERROR(
        takeArray(true, leaf, mine[leaf], its[leaf], sharding));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<EntryArrays> entryArraysOf(const Program &global,
                                          const Program &local,
                                          const PartitionedOptions &options) {
  return EntryReader(global, local, options).read();
}

}  // namespace indexical
