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

}  // namespace

DumpComparison sameText() {
  DumpComparison comparison;
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
                                            const EqualityOptions &options) {
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
  return comparison;
}

}  // namespace indexical
