#include "indexical/kernel/layout/layouts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace indexical::kernels {

namespace {

/// Gives out the bases of a layout's bits, one dimension at a time. A basis
/// that would leave the tile becomes 0.
class Bases {
 public:
  explicit Bases(llvm::ArrayRef<int64_t> shape)
      : shape_(shape.begin(), shape.end()), next_(shape.size(), 1) {}

  /// Appends the bases of the next bits along a dimension, as many as `count`
  /// has.
  void along(int64_t dimension, int64_t count, std::vector<Coordinates> &to) {
    for (; count > 1; count /= 2) {
      Coordinates basis(shape_.size(), 0);
      if (next_[dimension] < shape_[dimension])
        basis[dimension] = next_[dimension];
      next_[dimension] *= 2;
      to.push_back(std::move(basis));
    }
  }
  /// Appends registers for the part of the tile that the bits so far do not
  /// reach.
  void rest(llvm::ArrayRef<int64_t> order,
            std::vector<Coordinates> &registers) {
    for (int64_t dimension : order)
      if (next_[dimension] < shape_[dimension])
        along(dimension, shape_[dimension] / next_[dimension], registers);
  }

 private:
  Coordinates shape_, next_;
};

bool arePowers(llvm::ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t n) {
    return n >= 1 && llvm::isPowerOf2_64(static_cast<uint64_t>(n));
  });
}

}  // namespace

absl::StatusOr<TileLayout> blockedLayout(llvm::ArrayRef<int64_t> shape,
                                         const BlockedParameters &parameters) {
  const auto &[elements, lanes, warps, order] = parameters;
  const size_t rank = shape.size();
  Coordinates sorted = order;
  llvm::sort(sorted);
  for (size_t k = 0; k < sorted.size(); ++k)
    if (sorted[k] != static_cast<int64_t>(k))
      return absl::InvalidArgumentError(
          "the order of a blocked layout names each dimension once");
  if (elements.size() != rank || lanes.size() != rank || warps.size() != rank ||
      order.size() != rank)
    return absl::InvalidArgumentError(
        "a blocked layout has one number a dimension of the tile");
  if (!arePowers(elements) || !arePowers(lanes) || !arePowers(warps) ||
      !arePowers(shape))
    return absl::InvalidArgumentError(
        "the numbers of a blocked layout are powers of two");
  Bases bases(shape);
  std::vector<Coordinates> registers, ofLanes, ofWarps;
  for (int64_t k : order) bases.along(k, elements[k], registers);
  for (int64_t k : order) bases.along(k, lanes[k], ofLanes);
  for (int64_t k : order) bases.along(k, warps[k], ofWarps);
  bases.rest(order, registers);
  return TileLayout::of(shape, registers, ofLanes, ofWarps);
}

BlockedParameters blockedAlong(llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> order,
                               int64_t elementsPerThread, int64_t lanes,
                               int64_t warps) {
  const size_t rank = shape.size();
  BlockedParameters made;
  made.sizePerThread.assign(rank, 1);
  made.threadsPerWarp.assign(rank, 1);
  made.warpsPerCta.assign(rank, 1);
  made.order.assign(order.begin(), order.end());
  if (rank == 0) return made;
  made.sizePerThread[order[0]] = elementsPerThread;
  int64_t threads = lanes * warps, lanesLeft = lanes, warpsLeft = warps;
  for (size_t n = 0; n + 1 < rank; ++n) {
    const int64_t k = order[n];
    const int64_t here = std::clamp<int64_t>(
        threads, 1, std::max<int64_t>(1, shape[k] / made.sizePerThread[k]));
    made.threadsPerWarp[k] = std::clamp<int64_t>(here, 1, lanesLeft);
    made.warpsPerCta[k] =
        std::clamp<int64_t>(here / made.threadsPerWarp[k], 1, warpsLeft);
    threads /= here;
    lanesLeft /= made.threadsPerWarp[k];
    warpsLeft /= made.warpsPerCta[k];
  }
  made.threadsPerWarp[order[rank - 1]] = lanesLeft;
  made.warpsPerCta[order[rank - 1]] = warpsLeft;
  return made;
}

absl::StatusOr<TileLayout> mmaLayout(llvm::ArrayRef<int64_t> shape, int version,
                                     llvm::ArrayRef<int64_t> warpsPerCta,
                                     int64_t columns) {
  if (shape.size() != 2 || warpsPerCta.size() != 2 || !arePowers(shape) ||
      !arePowers(warpsPerCta) || (version != 2 && version != 3))
    return absl::UnimplementedError(
        "a matrix layout that is not of version 2 or 3 and two dimensions");
  if (version == 2) columns = 8;
  if (columns < 8 || !llvm::isPowerOf2_64(columns))
    return absl::UnimplementedError(
        "a matrix instruction with columns that are no power of two");
  auto cut = [&](int64_t row, int64_t column) {
    return Coordinates{row < shape[0] ? row : 0,
                       column < shape[1] ? column : 0};
  };
  std::vector<Coordinates> registers = {cut(0, 1), cut(8, 0)};
  const std::vector<Coordinates> lanes = {cut(0, 2), cut(0, 4), cut(1, 0),
                                          cut(2, 0), cut(4, 0)};
  for (int64_t column = 8; column < columns; column *= 2)
    registers.push_back(cut(0, column));
  std::vector<Coordinates> warps;
  int64_t rows = 16;
  auto warpsAlong = [&](int dimension) {
    int64_t &next = dimension == 0 ? rows : columns;
    for (int64_t left = warpsPerCta[dimension]; left > 1; left /= 2, next *= 2)
      warps.push_back(dimension == 0 ? cut(next, 0) : cut(0, next));
  };
  warpsAlong(version == 2 ? 1 : 0);
  warpsAlong(version == 2 ? 0 : 1);
  for (; columns < shape[1]; columns *= 2) registers.push_back(cut(0, columns));
  for (; rows < shape[0]; rows *= 2) registers.push_back(cut(rows, 0));
  return TileLayout::of(shape, registers, lanes, warps);
}

}  // namespace indexical::kernels
