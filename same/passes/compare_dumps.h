// Whether the module of a dump still reads the same as that of the dump before.
//
//   before  a = f32[6] dynamic-slice(p, i), dynamic_slice_sizes={6}   line 7
//           ROOT b = f32[3] dynamic-slice(a, j), …                    line 8
//   after   k = s32[] add(i, j)                                       line 7
//           ROOT b = f32[3] dynamic-slice(p, k), …                    line 8
//
//   verdict  Different
//   way      before: b at line 8, a at line 7, p at line 4
//            after:  b at line 8, p at line 4
//
// The comparison is that of values/sameness.h. If the second has parameters of
// other sizes, and one of them says how it is sharded, the second is compared
// as the first one, partitioned (partitioned/partitioned_equality.h). A pair
// that cannot be compared at all is Undecided, and has a reason.
#ifndef INDEXICAL_SAME_PASSES_COMPARE_DUMPS_H
#define INDEXICAL_SAME_PASSES_COMPARE_DUMPS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "indexical/same/terms/program_terms.h"
#include "indexical/same/values/module_values.h"
#include "indexical/same/values/sameness.h"
#include "indexical/same/verdict/verdict.h"

namespace indexical {

/// An instruction of an entry, and its line in the file.
struct InstructionLine {
  std::string instruction;
  uint32_t line = 0;
};

/// A kernel that was compiled, and the instruction that runs it.
struct CompiledKernel {
  std::string kernel, instruction;
  Verdict verdict;
};

struct DumpComparison {
  /// Its reason says why both cannot be compared.
  Verdict verdict;
  /// Whether both are the same text, so that nothing was compared.
  bool sameText = false;
  /// The answers of the pairs. Empty if both are the same text, if the second
  /// is partitioned, or if they cannot be compared.
  std::optional<ModuleEquality> equality;
  /// The results as values, if these were compared.
  std::optional<ValueEquality> values;
  /// Set if the second is compared as the first one, partitioned.
  std::optional<PartitionedEquality> partitioned;
  /// If the second is the compiled kernels of the first: each of them.
  std::vector<CompiledKernel> kernels;
  /// The instructions that lead to the first difference, from the root on, in
  /// the dump before and in the one after.
  std::vector<InstructionLine> ways[2];
};

using DumpComparisonOptions = SamenessOptions;

/// A module and its terms. readAlikeByTerms() returns whether terms alone show
/// that two modules read the same; false means nothing. The terms of both are
/// in one table, which a chain of dumps can keep: terms that dumps share are
/// then found once.
struct ModuleTerms {
  const Module &module;
  const ProgramTerms &terms;
};
bool readAlikeByTerms(const ModuleTerms &first, const ModuleTerms &second);

/// Returns the comparison of two dumps whose terms show that they read the
/// same.
DumpComparison sameTerms(const Module &first, const Module &second);
/// Returns the comparison of two dumps that are the same text: they are equal.
DumpComparison sameText(const DumpComparisonOptions &options);
/// Returns a comparison that is undecided for this reason.
DumpComparison notCompared(std::string reason);

/// Compares the entries of two modules: a compiler's own question between two
/// of its passes. Returns an error only if the budget's stop is reached.
absl::StatusOr<DumpComparison> compareModules(
    const Module &before, const Module &after,
    const DumpComparisonOptions &options = {});

/// Compares two programs of one module each; the second may be the first one,
/// partitioned. Returns an error only if the budget's stop is reached.
absl::StatusOr<DumpComparison> compareDumps(
    const Program &before, const Program &after,
    const DumpComparisonOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PASSES_COMPARE_DUMPS_H
