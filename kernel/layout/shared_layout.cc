#include "indexical/kernel/layout/shared_layout.h"

#include <algorithm>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace indexical::kernels {
namespace {

bool isPermutation(llvm::ArrayRef<int64_t> order, size_t rank) {
  llvm::SmallVector<int64_t, 4> sorted(order.begin(), order.end());
  llvm::sort(sorted);
  for (auto [k, dimension] : llvm::enumerate(sorted))
    if (dimension != static_cast<int64_t>(k)) return false;
  return order.size() == rank;
}

bool isPower(int64_t number) {
  return number > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(number));
}

}  // namespace

absl::StatusOr<SharedLayout> SharedLayout::of(llvm::ArrayRef<int64_t> shape,
                                              SharedParameters parameters) {
  if (!isPermutation(parameters.order, shape.size()))
    return absl::InvalidArgumentError(
        "the order of a layout of shared memory is no permutation");
  for (int64_t number :
       {parameters.vec, parameters.perPhase, parameters.maxPhase})
    if (!isPower(number))
      return absl::InvalidArgumentError(
          "the phases of a layout of shared memory are powers of two");
  int64_t size = 1;
  for (int64_t side : shape)
    if (side < 1 || llvm::MulOverflow(size, side, size))
      return absl::InvalidArgumentError("a tile has from 1 to 2^63 elements");
  for (const auto &[interval, gap] : parameters.gaps)
    if (!isPower(interval) || gap < 0 || gap > (int64_t{1} << 20))
      return absl::InvalidArgumentError(
          "the gaps of a padded layout are after powers of two");
  if (size > (int64_t{1} << 40))
    return absl::InvalidArgumentError("the tile is larger than any memory");
  SharedLayout made;
  made.shape_.assign(shape.begin(), shape.end());
  made.parameters_ = std::move(parameters);
  made.size_ = made.withGaps(size - 1) + 1;
  return made;
}

int64_t SharedLayout::withGaps(int64_t offset) const {
  int64_t gaps = 0;
  for (const auto &[interval, gap] : parameters_.gaps)
    gaps += offset / interval * gap;
  return offset + gaps;
}

int64_t SharedLayout::offsetOf(llvm::ArrayRef<int64_t> element) const {
  const llvm::ArrayRef<int64_t> order = parameters_.order;
  if (order.empty()) return 0;
  int64_t column = element[order[0]];
  const int64_t width = shape_[order[0]];
  if (order.size() > 1 && parameters_.maxPhase > 1) {
    const int64_t groups = std::max<int64_t>(1, width / parameters_.vec);
    const int64_t phase = element[order[1]] / parameters_.perPhase %
                          parameters_.maxPhase % groups;
    const int64_t group = column / parameters_.vec ^ phase;
    column = group * parameters_.vec + column % parameters_.vec;
  }
  int64_t offset = column, step = width;
  for (int64_t dimension : order.drop_front()) {
    offset += element[dimension] * step;
    step *= shape_[dimension];
  }
  return withGaps(offset);
}

}  // namespace indexical::kernels
