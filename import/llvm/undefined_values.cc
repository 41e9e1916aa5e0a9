#include "indexical/import/llvm/undefined_values.h"

#include <optional>
#include <set>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

namespace indexical::compiled {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The most ops of a value that are looked at. The rest is taken to be defined.
constexpr size_t kMostOps = 4096;

/// Returns the operand that decides whether the op is defined, with the numbers
/// for which it is, or nothing for an op that is always defined.
struct Deciding {
  const Value *value = nullptr;  ///< null: it cannot be shown
  Interval defined;
};

std::optional<Deciding> decidingOperand(const Instruction &at) {
  const int32_t bits = bitsOf(at.getType());
  switch (at.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::UDiv:
    case Instruction::URem:
      return Deciding{at.getOperand(1), {1, Interval::kInfinity}};
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return Deciding{at.getOperand(1), {0, bits - 1}};
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return Deciding{};
    default:
      break;
  }
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&at);
  if (!call) return std::nullopt;
  const auto isTrue = [&](unsigned k) {
    const auto *flag =
        llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(k));
    return flag && flag->isOne();
  };
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::abs:
      if (!isTrue(1)) return std::nullopt;
      return Deciding{call->getArgOperand(0),
                      {kernels::leastOfBits(bits) + 1, Interval::kInfinity}};
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      if (!isTrue(1)) return std::nullopt;
      return Deciding{call->getArgOperand(0), {1, Interval::kInfinity}};
    default:
      return std::nullopt;
  }
}

/// Whether a constant decides that the op is defined.
bool isDefinedByConstant(const Instruction &at, const Deciding &by) {
  const auto *constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(by.value);
  if (!constant) return false;
  const llvm::APInt &number = constant->getValue();
  switch (at.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
      return !number.isZero() && !number.isAllOnes();
    case Instruction::UDiv:
    case Instruction::URem:
      return !number.isZero();
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      return number.ult(number.getBitWidth());
    default:
      return false;
  }
}

std::set<TermId> partsOf(const kernels::Terms &terms, TermId root) {
  std::set<TermId> parts;
  llvm::SmallVector<TermId, 16> todo = {root};
  while (!todo.empty()) {
    const TermId at = todo.pop_back_val();
    if (!parts.insert(at).second) continue;
    for (TermId operand : terms[at].operands) todo.push_back(operand);
  }
  return parts;
}

}  // namespace

const Instruction *undefinedLeftOut(ValueTerms &terms, const Value *value,
                                    TermId term,
                                    const kernels::PieceSpace &space,
                                    const Stop *stop) {
  std::optional<std::set<TermId>> parts;
  llvm::SmallPtrSet<const Value *, 16> seen;
  llvm::SmallVector<const Value *, 16> todo = {value};
  while (!todo.empty() && seen.size() < kMostOps) {
    const auto *at = llvm::dyn_cast<Instruction>(todo.pop_back_val());
    // The content of memory is defined, or the store of it is not.
    if (!at || llvm::isa<llvm::LoadInst>(at) || !seen.insert(at).second)
      continue;
    todo.append(at->value_op_begin(), at->value_op_end());
    const auto by = decidingOperand(*at);
    if (!by || isDefinedByConstant(*at, *by)) continue;
    if (bitsOf(at->getType()) == 0) continue;
    if (!parts) parts = partsOf(terms.terms(), term);
    if (parts->count(terms.integer(at))) continue;
    if (by->value && bitsOf(by->value->getType()) > 0) {
      const auto bounds = kernels::PieceMaker(terms.terms(), space, stop)
                              .bounds(terms.integer(by->value));
      if (bounds.ok() && by->defined.contains(*bounds)) continue;
    }
    return at;
  }
  return nullptr;
}

}  // namespace indexical::compiled
