// Tensors whose elements are sets of reads.
//
// The oracle runs an op on operands whose element `i` has the value
// `{(operand, i)}`: what was read to define it. To combine values is to unite
// their sets, to move a value is to copy its set. So an element of the result
// holds, in the end, exactly what its definition read:
//
//   p = f32[3]   {(0,0)} {(0,1)} {(0,2)}
//   r = f32[2] slice(p), slice={[0:3:2]}
//                {(0,0)} {(0,2)}
//
// Nothing here is shared with ops/: the two must not be wrong together.
#ifndef INDEXICAL_TESTS_ORACLE_TENSOR_H
#define INDEXICAL_TESTS_ORACLE_TENSOR_H

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <tuple>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical::testing {

using Index = llvm::SmallVector<int64_t, 6>;

/// One element of one operand leaf, by its place in row major order.
struct Read {
  int64_t operand = 0;
  int64_t element = 0;
  bool operator<(const Read &other) const {
    return std::tie(operand, element) < std::tie(other.operand, other.element);
  }
  bool operator==(const Read &other) const {
    return operand == other.operand && element == other.element;
  }
};

using Reads = llvm::SmallVector<Read, 2>;

inline int64_t countOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

inline bool isInside(llvm::ArrayRef<int64_t> sizes,
                     llvm::ArrayRef<int64_t> index) {
  assert(sizes.size() == index.size());
  for (size_t k = 0; k < sizes.size(); ++k)
    if (index[k] < 0 || index[k] >= sizes[k]) return false;
  return true;
}

/// Returns the place of `index` in row major order. Requires isInside.
inline int64_t rowMajor(llvm::ArrayRef<int64_t> sizes,
                        llvm::ArrayRef<int64_t> index) {
  assert(isInside(sizes, index));
  int64_t place = 0;
  for (size_t k = 0; k < sizes.size(); ++k) place = place * sizes[k] + index[k];
  return place;
}

/// Returns the index at that place in row major order.
inline Index indexAt(llvm::ArrayRef<int64_t> sizes, int64_t place) {
  Index index(sizes.size());
  for (size_t k = sizes.size(); k-- > 0; place /= sizes[k])
    index[k] = place % sizes[k];
  return index;
}

/// Calls `visit(index)` for every index, in row major order. If there are no
/// dimensions, it calls `visit` once, with the empty index.
template <typename Visit>
void forEachIndex(llvm::ArrayRef<int64_t> sizes, Visit visit) {
  for (int64_t size : sizes)
    if (size <= 0) return;
  Index index(sizes.size(), 0);
  while (true) {
    visit(index);
    size_t k = sizes.size();
    while (k > 0 && ++index[k - 1] == sizes[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

/// A dense tensor of read sets, row major.
struct Tensor {
  Index sizes;
  std::vector<Reads> elements;

  explicit Tensor(llvm::ArrayRef<int64_t> sizes)
      : sizes(sizes.begin(), sizes.end()), elements(countOf(sizes)) {}

  Reads &at(llvm::ArrayRef<int64_t> index) {
    return elements[rowMajor(sizes, index)];
  }
  const Reads &at(llvm::ArrayRef<int64_t> index) const {
    return elements[rowMajor(sizes, index)];
  }
};

/// Adds the reads of `from` to `into`; duplicates are removed by `normalize`.
inline void unite(Reads &into, const Reads &from) {
  into.append(from.begin(), from.end());
}

inline void normalize(Reads &reads) {
  std::sort(reads.begin(), reads.end());
  reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_ORACLE_TENSOR_H
