#include "indexical/same/partitioned/cuts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/sharding/program_shardings.h"

namespace indexical {
namespace {

// Ways to cut a value that are tried.
constexpr size_t kMostRelations = 8;

}  // namespace

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

std::vector<ShardedRelation> relationsOf(const EntryArrays &entry,
                                         llvm::ArrayRef<int64_t> whole,
                                         llvm::ArrayRef<int64_t> local) {
  const int64_t partitions = entry.devices.partitions;
  using Tiles = std::vector<int64_t>;
  std::vector<std::vector<Tiles>> choices;
  for (auto [size, part] : llvm::zip(whole, local)) {
    std::vector<Tiles> &own = choices.emplace_back();
    if (part == size) {
      own.push_back(Tiles(partitions, 0));
      continue;
    }
    for (const auto *arrays : {&entry.parameters, &entry.results})
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

}  // namespace indexical
