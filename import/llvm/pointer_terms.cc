// Pointers, and integers that are addresses.
#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"

#include "indexical/import/llvm/value_terms.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

namespace {

/// The numbers of address terms begin behind those of all arguments.
constexpr int64_t kFirstAddress = int64_t{1} << 32;

/// Pointers that one is chosen among. With more, it is not known: each number
/// that is added goes to every one of them.
constexpr int64_t kMostChoices = 512;

/// An address in place of one that is not known. No array, and no offset that a
/// loop counts to, is as large.
constexpr int64_t kSomeAddress = int64_t{1} << 40;

}  // namespace

TermId ValueTerms::addressOf(int64_t array) {
  return terms_.leaf(TermKind::Argument, kFirstAddress + array, 64);
}

TermId ValueTerms::moved(TermId pointer, TermId bytes) {
  if (terms_[bytes].kind == TermKind::Constant && terms_[bytes].value == 0)
    return pointer;
  const kernels::TermNode node = terms_[pointer];
  if (node.kind == TermKind::PointerAdd)
    return make(
        TermKind::PointerAdd, 64,
        {node.operands[0], make(TermKind::Add, 64, {node.operands[1], bytes})});
  if (node.kind == TermKind::Select)
    return make(TermKind::Select, 64,
                {node.operands[0], moved(node.operands[1], bytes),
                 moved(node.operands[2], bytes)});
  return make(TermKind::PointerAdd, 64, {pointer, bytes});
}

TermId ValueTerms::offsetOf(TermId pointer) {
  const auto known = offsetsOf_.find(pointer);
  if (known != offsetsOf_.end()) return known->second;
  const kernels::TermNode node = terms_[pointer];
  TermId made = 0;
  switch (node.kind) {
    case TermKind::PointerAdd:
      made = node.operands[1];
      break;
    case TermKind::Select:
      made = make(TermKind::Select, 64,
                  {node.operands[0], offsetOf(node.operands[1]),
                   offsetOf(node.operands[2])});
      break;
    default:
      made = number(0);
  }
  return offsetsOf_[pointer] = made;
}

TermId ValueTerms::integerOf(TermId pointer) {
  const auto known = integersOf_.find(pointer);
  if (known != integersOf_.end()) return known->second;
  const kernels::TermNode node = terms_[pointer];
  TermId made = pointer;
  switch (node.kind) {
    case TermKind::Pointer:
      made = addressOf(node.value);
      break;
    case TermKind::PointerAdd:
      made = make(TermKind::Add, 64,
                  {integerOf(node.operands[0]), node.operands[1]});
      break;
    case TermKind::Select:
      made = make(TermKind::Select, 64,
                  {node.operands[0], integerOf(node.operands[1]),
                   integerOf(node.operands[2])});
      break;
    default:
      break;
  }
  return integersOf_[pointer] = made;
}

std::optional<TermId> ValueTerms::withoutAddress(TermId term) {
  const auto values = terms_.valuesOf(term, TermKind::Argument);
  if (values.empty() || *values.rbegin() < kFirstAddress) return std::nullopt;
  std::optional<int64_t> array;
  std::map<TermId, std::optional<OfAddress>> known;
  const auto found = ofAddress(term, array, known);
  if (!found || found->times != 0) return std::nullopt;
  return found->term;
}

std::optional<ValueTerms::OfAddress> ValueTerms::ofAddress(
    TermId term, std::optional<int64_t> &array,
    std::map<TermId, std::optional<OfAddress>> &known) {
  const auto [at, isNew] = known.try_emplace(term);
  if (!isNew) return at->second;
  auto made = computeOfAddress(term, array, known);
  return known[term] = made;
}

std::optional<ValueTerms::OfAddress> ValueTerms::computeOfAddress(
    TermId term, std::optional<int64_t> &array,
    std::map<TermId, std::optional<OfAddress>> &known) {
  const kernels::TermNode node = terms_[term];
  if (node.kind == TermKind::Argument && node.value >= kFirstAddress) {
    if (array.value_or(node.value) != node.value) return std::nullopt;
    array = node.value;
    return OfAddress{number(kSomeAddress), 1};
  }
  if (node.operands.empty()) return OfAddress{term, 0};
  llvm::SmallVector<OfAddress, 3> operands;
  llvm::SmallVector<TermId, 3> ids;
  for (TermId operand : node.operands) {
    const auto own = ofAddress(operand, array, known);
    if (!own) return std::nullopt;
    operands.push_back(*own);
    ids.push_back(own->term);
  }
  if (llvm::equal(ids, node.operands)) return OfAddress{term, 0};
  // A number that is loaded, or not known, may have any form.
  if (node.kind == TermKind::Loaded || node.kind == TermKind::Unknown)
    return std::nullopt;
  int64_t times = 0;
  switch (node.kind) {
    case TermKind::Add:
      times = operands[0].times + operands[1].times;
      break;
    case TermKind::Sub:
      times = operands[0].times - operands[1].times;
      break;
    case TermKind::Mul: {
      const int by = operands[0].times == 0 ? 0 : 1;
      const kernels::TermNode factor = terms_[ids[by]];
      if (operands[by].times != 0 || factor.kind != TermKind::Constant ||
          factor.value < -1 || factor.value > 1)
        return std::nullopt;
      times = factor.value * operands[1 - by].times;
      break;
    }
    case TermKind::MinS:
    case TermKind::MaxS:
    case TermKind::MinU:
    case TermKind::MaxU:
    case TermKind::Select:
    case TermKind::Equal:
    case TermKind::NotEqual:
    case TermKind::LessS:
    case TermKind::LessEqualS:
    case TermKind::LessU:
    case TermKind::LessEqualU: {
      // All are addresses in the array, or none is.
      const bool isChoice = node.kind == TermKind::Select;
      times = operands.back().times;
      if (operands[isChoice ? 1 : 0].times != times || times < 0 || times > 1 ||
          (isChoice && operands[0].times != 0))
        return std::nullopt;
      if (node.bits == 1) times = 0;
      break;
    }
    default:
      for (const OfAddress &own : operands)
        if (own.times != 0) return std::nullopt;
  }
  if (times != 0 && node.bits != 64) return std::nullopt;
  return OfAddress{make(node.kind, node.bits, ids), times};
}

TermId ValueTerms::normalPointer(TermId pointer) {
  const kernels::TermNode node = terms_[pointer];
  switch (node.kind) {
    case TermKind::PointerAdd:
      return moved(normalPointer(node.operands[0]), node.operands[1]);
    case TermKind::Select:
      return make(TermKind::Select, 64,
                  {node.operands[0], normalPointer(node.operands[1]),
                   normalPointer(node.operands[2])});
    default:
      return pointer;
  }
}

int64_t ValueTerms::choicesOf(TermId pointer) {
  const auto known = choices_.find(pointer);
  if (known != choices_.end()) return known->second;
  const kernels::TermNode node = terms_[pointer];
  int64_t count = 1;
  if (node.kind == TermKind::PointerAdd) count = choicesOf(node.operands[0]);
  if (node.kind == TermKind::Select)
    count = std::min(kMostChoices + 1,
                     choicesOf(node.operands[1]) + choicesOf(node.operands[2]));
  return choices_[pointer] = count;
}

std::optional<TermId> ValueTerms::distance(TermId a, TermId b) {
  const auto first = pointerOf(a);
  const auto second = first ? pointerOf(b) : std::nullopt;
  if (!second) return std::nullopt;
  const auto arrays = terms_.buffersOf(*first);
  if (!arrays || arrays->size() != 1 || arrays != terms_.buffersOf(*second))
    return std::nullopt;
  return make(TermKind::Sub, 64, {offsetOf(*first), offsetOf(*second)});
}

bool ValueTerms::isOfShared(TermId pointer) const {
  constexpr unsigned kShared = 3;
  const auto arrays = terms_.buffersOf(pointer);
  return arrays && llvm::all_of(*arrays, [&](int64_t array) {
           return memoryOf(array)->getType()->getPointerAddressSpace() ==
                  kShared;
         });
}

std::optional<TermId> ValueTerms::pointerOf(TermId address) {
  const auto known = pointersOf_.find(address);
  if (known != pointersOf_.end()) return known->second;
  auto made = computePointerOf(address);
  if (made && choicesOf(*made) > kMostChoices) made = std::nullopt;
  return pointersOf_[address] = made;
}

std::optional<TermId> ValueTerms::computePointerOf(TermId address) {
  const kernels::TermNode node = terms_[address];
  switch (node.kind) {
    case TermKind::Argument:
      if (node.value < kFirstAddress) return std::nullopt;
      return terms_.leaf(TermKind::Pointer, node.value - kFirstAddress, 64);
    case TermKind::Add:
    case TermKind::Sub: {
      if (auto left = pointerOf(node.operands[0])) {
        TermId by = resized(node.operands[1], 64, true);
        if (node.kind == TermKind::Sub)
          by = make(TermKind::Sub, 64, {number(0), by});
        return moved(*left, by);
      }
      if (node.kind == TermKind::Sub) return std::nullopt;
      if (auto right = pointerOf(node.operands[1]))
        return moved(*right, resized(node.operands[0], 64, true));
      return std::nullopt;
    }
    case TermKind::Select: {
      const auto yes = pointerOf(node.operands[1]);
      const auto no = yes ? pointerOf(node.operands[2]) : std::nullopt;
      if (!no) return std::nullopt;
      return make(TermKind::Select, 64, {node.operands[0], *yes, *no});
    }
    // Addresses of shared memory have 32 bits. Those of other memory are other
    // ones without their upper bits.
    case TermKind::Truncate:
    case TermKind::ZeroExtend:
    case TermKind::SignExtend: {
      constexpr int32_t kBitsOfShared = 32;
      const auto made = pointerOf(node.operands[0]);
      if (!made || !isOfShared(*made) ||
          std::min(node.bits, terms_[node.operands[0]].bits) < kBitsOfShared)
        return std::nullopt;
      return made;
    }
    default:
      return std::nullopt;
  }
}

std::optional<TermId> ValueTerms::pointer(const Value *value) {
  const auto known = pointers_.find(value);
  if (known != pointers_.end()) return known->second;
  if (!value->getType()->isPointerTy()) {
    if (bitsOf(value->getType()) == 0) return std::nullopt;
    return pointerOf(integer(value));
  }
  if (depth_ >= kMostDeep || !open_.insert(value).second) return std::nullopt;
  ++depth_;
  auto made = computePointer(value);
  if (made && choicesOf(*made) > kMostChoices) made = std::nullopt;
  --depth_;
  open_.erase(value);
  pointers_[value] = made;
  for (Trail &trail : trails_) trail.values.push_back(value);
  return made;
}

std::optional<TermId> ValueTerms::computePointer(const Value *value) {
  if (const auto *argument = dyn_cast<llvm::Argument>(value))
    return terms_.leaf(TermKind::Pointer, argument->getArgNo(), 64);
  if (isa<llvm::GlobalVariable>(value) || isa<llvm::AllocaInst>(value))
    return terms_.leaf(TermKind::Pointer, arrayOf(value), 64);
  const auto *op = dyn_cast<llvm::Operator>(value);
  if (!op) return std::nullopt;
  switch (op->getOpcode()) {
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::Freeze:
      return pointer(op->getOperand(0));
    case llvm::Instruction::IntToPtr:
      return pointerOf(integer(op->getOperand(0)));
    case llvm::Instruction::GetElementPtr: {
      const auto base = pointer(op->getOperand(0));
      if (!base) return std::nullopt;
      TermId offset = number(0);
      const auto *element = llvm::cast<llvm::GEPOperator>(op);
      for (auto at = llvm::gep_type_begin(element),
                end = llvm::gep_type_end(element);
           at != end; ++at) {
        const Value *index = at.getOperand();
        if (llvm::StructType *fields = at.getStructTypeOrNull()) {
          const auto *number = llvm::cast<llvm::ConstantInt>(index);
          offset = make(
              TermKind::Add, 64,
              {offset,
               this->number(layout_.getStructLayout(fields)->getElementOffset(
                   number->getZExtValue()))});
          continue;
        }
        if (bitsOf(index->getType()) == 0) return std::nullopt;
        const llvm::TypeSize size = at.getSequentialElementStride(layout_);
        if (size.isScalable()) return std::nullopt;
        const TermId step = number(static_cast<int64_t>(size.getFixedValue()));
        offset =
            make(TermKind::Add, 64,
                 {offset, make(TermKind::Mul, 64,
                               {resized(integer(index), 64, true), step})});
      }
      return moved(*base, offset);
    }
    case llvm::Instruction::Select: {
      if (bitsOf(op->getOperand(0)->getType()) != 1) return std::nullopt;
      const auto yes = pointer(op->getOperand(1));
      const auto no = pointer(op->getOperand(2));
      if (!yes || !no) return std::nullopt;
      return make(TermKind::Select, 64,
                  {integer(op->getOperand(0)), *yes, *no});
    }
    case llvm::Instruction::PHI: {
      const auto *phi = llvm::cast<llvm::PHINode>(op);
      const llvm::Loop *loop = loops_.getLoopFor(phi->getParent());
      if (loop && loop->getHeader() == phi->getParent())
        return carried(*phi, loop);
      if (phi->getNumIncomingValues() == 1) return leaving(*phi);
      return merged(*phi);
    }
    case llvm::Instruction::Call: {
      const auto *call = llvm::cast<llvm::CallInst>(op);
      const llvm::Function *callee = call->getCalledFunction();
      if (!callee || call->arg_empty()) return std::nullopt;
      const llvm::StringRef name = callee->getName();
      // Each of these gives the address that it is given.
      for (llvm::StringRef same :
           {"llvm.nvvm.ptr.", "llvm.launder.", "llvm.strip.invariant",
            "llvm.amdgcn.make.buffer.rsrc", "llvm.ssa.copy",
            "llvm.threadlocal.address"})
        if (name.starts_with(same)) return pointer(call->getArgOperand(0));
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace indexical::compiled
