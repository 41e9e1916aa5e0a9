// Patterns: how the lanes of a warp read, and how to reduce the waste.
//
//   reads f32[512,1024], 4096 bytes from lane to lane
//     Transposed, 32768 bits; SharedTile, layout {0,1}
//   reads f32[100,256,2] in runs of two lanes
//     Rows, 64 bits; OtherLayout, layout {2,0,1}
//
// A layout, or padding, is named only if its waste was found, and is at most a
// quarter of the present waste. Bounds of the waste have no remedy, and of the
// patterns only `Gathered`, which does not follow from them. The sentences are
// made in answers/words.h.
#ifndef INDEXICAL_COST_MEMORY_PATTERNS_H
#define INDEXICAL_COST_MEMORY_PATTERNS_H

#include <cstdint>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/memory/access.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/measured.h"

namespace indexical {

enum class PatternKind : uint8_t {
  Never,        ///< no thread reads
  Gathered,     ///< each lane reads where a runtime variable says
  Scalar,       ///< the buffer is one element
  FewLanes,     ///< at most one lane of a warp reads
  Broadcast,    ///< all lanes read the same element
  Contiguous,   ///< a lane reads what lies behind the lane before
  Overlapping,  ///< a lane begins in what the lane before reads
  Rows,        ///< contiguous runs of lanes, `bits` long, apart from each other
  Transposed,  ///< lanes along a dimension whose step is `bits`
  Strided,     ///< lanes `bits` apart, not along one dimension
  Unknown,     ///< values that are not known decide what is wasted
};

struct Pattern {
  PatternKind kind = PatternKind::Never;
  int64_t bits = 0;
  bool halo = false;       ///< read in windows: what is around it, too
  bool reversed = false;   ///< Contiguous, Overlapping: from the end on
  bool unaligned = false;  ///< Contiguous, Overlapping: sectors are cut
  /// Whether only bounds of the waste are known. Then there is no remedy.
  bool isBound = false;
  bool byEveryThread = false;  ///< one address for all threads of a block
};

enum class RemedyKind : uint8_t {
  None,           ///< nothing is wasted, or none is plain
  SortedIndices,  ///< or longer slices
  MoreLanes,      ///< along the most minor dimension; a wider tile
  AlignedStart,   ///< where a slice begins, at run time
  PaddedRows,     ///< to whole sectors
  HaloTile,       ///< through shared memory
  AlignedWarps,   ///< that begin where a sector does
  SharedTile,     ///< or `layout`, if there is one
  OtherLayout,    ///< `layout`
  WholeVectors,   ///< rows that vectors divide, or one element a lane
  OneElement,     ///< a lane: vectors divide the rows, and are not used
  PackedElements,
};

struct Remedy {
  RemedyKind kind = RemedyKind::None;
  llvm::SmallVector<int64_t, 6> layout = {};  ///< minor to major
};

/// A pattern and its remedy.
struct Finding {
  Pattern pattern;
  Remedy remedy = {};
};

/// Returns the pattern of an access with these figures, and the remedy.
/// `wastedIf` returns the most bytes that the access would waste with another
/// shape or layout of the buffer, and another index space.
Finding patternOf(const MemoryAccess &access, const ArrayShape &buffer,
                  const LaunchSpace &space, const AccessFigures &figures,
                  const Device &device,
                  llvm::function_ref<int64_t(const ArrayShape &buffer,
                                             const LaunchSpace &space)>
                      wastedIf);

}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_PATTERNS_H
