// Linear layouts: which element of a tile a register of a lane of a warp holds.
//
//   blocked, 2 elements a thread, 4 lanes, 2 warps, of a tile of 16
//     register bit 0 -> 1
//     lane bits 0, 1 -> 2, 4
//     warp bit 0     -> 8
//   register 1 of lane 3 of warp 1 holds element 1 ^ (2 ^ 4) ^ 8 = 15
//
// A layout is a linear map over GF(2): each bit of the input has a vector of
// bits, its basis, and the vectors of the bits that are 1 are combined by xor.
// Every layout of Triton is one: blocked ones, slices of them, those of matrix
// instructions, and shared memory that is swizzled. A basis of 0 replicates:
// the bit changes nothing, so that several hold one element.
//
// Law (tests/kernel/linear_layout_test.cc, by enumeration):
//   a tile's element has threads * registers / elements holders, if the layout
//     reaches all
//
// Source: Triton, include/triton/Tools/LinearLayout.h describes the same idea.
#ifndef INDEXICAL_KERNEL_LAYOUT_LINEAR_LAYOUT_H
#define INDEXICAL_KERNEL_LAYOUT_LINEAR_LAYOUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/layout/linear_map.h"

namespace indexical::kernels {

using layouts::compose;
using layouts::LinearMap;

using Coordinates = llvm::SmallVector<int64_t, 4>;

/// A register of a lane of a warp, which holds an element.
struct Holder {
  int64_t reg = 0, lane = 0, warp = 0;
};

/// A linear map from (register, lane, warp) to the coordinates of a tile whose
/// sides are powers of two. In the input the register bits are lowest, then
/// come lane bits, then warp bits. In the output the bits of the last dimension
/// are lowest.
class TileLayout {
 public:
  /// Returns the layout with these bases, one for each bit; a basis has one
  /// number a dimension. Returns an error if a side is no power of two, or a
  /// basis leaves the tile.
  static absl::StatusOr<TileLayout> of(llvm::ArrayRef<int64_t> shape,
                                       llvm::ArrayRef<Coordinates> registers,
                                       llvm::ArrayRef<Coordinates> lanes,
                                       llvm::ArrayRef<Coordinates> warps);

  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  int registerBits() const { return registers_; }
  int laneBits() const { return lanes_; }
  int warpBits() const { return warps_; }
  const LinearMap &map() const { return map_; }

  /// Returns the basis of an input bit as coordinates.
  Coordinates basis(int bit) const { return split(map_.bases()[bit]); }
  Coordinates held(const Holder &by) const;
  /// Returns all registers that hold the element; there may be none.
  std::vector<Holder> holders(llvm::ArrayRef<int64_t> element) const;
  /// Returns how many registers of all threads hold one element. The number is
  /// the same for all elements that are held.
  int64_t replication() const { return int64_t{1} << map_.kernel().size(); }

  /// Returns the layout without the registers that hold the same as another
  /// register of the thread.
  TileLayout withoutEqualRegisters() const;
  /// Returns the layout of the tile without that dimension: each basis loses
  /// its number there.
  TileLayout withoutDimension(int64_t dimension) const;

 private:
  Coordinates split(uint64_t word) const;
  uint64_t join(llvm::ArrayRef<int64_t> coordinates) const;

  LinearMap map_;
  llvm::SmallVector<int64_t, 4> shape_;
  int registers_ = 0, lanes_ = 0, warps_ = 0;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_KERNEL_LAYOUT_LINEAR_LAYOUT_H
