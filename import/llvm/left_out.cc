// Ops without a result for some numbers that no value of the tree has.
//
//   %h = add nsw i32 %a, %b
//   %p = shl i32 %h, 16
//   %w = or i32 %p, %low          the low half of %w is %low
//   store i16 (trunc %w)          poison where %h is
//
// The values of a tree say themselves where they have no result: an index is
// refused then, and an op has its flags. What a value leaves out says nothing.
// A division by 0 is worse than poison: it counts wherever a thread comes to
// it.
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

#include "indexical/import/llvm/stored_values.h"
#include "indexical/import/llvm/undefined_values.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::Value;

bool StoredValues::isDefined(const Instruction &at) {
  if (const Value *address = loadedAddress(at))
    if (!holdsNumbers(*address)) return false;
  if (!mayLackResult(at)) return true;
  if (const auto known = areDefined_.find(&at); known != areDefined_.end())
    return known->second;
  bool isKnown = false;
  if (const auto *step = dyn_cast<llvm::GetElementPtrInst>(&at))
    isKnown = staysInArray(*step, *step->getParent(), Step::Between);
  else
    isKnown = hasResult(terms_, at, spaceOf(*at.getParent()), stop_);
  return areDefined_[&at] = isKnown;
}

kernels::PieceSpace StoredValues::spaceOf(const llvm::BasicBlock &block) {
  kernels::PieceSpace space = programs_;
  space.tile.assign(tile_.sides().begin(), tile_.sides().end());
  auto loops = loopsAround(&block);
  if (loops) space.loops = *std::move(loops);
  return space;
}

const Value *StoredValues::loadedAddress(const Instruction &at) const {
  if (const auto *load = dyn_cast<llvm::LoadInst>(&at))
    return load->getPointerOperand();
  if (!llvm::isa<llvm::CallBase>(at)) return nullptr;
  const PlacedOp *op = loadOf(&at);
  return op ? op->op->address : nullptr;
}

namespace {

/// Whether the constant, or an element of it, is `undef` or `poison`.
bool mayBeUndefined(const llvm::Constant &constant) {
  if (llvm::isa<llvm::UndefValue>(constant)) return true;
  return llvm::isa<llvm::ConstantAggregate>(constant) &&
         llvm::any_of(constant.operands(), [](const llvm::Use &each) {
           return mayBeUndefined(*llvm::cast<llvm::Constant>(each));
         });
}

}  // namespace

bool StoredValues::holdsNumbers(const Value &address) {
  const auto pointer = terms_.pointer(&address);
  const auto arrays =
      pointer ? terms_.terms().buffersOf(*pointer) : std::nullopt;
  if (!arrays) return false;
  for (int64_t array : *arrays) {
    const Value *memory = terms_.memoryOf(array);
    const auto *global = dyn_cast<llvm::GlobalVariable>(memory);
    if (global && global->isConstant() && global->hasInitializer() &&
        !mayBeUndefined(*global->getInitializer()))
      continue;
    if (!llvm::isa<llvm::Argument>(memory) || storesPoison()) return false;
  }
  return true;
}

bool StoredValues::storesPoison() {
  if (storesPoison_) return *storesPoison_;
  storesPoison_ = false;
  const auto mayBePoison = [&](const Value *stored) {
    if (const auto *constant = dyn_cast<llvm::Constant>(stored))
      return mayBeUndefined(*constant);
    return leftOut(stored, [](const Instruction &) { return Followed::No; }) !=
           nullptr;
  };
  bool found = false;
  for (const PlacedOp &each : ops_) {
    if (each.op->stored) found |= mayBePoison(each.op->stored);
    if (each.op->kind != kernels::AccessKind::Load)
      for (const Value *part : each.op->parts) found |= mayBePoison(part);
  }
  if (found) {
    withResult_.clear();
    areDefined_.clear();
  }
  storesPoison_ = found;
  return found;
}

const Instruction *StoredValues::leftOut(
    const Value *stored,
    llvm::function_ref<Followed(const Instruction &)> followed) {
  std::set<const Value *> passed;
  llvm::SmallVector<const Value *, 16> todo = {stored};
  bool areAll = true;
  while (!todo.empty()) {
    const auto *at = dyn_cast<Instruction>(todo.pop_back_val());
    if (!at || withResult_.count(at) || !passed.insert(at).second) continue;
    const bool mayLack = !isDefined(*at) || hasPoisonOperand(*at);
    areAll &= !mayLack;
    const Followed by = followed(*at);
    if (mayLack && by == Followed::No) return at;
    // Its address is looked at by itself.
    if (by != Followed::AsIndex && !llvm::isa<llvm::LoadInst>(at))
      todo.append(at->value_op_begin(), at->value_op_end());
  }
  if (areAll) withResult_.insert(passed.begin(), passed.end());
  return nullptr;
}

bool StoredValues::hasMoreThreads(const Instruction &at,
                                  const MemoryOp &store) {
  const llvm::BasicBlock *block = store.at->getParent();
  const llvm::BasicBlock *common =
      terms_.dominators().findNearestCommonDominator(at.getParent(), block);
  return store.predicate || !common ||
         terms_.reaches(common) != terms_.reaches(block);
}

int64_t StoredValues::whole(const MemoryOp &store, const Value *stored,
                            int64_t number) {
  // Most registers are made of ops that have a result.
  if (!leftOut(stored, [](const Instruction &) { return Followed::No; }))
    return number;
  // The registers of the value's tree.
  std::map<const Value *, Followed> registers;
  llvm::SmallVector<int64_t, 16> values = {number};
  std::set<int64_t> seen;
  while (!values.empty()) {
    const int64_t at = values.pop_back_val();
    if (!seen.insert(at).second) continue;
    const KernelValue &value = values_[at];
    values.append(value.operands.begin(), value.operands.end());
    if (const auto origin = origins_.find(at); origin != origins_.end())
      registers[origin->second] =
          value.kind == Kind::Index ? Followed::AsIndex : Followed::AsOp;
  }
  const Instruction *op = leftOut(stored, [&](const Instruction &at) {
    const auto found = registers.find(&at);
    if (found == registers.end()) return Followed::No;
    // It fails where nothing is stored, too.
    return fails(at) && hasMoreThreads(at, store) ? Followed::No
                                                  : found->second;
  });
  for (const auto &[condition, branch] : branches_)
    if (!op && registers.count(condition) && hasMoreThreads(*branch, store))
      op = leftOut(condition, [](const Instruction &) { return Followed::No; });
  if (!op) return number;
  return add(unknown(values_[number],
                     absl::StrCat("line ", lineOf_(*op),
                                  ": the op has no result for some numbers")));
}

}  // namespace indexical::compiled
