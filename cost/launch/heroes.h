// Heroes: the instruction of a fusion that determines its launch.
//
//   t = f32[64,32] transpose(e)      the hero of n: a tiled transpose
//   n = f32[64,32] negate(t)         the root
//
//   r = f32[64] reduce(e, zero)      the hero of d: a reduction
//   d = f32[64] sqrt(r)              the root
//
// From a root the way goes up through ops that keep elements in place
// (elementwise ops, bitcasts). The rules are those of XLA's emitters: whether a
// transpose is worth a tile through shared memory, and whether a reduction is
// one of rows or of columns in the order of memory.
#ifndef INDEXICAL_COST_LAUNCH_HEROES_H
#define INDEXICAL_COST_LAUNCH_HEROES_H

#include <array>
#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/launch/fusion_body.h"
#include "indexical/cost/memory/device.h"

namespace indexical {

using Sizes = llvm::SmallVector<int64_t, 6>;

inline int64_t productOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) product *= size;
  return product;
}

/// A transpose without dimensions of size 1, and with those that stay side by
/// side taken as one: output dimension i is input dimension `permutation[i]`.
struct TiledTranspose {
  InstructionId instruction;
  Sizes input, output, permutation;
  int64_t bits = 0;     ///< of an element
  bool packed = false;  ///< several elements to a word of shared memory
  bool keepsMinor() const {
    return permutation.back() == static_cast<int64_t>(permutation.size()) - 1;
  }
  /// Returns whether two transposes can share a launch.
  bool agrees(const TiledTranspose &o) const {
    return input == o.input && permutation == o.permutation && bits == o.bits;
  }
};

/// The tile of a packed transpose: positions (row, column) go along two
/// dimensions of the input, a row's columns perhaps along a third.
struct PackedTile {
  int64_t vector = 1;             ///< elements to a word
  int64_t side = 32;              ///< of the square in shared memory
  int64_t row = 0, column = 0;    ///< dimensions of the input
  int64_t middle = -1;            ///< a dimension, or -1
  int64_t rows = 1, columns = 1;  ///< sizes along them
  int64_t middles = 1;
};
PackedTile packedTile(const TiledTranspose &transpose);

/// Rows are reduced along the first and the last of the three sizes, columns
/// along the one in the middle.
struct TiledReduction {
  InstructionId instruction;
  bool isRow = true;
  std::array<int64_t, 3> sizes = {1, 1, 1};
  bool agrees(const TiledReduction &o) const {
    return isRow == o.isRow && sizes == o.sizes;
  }
};

/// The least numbers of bits of an element among a kernel's operands, and among
/// its results.
struct ElementBits {
  static constexpr int64_t kNone = INT64_MAX;
  int64_t in = kNone, out = kNone;
};
ElementBits elementBits(const FusionBody &body);

/// Returns whether each element of the instruction's result lies where the
/// operand's element does. Returns false if there are more than `mostOperands`
/// operands.
bool keepsPlaces(const Instruction &instruction, int64_t mostOperands);

/// Returns whether both arrays have the same dimensions, in the same order in
/// memory.
bool isBitcastOf(const ArrayShape &a, const ArrayShape &b);

/// Returns whether a reshape or a transpose makes one of the other without
/// moving elements.
bool liesAs(const ArrayShape &a, const ArrayShape &b);

/// Returns the size of the most minor dimension of a transpose's result, with
/// dimensions that stay adjacent merged; 1 if the instruction is not a
/// transpose.
int64_t minorOfTranspose(const Instruction &instruction);

/// Returns the transpose that a tile pays for; nothing if the instruction is
/// not a transpose, or if a tile does not pay.
std::optional<TiledTranspose> tiledTranspose(const Instruction &instruction,
                                             InstructionId number);

/// Returns the reduction that a tile pays for; nothing if the instruction is
/// not a reduction of rows or columns, or if a tile does not pay. `behind` says
/// that there is something between it and the root.
std::optional<TiledReduction> tiledReduction(const Instruction &instruction,
                                             InstructionId number, bool behind,
                                             const Device &device);

/// Returns the number of the hero, or the root itself if there is none.
InstructionId heroOf(const FusionBody &body, InstructionId root);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_HEROES_H
