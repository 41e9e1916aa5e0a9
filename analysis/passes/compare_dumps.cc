#include "indexical/analysis/passes/compare_dumps.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

std::vector<InstructionLine> linesOf(const Module &module,
                                     llvm::ArrayRef<std::string> names) {
  const Computation &entry = module.computations[module.entry];
  std::vector<InstructionLine> lines;
  for (const std::string &name : names) {
    const int32_t found = entry.find(name);
    lines.push_back(
        {name, found < 0 ? 0 : entry.instructions[found].place.line});
  }
  return lines;
}

Verdict verdictOf(Answer answer) {
  switch (answer) {
    case Answer::Yes:
      return Verdict::Equal;
    case Answer::No:
      return Verdict::Different;
    case Answer::Undecided:
      return Verdict::Undecided;
  }
  return Verdict::Undecided;
}

/// Whether the second is the first after laws that drop reads. An error only
/// where the budget's stop is reached.
absl::Status explainByLaws(const Module &first, const Module &second,
                           const EqualityOptions &options,
                           DumpComparison &comparison) {
  ModuleAfterLaws after = dropReads(first);
  if (after.applied.empty()) return absl::OkStatus();
  const auto equality = compareReads(after.module, second, options);
  if (absl::Status end = options.check(); !end.ok()) return end;
  if (!equality.ok() || equality->answer != Answer::Yes)
    return absl::OkStatus();
  comparison.verdict = Verdict::FewerReads;
  comparison.dropped = std::move(after.applied);
  return absl::OkStatus();
}

/// Decides what reads do not tell apart. An error only where the budget's stop
/// is reached.
absl::Status decideByValues(const Module &first, const Module &second,
                            const DumpOptions &options,
                            DumpComparison &comparison) {
  auto values = compareValues(first, second, *options.values, options);
  if (absl::Status end = options.check(); !end.ok()) return end;
  comparison.level = Level::Values;
  comparison.verdict =
      values.ok() && values->isEqual ? Verdict::Equal : Verdict::Undecided;
  if (values.ok())
    comparison.values = *std::move(values);
  else
    comparison.reason = std::string(values.status().message());
  return absl::OkStatus();
}

}  // namespace

DumpComparison sameText(const DumpOptions &options) {
  DumpComparison comparison;
  if (options.values) comparison.level = Level::Values;
  comparison.verdict = Verdict::Equal;
  comparison.sameText = true;
  return comparison;
}

DumpComparison notCompared(std::string reason) {
  DumpComparison comparison;
  comparison.reason = std::move(reason);
  return comparison;
}

absl::StatusOr<DumpComparison> compareDumps(const Program &before,
                                            const Program &after,
                                            const DumpOptions &options) {
  for (const Program *program : {&before, &after})
    if (program->modules.size() != 1)
      return notCompared("a dump has " +
                         std::to_string(program->modules.size()) +
                         " modules, and one can be compared");
  const Module *modules[] = {&before.modules[0], &after.modules[0]};
  auto equality = compareReads(*modules[0], *modules[1], options);
  if (absl::Status end = options.check(); !end.ok()) return end;
  if (!equality.ok())
    return notCompared(std::string(equality.status().message()));
  DumpComparison comparison;
  comparison.verdict = verdictOf(equality->answer);
  const auto first =
      llvm::find_if(equality->leaves, [](const LeafEquality &leaf) {
        return leaf.decision.answer == Answer::No;
      });
  if (first != equality->leaves.end())
    for (int side : {0, 1})
      comparison.ways[side] = linesOf(*modules[side], first->paths[side]);
  comparison.equality = *std::move(equality);
  if (comparison.verdict == Verdict::Different)
    if (absl::Status end =
            explainByLaws(*modules[0], *modules[1], options, comparison);
        !end.ok())
      return end;
  if (options.values && (comparison.verdict == Verdict::Equal ||
                         comparison.verdict == Verdict::Undecided))
    if (absl::Status end =
            decideByValues(*modules[0], *modules[1], options, comparison);
        !end.ok())
      return end;
  return comparison;
}

}  // namespace indexical
