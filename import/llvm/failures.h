// The places where a thread has no defined result; private to import/llvm.
//
//   br i1 %c, label %a, label %b      %c is poison: no way on
//   unreachable                       behind a trap
//   call void @llvm.assume(i1 %c)     where %c is false
//
// Nothing is claimed of the memory that such a thread leaves.
#ifndef INDEXICAL_IMPORT_LLVM_FAILURES_H
#define INDEXICAL_IMPORT_LLVM_FAILURES_H

#include <cstdint>
#include <optional>

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "indexical/import/llvm/placed_access.h"
#include "indexical/import/llvm/thread_tile.h"
#include "indexical/import/llvm/value_terms.h"
#include "indexical/indexing/budget.h"

namespace indexical::compiled {

/// An instruction, and what it may do: `what`, its line, `does`.
struct Doubt {
  const llvm::Instruction *at = nullptr;
  const char *what = "";
  const char *does = "";
};

class Failures {
 public:
  /// `order` is the number of no access. All but `stop` have to outlive the
  /// object.
  Failures(llvm::Function &function, ValueTerms &terms, AccessPlacer &placer,
           const ThreadTile &tile, int64_t order, const Stop *stop);

  /// Returns where a thread may fail: it comes to `unreachable`, as behind a
  /// trap, or to a branch by what has no value.
  std::optional<Doubt> first();
  /// Returns what is taken for true and is not known to be, if there is such a
  /// thing.
  std::optional<Doubt> assumed();
  /// Returns whether the code takes anything for granted of numbers, beside the
  /// launch.
  bool hasAssumptions() const;

 private:
  std::optional<Doubt> branch(const llvm::Instruction &end);
  bool mayComeTo(const llvm::Instruction &end, const llvm::Value &pointer);

  llvm::Function &function_;
  ValueTerms &terms_;
  AccessPlacer &placer_;
  const ThreadTile &tile_;
  const int64_t order_;
  const Stop *stop_;
  kernels::PieceSpace threads_;
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_FAILURES_H
