// Random numbers that are the same with every standard library.
#ifndef INDEXICAL_TESTS_SUPPORT_RANDOM_H
#define INDEXICAL_TESTS_SUPPORT_RANDOM_H

#include <cstdint>
#include <cstdlib>
#include <random>

#include "llvm/ADT/SmallVector.h"

namespace indexical::testing {

/// The number that an environment variable holds: how many instances, and from
/// which seed on.
inline uint64_t fromEnvironment(const char *name, uint64_t standard) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : standard;
}

class Random {
 public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// Uniform in [lower, upper], which must not be empty.
  int64_t in(int64_t lower, int64_t upper);
  bool oneIn(int64_t n) { return in(1, n) == 1; }
  /// 0 … n - 1 in random order.
  llvm::SmallVector<int64_t, 6> permutation(int64_t n);
  /// `count` different numbers below `n`, in increasing order.
  llvm::SmallVector<int64_t, 6> subset(int64_t n, int64_t count);

 private:
  std::mt19937_64 engine;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_RANDOM_H
