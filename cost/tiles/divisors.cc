#include "indexical/cost/tiles/divisors.h"

#include <numeric>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

/// Factors below are found by division.
constexpr uint64_t kSmall = 1000;

uint64_t productModulo(uint64_t a, uint64_t b, uint64_t modulus) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % modulus);
}

uint64_t powerModulo(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t power = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) power = productModulo(power, base, modulus);
    base = productModulo(base, base, modulus);
  }
  return power;
}

/// Whether an odd number above kSmall is a prime: Miller and Rabin's test,
/// whose bases here suffice for all numbers of 64 bits.
bool isPrime(uint64_t number) {
  uint64_t odd = number - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  for (uint64_t base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    uint64_t power = powerModulo(base, odd, number);
    bool mayBe = power == 1 || power == number - 1;
    for (int k = 1; k < twos && !mayBe; ++k) {
      power = productModulo(power, power, number);
      mayBe = power == number - 1;
    }
    if (!mayBe) return false;
  }
  return true;
}

/// Returns a factor of an odd number that is no prime, neither 1 nor the
/// number: Pollard's rho, with Brent's search for a cycle.
uint64_t factorOf(uint64_t number) {
  for (uint64_t shift = 1;; ++shift) {
    auto next = [&](uint64_t x) {
      return (productModulo(x, x, number) + shift) % number;
    };
    uint64_t saved = 2, x = 2, factor = 1;
    for (uint64_t length = 1; factor == 1; length *= 2) {
      saved = x;
      for (uint64_t step = 0; step < length && factor == 1; ++step) {
        x = next(x);
        factor = std::gcd(x > saved ? x - saved : saved - x, number);
      }
    }
    if (factor != number) return factor;
  }
}

/// Appends the prime factors of a number without small ones.
void appendFactors(uint64_t number, std::vector<uint64_t> &factors) {
  if (number == 1) return;
  if (number < kSmall * kSmall || isPrime(number))
    return factors.push_back(number);
  const uint64_t factor = factorOf(number);
  appendFactors(factor, factors);
  appendFactors(number / factor, factors);
}

}  // namespace

std::vector<int64_t> divisorsOf(int64_t number) {
  auto rest = static_cast<uint64_t>(number);
  std::vector<uint64_t> factors;
  for (uint64_t factor = 2; factor <= kSmall; ++factor)
    for (; rest % factor == 0; rest /= factor) factors.push_back(factor);
  appendFactors(rest, factors);
  llvm::sort(factors);
  std::vector<int64_t> divisors = {1};
  size_t before = 0;  // the divisors that the last equal factor has multiplied
  for (size_t f = 0; f < factors.size(); ++f) {
    if (f == 0 || factors[f] != factors[f - 1]) before = 0;
    const size_t end = divisors.size();
    for (size_t k = before; k < end; ++k)
      divisors.push_back(divisors[k] * static_cast<int64_t>(factors[f]));
    before = end;
  }
  llvm::sort(divisors);
  return divisors;
}

}  // namespace indexical
