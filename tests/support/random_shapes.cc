#include "tests/support/random_shapes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/tensor.h"

namespace indexical::testing {
namespace {

const ElementType kTypes[] = {
    ElementType::Pred, ElementType::S4,  ElementType::S8,  ElementType::U8,
    ElementType::S16,  ElementType::F16, ElementType::S32, ElementType::F32,
    ElementType::S64,  ElementType::F64, ElementType::C64};
const ElementType kIndexTypes[] = {ElementType::S8, ElementType::S32,
                                   ElementType::U32, ElementType::S64};

}  // namespace

ElementType randomType(Random &random) {
  return kTypes[random.in(0, std::size(kTypes) - 1)];
}

ElementType randomIndexType(Random &random) {
  return kIndexTypes[random.in(0, std::size(kIndexTypes) - 1)];
}

bool isIndexType(ElementType type) {
  return llvm::is_contained(kIndexTypes, type);
}

ArrayShape shapeOf(ElementType type, llvm::ArrayRef<int64_t> sizes,
                   Random &random) {
  ArrayShape shape(type, sizes);
  if (random.oneIn(2))
    shape.layout.emplace().minorToMajor = random.permutation(shape.rank());
  return shape;
}

ArrayShape shapeOf(llvm::ArrayRef<int64_t> sizes, Random &random) {
  return shapeOf(randomType(random), sizes, random);
}

int64_t randomSize(Random &random) {
  if (random.oneIn(30)) return 0;
  return random.oneIn(5) ? 1 : random.in(1, 6);
}

Int64s sizesOfRank(int64_t rank, int64_t most, Random &random) {
  while (true) {
    Int64s sizes;
    for (int64_t k = 0; k < rank; ++k) sizes.push_back(randomSize(random));
    if (countOf(sizes) <= most) return sizes;
  }
}

Int64s randomSizes(Random &random, int64_t leastRank, int64_t mostRank) {
  const int64_t most = random.oneIn(8) ? kMostElements : 300;
  return sizesOfRank(random.in(leastRank, mostRank), most, random);
}

Int64s sizesWithCount(int64_t count, Random &random) {
  if (count == 0) {
    Int64s sizes = randomSizes(random, 1);
    sizes[random.in(0, sizes.size() - 1)] = 0;
    return sizes;
  }
  Int64s sizes(count == 1 ? random.in(0, 3) : random.in(1, 5), 1);
  for (int64_t factor = 2; count > 1; ++factor)
    for (; count % factor == 0; count /= factor)
      sizes[random.in(0, sizes.size() - 1)] *= factor;
  return sizes;
}

Int64s sizesWithin(llvm::ArrayRef<int64_t> sizes, Random &random) {
  Int64s result;
  for (int64_t size : sizes)
    result.push_back(random.oneIn(3)
                         ? size
                         : random.in(random.oneIn(20) ? 0 : size > 0, size));
  return result;
}

Int64s shuffled(const Int64s &list, Random &random) {
  Int64s result;
  for (int64_t k : random.permutation(list.size())) result.push_back(list[k]);
  return result;
}

}  // namespace indexical::testing
