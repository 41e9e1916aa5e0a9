#include "indexical/import/llvm/endings.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include "indexical/import/llvm/memory_ops.h"

namespace indexical::compiled {
namespace {

using llvm::BasicBlock;
using llvm::CallBase;
using llvm::CallInst;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Loop;
using llvm::StringRef;

constexpr const char *kBlanks = " \t\n\r{}";

/// A way out of a thread: with its memory as it is, or by a failure.
struct Exit {
  bool fails = false;
  const llvm::Value *predicate = nullptr;  ///< null: always
  bool isNegated = false;
};

/// Whether an instruction of PTX or of AMD's assembly may go elsewhere than to
/// the next one: a branch, a label to which one goes, a call, an exit.
bool isControl(StringRef mnemonic) {
  // `L1:`, or with a statement behind it; not `shared::cta`.
  if (mnemonic.contains(':') && !mnemonic.contains("::")) return true;
  for (StringRef known : {"s_branch", "s_cbranch", "s_endpgm", "s_setpc",
                          "s_swappc", "s_trap", "s_call"})
    if (mnemonic.starts_with(known)) return true;
  const StringRef base = mnemonic.split('.').first;
  for (StringRef known : {"bra", "brx", "brkpt", "call", "exit", "ret", "trap"})
    if (base == known) return true;
  return false;
}

struct Assembly {
  /// The last statement, if it is an exit and nothing else goes elsewhere. One
  /// with a predicate is alone.
  std::optional<Exit> exit;
  bool hasControl = false;
};

Assembly assemblyOf(const CallBase &call) {
  const auto *code = dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!code) return {};
  Assembly found;
  const std::string text = withoutComments(code->getAsmString());
  llvm::SmallVector<StringRef, 8> statements, all;
  StringRef(text).split(all, ';');
  for (StringRef each : all) {
    each = each.trim(kBlanks);
    if (!each.empty() && !each.starts_with(".reg")) statements.push_back(each);
  }
  int controls = 0;
  for (const StringRef statement : statements) {
    llvm::SmallVector<StringRef, 8> words;
    llvm::SplitString(statement, words, kBlanks);
    controls += llvm::any_of(words, isControl);
  }
  found.hasControl = controls > 0;
  if (controls != 1) return found;
  StringRef last = statements.back();
  Exit exit;
  if (last.consume_front("@")) {
    exit.isNegated = last.consume_front("!");
    unsigned number = 0, outputs = 0;
    if (!last.consume_front("$") || last.consumeInteger(10, number))
      return found;
    for (const auto &constraint : code->ParseConstraints())
      outputs += constraint.Type == llvm::InlineAsm::isOutput;
    if (statements.size() > 1 || number < outputs ||
        number - outputs >= call.arg_size())
      return found;
    exit.predicate = call.getArgOperand(number - outputs);
    if (!exit.predicate->getType()->isIntegerTy()) return found;
    last = last.ltrim();
  }
  exit.fails = last == "trap";
  if (exit.fails || last == "exit") found.exit = exit;
  return found;
}

/// Returns how the call leaves the thread, or nothing if it returns, or may.
std::optional<Exit> exitOf(const CallInst &call) {
  if (call.isInlineAsm())
    if (const auto exit = assemblyOf(call).exit) return exit;
  if (const llvm::Function *callee = call.getCalledFunction()) {
    const StringRef name = callee->getName();
    if (name == "llvm.nvvm.exit" || name == "llvm.amdgcn.endpgm") return Exit{};
    if (name == "llvm.trap" || name == "llvm.ubsantrap" ||
        isFailedAssertion(name))
      return Exit{true};
  }
  if (call.doesNotReturn()) return Exit{true};
  return std::nullopt;
}

bool isEnd(const Instruction *at) {
  return isa<llvm::ReturnInst, llvm::UnreachableInst>(at);
}

/// Ends the block behind the call.
void endBehind(CallInst &call, bool fails) {
  BasicBlock *block = call.getParent();
  llvm::changeToUnreachable(call.getNextNode());
  if (fails) return;
  block->getTerminator()->eraseFromParent();
  llvm::ReturnInst::Create(block->getContext(), block);
}

/// Whether the call comes back, whatever it does.
bool returns(const CallBase &call) {
  if (call.isInlineAsm())
    return !assemblyOf(call).hasControl ||
           (isa<CallInst>(call) && isFollowedExit(llvm::cast<CallInst>(call)));
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee) return call.hasFnAttr(llvm::Attribute::WillReturn);
  const StringRef name = callee->getName();
  if (callee->isIntrinsic())
    return llvm::none_of(
        llvm::ArrayRef<StringRef>{"llvm.debugtrap", "llvm.amdgcn.kill",
                                  "llvm.amdgcn.unreachable",
                                  "llvm.amdgcn.s.sethalt"},
        [&](StringRef known) { return name.starts_with(known); });
  // The barrier of CUDA, and the libraries of functions of numbers.
  for (StringRef known : {"__syncthreads", "__nv_", "__ocml_", "__ockl_"})
    if (name.starts_with(known)) return true;
  return call.hasFnAttr(llvm::Attribute::WillReturn) || call.doesNotReturn() ||
         isFailedAssertion(name);
}

/// Whether others may see what the instruction does, so that a loop with it may
/// run for ever though progress is promised.
bool mayBeSeen(const Instruction &at) {
  if (const auto *load = dyn_cast<llvm::LoadInst>(&at))
    return load->isVolatile() || load->isAtomic();
  if (const auto *store = dyn_cast<llvm::StoreInst>(&at))
    return store->isVolatile() || store->isAtomic();
  if (isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::FenceInst>(at))
    return true;
  const auto *call = dyn_cast<CallBase>(&at);
  if (!call || at.isDebugOrPseudoInst()) return false;
  const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(call);
  if (intrinsic && intrinsic->isAssumeLikeIntrinsic()) return false;
  return call->mayHaveSideEffects() || call->isInlineAsm() || !returns(*call);
}

bool ends(const Loop &loop, llvm::ScalarEvolution &evolution) {
  if (loop.getHeader()->getParent()->willReturn()) return true;
  if (!isa<llvm::SCEVCouldNotCompute>(
          evolution.getSymbolicMaxBackedgeTakenCount(&loop)))
    return true;
  return llvm::isMustProgress(&loop) &&
         llvm::none_of(loop.blocks(), [](const BasicBlock *block) {
           return llvm::any_of(*block, mayBeSeen);
         });
}

/// Whether the loop ends for some values of an argument: a counter is compared
/// with it, which may overflow for others. `i < n`, in steps of 32.
bool endsForSome(const Loop &loop, llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::any_of(exiting, [&](const BasicBlock *block) {
    const auto *branch = dyn_cast<llvm::BranchInst>(block->getTerminator());
    const auto *compare = branch && branch->isConditional()
                              ? dyn_cast<llvm::ICmpInst>(branch->getCondition())
                              : nullptr;
    if (!compare || !compare->isRelational()) return false;
    for (unsigned k : {0U, 1U}) {
      const auto *counter = dyn_cast<llvm::SCEVAddRecExpr>(
          evolution.getSCEV(compare->getOperand(k)));
      const llvm::Value *bound = compare->getOperand(1 - k);
      while (isa<llvm::SExtInst, llvm::ZExtInst>(bound))
        bound = llvm::cast<llvm::CastInst>(bound)->getOperand(0);
      if (counter && counter->getLoop() == &loop && counter->isAffine() &&
          isa<llvm::SCEVConstant>(counter->getStepRecurrence(evolution)) &&
          isa<llvm::Argument>(bound))
        return true;
    }
    return false;
  });
}

}  // namespace

bool isFailedAssertion(StringRef name) {
  return name == "__assertfail" || name == "__assert_fail";
}

bool endAtExits(llvm::Function &function) {
  if (!function.getReturnType()->isVoidTy()) return false;
  llvm::SmallVector<CallInst *, 4> calls;
  for (Instruction &each : llvm::instructions(function))
    if (auto *call = dyn_cast<CallInst>(&each); call && exitOf(*call))
      calls.push_back(call);
  bool hasChanged = false;
  for (CallInst *call : llvm::reverse(calls)) {
    const Exit exit = *exitOf(*call);
    if (!exit.predicate) {
      const Instruction *next = call->getNextNode();
      if (exit.fails ? isa<llvm::UnreachableInst>(next)
                     : isa<llvm::ReturnInst>(next))
        continue;
      endBehind(*call, exit.fails);
      hasChanged = true;
      continue;
    }
    llvm::IRBuilder<> b(call);
    auto *is = const_cast<llvm::Value *>(exit.predicate);
    llvm::Value *leaves =
        exit.isNegated ? b.CreateIsNull(is) : b.CreateIsNotNull(is);
    Instruction *end = llvm::SplitBlockAndInsertIfThen(
        leaves, call->getNextNode(), /*Unreachable=*/true);
    call->moveBefore(end->getIterator());
    if (!exit.fails) {
      llvm::ReturnInst::Create(function.getContext(), end->getParent());
      end->eraseFromParent();
    }
    hasChanged = true;
  }
  if (hasChanged) llvm::EliminateUnreachableBlocks(function);
  return hasChanged;
}

bool isFollowedExit(const CallInst &call) {
  return call.getNextNode() && isEnd(call.getNextNode()) &&
         assemblyOf(call).exit.has_value();
}

Waits::Waits(const llvm::Function &function, const llvm::LoopInfo &loops,
             llvm::ScalarEvolution &evolution,
             llvm::ArrayRef<const Instruction *> barriers) {
  bool isForAll = false;  // for all values of the arguments
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    if (ends(*loop, evolution)) continue;
    llvm::SmallVector<BasicBlock *, 4> exits;
    loop->getUniqueExitBlocks(exits);
    const Instruction *begin = &*loop->getHeader()->getFirstNonPHIIt();
    add(*begin, "a loop", "may not end");
    // A witness of a violation is one for the other values.
    if (endsForSome(*loop, evolution)) continue;
    isForAll = true;
    for (const BasicBlock *exit : exits) spreadFrom(exit->front());
  }
  for (const Instruction &each : llvm::instructions(function)) {
    const auto *call = dyn_cast<CallBase>(&each);
    if (!call || returns(*call)) continue;
    isForAll = true;
    const llvm::Function *callee = call->getCalledFunction();
    add(each,
        call->isInlineAsm() ? "the assembly"
        : callee ? absl::StrCat("the call of `", callee->getName().str(), "`")
                 : "a call",
        call->isInlineAsm() ? "may leave the thread" : "may not return");
    spreadFrom(each);
  }
  if (!isForAll) return;
  // A thread may wait there for one that does not come.
  for (const Instruction *barrier : barriers) spreadFrom(*barrier);
  for (const Instruction &each : llvm::instructions(function))
    if (const auto *call = dyn_cast<CallBase>(&each);
        call && call->isConvergent())
      spreadFrom(each);
}

void Waits::add(const Instruction &at, std::string what, std::string mayNot) {
  if (first_) return;
  first_ = &at;
  what_ = std::move(what);
  mayNot_ = std::move(mayNot);
}

void Waits::spreadFrom(const Instruction &at) {
  llvm::SmallVector<const Instruction *, 16> todo = {&at};
  while (!todo.empty()) {
    const Instruction *from = todo.pop_back_val();
    const BasicBlock *block = from->getParent();
    const auto [known, isNew] = behind_.try_emplace(block, from);
    if (!isNew && from->comesBefore(known->second)) known->second = from;
    if (isNew)
      for (const BasicBlock *next : llvm::successors(block))
        todo.push_back(&next->front());
  }
}

bool Waits::mayComeBefore(const Instruction &at) const {
  const auto known = behind_.find(at.getParent());
  return known != behind_.end() && !at.comesBefore(known->second);
}

}  // namespace indexical::compiled
