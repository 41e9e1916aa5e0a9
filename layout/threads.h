// Which input of a layout is the register, the lane, the warp and the block.
#ifndef INDEXICAL_LAYOUT_THREADS_H
#define INDEXICAL_LAYOUT_THREADS_H

#include <array>
#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/layout/layout.h"

namespace indexical::layouts {

/// Gives the parts of a point; a part that the layout lacks is 0.
class ThreadPlaces {
 public:
  /// Returns an error if an input has another name, or if there are more than
  /// kMostPoints registers.
  static absl::StatusOr<ThreadPlaces> of(const Layout &layout);

  int64_t reg(llvm::ArrayRef<int64_t> point) const { return part(0, point); }
  int64_t lane(llvm::ArrayRef<int64_t> point) const { return part(1, point); }
  int64_t warp(llvm::ArrayRef<int64_t> point) const { return part(2, point); }
  int64_t block(llvm::ArrayRef<int64_t> point) const { return part(3, point); }

  /// Returns the numbers of registers, lanes, warps and blocks of the box.
  std::array<int64_t, 4> sizes(Box box) const {
    std::array<int64_t, 4> all = {1, 1, 1, 1};
    for (int which = 0; which < 4; ++which)
      if (places_[which] >= 0) all[which] = box[places_[which]];
    return all;
  }

 private:
  int64_t part(int which, llvm::ArrayRef<int64_t> point) const {
    return places_[which] < 0 ? 0 : point[places_[which]];
  }
  std::array<int, 4> places_ = {-1, -1, -1, -1};
};

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_THREADS_H
