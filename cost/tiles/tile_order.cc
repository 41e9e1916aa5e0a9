// Which sizes are tried, and the order of those that are found.
#include "indexical/cost/tiles/tile_order.h"

#include <algorithm>
#include <tuple>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/divisors.h"
#include "indexical/cost/tiles/tile_forms.h"

namespace indexical {

std::vector<int64_t> SizeChoice::sizesOf(int64_t dimension) const {
  dimension = std::max<int64_t>(1, dimension);
  std::vector<int64_t> sizes;
  switch (kind) {
    case Kind::Powers:
      for (int bit = 0; bit < 63 && int64_t{1} << bit < dimension; ++bit)
        sizes.push_back(int64_t{1} << bit);
      sizes.push_back(dimension);
      break;
    case Kind::Divisors:
      return divisorsOf(dimension);
    case Kind::List:
      for (int64_t size : list) sizes.push_back(std::min(size, dimension));
      break;
  }
  llvm::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

void sortSizes(std::vector<FoundSizes> &found, llvm::ArrayRef<TileStep> steps,
               SizeOrder order) {
  constexpr int64_t kSmall = 16;
  const bool byTime = order != SizeOrder::Bytes;
  auto isInPieces = [&](const FoundSizes &sizes) {
    if (order != SizeOrder::WholeRows) return false;
    for (auto [step, of] : llvm::zip(sizes.steps, steps))
      if (step < of.extent) return true;
    return false;
  };
  auto isSmall = [&](const FoundSizes &sizes) {
    int64_t elements = 1;
    for (int64_t size : sizes.sizes) elements = boundedProduct(elements, size);
    return byTime && elements < kSmall;
  };
  auto rankOf = [&](const FoundSizes &sizes) {
    return std::tuple(!sizes.fits, isInPieces(sizes), isSmall(sizes),
                      byTime ? sizes.microseconds.value_or(0) : 0.0,
                      !sizes.fills, sizes.bytes, sizes.blocks, sizes.shared);
  };
  auto isLonger = [](const FoundSizes &a, const FoundSizes &b) {
    return std::lexicographical_compare(b.sizes.rbegin(), b.sizes.rend(),
                                        a.sizes.rbegin(), a.sizes.rend());
  };
  llvm::stable_sort(found, [&](const FoundSizes &a, const FoundSizes &b) {
    const auto left = rankOf(a), right = rankOf(b);
    return left != right ? left < right : isLonger(a, b);
  });
}

}  // namespace indexical
