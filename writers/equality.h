// The result of `indexical equal`, for people and for tools.
//
//   different in reads (closed form)
//   result 0, parameter 1: different (closed form)
//     at index (3, 0), i = 2, only the first reads (7)
//     first: add.1, slice.2, p1
//   result 1, parameter 0: undecided: what an op of a module means is not known
//     because of `cc.3` (custom-call), line 17 of the first: it is not known
#ifndef INDEXICAL_WRITERS_EQUALITY_H
#define INDEXICAL_WRITERS_EQUALITY_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/equality/equality.h"
#include "indexical/writers/result.h"

namespace indexical {

/// Writes a pair of a result and a parameter as text, after its name: the
/// answer, then its evidence.
void writeLeaf(const LeafEquality &leaf, llvm::raw_ostream &os);

class EqualityResult : public Result {
 public:
  explicit EqualityResult(const EqualityAnswer &found) : found_(found) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  const EqualityAnswer &found_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_EQUALITY_H
