// The answer of `indexical passes` about a chain of dumps, in all formats.
//
//   21 dumps, 9 passes changed something: 8 equal, 1 different, 0 undecided
//   algsimp of simplification: different
//     from d/m.f.0005.simplification.after_pipeline-start.before_x.txt
//     to   d/m.f.0006.simplification.after_algsimp.before_cse.txt
//     result 0, parameter 0: different (closed form)
//       at index (0, 1) only the first reads (1, 0)
//       first: t, p
//       second: r, p
//     first: t at line 8, p at line 7
//     second: r at line 8, p at line 7
#ifndef INDEXICAL_WRITERS_PASSES_H
#define INDEXICAL_WRITERS_PASSES_H

#include <cstdint>
#include <set>
#include <vector>

#include "absl/status/status.h"

#include "indexical/analysis/passes/compare_dumps.h"
#include "indexical/analysis/passes/dump_chain.h"
#include "indexical/writers/result.h"

namespace indexical {

class PassesResult : public Result {
 public:
  /// `compared[i]` compares the dumps i and i + 1 of the chain. If the call was
  /// ended, there are fewer. Pairs with other verdicts than `only` are counted
  /// and not shown. If `only` is empty, all pairs are shown, or in a text all
  /// that differ.
  PassesResult(const DumpChain &chain,
               const std::vector<DumpComparison> &compared,
               const std::set<Verdict> &only);

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void totals(AddTotal to) override;
  void section(llvm::raw_ostream &os, llvm::StringRef anchor) override;

 private:
  void writeSummary(llvm::raw_ostream &os) const;

  const DumpChain &chain_;
  const std::vector<DumpComparison> &compared_;
  const std::set<Verdict> &only_;
  int64_t changed_ = 0, equal_ = 0, fewer_ = 0, different_ = 0, undecided_ = 0;
  size_t first_;  ///< the first that is different, or the number of all
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_PASSES_H
