#include "indexical/answers/uses/uses.h"

#include <algorithm>

#include "llvm/ADT/SmallVector.h"

#include "indexical/answers/find_instruction.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// Returns a tile of a result of unknown sizes. The number of its points is
/// unknown, so figures are formulas.
absl::StatusOr<Share> openTile(const ArrayShape &shape,
                               llvm::ArrayRef<int64_t> sizes,
                               llvm::ArrayRef<int64_t> at) {
  llvm::SmallVector<int64_t, 4> least(shape.dimensions.begin(),
                                      shape.dimensions.end());
  for (size_t k = 0; k < std::min(least.size(), at.size()); ++k)
    if (least[k] == kDynamicSize && at[k] < Interval::kInfinity - 1)
      least[k] = at[k] + 1;
  auto share = Share::tile(least, sizes, at);
  if (share.ok()) share->points = std::nullopt;
  return share;
}

absl::StatusOr<Share> shareOf(const UseQuestion &question,
                              const Instruction &instruction,
                              const ArrayShape &shape) {
  if (question.threads) {
    if (question.threads->results().size() != shape.dimensions.size())
      return errorAt(instruction.place,
                     "the thread map has " +
                         std::to_string(question.threads->results().size()) +
                         " results, and `" + instruction.name.str() + "` is " +
                         shape.str());
    return Share::block(*question.threads, question.blockIndex());
  }
  if (question.tile.empty()) return Share::whole();
  const std::vector<int64_t> at = question.tileBegin();
  if (shape.hasUnknownSize()) return openTile(shape, question.tile, at);
  return Share::tile(shape.dimensions, question.tile, at);
}

/// Adds formulas for the operands that have no figures because of sizes.
absl::Status addFormulas(const UseQuestion &question, ComputationId computation,
                         InstructionId instruction, ProgramIndexing &maps,
                         InstructionUses &found) {
  if (question.threads) return absl::OkStatus();
  const std::vector<int64_t> at = question.tileBegin();
  AskedShare share;
  share.tile.assign(question.tile.begin(), question.tile.end());
  share.at.assign(at.begin(), at.end());
  for (ArrayUse &each : found.operands) {
    const Footprint &f = each.use.footprint;
    if (f.why == Unfound::Nothing && f.size) continue;
    INDEXICAL_ASSIGN_OR_RETURN(auto formulas,
                               useFormulasOf(maps, computation, instruction,
                                             LeafId(each.use.operand), share));
    if (!formulas.size || formulas.sizes.runtime().empty()) continue;
    each.openSizes = openSizesOf(formulas.sizes, maps);
    each.formulas = std::move(formulas);
  }
  return absl::OkStatus();
}

std::vector<ArrayUse> named(std::vector<Use> uses, const Module &module,
                            const ProgramIndexing &maps,
                            const NamedInstruction &of) {
  const Computation &own = module.computations[of.computation];
  std::vector<ArrayUse> all;
  for (Use &use : uses) {
    ArrayUse each;
    const Computation &where =
        use.computation < 0 ? own : module.computations[use.computation];
    each.name = where.instructions[use.instruction].name;
    for (int64_t source : use.footprint.dependsOn)
      each.dependsOn +=
          (each.dependsOn.empty() ? "" : ", ") +
          sourceName(module, of.computation, &own.instructions[of.instruction],
                     maps.value(source))
              .str();
    each.use = std::move(use);
    all.push_back(std::move(each));
  }
  return all;
}

}  // namespace

absl::StatusOr<InstructionUses> usesOf(const Program &program,
                                       const UseQuestion &question,
                                       const Ask &ask) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto of,
      findInstruction(program, question.computation, question.instruction));
  if (of.inOthers)
    ask.messages.note({}, "several modules have it; the first one's is meant");
  InstructionUses found;
  found.module = &program.modules[of.module];
  found.computation = &found.module->computations[of.computation];
  found.instruction = &found.computation->instructions[of.instruction];
  const auto leaves = found.instruction->shape.leaves();
  if (leaves.empty())
    return errorAt(found.instruction->place,
                   "`" + found.instruction->name.str() + "` has no array");
  auto share = shareOf(question, *found.instruction, leaves[0]);
  if (!share.ok()) return withPlace(share.status(), found.instruction->place);
  ProgramIndexing maps(*found.module, /*prover=*/nullptr, ask.budget);
  llvm::SmallVector<bool, 4> used(question.runtime.size(), false);
  UtilizationOptions how;
  how.exact = ExactOptions(ask.budget);
  how.mostPoints = ask.budget.operationsOr(how.mostPoints);
  how.unread = question.unread;
  how.jobs = ask.jobs;
  how.runtimeValue = [&](const IndexingMap &map,
                         size_t i) -> std::optional<int64_t> {
    const RuntimeVariable &variable = map.runtime()[i];
    if (variable.source.kind != RuntimeSource::Kind::Element)
      return std::nullopt;
    const StringRef name =
        sourceName(*found.module, of.computation, found.instruction,
                   maps.value(variable.source.tensor));
    for (size_t k = 0; k < question.runtime.size(); ++k)
      if (StringRef(question.runtime[k].first) == name) {
        used[k] = true;
        return question.runtime[k].second;
      }
    return std::nullopt;
  };
  INDEXICAL_ASSIGN_OR_RETURN(
      auto all, utilizationOf(maps, of.computation, of.instruction, *share,
                              question.inside, how));
  for (size_t k = 0; k < used.size(); ++k)
    if (!used[k])
      return errorAt({}, "no runtime variable has the value of `" +
                             question.runtime[k].first +
                             "` for the whole share");
  found.operands = named(std::move(all.operands), *found.module, maps, of);
  found.inside = named(std::move(all.inside), *found.module, maps, of);
  INDEXICAL_RETURN_IF_ERROR(
      addFormulas(question, of.computation, of.instruction, maps, found));
  return found;
}

}  // namespace indexical
