#include "indexical/import/llvm/undefined_values.h"

#include <map>
#include <optional>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
namespace indexical::compiled {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The most ops of a value that are looked at. The rest is taken to be defined.
constexpr size_t kMostOps = 4096;

/// The terms of which a term is made.
class Parts {
 public:
  Parts(const kernels::Terms &terms, TermId root) : terms_(terms) {
    llvm::SmallVector<TermId, 16> todo = {root};
    while (!todo.empty()) {
      const TermId at = todo.pop_back_val();
      if (!all_.insert(at).second) continue;
      for (TermId operand : terms[at].operands) todo.push_back(operand);
    }
  }

  bool has(TermId term) const { return all_.count(term); }

  /// Whether all numbers of which another term is made are among these. The
  /// turns of loops are left out: a loop's last turn is a number.
  bool hasNumbersOf(TermId term) {
    if (has(term)) return true;
    if (const auto known = known_.find(term); known != known_.end())
      return known->second;
    const kernels::TermNode node = terms_[term];
    bool hasAll = false;
    switch (node.kind) {
      case TermKind::Constant:
      case TermKind::Argument:
      case TermKind::Programs:
      case TermKind::Loop:
      case TermKind::Pointer:
      case TermKind::Placeholder:
        hasAll = true;
        break;
      case TermKind::Program:
      case TermKind::Coordinate:
      case TermKind::Loaded:
      case TermKind::Unknown:
        break;
      default:
        hasAll = llvm::all_of(node.operands, [&](TermId operand) {
          return hasNumbersOf(operand);
        });
    }
    return known_[term] = hasAll;
  }

 private:
  const kernels::Terms &terms_;
  std::set<TermId> all_;
  std::map<TermId, bool> known_;
};

/// Whether a term of that kind has no number where the op has none.
bool isUndefinedAlike(TermKind kind) {
  switch (kind) {
    case TermKind::DivS:
    case TermKind::DivU:
    case TermKind::FloorDivS:
    case TermKind::RemS:
    case TermKind::RemU:
    case TermKind::Shl:
    case TermKind::ShrS:
    case TermKind::ShrU:
    case TermKind::Unknown:
      return true;
    default:
      return false;
  }
}

/// Whether the term has the op, or, of an op on numbers that have no bounds,
/// all numbers of which it is made.
bool keeps(ValueTerms &terms, const Instruction &at, Parts &parts) {
  const TermId own = terms.integer(&at);
  if (parts.has(own)) return true;
  bool isOpen = false;
  for (TermKind kind : {TermKind::Loaded, TermKind::Unknown, TermKind::Loop})
    isOpen |= terms.terms().mentions(own, kind);
  if (!isOpen || llvm::isa<llvm::LoadInst>(at)) return false;
  return parts.hasNumbersOf(own) ||
         llvm::all_of(at.operands(), [&](const llvm::Use &operand) {
           return bitsOf(operand->getType()) > 0 &&
                  parts.hasNumbersOf(terms.integer(operand));
         });
}

/// Whether the numbers by which a pointer is moved are in the term.
bool keepsSteps(ValueTerms &terms, const Instruction &at, Parts &parts) {
  return llvm::all_of(at.operands(), [&](const llvm::Use &operand) {
    return bitsOf(operand->getType()) == 0 ||
           parts.hasNumbersOf(terms.integer(operand));
  });
}

}  // namespace

const Instruction *undefinedLeftOut(
    ValueTerms &terms, const Value *value, TermId term, Flags flags,
    llvm::function_ref<bool(const Instruction &)> isDefined) {
  std::optional<Parts> parts;
  /// The registers that were passed, and whether the term lacks them.
  std::map<const Instruction *, bool> passed;
  struct Operand {
    const Value *value = nullptr;
    bool isLost = false;
  };
  llvm::SmallVector<Operand, 16> todo = {{value, false}};
  while (!todo.empty() && passed.size() < kMostOps) {
    auto [operand, isLost] = todo.pop_back_val();
    const auto *at = llvm::dyn_cast<Instruction>(operand);
    if (!at) continue;
    const bool hasPoison = hasPoisonOperand(*at);
    // A kernel may store poison, and load it again.
    const bool isLoad =
        flags == Flags::Counted && llvm::isa<llvm::LoadInst>(at);
    const bool mayLack = mayLackResult(*at) || hasPoison || isLoad;
    // Floats and vectors are lost with the integer that is made of them.
    if (flags == Flags::Ignored) {
      if (!parts) parts.emplace(terms.terms(), term);
      if (bitsOf(at->getType()) > 0)
        isLost = !keeps(terms, *at, *parts);
      else if (at->getType()->isPointerTy())
        isLost = !keepsSteps(terms, *at, *parts);
    }
    const auto [known, isNew] = passed.try_emplace(at, isLost);
    if (!isNew && (known->second || !isLost)) continue;
    known->second = isLost;
    if (!llvm::isa<llvm::LoadInst>(at))
      for (const llvm::Use &each : at->operands())
        todo.push_back({each, isLost});
    if (!mayLack) continue;
    const bool isByFlags = !mayLackResult(*at, Flags::Ignored);
    if (isByFlags && flags == Flags::Ignored && !isLost) continue;
    if (!isByFlags && !hasPoison && bitsOf(at->getType()) > 0 &&
        (flags == Flags::Ignored || excludingFlags(*at).empty())) {
      if (!parts) parts.emplace(terms.terms(), term);
      const TermId own = terms.integer(at);
      if (parts->has(own) && isUndefinedAlike(terms.terms()[own].kind))
        continue;
    }
    if (hasPoison || !isDefined(*at)) return at;
  }
  return nullptr;
}

}  // namespace indexical::compiled
