// Random shapes, which random_ops.cc makes ops of.
#ifndef INDEXICAL_TESTS_SUPPORT_RANDOM_SHAPES_H
#define INDEXICAL_TESTS_SUPPORT_RANDOM_SHAPES_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "indexical/ops/shape.h"
#include "tests/support/random.h"

namespace indexical::testing {

constexpr int64_t kMostElements = 2000;

ElementType randomType(Random &random);
/// A type of indices, of which every operand has values.
ElementType randomIndexType(Random &random);
bool isIndexType(ElementType type);

/// Returns a shape with a random layout, or with none.
ArrayShape shapeOf(ElementType type, llvm::ArrayRef<int64_t> sizes,
                   Random &random);
/// Like the shapeOf above, with a random element type.
ArrayShape shapeOf(llvm::ArrayRef<int64_t> sizes, Random &random);

/// Mostly 1 to 6, seldom 0.
int64_t randomSize(Random &random);
/// Sizes of `rank` dimensions with at most `most` elements.
Int64s sizesOfRank(int64_t rank, int64_t most, Random &random);
/// Returns sizes with at most kMostElements elements, and mostly far fewer, so
/// that a test can run many instances.
Int64s randomSizes(Random &random, int64_t leastRank = 0, int64_t mostRank = 5);
/// Returns sizes with the product `count`: its prime factors, dealt out at
/// random.
Int64s sizesWithCount(int64_t count, Random &random);
/// Returns the sizes, each replaced by one that is not larger.
Int64s sizesWithin(llvm::ArrayRef<int64_t> sizes, Random &random);

Int64s shuffled(const Int64s &list, Random &random);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_RANDOM_SHAPES_H
