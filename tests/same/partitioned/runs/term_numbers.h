// Numbers of terms.
//
//   x + y and y + x      have one number
//   x + x and x          have two
//   tanh(x), tanh(y)     have two, for x and y have two
//
// The number of a term is what it is at a random point, in two rings at once.
// An element of a parameter is a random number, and so is what an op that is no
// ring operation makes of the numbers of its operands. Terms that ring
// operations make equal have equal numbers; other terms have equal numbers only
// by chance, of 2^-60 or less.
//
// The terms of integers are polynomials over the integers. Two equal ones are
// equal modulo 2^bits, too, so that all widths share one ring: negative
// literals are negative numbers in it, and 255 is -1 as a u8. The first number
// of a term is one modulo a prime, and the second one modulo 2^64, for the
// prime divides coefficients, too. The terms of floats and complex numbers are
// fractions of polynomials, and both numbers are modulo primes: 2^61 is 1
// modulo one of them.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_TERM_NUMBERS_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_TERM_NUMBERS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"

namespace indexical {

struct TermNumber {
  uint64_t first = 0, second = 0;
  bool operator==(const TermNumber &o) const {
    return first == o.first && second == o.second;
  }
  bool operator!=(const TermNumber &o) const { return !(*this == o); }
  bool operator<(const TermNumber &o) const {
    return first != o.first ? first < o.first : second < o.second;
  }
};

/// The ring in which terms of a type are computed.
enum class TermRing : uint8_t { Integers, Reals };

TermNumber sum(TermNumber a, TermNumber b, TermRing ring);
TermNumber negated(TermNumber a, TermRing ring);
TermNumber product(TermNumber a, TermNumber b, TermRing ring);
/// Returns a / b, or nothing if b is zero. The ring is that of reals.
std::optional<TermNumber> quotient(TermNumber a, TermNumber b);
/// Returns the number of an integer.
TermNumber numberOf(int64_t value, TermRing ring);
/// Returns the number of mantissa * 2^exponent, a real.
TermNumber scaled(int64_t mantissa, int64_t exponent);

/// A random function of what is added, in order.
class TermHash {
 public:
  /// Two hashes with different tags are different functions.
  explicit TermHash(uint64_t tag) { add(tag); }
  TermHash &add(uint64_t value);
  TermHash &add(TermNumber number) {
    return add(number.first).add(number.second);
  }
  TermHash &add(llvm::StringRef text);
  TermNumber number() const;

 private:
  uint64_t first_ = 0x243f6a8885a308d3, second_ = 0x13198a2e03707344;
};

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_TERM_NUMBERS_H
