// What loops carry from turn to turn, and what they leave behind.
//
//   %i = phi [%a, %entry], [%next, %loop]    a + step * loop, by ScalarEvolution
//   %b = phi [0, …], [(%b + 1) mod 3, …]     (0 + loop) mod 3
//   %p = phi [%a, …], [f(%i), …]             a in turn 0, else f of the turn
//                                            before
//   %t = phi [0, …], [%t xor 1, …]           loop mod 2
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

#include "indexical/import/llvm/value_terms.h"

namespace indexical::compiled {

using llvm::dyn_cast;
using llvm::isa;
using llvm::Loop;
using llvm::PHINode;
using llvm::SCEV;
using llvm::Value;

std::optional<TermId> ValueTerms::ofScev(const SCEV *scev) {
  // An expression may stand in another one many times.
  const auto known = scevs_.find(scev);
  if (known != scevs_.end()) return known->second;
  ++scevDepth_;
  const auto made = computeScev(scev);
  if (--scevDepth_ == 0)
    scevs_.clear();
  else
    scevs_[scev] = made;
  return made;
}

std::optional<TermId> ValueTerms::computeScev(const SCEV *scev) {
  const llvm::Type *type = scev->getType();
  if (type->isPointerTy()) {
    const auto at = pointerOfScev(scev);
    return at ? std::optional<TermId>(integerOf(*at)) : std::nullopt;
  }
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
    return std::nullopt;
  const auto bits = static_cast<int32_t>(type->getIntegerBitWidth());
  auto folded = [&](TermKind kind) -> std::optional<TermId> {
    std::optional<TermId> all;
    for (const SCEV *each : llvm::cast<llvm::SCEVNAryExpr>(scev)->operands()) {
      const auto own = ofScev(each);
      if (!own) return std::nullopt;
      all = all ? make(kind, bits, {*all, *own}) : *own;
    }
    return all;
  };
  auto cast = [&](bool isSigned) -> std::optional<TermId> {
    const auto own = ofScev(llvm::cast<llvm::SCEVCastExpr>(scev)->getOperand());
    if (!own) return std::nullopt;
    return resized(*own, bits, isSigned);
  };
  switch (scev->getSCEVType()) {
    case llvm::scConstant:
      return number(
          llvm::cast<llvm::SCEVConstant>(scev)->getAPInt().getSExtValue(),
          bits);
    case llvm::scUnknown: {
      const Value *value = llvm::cast<llvm::SCEVUnknown>(scev)->getValue();
      return integer(value);
    }
    case llvm::scTruncate:
    case llvm::scZeroExtend:
    case llvm::scPtrToInt:
      return cast(false);
    case llvm::scSignExtend:
      return cast(true);
    case llvm::scAddExpr:
      return folded(TermKind::Add);
    case llvm::scMulExpr:
      return folded(TermKind::Mul);
    case llvm::scUMaxExpr:
      return folded(TermKind::MaxU);
    case llvm::scSMaxExpr:
      return folded(signedMaximum(bits));
    case llvm::scUMinExpr:
    case llvm::scSequentialUMinExpr:
      return folded(TermKind::MinU);
    case llvm::scSMinExpr:
      return folded(signedMinimum(bits));
    case llvm::scUDivExpr: {
      const auto *quotient = llvm::cast<llvm::SCEVUDivExpr>(scev);
      const auto left = ofScev(quotient->getLHS());
      const auto right = left ? ofScev(quotient->getRHS()) : std::nullopt;
      if (!right) return std::nullopt;
      return make(TermKind::DivU, bits, {*left, *right});
    }
    case llvm::scAddRecExpr: {
      const auto *sum = llvm::cast<llvm::SCEVAddRecExpr>(scev);
      if (!sum->isAffine()) return std::nullopt;
      const auto start = ofScev(sum->getStart());
      const auto step =
          start ? ofScev(sum->getStepRecurrence(evolution_)) : std::nullopt;
      if (!step) return std::nullopt;
      const TermId turn = resized(counter(sum->getLoop()), bits, false);
      return make(TermKind::Add, bits,
                  {*start, make(TermKind::Mul, bits, {*step, turn})});
    }
    default:
      return std::nullopt;
  }
}

std::optional<TermId> ValueTerms::pointerOfScev(const SCEV *scev) {
  switch (scev->getSCEVType()) {
    case llvm::scUnknown:
      return pointer(llvm::cast<llvm::SCEVUnknown>(scev)->getValue());
    case llvm::scAddRecExpr: {
      const auto *sum = llvm::cast<llvm::SCEVAddRecExpr>(scev);
      if (!sum->isAffine()) return std::nullopt;
      const auto start = pointerOfScev(sum->getStart());
      const auto step =
          start ? ofScev(sum->getStepRecurrence(evolution_)) : std::nullopt;
      if (!step) return std::nullopt;
      const TermId turn = counter(sum->getLoop());
      return moved(*start,
                   make(TermKind::Mul, 64, {resized(*step, 64, true), turn}));
    }
    case llvm::scAddExpr: {
      std::optional<TermId> base;
      TermId offset = number(0);
      for (const SCEV *each : llvm::cast<llvm::SCEVAddExpr>(scev)->operands()) {
        if (each->getType()->isPointerTy()) {
          if (base) return std::nullopt;
          base = pointerOfScev(each);
          if (!base) return std::nullopt;
          continue;
        }
        const auto own = ofScev(each);
        if (!own) return std::nullopt;
        offset = make(TermKind::Add, 64, {offset, resized(*own, 64, true)});
      }
      if (!base) return std::nullopt;
      return moved(*base, offset);
    }
    default:
      return std::nullopt;
  }
}

std::optional<TermId> ValueTerms::trips(const Loop *loop) {
  const auto known = trips_.find(loop);
  if (known != trips_.end()) return known->second;
  trips_[loop] = std::nullopt;
  const auto count = tripsOf(evolution_.getBackedgeTakenCount(loop));
  if (!count) return std::nullopt;
  for (Trail &trail : trails_) trail.loops.push_back(loop);
  return trips_[loop] = *count;
}

std::optional<TermId> ValueTerms::mostTrips(const Loop *loop) {
  if (const auto count = trips(loop)) return count;
  // A term that is read while another value is held may name that value.
  if (!trails_.empty()) return std::nullopt;
  const auto known = mostTrips_.find(loop);
  if (known != mostTrips_.end()) return known->second;
  auto most = tripsOf(evolution_.getSymbolicMaxBackedgeTakenCount(loop));
  if (!most) most = tripsOf(evolution_.getConstantMaxBackedgeTakenCount(loop));
  return mostTrips_[loop] = most;
}

std::optional<TermId> ValueTerms::tripsOf(const SCEV *taken) {
  if (isa<llvm::SCEVCouldNotCompute>(taken)) return std::nullopt;
  auto turns = ofScev(taken);
  if (!turns) return std::nullopt;
  if (const auto anywhere = withoutAddress(*turns)) turns = anywhere;
  return make(TermKind::Add, 64, {resized(*turns, 64, false), number(1)});
}

std::optional<TermId> ValueTerms::startingAgain(const PHINode &phi,
                                                const Loop *loop) {
  using namespace llvm::PatternMatch;
  const Value *first = phi.getIncomingValueForBlock(loop->getLoopPredecessor());
  const Value *next = phi.getIncomingValueForBlock(loop->getLoopLatch());
  const auto *start = dyn_cast<llvm::ConstantInt>(first);
  const auto bits = static_cast<int32_t>(phi.getType()->getIntegerBitWidth());
  if (!start || bits > 64) return std::nullopt;
  const TermId turn = counter(loop);
  const llvm::APInt *turned = nullptr;
  const auto *itself = const_cast<PHINode *>(&phi);
  if (match(next, m_Xor(m_Specific(itself), m_APInt(turned)))) {
    const TermId odd =
        make(TermKind::Equal, 1,
             {make(TermKind::RemS, 64, {turn, number(2)}), number(1)});
    const llvm::APInt both = start->getValue() ^ *turned;
    return make(TermKind::Select, bits,
                {odd, number(both.getSExtValue(), bits),
                 number(start->getSExtValue(), bits)});
  }
  // next = i + 1 < n ? i + 1 : 0, in its many forms.
  llvm::CmpPredicate predicate;
  Value *left = nullptr, *yes = nullptr, *no = nullptr;
  const llvm::APInt *limit = nullptr;
  if (!match(next, m_Select(m_ICmp(predicate, m_Value(left), m_APInt(limit)),
                            m_Value(yes), m_Value(no))))
    return std::nullopt;
  auto isStep = [&](Value *value) {
    return match(value, m_Add(m_Specific(itself), m_One()));
  };
  if (limit->getSignificantBits() > 63) return std::nullopt;
  const bool startsOnTrue = match(yes, m_Zero()) && isStep(no);
  if (!startsOnTrue && !(isStep(yes) && match(no, m_Zero())))
    return std::nullopt;
  // Let `last` be the greatest value that is not followed by 0: the comparison
  // is that of `left`, which is the value or the next one.
  const int64_t ahead = isStep(left) ? 1 : 0;
  if (!ahead && left != itself) return std::nullopt;
  llvm::CmpInst::Predicate goesOn =
      startsOnTrue ? llvm::CmpInst::getInversePredicate(predicate)
                   : llvm::CmpInst::Predicate(predicate);
  const int64_t bound = limit->getSExtValue();
  int64_t size = 0;  // values are below it
  switch (goesOn) {
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_NE:
      size = bound + 1 - ahead;
      break;
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::ICMP_ULE:
      size = bound + 2 - ahead;
      break;
    default:
      return std::nullopt;
  }
  const int64_t from = start->getSExtValue();
  // Of a first value of -1 only the first turn is below 0, which an unsigned
  // comparison takes for a large number.
  const bool isUnsigned = llvm::CmpInst::isUnsigned(goesOn);
  if (size < 1 || from < -1 || from >= size) return std::nullopt;
  if (from < 0 && isUnsigned && !ahead) return std::nullopt;
  const TermId around =
      make(TermKind::RemS, 64,
           {make(TermKind::Add, 64, {turn, number((from + size) % size)}),
            number(size)});
  const TermId value = resized(around, bits, false);
  if (from >= 0) return value;
  return make(
      TermKind::Select, bits,
      {make(TermKind::Equal, 1, {turn, number(0)}), number(-1, bits), value});
}

std::optional<TermId> ValueTerms::carried(const PHINode &phi,
                                          const Loop *loop) {
  const bool isPointer = phi.getType()->isPointerTy();
  const Value *value = &phi;
  if (evolution_.isSCEVable(phi.getType())) {
    const SCEV *scev = evolution_.getSCEV(const_cast<Value *>(value));
    // The first value as the kernel writes it: ScalarEvolution takes numbers
    // apart into bits, each of which may be a case.
    const auto *sum = dyn_cast<llvm::SCEVAddRecExpr>(scev);
    const llvm::BasicBlock *from = loop->getLoopPredecessor();
    if (sum && sum->isAffine() && sum->getLoop() == loop && from)
      if (const auto step = ofScev(sum->getStepRecurrence(evolution_))) {
        const Value *first = phi.getIncomingValueForBlock(from);
        const auto start =
            isPointer ? pointer(first) : std::optional<TermId>(integer(first));
        const int32_t bits =
            isPointer ? 64 : static_cast<int32_t>(bitsOf(phi.getType()));
        const TermId moves = make(
            TermKind::Mul, bits,
            {resized(*step, bits, true), resized(counter(loop), bits, false)});
        if (start)
          return isPointer ? moved(*start, moves)
                           : make(TermKind::Add, bits, {*start, moves});
      }
    if (!isa<llvm::SCEVUnknown>(scev))
      if (const auto made = isPointer ? pointerOfScev(scev) : ofScev(scev))
        return made;
  }
  llvm::BasicBlock *latch = loop->getLoopLatch();
  llvm::BasicBlock *before = loop->getLoopPredecessor();
  if (!latch || !before || phi.getNumIncomingValues() != 2) return std::nullopt;
  if (!isPointer)
    if (const auto made = startingAgain(phi, loop)) return made;
  if (const auto made = passedOn(phi, loop)) return made;
  return turnByTurn(phi, loop);
}

/// The value of the turn before, if it is not made of this one.
std::optional<TermId> ValueTerms::passedOn(const PHINode &phi,
                                           const Loop *loop) {
  const auto start = incoming(phi, loop->getLoopPredecessor());
  const Held held = hold(&phi);
  const auto later = incoming(phi, loop->getLoopLatch());
  release(held);
  open_.insert(&phi);
  if (!start || !later ||
      terms_.mentions(*later, TermKind::Placeholder, held.placeholder))
    return std::nullopt;
  const TermId turn = counter(loop);
  const TermId passed = terms_.inIteration(
      *later, numberOf(loop), make(TermKind::Sub, 64, {turn, number(1)}));
  return make(TermKind::Select, terms_[*start].bits,
              {make(TermKind::Equal, 1, {turn, number(0)}), *start, passed});
}

std::optional<TermId> ValueTerms::leaving(const PHINode &phi) {
  const Value *value = phi.getIncomingValue(0);
  const bool isPointer = phi.getType()->isPointerTy();
  const auto *made = dyn_cast<llvm::Instruction>(value);
  const Loop *inside = made ? loops_.getLoopFor(made->getParent()) : nullptr;
  const Loop *around = loops_.getLoopFor(phi.getParent());
  auto plain = [&]() -> std::optional<TermId> {
    if (isPointer) return pointer(value);
    return integer(value);
  };
  if (!inside || inside->contains(phi.getParent())) return plain();
  if (evolution_.isSCEVable(phi.getType())) {
    const SCEV *scev =
        evolution_.getSCEVAtScope(const_cast<Value *>(value), around);
    if (!isa<llvm::SCEVUnknown>(scev) &&
        evolution_.isLoopInvariant(scev, inside))
      if (const auto own = isPointer ? pointerOfScev(scev) : ofScev(scev))
        return own;
  }
  auto last = plain();
  if (!last) return std::nullopt;
  // In the last turn of each loop that is left, the innermost first.
  for (const Loop *loop = inside; loop && !loop->contains(phi.getParent());
       loop = loop->getParentLoop()) {
    if (!terms_.mentions(*last, TermKind::Loop, numberOf(loop))) continue;
    // Which turn is the last one that comes to a block in the middle is not
    // known unless the loop leaves there.
    const auto count = trips(loop);
    if (!count || loop->getExitingBlock() == nullptr) return std::nullopt;
    last = terms_.inIteration(*last, numberOf(loop),
                              make(TermKind::Sub, 64, {*count, number(1)}));
  }
  return last;
}

std::optional<std::vector<ValueTerms::Incoming>> ValueTerms::meeting(
    const PHINode &phi) {
  const llvm::BasicBlock *block = phi.getParent();
  const auto *node = dominators_.getNode(block);
  if (!node || !node->getIDom()) return std::nullopt;
  const llvm::BasicBlock *above = node->getIDom()->getBlock();
  std::vector<Incoming> all;
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    const llvm::BasicBlock *from = phi.getIncomingBlock(k);
    if (!dominators_.isReachableFromEntry(from)) continue;
    // Which exit of a loop was taken is not known.
    if (outermostLeft(loops_.getLoopFor(from), block)) return std::nullopt;
    const TermId when = all.empty()
                            ? number(1, 1)
                            : both(reachFrom(above, from), edge(from, block));
    all.push_back({phi.getIncomingValue(k), from, when});
  }
  if (all.empty()) return std::nullopt;
  return all;
}

std::optional<TermId> ValueTerms::merged(const PHINode &phi) {
  const bool isPointer = phi.getType()->isPointerTy();
  const auto ways = meeting(phi);
  if (!ways) return std::nullopt;
  std::optional<TermId> all;
  for (const Incoming &way : *ways) {
    const std::optional<TermId> own =
        isPointer ? pointer(way.value)
                  : std::optional<TermId>(integer(way.value));
    if (!own) return std::nullopt;
    all =
        all ? make(TermKind::Select, terms_[*own].bits, {way.when, *own, *all})
            : own;
  }
  return all;
}

}  // namespace indexical::compiled
