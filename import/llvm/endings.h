// The ends of the threads of a compiled kernel, and waits that may not end;
// private to import/llvm.
//
//   call void @llvm.trap()        what follows becomes `unreachable`
//   call void @llvm.nvvm.exit()   … becomes `ret void`
//   call void @__assertfail(…)    … becomes `unreachable`
//   asm "@$0 exit;", "b"(i1 %c)   a branch by %c to a block that returns
//   while (*flag == 0);           with a volatile load: it may not end, and
//                                 what stands behind it may never be done
//
// A loop ends if ScalarEvolution bounds its turns, or if the language promises
// progress (`mustprogress`) and a turn does nothing that other threads may see.
#ifndef INDEXICAL_IMPORT_LLVM_ENDINGS_H
#define INDEXICAL_IMPORT_LLVM_ENDINGS_H

#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace indexical::compiled {

/// Ends the blocks of a function, whose calls are inlined, behind calls that do
/// not return, and removes blocks that no thread reaches then. Returns whether
/// it changed the function.
bool endAtExits(llvm::Function &function);

/// Returns whether a function of that name ends the launch: CUDA's or HIP's for
/// an assertion that fails.
bool isFailedAssertion(llvm::StringRef name);

/// Returns whether the assembly is a way out that endAtExits() has followed.
bool isFollowedExit(const llvm::CallInst &call);

/// The instructions from which a thread may never go on.
class Waits {
 public:
  /// `barriers` are all of the function.
  Waits(const llvm::Function &function, const llvm::LoopInfo &loops,
        llvm::ScalarEvolution &evolution,
        llvm::ArrayRef<const llvm::Instruction *> barriers);

  /// Returns the first such instruction, or of a loop one of its header; null
  /// if there is none.
  const llvm::Instruction *first() const { return first_; }
  /// Say what it is, and what it may not do: `a loop`, `may not end`.
  const std::string &what() const { return what_; }
  const std::string &mayNot() const { return mayNot_; }
  /// Returns whether the instruction may stand behind one of them, or behind a
  /// barrier at which threads wait for each other.
  bool mayComeBefore(const llvm::Instruction &at) const;

 private:
  void add(const llvm::Instruction &at, std::string what, std::string mayNot);
  void spreadFrom(const llvm::Instruction &at);

  const llvm::Instruction *first_ = nullptr;
  std::string what_, mayNot_;
  /// By block: its first instruction that stands behind one of them.
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::Instruction *> behind_;
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_ENDINGS_H
