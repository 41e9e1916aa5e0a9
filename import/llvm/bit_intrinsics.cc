// Intrinsics that count and move bits, and additions that stay at the ends of
// their type, as sums, shifts and choices.
//
//   ctpop(x), x below 4       (x mod 2) + (x floordiv 2)
//   bswap(x), 16 bits         (x mod 256) * 256 + x floordiv 256
//   cttz(x), 2 bits           x mod 2 = 1 ? 0 : x floordiv 2 = 1 ? 1 : 2
//   usub.sat(x, y)            x < y ? 0 : x - y
//
// Bits that LLVM knows to be zero have no term.
//
// Law (tests/import/llvm/enumerated_figures_test.py): the elements that threads
// access are those of an evaluator that shares no code.
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/KnownBits.h"

#include "indexical/import/llvm/value_terms.h"

namespace indexical::compiled {

TermId ValueTerms::shiftedLeft(TermId x, int32_t by, int32_t bits) {
  if (by == 0) return x;
  const int64_t factor =
      kernels::wrapped(static_cast<int64_t>(uint64_t{1} << by), bits);
  return make(TermKind::Mul, bits, {x, number(factor, bits)});
}

/// Returns how many zeros are in front of the first bit that is set.
TermId ValueTerms::countOfZeros(const llvm::Value *of, int32_t bits,
                                bool fromTop) {
  const llvm::KnownBits known = llvm::computeKnownBits(of, layout_);
  const TermId x = integer(of);
  TermId count = number(bits, bits);
  for (int32_t k = bits; k-- > 0;) {
    const int32_t bit = fromTop ? bits - 1 - k : k;
    if (known.Zero[bit]) continue;
    const TermId isSet =
        make(TermKind::NotEqual, 1, {bitOf(x, bit, bits), number(0, bits)});
    count = make(TermKind::Select, bits, {isSet, number(k, bits), count});
  }
  return count;
}

/// Returns the bits of a pair, of which the first has the higher ones, moved by
/// a number modulo the width: `fshl` and `fshr`.
std::optional<TermId> ValueTerms::rotated(const llvm::CallInst &call,
                                          int32_t bits, bool isLeft) {
  // The amount is taken modulo the width, which is cheap for a power of two.
  if ((bits & (bits - 1)) != 0) return std::nullopt;
  const TermId high = integer(call.getArgOperand(0));
  const TermId low = integer(call.getArgOperand(1));
  const TermId by =
      make(TermKind::And, bits,
           {integer(call.getArgOperand(2)), number(bits - 1, bits)});
  const TermId rest = make(TermKind::Sub, bits, {number(bits, bits), by});
  const TermId left = make(TermKind::Shl, bits, {high, isLeft ? by : rest});
  const TermId right = make(TermKind::ShrU, bits, {low, isLeft ? rest : by});
  const TermId none = make(TermKind::Equal, 1, {by, number(0, bits)});
  return make(
      TermKind::Select, bits,
      {none, isLeft ? high : low, make(TermKind::Add, bits, {left, right})});
}

std::optional<TermId> ValueTerms::saturated(llvm::Intrinsic::ID id, TermId x,
                                            TermId y, int32_t bits) {
  const TermId zero = number(0, bits);
  if (id == llvm::Intrinsic::usub_sat)
    return make(TermKind::Select, bits,
                {make(TermKind::LessU, 1, {x, y}), zero,
                 make(TermKind::Sub, bits, {x, y})});
  if (id == llvm::Intrinsic::uadd_sat) {
    const TermId sum = make(TermKind::Add, bits, {x, y});
    return make(TermKind::Select, bits,
                {make(TermKind::LessU, 1, {sum, x}), number(-1, bits), sum});
  }
  if (bits > 32) return std::nullopt;
  const TermId wide =
      make(id == llvm::Intrinsic::sadd_sat ? TermKind::Add : TermKind::Sub, 64,
           {resized(x, 64, true), resized(y, 64, true)});
  const TermId atMost =
      make(TermKind::MinS, 64, {wide, number(kernels::greatestOfBits(bits))});
  return resized(
      make(TermKind::MaxS, 64, {atMost, number(kernels::leastOfBits(bits))}),
      bits, true);
}

std::optional<TermId> ValueTerms::bitIntrinsic(const llvm::CallInst &call,
                                               int32_t bits) {
  // A truth value is no number whose bits are counted.
  if (bits < 2 || call.arg_size() == 0 ||
      bitsOf(call.getArgOperand(0)->getType()) != bits)
    return std::nullopt;
  const llvm::Value *of = call.getArgOperand(0);
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  // A value that is not known is not known any better bit by bit.
  const TermId first = integer(of);
  if (terms_.mentions(first, TermKind::Loaded) ||
      terms_.mentions(first, TermKind::Unknown))
    return std::nullopt;
  auto sumOfBits = [&](auto placeOf) {
    const llvm::KnownBits known = llvm::computeKnownBits(of, layout_);
    const TermId x = integer(of);
    TermId sum = number(0, bits);
    for (int32_t bit = 0; bit < bits; ++bit)
      if (!known.Zero[bit])
        sum = make(TermKind::Add, bits,
                   {sum, shiftedLeft(bitOf(x, bit, bits), placeOf(bit), bits)});
    return sum;
  };
  switch (id) {
    case llvm::Intrinsic::ctpop:
      return sumOfBits([](int32_t) { return 0; });
    case llvm::Intrinsic::bitreverse:
      return sumOfBits([&](int32_t bit) { return bits - 1 - bit; });
    case llvm::Intrinsic::bswap: {
      const TermId x = integer(of);
      TermId sum = number(0, bits);
      for (int32_t byte = 0; byte < bits / 8; ++byte) {
        const TermId moved = shiftedRight(x, 8 * byte, bits);
        const TermId low =
            byte + 1 == bits / 8
                ? moved
                : make(TermKind::And, bits, {moved, number(255, bits)});
        sum = make(TermKind::Add, bits,
                   {sum, shiftedLeft(low, bits - 8 - 8 * byte, bits)});
      }
      return sum;
    }
    case llvm::Intrinsic::cttz:
      return countOfZeros(of, bits, /*fromTop=*/false);
    case llvm::Intrinsic::ctlz:
      return countOfZeros(of, bits, /*fromTop=*/true);
    case llvm::Intrinsic::fshl:
      return rotated(call, bits, /*isLeft=*/true);
    case llvm::Intrinsic::fshr:
      return rotated(call, bits, /*isLeft=*/false);
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::ssub_sat:
      return saturated(id, integer(of), integer(call.getArgOperand(1)), bits);
    default:
      return std::nullopt;
  }
}

}  // namespace indexical::compiled
