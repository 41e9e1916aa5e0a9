// The places of a kernel without a defined result, beside the values that it
// stores.
//
//   %q = udiv i32 1, %a              nothing takes it: it fails where %a is 0
//   br i1 %c                         %c is made by `add nsw`
//   getelementptr inbounds %x, -1    poison, whatever is added then
//   load i32, ptr %p, align 16       %p is 4 bytes behind another one
//
// `same` of two kernels needs that there is no such place in the new one.
#include <algorithm>
#include <optional>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"

#include "indexical/import/llvm/defined_ops.h"
#include "indexical/import/llvm/module.h"
#include "indexical/import/llvm/stored_values.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

namespace {

/// Offsets up to here are those of terms; sums of unknown numbers may wrap.
constexpr int64_t kMostOffset = int64_t{1} << 62;

/// Returns what decides on where a thread goes on, or null.
const Value *conditionOf(const Instruction &end) {
  if (const auto *branch = dyn_cast<llvm::BranchInst>(&end))
    return branch->isConditional() ? branch->getCondition() : nullptr;
  const auto *choice = dyn_cast<llvm::SwitchInst>(&end);
  return choice ? choice->getCondition() : nullptr;
}

/// Whether the number is seen to be a multiple of a power of two: a sum, or a
/// choice, of such numbers. Each part is looked at once.
bool isMultiple(const kernels::Terms &terms, TermId number, int64_t by) {
  std::set<TermId> seen;
  llvm::SmallVector<TermId, 8> todo = {number};
  const auto isConstant = [&](TermId id) {
    return terms[id].kind == TermKind::Constant && terms[id].value % by == 0;
  };
  while (!todo.empty()) {
    const TermId at = todo.pop_back_val();
    if (!seen.insert(at).second || isConstant(at)) continue;
    const kernels::TermNode &node = terms[at];
    const bool isChoice = node.kind == TermKind::Select;
    if (isChoice || node.kind == TermKind::Add || node.kind == TermKind::Sub)
      todo.append(node.operands.begin() + (isChoice ? 1 : 0),
                  node.operands.end());
    else if (node.kind != TermKind::Mul ||
             !llvm::any_of(node.operands, isConstant))
      return false;
  }
  return true;
}

/// Whether the call excludes numbers of its operands.
bool excludesOperands(const llvm::CallBase &call) {
  for (unsigned k = 0; k < call.arg_size(); ++k)
    for (const auto kind : {llvm::Attribute::Range, llvm::Attribute::NoFPClass})
      if (call.paramHasAttr(k, kind)) return true;
  return false;
}

}  // namespace

std::optional<int64_t> StoredValues::sizeOfMemory(int64_t array) const {
  const Value *memory = terms_.memoryOf(array);
  if (isa<llvm::Argument>(memory)) {
    const auto &arguments = kernel_.arguments;
    return array < static_cast<int64_t>(arguments.size())
               ? arguments[array].bytes
               : std::nullopt;
  }
  const llvm::DataLayout &layout = function_.getParent()->getDataLayout();
  if (const auto *local = dyn_cast<llvm::AllocaInst>(memory)) {
    const auto size = local->getAllocationSize(layout);
    if (!size || size->isScalable()) return std::nullopt;
    return static_cast<int64_t>(size->getFixedValue());
  }
  const auto *global = dyn_cast<llvm::GlobalVariable>(memory);
  // The launch gives the size of a variable that is only declared.
  if (!global || global->isDeclaration()) return std::nullopt;
  return static_cast<int64_t>(
      layout.getTypeAllocSize(global->getValueType()).getFixedValue());
}

bool StoredValues::isWithin(TermId offset, Interval all,
                            const llvm::BasicBlock &user) {
  return isAlwaysIn(terms_, offset, all, user, spaceOf(user), stop_);
}

bool StoredValues::staysInArray(const llvm::GetElementPtrInst &step,
                                const llvm::BasicBlock &user, Step kind) {
  const auto from = terms_.pointer(step.getPointerOperand());
  const auto to = terms_.pointer(&step);
  if (!from || !to) return false;
  const auto arrays = terms_.terms().buffersOf(*to);
  if (!arrays || arrays->size() != 1) return false;
  const auto size = sizeOfMemory(*arrays->begin());
  const Interval inside = {0, size.value_or(kMostOffset)};
  const TermId before = terms_.offsetOf(*from), after = terms_.offsetOf(*to);
  // The pointer before the step may be anywhere: LLVM's own passes keep
  // `inbounds` of a step back from far outside.
  if (kind == Step::Between && !isWithin(after, inside, user)) return false;
  const bool isForward = step.getNoWrapFlags().hasNoUnsignedWrap();
  return isWithin(terms_.make(TermKind::Sub, 64, {after, before}),
                  {isForward ? 0 : -kMostOffset, kMostOffset}, user);
}

const Instruction *StoredValues::failureOfPlace(const Instruction &at,
                                                const Value &address,
                                                int64_t bytes, int64_t align) {
  const llvm::BasicBlock &block = *at.getParent();
  const Value *object = llvm::getUnderlyingObject(&address);
  if (isa<llvm::UndefValue, llvm::ConstantPointerNull>(object)) return &at;
  // The pointer that is accessed, and the ops that make it.
  const auto *step = dyn_cast<llvm::GetElementPtrInst>(&address);
  const auto none = [](const Instruction &) { return Followed::No; };
  if (step && mayLackResult(*step)) {
    if (hasPoisonOperand(*step) || !staysInArray(*step, block, Step::Accessed))
      return step;
    for (const Value *operand : step->operands())
      if (const Instruction *op = leftOut(operand, none)) return op;
  } else if (const Instruction *op = leftOut(&address, none)) {
    return op;
  }
  const auto pointer = terms_.pointer(&address);
  const auto arrays =
      pointer ? terms_.terms().buffersOf(*pointer) : std::nullopt;
  // Accesses that are not placed are named elsewhere.
  if (!arrays) return nullptr;
  const TermId offset = terms_.offsetOf(*pointer);
  const llvm::DataLayout &layout = at.getModule()->getDataLayout();
  if (align > 1 &&
      static_cast<int64_t>(
          llvm::getKnownAlignment(const_cast<Value *>(&address), layout, &at)
              .value()) < align &&
      !isMultiple(terms_.terms(), offset, align) &&
      !isWithin(terms_.make(TermKind::RemS, 64, {offset, terms_.number(align)}),
                Interval::point(0), block))
    return &at;
  for (int64_t array : *arrays) {
    if (isa<llvm::Argument>(terms_.memoryOf(array))) continue;
    const auto size = sizeOfMemory(array);
    if (size && !isWithin(offset, {0, *size - bytes}, block)) return &at;
  }
  return nullptr;
}

bool StoredValues::isChanged(const Value &address) {
  const auto arraysAt =
      [&](const Value &at) -> std::optional<std::set<int64_t>> {
    const auto pointer = terms_.pointer(&at);
    if (!pointer) return std::nullopt;
    return terms_.terms().buffersOf(*pointer);
  };
  const auto own = arraysAt(address);
  return llvm::any_of(ops_, [&](const PlacedOp &each) {
    if (each.op->kind == kernels::AccessKind::Load) return false;
    const auto other = arraysAt(*each.op->address);
    return !own || !other || llvm::any_of(*other, [&](int64_t array) {
      return own->count(array) > 0;
    });
  });
}

const Instruction *StoredValues::failureAt(const Instruction &at) {
  const auto none = [](const Instruction &) { return Followed::No; };
  if (const Value *by = conditionOf(at)) {
    if (isa<llvm::UndefValue>(by)) return &at;
    return branches_.count(by) ? nullptr : leftOut(by, none);
  }
  const llvm::DataLayout &layout = at.getModule()->getDataLayout();
  auto bytesOfType = [&](const llvm::Type *type) {
    return static_cast<int64_t>(
        layout.getTypeStoreSize(const_cast<llvm::Type *>(type))
            .getKnownMinValue());
  };
  if (const auto *load = dyn_cast<llvm::LoadInst>(&at);
      load && load->getMetadata(llvm::LLVMContext::MD_invariant_load) &&
      isChanged(*load->getPointerOperand()))
    return load;
  if (const auto *load = dyn_cast<llvm::LoadInst>(&at))
    return failureOfPlace(at, *load->getPointerOperand(),
                          bytesOfType(load->getType()),
                          static_cast<int64_t>(load->getAlign().value()));
  if (const auto *store = dyn_cast<llvm::StoreInst>(&at))
    return failureOfPlace(at, *store->getPointerOperand(),
                          bytesOfType(store->getValueOperand()->getType()),
                          static_cast<int64_t>(store->getAlign().value()));
  const auto *call = dyn_cast<llvm::CallBase>(&at);
  if (!call) return nullptr;
  if (isa<llvm::AssumeInst>(call))
    return call->hasOperandBundles() ? &at
                                     : leftOut(call->getArgOperand(0), none);
  if (excludesOperands(*call)) return &at;
  // The numbers of threads are those of the launch.
  const int32_t bits = bitsOf(at.getType());
  if (const auto range = call->getRange();
      range && bits > 0 && call->arg_size() == 0) {
    const auto bounds =
        kernels::PieceMaker(terms_.terms(), spaceOf(*at.getParent()), stop_)
            .bounds(terms_.integer(&at));
    if (!bounds.ok() || range->isWrappedSet() ||
        !Interval{range->getLower().getSExtValue(),
                  (range->getUpper() - 1).getSExtValue()}
             .contains(*bounds))
      return &at;
  }
  return nullptr;
}

const Instruction *StoredValues::mayFail() {
  const Instruction *first = &*llvm::inst_begin(function_);
  if (function_.hasFnAttribute(kLostClaims)) return first;
  for (const llvm::Argument &argument : function_.args()) {
    const auto range = argument.getRange();
    const auto &value = kernel_.arguments[argument.getArgNo()].value;
    const int32_t bits = bitsOf(argument.getType());
    if (range && value && bits > 0 &&
        !range->contains(llvm::APInt(64, static_cast<uint64_t>(*value), true)
                             .trunc(static_cast<unsigned>(bits))))
      return first;
  }
  std::set<const Value *> followed;
  for (const auto &[number, value] : origins_) followed.insert(value);
  for (const PlacedOp &each : ops_) {
    if (isa<llvm::LoadInst, llvm::StoreInst>(each.op->at)) continue;
    if (const Instruction *op =
            failureOfPlace(*each.op->at, *each.op->address, 1, 1))
      return op;
  }
  for (const Instruction &each : llvm::instructions(function_)) {
    if (!terms_.dominators().isReachableFromEntry(each.getParent())) continue;
    if (fails(each) && !followed.count(&each) && !isDefined(each)) return &each;
    if (const Instruction *op = failureAt(each)) return op;
  }
  return nullptr;
}

}  // namespace indexical::compiled
