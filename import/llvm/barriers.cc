#include "indexical/import/llvm/barriers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"

#include "indexical/program/kernel/pieces.h"

namespace indexical::compiled {

namespace {

using kernels::KernelBarrier;
using llvm::BasicBlock;
using llvm::Loop;
using llvm::StringRef;

/// Returns the name of what is called, or the text of assembly.
std::string calledName(const llvm::CallBase &call) {
  if (const auto *code =
          llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return code->getAsmString().str();
  const llvm::Function *callee = call.getCalledFunction();
  return callee ? callee->getName().str() : "";
}

/// Returns whether lanes of a warp wait for each other there, or get values of
/// each other.
bool isOfLanes(const llvm::CallBase &call) {
  const std::string name = calledName(call);
  for (const char *known :
       {"shfl", "vote", "match.", "bar.warp", "redux", "elect.sync", "mma",
        "mfma", "matrix", "permute", "permlane", "swizzle", "dpp", "readlane",
        "readfirstlane", "ballot", "wave."})
    if (StringRef(name).contains(known)) return true;
  return call.isConvergent() && !isWholeBarrier(call);
}

/// Returns whether what happens there may depend on what another thread has
/// done.
bool seesOthers(const llvm::Instruction &at) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&at))
    return load->isVolatile() || load->isAtomic();
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::FenceInst>(
          at))
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&at);
  if (!call || isWholeBarrier(*call)) return false;
  return call->mayReadOrWriteMemory() || call->isInlineAsm();
}

}  // namespace

/// Returns whether the term has one value for all threads of a block, in each
/// turn of its loops.
bool BarrierPlacer::isUniform(TermId term) {
  const auto [known, isNew] = uniform_.try_emplace(term, false);
  if (!isNew) return known->second;
  const kernels::TermNode node = terms_.terms()[term];
  bool is = true;
  switch (node.kind) {
    case TermKind::Coordinate:
    case TermKind::Unknown:
    case TermKind::Placeholder:
      is = false;
      break;
    case TermKind::Loaded: {
      const auto arrays = terms_.terms().buffersOf(node.operands[0]);
      // Behind the pointer is what is loaded if the array may change.
      is = node.operands.size() <= 2 && isUniform(node.operands[0]) && arrays &&
           llvm::all_of(*arrays, [&](int64_t array) {
             return readOnly_.count(array) != 0;
           });
      return uniform_[term] = is;
    }
    default:
      break;
  }
  for (const TermId operand : node.operands) is = is && isUniform(operand);
  return uniform_[term] = is;
}

bool BarrierPlacer::isPassedTogether(const llvm::Instruction &barrier) {
  const BasicBlock *block = barrier.getParent();
  if (!isWholeBarrier(barrier) || terms_.isInStrangeCycle(block)) return false;
  for (const Loop *loop = terms_.loopOf(block); loop;
       loop = loop->getParentLoop()) {
    const auto trips = terms_.trips(loop);
    if (!trips || !isUniform(*trips)) return false;
  }
  const TermId reaches = terms_.reaches(block);
  if (isUniform(reaches)) return true;
  if (terms_.loopOf(block)) return false;
  const auto passes =
      kernels::PieceMaker(terms_.terms(), space_, stop_)
          .bounds(terms_.make(TermKind::Select, 64,
                              {reaches, terms_.number(1), terms_.number(0)}));
  return passes.ok() && passes->lower == 1;
}

const llvm::Instruction *BarrierPlacer::notPassedByAll() {
  for (const llvm::Instruction *barrier : ops_.barriers)
    if (!isPassedTogether(*barrier)) return barrier;
  return nullptr;
}

bool BarrierPlacer::areCertain() {
  if (!areCertain_)
    areCertain_ = llvm::all_of(ops_.barriers, [&](const auto *barrier) {
      return isPassedTogether(*barrier);
    });
  return *areCertain_;
}

const std::set<const BasicBlock *> &BarrierPlacer::leavingBefore(
    const BasicBlock *barrier) {
  const auto [known, isNew] = leaving_.try_emplace(barrier);
  if (!isNew) return known->second;
  std::set<const BasicBlock *> &found = known->second;
  const Loop *loop = terms_.loopOf(barrier);
  std::vector<const BasicBlock *> open;
  const auto add = [&](const BasicBlock *block) {
    if (block != barrier && found.insert(block).second) open.push_back(block);
  };
  for (const BasicBlock &block : function_) {
    if (loop && !loop->contains(&block)) continue;
    const bool leaves =
        llvm::succ_empty(&block) ||
        (loop &&
         llvm::any_of(llvm::successors(&block), [&](const BasicBlock *next) {
           return next == loop->getHeader() || !loop->contains(next);
         }));
    if (leaves) add(&block);
  }
  while (!open.empty()) {
    const BasicBlock *block = open.back();
    open.pop_back();
    // The turn before is another one.
    if (loop && block == loop->getHeader()) continue;
    for (const BasicBlock *before : llvm::predecessors(block))
      if (!loop || loop->contains(before)) add(before);
  }
  return found;
}

bool BarrierPlacer::isPassedWith(size_t number,
                                 const llvm::Instruction &access) {
  if (!areCertain()) return false;
  const BasicBlock *at = access.getParent();
  const BasicBlock *barrier = ops_.barriers[number]->getParent();
  return at == barrier || terms_.dominators().dominates(barrier, at) ||
         leavingBefore(barrier).count(at) == 0;
}

std::vector<KernelBarrier> BarrierPlacer::barriers() {
  std::vector<KernelBarrier> found;
  for (const llvm::Instruction *at : ops_.barriers) {
    const BasicBlock *block = at->getParent();
    KernelBarrier barrier;
    const Loop *innermost = terms_.loopOf(block);
    for (const Loop *loop = innermost; loop; loop = loop->getParentLoop())
      barrier.loops.insert(barrier.loops.begin(), terms_.numberOf(loop));
    const BasicBlock *begin =
        innermost ? innermost->getHeader() : &function_.getEntryBlock();
    barrier.isAlways = areCertain() && leavingBefore(block).count(begin) == 0;
    barrier.isInEachTurn = barrier.isAlways;
    if (innermost && areCertain() && !barrier.isAlways) {
      // A turn that another one follows comes to the only latch.
      const BasicBlock *latch = innermost->getLoopLatch();
      barrier.isInEachTurn =
          latch && terms_.dominators().dominates(block, latch);
    }
    found.push_back(std::move(barrier));
  }
  return found;
}

/// Returns whether a thread may stay in the loop until another one did
/// something.
bool BarrierPlacer::waits(const Loop *loop) {
  if (terms_.trips(loop)) return false;
  return llvm::any_of(loop->blocks(), [](const BasicBlock *block) {
    return llvm::any_of(*block, seesOthers);
  });
}

std::string BarrierPlacer::orderOfPrograms() {
  std::set<const Loop *> loops;
  for (const BasicBlock &block : function_)
    for (const Loop *loop = terms_.loopOf(&block); loop;
         loop = loop->getParentLoop())
      if (loops.insert(loop).second && waits(loop))
        return "a loop may wait for what another thread does";
  return "";
}

std::string BarrierPlacer::otherOrder() {
  if (!areCertain())
    return "whether all threads of a block pass a barrier is not known";
  return orderOfPrograms();
}

std::string BarrierPlacer::orderOfLanes() const {
  for (const llvm::Instruction &at : llvm::instructions(function_))
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&at);
        call && isOfLanes(*call))
      return "whether lanes of a warp that exchange values have an order is "
             "not known";
  return "";
}

}  // namespace indexical::compiled
