#include "indexical/same/partitioned/draws.h"

#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/sharding/program_shardings.h"
#include "indexical/same/partitioned/cuts.h"

namespace indexical {
namespace {

bool isDraw(const Instruction &of) {
  return of.op && of.op.kind().name == "rng" && of.shape.leaves().size() == 1;
}

bool drawsBelow(const Program &program) {
  const Module &module = program.modules[0];
  for (auto [c, computation] : llvm::enumerate(module.computations))
    if (ComputationId(c) != module.entry &&
        llvm::any_of(computation.instructions, isDraw))
      return true;
  return false;
}

std::vector<InstructionId> drawsIn(const Program &program) {
  std::vector<InstructionId> draws;
  const Computation &entry = entryOf(program);
  for (size_t i = 0; i < entry.instructions.size(); ++i)
    if (isDraw(entry.instructions[i])) draws.push_back(InstructionId(i));
  return draws;
}

/// Returns how the devices have the draw, each element once.
std::optional<ShardedRelation> relationOf(const Program &global,
                                          const Instruction &draw,
                                          const EntryArrays &entry) {
  const Module &module = global.modules[0];
  ShardingContext context = shardingContextOf(module);
  context.devices = devicesNamed(entry);
  auto shardings =
      shardingsOf(global, module, draw, context, devicesNamed(entry));
  if (!shardings.ok() || shardings->size() != 1) return std::nullopt;
  const Sharding &sharding = shardings->front();
  int64_t tiles = 1;
  for (int64_t each : sharding.tiles()) tiles *= each;
  auto relation =
      ShardedRelation::make(draw.shape.leaves()[0].dimensions, sharding);
  if (!relation.ok() || sharding.none() != NoElements::None ||
      sharding.parts() != 1 || tiles != entry.devices.all())
    return std::nullopt;
  return *std::move(relation);
}

}  // namespace

std::vector<Draw> commonDraws(const Program &global, const Program &local,
                              const EntryArrays &entry) {
  std::vector<Draw> common;
  const std::vector<InstructionId> whole = drawsIn(global),
                                   parts = drawsIn(local);
  if (whole.empty() || parts.empty() || drawsBelow(global) || drawsBelow(local))
    return common;
  auto named = [](const Program &program, llvm::ArrayRef<InstructionId> draws,
                  llvm::StringRef name) {
    std::vector<InstructionId> found;
    for (InstructionId each : draws)
      if (entryOf(program).instructions[each].metadata.opName == name)
        found.push_back(each);
    return found;
  };
  for (InstructionId of : whole) {
    const Instruction &draw = entryOf(global).instructions[of];
    InstructionId other = parts.front();
    if (whole.size() > 1 || parts.size() > 1) {
      const llvm::StringRef name = draw.metadata.opName;
      const auto own = named(global, whole, name),
                 same = named(local, parts, name);
      if (name.empty() || own.size() != 1 || same.size() != 1) continue;
      other = same.front();
    }
    const Instruction &part = entryOf(local).instructions[other];
    auto relation = relationOf(global, draw, entry);
    const ArrayShape local = part.shape.leaves()[0];
    if (!relation ||
        draw.op.descriptor().configuration !=
            part.op.descriptor().configuration ||
        draw.shape.leaves()[0].type != local.type ||
        relation->local() != llvm::ArrayRef<int64_t>(local.dimensions))
      continue;
    common.push_back({of, other, *std::move(relation)});
  }
  return common;
}

}  // namespace indexical
