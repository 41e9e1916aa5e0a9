#include "indexical/same/partitioned/local_arrays.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/same/partitioned/entry_arrays.h"

namespace indexical {
namespace {

using llvm::StringRef;

bool isSameArray(const ArrayShape &a, const ArrayShape &b) {
  return a.type == b.type && a.dimensions == b.dimensions;
}

bool areSameArrays(const ShapeList &a, const ShapeList &b) {
  if (a.size() != b.size()) return false;
  for (size_t k = 0; k < a.size(); ++k)
    if (!isSameArray(a[k], b[k])) return false;
  return true;
}

ShapeList parameterOf(const Computation &entry, int32_t number) {
  return entry.instructions[entry.parameters[number]].shape.leaves();
}

/// Returns the count that an option or a header states, or -1. A count of 1
/// says nothing, for compilers write it before they partition.
absl::StatusOr<int64_t> statedCount(std::optional<int64_t> option,
                                    int64_t inFirst, int64_t inSecond,
                                    StringRef what, Place place) {
  if (option) return *option;
  if (inFirst > 1 && inSecond > 1 && inFirst != inSecond)
    return errorAt(place, "the first module is for " + std::to_string(inFirst) +
                              " " + what.str() + " and the second for " +
                              std::to_string(inSecond));
  const int64_t count = std::max(inFirst, inSecond);
  return count > 1 ? count : -1;
}

class ArrayReader {
 public:
  ArrayReader(const Program &first, const Program &second,
              const PartitionedOptions &options)
      : first_(first), second_(second), options_(options) {}

  /// Whether an option, a header or a group names a device beside the first.
  bool saysDevices() { return countDevices().ok() || !isUnknown_; }

  absl::StatusOr<LocalArrays> read() {
    INDEXICAL_RETURN_IF_ERROR(countDevices());
    const Computation &a = entryOf(first_), &b = entryOf(second_);
    if (!haveSameArrays(first_, second_, options_))
      return errorAt(b.place,
                     "the parameters and results of two local modules have the "
                     "same number, types and sizes; they are " +
                         wordsOf(a) + " in the first, and " + wordsOf(b));
    for (size_t p = 0; p < a.parameters.size(); ++p) takeParameter(a, p);
    arrays_.results = a.instructions[a.root].shape.leaves();
    return std::move(arrays_);
  }

 private:
  absl::Status countDevices();
  void takeParameter(const Computation &entry, int32_t number);
  std::string wordsOf(const Computation &entry) {
    std::string words;
    for (size_t p = 0; p < entry.parameters.size(); ++p)
      for (const ArrayShape &shape : parameterOf(entry, p))
        words += (words.empty() ? "" : ", ") + shape.str();
    words += " -> ";
    for (auto [k, shape] :
         llvm::enumerate(entry.instructions[entry.root].shape.leaves()))
      words += (k == 0 ? "" : ", ") + shape.str();
    return words;
  }

  const Program &first_, &second_;
  const PartitionedOptions &options_;
  LocalArrays arrays_;
  bool isUnknown_ = false;
};

absl::Status ArrayReader::countDevices() {
  const Module &a = first_.modules[0], &b = second_.modules[0];
  const Place place = entryOf(second_).place;
  INDEXICAL_ASSIGN_OR_RETURN(
      int64_t partitions, statedCount(options_.partitions, a.partitionCount,
                                      b.partitionCount, "partitions", place));
  INDEXICAL_ASSIGN_OR_RETURN(int64_t replicas,
                             statedCount(options_.replicas, a.replicaCount,
                                         b.replicaCount, "replicas", place));
  FewestDevices fewest;
  for (const Module *module : {&a, &b})
    for (const Computation &computation : module->computations)
      for (const Instruction &of : computation.instructions) {
        const FewestDevices own = fewestDevicesOf(of.op);
        fewest.replicas = std::max(fewest.replicas, own.replicas);
        fewest.partitions = std::max(fewest.partitions, own.partitions);
        fewest.devices = std::max(fewest.devices, own.devices);
      }
  const bool isStated = partitions > 0 || replicas > 0;
  if (replicas < 0) replicas = isStated ? 1 : fewest.replicas;
  if (partitions < 0) {
    const int64_t each = (fewest.devices + replicas - 1) / replicas;
    partitions = isStated ? 1 : std::max(fewest.partitions, each);
  }
  arrays_.devices = {replicas, partitions};
  if (!isStated) {
    isUnknown_ = arrays_.devices.all() == 1;
    if (isUnknown_)
      return errorAt(place,
                     "the number of devices is not known; --partitions=N or "
                     "--replicas=N gives it");
    arrays_.countedFrom = "groups";
  }
  if (arrays_.devices.all() > kMostDevices)
    return errorAt(place, "there are more than " +
                              std::to_string(kMostDevices) + " devices");
  return absl::OkStatus();
}

void ArrayReader::takeParameter(const Computation &entry, int32_t number) {
  const Instruction &of = entry.instructions[entry.parameters[number]];
  const ShapeList shapes = of.shape.leaves();
  const DeviceCounts devices = arrays_.devices;
  std::vector<Sharding> shardings;
  if (options_.assumesCopies && !of.sharding.empty()) {
    ShardingContext context = shardingContextOf(first_.modules[0]);
    context.devices = devices.partitions;
    auto read =
        shardingsOf(first_, first_.modules[0], of, context, devices.partitions);
    if (read.ok() && read->size() == shapes.size()) shardings = *read;
  }
  size_t array = 0;
  for (const auto &leaves : arrays_.parameters) array += leaves.size();
  auto &all = arrays_.parameters.emplace_back();
  for (auto [leaf, shape] : llvm::enumerate(shapes)) {
    LocalArray taken;
    taken.shape = ArrayShape(shape.type, shape.dimensions);
    // A replica, and a tile of its array.
    using Tile = std::pair<int64_t, std::vector<int64_t>>;
    std::map<Tile, int64_t> rows;
    const Sharding *sharding =
        leaf < shardings.size() ? &shardings[leaf] : nullptr;
    if (sharding && (sharding->none() != NoElements::None ||
                     sharding->parts() > 1 || sharding->groups() > 1))
      sharding = nullptr;
    for (int64_t device = 0; device < devices.all(); ++device) {
      // A device that no sharding speaks of has an array of its own.
      Tile tile{device, {-1}};
      if (const auto held = sharding
                                ? sharding->holding(device % devices.partitions)
                                : std::optional<Sharding::Holding>()) {
        tile = {device / devices.partitions, {0}};
        llvm::append_range(tile.second, held->tile);
      }
      const auto [at, isNew] =
          rows.try_emplace(tile, static_cast<int64_t>(rows.size()));
      taken.rowOf.push_back(at->second);
    }
    taken.rows = rows.size();
    if (taken.rows < devices.all())
      arrays_.shardings.push_back(
          {/*isResult=*/false, static_cast<int64_t>(array + leaf),
           of.sharding.str(), sourceOf(of.sharding, false).str()});
    all.push_back(std::move(taken));
  }
}

}  // namespace

absl::StatusOr<LocalArrays> localArraysOf(const Program &first,
                                          const Program &second,
                                          const PartitionedOptions &options) {
  return ArrayReader(first, second, options).read();
}

bool sayDevices(const Program &first, const Program &second,
                const PartitionedOptions &options) {
  return ArrayReader(first, second, options).saysDevices();
}

bool haveSameArrays(const Program &first, const Program &second,
                    const PartitionedOptions &options) {
  const Computation &a = entryOf(first), &b = entryOf(second);
  if (a.parameters.size() != b.parameters.size()) return false;
  if (!options.parameters.empty() &&
      options.parameters.size() != a.parameters.size())
    return false;
  std::set<int32_t> taken;
  for (size_t p = 0; p < a.parameters.size(); ++p) {
    const int32_t at = localParameter(options, p);
    if (at < 0 || at >= static_cast<int32_t>(b.parameters.size()) ||
        !taken.insert(at).second ||
        !areSameArrays(parameterOf(a, p), parameterOf(b, at)))
      return false;
  }
  return areSameArrays(a.instructions[a.root].shape.leaves(),
                       b.instructions[b.root].shape.leaves());
}

bool asksForDevices(const Instruction &of) {
  if (collectiveOf(of.op)) return true;
  const StringRef name = of.op.kind().name;
  return name == "partition-id" || name == "replica-id" ||
         name == "ragged-all-to-all";
}

}  // namespace indexical
