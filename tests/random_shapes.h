// Random numbers and shapes, which random_ops.cc makes ops of.
#ifndef INDEXICAL_TESTS_RANDOM_SHAPES_H
#define INDEXICAL_TESTS_RANDOM_SHAPES_H

#include <cstdint>
#include <random>

#include "llvm/ADT/ArrayRef.h"

#include "ops/op.h"
#include "ops/shape.h"

namespace indexical::testing {

/// Random numbers that are the same with every standard library.
class Random {
 public:
  explicit Random(uint64_t seed) : engine(seed) {}
  /// Uniform in [lower, upper], which must not be empty.
  int64_t in(int64_t lower, int64_t upper);
  bool oneIn(int64_t n) { return in(1, n) == 1; }
  /// 0 … n - 1 in random order.
  Int64s permutation(int64_t n);
  /// `count` different numbers below `n`, in increasing order.
  Int64s subset(int64_t n, int64_t count);

 private:
  std::mt19937_64 engine;
};

constexpr int64_t kMostElements = 2000;

ElementType randomType(Random &random);
/// A type of indices, of which every operand has values.
ElementType randomIndexType(Random &random);
bool isIndexType(ElementType type);

/// The layout is random, or there is none.
ArrayShape shapeOf(ElementType type, llvm::ArrayRef<int64_t> sizes,
                   Random &random);
/// Of a random type.
ArrayShape shapeOf(llvm::ArrayRef<int64_t> sizes, Random &random);

/// Mostly 1 to 6, seldom 0.
int64_t randomSize(Random &random);
/// Sizes of `rank` dimensions with at most `most` elements.
Int64s sizesOfRank(int64_t rank, int64_t most, Random &random);
/// At most kMostElements, but mostly far less, so that there can be many.
Int64s randomSizes(Random &random, int64_t leastRank = 0, int64_t mostRank = 5);
/// Sizes with the product `count`: its prime factors, dealt out anew.
Int64s sizesWithCount(int64_t count, Random &random);
/// Each size replaced by one that is not larger.
Int64s sizesWithin(llvm::ArrayRef<int64_t> sizes, Random &random);

Int64s shuffled(const Int64s &list, Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_RANDOM_SHAPES_H
