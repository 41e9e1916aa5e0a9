// Under which condition a thread comes to a block: the ways to it from the
// blocks that dominate it, each of which is known to be passed.
//
//   entry -> a if p, else b; a -> c; b -> c if q     c: p or (not p and q)
//
// The condition is that of one turn of the loops around the block. A loop that
// is behind a thread has ended, so that what happened in it says nothing.
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"

#include "indexical/import/llvm/value_terms.h"

namespace indexical::compiled {

using llvm::BasicBlock;
using llvm::Loop;

TermId ValueTerms::edge(const BasicBlock *from, const BasicBlock *to) {
  const llvm::Instruction *last = from->getTerminator();
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(last)) {
    if (branch->isUnconditional() ||
        branch->getSuccessor(0) == branch->getSuccessor(1))
      return number(1, 1);
    const TermId condition = integer(branch->getCondition());
    return branch->getSuccessor(0) == to ? condition : negated(condition);
  }
  if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(last)) {
    if (choice->getCondition()->getType()->getIntegerBitWidth() > 64)
      return unknown(last, 1);
    const TermId value = integer(choice->getCondition());
    const int32_t bits = terms_[value].bits;
    // The cases that lead there; if all others do, those that do not.
    const bool isDefault = choice->getDefaultDest() == to;
    TermId any = number(0, 1);
    for (const auto &way : choice->cases())
      if ((way.getCaseSuccessor() == to) != isDefault)
        any = either(
            any,
            make(TermKind::Equal, 1,
                 {value, number(way.getCaseValue()->getSExtValue(), bits)}));
    return isDefault ? negated(any) : any;
  }
  return unknown(last, 1);
}

const Loop *ValueTerms::outermostLeft(const Loop *loop,
                                      const BasicBlock *to) const {
  if (!loop || loop->contains(to)) return nullptr;
  while (loop->getParentLoop() && !loop->getParentLoop()->contains(to))
    loop = loop->getParentLoop();
  return loop;
}

/// The condition of the way out of a loop that a thread is in: it leaves there
/// or elsewhere.
TermId ValueTerms::leaves(const Loop *loop, const BasicBlock *from,
                          const BasicBlock *to) {
  llvm::SmallVector<BasicBlock *, 4> exits;
  loop->getUniqueExitBlocks(exits);
  if (exits.size() == 1) return number(1, 1);
  // Several exits: which one is taken is what a turn decided that is not known
  // here.
  (void)to;
  return unknown(from->getTerminator(), 1);
}

bool ValueTerms::isInStrangeCycle(const BasicBlock *block) {
  if (!strange_) {
    strange_.emplace();
    // Cycles whose entries are several have no header that dominates them.
    llvm::CycleInfo cycles;
    cycles.compute(function_);
    llvm::SmallVector<const llvm::Cycle *, 8> open;
    for (const llvm::Cycle *each : cycles.toplevel_cycles())
      open.push_back(each);
    llvm::SmallVector<const BasicBlock *, 16> todo;
    while (!open.empty()) {
      const llvm::Cycle *cycle = open.pop_back_val();
      if (!cycle->isReducible())
        todo.append(cycle->block_begin(), cycle->block_end());
      for (const llvm::Cycle *inner : cycle->children()) open.push_back(inner);
    }
    while (!todo.empty()) {
      const BasicBlock *at = todo.pop_back_val();
      if (strange_->insert(at).second)
        todo.append(llvm::succ_begin(at), llvm::succ_end(at));
    }
  }
  return strange_->count(block) != 0;
}

/// Whether every way from one block comes to the other, in the same turn of the
/// loop that both are in.
bool ValueTerms::isAlwaysPassed(const BasicBlock *from,
                                const BasicBlock *to) const {
  if (!dominators_.dominates(from, to) || !postDominators_.dominates(to, from))
    return false;
  const Loop *loop = loops_.getLoopFor(to);
  if (!loop) return true;
  // A turn may end, or the loop may be left, before it is there.
  const BasicBlock *latch = loop->getLoopLatch();
  if (!latch || !dominators_.dominates(to, latch)) return false;
  llvm::SmallVector<BasicBlock *, 4> exiting;
  loop->getExitingBlocks(exiting);
  return llvm::all_of(exiting, [&](const BasicBlock *exit) {
    return dominators_.dominates(to, exit) ||
           dominators_.properlyDominates(exit, from);
  });
}

TermId ValueTerms::reachFrom(const BasicBlock *from, const BasicBlock *to) {
  if (from == to) return number(1, 1);
  const auto key = std::make_pair(from, to);
  const auto known = reachedFrom_.find(key);
  if (known != reachedFrom_.end()) return known->second;
  const Loop *loop = loops_.getLoopFor(to);
  auto keep = [&](TermId condition) {
    for (Trail &trail : trails_) trail.ways.push_back(key);
    return reachedFrom_[key] = condition;
  };
  if (loop == loops_.getLoopFor(from) && isAlwaysPassed(from, to))
    return keep(number(1, 1));
  // A way around that is no loop comes back to where it is asked from.
  if (!asked_.insert(key).second) return unknown(to->getTerminator(), 1);
  TermId all = number(0, 1);
  std::set<const Loop *> left;
  for (const BasicBlock *before : llvm::predecessors(to)) {
    if (loop && loop->getHeader() == to && loop->contains(before)) continue;
    if (!dominators_.isReachableFromEntry(before) ||
        !dominators_.dominates(from, before))
      continue;
    const Loop *out = outermostLeft(loops_.getLoopFor(before), to);
    if (!out) {
      all = either(all, both(reachFrom(from, before), edge(before, to)));
      continue;
    }
    if (out->contains(from)) {
      all = either(all, leaves(out, before, to));
      continue;
    }
    // All exits of a loop lead here if it has one block behind it.
    llvm::SmallVector<BasicBlock *, 4> exits;
    out->getUniqueExitBlocks(exits);
    const TermId entered = reachFrom(from, out->getHeader());
    if (exits.size() != 1)
      all = either(all, both(entered, leaves(out, before, to)));
    else if (left.insert(out).second)
      all = either(all, entered);
  }
  asked_.erase(key);
  return keep(all);
}

TermId ValueTerms::reaches(const BasicBlock *block) {
  const auto known = reached_.find(block);
  if (known != reached_.end()) return known->second;
  TermId condition = number(1, 1);
  const BasicBlock *at = block;
  while (true) {
    const auto *node = dominators_.getNode(at);
    if (!node || !node->getIDom()) break;
    const BasicBlock *above = node->getIDom()->getBlock();
    const Loop *out = outermostLeft(loops_.getLoopFor(above), at);
    condition = both(reachFrom(above, at), condition);
    // A turn of a loop decides nothing behind it: a thread is there if it came
    // to the loop.
    if (out) above = out->getHeader();
    at = above;
  }
  for (Trail &trail : trails_) trail.blocks.push_back(block);
  return reached_[block] = condition;
}

}  // namespace indexical::compiled
