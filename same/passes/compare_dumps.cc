#include "indexical/same/passes/compare_dumps.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/sizes.h"
#include "indexical/same/equality/hidden_effects.h"
#include "indexical/same/partitioned/local_modules.h"

namespace indexical {

DumpComparison notCompared(std::string reason) {
  DumpComparison comparison;
  comparison.verdict.doubt(std::move(reason));
  return comparison;
}

namespace {

std::vector<InstructionLine> linesOf(const Module &module,
                                     llvm::ArrayRef<std::string> names) {
  const Computation &entry = module.computations[module.entry];
  std::vector<InstructionLine> lines;
  for (const std::string &name : names) {
    const int32_t found = entry.find(name);
    // MLIR's `return` is no op of its own.
    if (found >= 0 && entry.instructions[found].terminator) continue;
    lines.push_back(
        {name, found < 0 ? 0 : entry.instructions[found].place.line});
  }
  return lines;
}

/// Whether a module says how it is spread over devices.
bool isSharded(const Module &module) {
  if (module.partitionCount > 1) return true;
  const Computation &entry = module.computations[module.entry];
  return llvm::any_of(entry.parameters, [&](int32_t parameter) {
    return !entry.instructions[parameter].sharding.empty();
  });
}

/// Compares a module with what a partitioner made of it. `reason` says why they
/// cannot be compared as they are.
absl::StatusOr<DumpComparison> comparePartitions(
    const Program &before, const Program &after,
    const DumpComparisonOptions &options, std::string reason) {
  if (!isSharded(before.modules[0]) && !isSharded(after.modules[0]))
    return notCompared(std::move(reason));
  PartitionedOptions partitioned;
  partitioned.parameters = options.parameters;
  if (options.operations) partitioned.operations = *options.operations;
  auto equality = comparePartitioned(before, after, partitioned);
  INDEXICAL_RETURN_IF_ERROR(options.check());
  if (!equality.ok())
    return notCompared(std::move(reason) + "; partitioned: " +
                       std::string(equality.status().message()));
  DumpComparison comparison;
  // The level says what is asked of dumps, whichever way they are compared.
  comparison.verdict = equality->verdict;
  comparison.verdict.level = Level::Reads;
  comparison.partitioned = *std::move(equality);
  return comparison;
}

/// Compares two modules that one device runs each, of all devices. `alone` is
/// what comparing them as one device runs them gave.
absl::StatusOr<DumpComparison> compareDevices(
    const Program &before, const Program &after,
    const DumpComparisonOptions &options, DumpComparison alone) {
  PartitionedOptions devices;
  devices.areLocal = true;
  devices.parameters = options.parameters;
  if (options.operations) devices.operations = *options.operations;
  if (options.values) devices.floats = options.values->floats;
  auto equality = comparePartitioned(before, after, devices);
  INDEXICAL_RETURN_IF_ERROR(options.check());
  if (!equality.ok() || !equality->verdict.isDecided()) return alone;
  // Other devices may give what this one lacks, so that its reads differ.
  if (equality->verdict.answer == Verdict::Different &&
      alone.verdict.isDecided())
    return alone;
  DumpComparison comparison;
  comparison.verdict = equality->verdict;
  comparison.verdict.level = options.values ? Level::Values : Level::Reads;
  comparison.partitioned = *std::move(equality);
  return comparison;
}

}  // namespace

DumpComparison sameText(const DumpComparisonOptions &options) {
  DumpComparison comparison;
  comparison.verdict.settle(options.values ? Level::Values : Level::Reads,
                            Verdict::Same);
  comparison.sameText = true;
  return comparison;
}

bool readAlikeByTerms(const ModuleTerms &first, const ModuleTerms &second) {
  const Computation *entries[2];
  for (int side : {0, 1}) {
    const Module &module = (side ? second : first).module;
    if (module.entry < 0 || module.computations[module.entry].root < 0)
      return false;
    entries[side] = &module.computations[module.entry];
  }
  auto shapeOf = [&](int side, int32_t i) {
    return entries[side]->instructions[i].shape.leaves();
  };
  // Open sizes may be known if both modules can run, which only maps show.
  auto areAlike = [](const ShapeList &a, const ShapeList &b) {
    if (a.size() != b.size()) return false;
    for (size_t k = 0; k < a.size(); ++k)
      if (a[k].type != b[k].type || !(a[k].dimensions == b[k].dimensions) ||
          hasOpenSize(a[k]) || hasOpenSize(b[k]))
        return false;
    return true;
  };
  if (entries[0]->parameters.size() != entries[1]->parameters.size())
    return false;
  for (auto [a, b] : llvm::zip(entries[0]->parameters, entries[1]->parameters))
    if (!areAlike(shapeOf(0, a), shapeOf(1, b))) return false;
  const InstructionId roots[] = {entries[0]->root, entries[1]->root};
  const ShapeList results = shapeOf(0, roots[0]);
  if (!areAlike(results, shapeOf(1, roots[1]))) return false;
  for (LeafId k; k < static_cast<int64_t>(results.size()); ++k)
    if (first.terms.of({roots[0], k}).reads !=
        second.terms.of({roots[1], k}).reads)
      return false;
  return true;
}

DumpComparison sameTerms(const Module &first, const Module &second) {
  DumpComparison comparison;
  comparison.verdict.assumed = assumptionsOf(first, second);
  comparison.verdict.answer = Verdict::Same;
  comparison.equality.emplace().byTerms = true;
  return comparison;
}

absl::StatusOr<DumpComparison> compareModules(
    const Module &before, const Module &after,
    const DumpComparisonOptions &options) {
  const Module *modules[] = {&before, &after};
  auto same = compare(before, after, options);
  INDEXICAL_RETURN_IF_ERROR(options.check());
  if (!same.ok()) return notCompared(std::string(same.status().message()));
  DumpComparison comparison;
  comparison.verdict = std::move(same->verdict);
  const auto first =
      llvm::find_if(same->reads.leaves, [](const LeafEquality &leaf) {
        return leaf.decision.answer == Answer::No;
      });
  if (first != same->reads.leaves.end())
    for (int side : {0, 1})
      comparison.ways[side] = linesOf(*modules[side], first->paths[side]);
  comparison.equality = std::move(same->reads);
  comparison.values = std::move(same->values);
  return comparison;
}

absl::StatusOr<DumpComparison> compareDumps(
    const Program &before, const Program &after,
    const DumpComparisonOptions &options) {
  for (const Program *program : {&before, &after})
    if (program->modules.size() != 1)
      return notCompared("a dump has " +
                         std::to_string(program->modules.size()) +
                         " modules, and one can be compared");
  auto comparison =
      compareModules(before.modules[0], after.modules[0], options);
  if (!comparison.ok() || before.modules[0].entry < 0 ||
      after.modules[0].entry < 0)
    return comparison;
  if (comparison->equality) {
    PartitionedOptions partitioned;
    partitioned.parameters = options.parameters;
    if (!comparison->verdict.isSame() && meanLocal(before, after, partitioned))
      return compareDevices(before, after, options, *std::move(comparison));
    return comparison;
  }
  return comparePartitions(before, after, options, comparison->verdict.reason);
}

}  // namespace indexical
