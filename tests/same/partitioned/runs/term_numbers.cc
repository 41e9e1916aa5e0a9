#include "tests/same/partitioned/runs/term_numbers.h"

namespace indexical {
namespace {

using Wide = unsigned __int128;

/// Arithmetic modulo 2^bits - less, a prime.
template <int bits, uint64_t less>
struct Field {
  static constexpr uint64_t kPrime = (uint64_t(1) << bits) - less;

  static uint64_t reduced(uint64_t a) { return a >= kPrime ? a - kPrime : a; }
  static uint64_t add(uint64_t a, uint64_t b) { return reduced(a + b); }
  static uint64_t negate(uint64_t a) { return a == 0 ? 0 : kPrime - a; }
  static uint64_t multiply(uint64_t a, uint64_t b) {
    constexpr Wide kLow = (Wide(1) << bits) - 1;
    Wide rest = Wide(a) * b;
    rest = (rest & kLow) + (rest >> bits) * less;
    rest = (rest & kLow) + (rest >> bits) * less;
    return reduced(static_cast<uint64_t>(rest));
  }
  static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = multiply(base, base))
      if (exponent & 1) result = multiply(result, base);
    return result;
  }
  static uint64_t inverse(uint64_t a) { return power(a, kPrime - 2); }
  static uint64_t of(int64_t value) {
    const int64_t rest = value % static_cast<int64_t>(kPrime);
    return rest < 0 ? rest + kPrime : rest;
  }
};
using First = Field<63, 25>;
using Second = Field<61, 1>;

/// The finaliser of SplitMix64.
uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

TermNumber sum(TermNumber a, TermNumber b, TermRing ring) {
  return {First::add(a.first, b.first), ring == TermRing::Integers
                                            ? a.second + b.second
                                            : Second::add(a.second, b.second)};
}

TermNumber negated(TermNumber a, TermRing ring) {
  return {First::negate(a.first),
          ring == TermRing::Integers ? 0 - a.second : Second::negate(a.second)};
}

TermNumber product(TermNumber a, TermNumber b, TermRing ring) {
  return {First::multiply(a.first, b.first),
          ring == TermRing::Integers ? a.second * b.second
                                     : Second::multiply(a.second, b.second)};
}

std::optional<TermNumber> quotient(TermNumber a, TermNumber b) {
  if (b.first == 0 || b.second == 0) return std::nullopt;
  return product(a, {First::inverse(b.first), Second::inverse(b.second)},
                 TermRing::Reals);
}

TermNumber numberOf(int64_t value, TermRing ring) {
  return {First::of(value), ring == TermRing::Integers
                                ? static_cast<uint64_t>(value)
                                : Second::of(value)};
}

TermNumber scaled(int64_t mantissa, int64_t exponent) {
  const uint64_t steps = exponent < 0 ? -exponent : exponent;
  TermNumber two = {First::power(2, steps), Second::power(2, steps)};
  if (exponent < 0)
    two = {First::inverse(two.first), Second::inverse(two.second)};
  return product(numberOf(mantissa, TermRing::Reals), two, TermRing::Reals);
}

TermHash &TermHash::add(uint64_t value) {
  first_ = mixed(first_ ^ (value * 0xd6e8feb86659fd93 + 1));
  second_ = mixed((second_ + 0x9e3779b97f4a7c15) ^
                  (value * 0xa0761d6478bd642f + 0x8ebc6af09c88c6e3));
  return *this;
}

TermHash &TermHash::add(llvm::StringRef text) {
  add(text.size());
  for (char c : text) add(static_cast<uint8_t>(c));
  return *this;
}

TermNumber TermHash::number() const {
  return {First::reduced(first_ >> 1), Second::reduced(second_ >> 3)};
}

}  // namespace indexical
