// A memory operation as maps; private to import/llvm.
//
//   store i32 %v, ptr %p, in a loop of 4 turns, if %t < 5
//     loops  loop 0, 4 turns
//     maps   argument 0: (bl_x, bl_y, bl_z, loop0, t0) -> (t0 + loop0 * 8),
//              t0 in [0, 4]
//
// The maps go from the blocks, the loops around the instruction and the tile to
// elements. They hold where the thread exists, reaches the instruction, and
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

/// Returns the arrays that the op may access, or std::nullopt if they are
/// unknown.
std::optional<std::set<int64_t>> arraysOf(const MemoryOp &op,
                                          ValueTerms &terms);

/// The effect of an address that is not a multiple of the element's size: the
/// array gets smaller elements, or this access is an error.
enum class Misaligned : uint8_t { Narrows, Fails };

struct PlacedAccess {
  std::vector<kernels::PieceSpace::LoopCount> loops;
  std::vector<kernels::PointerMap> maps;  ///< empty: the access is never made
  std::map<std::string, Interval> values;
  kernels::MaskKind mask = kernels::MaskKind::None;
  /// Why there are no figures, though there are maps.
  std::string notMeasured;
  /// Why there are no maps, though there is one for each value of a coordinate,
  /// a loop or a program (KernelAccess::enumerated).
  std::string reason;
  std::vector<kernels::PointerMap> enumerated;
  int64_t width = 1;  ///< bytes of an element
};

class AccessPlacer {
 public:
  /// All arguments but `stop` have to outlive the object; `readOnly` may grow
  /// until an access is placed.
  AccessPlacer(ValueTerms &terms, const ThreadTile &tile,
               const kernels::TritonKernel &kernel,
               const std::set<int64_t> &readOnly, const Stop *stop)
      : terms_(terms),
        tile_(tile),
        kernel_(kernel),
        readOnly_(readOnly),
        stop_(stop) {}

  /// Returns the access number `order` in elements of `width` bytes. `tile` has
  /// the sides of the threads, followed by the elements of a vector, if the op
  /// has more than one. Returns an error that names what is unknown.
  absl::StatusOr<PlacedAccess> place(
      const MemoryOp &op, int64_t order, int64_t width,
      llvm::ArrayRef<int64_t> tile,
      Misaligned misaligned = Misaligned::Narrows);
  /// Returns the space of an access, without loops and tile.
  kernels::PieceSpace space(int64_t order) const;
  /// Returns the arrays that need smaller elements.
  const std::set<int64_t> &narrowed() const { return narrowed_; }

 private:
  /// `within` is the number of the element of `width` bytes in a vector.
  TermId conditionOf(const MemoryOp &op, int64_t width, TermId within);
  TermId thereIs();
  /// Returns a condition that holds wherever `mask` does, without the parts
  /// that name values that are not known, unless the element names one of them.
  TermId withoutValues(TermId mask, TermId element);
  /// Adds a loop around the access to the space, and to the condition that its
  /// turn is one of the loop's. Returns whether no thread comes to the loop. If
  /// how often it runs is not known, the maps cover all turns.
  absl::StatusOr<bool> addLoop(const llvm::Loop *loop,
                               kernels::PieceSpace &space, TermId &mask,
                               PlacedAccess &made);
  /// Adds the maps of the access to `made`, which may have so many then.
  absl::Status writeMaps(TermId element, TermId mask,
                         const kernels::PieceSpace &space, PlacedAccess &made,
                         size_t most = kernels::PieceMaker::kMostPieces) const;
  /// A variable of a space, of `count` values.
  struct SpaceVariable {
    TermKind kind;
    int64_t number, count;
  };
  std::vector<SpaceVariable> variablesOf(
      const kernels::PieceSpace &space) const;
  TermId termAt(TermId term, const SpaceVariable &variable, TermId value);
  bool writeEach(llvm::ArrayRef<SpaceVariable> variables, TermId element,
                 TermId mask, const kernels::PieceSpace &space,
                 PlacedAccess &made, size_t most);
  std::optional<PlacedAccess> placeApart(TermId element, TermId mask,
                                         const kernels::PieceSpace &space,
                                         const PlacedAccess &like);
  std::optional<PlacedAccess> enumerate(TermId element, TermId mask,
                                        const kernels::PieceSpace &space,
                                        const PlacedAccess &like);

  ValueTerms &terms_;
  const ThreadTile &tile_;
  const kernels::TritonKernel &kernel_;
  const std::set<int64_t> &readOnly_;
  const Stop *stop_;
  std::set<int64_t> narrowed_;
  int tries_ = 0;       ///< of placeApart()
  int enumerated_ = 0;  ///< maps of enumerate()
};

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_PLACED_ACCESS_H
