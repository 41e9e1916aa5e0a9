#include "indexical/program/sharding/program_shardings.h"

#include <algorithm>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/program/sharding/cursor.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Adds the meshes of `{mesh = #sdy.mesh<["x"=2]>, other = …}`. Its quotes may
/// be escaped.
void addMeshes(StringRef text, ShardingContext &context) {
  // There are no braces within the braces.
  text.consume_front("{");
  text = text.take_until([](char c) { return c == '}' || c == '\n'; });
  while (true) {
    const size_t equals = text.find("=");
    if (equals == StringRef::npos) return;
    const StringRef name = text.take_front(equals).trim(" ,\"\\");
    const size_t begin = text.find('<'), end = text.find('>');
    if (begin == StringRef::npos || end == StringRef::npos || end < begin)
      return;
    context.meshes[name.str()] = text.slice(begin, end + 1).str();
    text = text.drop_front(end + 1);
  }
}

/// Returns the place of a byte of `text` in the program's text, or `otherwise`
/// if `text` is no part of it.
Place placeIn(const Program &program, StringRef text, Place inText,
              Place otherwise) {
  if (!program.text) return otherwise;
  const StringRef whole = *program.text;
  if (text.begin() < whole.begin() || text.end() > whole.end() ||
      inText.line != 1)
    return otherwise;
  return placeOfOffset(whole, text.begin() - whole.begin() + inText.column - 1);
}

}  // namespace

ShardingContext shardingContextOf(const Module &module) {
  ShardingContext context;
  if (module.partitionCount > 1) context.devices = module.partitionCount;
  constexpr llvm::StringLiteral key = "xla.sdy.meshes=";
  const StringRef text = module.text;
  for (size_t at = text.find(key); at != StringRef::npos;
       at = text.find(key, at + 1))
    addMeshes(text.drop_front(at + key.size()), context);
  return context;
}

int64_t devicesOf(const Module &module, const ShardingContext &context) {
  if (context.devices > 0) return context.devices;
  std::set<StringRef> seen;
  int64_t devices = -1;
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions) {
      if (instruction.sharding.empty() ||
          !seen.insert(instruction.sharding).second)
        continue;
      auto leaves = parseShardingText(instruction.sharding, context);
      if (!leaves.ok()) continue;
      for (const ShardingText &leaf : *leaves) {
        if (leaf.kind != ShardingText::Kind::Tiled) continue;
        int64_t count = 1;
        for (int64_t size : leaf.grid) count *= size;
        if (devices >= 0 && devices != count) return -1;
        devices = count;
      }
    }
  return devices;
}

bool isPartitioned(const Module &module) {
  return module.entry >= 0 &&
         module.computations[module.entry].name.ends_with("_spmd");
}

absl::StatusOr<std::vector<Sharding>> shardingsOf(const Program &program,
                                                  const Module &,
                                                  const Instruction &of,
                                                  ShardingContext context,
                                                  int64_t devices) {
  if (of.sharding.empty()) return std::vector<Sharding>();
  auto shardings = shardingsOf(of.sharding, of.shape, context, devices);
  if (shardings.ok()) return shardings;
  const absl::Status &status = shardings.status();
  const Place inText = placeOf(status).value_or(Place{1, 1});
  return errorAt(placeIn(program, of.sharding, inText, of.place),
                 std::string(status.message()), suggestionOf(status));
}

absl::StatusOr<std::vector<ShardedLeaf>> shardedLeaves(
    const Program &program, const Module &module,
    const ShardingContext &context) {
  std::vector<ShardedLeaf> all;
  const int64_t devices = devicesOf(module, context);
  for (auto [c, computation] : llvm::enumerate(module.computations))
    for (auto [i, instruction] : llvm::enumerate(computation.instructions)) {
      INDEXICAL_ASSIGN_OR_RETURN(
          auto shardings,
          shardingsOf(program, module, instruction, context, devices));
      for (auto [leaf, sharding] : llvm::enumerate(shardings))
        all.push_back({ComputationId(c), InstructionId(i), LeafId(leaf),
                       std::move(sharding)});
    }
  return all;
}

StringRef sourceOf(StringRef text, bool isMlir) {
  const bool shardy = text.trim().starts_with("#sdy.");
  if (isMlir) return shardy ? "sdy" : "mhlo.sharding";
  return shardy ? "frontend" : "sharding";
}

}  // namespace indexical
