// A memory operation as maps; private to import/llvm.
//
//   store i32 %v, ptr %p, in a loop of 4 turns, if %t < 5
//     loops  loop 0, 4 turns
//     maps   argument 0: (bl_x, bl_y, bl_z, loop0, t0) -> (t0 + loop0 * 8),
//              t0 in [0, 4]
//
// The maps go from the blocks, the loops around the instruction and the tile to
// elements. They hold where the thread is there, comes to the instruction, and
// makes the access.
#ifndef INDEXICAL_IMPORT_LLVM_PLACED_ACCESS_H
#define INDEXICAL_IMPORT_LLVM_PLACED_ACCESS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/llvm/memory_ops.h"
#include "indexical/import/llvm/thread_tile.h"
#include "indexical/import/llvm/value_terms.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/pieces.h"

namespace indexical::compiled {

/// Returns the arrays into which the op may reach, or nothing if that is not
/// known.
std::optional<std::set<int64_t>> arraysOf(const MemoryOp &op,
                                          ValueTerms &terms);

/// What it means that an address is no multiple of an element's size: the array
/// has smaller ones, or this access is not followed.
enum class Misaligned : uint8_t { Narrows, Fails };

struct PlacedAccess {
  std::vector<kernels::PieceSpace::LoopCount> loops;
  std::vector<kernels::PointerMap> maps;  ///< none: the access is never made
  std::map<std::string, Interval> values;
  kernels::MaskKind mask = kernels::MaskKind::None;
};

class AccessPlacer {
 public:
  /// All but `stop` have to outlive this; `readOnly` may grow until an access
  /// is placed.
  AccessPlacer(ValueTerms &terms, const ThreadTile &tile,
               const kernels::TritonKernel &kernel,
               const std::set<int64_t> &readOnly, const Stop *stop)
      : terms_(terms),
        tile_(tile),
        kernel_(kernel),
        readOnly_(readOnly),
        stop_(stop) {}

  /// Returns the access number `order` in elements of `width` bytes. `tile` has
  /// the sides of the threads, and behind them the elements of a vector, if the
  /// op has more than one. Returns an error that says what is not known.
  absl::StatusOr<PlacedAccess> place(
      const MemoryOp &op, int64_t order, int64_t width,
      llvm::ArrayRef<int64_t> tile,
      Misaligned misaligned = Misaligned::Narrows);
  /// Returns the space of an access, without loops and tile.
  kernels::PieceSpace space(int64_t order) const;
  /// Returns the arrays of which a smaller element has been asked for.
  const std::set<int64_t> &narrowed() const { return narrowed_; }

 private:
  TermId conditionOf(const MemoryOp &op);
  TermId thereIs();
  /// Adds the maps of the access to those of `made`.
  absl::Status writeMaps(TermId element, TermId mask,
                         const kernels::PieceSpace &space,
                         PlacedAccess &made) const;
  std::optional<PlacedAccess> placeApart(TermId element, TermId mask,
                                         const kernels::PieceSpace &space,
                                         const PlacedAccess &like);

  ValueTerms &terms_;
  const ThreadTile &tile_;
  const kernels::TritonKernel &kernel_;
  const std::set<int64_t> &readOnly_;
  const Stop *stop_;
  std::set<int64_t> narrowed_;
  int tries_ = 0;  ///< of placeApart()
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_PLACED_ACCESS_H
