// Parts of a program that say what each device computes, with the devices as a
// dimension.
//
//   x = f32[4] parameter(0), sharding={devices=[2]<=[2]}
//   m = f32[2] custom-call(x), custom_call_target="SPMDFullToShardShape"
//
//   m, with 2 devices in front:  f32[2,2] reshape(x)
//
// A whole value is without the dimension of devices, but inside a part that is
// manual in some axes of the mesh: there each group has one.
#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/same/partitioned/manual_text.h"
#include "indexical/same/partitioned/stacker.h"

namespace indexical {

using llvm::StringRef;

std::optional<ShardedRelation> Stacker::relationOf(StringRef sharding,
                                                   const ArrayShape &whole,
                                                   const ArrayShape &part) {
  if (sharding.empty() || !readSharding_) {
    fail("its sharding is not stated");
    return std::nullopt;
  }
  auto read = readSharding_(sharding, whole);
  auto relation = read.ok() ? ShardedRelation::make(whole.dimensions, *read)
                            : absl::StatusOr<ShardedRelation>(read.status());
  if (!relation.ok() || read->none() != NoElements::None ||
      relation->local() != llvm::ArrayRef(part.dimensions)) {
    fail("its sharding does not cut the whole value into what a device has");
    return std::nullopt;
  }
  return *std::move(relation);
}

std::optional<Stacked> Stacker::cutOfEach(Stacked whole,
                                          const ShardedRelation &relation) {
  const Sharding &sharding = relation.sharding();
  if (!whole.isOfDevice) return cut(whole, relation);
  if (sharding.parts() > 1) return std::nullopt;
  Int64s low(whole.shape.rank(), 0), high = {0};
  std::vector<Stacked> starts;
  for (size_t k = 0; k < sharding.rank(); ++k) {
    const int64_t size = relation.local()[k];
    high.push_back(sharding.tiles()[k] * size - relation.global()[k]);
    if (high.back() != 0) return std::nullopt;
    std::vector<int64_t> table;
    for (int64_t device = 0; device < devices_.all(); ++device) {
      const auto held = sharding.holding(device % devices_.partitions);
      if (!held) return std::nullopt;
      table.push_back(held->tile[k] * size);
    }
    starts.push_back(
        writer_.integers(ElementType::S64, {devices_.all()}, table));
  }
  return writer_.slicesAt(whole, starts, relation.local());
}

std::optional<Stacked> Stacker::joined(Stacked parts,
                                       const ShardedRelation &relation) {
  const Sharding &sharding = relation.sharding();
  if (sharding.isReplicated() && !parts.isOfDevice) return parts;
  const StringRef reduction = sharding.reduction();
  if (sharding.parts() > 1 && !reduction.empty() && reduction != "sum" &&
      reduction != "add")
    return std::nullopt;
  parts = writer_.onDevices(parts);
  const llvm::ArrayRef<int64_t> tiles = sharding.tiles();
  int64_t count = 1;
  for (int64_t each : tiles) count *= each;
  const int64_t groups = sharding.groups(), sums = sharding.parts();
  // Who has a tile of a part, of each group.
  std::vector<std::vector<int64_t>> holders(sums * groups * count);
  std::vector<int64_t> groupOf;
  size_t most = 0;
  for (int64_t device = 0; device < devices_.all(); ++device) {
    const auto held = sharding.holding(device % devices_.partitions);
    if (!held) return std::nullopt;
    groupOf.push_back(held->group);
    int64_t place = held->part * groups + held->group;
    for (auto [tile, number] : llvm::zip(tiles, held->tile))
      place = place * tile + number;
    holders[place].push_back(device);
    most = std::max(most, holders[place].size());
  }
  if (llvm::any_of(holders, [](const auto &each) { return each.empty(); }))
    return std::nullopt;
  std::optional<Stacked> first;
  for (int64_t part = 0; part < sums; ++part) {
    std::optional<Stacked> own;
    for (size_t copy = 0; copy < most; ++copy) {
      std::vector<int64_t> table;
      for (int64_t k = 0; k < groups * count; ++k) {
        const auto &all = holders[part * groups * count + k];
        table.push_back(all[std::min(copy, all.size() - 1)]);
      }
      const Stacked each = whole(writer_.rows(parts, table), relation, groups);
      // Copies must be the same.
      if (own)
        duties_.push_back({*own, each});
      else
        own = each;
    }
    first = part == 0 ? *own
                      : writer_.elementwise(kindOf<ElementwiseOp>("add"),
                                            {*first, *own}, own->shape.type);
  }
  if (groups == 1) {
    first->isOfDevice = false;
    return writer_.reshape(*first, relation.global());
  }
  Stacked of = writer_.rows(*first, groupOf);
  of.isOfDevice = true;
  return of;
}

std::optional<StackedLeaves> Stacker::shapeChange(const Site &site) {
  const ShapeList results = site.of.shape.leaves();
  if (site.operands.size() != 1 || results.size() != 1 ||
      site.of.operands.size() != 1)
    return fail("it does not change one array");
  ArrayShape operand = site.operands[0].shape;
  if (site.operands[0].isOfDevice)
    operand.dimensions.erase(operand.dimensions.begin());
  std::optional<Stacked> changed;
  if (site.of.customCallTarget == "SPMDFullToShardShape") {
    // The sharding of the result is that of the axes that are not manual.
    const auto relation = relationOf(module_.computations[site.computation]
                                         .instructions[site.of.operands[0]]
                                         .sharding,
                                     operand, results[0]);
    if (!relation) return std::nullopt;
    changed = cutOfEach(site.operands[0], *relation);
  } else {
    const auto relation = relationOf(site.of.sharding, results[0], operand);
    if (!relation) return std::nullopt;
    changed = joined(site.operands[0], *relation);
  }
  if (!changed) return fail("a manual part is not followed as terms");
  return StackedLeaves{*changed};
}

std::optional<StackedLeaves> Stacker::manualComputation(const Site &site) {
  const Instruction &of = site.of;
  if (!readSharding_ || of.called.size() != 1 || of.called[0].computation < 0)
    return fail("a manual computation is not followed here");
  const ComputationId body = of.called[0].computation;
  const StringRef configuration = of.op.descriptor().configuration;
  const auto in = shardingsIn(attributeOf(configuration, "in_shardings"));
  const auto out = shardingsIn(attributeOf(configuration, "out_shardings"));
  const auto manual = namesIn(attributeOf(configuration, "manual_axes"));
  const ShapeList results = of.shape.leaves();
  if (site.operands.size() != in.size() || out.size() != results.size() ||
      module_.computations[body].parameters.size() != in.size())
    return fail("there is not one sharding for each argument and result");
  std::vector<StackedLeaves> parameters;
  for (size_t k = 0; k < in.size(); ++k) {
    const Computation &inside = module_.computations[body];
    const ShapeList part =
        inside.instructions[inside.parameters[k]].shape.leaves();
    if (part.size() != 1) return fail("an argument is not an array");
    ArrayShape operand = site.operands[k].shape;
    if (site.operands[k].isOfDevice)
      operand.dimensions.erase(operand.dimensions.begin());
    const auto relation =
        relationOf(manualAxesOf(in[k], manual), operand, part[0]);
    if (!relation) return std::nullopt;
    const auto own = cutOfEach(site.operands[k], *relation);
    if (!own) return fail("a manual part is not followed as terms");
    parameters.push_back({*own});
  }
  const StackedLeaves leaves = computation(body, parameters);
  if (leaves.size() != results.size())
    return fail("the body has another number of results");
  StackedLeaves all;
  for (size_t r = 0; r < results.size(); ++r) {
    if (!leaves[r].isKnown()) return fail("a result is not known");
    ArrayShape part = leaves[r].shape;
    if (leaves[r].isOfDevice) part.dimensions.erase(part.dimensions.begin());
    const auto relation =
        relationOf(manualAxesOf(out[r], manual), results[r], part);
    if (!relation) return std::nullopt;
    const auto own = joined(leaves[r], *relation);
    if (!own) return fail("a manual part is not followed as terms");
    all.push_back(*own);
  }
  return all;
}

}  // namespace indexical
