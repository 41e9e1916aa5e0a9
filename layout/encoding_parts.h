// The parts that encodings share. `register`, `lane`, `warp` and `block` are
// inputs 0 to 3; in memory `offset` and `block` are 0 and 1.
#ifndef INDEXICAL_LAYOUT_ENCODING_PARTS_H
#define INDEXICAL_LAYOUT_ENCODING_PARTS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/layout/bases.h"
#include "indexical/layout/encoding.h"

namespace indexical::layouts::encodings {

inline constexpr size_t kRegister = 0, kLane = 1, kWarp = 2, kBlock = 3;

/// Returns an error that names the parameter if a number is not a power of two.
absl::Status checkPowers(llvm::ArrayRef<int64_t> numbers, llvm::StringRef name);
/// Return a parameter, or an error that says that it is missing or has another
/// length than `rank`. An order is a permutation.
absl::StatusOr<Coordinates> need(const Encoding &of, llvm::StringRef name,
                                 size_t rank);
absl::StatusOr<int64_t> needNumber(const Encoding &of, llvm::StringRef name);
absl::StatusOr<Coordinates> needOrder(const Encoding &of, size_t rank,
                                      llvm::StringRef name);

/// Which of the last two dimensions is the fastest: in a row major order the
/// columns are.
enum class Fastest : uint8_t { Column, Row };
/// Returns the order of a matrix, with further dimensions slower.
Coordinates matrixOrder(size_t rank, Fastest fastest);

/// How the blocks of a cluster share a tile.
struct Cluster {
  Coordinates sizes;              ///< parts a dimension
  Coordinates tile;               ///< the part of one block
  std::vector<Coordinates> bits;  ///< of `block`, in parts

  /// Makes the layout of one block that of the tile, and adds the blocks.
  void finish(Bases &bases, size_t block, llvm::ArrayRef<int64_t> order) const;
};
absl::StatusOr<Cluster> clusterOf(const Encoding &of,
                                  llvm::ArrayRef<int64_t> shape);

/// The encodings of matrix instructions. The shape is one of powers of two.
absl::StatusOr<Bases> nvidiaMma(const Encoding &of,
                                llvm::ArrayRef<int64_t> shape);
absl::StatusOr<Bases> amdMfma(const Encoding &of,
                              llvm::ArrayRef<int64_t> shape);
absl::StatusOr<Bases> amdWmma(const Encoding &of,
                              llvm::ArrayRef<int64_t> shape);
absl::StatusOr<Bases> dotOperand(const Encoding &of,
                                 llvm::ArrayRef<int64_t> shape);

/// The encodings of shared memory from offsets to elements.
absl::StatusOr<Bases> memoryBases(const Encoding &of,
                                  llvm::ArrayRef<int64_t> shape,
                                  std::optional<int64_t> elementBits);
/// The layout with gaps, from elements to offsets.
absl::StatusOr<Layout> padded(const Encoding &of,
                              llvm::ArrayRef<int64_t> shape);

}  // namespace indexical::layouts::encodings

#endif  // INDEXICAL_LAYOUT_ENCODING_PARTS_H
