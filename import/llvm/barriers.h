// Which barriers all threads of a block pass together, and what else may order
// them; private to import/llvm.
//
//   a loop of n turns: store s[t], barrier, load s[t + 1]
//     in each turn, with both accesses
//   in block 0 alone: load s[t], barrier
//     with the load, and not always
//   in the first warp alone: barrier
//     not all threads pass it: the threads have an order that is not known
//
// Threads pass a barrier together if whether they come to it, and how often the
// loops around it run, depends on blocks, arguments and turns alone, or if
// bounds show that all threads come to it. Threads that meet at two different
// barriers make the order of all of them unknown, so that one barrier that is
// not certain is a doubt about each pair of accesses.
#ifndef INDEXICAL_IMPORT_LLVM_BARRIERS_H
#define INDEXICAL_IMPORT_LLVM_BARRIERS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include "indexical/import/llvm/memory_ops.h"
#include "indexical/import/llvm/placed_access.h"
#include "indexical/import/llvm/value_terms.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::compiled {

class BarrierPlacer {
 public:
  /// All arguments but `stop` have to outlive the object. `space` is that of
  /// an access, without loops.
  BarrierPlacer(const llvm::Function &function, ValueTerms &terms,
                const MemoryOps &ops, const std::set<int64_t> &readOnly,
                kernels::PieceSpace space, const Stop *stop)
      : function_(function),
        terms_(terms),
        ops_(ops),
        readOnly_(readOnly),
        space_(std::move(space)),
        stop_(stop) {}

  /// Returns the barriers, without the accesses in front of them or with them.
  /// If all are certain, an entry is not `isAlways` only if all threads of a
  /// block decide alike. Else no entry is.
  std::vector<kernels::KernelBarrier> barriers();
  /// Returns a barrier that not all threads of a block pass together, as far as
  /// is known: some may wait for ever. Returns null if there is none.
  const llvm::Instruction *notPassedByAll();
  /// Returns why threads may have an order that barriers() does not say; empty:
  /// they have none.
  std::string otherOrder();
  /// Returns the same of programs, and of lanes of one warp.
  std::string orderOfPrograms();
  std::string orderOfLanes() const;
  /// Returns whether a thread that makes the access passes barrier `number` in
  /// the same turn of its loops, and all threads of its block do. The barrier's
  /// loops are around the access.
  bool isPassedWith(size_t number, const llvm::Instruction &access);

 private:
  bool isUniform(TermId term);
  bool isPassedTogether(const llvm::Instruction &barrier);
  bool areCertain();
  bool waits(const llvm::Loop *loop);
  const std::set<const llvm::BasicBlock *> &leavingBefore(
      const llvm::BasicBlock *barrier);

  const llvm::Function &function_;
  ValueTerms &terms_;
  const MemoryOps &ops_;
  const std::set<int64_t> &readOnly_;
  const kernels::PieceSpace space_;
  const Stop *stop_;
  std::map<TermId, bool> uniform_;
  /// By the block of a barrier: the blocks from which a turn of its innermost
  /// loop, or the function, may end without it.
  std::map<const llvm::BasicBlock *, std::set<const llvm::BasicBlock *>>
      leaving_;
  std::optional<bool> areCertain_;
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_BARRIERS_H
