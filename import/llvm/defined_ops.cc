#include "indexical/import/llvm/defined_ops.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/WithCache.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

#include "indexical/exact/exact.h"

namespace indexical::compiled {

using llvm::APInt;
using llvm::ConstantRange;
using llvm::dyn_cast;
using llvm::Instruction;
using llvm::isa;
using llvm::Value;

namespace {

using NoWrap = llvm::OverflowingBinaryOperator;

const llvm::IntrinsicInst *intrinsicOf(const Instruction &at) {
  return dyn_cast<llvm::IntrinsicInst>(&at);
}

/// Whether the last operand of an intrinsic says that it has no result for the
/// number that its text excludes.
bool excludesNumber(const llvm::IntrinsicInst &call) {
  const auto *flag = dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  return !flag || flag->isOne();
}

/// Whether attributes exclude results of a call. The launch gives the numbers
/// of threads their ranges.
bool hasExcludedResults(const llvm::CallBase &call) {
  if (!call.hasPoisonGeneratingReturnAttributes() &&
      !call.hasRetAttr(llvm::Attribute::NoFPClass))
    return false;
  const llvm::Function *callee = call.getCalledFunction();
  return !callee || (!callee->getName().contains(".read.ptx.sreg.") &&
                     !callee->getName().contains(".amdgcn.work") &&
                     !callee->getName().contains(".amdgcn.wave") &&
                     !callee->getName().contains(".amdgcn.mbcnt."));
}

/// Whether a call lacks a result for some numbers.
bool mayLackResult(const llvm::CallBase &call, Flags flags) {
  const bool isExcluded = flags == Flags::Counted && hasExcludedResults(call);
  const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic) return isExcluded;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      if (excludesNumber(*intrinsic)) return true;
      break;
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::llround:
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::llrint:
    case llvm::Intrinsic::sdiv_fix:
    case llvm::Intrinsic::udiv_fix:
    case llvm::Intrinsic::sdiv_fix_sat:
    case llvm::Intrinsic::udiv_fix_sat:
    case llvm::Intrinsic::vector_extract:
    case llvm::Intrinsic::vector_insert:
      return true;
    default:
      break;
  }
  return isExcluded;
}

bool neverOverflows(const Instruction &at, bool isSigned,
                    const llvm::SimplifyQuery &query) {
  const Value *a = at.getOperand(0), *b = at.getOperand(1);
  auto never = [](llvm::OverflowResult result) {
    return result == llvm::OverflowResult::NeverOverflows;
  };
  switch (at.getOpcode()) {
    case Instruction::Add:
      return never(isSigned ? computeOverflowForSignedAdd(a, b, query)
                            : computeOverflowForUnsignedAdd(a, b, query));
    case Instruction::Sub:
      return never(isSigned ? computeOverflowForSignedSub(a, b, query)
                            : computeOverflowForUnsignedSub(a, b, query));
    case Instruction::Mul:
      return never(isSigned ? computeOverflowForSignedMul(a, b, query)
                            : computeOverflowForUnsignedMul(a, b, query));
    case Instruction::Shl: {
      const llvm::APInt *by = nullptr;
      if (!match(b, llvm::PatternMatch::m_APInt(by)) ||
          by->uge(by->getBitWidth()))
        return false;
      const auto amount = static_cast<unsigned>(by->getZExtValue());
      return isSigned ? llvm::ComputeNumSignBits(a, query.DL) > amount
                      : MaskedValueIsZero(
                            a, APInt::getHighBitsSet(by->getBitWidth(), amount),
                            query);
    }
    default:
      return false;
  }
}

/// Whether LLVM knows that the op has a result, by the bits of its operands.
bool isKnownToLlvm(const Instruction &at, const llvm::SimplifyQuery &query) {
  const auto bits = at.getType()->getScalarSizeInBits();
  const Value *a = at.getOperand(0);
  if (const auto *op = dyn_cast<NoWrap>(&at)) {
    if (op->hasNoUnsignedWrap() && !neverOverflows(at, false, query))
      return false;
    if (op->hasNoSignedWrap() && !neverOverflows(at, true, query)) return false;
    const APInt *by = nullptr;
    return at.getOpcode() != Instruction::Shl ||
           (match(at.getOperand(1), llvm::PatternMatch::m_APInt(by)) &&
            by->ult(bits));
  }
  const APInt *by = nullptr;
  switch (at.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::UDiv:
    case Instruction::URem:
      if (!match(at.getOperand(1), llvm::PatternMatch::m_APInt(by)) ||
          by->isZero() ||
          (by->isAllOnes() && (at.getOpcode() == Instruction::SDiv ||
                               at.getOpcode() == Instruction::SRem)))
        return false;
      if (const auto *op = dyn_cast<llvm::PossiblyExactOperator>(&at);
          op && op->isExact())
        return by->isPowerOf2() &&
               MaskedValueIsZero(a, APInt::getLowBitsSet(bits, by->logBase2()),
                                 query);
      return true;
    case Instruction::LShr:
    case Instruction::AShr:
      if (!match(at.getOperand(1), llvm::PatternMatch::m_APInt(by)) ||
          by->uge(bits))
        return false;
      return !llvm::cast<llvm::PossiblyExactOperator>(at).isExact() ||
             MaskedValueIsZero(
                 a,
                 APInt::getLowBitsSet(
                     bits, static_cast<unsigned>(by->getZExtValue())),
                 query);
    case Instruction::Or:
      return haveNoCommonBitsSet(
          llvm::WithCache<const Value *>(a),
          llvm::WithCache<const Value *>(at.getOperand(1)), query);
    case Instruction::ZExt:
    case Instruction::UIToFP:
      return isKnownNonNegative(a, query);
    case Instruction::Trunc: {
      const auto &op = llvm::cast<llvm::TruncInst>(at);
      const unsigned from = a->getType()->getScalarSizeInBits();
      const unsigned lost = from - bits;
      if (op.hasNoUnsignedWrap() &&
          !MaskedValueIsZero(a, APInt::getHighBitsSet(from, lost), query))
        return false;
      return !op.hasNoSignedWrap() ||
             llvm::ComputeNumSignBits(a, query.DL) > lost;
    }
    case Instruction::ICmp:
      return isKnownNonNegative(a, query) &&
             isKnownNonNegative(at.getOperand(1), query);
    default:
      return false;
  }
}

/// The bounds of an op's operands at the points of a space, by the terms of the
/// function.
class Bounds {
 public:
  Bounds(ValueTerms &terms, const llvm::BasicBlock &block,
         const kernels::PieceSpace &space, const Stop *stop)
      : terms_(terms), block_(block), space_(space), stop_(stop) {}

  bool proves(const Instruction &at) {
    const int32_t bits = bitsOf(at.getType());
    if (isa<llvm::ExtractElementInst>(at))
      return isElement(at.getOperand(1), at.getOperand(0)->getType());
    if (isa<llvm::InsertElementInst>(at))
      return isElement(at.getOperand(2), at.getType());
    if (at.getOpcode() == Instruction::UIToFP)
      return isWithin(at.getOperand(0), {0, Interval::kInfinity});
    if (bits == 0 || at.getNumOperands() == 0) return false;
    if (bits == 1 && at.getOpcode() != Instruction::ICmp &&
        at.getOpcode() != Instruction::Trunc)
      return false;
    const Value *a = at.getOperand(0);
    switch (at.getOpcode()) {
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
        return doesNotWrap(at, bits);
      case Instruction::Shl:
        return isWithin(at.getOperand(1), {0, bits - 1}) &&
               doesNotWrap(at, bits);
      case Instruction::LShr:
      case Instruction::AShr:
        return isWithin(at.getOperand(1), {0, bits - 1}) && isExact(at, bits);
      case Instruction::SDiv:
      case Instruction::SRem:
        return (isWithin(at.getOperand(1), {1, Interval::kInfinity}) ||
                (isWithin(at.getOperand(1), Interval::point(-1)) &&
                 isWithin(a, {kernels::leastOfBits(bits) + 1,
                              Interval::kInfinity}))) &&
               isExact(at, bits);
      case Instruction::UDiv:
      case Instruction::URem:
        return isWithin(at.getOperand(1), {1, Interval::kInfinity}) &&
               isExact(at, bits);
      case Instruction::Or:
        return isZero(
            terms_.make(TermKind::And, bits,
                        {terms_.integer(a), terms_.integer(at.getOperand(1))}));
      case Instruction::ZExt:
        return isWithin(a, {0, Interval::kInfinity});
      case Instruction::Trunc: {
        const auto &op = llvm::cast<llvm::TruncInst>(at);
        const int64_t unsignedMost = (int64_t{1} << bits) - 1;
        return (!op.hasNoUnsignedWrap() || isWithin(a, {0, unsignedMost})) &&
               (!op.hasNoSignedWrap() ||
                isWithin(a, bits == 1
                                ? Interval{-1, 0}
                                : Interval{kernels::leastOfBits(bits),
                                           kernels::greatestOfBits(bits)}));
      }
      case Instruction::ICmp:
        return isWithin(a, {0, Interval::kInfinity}) &&
               isWithin(at.getOperand(1), {0, Interval::kInfinity});
      case Instruction::Call:
        return isCallDefined(*intrinsicOf(at), bits);
      default:
        return false;
    }
  }

 private:
  std::optional<Interval> boundsOf(TermId term) {
    auto found =
        kernels::PieceMaker(terms_.terms(), space_, stop_).bounds(term);
    if (!found.ok() || found->isEmpty()) return std::nullopt;
    return *found;
  }
  std::optional<Interval> boundsOf(const Value *value) {
    if (bitsOf(value->getType()) <= 1) return std::nullopt;
    return boundsOf(terms_.integer(value));
  }
  bool isWithin(const Value *value, Interval all) {
    // A truth value is 0 or 1 in terms, and 0 or -1 to ops with a sign.
    return bitsOf(value->getType()) > 1 && isIn(terms_.integer(value), all);
  }
  bool isZero(TermId term) { return isIn(term, Interval::point(0)); }
  bool isIn(TermId term, Interval all) {
    return isAlwaysIn(terms_, term, all, block_, space_, stop_);
  }
  bool isElement(const Value *index, const llvm::Type *vector) {
    const auto *type = dyn_cast<llvm::FixedVectorType>(vector);
    return type &&
           isWithin(index,
                    {0, static_cast<int64_t>(type->getNumElements()) - 1});
  }

  /// Whether what a shift or a division leaves over is nothing, if it has to
  /// be.
  bool isExact(const Instruction &at, int32_t bits) {
    const auto *op = dyn_cast<llvm::PossiblyExactOperator>(&at);
    if (!op || !op->isExact()) return true;
    const TermId x = terms_.integer(at.getOperand(0));
    if (fails(at))
      return isZero(terms_.make(
          at.getOpcode() == Instruction::SDiv ? TermKind::RemS : TermKind::RemU,
          bits, {x, terms_.integer(at.getOperand(1))}));
    const auto *by = dyn_cast<llvm::ConstantInt>(at.getOperand(1));
    if (!by || by->getValue().uge(std::min(bits, 62))) return false;
    return isZero(terms_.make(
        TermKind::RemU, bits,
        {x, terms_.number(int64_t{1} << by->getZExtValue(), bits)}));
  }

  /// Returns the numbers of a value, as those of its type.
  ConstantRange rangeOf(const Value *value, int32_t bits) {
    const auto width = static_cast<unsigned>(bits);
    const auto bounds = boundsOf(value);
    // Bounds near those of 64 bits may be none: terms take sums of unknown
    // numbers not to wrap.
    constexpr int64_t kMost = int64_t{1} << 62;
    if (!bounds || bounds->lower <= -kMost || bounds->upper >= kMost)
      return ConstantRange::getFull(width);
    const APInt low(64, static_cast<uint64_t>(bounds->lower), true);
    const APInt high(64, static_cast<uint64_t>(bounds->upper), true);
    return ConstantRange::getNonEmpty(low.trunc(width), high.trunc(width) + 1);
  }

  bool doesNotWrap(const Instruction &at, int32_t bits) {
    const auto &op = llvm::cast<NoWrap>(at);
    const ConstantRange a = rangeOf(at.getOperand(0), bits);
    const ConstantRange b = rangeOf(at.getOperand(1), bits);
    for (const bool isSigned : {false, true}) {
      if (isSigned ? !op.hasNoSignedWrap() : !op.hasNoUnsignedWrap()) continue;
      const ConstantRange region = ConstantRange::makeGuaranteedNoWrapRegion(
          static_cast<Instruction::BinaryOps>(at.getOpcode()), b,
          isSigned ? NoWrap::NoSignedWrap : NoWrap::NoUnsignedWrap);
      if (!region.contains(a) && !staysWithin(at, bits, isSigned)) return false;
    }
    return true;
  }

  /// Whether the sum, of 64 bits, is one of the type: its operands may depend
  /// on each other.
  bool staysWithin(const Instruction &at, int32_t bits, bool isSigned) {
    if (bits > 32 || at.getOpcode() == Instruction::Shl) return false;
    const TermKind kind = at.getOpcode() == Instruction::Add   ? TermKind::Add
                          : at.getOpcode() == Instruction::Sub ? TermKind::Sub
                                                               : TermKind::Mul;
    const TermId x =
        terms_.resized(terms_.integer(at.getOperand(0)), 64, isSigned);
    const TermId y =
        terms_.resized(terms_.integer(at.getOperand(1)), 64, isSigned);
    const Interval all = isSigned ? Interval{kernels::leastOfBits(bits),
                                             kernels::greatestOfBits(bits)}
                                  : Interval{0, (int64_t{1} << bits) - 1};
    return isIn(terms_.make(kind, 64, {x, y}), all);
  }

  bool isCallDefined(const llvm::IntrinsicInst &call, int32_t bits) {
    if (hasExcludedResults(call)) return false;
    switch (call.getIntrinsicID()) {
      case llvm::Intrinsic::abs:
        return isWithin(call.getArgOperand(0),
                        {kernels::leastOfBits(bits) + 1, Interval::kInfinity});
      case llvm::Intrinsic::ctlz:
      case llvm::Intrinsic::cttz:
        return isWithin(call.getArgOperand(0), {1, Interval::kInfinity});
      default:
        return false;
    }
  }

  ValueTerms &terms_;
  const llvm::BasicBlock &block_;
  const kernels::PieceSpace &space_;
  const Stop *stop_;
};

}  // namespace

bool isNever(const kernels::PointerMap &map) {
  if (map.map.isKnownEmpty()) return true;
  const auto none = isEmpty(IndexingRelation(map.map));
  return none.ok() && none->answer == Answer::Yes;
}

bool fails(const Instruction &at) {
  switch (at.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::UDiv:
    case Instruction::URem:
      return true;
    default:
      return false;
  }
}

bool mayLackResult(const Instruction &at, Flags flags) {
  const bool areCounted = flags == Flags::Counted;
  if (fails(at)) return true;
  if (const auto *call = dyn_cast<llvm::CallBase>(&at))
    return mayLackResult(*call, flags);
  if (isa<llvm::LoadInst>(at))
    return areCounted && at.hasPoisonGeneratingMetadata();
  // Elements of a vector are followed one by one, and a pointer that has no
  // address in its space accesses nothing that is an array.
  if (isa<llvm::ShuffleVectorInst, llvm::AddrSpaceCastInst>(at)) return false;
  return llvm::canCreatePoison(llvm::cast<llvm::Operator>(&at), areCounted);
}

bool isAlwaysIn(ValueTerms &values, TermId number, Interval all,
                const llvm::BasicBlock &block, const kernels::PieceSpace &space,
                const Stop *stop) {
  kernels::Terms &terms = values.terms();
  const auto bounds = kernels::PieceMaker(terms, space, stop).bounds(number);
  if (bounds.ok() && all.contains(*bounds)) return true;
  const TermId when = values.reaches(&block);
  const TermId one =
      terms.make(TermKind::PointerAdd, 64,
                 {terms.leaf(TermKind::Pointer, 0, 64), terms.constant(0, 64)});
  const TermId wide = values.resized(number, 64, true);
  // A thread that comes there, and has another number.
  for (const bool isBelow : {true, false}) {
    if (isBelow ? !all.hasLower() : !all.hasUpper()) continue;
    const TermId end = terms.constant(isBelow ? all.lower : all.upper, 64);
    const TermId outside = isBelow
                               ? terms.make(TermKind::LessS, 1, {wide, end})
                               : terms.make(TermKind::LessS, 1, {end, wide});
    kernels::PieceMaker maker(terms, space, stop);
    const auto maps = maker.elements(one, values.both(when, outside));
    if (!maps.ok() || !llvm::all_of(*maps, isNever)) return false;
  }
  return true;
}

bool hasResult(ValueTerms &terms, const Instruction &at,
               const kernels::PieceSpace &space, const Stop *stop) {
  if (!mayLackResult(at)) return true;
  if (const auto *call = dyn_cast<llvm::CallBase>(&at))
    return intrinsicOf(*call) &&
           Bounds(terms, *at.getParent(), space, stop).proves(at);
  if (isa<llvm::LoadInst>(at)) return false;
  const llvm::SimplifyQuery query(at.getModule()->getDataLayout(),
                                  &terms.dominators(), nullptr, &at);
  if (isKnownToLlvm(at, query)) return true;
  return Bounds(terms, *at.getParent(), space, stop).proves(at);
}

std::vector<std::string> excludingFlags(const Instruction &at) {
  std::vector<std::string> flags;
  auto add = [&](bool has, const char *flag) {
    if (has) flags.push_back(flag);
  };
  if (const auto *op = dyn_cast<NoWrap>(&at)) {
    add(op->hasNoSignedWrap(), "nsw");
    add(op->hasNoUnsignedWrap(), "nuw");
  }
  if (const auto *op = dyn_cast<llvm::PossiblyExactOperator>(&at))
    add(op->isExact(), "exact");
  if (const auto *op = dyn_cast<llvm::TruncInst>(&at)) {
    add(op->hasNoSignedWrap(), "nsw");
    add(op->hasNoUnsignedWrap(), "nuw");
  }
  if (const auto *op = dyn_cast<llvm::PossiblyDisjointInst>(&at))
    add(op->isDisjoint(), "disjoint");
  if (const auto *op = dyn_cast<llvm::PossiblyNonNegInst>(&at))
    add(op->hasNonNeg(), "nneg");
  if (const auto *op = dyn_cast<llvm::ICmpInst>(&at))
    add(op->hasSameSign(), "samesign");
  const auto *call = dyn_cast<llvm::CallBase>(&at);
  if (call && hasExcludedResults(*call)) {
    const auto range = call->getRange();
    flags.push_back(range ? absl::StrCat("range ",
                                         range->getLower().getSExtValue(), " ",
                                         range->getUpper().getSExtValue())
                          : "attributes");
  }
  if (isa<llvm::LoadInst>(at))
    if (const auto *range = at.getMetadata(llvm::LLVMContext::MD_range)) {
      std::string text = "range";
      for (const llvm::MDOperand &each : range->operands())
        if (const auto *number =
                llvm::mdconst::dyn_extract<llvm::ConstantInt>(each))
          absl::StrAppend(&text, " ", number->getSExtValue());
      flags.push_back(std::move(text));
    }
  return flags;
}

bool hasPoisonOperand(const Instruction &at) {
  const bool isPhi = isa<llvm::PHINode>(at);
  return llvm::any_of(at.operands(), [&](const llvm::Use &use) {
    return (isPhi ? isa<llvm::PoisonValue>(use) : isa<llvm::UndefValue>(use)) &&
           !use->getType()->isVectorTy() && !use->getType()->isAggregateType();
  });
}

}  // namespace indexical::compiled
