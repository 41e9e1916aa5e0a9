// Calls between whole values and the parts of each device, in a program of
// which a part states what each device computes.
//
//   x = f32[4] parameter(0), sharding={devices=[2]<=[2]}
//   m = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape"
//
//   m on device 1: x 2, x 3
//
// A whole value is the same array on every device. Such a call, and a
// `sdy.manual_computation`, cuts it by a sharding; the way back takes each
// element from a device that holds it, and adds the parts of a sum. Copies that
// are not the same are no whole value.
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/same/partitioned/entry_arrays.h"
#include "indexical/same/partitioned/manual_text.h"
#include "tests/same/partitioned/runs/all_devices.h"

namespace indexical {

using llvm::StringRef;

namespace {

constexpr uint64_t kPadding = 103;

/// The reducer that adds parts; empty if it is none that is known.
StringRef reducerOfParts(StringRef reduction) {
  if (reduction.empty() || reduction == "sum" || reduction == "add")
    return "add";
  if (reduction == "max") return "maximum";
  if (reduction == "min") return "minimum";
  return "";
}

bool isSame(const DeviceCell &a, const DeviceCell &b) {
  return a.reads == b.reads && a.number == b.number && a.isKnown == b.isKnown;
}

}  // namespace

std::optional<ShardedRelation> AllDevices::cutOf(StringRef sharding,
                                                 const ArrayShape &whole,
                                                 const ArrayShape &part) {
  if (sharding.empty() || !options_.sharding) {
    fail("its sharding is not stated");
    return std::nullopt;
  }
  auto read = options_.sharding(sharding, whole);
  if (!read.ok()) {
    fail(std::string(read.status().message()));
    return std::nullopt;
  }
  auto relation = ShardedRelation::make(whole.dimensions, *read);
  if (!relation.ok() || read->none() != NoElements::None ||
      relation->local() != llvm::ArrayRef(part.dimensions)) {
    fail("its sharding does not cut the whole value into what a device has");
    return std::nullopt;
  }
  return *std::move(relation);
}

std::optional<DeviceArrays> AllDevices::cut(const DeviceArrays &whole,
                                            const ArrayShape &part,
                                            const ShardedRelation &relation) {
  if (relation.sharding().parts() > 1)
    return fail("which part of a sum a device gets is not stated");
  DeviceArrays arrays;
  for (int64_t device = 0; device < options_.devices.all(); ++device) {
    if (!spend(cellCountOf(part))) return std::nullopt;
    arrays.push_back(cellArrayOf(part, [&](llvm::ArrayRef<int64_t> index) {
      const auto at =
          relation.globalOf(device % options_.devices.partitions, index);
      if (at)
        return whole[device]
            ->cells[placeOfIndex(*at, whole[device]->shape.dimensions)];
      DeviceCell padding;
      padding.reads = options_.padding;
      padding.number = TermHash(kPadding).add(++paddings_).number();
      return padding;
    }));
  }
  return arrays;
}

std::optional<DeviceArrays> AllDevices::withPartsAdded(
    const DeviceArrays &parts, const ShardedRelation &relation) {
  const StringRef reducer = Terms::foldOf(
      reducerOfParts(relation.sharding().reduction()), parts[0]->shape.type);
  if (reducer.empty()) return fail("how its parts are added is not known");
  const int64_t partitions = options_.devices.partitions;
  DeviceArrays sums;
  for (int64_t device = 0; device < options_.devices.all(); ++device) {
    const int64_t first = device - device % partitions;
    const auto mine = relation.sharding().holding(device - first);
    const ArrayShape &shape = parts[device]->shape;
    if (!spend(cellCountOf(shape) * partitions)) return std::nullopt;
    sums.push_back(cellArrayOf(shape, [&](llvm::ArrayRef<int64_t> index) {
      const DeviceCell &own =
          parts[device]->cells[placeOfIndex(index, shape.dimensions)];
      const auto at = relation.globalOf(device - first, index);
      if (!at || !mine) return own;
      std::vector<const DeviceCell *> cells(relation.sharding().parts());
      for (const ShardedRelation::Copy &copy : relation.copiesOf(*at)) {
        if (relation.sharding().holding(copy.device)->group != mine->group)
          continue;
        const CellArray &of = *parts[first + copy.device];
        if (!cells[copy.part])
          cells[copy.part] =
              &of.cells[placeOfIndex(copy.local, of.shape.dimensions)];
      }
      cells[mine->part] = &own;
      llvm::erase(cells, nullptr);
      return reduced(reducer, shape.type, {}, cells);
    }));
  }
  return sums;
}

std::optional<DeviceArrays> AllDevices::joined(
    const DeviceArrays &parts, const ArrayShape &whole,
    const ShardedRelation &relation) {
  DeviceArrays sums = parts;
  if (relation.sharding().parts() > 1) {
    auto added = withPartsAdded(parts, relation);
    if (!added) return std::nullopt;
    sums = *std::move(added);
  }
  const int64_t partitions = options_.devices.partitions;
  const int64_t groups = relation.sharding().groups();
  const int64_t count = cellCountOf(whole);
  if (count < 0) return fail("its sizes are too large");
  DeviceArrays arrays;
  for (int64_t first = 0; first < options_.devices.all(); first += partitions) {
    // Devices of one manual group have the whole value together.
    DeviceArrays ofGroup;
    for (int64_t g = 0; g < groups; ++g) {
      auto array = joinedGroup(llvm::ArrayRef(sums).slice(first, partitions),
                               whole, relation, g);
      if (!array) return std::nullopt;
      ofGroup.push_back(std::move(array));
    }
    for (int64_t p = 0; p < partitions; ++p) {
      const auto held = relation.sharding().holding(p);
      arrays.push_back(ofGroup[held ? held->group : 0]);
    }
  }
  return arrays;
}

CellArrayPtr AllDevices::joinedGroup(llvm::ArrayRef<CellArrayPtr> parts,
                                     const ArrayShape &whole,
                                     const ShardedRelation &relation,
                                     int64_t group) {
  const int64_t count = cellCountOf(whole);
  if (!spend(count)) return nullptr;
  auto array = std::make_shared<CellArray>();
  array->shape = whole;
  array->cells.resize(count);
  std::vector<bool> isSet(count, false);
  for (auto [p, part] : llvm::enumerate(parts)) {
    const auto held = relation.sharding().holding(p);
    if (!held || held->group != group) continue;
    if (!spend(part->cells.size())) return nullptr;
    Int64s index(part->shape.dimensions.size(), 0);
    for (size_t e = 0; e < part->cells.size();
         ++e, nextIndex(index, part->shape.dimensions)) {
      const auto at = relation.globalOf(p, index);
      if (!at) continue;
      const int64_t place = placeOfIndex(*at, whole.dimensions);
      if (isSet[place] && !isSame(array->cells[place], part->cells[e])) {
        fail("the copies of an element are not the same", 0, p);
        return nullptr;
      }
      array->cells[place] = part->cells[e];
      isSet[place] = true;
    }
  }
  if (llvm::is_contained(isSet, false)) {
    fail("no device holds an element");
    return nullptr;
  }
  return array;
}

std::optional<DeviceLeaves> AllDevices::shapeChange(
    const Instruction &of, const Computation &computation,
    const Operands &operands) {
  const ShapeList results = of.shape.leaves();
  if (operands.size() != 1 || results.size() != 1 || of.operands.size() != 1)
    return fail("it does not change one array");
  const ArrayShape &operand = operands[0]->front()->shape;
  std::optional<DeviceArrays> changed;
  if (of.customCallTarget == "SPMDFullToShardShape") {
    // The sharding of the result is that of the axes that are not manual.
    const auto relation = cutOf(
        computation.instructions[of.operands[0]].sharding, operand, results[0]);
    if (!relation) return std::nullopt;
    changed = cut(*operands[0], results[0], *relation);
  } else {
    const auto relation = cutOf(of.sharding, results[0], operand);
    if (!relation) return std::nullopt;
    changed = joined(*operands[0], results[0], *relation);
  }
  if (!changed) return std::nullopt;
  return DeviceLeaves{*std::move(changed)};
}

std::optional<DeviceLeaves> AllDevices::manualComputation(
    const Instruction &of, const Operands &operands) {
  if (!options_.sharding || of.called.size() != 1 ||
      of.called[0].computation < 0)
    return fail("a manual computation is not followed here");
  const Computation &body = module_.computations[of.called[0].computation];
  const StringRef configuration = of.op.descriptor().configuration;
  const auto in = shardingsIn(attributeOf(configuration, "in_shardings"));
  const auto out = shardingsIn(attributeOf(configuration, "out_shardings"));
  const auto manual = namesIn(attributeOf(configuration, "manual_axes"));
  const ShapeList results = of.shape.leaves();
  const size_t arguments = in.size();
  if (operands.size() != arguments || body.parameters.size() != arguments ||
      out.size() != results.size())
    return fail("there is not one sharding for each argument and result");
  std::vector<DeviceLeaves> parameters;
  for (size_t k = 0; k < arguments; ++k) {
    const ShapeList part = body.instructions[body.parameters[k]].shape.leaves();
    if (part.size() != 1) return fail("an argument is no array");
    const auto relation = cutOf(manualAxesOf(in[k], manual),
                                operands[k]->front()->shape, part[0]);
    if (!relation) return std::nullopt;
    auto arrays = cut(*operands[k], part[0], *relation);
    if (!arrays) return std::nullopt;
    parameters.push_back({*std::move(arrays)});
  }
  auto leaves = this->computation(of.called[0].computation, parameters);
  if (!leaves) return std::nullopt;
  if (leaves->size() != results.size())
    return fail("the body has another number of results");
  DeviceLeaves whole;
  for (size_t r = 0; r < results.size(); ++r) {
    const auto relation = cutOf(manualAxesOf(out[r], manual), results[r],
                                (*leaves)[r].front()->shape);
    if (!relation) return std::nullopt;
    auto arrays = joined((*leaves)[r], results[r], *relation);
    if (!arrays) return std::nullopt;
    whole.push_back(*std::move(arrays));
  }
  return whole;
}

}  // namespace indexical
