#include "indexical/import/llvm/contraction.h"

#include <set>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

namespace {

// The most values that one question passes through.
constexpr size_t kMostPassed = 256;

using Test = llvm::function_ref<bool(const llvm::Instruction &)>;

bool hasContract(const llvm::Instruction &at) {
  const auto *op = dyn_cast<llvm::FPMathOperator>(&at);
  return op && op->hasAllowContract();
}

bool isSum(const llvm::Instruction &at) {
  return at.getOpcode() == llvm::Instruction::FAdd ||
         at.getOpcode() == llvm::Instruction::FSub;
}

/// Whether the call is of a function whose name holds the word.
bool calls(const llvm::Instruction &at, llvm::StringRef word) {
  const auto *call = dyn_cast<llvm::CallInst>(&at);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().contains(word);
}

/// A product, or an op that has one in it: to divide by a constant is one.
bool isProduct(const llvm::Instruction &at) {
  return hasContract(at) && (at.getOpcode() == llvm::Instruction::FMul ||
                             (at.getOpcode() == llvm::Instruction::FDiv &&
                              isa<llvm::Constant>(at.getOperand(1))) ||
                             calls(at, "fma") || calls(at, "fmuladd"));
}

/// Whether the function may have stored what is loaded: the array is not one
/// that it only reads.
bool mayLoadOwn(const llvm::Instruction &at) {
  if (isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(at)) return true;
  const auto *load = dyn_cast<llvm::LoadInst>(&at);
  if (!load) return false;
  const auto *argument = dyn_cast<llvm::Argument>(
      llvm::getUnderlyingObject(load->getPointerOperand()));
  return !argument || !argument->onlyReadsMemory();
}

/// Whether an op passes numbers on as they are, but for their sign and type.
bool passesOn(const llvm::Instruction &at) {
  return isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::FPExtInst,
             llvm::BitCastInst, llvm::ExtractElementInst,
             llvm::InsertElementInst, llvm::ShuffleVectorInst,
             llvm::ExtractValueInst, llvm::InsertValueInst>(at) ||
         at.getOpcode() == llvm::Instruction::FNeg;
}

/// Whether no compiler sees the operands in the result: that of a comparison,
/// of a load, or of a function of numbers that makes other ones.
bool hidesNumbers(const llvm::Instruction &at) {
  if (isa<llvm::LoadInst, llvm::CmpInst>(at)) return true;
  if (!isa<llvm::CallBase>(at) || !at.getType()->isFPOrFPVectorTy())
    return false;
  for (const char *known :
       {"min", "max", "copysign", "fabs", "canonicalize", "fma", "fmuladd"})
    if (calls(at, known)) return false;
  return true;
}

/// Whether an operand of the op, or what comes to it through others and through
/// memory, is such an op. A compiler sees through ops that take a number apart
/// and put it together again.
bool isMadeOf(const llvm::Instruction &of, Test isSuch) {
  auto isAnywhere = [&] {
    for (const llvm::BasicBlock &block : *of.getFunction())
      for (const llvm::Instruction &each : block)
        if (isSuch(each)) return true;
    return false;
  };
  std::set<const Value *> seen;
  std::vector<const llvm::Instruction *> left = {&of};
  while (!left.empty()) {
    const llvm::Instruction *at = left.back();
    left.pop_back();
    for (const Value *operand : at->operands()) {
      const auto *from = dyn_cast<llvm::Instruction>(operand);
      if (!from || !seen.insert(from).second) continue;
      if (isSuch(*from) || seen.size() > kMostPassed) return true;
      if (mayLoadOwn(*from) && isAnywhere()) return true;
      if (!hidesNumbers(*from)) left.push_back(from);
    }
  }
  return false;
}

/// Whether the result of the op goes to such an op.
bool goesTo(const llvm::Instruction &from, Test isSuch) {
  std::set<const Value *> seen;
  std::vector<const llvm::Instruction *> left = {&from};
  while (!left.empty()) {
    const llvm::Instruction *at = left.back();
    left.pop_back();
    for (const llvm::User *user : at->users()) {
      const auto *to = dyn_cast<llvm::Instruction>(user);
      if (!to || !seen.insert(to).second) continue;
      if (isSuch(*to) || seen.size() > kMostPassed) return true;
      if (passesOn(*to)) left.push_back(to);
    }
  }
  return false;
}

/// Whether the op adds 1 or subtracts it: (a + 1) * b is a * b + b.
bool addsOne(const llvm::Instruction &at) {
  if (!isSum(at)) return false;
  for (const Value *operand : at.operands()) {
    const auto *constant = dyn_cast<llvm::Constant>(operand);
    if (constant && constant->getType()->isVectorTy())
      constant = constant->getSplatValue();
    const auto *number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
    if (number && (number->isExactlyValue(1.0) || number->isExactlyValue(-1.0)))
      return true;
  }
  return false;
}

}  // namespace

bool mayBeFused(const llvm::Instruction &at) {
  using Is = llvm::Instruction;
  if (!hasContract(at) || passesOn(at)) return false;
  auto isFusedSum = [](const Is &op) { return isSum(op) && hasContract(op); };
  auto isRoot = [](const Is &op) {
    return hasContract(op) && calls(op, "sqrt");
  };
  switch (at.getOpcode()) {
    case Is::FAdd:
    case Is::FSub:
      if (isMadeOf(at, isProduct)) return true;
      return addsOne(at) && goesTo(at, isProduct);
    case Is::FMul:
      return goesTo(at, isFusedSum) || isMadeOf(at, addsOne);
    case Is::FDiv:
      return isMadeOf(at, isRoot);
    case Is::FCmp:
    case Is::FPTrunc:
      return false;
    case Is::Call:
      if (calls(at, "sqrt"))
        return goesTo(at, [](const Is &op) {
          return hasContract(op) && op.getOpcode() == Is::FDiv;
        });
      // fma(m, 1, d) is a sum.
      return isProduct(at) && (goesTo(at, isFusedSum) ||
                               ((isa<llvm::Constant>(at.getOperand(0)) ||
                                 isa<llvm::Constant>(at.getOperand(1))) &&
                                isMadeOf(at, isProduct)));
    default:
      return true;
  }
}

}  // namespace indexical::compiled
