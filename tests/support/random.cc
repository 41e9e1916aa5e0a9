#include "tests/support/random.h"

#include <algorithm>
#include <utility>

namespace indexical::testing {

int64_t Random::in(int64_t lower, int64_t upper) {
  // In unsigned arithmetic: the bounds may be further apart than an int64_t.
  const uint64_t span =
      static_cast<uint64_t>(upper) - static_cast<uint64_t>(lower) + 1;
  const uint64_t offset = span == 0 ? engine() : engine() % span;
  return static_cast<int64_t>(static_cast<uint64_t>(lower) + offset);
}

llvm::SmallVector<int64_t, 6> Random::permutation(int64_t n) {
  llvm::SmallVector<int64_t, 6> result;
  for (int64_t i = 0; i < n; ++i) result.push_back(i);
  for (int64_t i = n - 1; i > 0; --i) std::swap(result[i], result[in(0, i)]);
  return result;
}

llvm::SmallVector<int64_t, 6> Random::subset(int64_t n, int64_t count) {
  llvm::SmallVector<int64_t, 6> result = permutation(n);
  result.resize(count);
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace indexical::testing
