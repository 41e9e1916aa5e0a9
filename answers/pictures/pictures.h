// The pictures that can be drawn: reads, layouts, warps, tiles and shardings.
//
//   pictureOfReads    what some elements of a result read of each operand, a
//                     colour for each piece of the answer; where there is no
//                     answer the result's cells are hatched
//   pictureOfLayout   where the elements of an array lie in memory
//   pictureOfWarp     the lanes of one warp against sectors of memory, and
//                     words of shared memory against its banks
//   pictureOfTiles    a tile of a root, and the tile of every instruction
//                     upstream, with what neighbouring tiles share
//   pictureOfLayouts  which lane and register holds each element, or which
//                     element lies at each place of memory
//   pictureOfSharding the devices that hold each element of a tensor, and what
//                     each device has, padding too
//   pictureOfPattern  the entries of a sparse matrix; of a large one, a cell
//                     stands for a block of places
//
// Each returns a Picture (picture.h), which does not depend on any of them.
//
// Laws (tests/answers/pictures/draw_test.py): the marked cells are the elements
// that the library names for the same question.
#ifndef INDEXICAL_ANSWERS_PICTURES_PICTURES_H
#define INDEXICAL_ANSWERS_PICTURES_PICTURES_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/answers/pictures/picture.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/cost/sparsity/pattern.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/use/elements.h"
#include "indexical/indexing/relation.h"
#include "indexical/layout/operations.h"
#include "indexical/ops/shape.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// An index space, and which of its dimensions are shown.
struct PictureSpace {
  std::string title;
  llvm::SmallVector<Interval, 4> sides;
  /// Up to two dimensions, rows and columns. Empty: the last two; for an
  /// operand, those that depend on the shown dimensions of the result.
  llvm::SmallVector<size_t, 2> shown = {};
};

struct PictureOperand {
  PictureSpace space;
  IndexingRelation relation;  ///< from the result's indices
};

struct PictureOfReads {
  std::string title;
  PictureSpace result;
  /// The elements whose reads are drawn: a box of `sizes` at `at`, clipped to
  /// the result.
  llvm::SmallVector<int64_t, 4> at, sizes;
  std::vector<PictureOperand> operands;
};

/// Returns the picture of the reads. Returns an error if the box has too many
/// elements, or is not in the result.
absl::StatusOr<Picture> pictureOfReads(const PictureOfReads &question,
                                       const ElementsOptions &options);

/// Returns the picture of where an array's elements lie in memory. `shown` is
/// as in PictureSpace. `at` is the index of the other dimensions, empty for the
/// first one. Returns an error if the array does not have such an index, or if
/// the layout is not supported (ops/address.h).
absl::StatusOr<Picture> pictureOfLayout(const ArrayShape &shape,
                                        llvm::ArrayRef<size_t> shown = {},
                                        llvm::ArrayRef<int64_t> at = {});

/// Returns the picture of a layout of any notation. From threads to elements:
/// the tile, in a colour for each lane, with the holders. To offsets: the
/// values by input, and the memory, 32 banks a row. With a second layout of the
/// same elements, the elements that a thread holds only in the second one are
/// hatched. Returns an error for more than 2^16 points, or values below 0.
absl::StatusOr<Picture> pictureOfLayouts(const std::string &title,
                                         const layouts::Layout &layout,
                                         const layouts::Layout *second);

struct PictureOfWarp {
  std::string title;
  const Kernel &kernel;
  const KernelTraffic &traffic;
  const Device &device;
  int64_t warp = 0;  ///< its number in the launch, block after block
  /// Returns the name of the array of an access.
  std::function<std::string(const Traffic &access, bool isRead)> nameOf;
  std::string launch = {};  ///< how the kernel is launched, in words
};

/// Returns the picture of the warp's first access, for each read and write that
/// has a map. Returns an error if no launch has such a warp.
absl::StatusOr<Picture> pictureOfWarp(const PictureOfWarp &question);

/// Returns the number of the warp whose first accesses waste the most bytes,
/// the first one if there are several. For a large launch it examines a sample:
/// the first warps, and some between them and the last one. Ignores `warp` of
/// the question.
int64_t worstWarp(const PictureOfWarp &question);

struct PictureOfTiles {
  std::string title;
  const Computation &computation;
  llvm::ArrayRef<InstructionTile> tiles;
  llvm::ArrayRef<int64_t> shape, sizes;  ///< of the root, and of its tile
  llvm::ArrayRef<int64_t> at;            ///< the tile's first index
  llvm::SmallVector<size_t, 2> shown;    ///< as of a PictureSpace, of the root
};

/// Returns the picture of the tile of each instruction that a tile of the root
/// reads. Returns an error if `at` is not a multiple of the sizes, or is
/// outside of the root.
absl::StatusOr<Picture> pictureOfTiles(const PictureOfTiles &question);

/// The largest number of devices of a sharding that can be drawn.
constexpr int64_t kMostDrawnDevices = 64;
/// Returns the picture of the devices that hold a tensor's elements. Returns an
/// error if the tensor has more than 3 dimensions, if there are more devices
/// than kMostDrawnDevices or their number is not known, or if the sharding has
/// no global elements.
absl::StatusOr<Picture> pictureOfSharding(const std::string &title,
                                          const ShardedRelation &relation);

/// Returns the picture of the entries of a matrix. `colors` has the number of
/// the colour of each column. If it is empty, all entries look alike, as they
/// do if a cell represents several entries.
Picture pictureOfPattern(const std::string &title, const SparsePattern &pattern,
                         const std::vector<int64_t> &colors);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_PICTURES_PICTURES_H
