// Pairs of accesses of one element, as maps: which points of a load and of a
// store name it.
//
//   load x[t0 + 1], store x[t0], in one program, the store's t0 greater
//     (bl_x, bl_y, bl_z, t0, t0') -> (t0 + 1), t0 + 1 = t0', t0' - t0 >= 1
//
// The map goes from the program (from both, if they are apart), the loops and
// the tile of the load, and those of the store, to the element of the load
// whose bytes the store writes. Two stores, or an atomic operation, make pairs
// in the same way: one of them stands for the load.
#ifndef INDEXICAL_PROGRAM_KERNEL_ACCESS_PAIRS_H
#define INDEXICAL_PROGRAM_KERNEL_ACCESS_PAIRS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/check/witness.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// One map of an access.
struct Toucher {
  size_t access = 0;
  const PointerMap *map = nullptr;
};

/// A coordinate of a load that is less or greater than one of a store.
struct ApartCoordinates {
  size_t load = 0, store = 0;
  bool isLess = false;
};

/// The warps of a load and of a store, of which the first coordinates of the
/// tiles are those of threads.
enum class PairWarps : uint8_t { Any, One, LoadLess, LoadGreater };

/// Which loads and stores of one element are asked for.
struct PairsOf {
  /// The axis along which the store's program is less or greater. Nothing: one
  /// program makes both.
  std::optional<std::pair<size_t, bool>> apartAlong;
  size_t equalLoops = 0;  ///< from the outermost
  /// The turns of the next loop by which the load comes after the store.
  std::optional<Interval> turns;
  std::vector<ApartCoordinates> apart;
  PairWarps warps = PairWarps::Any;
  /// How many loops, of those that only the later access is in, are in their
  /// first turns, from the outermost.
  size_t firstTurns = 0;
  bool isStoreLater = false;
};

/// The pairs of the accesses of one kernel, which has to outlive the object.
class AccessPairs {
 public:
  explicit AccessPairs(const TritonKernel &kernel) : kernel_(kernel) {}

  const KernelAccess &accessOf(const Toucher &of) const {
    return kernel_.accesses[of.access];
  }
  /// Returns whether bounds alone show that no element is of both.
  bool mayNotMeet(const Toucher &load, const Toucher &store) const;
  /// Returns the map of the pairs. It is an error if the elements of an array
  /// have a size that is not known.
  absl::StatusOr<IndexingMap> meeting(const Toucher &load, const Toucher &store,
                                      const PairsOf &pairs) const;
  /// Returns the pair that a point of the map is: the store first, the load
  /// second, and the load's argument as the array.
  Witness witnessAt(const Toucher &load, const Toucher &store,
                    const PairsOf &pairs, const PairWitness &at) const;

 private:
  int64_t bitsOf(const Toucher &of) const;
  bool areAlike(const Toucher &load, const Toucher &store) const;
  void constrain(const Toucher &load, const Toucher &store,
                 const PairsOf &pairs, llvm::ArrayRef<Expr> a,
                 llvm::ArrayRef<Expr> b, IndexingMapBuilder &builder) const;
  void constrainWarps(PairWarps warps, llvm::ArrayRef<Expr> a,
                      llvm::ArrayRef<Expr> b, llvm::ArrayRef<int64_t> tile,
                      IndexingMapBuilder &builder) const;
  absl::Status constrainBytes(const Toucher &load, const Toucher &store, Expr a,
                              Expr b, IndexingMapBuilder &builder) const;

  const TritonKernel &kernel_;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_ACCESS_PAIRS_H
