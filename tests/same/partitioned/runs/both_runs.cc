#include "tests/same/partitioned/runs/both_runs.h"

#include <memory>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/program_shardings.h"
#include "tests/same/partitioned/runs/cell_values.h"

namespace indexical {
namespace {

/// Cells and elements of sets that one run may go through.
constexpr int64_t kOperations = 1'000'000'000;

/// Kinds of random numbers.
enum Tag : uint64_t { kParameter = 200, kPart, kPadding };

/// Returns the terms of the two numbers between which an op draws, or nothing
/// if they are others on some devices.
std::optional<std::vector<TermNumber>> boundsOf(
    llvm::ArrayRef<const DeviceArrays *> operands) {
  std::vector<TermNumber> bounds;
  for (const DeviceArrays *operand : operands.take_front(2)) {
    const DeviceCell *first = nullptr;
    for (const CellArrayPtr &array : *operand) {
      if (array->cells.size() != 1) return std::nullopt;
      if (!first) first = &array->cells[0];
      if (array->cells[0].number != first->number) return std::nullopt;
    }
    bounds.push_back(first->number);
  }
  return bounds;
}

}  // namespace

bool isManual(const Module &module) {
  for (const Computation &computation : module.computations)
    for (const Instruction &of : computation.instructions)
      if (of.customCallTarget == "SPMDFullToShardShape" ||
          of.customCallTarget == "SPMDShardToFullShape" ||
          of.opcode == "sdy.manual_computation")
        return true;
  return false;
}

BothRuns::BothRuns(const Program &global, const Program &local,
                   const PartitionedOptions &options, const EntryArrays &entry,
                   ElementSets &sets)
    : programs_{&global, &local},
      options_(options),
      entry_(entry),
      sets_(sets),
      terms_(sets),
      padding_(entry.elements),
      isManualInGlobal_(isManual(global.modules[0])),
      context_(shardingContextOf(global.modules[0])) {
  context_.devices = entry.devices.partitions;
}

DeviceCell BothRuns::parameterCell(int64_t element, ElementType type,
                                   const Assumed &assumed) {
  DeviceCell cell;
  cell.reads = sets_.single(element);
  if (auto known = assumed.find(element); known != assumed.end()) {
    const SetId reads = cell.reads;
    cell = constantCell(known->second, type);
    cell.reads = reads;
    return cell;
  }
  cell.number = TermHash(kParameter).add(element).number();
  setRandomValue(cell, type,
                 TermHash(kParameter).add(element).add(run_).number().first,
                 run_);
  return cell;
}

DeviceCell BothRuns::partCell(int64_t element, ElementType type, int64_t part,
                              int64_t parts) {
  auto partOf = [&](int64_t k) {
    DeviceCell cell;
    TermHash hash(kPart);
    cell.number = hash.add(element).add(k).number();
    setRandomValue(cell, type, hash.add(run_).number().first, run_);
    return cell;
  };
  DeviceCell cell = parameterCell(element, type, {});
  const SetId reads = cell.reads;
  // The last part is the element less the other parts.
  if (part + 1 < parts) {
    cell = partOf(part);
  } else {
    std::vector<DeviceCell> all = {cell};
    for (int64_t k = 0; k + 1 < parts; ++k) {
      all.push_back(partOf(k));
      DeviceCell &other = all.back();
      other.number = negated(other.number, ringOf(type));
      if (isInteger(type))
        other.value =
            wrapped(static_cast<int64_t>(0 - uint64_t(other.value)), type);
      else
        other.span = {-other.span.upper, -other.span.lower};
    }
    std::vector<const DeviceCell *> summands;
    for (const DeviceCell &each : all) summands.push_back(&each);
    cell = terms_.folded("add", type, summands);
  }
  cell.reads = reads;
  return cell;
}

DeviceCell BothRuns::drawnCell(int64_t element) {
  // Bounds decide which values there are.
  DeviceCell cell;
  cell.reads = sets_.single(element);
  cell.number = TermHash(kParameter).add(element).number();
  return cell;
}

AllDevices::Options BothRuns::optionsOf(int side, Seen seen) {
  AllDevices::Options options;
  options.operations = kOperations + sets_.work();
  options.seen = std::move(seen);
  options.isWhole = side == 0 && !isManualInGlobal_;
  if (options.isWhole) return options;
  options.devices = entry_.devices;
  if (side == 1) return options;
  options.padding = sets_.single(padding_);
  options.sharding = [this](
                         llvm::StringRef text,
                         const ArrayShape &whole) -> absl::StatusOr<Sharding> {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto read, shardingsOf(text, llvm::ArrayRef(whole), context_));
    if (read.size() != 1)
      return absl::InvalidArgumentError("it has not one sharding");
    return std::move(read.front());
  };
  return options;
}

std::vector<DeviceLeaves> BothRuns::globalParameters(const Assumed &assumed) {
  const int64_t devices = isManualInGlobal_ ? entry_.devices.all() : 1;
  std::vector<DeviceLeaves> all;
  for (const auto &arrays : entry_.arraysOf) {
    DeviceLeaves &leaves = all.emplace_back();
    for (size_t a : arrays) {
      auto array = std::make_shared<CellArray>();
      array->shape = entry_.parameters[a].shape;
      const int64_t count = elementCountOf(array->shape.dimensions);
      for (int64_t e = 0; e < count; ++e)
        array->cells.push_back(parameterCell(
            entry_.parameters[a].firstElement + e, array->shape.type, assumed));
      leaves.push_back(DeviceArrays(devices, array));
    }
  }
  return all;
}

std::vector<DeviceLeaves> BothRuns::localParameters(const Assumed &assumed) {
  const Computation &local = entryOf(*programs_[1]);
  std::vector<DeviceLeaves> all(local.parameters.size());
  for (auto [p, arrays] : llvm::enumerate(entry_.arraysOf)) {
    DeviceLeaves &leaves = all[localParameter(options_, p)];
    for (size_t a : arrays) {
      const ShardedRelation &relation = *entry_.parameters[a].relation;
      DeviceArrays &devices = leaves.emplace_back();
      for (int64_t device = 0; device < entry_.devices.all(); ++device) {
        auto array = std::make_shared<CellArray>();
        array->shape =
            ArrayShape(entry_.parameters[a].shape.type, relation.local());
        const int64_t count = elementCountOf(relation.local());
        for (int64_t e = 0; e < count; ++e) {
          auto global = relation.globalOf(device % entry_.devices.partitions,
                                          indexAtPlace(e, relation.local()));
          const auto held =
              relation.sharding().holding(device % entry_.devices.partitions);
          if (global && held && relation.sharding().parts() > 1) {
            array->cells.push_back(partCell(
                entry_.parameters[a].firstElement +
                    placeOfIndex(*global, relation.global()),
                array->shape.type, held->part, relation.sharding().parts()));
          } else if (global) {
            array->cells.push_back(
                parameterCell(entry_.parameters[a].firstElement +
                                  placeOfIndex(*global, relation.global()),
                              array->shape.type, assumed));
          } else {
            DeviceCell cell;
            cell.reads = sets_.single(padding_);
            TermHash hash(kPadding);
            cell.number = hash.add(a).add(device).add(e).number();
            setRandomValue(cell, array->shape.type,
                           hash.add(run_).number().first, run_);
            array->cells.push_back(cell);
          }
        }
        devices.push_back(std::move(array));
      }
    }
  }
  return all;
}

BothRuns::Ran BothRuns::global(const Assumed &assumed, Seen seen) {
  drawn_.clear();
  nextDrawn_ = padding_ + 1;
  AllDevices::Options options = optionsOf(0, std::move(seen));
  const int64_t count = options.devices.all();
  options.random = [&](int64_t, const Instruction &of,
                       llvm::ArrayRef<const DeviceArrays *> operands) {
    // In a manual part every device draws its own.
    const auto bounds = boundsOf(operands);
    if (count > 1 || !bounds) return std::optional<DeviceArrays>();
    drawn_.push_back({&of, nextDrawn_, *bounds, false});
    auto array = std::make_shared<CellArray>();
    array->shape = of.shape.leaves()[0];
    const int64_t count = elementCountOf(array->shape.dimensions);
    for (int64_t e = 0; e < count; ++e)
      array->cells.push_back(drawnCell(nextDrawn_++));
    return std::optional<DeviceArrays>(DeviceArrays{array});
  };
  AllDevices devices(programs_[0]->modules[0], sets_, terms_, options);
  Ran ran;
  ran.leaves = devices.run(globalParameters(assumed));
  ran.obstacle = devices.obstacle();
  ran.spent = devices.spent();
  auto isWhole = [](const DeviceArrays &arrays) {
    return llvm::all_of(arrays, [&](const CellArrayPtr &array) {
      return array == arrays[0] ||
             llvm::equal(array->cells, arrays[0]->cells,
                         [](const DeviceCell &a, const DeviceCell &b) {
                           return a.reads == b.reads && a.number == b.number;
                         });
    });
  };
  if (ran.leaves && !llvm::all_of(*ran.leaves, isWhole)) {
    ran.leaves.reset();
    ran.obstacle.instruction = {};
    ran.obstacle.reason =
        "a result of the whole module is another one on each device";
  }
  return ran;
}

std::optional<DeviceArrays> BothRuns::localRandom(
    int64_t k, const Instruction &of,
    llvm::ArrayRef<const DeviceArrays *> operands) {
  // Several draws may be in another order: the one with the same op_name is the
  // same draw.
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
  const auto bounds = boundsOf(operands);
  if (global.op.descriptor().configuration !=
          of.op.descriptor().configuration ||
      global.shape.leaves()[0].type != of.shape.leaves()[0].type ||
      bounds != drawn_[k].bounds || std::exchange(drawn_[k].isTaken, true))
    return std::nullopt;
  const Module &module = programs_[0]->modules[0];
  auto shardings = shardingsOf(*programs_[0], module, global, context_,
                               entry_.devices.partitions);
  if (!shardings.ok() || shardings->size() != 1) return std::nullopt;
  auto relation = ShardedRelation::make(global.shape.leaves()[0].dimensions,
                                        (*shardings)[0]);
  const ShapeList local = of.shape.leaves();
  if (!relation.ok() || (*shardings)[0].none() != NoElements::None ||
      relation->local() != llvm::ArrayRef(local[0].dimensions))
    return std::nullopt;
  DeviceArrays arrays;
  std::vector<char> isHeld(elementCountOf(relation->global()));
  for (int64_t device = 0; device < entry_.devices.all(); ++device) {
    auto array = std::make_shared<CellArray>();
    array->shape = local[0];
    const int64_t count = elementCountOf(relation->local());
    for (int64_t e = 0; e < count; ++e) {
      auto at = relation->globalOf(device % entry_.devices.partitions,
                                   indexAtPlace(e, relation->local()));
      // Each device draws numbers of its own, and has no copy of another's.
      if (at &&
          std::exchange(isHeld[placeOfIndex(*at, relation->global())], true))
        return std::nullopt;
      array->cells.push_back(
          drawnCell(at ? drawn_[k].first + placeOfIndex(*at, relation->global())
                       : padding_));
    }
    arrays.push_back(std::move(array));
  }
  return arrays;
}

BothRuns::Ran BothRuns::local(const Assumed &assumed, bool countsEqualOnce,
                              Seen seen) {
  AllDevices::Options options = optionsOf(1, std::move(seen));
  options.countsEqualOnce = countsEqualOnce;
  for (Drawn &drawn : drawn_) drawn.isTaken = false;
  options.random = [&](int64_t k, const Instruction &of,
                       llvm::ArrayRef<const DeviceArrays *> operands) {
    return localRandom(k, of, operands);
  };
  AllDevices devices(programs_[1]->modules[0], sets_, terms_, options);
  Ran ran;
  ran.leaves = devices.run(localParameters(assumed));
  for (size_t r = 0; ran.leaves && r < entry_.results.size(); ++r) {
    const ShardedRelation &relation = *entry_.results[r].relation;
    if (relation.sharding().parts() <= 1) continue;
    auto sums = devices.withPartsAdded((*ran.leaves)[r], relation);
    if (sums)
      (*ran.leaves)[r] = *std::move(sums);
    else
      ran.leaves.reset();
  }
  ran.obstacle = devices.obstacle();
  ran.mostEqual = devices.mostEqual();
  ran.spent = devices.spent();
  ran.draws = !devices.drawn().empty();
  return ran;
}

}  // namespace indexical
