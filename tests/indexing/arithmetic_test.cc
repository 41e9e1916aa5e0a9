// Arithmetic against 128 bits, at the ends of 64 bits and at all small numbers;
// sums of products against 256.
#include "indexical/indexing/arithmetic.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/APInt.h"

namespace indexical {
namespace {

using Wide = __int128;

std::vector<int64_t> numbers() {
  std::vector<int64_t> result;
  for (int64_t i = 0; i <= 12; ++i) {
    for (int64_t base :
         {int64_t{-6}, INT64_MIN, INT64_MAX - 12, INT64_MIN / 2 - 6,
          INT64_MAX / 2 - 6, int64_t{3037000500} - 6, int64_t{-3037000500} - 6})
      result.push_back(base + i);
  }
  return result;
}

std::optional<int64_t> narrow(Wide x) {
  if (x < INT64_MIN || x > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(x);
}

/// By counting down from the quotient that is rounded toward zero.
Wide floorOf(Wide a, Wide b) {
  Wide q = a / b;
  while ((a - q * b) != 0 && ((a - q * b) < 0) != (b < 0)) --q;
  return q;
}

TEST(ArithmeticTest, WhatLeaves64BitsHasNoValue) {
  for (int64_t a : numbers()) {
    for (int64_t b : numbers()) {
      EXPECT_EQ(checkedAdd(a, b), narrow(Wide{a} + b)) << a << " + " << b;
      EXPECT_EQ(checkedSub(a, b), narrow(Wide{a} - b)) << a << " - " << b;
      EXPECT_EQ(checkedMul(a, b), narrow(Wide{a} * b)) << a << " * " << b;
    }
  }
}

TEST(ArithmeticTest, QuotientsAreRoundedDownOrUp) {
  for (int64_t a : numbers()) {
    for (int64_t b : numbers()) {
      if (b == 0 || (a == INT64_MIN && b == -1)) continue;
      const Wide floor = floorOf(a, b);
      EXPECT_EQ(floorDiv(a, b), floor) << a << ", " << b;
      EXPECT_EQ(ceilDiv(a, b), floor * b == a ? floor : floor + 1)
          << a << ", " << b;
      if (b < 0) continue;
      EXPECT_EQ(floorMod(a, b), a - floor * b) << a << ", " << b;
    }
  }
}

std::optional<int64_t> narrow(const llvm::APInt &x) {
  if (!x.isSignedIntN(64)) return std::nullopt;
  return x.getSExtValue();
}

// One product, or five: more than 128 bits hold.
TEST(ArithmeticTest, SumsOfProductsAndTheirDigits) {
  auto wide = [](int64_t x) { return llvm::APInt(256, x, true); };
  auto floorOf = [](const llvm::APInt &a, const llvm::APInt &b) {
    return llvm::APIntOps::RoundingSDiv(a, b, llvm::APInt::Rounding::DOWN);
  };
  for (int64_t a : numbers()) {
    for (int64_t b : numbers()) {
      WideSum sum(a);
      llvm::APInt expected = wide(a);
      for (int times : {1, 4}) {
        for (int i = 0; i < times; ++i) {
          sum.add(a, b);
          expected += wide(a) * wide(b);
        }
        ASSERT_EQ(sum.value(), narrow(expected)) << a << ", " << b;
        EXPECT_EQ(sum.saturated(),
                  narrow(expected).value_or(expected.isNegative() ? INT64_MIN
                                                                  : INT64_MAX));
        for (int64_t stride : {int64_t{1}, int64_t{7}, int64_t{1} << 32,
                               INT64_MAX - 1, INT64_MAX}) {
          const llvm::APInt quotient = floorOf(expected, wide(stride));
          ASSERT_EQ(sum.digit(stride, 0), narrow(quotient))
              << a << ", " << b << ", " << stride;
          for (int64_t modulus : {int64_t{2}, int64_t{9}, INT64_MAX}) {
            const llvm::APInt turns = floorOf(quotient, wide(modulus));
            ASSERT_EQ(sum.digit(stride, modulus),
                      narrow(quotient - turns * wide(modulus)))
                << a << ", " << b << ", " << stride << ", " << modulus;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace indexical
