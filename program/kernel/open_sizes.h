// Sizes that have no value: a kernel is then read for all of their values at
// once.
//
//   n from 1 to 2^31 - 1, grid cdiv(n, 128)
//     z[p * 128 + t], below n     (p, s, t) -> (p * 128 + t, s), n = s + 1
//
// Each size is a loop around the whole kernel, whose turn `s` says which value
// it has. Every turn has its own memory: the element of an array has the turns
// behind its number. So a proof for the kernel is one for all sizes, and the
// solver sees dimensions alone.
//
// The number of an element may be a sum of products of sizes, which no affine
// map has. It is taken apart: x[r * C + c] has the numbers (c, r), the rest
// first, and behind it the factor of each product that the array has. Two
// elements with the same numbers are one. Two with other numbers are others
// where an array is loaded alone, or stored alone by a kernel that stores no
// element twice; same/kernel/sized_pair.h says when that is enough.
//
// Integers of 32 bits of addresses, masks and loops are taken not to wrap; what
// a kernel stores is exact.
#ifndef INDEXICAL_PROGRAM_KERNEL_OPEN_SIZES_H
#define INDEXICAL_PROGRAM_KERNEL_OPEN_SIZES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "indexical/program/kernel/size_terms.h"

namespace indexical::kernels {

/// The values first, first + step, …: `count` of them.
struct OpenSize {
  std::string name;
  int64_t first = 1, step = 1, count = 1;
  /// For a size that others determine: a sum of these, by names of `sizeOf`.
  /// Its `count` is then 1, and is not a bound.
  std::optional<SizeTerm> said;
};

/// A product of sizes: their numbers in order, each as often as it is a factor.
using SizeProduct = std::vector<size_t>;
/// By argument: the products that the numbers of its elements have, with
/// factors that are not constants.
using ProductsOfArrays = std::map<int64_t, std::set<SizeProduct>>;

struct OpenSizes {
  std::vector<OpenSize> sizes;
  /// The size for which a name of an argument or of the grid stands.
  std::map<std::string, size_t> sizeOf;
  SizeValues values;             ///< of all other names
  std::array<SizeTerm, 3> grid;  ///< one program along an axis: Number 1
  /// Further assumptions about the sizes: `n mod 64 < 32`.
  std::vector<SizeCondition> conditions;
  ProductsOfArrays products;  ///< of both kernels that are compared
};

/// The loop of size `k` has the number kFirstSizeLoop + k.
constexpr int64_t kFirstSizeLoop = int64_t{1} << 40;

/// Returns how many of the loops around an access are those of sizes.
template <typename Loops>
size_t sizesAround(const Loops &loops) {
  size_t count = 0;
  for (const auto &each : loops) count += each.loop >= kFirstSizeLoop;
  return count;
}

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_OPEN_SIZES_H
