#include "indexical/import/llvm/value_terms.h"

#include <algorithm>

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Value;

namespace {

/// A number of 64 bits that is moved by fewer bits is an index, times the size
/// of what it counts: it is taken to stay within 64 bits.
constexpr unsigned kUsualShift = 8;
std::optional<TermKind> kindOf(llvm::Instruction::BinaryOps op) {
  switch (op) {
    case llvm::Instruction::Add:
      return TermKind::Add;
    case llvm::Instruction::Sub:
      return TermKind::Sub;
    case llvm::Instruction::Mul:
      return TermKind::Mul;
    case llvm::Instruction::UDiv:
      return TermKind::DivU;
    case llvm::Instruction::SDiv:
      return TermKind::DivS;
    case llvm::Instruction::URem:
      return TermKind::RemU;
    case llvm::Instruction::SRem:
      return TermKind::RemS;
    case llvm::Instruction::Shl:
      return TermKind::Shl;
    case llvm::Instruction::LShr:
      return TermKind::ShrU;
    case llvm::Instruction::AShr:
      return TermKind::ShrS;
    case llvm::Instruction::And:
      return TermKind::And;
    case llvm::Instruction::Or:
      return TermKind::Or;
    case llvm::Instruction::Xor:
      return TermKind::Xor;
    default:
      return std::nullopt;
  }
}

}  // namespace

ValueTerms::ValueTerms(llvm::Function &function,
                       llvm::FunctionAnalysisManager &analyses,
                       const ThreadSpace &space,
                       std::map<int64_t, int64_t> bytesOf)
    : function_(function),
      layout_(function.getParent()->getDataLayout()),
      dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)),
      postDominators_(
          analyses.getResult<llvm::PostDominatorTreeAnalysis>(function)),
      loops_(analyses.getResult<llvm::LoopAnalysis>(function)),
      evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
      space_(space),
      bytesOf_(std::move(bytesOf)) {}

TermId ValueTerms::unknown(const Value *value, int32_t bits) {
  const auto [known, isNew] =
      unknowns_.try_emplace(value, static_cast<int64_t>(unknowns_.size()));
  llvm::SmallVector<TermId, 4> operands;
  if (const auto *at = dyn_cast<llvm::Instruction>(value))
    for (const llvm::Loop *loop = loops_.getLoopFor(at->getParent()); loop;
         loop = loop->getParentLoop())
      operands.push_back(counter(loop));
  for (int64_t k = 0; k < space_.count; ++k)
    operands.push_back(terms_.coordinate(k));
  return terms_.leaf(TermKind::Unknown, known->second, bits, operands);
}

TermId ValueTerms::negated(TermId a) {
  const kernels::TermNode &node = terms_[a];
  if (node.kind == TermKind::Xor &&
      terms_[node.operands[1]].kind == TermKind::Constant &&
      terms_[node.operands[1]].value == 1)
    return node.operands[0];
  const auto opposite = [&](TermKind kind, bool isSwapped) {
    const TermId x = node.operands[0], y = node.operands[1];
    return isSwapped ? make(kind, 1, {y, x}) : make(kind, 1, {x, y});
  };
  switch (node.kind) {
    case TermKind::Equal:
      return opposite(TermKind::NotEqual, false);
    case TermKind::NotEqual:
      return opposite(TermKind::Equal, false);
    case TermKind::LessS:
      return opposite(TermKind::LessEqualS, true);
    case TermKind::LessEqualS:
      return opposite(TermKind::LessS, true);
    case TermKind::LessU:
      return opposite(TermKind::LessEqualU, true);
    case TermKind::LessEqualU:
      return opposite(TermKind::LessU, true);
    default:
      return make(TermKind::Xor, 1, {a, number(1, 1)});
  }
}

TermId ValueTerms::both(TermId a, TermId b) {
  auto constant = [&](TermId id) -> std::optional<bool> {
    if (terms_[id].kind != TermKind::Constant) return std::nullopt;
    return terms_[id].value != 0;
  };
  if (const auto known = constant(a)) return *known ? b : a;
  if (const auto known = constant(b)) return *known ? a : b;
  if (a == b) return a;
  if (negated(a) == b) return number(0, 1);
  return make(TermKind::And, 1, {a, b});
}

TermId ValueTerms::either(TermId a, TermId b) {
  const TermId no = negated(a);
  if (no == b) return number(1, 1);
  // (x and y) or (x and not y) is x.
  const kernels::TermNode x = terms_[a], y = terms_[b];
  if (x.kind == TermKind::And && y.kind == TermKind::And && x.bits == 1 &&
      y.bits == 1)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        if (x.operands[i] == y.operands[j] &&
            negated(x.operands[1 - i]) == y.operands[1 - j])
          return x.operands[i];
  return negated(both(no, negated(b)));
}

TermId ValueTerms::resized(TermId id, int32_t bits, bool isSigned) {
  const int32_t own = terms_[id].bits;
  if (own == bits) return id;
  return make(own > bits ? TermKind::Truncate
              : isSigned ? TermKind::SignExtend
                         : TermKind::ZeroExtend,
              bits, {id});
}

TermId ValueTerms::thread(int64_t axis) {
  if (space_.block[axis] == 1) return number(0);
  if (space_.linear < 0) return terms_.coordinate(space_.coordinates[axis]);
  TermId at = terms_.coordinate(space_.linear);
  int64_t step = 1;
  for (int64_t k = 0; k < axis; ++k) step *= space_.block[k];
  if (step > 1) at = make(TermKind::FloorDivS, 64, {at, number(step)});
  const bool isLast =
      std::all_of(space_.block.begin() + axis + 1, space_.block.end(),
                  [](int64_t side) { return side == 1; });
  return isLast ? at
                : make(TermKind::RemS, 64, {at, number(space_.block[axis])});
}

TermId ValueTerms::threadInBlock() {
  if (space_.linear >= 0) return terms_.coordinate(space_.linear);
  TermId sum = number(0);
  int64_t step = 1;
  for (int64_t k = 0; k < 3; ++k) {
    sum = make(TermKind::Add, 64,
               {sum, make(TermKind::Mul, 64, {thread(k), number(step)})});
    step *= space_.block[k];
  }
  return sum;
}

int64_t ValueTerms::numberOf(const llvm::Loop *loop) {
  return loopNumbers_
      .try_emplace(loop, static_cast<int64_t>(loopNumbers_.size()))
      .first->second;
}

TermId ValueTerms::counter(const llvm::Loop *loop) {
  return terms_.leaf(TermKind::Loop, numberOf(loop), 64);
}

int64_t ValueTerms::arrayOf(const Value *memory) {
  // Variables of shared memory whose size the launch gives begin at one place.
  const auto isOfLaunch = [](const Value *variable) {
    const auto *global = dyn_cast<llvm::GlobalVariable>(variable);
    return global && global->isDeclaration() &&
           global->getType()->getPointerAddressSpace() == 3;
  };
  if (isOfLaunch(memory))
    for (const Value *known : memory_)
      if (isOfLaunch(known)) memory = known;
  const auto [known, isNew] = memoryNumbers_.try_emplace(
      memory, static_cast<int64_t>(function_.arg_size() + memory_.size()));
  if (isNew) memory_.push_back(memory);
  return known->second;
}

TermId ValueTerms::integer(const Value *value) {
  const auto known = integers_.find(value);
  if (known != integers_.end()) return known->second;
  const int32_t bits = bitsOf(value->getType());
  if (bits == 0) return unknown(value, 64);
  if (depth_ >= kMostDeep || !open_.insert(value).second)
    return unknown(value, bits);
  ++depth_;
  const TermId made = compute(value, bits);
  --depth_;
  open_.erase(value);
  integers_[value] = made;
  for (Trail &trail : trails_) trail.values.push_back(value);
  return made;
}

TermId ValueTerms::compute(const Value *value, int32_t bits) {
  if (const auto *constant = dyn_cast<llvm::ConstantInt>(value))
    return number(bits == 1 ? static_cast<int64_t>(constant->getZExtValue())
                            : constant->getSExtValue(),
                  bits);
  // The compiler may take any value for one that is not defined.
  if (isa<llvm::UndefValue>(value)) return unknown(value, bits);
  if (const auto *argument = dyn_cast<llvm::Argument>(value))
    return terms_.leaf(TermKind::Argument, argument->getArgNo(), bits);
  if (const auto *op = dyn_cast<llvm::Operator>(value)) {
    switch (op->getOpcode()) {
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::PtrToAddr: {
        const auto from = pointer(op->getOperand(0));
        return from ? resized(integerOf(*from), bits, false)
                    : unknown(value, bits);
      }
      case llvm::Instruction::ZExt:
      case llvm::Instruction::SExt:
      case llvm::Instruction::Trunc: {
        const int32_t from = bitsOf(op->getOperand(0)->getType());
        if (from == 0) break;
        const bool isSigned = op->getOpcode() == llvm::Instruction::SExt;
        if (from == 1)
          if (const auto made =
                  chosenByBit(op->getOperand(0), isSigned ? -1 : 1, 0, bits))
            return *made;
        return resized(integer(op->getOperand(0)), bits,
                       op->getOpcode() == llvm::Instruction::SExt);
      }
      default:
        break;
    }
  }
  const auto *at = dyn_cast<llvm::Instruction>(value);
  if (!at) return unknown(value, bits);
  if (const auto *op = dyn_cast<llvm::BinaryOperator>(at))
    return binary(*op, bits);
  if (const auto *op = dyn_cast<llvm::ICmpInst>(at)) return compared(*op);
  if (isa<llvm::FreezeInst>(at)) return integer(at->getOperand(0));
  if (const auto *op = dyn_cast<llvm::SelectInst>(at)) {
    if (bitsOf(op->getCondition()->getType()) != 1) return unknown(value, bits);
    const auto *yes = dyn_cast<llvm::ConstantInt>(op->getTrueValue());
    const auto *no = dyn_cast<llvm::ConstantInt>(op->getFalseValue());
    if (yes && no && bits > 1)
      if (const auto made = chosenByBit(op->getCondition(), yes->getSExtValue(),
                                        no->getSExtValue(), bits))
        return *made;
    return make(TermKind::Select, bits,
                {integer(op->getCondition()), integer(op->getTrueValue()),
                 integer(op->getFalseValue())});
  }
  if (const auto *phi = dyn_cast<llvm::PHINode>(at)) {
    const llvm::Loop *loop = loops_.getLoopFor(phi->getParent());
    std::optional<TermId> made;
    if (loop && loop->getHeader() == phi->getParent())
      made = carried(*phi, loop);
    else if (phi->getNumIncomingValues() == 1)
      made = leaving(*phi);
    else
      made = merged(*phi);
    return made ? *made : unknown(value, bits);
  }
  if (const auto *load = dyn_cast<llvm::LoadInst>(at))
    return loaded(*load, bits);
  if (const auto *call = dyn_cast<llvm::CallInst>(at))
    if (const auto made = called(*call, bits)) return *made;
  return unknown(value, bits);
}

TermId ValueTerms::binary(const llvm::BinaryOperator &op, int32_t bits) {
  const auto kind = kindOf(op.getOpcode());
  if (!kind) return unknown(&op, bits);
  const Value *a = op.getOperand(0), *b = op.getOperand(1);
  if (bits > 1 && (*kind == TermKind::And || *kind == TermKind::Or ||
                   *kind == TermKind::Xor))
    return bitwise(*kind, a, b, bits);
  if (const auto made = shifted(op, bits)) return *made;
  const TermId x = integer(a), y = integer(b);
  if (bits == 1) {
    if (*kind == TermKind::And) return both(x, y);
    if (*kind == TermKind::Or) return either(x, y);
    if (*kind == TermKind::Xor && terms_[y].kind == TermKind::Constant)
      return terms_[y].value ? negated(x) : x;
  }
  if (*kind == TermKind::Shl && terms_[y].kind == TermKind::Constant &&
      terms_[y].value >= 0 && terms_[y].value < std::min(bits, 62))
    return make(TermKind::Mul, bits,
                {x, number(int64_t{1} << terms_[y].value, bits)});
  if (*kind == TermKind::Sub && bits == 64)
    if (const auto made = distance(x, y)) return *made;
  // x - (x / c) * c is the remainder, which bounds understand better.
  if (*kind == TermKind::Sub && terms_[y].kind == TermKind::Mul) {
    const kernels::TermNode product = terms_[y];
    for (int k = 0; k < 2; ++k) {
      const kernels::TermNode quotient = terms_[product.operands[k]];
      const bool isUnsigned = quotient.kind == TermKind::DivU;
      if ((isUnsigned || quotient.kind == TermKind::DivS) &&
          quotient.operands[0] == x &&
          quotient.operands[1] == product.operands[1 - k])
        return make(isUnsigned ? TermKind::RemU : TermKind::RemS, bits,
                    {x, quotient.operands[1]});
    }
  }
  return make(*kind, bits, {x, y});
}

/// Shifts by constants. Bits of a number of 64 bits that leave it are none of
/// the sums that terms assume to stay within.
std::optional<TermId> ValueTerms::shifted(const llvm::BinaryOperator &op,
                                          int32_t bits) {
  using namespace llvm::PatternMatch;
  const llvm::APInt *first = nullptr, *second = nullptr;
  Value *x = nullptr;
  auto isShift = [&](const llvm::APInt *by) { return by->ult(bits); };
  // The low bits, extended: they move on as a number of their own.
  const bool isSigned =
      match(&op, m_AShr(m_Shl(m_Value(x), m_APInt(first)), m_APInt(second)));
  if ((isSigned || match(&op, m_LShr(m_Shl(m_Value(x), m_APInt(first)),
                                     m_APInt(second)))) &&
      isShift(first) && isShift(second) && !first->isZero()) {
    const auto left = static_cast<int32_t>(first->getZExtValue());
    const auto right = static_cast<int32_t>(second->getZExtValue());
    const TermId low =
        resized(resized(integer(x), bits - left, false), bits, isSigned);
    if (right >= left)
      return right == left ? low
                           : make(isSigned ? TermKind::ShrS : TermKind::ShrU,
                                  bits, {low, number(right - left, bits)});
    // Of a signed number the bits that come back are copies of its sign.
    if (left - right < 62 && (isSigned || right > 0))
      return make(TermKind::Mul, bits,
                  {low, number(int64_t{1} << (left - right), bits)});
  }
  // How many of the highest bits are copies of the sign. The number of a block
  // is not negative, which LLVM does not know of assembly.
  auto signBits = [&](Value *of) -> uint64_t {
    const uint64_t known = llvm::ComputeNumSignBits(of, layout_);
    Value *block = nullptr;
    const llvm::APInt *by = nullptr;
    if (!match(of, m_LShr(m_SExt(m_Value(block)), m_APInt(by))) ||
        bitsOf(block->getType()) < 32)
      return known;
    TermId term = integer(block);
    if (terms_[term].kind == TermKind::Truncate)
      term = terms_[term].operands[0];
    if (terms_[term].kind != TermKind::Program) return known;
    const uint64_t extended = bits - block->getType()->getIntegerBitWidth();
    return std::max(known, extended + 1 + by->getLimitedValue(bits));
  };
  if (bits == 64 && match(&op, m_Shl(m_Value(x), m_APInt(first))) &&
      isShift(first) && first->getZExtValue() >= kUsualShift &&
      signBits(x) <= first->getZExtValue())
    return unknown(&op, bits);
  return std::nullopt;
}

TermId ValueTerms::compared(const llvm::ICmpInst &op) {
  const Value *a = op.getOperand(0), *b = op.getOperand(1);
  llvm::CmpInst::Predicate predicate = op.getPredicate();
  TermId x, y;
  if (a->getType()->isPointerTy()) {
    const auto left = pointer(a), right = pointer(b);
    if (!left || !right) return unknown(&op, 1);
    const auto ofLeft = terms_.buffersOf(*left);
    const bool areOfOne =
        ofLeft && ofLeft->size() == 1 && ofLeft == terms_.buffersOf(*right);
    x = areOfOne ? offsetOf(*left) : integerOf(*left);
    y = areOfOne ? offsetOf(*right) : integerOf(*right);
    // Bytes in front of an array have offsets below 0.
    if (areOfOne) predicate = llvm::ICmpInst::getSignedPredicate(predicate);
  } else if (bitsOf(a->getType()) > 0) {
    x = integer(a);
    y = integer(b);
  } else {
    return unknown(&op, 1);
  }
  // A truth value is 0 or 1 here, and 0 or -1 as a number with a sign.
  if (terms_[x].bits == 1 && llvm::CmpInst::isSigned(predicate)) {
    predicate = llvm::ICmpInst::getUnsignedPredicate(predicate);
    std::swap(x, y);
  }
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return make(TermKind::Equal, 1, {x, y});
    case llvm::CmpInst::ICMP_NE:
      return make(TermKind::NotEqual, 1, {x, y});
    case llvm::CmpInst::ICMP_SLT:
      return make(TermKind::LessS, 1, {x, y});
    case llvm::CmpInst::ICMP_SLE:
      return make(TermKind::LessEqualS, 1, {x, y});
    case llvm::CmpInst::ICMP_SGT:
      return make(TermKind::LessS, 1, {y, x});
    case llvm::CmpInst::ICMP_SGE:
      return make(TermKind::LessEqualS, 1, {y, x});
    case llvm::CmpInst::ICMP_ULT:
      return make(TermKind::LessU, 1, {x, y});
    case llvm::CmpInst::ICMP_ULE:
      return make(TermKind::LessEqualU, 1, {x, y});
    case llvm::CmpInst::ICMP_UGT:
      return make(TermKind::LessU, 1, {y, x});
    case llvm::CmpInst::ICMP_UGE:
      return make(TermKind::LessEqualU, 1, {y, x});
    default:
      return unknown(&op, 1);
  }
}

TermId ValueTerms::loaded(const llvm::LoadInst &load, int32_t bits) {
  const TermId other = unknown(&load, bits);
  if (load.isVolatile() || load.isAtomic()) return other;
  const auto at = pointer(load.getPointerOperand());
  if (!at || bits % 8 != 0) return other;
  const auto arrays = terms_.buffersOf(*at);
  if (!arrays || arrays->size() != 1) return other;
  const int64_t array = *arrays->begin();
  if (array >= static_cast<int64_t>(function_.arg_size()))
    if (const auto made = inTable(load, memoryOf(array), offsetOf(*at), bits))
      return *made;
  const auto bytes = bytesOf_.find(array);
  if (array >= static_cast<int64_t>(function_.arg_size()) ||
      bytes == bytesOf_.end() || bytes->second != bits / 8)
    return other;
  const TermId pointer = terms_.leaf(TermKind::Pointer, array, 64);
  const TermId offset = offsetOf(*at);
  const TermId element =
      make(TermKind::FloorDivS, 64, {offset, number(bits / 8)});
  return terms_.leaf(
      TermKind::Loaded, unknowns_.at(&load), bits,
      {make(TermKind::PointerAdd, 64, {pointer, element}), other});
}

std::optional<TermId> ValueTerms::special(llvm::StringRef name, int32_t bits) {
  // What is behind the name of a register or an intrinsic of a target.
  int64_t axis = 0;
  if (name.consume_back(".x") || name.consume_back(".y") ||
      name.consume_back(".z")) {
    const char letter = name.data()[name.size() + 1];
    axis = letter - 'x';
  }
  if (name == "tid" || name == "workitem.id")
    return resized(thread(axis), bits, false);
  if (name == "ctaid" || name == "workgroup.id")
    return resized(terms_.leaf(TermKind::Program, axis, 64), bits, false);
  if (name == "nctaid")
    return resized(terms_.leaf(TermKind::Programs, axis, 64), bits, false);
  if (name == "ntid") return number(space_.block[axis], bits);
  if (name == "laneid")
    return resized(
        make(TermKind::RemS, 64, {threadInBlock(), number(space_.lanes)}), bits,
        false);
  // PTX does not say which threads a `warpid` has, and it may change.
  if (name == "warpsize" || name == "wavefrontsize")
    return number(space_.lanes, bits);
  return std::nullopt;
}

std::optional<TermId> ValueTerms::called(const llvm::CallInst &call,
                                         int32_t bits) {
  if (const auto *text = dyn_cast<llvm::InlineAsm>(call.getCalledOperand())) {
    llvm::StringRef code = text->getAsmString();
    code = code.trim(" \t\n;");
    for (llvm::StringRef move : {"mov.u32", "mov.b32", "mov.s32"})
      if (code.consume_front(move)) {
        code = code.trim();
        // `$0, %ctaid.x`, with the sign doubled in the text of IR.
        if (!code.consume_front("$0")) return std::nullopt;
        code = code.ltrim(" ,%$");
        return special(code, bits);
      }
    return std::nullopt;
  }
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic()) return std::nullopt;
  llvm::StringRef name = callee->getName();
  if (name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return special(name, bits);
  if (name.starts_with("llvm.amdgcn.work") ||
      name.starts_with("llvm.amdgcn.wave"))
    return special(name.drop_front(12), bits);
  auto of = [&](unsigned k) { return integer(call.getArgOperand(k)); };
  // The lanes below one's own: all bits of the mask are set.
  if (name == "llvm.amdgcn.mbcnt.lo" || name == "llvm.amdgcn.mbcnt.hi") {
    const bool isHigh = name.ends_with("hi");
    const TermId mask = of(0), base = of(1);
    if (terms_[mask].kind != TermKind::Constant || terms_[mask].value != -1)
      return std::nullopt;
    const TermId lane =
        make(TermKind::RemS, 64, {threadInBlock(), number(space_.lanes)});
    const TermId below =
        isHigh ? make(TermKind::MaxS, 64,
                      {make(TermKind::Sub, 64, {lane, number(32)}), number(0)})
               : make(TermKind::MinS, 64, {lane, number(32)});
    return make(TermKind::Add, bits, {resized(below, bits, false), base});
  }
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::smin:
      return make(signedMinimum(bits), bits, {of(0), of(1)});
    case llvm::Intrinsic::smax:
      return make(signedMaximum(bits), bits, {of(0), of(1)});
    case llvm::Intrinsic::umin:
      return make(TermKind::MinU, bits, {of(0), of(1)});
    case llvm::Intrinsic::umax:
      return make(TermKind::MaxU, bits, {of(0), of(1)});
    case llvm::Intrinsic::abs: {
      const TermId x = of(0);
      return make(TermKind::MaxS, bits,
                  {x, make(TermKind::Sub, bits, {number(0, bits), x})});
    }
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::ssa_copy:
      return of(0);
    default:
      return bitIntrinsic(call, bits);
  }
}

}  // namespace indexical::compiled
