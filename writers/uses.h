// The uses of an instruction are written as text, as a structure and as a
// table.
#ifndef INDEXICAL_WRITERS_USES_H
#define INDEXICAL_WRITERS_USES_H

#include <vector>

#include "indexical/answers/uses/uses.h"
#include "indexical/writers/result.h"

namespace indexical {

class UsesResult : public Result {
 public:
  /// Up to `jobs` threads write.
  UsesResult(const UseQuestion &question, const InstructionUses &found,
             size_t jobs = 1)
      : question_(question), found_(found), jobs_(jobs) {}

  /// Returns the columns of the table: a row for each array.
  static std::vector<llvm::StringRef> columns();

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  const UseQuestion &question_;
  const InstructionUses &found_;
  const size_t jobs_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_USES_H
