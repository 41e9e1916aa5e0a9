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

#include "indexical/answers/passes/passes.h"
#include "indexical/writers/result.h"

namespace indexical {

/// In a text without `only`, equal pairs are not shown.
class PassesResult : public Result {
 public:
  explicit PassesResult(const PassesAnswer &found) : found_(found) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;
  void totals(AddTotal to) override;
  void section(llvm::raw_ostream &os, llvm::StringRef anchor) override;

 private:
  void writeSummaryLine(llvm::raw_ostream &os) const;

  const PassesAnswer &found_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_PASSES_H
