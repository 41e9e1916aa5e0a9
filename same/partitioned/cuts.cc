#include "indexical/same/partitioned/cuts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/same/partitioned/stacker.h"

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

int64_t devicesNamed(const EntryArrays &entry) {
  for (const auto *arrays : {&entry.parameters, &entry.results})
    for (const ShardedArray &array : *arrays)
      if (array.relation &&
          array.relation->sharding().devices() == entry.devices.all())
        return entry.devices.all();
  return entry.devices.partitions;
}

std::vector<ShardedRelation> relationsOf(const EntryArrays &entry,
                                         llvm::ArrayRef<int64_t> whole,
                                         llvm::ArrayRef<int64_t> local) {
  const int64_t partitions = devicesNamed(entry);
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

ElementwiseOps::ElementwiseOps(const Computation &in) : in_(in) {
  for (size_t i = 0; i < in.instructions.size(); ++i) {
    const Instruction &of = in.instructions[i];
    if (!isOne(of)) continue;
    std::vector<InstructionId> operands;
    for (InstructionId operand : of.operands)
      operands.push_back(origin(operand));
    ops_.try_emplace(keyOf(of, std::move(operands)), InstructionId(i));
  }
}

InstructionId ElementwiseOps::origin(InstructionId at) const {
  while (at >= 0) {
    const Instruction &of = in_.instructions[at];
    const auto *forward = of.op.as<ForwardOp>();
    const bool handsOn = of.operands.size() == 1 && of.shape->isArray() &&
                         in_.instructions[of.operands[0]].shape->isArray() &&
                         (isTransfer(of) || of.opcode == "copy" ||
                          (forward && forward->reads.size() == 1 &&
                           forward->reads[0] == 0 && isForwarded(of.op, 0, 0)));
    if (!handsOn) break;
    at = of.operands[0];
  }
  return at;
}

std::optional<InstructionId> ElementwiseOps::find(
    const Instruction &like, llvm::ArrayRef<InstructionId> of) const {
  const auto found = ops_.find(keyOf(like, of.vec()));
  if (found == ops_.end()) return std::nullopt;
  return found->second;
}

bool ElementwiseOps::isOne(const Instruction &of) {
  if (!of.op.is<ElementwiseOp>() || !of.called.empty() || of.operands.empty() ||
      !of.shape->isArray())
    return false;
  const OpShapes &shapes = shapesOf(of.op);
  return shapes.operands.size() == of.operands.size() &&
         llvm::all_of(shapes.operands, [&](const ArrayShape &operand) {
           return operand.dimensions == shapes.results[0].dimensions;
         });
}

bool ElementwiseOps::isOfChain(const Instruction &of) {
  const llvm::StringRef name = of.op.kind().name;
  return isOne(of) && of.operands.size() == 2 &&
         (name == "add" || name == "subtract" || name == "multiply");
}

std::string ElementwiseOps::keyOf(const Instruction &like,
                                  std::vector<InstructionId> of) {
  const llvm::StringRef name = like.op.kind().name;
  if (name == "add" || name == "multiply" || name == "maximum" ||
      name == "minimum" || name == "and" || name == "or" || name == "xor")
    llvm::sort(of);
  const OpShapes &shapes = shapesOf(like.op);
  std::string key = name.str();
  key += "\n" + like.op.descriptor().configuration;
  key += "\n" + ArrayShape(shapes.results[0].type, {}).str();
  for (const ArrayShape &operand : shapes.operands)
    key += " " + ArrayShape(operand.type, {}).str();
  for (InstructionId each : of)
    key += " " + std::to_string(static_cast<int64_t>(each));
  return key;
}

}  // namespace indexical
