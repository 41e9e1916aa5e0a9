#include "indexical/import/llvm/undefined_values.h"

#include <optional>
#include <set>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace indexical::compiled {
namespace {

using llvm::Instruction;
using llvm::Value;

/// The most ops of a value that are looked at. The rest is taken to be defined.
constexpr size_t kMostOps = 4096;

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

}  // namespace

const Instruction *undefinedLeftOut(
    ValueTerms &terms, const Value *value, TermId term, Flags flags,
    llvm::function_ref<bool(const Instruction &)> isDefined) {
  std::optional<std::set<TermId>> parts;
  llvm::SmallPtrSet<const Value *, 16> seen;
  llvm::SmallVector<const Value *, 16> todo = {value};
  while (!todo.empty() && seen.size() < kMostOps) {
    const auto *at = llvm::dyn_cast<Instruction>(todo.pop_back_val());
    if (!at || !seen.insert(at).second) continue;
    const bool isLoad = llvm::isa<llvm::LoadInst>(at);
    if (!isLoad) todo.append(at->value_op_begin(), at->value_op_end());
    // A kernel may store poison, and load it again.
    const bool isCounted = flags == Flags::Counted;
    const bool hasPoison = isCounted && hasPoisonOperand(*at);
    if (!mayLackResult(*at, flags) && !hasPoison && !(isCounted && isLoad))
      continue;
    if (!hasPoison && bitsOf(at->getType()) > 0 &&
        mayLackResult(*at, Flags::Ignored) &&
        (!isCounted || excludingFlags(*at).empty())) {
      if (!parts) parts = terms.terms().partsOf(term);
      const TermId own = terms.integer(at);
      if (parts->count(own) && isUndefinedAlike(terms.terms()[own].kind))
        continue;
    }
    if (hasPoison || !isDefined(*at)) return at;
  }
  return nullptr;
}

}  // namespace indexical::compiled
