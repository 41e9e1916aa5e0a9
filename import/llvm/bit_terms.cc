// Operations on single bits as sums: the product of two bits is their sum
// divided by two.
//
//   x xor 4            x + 4 - 8 * (x floordiv 4 mod 2)
//   x xor y, 1 bit     x + y - 2 * ((x + y) floordiv 2)
//   x and 24           (x floordiv 8 mod 4) * 8
//   x < 32 ? 0 : 128   (x floordiv 32) * 128, of x below 64
//
// Only the bits that both sides may have take such a term each; LLVM's analysis
// of known bits says which these are.
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/import/llvm/value_terms.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::compiled {

namespace {

/// Bits of which each takes a term of its own. With more, the value is unknown.
constexpr int kMostBits = 16;

uint64_t maskOfBits(int32_t bits) {
  return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

}  // namespace

TermId ValueTerms::shiftedRight(TermId x, int32_t by, int32_t bits) {
  return by == 0 ? x : make(TermKind::ShrU, bits, {x, number(by, bits)});
}

std::optional<TermId> ValueTerms::chosenByBit(const llvm::Value *condition,
                                              int64_t yes, int64_t no,
                                              int32_t bits) {
  using namespace llvm::PatternMatch;
  const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(condition);
  const llvm::APInt *bound = nullptr;
  if (!compare || bits < 2 || bitsOf(compare->getOperand(0)->getType()) < 2 ||
      !match(compare->getOperand(1), m_APInt(bound)))
    return std::nullopt;
  const llvm::Value *of = compare->getOperand(0);
  const int32_t width = bitsOf(of->getType());
  llvm::APInt power = *bound;
  bool isSet = false;  // whether the condition holds if the bit is 1
  switch (compare->getPredicate()) {
    case llvm::CmpInst::ICMP_UGT:
      isSet = true;
      ++power;
      [[fallthrough]];
    case llvm::CmpInst::ICMP_ULT:
      // A number that is below twice the power.
      if (!power.isPowerOf2() ||
          llvm::computeKnownBits(of, layout_).countMaxActiveBits() >
              power.logBase2() + 1)
        return std::nullopt;
      break;
    case llvm::CmpInst::ICMP_NE:
      isSet = true;
      [[fallthrough]];
    case llvm::CmpInst::ICMP_EQ: {
      // A number of one bit, compared with 0.
      const llvm::KnownBits known = llvm::computeKnownBits(of, layout_);
      power = ~known.Zero;
      if (!bound->isZero() || !power.isPowerOf2()) return std::nullopt;
      break;
    }
    default:
      return std::nullopt;
  }
  if (!isSet) std::swap(yes, no);
  const auto distance = checkedSub(yes, no);
  if (!distance) return std::nullopt;
  const TermId bit = resized(
      shiftedRight(integer(of), static_cast<int32_t>(power.logBase2()), width),
      bits, false);
  return make(TermKind::Add, bits,
              {number(no, bits),
               make(TermKind::Mul, bits,
                    {bit, number(kernels::wrapped(*distance, bits), bits)})});
}

TermId ValueTerms::bitOf(TermId x, int32_t bit, int32_t bits) {
  const TermId low = shiftedRight(x, bit, bits);
  return bit + 1 == bits ? low
                         : make(TermKind::And, bits, {low, number(1, bits)});
}

TermId ValueTerms::maskedBy(TermId x, uint64_t mask, int32_t bits) {
  TermId sum = number(0, bits);
  for (int32_t at = 0; at < bits;) {
    if (!((mask >> at) & 1)) {
      ++at;
      continue;
    }
    int32_t length = 1;
    while (at + length < bits && ((mask >> (at + length)) & 1)) ++length;
    TermId run = shiftedRight(x, at, bits);
    if (at + length < bits)
      run = make(TermKind::And, bits,
                 {run, number(static_cast<int64_t>(maskOfBits(length)), bits)});
    if (at > 0) {
      // The factor of the topmost bit is the least number of the type.
      const int64_t factor =
          kernels::wrapped(static_cast<int64_t>(uint64_t{1} << at), bits);
      run = make(TermKind::Mul, bits, {run, number(factor, bits)});
    }
    sum = make(TermKind::Add, bits, {sum, run});
    at += length;
  }
  return sum;
}

TermId ValueTerms::bitwise(TermKind kind, const llvm::Value *a,
                           const llvm::Value *b, int32_t bits) {
  const TermId x = integer(a), y = integer(b);
  const uint64_t all = maskOfBits(bits);
  const llvm::KnownBits left = llvm::computeKnownBits(a, layout_);
  const llvm::KnownBits right = llvm::computeKnownBits(b, layout_);
  const uint64_t leftMay = ~left.Zero.getZExtValue() & all;
  const uint64_t rightMay = ~right.Zero.getZExtValue() & all;
  const uint64_t leftIs = left.One.getZExtValue();
  const uint64_t rightIs = right.One.getZExtValue();
  // x and not y: the bits of y count where x may have them.
  if (kind == TermKind::And) {
    if ((leftMay & rightMay) == 0) return number(0, bits);
    // A mask that has all bits of the other side changes nothing.
    if (right.isConstant()) {
      if ((leftMay & ~rightIs) == 0) return x;
      const uint64_t mask = rightIs;
      // Low bits and high bits have forms of their own.
      if (llvm::isMask_64(mask) || (~mask & all) == 0 ||
          llvm::isMask_64(~mask & all))
        return make(TermKind::And, bits, {x, y});
      return maskedBy(x, mask & leftMay, bits);
    }
    if (left.isConstant()) return bitwise(kind, b, a, bits);
  }
  const uint64_t common = leftMay & rightMay;
  if (llvm::popcount(common) > kMostBits) {
    // All bits turned, or set.
    if (kind == TermKind::Xor && rightIs == all)
      return make(TermKind::Sub, bits, {number(-1, bits), x});
    if (kind == TermKind::Xor && leftIs == all)
      return make(TermKind::Sub, bits, {number(-1, bits), y});
    if (kind == TermKind::Or && (rightIs == all || leftIs == all))
      return number(-1, bits);
    return make(kind, bits, {x, y});
  }
  // The bits that both have, as a number.
  TermId shared = number(0, bits);
  for (int32_t at = 0; at < bits; ++at) {
    if (!((common >> at) & 1)) continue;
    TermId product;
    if ((rightIs >> at) & 1)
      product = bitOf(x, at, bits);
    else if ((leftIs >> at) & 1)
      product = bitOf(y, at, bits);
    else
      product = shiftedRight(
          make(TermKind::Add, bits, {bitOf(x, at, bits), bitOf(y, at, bits)}),
          1, bits);
    const int64_t factor =
        kernels::wrapped(static_cast<int64_t>(uint64_t{1} << at), bits);
    shared = make(
        TermKind::Add, bits,
        {shared, make(TermKind::Mul, bits, {product, number(factor, bits)})});
  }
  if (kind == TermKind::And) return shared;
  const TermId sum = make(TermKind::Add, bits, {x, y});
  if (kind == TermKind::Xor)
    shared = make(TermKind::Mul, bits, {shared, number(2, bits)});
  return make(TermKind::Sub, bits, {sum, shared});
}

}  // namespace indexical::compiled
