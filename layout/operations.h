// Operations on layouts.
//
//   compose((8,8):(8,1), 3:3)          3:24
//   inverse(8 x 8, transposed)         offsets to (dim0, dim1)
//   equal((2,2):(1,2), 4:1)            equal, by their forms
//
// Laws (tests/layout/operations_test.cc, by enumeration):
//   compose(a, b).at(p) is a at b.at(p): by coordinates if `a` has as many
//     inputs as `b` has outputs, else at the point of `a` with the number that
//     `b` gives, whose last input goes on past its size
//   inverted(a).at(a.at(p)) == p
//   the rest and the tile of divide() and product() are those of CuTe where
//     CuTe has them
#ifndef INDEXICAL_LAYOUT_OPERATIONS_H
#define INDEXICAL_LAYOUT_OPERATIONS_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/relation.h"
#include "indexical/layout/layout.h"
#include "indexical/layout/linear_map.h"

namespace indexical::layouts {

/// Returns outer(inner). Sizes need not divide each other. Returns an error if
/// a value of `inner` is not a point of `outer`: negative, or past an input
/// that is not the last of a linear index.
absl::StatusOr<Layout> compose(const Layout &outer, const Layout &inner);

/// Returns the layout of a nest of modes: an input for each top mode.
absl::StatusOr<Layout> layoutOf(const Cute &modes);
/// Returns modes that are equal to the layout, one top mode per input, or
/// nothing if there are none, for example if digits do not fill their input.
std::optional<Cute> cuteOf(const Layout &layout);

/// The operations of CuTe, on layouts that are equal to modes. Each returns an
/// error if there are none, or if its value does not exist.
absl::StatusOr<Layout> coalesce(const Layout &layout);
absl::StatusOr<Layout> complement(const Layout &layout, int64_t size);
absl::StatusOr<Layout> rightInverse(const Layout &layout);
absl::StatusOr<Layout> leftInverse(const Layout &layout);
absl::StatusOr<Layout> logicalDivide(const Layout &layout, const Layout &tile);
absl::StatusOr<Layout> logicalProduct(const Layout &block, const Layout &tiler);
enum class Woven : uint8_t {
  Blocked,  ///< elements of a block stay together
  Raked,    ///< elements of a block are apart by the number of blocks
};
absl::StatusOr<Layout> wovenProduct(const Layout &block, const Layout &tiler,
                                    Woven how);
enum class DivideBy : uint8_t {
  Zipped,  ///< ((tiles), (rests))
  Tiled,   ///< ((tiles), rest, rest…)
  Flat,    ///< (tile, tile…, rest, rest…)
};
/// Returns the layout with each mode divided by its tile. A mode without a
/// tile, or past the last one, is all rest.
absl::StatusOr<Layout> divide(const Layout &layout,
                              llvm::ArrayRef<std::optional<Layout>> tiles,
                              DivideBy how);

/// Returns the swizzle of CuTe as a layout of offsets below 2^62 or so: bits
/// `base`… of the offset, each xor the bit `shift` above it, or below it where
/// `shift` is negative. Returns an error if a number is out of its range.
absl::StatusOr<Layout> swizzled(int64_t bits, int64_t base, int64_t shift,
                                int64_t offset, const Layout &inner);

/// Returns the relation from outputs to inputs.
absl::StatusOr<IndexingRelation> inverse(const Layout &layout);
/// Returns the inverse as a layout, without spaces of size 1. Returns an error
/// if the layout is not one to one and onto its box; the box of an offset is up
/// to its greatest value.
absl::StatusOr<Layout> inverted(const Layout &layout);

/// Returns the layout as a linear map, if it is one: all sizes are powers of
/// two, and each bit of an output is a parity. The first input has the lowest
/// bits, and the first output.
std::optional<LinearMap> linearOf(const Layout &layout);
/// The bases of a linear layout: for each bit of each input, one number per
/// output.
using InputBases = std::vector<std::vector<Coordinates>>;
/// Returns the bases, if the layout is linear.
std::optional<InputBases> basesOf(const Layout &layout);
/// Returns the layout without those bits of the input that change nothing. A
/// layout that is not linear, or has no such input, stays as it is.
Layout withoutCopies(const Layout &layout, llvm::StringRef input);
/// Returns how many bits each output has in linearOf(), if the layout has that.
std::vector<int> outputBitsOf(const Layout &layout);
/// Returns the layout with these words of bits, as linearOf() numbers them.
/// Requires sizes that are powers of two, in all as many bits as the map has.
absl::StatusOr<Layout> layoutOf(const LinearMap &map,
                                llvm::ArrayRef<Space> inputs,
                                llvm::ArrayRef<Space> outputs);

struct Equality {
  Answer answer = Answer::Undecided;
  /// `form`, `enumeration`, or the name of the engine that decided.
  std::string engine;
  std::string reason;  ///< why they cannot be equal, or are undecided
  /// A point of the first layout, and both values there, if they differ.
  std::optional<Coordinates> point, first, second;
};
/// Returns whether two layouts are equal. Outputs are compared by their order.
/// Layouts on other boxes with as many points are compared by linear index, the
/// first input fastest; those of other numbers of points or outputs are
/// different.
Equality equal(const Layout &a, const Layout &b,
               const ExactOptions &options = {});

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_OPERATIONS_H
