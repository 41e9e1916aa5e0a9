// Two dumps of a chain: does the module still read what it read?
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
// The comparison is that of equality/module_equality.h. A pair that cannot be
// compared at all (a pass that changes the sizes of parameters, as a
// partitioner does) is Undecided, and `reason` says why.
#ifndef INDEXICAL_ANALYSIS_PASSES_COMPARE_DUMPS_H
#define INDEXICAL_ANALYSIS_PASSES_COMPARE_DUMPS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/program/program.h"

namespace indexical {

enum class Verdict : uint8_t {
  Equal,
  FewerReads,  ///< a stated law drops what the second does not read
  Undecided,
  Different,
};

/// An instruction of an entry, and its line in the file.
struct InstructionLine {
  std::string instruction;
  uint32_t line = 0;
};

struct DumpComparison {
  Verdict verdict = Verdict::Undecided;
  /// They are the same text, and nothing was compared.
  bool sameText = false;
  /// The answers of the pairs. Empty if both are the same text, or if `reason`
  /// says why they cannot be compared.
  std::optional<ModuleEquality> equality;
  std::string reason;
  /// The instructions that lead to the first difference, from the root on, in
  /// the dump before and in the one after.
  std::vector<InstructionLine> ways[2];
};

/// Returns the comparison of two dumps that are the same text: they are equal.
DumpComparison sameText();
/// Returns an undecided comparison with its reason.
DumpComparison notCompared(std::string reason);

/// Compares two programs of one module each. An error only where the budget's
/// stop is reached.
absl::StatusOr<DumpComparison> compareDumps(const Program &before,
                                            const Program &after,
                                            const EqualityOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_PASSES_COMPARE_DUMPS_H
